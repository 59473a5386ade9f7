//! What took long to make, kept between runs under the user's cache folder: compiled pipelines, blurred environments. Nobody hears of it when that
//! fails.

use std::fs;
use std::path::PathBuf;

use sinew::render::Keep;

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

/// Blurred environments, one file each; the oldest go when there are too many.
#[derive(Debug)]
pub(crate) struct Environments {
    folder: Option<PathBuf>,
}

/// A file takes 3 MB at most.
const MAX_ENVIRONMENTS: usize = 16;
/// No file of ours is larger.
const MAX_BYTES: u64 = 8 << 20;
const PREFIX: &str = "environment-";

impl Environments {
    pub(crate) fn new() -> Self {
        Self { folder: folder() }
    }

    fn file(&self, key: u64) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{PREFIX}{key:016x}")))
    }

    /// All but the newest, so that there is room for one more.
    fn remove_old(&self) {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok())
        else {
            return;
        };
        let is_ours =
            |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
        let mut files: Vec<_> = entries
            .flatten()
            .filter(is_ours)
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let old = (files.len() + 1).saturating_sub(MAX_ENVIRONMENTS);
        for (_, file) in &files[..old] {
            let _ = fs::remove_file(file);
        }
    }
}

impl Keep for Environments {
    fn get(&self, key: u64) -> Option<Vec<u8>> {
        let file = self.file(key)?;
        let is_small = fs::metadata(&file).is_ok_and(|known| known.len() <= MAX_BYTES);
        if is_small { fs::read(file).ok() } else { None }
    }

    fn put(&self, key: u64, bytes: &[u8]) {
        let (Some(folder), Some(file)) = (&self.folder, self.file(key)) else { return };
        if fs::create_dir_all(folder).is_ok() {
            self.remove_old();
            let _ = save::replace(&file, bytes);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_environments_make_room_for_new_ones() {
        let folder = std::env::temp_dir().join(format!("sinew-kept-{}", std::process::id()));
        let kept = Environments { folder: Some(folder.clone()) };
        for key in 0..MAX_ENVIRONMENTS as u64 + 3 {
            kept.put(key, &key.to_le_bytes());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let there = (0..MAX_ENVIRONMENTS as u64 + 3).filter(|key| kept.get(*key).is_some());
        let there: Vec<u64> = there.collect();
        let _ = fs::remove_dir_all(&folder);
        assert_eq!(there, (3..MAX_ENVIRONMENTS as u64 + 3).collect::<Vec<_>>());
        assert_eq!(Environments { folder: None }.get(1), None);
    }
}
