//! Images and GIFs that a person asks for.

use eframe::egui::Context;

use super::App;
use crate::load::Diagnostic;
use crate::system::filming::{self, Filming};
use crate::system::image;

impl App {
    pub(super) fn begin_film(&mut self, context: &Context) {
        if self.filming.is_some() {
            return;
        }
        match self.stage.beside(&self.state) {
            Ok(stage) => {
                self.filming = Some(Filming::start(self.state.snapshot(), stage, context));
            }
            Err(error) => self.not_saved("GIF", &error.to_string()),
        }
    }

    pub(super) fn film(&mut self) {
        let Some(filming) = &mut self.filming else { return };
        match filming.look() {
            filming::Progress::Working(done, all) => self.state.filming = Some((done, all)),
            filming::Progress::Done(made) => {
                self.filming = None;
                self.state.filming = None;
                let file = self.state.model().and_then(|model| model.source.file.clone());
                match made.and_then(|bytes| image::save(&bytes, "gif", file.as_deref())) {
                    Ok(path) => self.state.say(format!("saved {}", path.display())),
                    Err(why) => self.not_saved("GIF", &why),
                }
            }
        }
    }

    pub(super) fn not_saved(&mut self, what: &str, why: &str) {
        self.state.diagnostics.push(Diagnostic {
            title: format!("The {what} could not be saved"),
            sentence: format!("{why}."),
            advice: "Check that there is room and that you may write there.".into(),
        });
    }

    /// Saves the image that was asked for, once its pixels are there.
    pub(super) fn save_image(&mut self, context: &Context) {
        let Some(pending) = &self.pending_image else { return };
        let Some(made) = pending.look() else { return context.request_repaint() };
        self.pending_image = None;
        let file = self.state.model().and_then(|model| model.source.file.clone());
        let saved = made
            .map_err(|error| error.to_string())
            .and_then(|made| sinew::film::still(&made).map_err(|error| error.to_string()))
            .and_then(|bytes| image::save(&bytes, "png", file.as_deref()));
        match saved {
            Ok(path) => self.state.say(format!("saved {}", path.display())),
            Err(why) => self.not_saved("image", &why),
        }
    }
}
