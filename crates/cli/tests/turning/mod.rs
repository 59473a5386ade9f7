//! What the tests of packed clips have in common: a folder to work in, and a small model made by code.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for a test, gone when it is dropped. Commands run in it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sinew-pack-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("a file");
    }

    /// What lies in it, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("it can be read");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut files: Vec<String> = entries.map(name).collect();
        files.sort();
        files
    }

    pub(crate) fn sinew(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sinew"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("sinew starts")
    }

    /// What is said on both ways by a command that succeeds.
    pub(crate) fn good(&self, arguments: &[&str]) -> (String, String) {
        let output = self.sinew(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        (text(&output.stdout), said)
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.good(arguments).0).expect("JSON")
    }

    /// A command is refused with one sentence, and has written nothing.
    pub(crate) fn refused(&self, arguments: &[&str], code: i32, told: &str) {
        let before = self.files();
        let output = self.sinew(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.contains(told), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
        if code == 1 {
            assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
        }
        assert_eq!(self.files(), before, "{arguments:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A bone of a metre on a hip that turns about z, as glTF: turns in radians at their times, under these names.
pub(crate) fn turning(names: &[&str], way: &str, keys: &[(f32, f32)]) -> String {
    let mut bytes: Vec<u8> = keys.iter().flat_map(|(time, _)| time.to_le_bytes()).collect();
    for (_, angle) in keys {
        let (sin, cos) = (angle / 2.0).sin_cos();
        bytes.extend([0.0, 0.0, sin, cos].iter().flat_map(|number: &f32| number.to_le_bytes()));
    }
    let hex: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
    let (count, split) = (keys.len(), 4 * keys.len());
    let clip = |name: &&str| {
        json!({ "name": name, "samplers": [{ "input": 0, "output": 1, "interpolation": way }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }] })
    };
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "hip", "children": [1] }, { "name": "arm", "translation": [0, 1, 0] }],
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream,{hex}") }],
        "bufferViews": [
            { "buffer": 0, "byteLength": split },
            { "buffer": 0, "byteOffset": split, "byteLength": 16 * count },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": count, "type": "SCALAR" },
            { "bufferView": 1, "componentType": 5126, "count": count, "type": "VEC4" },
        ],
        "animations": names.iter().map(clip).collect::<Vec<Value>>(),
    });
    if names.is_empty() {
        file.as_object_mut().expect("an object").remove("animations");
    }
    file.to_string()
}

/// Ten keys a second for a second, a tenth of a radian each.
pub(crate) fn even() -> Vec<(f32, f32)> {
    (0..=10).map(|key| (key as f32 / 10.0, key as f32 / 10.0)).collect()
}
