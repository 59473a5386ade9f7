//! Models made by code, by name.

use sinew_scene::Scene;

/// The built-in model of this name: `ossi`, the character; `ossi_place`, where it lives; `demo`, a small rig.
#[must_use]
pub fn built_in(name: &str) -> Option<Scene> {
    match name {
        "ossi" => Some(sinew_ossi::ossi()),
        "ossi_place" => Some(sinew_ossi::ossi_place()),
        "demo" => Some(sinew_ossi::demo()),
        _ => None,
    }
}
