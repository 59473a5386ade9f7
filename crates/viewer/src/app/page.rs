//! What a web page has of the running viewer: sentences that are read aloud, and an address that leads to what is seen.

use super::App;
use crate::web;

impl App {
    /// What the panels say comes to those who do not see them too.
    pub(super) fn tell_page(&mut self) {
        let text = self.state.spoken();
        if text != self.told {
            web::say(&text);
            self.told = text;
        }
    }

    /// Once what the address names is open, the view is the one that it asks for.
    pub(super) fn follow_address(&mut self) {
        if !self.is_reading()
            && let Some(link) = web::wanted_link()
        {
            self.state.follow_link(&link);
        }
    }

    /// The address leads to what is seen. While a clip plays, its time is where it was when something else changed.
    pub(super) fn keep_address(&mut self) {
        if self.is_reading() {
            return;
        }
        let link = self.state.link();
        let passing = |(name, _): &&(String, String)| !(self.state.playing && name == "time");
        if !link.iter().filter(passing).eq(self.linked.iter().filter(passing)) {
            web::set_link(&link);
            self.linked = link;
        }
    }
}
