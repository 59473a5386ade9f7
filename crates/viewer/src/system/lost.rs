//! When the graphics device is lost, its window can show nothing any more; the program may open another one.
//!
//! In:  what is open now, again and again.
//! Out: what was open when the device went.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::render::Health;

use crate::Open;

/// Remembers, beyond the end of a window, what was in it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(Arc<Mutex<(Option<Health>, Open)>>);

impl Lost {
    fn inner(&self) -> MutexGuard<'_, (Option<Health>, Open)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A window has come up on this device.
    pub(crate) fn watch(&self, health: &Health) {
        self.inner().0 = Some(health.clone());
    }

    /// What is open, should the device go.
    pub(crate) fn note(&self, open: Open) {
        self.inner().1 = open;
    }

    /// What was open when the device went; `None` while it works. A page has no other window to open.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open(&self) -> Option<Open> {
        let (health, open) = self.inner().clone();
        let is_loss = |error| matches!(error, sinew::render::RenderError::DeviceLost(_));
        let lost = |health: Health| health.check().is_err_and(is_loss);
        health.is_some_and(lost).then_some(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::render::{Gpu, wgpu};

    #[test]
    fn what_was_open_is_known_when_the_device_is_gone_and_not_before() {
        let lost = Lost::default();
        assert_eq!(lost.open(), None, "no window yet");
        let gpu = Gpu::headless().expect("a driver");
        lost.watch(gpu.health());
        let open = Open {
            files: vec!["hero.glb".into()],
            anims: vec!["run.fbx".into()],
            graphs: vec!["moves.toml".into()],
            ..Open::default()
        };
        lost.note(open.clone());
        assert_eq!(lost.open(), None, "the device works");
        gpu.device.destroy();
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        assert_eq!(lost.open(), Some(open));
    }
}
