//! A film of the view is made while the window stays alive: on a thread of its own or, in a browser, an image a frame.
//!
//! In:  the state when it was asked for, and a stage of its own on the same device.
//! Out: the bytes of a GIF, a frame at a time; it can be stopped at every one.

/// How far it is.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Frames made, of how many.
    Working(usize, usize),
    Done(Result<Vec<u8>, String>),
}

#[cfg(not(target_arch = "wasm32"))]
mod threaded {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, TryRecvError, channel};

    use eframe::egui::Context;

    use super::Progress;
    use crate::stage::Stage;
    use crate::state::State;
    use crate::system::film_maker::FilmMaker;

    /// A film being made. Dropped, it stops.
    #[derive(Debug)]
    pub(crate) struct Filming {
        result: Receiver<Result<Vec<u8>, String>>,
        shared: Arc<Shared>,
        frames: usize,
    }

    #[derive(Debug, Default)]
    struct Shared {
        done: AtomicUsize,
        stopped: AtomicBool,
    }

    impl Filming {
        /// Begins; the window is woken at every frame.
        pub(crate) fn start(state: State, stage: Stage, context: &Context) -> Self {
            let (sender, result) = channel();
            let shared = Arc::new(Shared::default());
            let progress = shared.clone();
            let context = context.clone();
            let frames = crate::film::plan(&state).moments.len();
            let work = move || {
                let mut maker = FilmMaker::new(state, stage);
                let report = |done: usize| {
                    progress.done.store(done, Ordering::Relaxed);
                    context.request_repaint();
                    !progress.stopped.load(Ordering::Relaxed)
                };
                if let Some(made) = make(&mut maker, &report).transpose() {
                    let _ = sender.send(made);
                }
                context.request_repaint();
            };
            std::thread::spawn(work);
            Self { result, shared, frames }
        }

        /// How far it is.
        pub(crate) fn look(&mut self) -> Progress {
            match self.result.try_recv() {
                Ok(result) => Progress::Done(result),
                Err(TryRecvError::Empty) => {
                    Progress::Working(self.shared.done.load(Ordering::Relaxed), self.frames)
                }
                Err(TryRecvError::Disconnected) => {
                    Progress::Done(Err("making it came to an unexpected end".to_owned()))
                }
            }
        }
    }

    impl Drop for Filming {
        fn drop(&mut self) {
            self.shared.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// The whole film; `None` when `report` said to stop.
    pub(super) fn make(
        maker: &mut FilmMaker,
        report: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Vec<u8>>, String> {
        while report(maker.progress().0) {
            maker.draw()?;
            let image = maker.stage.read().map_err(|error| error.to_string())?;
            if let Some(bytes) = maker.take(image)? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }
}

#[cfg(target_arch = "wasm32")]
mod stepped {
    use eframe::egui::Context;
    use sinew::render::PendingImage;

    use super::Progress;
    use crate::stage::Stage;
    use crate::state::State;
    use crate::system::film_maker::FilmMaker;

    /// A film being made. Dropped, it stops.
    #[derive(Debug)]
    pub(crate) struct Filming {
        maker: FilmMaker,
        pending: Option<PendingImage>,
        context: Context,
    }

    impl Filming {
        /// Begins; the page is woken until it is done.
        pub(crate) fn start(state: State, stage: Stage, context: &Context) -> Self {
            let maker = FilmMaker::new(state, stage);
            Self { maker, pending: None, context: context.clone() }
        }

        /// Goes on by one image, and says how far it is.
        pub(crate) fn look(&mut self) -> Progress {
            self.context.request_repaint();
            match self.step() {
                Ok(None) => {
                    let (done, all) = self.maker.progress();
                    Progress::Working(done, all)
                }
                Ok(Some(bytes)) => Progress::Done(Ok(bytes)),
                Err(why) => Progress::Done(Err(why)),
            }
        }

        fn step(&mut self) -> Result<Option<Vec<u8>>, String> {
            if let Some(pending) = &self.pending {
                let Some(image) = pending.look() else { return Ok(None) };
                self.pending = None;
                let image = image.map_err(|error| error.to_string())?;
                if let Some(bytes) = self.maker.take(image)? {
                    return Ok(Some(bytes));
                }
            }
            self.maker.draw()?;
            self.pending = self.maker.stage.read_later();
            Ok(None)
        }
    }
}

#[cfg(target_arch = "wasm32")]
pub(crate) use stepped::Filming;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use threaded::Filming;

#[cfg(test)]
mod tests {
    use super::threaded::make;
    use crate::model::Model;
    use crate::stage::Stage;
    use crate::state::State;
    use crate::system::film_maker::FilmMaker;
    use sinew::render::{Gpu, wgpu};

    fn studio() -> FilmMaker {
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, aspect: 2.0, frame_soon: false, ..State::default() };
        state.film = crate::film::FilmOptions { width: 32, fps: 5.0, turntable: false };
        let gpu = Gpu::headless().expect("a driver");
        let stage = Stage::new(gpu, wgpu::TextureFormat::Rgba8Unorm).expect("a stage");
        FilmMaker::new(state, stage)
    }

    #[test]
    fn a_film_is_a_gif_of_every_moment() {
        let mut maker = studio();
        let bytes = make(&mut maker, &|_| true).expect("made").expect("whole");
        assert!(bytes.starts_with(b"GIF89a"));
        assert_eq!(bytes[6..10], [32, 0, 16, 0]);
        // Each frame has a graphic control: 21 f9 04.
        let frames = bytes.windows(3).filter(|bytes| *bytes == [0x21, 0xf9, 4]).count();
        assert_eq!((frames, frames), maker.progress());
    }

    #[test]
    fn a_film_that_is_stopped_gives_nothing() {
        let made = make(&mut studio(), &|done| done < 2).expect("no error");
        assert!(made.is_none());
    }
}
