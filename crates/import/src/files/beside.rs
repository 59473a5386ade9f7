//! The folder of a file on disk, and the folders that a person has allowed beside it.
//!
//! In:  names out of an untrusted file. Out: bytes of files in or below those folders, never of
//! others, wherever `..` and symbolic links lead.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::Files;
use crate::note::counted;

/// Companions from the folder of the main file.
#[derive(Clone, Debug)]
pub struct Beside {
    folder: PathBuf,
    own_name: Option<String>,
    allowed: Vec<PathBuf>,
    /// What is below the folders, made when a companion is not where its name says.
    below: OnceLock<Below>,
}

/// The most names that a folder is listed for.
const LONGEST_LIST: usize = 256;
/// A search looks at no more files and folders than this, and no deeper.
const MAX_ENTRIES: usize = 20_000;
const MAX_DEPTH: usize = 6;

/// Files by base name in lowercase; of several the one in the fewest folders.
#[derive(Clone, Debug, Default)]
struct Below {
    by_base: HashMap<String, PathBuf>,
    seen: usize,
}

impl Beside {
    /// The companions of the file at `path`.
    pub fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Self {
            folder: folder.to_owned(),
            own_name: path.file_name().and_then(|name| name.to_str()).map(str::to_owned),
            allowed: Vec::new(),
            below: OnceLock::new(),
        }
    }

    /// Lets names lead into these folders too, and looks there for what is missing.
    #[must_use]
    pub fn allow(mut self, folders: &[PathBuf]) -> Self {
        self.allowed.extend_from_slice(folders);
        self
    }

    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.folder).chain(&self.allowed)
    }

    /// Whether a name leads down from the folder through plain folders alone, so that it cannot lead out of
    /// it. Takes a question a step, where finding out the whole path takes one for each folder up to the root.
    fn is_plainly_inside(&self, name: &str) -> io::Result<bool> {
        let mut path = self.folder.clone();
        for step in Path::new(name).components() {
            let Component::Normal(step) = step else { return Ok(false) };
            path.push(step);
            if path.symlink_metadata()?.is_symlink() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The bytes of a file that really is in or below one of the folders.
    fn read_inside(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A symbolic link below a folder may still lead out of it.
        let whole = path.canonicalize()?;
        let inside =
            |folder: &PathBuf| folder.canonicalize().is_ok_and(|home| whole.starts_with(home));
        if !self.folders().any(inside) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        std::fs::read(whole)
    }
}

impl Files for Beside {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = self.folder.join(name);
        if self.is_plainly_inside(name)? { std::fs::read(path) } else { self.read_inside(&path) }
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let entries = match std::fs::read_dir(self.folder.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Vec::new()),
            Err(_) => return None,
        };
        let mut names = Vec::new();
        for entry in entries {
            // In large folders it takes less to ask for a few names.
            if names.len() == LONGEST_LIST {
                return None;
            }
            names.push(entry.ok()?.file_name().into_string().ok()?);
        }
        Some(names)
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn fetch_outside(&self, name: &str) -> io::Result<Vec<u8>> {
        if self.allowed.is_empty() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.read_inside(&self.folder.join(name))
    }

    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        let below = self.below.get_or_init(|| walk(self.folders()));
        let path = below.by_base.get(&base_name.to_lowercase())?;
        self.read_inside(path).ok()
    }

    fn places(&self) -> String {
        let mut all: Vec<String> =
            self.folders().map(|folder| folder.display().to_string()).collect();
        let last = all.pop().unwrap_or_default();
        let folders = if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) };
        match self.below.get().map(|below| below.seen) {
            Some(seen) if seen >= MAX_ENTRIES => {
                format!(
                    "{folders} and the first {} below",
                    counted(MAX_ENTRIES, "entry", "entries")
                )
            }
            _ => format!("{folders} and its subfolders"),
        }
    }
}

/// Folder by folder, from the top down; symbolic links are not followed.
fn walk<'a>(folders: impl Iterator<Item = &'a PathBuf>) -> Below {
    let mut below = Below::default();
    let mut next: VecDeque<(PathBuf, usize)> = folders.map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = next.pop_front() {
        let Ok(list) = std::fs::read_dir(&folder) else { continue };
        let mut entries: Vec<_> = list.flatten().take(MAX_ENTRIES - below.seen).collect();
        below.seen += entries.len();
        // The order of a folder is the operating system's; what is found shall not be.
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if kind.is_file() {
                below.by_base.entry(name).or_insert_with(|| entry.path());
            } else if kind.is_dir() && depth < MAX_DEPTH && !name.starts_with('.') {
                next.push_back((entry.path(), depth + 1));
            }
        }
        if below.seen >= MAX_ENTRIES {
            break;
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own with a model's folder in it, and a file beside that one.
    struct Made(PathBuf);

    impl Made {
        fn new(name: &str) -> Self {
            let top = std::env::temp_dir().join(format!("sinew-{name}-{}", std::process::id()));
            std::fs::create_dir_all(top.join("in/deep/er")).expect("folders");
            std::fs::create_dir_all(top.join("out")).expect("a folder");
            std::fs::write(top.join("out/secret.png"), b"secret").expect("a file");
            std::fs::write(top.join("in/deep/er/Skin.PNG"), b"skin").expect("a file");
            #[cfg(unix)]
            std::os::unix::fs::symlink("../out/secret.png", top.join("in/link")).expect("a link");
            #[cfg(unix)]
            std::os::unix::fs::symlink("../out", top.join("in/folder")).expect("a link");
            Self(top)
        }

        fn files(&self) -> Beside {
            Beside::new(self.0.join("in/model.gltf"))
        }
    }

    impl Drop for Made {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_link_that_leads_out_of_the_folder_is_refused() {
        let made = Made::new("link");
        assert!(made.files().fetch("link").is_err());
        assert!(made.files().fetch("folder/secret.png").is_err());
        assert!(made.files().fetch("../out/secret.png").is_err());
        assert!(made.files().fetch("deep/../../out/secret.png").is_err());
        assert!(made.files().search("secret.png").is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_stays_in_the_folder_is_followed() {
        let made = Made::new("stay");
        std::os::unix::fs::symlink("deep/er", made.0.join("in/near")).expect("a link");
        assert_eq!(made.files().fetch("near/Skin.PNG").expect("inside"), b"skin");
        assert_eq!(made.files().fetch("deep/er/Skin.PNG").expect("inside"), b"skin");
    }

    #[test]
    fn a_file_is_found_by_its_base_name_in_a_subfolder() {
        let made = Made::new("search");
        assert_eq!(made.files().search("skin.png").as_deref(), Some(&b"skin"[..]));
        assert_eq!(made.files().search("none.png"), None);
    }

    #[test]
    fn an_allowed_folder_is_read_and_no_other() {
        let made = Made::new("allow");
        assert!(made.files().fetch_outside("../out/secret.png").is_err());
        let allowed = made.files().allow(&[made.0.join("out")]);
        assert_eq!(allowed.fetch_outside("../out/secret.png").expect("allowed"), b"secret");
        assert_eq!(allowed.search("secret.png").as_deref(), Some(&b"secret"[..]));
        std::fs::write(made.0.join("other.png"), b"other").expect("a file");
        assert!(allowed.fetch_outside("../other.png").is_err());
        assert!(allowed.fetch_outside("/etc/passwd").is_err());
    }
}
