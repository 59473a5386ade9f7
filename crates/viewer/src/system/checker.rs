//! A model is checked on a thread of its own.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;

use crate::findings::{Findings, Wanted};

/// A check at work.
#[derive(Debug)]
pub(crate) struct Checker(Receiver<Findings>);

impl Checker {
    /// Starts a check; the window is woken at its end.
    pub(crate) fn start(wanted: Wanted, context: &Context) -> Self {
        let (sender, findings) = channel();
        let context = context.clone();
        let work = move || {
            let _ = sender.send(wanted.check());
            context.request_repaint();
        };
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(work);
        #[cfg(target_arch = "wasm32")]
        work();
        Self(findings)
    }

    /// `Ok` with what was found once it has ended; `None` inside where it came to nothing.
    pub(crate) fn look(&self) -> Option<Option<Findings>> {
        match self.0.try_recv() {
            Ok(findings) => Some(Some(findings)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(None),
        }
    }
}
