//! Compiled pipelines between runs, under the user's cache folder. Nobody hears of it when that fails.

use std::fs;
use std::path::PathBuf;

use super::save;

/// Where the pipelines of a device are kept; `None` where there is no place for them.
#[derive(Debug)]
pub(crate) struct Cache {
    file: Option<PathBuf>,
    bytes: Option<Vec<u8>>,
}

impl Cache {
    /// What an earlier run left for this device.
    pub(crate) fn open(device: &str) -> Self {
        let file = folder().map(|folder| folder.join(format!("pipelines-{:016x}", hash(device))));
        let bytes = file.as_ref().and_then(|file| fs::read(file).ok());
        Self { file, bytes }
    }

    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// Keeps what is new.
    pub(crate) fn keep(&self, bytes: Option<Vec<u8>>) {
        let (Some(file), Some(bytes)) = (&self.file, bytes) else { return };
        if self.bytes.as_deref() != Some(&bytes) {
            let made = file.parent().map(fs::create_dir_all);
            if matches!(made, Some(Ok(()))) {
                let _ = save::replace(file, &bytes);
            }
        }
    }
}

fn folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    from("XDG_CACHE_HOME")
        .or_else(|| from("LOCALAPPDATA"))
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .map(|folder| folder.join("sinew"))
}

/// FNV-1a, 64 bits: the same in every run.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
