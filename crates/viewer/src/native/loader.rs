//! Files are read on a thread of their own; the window asks now and then how far it is.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Instant;

use eframe::egui::Context;

use crate::load::{self, Job, Outcome, Trouble};

/// What comes from the thread.
enum News {
    Doing(String),
    Done(Box<Outcome>),
}

/// One job at work.
#[derive(Debug)]
pub(crate) struct Loader {
    news: Receiver<News>,
    since: Instant,
    doing: String,
}

/// How far a job is.
pub(crate) enum Progress {
    /// What is being done, and for how many seconds.
    Working(String, f32),
    Done(Box<Outcome>),
}

impl Loader {
    /// Starts a job; the window is woken at its end.
    pub(crate) fn start(job: Job, context: &Context) -> Self {
        let (sender, news) = channel();
        let context = context.clone();
        std::thread::spawn(move || {
            let tell = |doing| {
                let _ = sender.send(News::Doing(doing));
                context.request_repaint();
            };
            let outcome = load::run(job, &tell);
            let _ = sender.send(News::Done(Box::new(outcome)));
            context.request_repaint();
        });
        Self { news, since: Instant::now(), doing: String::new() }
    }

    /// How far it is.
    pub(crate) fn look(&mut self) -> Progress {
        loop {
            match self.news.try_recv() {
                Ok(News::Doing(doing)) => self.doing = doing,
                Ok(News::Done(outcome)) => return Progress::Done(outcome),
                Err(TryRecvError::Empty) => {
                    return Progress::Working(
                        self.doing.clone(),
                        self.since.elapsed().as_secs_f32(),
                    );
                }
                // The reader never panics; should it, the window lives on.
                Err(TryRecvError::Disconnected) => {
                    let trouble = Trouble {
                        title: "The file could not be opened".into(),
                        sentence: "Reading it came to an unexpected end.".into(),
                        advice: "This is an error of Sinew: please report it with the file.".into(),
                    };
                    let outcome = Outcome { troubles: vec![trouble], ..Outcome::default() };
                    return Progress::Done(Box::new(outcome));
                }
            }
        }
    }
}
