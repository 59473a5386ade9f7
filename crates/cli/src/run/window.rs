//! A script in a window.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use sinew::render::{Renderer, Target};
use sinew_lua::Painter;
use sinew_viewer::Drawn;

use super::{Run, Woken};
use crate::fault::Fault;

pub(super) fn run(run: &Run) -> Result<(), Fault> {
    let woken = Woken::new(run)?;
    let size = run.size.map_or([1280.0, 800.0], |size| [size.width as f32, size.height as f32]);
    let stopped: Rc<RefCell<Option<Fault>>> = Rc::default();
    let seen = Rc::clone(&stopped);
    let shown = sinew_viewer::show(&title(run), size, move |gpu| {
        let painter = Painter::new(Renderer::new(&gpu));
        Box::new(Play { woken, painter, stopped: seen })
    });
    shown.map_err(|error| {
        Fault::Work(match error {
            sinew_viewer::ViewerError::NoDisplay(why) => format!(
                "there is no screen to open a window on ({why}); --frames 90 -o film.mp4 makes a film without one"
            ),
            other => other.to_string(),
        })
    })?;
    stopped.take().map_or(Ok(()), Err)
}

fn title(run: &Run) -> String {
    let name = run.script.file_name().unwrap_or_default().to_string_lossy();
    format!("{name} – Sinew")
}

struct Play {
    woken: Woken,
    painter: Painter,
    /// Why the script or the device stopped.
    stopped: Rc<RefCell<Option<Fault>>>,
}

impl Drawn for Play {
    fn draw(&mut self, seconds: f64, target: &Target) -> ControlFlow<()> {
        let updated = self.woken.update(seconds);
        let drawn = updated.and_then(|()| Ok(self.painter.draw(&self.woken.script, target)?));
        match drawn {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                *self.stopped.borrow_mut() = Some(fault);
                ControlFlow::Break(())
            }
        }
    }
}
