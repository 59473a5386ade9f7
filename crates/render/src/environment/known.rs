//! Cube maps of images, made once and kept as long as the image is.
//!
//! An image is known by its address: the same `Arc` is the same image.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::CubeLevels;

/// Cube maps of all images that somebody still has.
pub(super) struct Known<T>(Mutex<Vec<Entry<T>>>);

struct Entry<T> {
    image: Weak<T>,
    levels: Arc<OnceLock<Arc<CubeLevels>>>,
}

impl<T> Known<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The cube map of an image; `make` is called for the first who asks, and others wait for it.
    pub(super) fn get(&self, image: &Arc<T>, make: impl FnOnce() -> CubeLevels) -> Arc<CubeLevels> {
        let slot = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|entry| entry.image.strong_count() > 0);
            let place = known.iter().position(|entry| entry.image.as_ptr() == Arc::as_ptr(image));
            let place = place.unwrap_or_else(|| {
                known.push(Entry { image: Arc::downgrade(image), levels: Arc::default() });
                known.len() - 1
            });
            Arc::clone(&known[place].levels)
        };
        Arc::clone(slot.get_or_init(|| Arc::new(make())))
    }
}
