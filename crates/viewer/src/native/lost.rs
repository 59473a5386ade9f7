//! When the graphics device is lost, the window goes with it: a new one opens on the same files, seen by the same eye.
//!
//! In:  what is open when the device goes.
//! Out: what to open anew, and a sentence about it. After a few times it is given up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::render::{Error, Health};

use crate::load::Trouble;
use crate::orbit::Orbit;
use crate::{Options, native::remember::Kept};

/// How often a window is opened anew.
const MOST: usize = 3;

/// What a new window begins with.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    pub(crate) options: Options,
    pub(crate) kept: Kept,
    pub(crate) orbit: Option<Orbit>,
    pub(crate) troubles: Vec<Trouble>,
}

/// Remembers, beyond the end of a window, what was in it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    health: Option<Health>,
    /// What is open now.
    open: Option<Again>,
    times: usize,
}

impl Lost {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A window has come up on this device.
    pub(crate) fn watch(&self, health: &Health) {
        self.inner().health = Some(health.clone());
    }

    /// What is open, should the device go.
    pub(crate) fn note(&self, open: Again) {
        self.inner().open = Some(open);
    }

    /// Whether the device of the window is gone.
    pub(crate) fn is_lost(&self) -> bool {
        let health = self.inner().health.clone();
        health.is_some_and(|health| matches!(health.check(), Err(Error::DeviceLost(_))))
    }

    /// What to open anew; `None` while the device works, and after too many times.
    pub(crate) fn again(&self) -> Option<Again> {
        if !self.is_lost() {
            return None;
        }
        let mut inner = self.inner();
        inner.health = None;
        inner.times += 1;
        let mut again = inner.open.take().filter(|_| inner.times <= MOST)?;
        again.options.lose_after = None;
        again.troubles.push(Trouble {
            title: "The graphics device was lost".into(),
            sentence: "Its driver was reset, or it was unplugged. The viewer has started anew."
                .into(),
            advice: "Your files are untouched. Should it happen again, look for a newer driver."
                .into(),
        });
        Some(again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::render::{Gpu, wgpu};

    #[test]
    fn a_window_opens_anew_on_the_same_files_but_not_for_ever() {
        let lost = Lost::default();
        let files = vec!["hero.glb".into()];
        let options = Options { files, ..Options::default() };
        let open = Again { options, kept: Kept::default(), orbit: None, troubles: Vec::new() };
        for time in 0..=MOST {
            let gpu = Gpu::headless().expect("a driver");
            lost.watch(gpu.health());
            lost.note(open.clone());
            assert!(lost.again().is_none(), "the device works");
            gpu.device.destroy();
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            let again = lost.again();
            assert_eq!(again.is_some(), time < MOST, "{time}");
            if let Some(again) = again {
                assert_eq!(again.options.files, open.options.files);
                assert_eq!(again.troubles[0].title, "The graphics device was lost");
            }
        }
    }
}
