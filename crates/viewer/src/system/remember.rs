//! What is kept between two runs: a small file in the person's own folder for settings, or what a browser keeps for the page.
//!
//! Whatever is in it, or if it cannot be written, the viewer works.

#[cfg(not(target_arch = "wasm32"))]
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::modes::{Look, Modes, Panels};
use crate::state::FADE;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Kept {
    /// Width and height in points.
    pub(crate) window: [f32; 2],
    pub(crate) modes: Modes,
    pub(crate) panels: Panels,
    pub(crate) look: Look,
    /// Seconds in which one clip changes to the next.
    pub(crate) fade: f32,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            window: [1280.0, 800.0],
            modes: Modes::default(),
            panels: Panels::default(),
            look: Look::default(),
            fade: FADE,
        }
    }
}

/// Where a browser keeps it.
#[cfg(target_arch = "wasm32")]
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

#[cfg(not(target_arch = "wasm32"))]
fn file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
        Some(PathBuf::from(value)).filter(|path| path.is_absolute())
    };
    let settings = folder("XDG_CONFIG_HOME")
        .or_else(|| folder("APPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(settings.join("sinew").join("viewer.json"))
}

/// What was kept; the defaults where nothing was, or nothing that can be read.
pub(crate) fn read() -> Kept {
    #[cfg(not(target_arch = "wasm32"))]
    let text = file().and_then(|file| std::fs::read_to_string(file).ok());
    #[cfg(target_arch = "wasm32")]
    let text = storage().and_then(|storage| storage.get_item("sinew viewer").ok()?);
    text.as_deref().map(parse).unwrap_or_default()
}

fn parse(text: &str) -> Kept {
    let mut kept: Kept = serde_json::from_str(text).unwrap_or_default();
    let plain = Kept::default();
    let good = kept.window.iter().all(|side| (200.0..=16_000.0).contains(side));
    if !good {
        kept.window = plain.window;
    }
    if !(0.0..=2.0).contains(&kept.fade) {
        kept.fade = plain.fade;
    }
    if !kept.look.is_finite() {
        kept.look = plain.look;
    }
    kept
}

/// Keeps it.
#[cfg(target_arch = "wasm32")]
pub(crate) fn write(kept: &Kept) {
    if let (Some(storage), Ok(text)) = (storage(), serde_json::to_string(kept)) {
        // Where nothing may be kept, nothing is lost but a comfort.
        let _ = storage.set_item("sinew viewer", &text);
    }
}

/// Keeps it; written beside and renamed, so that nothing is left half done.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn write(kept: &Kept) {
    let (Some(file), Ok(text)) = (file(), serde_json::to_string_pretty(kept)) else { return };
    let Some(folder) = file.parent() else { return };
    let beside = folder.join(format!(".viewer.json.{}", std::process::id()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&beside, text));
    if written.is_err() || std::fs::rename(&beside, &file).is_err() {
        // Nothing is lost but a comfort.
        let _ = std::fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let mut kept = Kept { window: [900.0, 600.0], ..Kept::default() };
        kept.modes.wireframe = true;
        kept.panels.tree = false;
        kept.fade = 0.0;
        let text = serde_json::to_string(&kept).expect("it is plain data");
        assert_eq!(parse(&text), kept);
    }

    #[test]
    fn nonsense_is_the_default_and_what_is_missing_too() {
        assert_eq!(parse("no json"), Kept::default());
        assert_eq!(parse("{\"window\": [1e9, -3.0]}"), Kept::default());
        assert_eq!(parse("{\"fade\": -1.0}").fade, FADE);
        let older = parse("{\"modes\": {\"sky\": true}, \"gone\": 1}");
        assert!(older.modes.sky && older.modes.grid);
    }
}
