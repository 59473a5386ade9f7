//! A look into folders: what the open window lists.
//!
//! In:  a folder, and what a person types to find something in it.
//! Out: its folders and the model files in it, by name.

use std::path::{Path, PathBuf};

/// Endings of files that may hold a model or clips.
const ENDINGS: [&str; 20] = [
    "glb",
    "gltf",
    "fbx",
    "dae",
    "md5mesh",
    "md5anim",
    "bvh",
    "obj",
    "skeleton_anim",
    "mesh",
    "weight",
    "zae",
    "zip",
    "gz",
    "vrm",
    "toml",
    "ron",
    "json",
    "hdr",
    "exr",
];

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_folder: bool,
    /// In bytes.
    pub(crate) size: u64,
}

/// The open window.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    pub(crate) folder: PathBuf,
    pub(crate) lines: Vec<Line>,
    pub(crate) filter: String,
    pub(crate) chosen: Option<usize>,
    /// Why the folder cannot be listed.
    pub(crate) error: Option<String>,
    pub(crate) every_file: bool,
    /// The file is to be compared with the model that is open.
    pub(crate) compares: bool,
    /// The line to type in is to have the keyboard.
    pub(crate) fresh: bool,
}

impl Browser {
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))]
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let folder = folder.filter(|folder| folder.is_dir());
        let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let mut browser = Self { fresh: true, ..Self::default() };
        browser.enter(folder);
        browser
    }

    /// Lists another folder.
    pub(crate) fn enter(&mut self, folder: PathBuf) {
        let folder = folder.canonicalize().unwrap_or(folder);
        self.filter.clear();
        self.chosen = None;
        match list(&folder, self.every_file) {
            Ok(lines) => (self.lines, self.error) = (lines, None),
            Err(error) => {
                self.lines.clear();
                self.error = Some(format!("This folder cannot be listed: {error}."));
            }
        }
        self.folder = folder;
    }

    /// Lines whose name holds what was typed, with their numbers.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let filter = self.filter.to_lowercase();
        let fits = |line: &Line| line.name.to_lowercase().contains(&filter);
        (0..self.lines.len()).filter(|index| fits(&self.lines[*index])).collect()
    }

    /// What was typed or chosen: a folder is entered, a file given back.
    pub(crate) fn accept(&mut self) -> Option<PathBuf> {
        let typed = self.folder.join(&self.filter);
        let shown = self.shown();
        let path = match self.chosen {
            Some(index) => self.lines.get(index)?.path.clone(),
            None if !self.filter.is_empty() && typed.exists() => typed,
            None => self.lines.get(*shown.first()?)?.path.clone(),
        };
        if path.is_dir() {
            self.enter(path);
            return None;
        }
        Some(path)
    }
}

fn list(folder: &Path, every_file: bool) -> std::io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        let Ok(about) = std::fs::metadata(&path) else { continue };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let known = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
        if about.is_dir() || known || every_file {
            lines.push(Line { name, path, is_folder: about.is_dir(), size: about.len() });
        }
    }
    lines.sort_by_key(|line| (!line.is_folder, line.name.to_lowercase()));
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sinew-browser-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("more")).expect("folders");
        for name in ["b.glb", "A.FBX", "notes.txt", ".hidden.glb", "more/c.bvh"] {
            std::fs::write(folder.join(name), "x").expect("a file");
        }
        folder
    }

    #[test]
    fn folders_come_first_then_models_and_nothing_else() {
        let browser = Browser::new(Some(folder()));
        let names: Vec<&str> = browser.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["more", "A.FBX", "b.glb"]);
    }

    #[test]
    fn what_is_typed_narrows_the_list_and_is_opened() {
        let mut browser = Browser::new(Some(folder()));
        browser.filter = "B.g".into();
        assert_eq!(browser.shown(), [2]);
        assert_eq!(
            browser.accept().and_then(|path| Some(path.file_name()?.to_owned())),
            Some("b.glb".into())
        );
        browser.filter = "more".into();
        assert_eq!(browser.accept(), None);
        assert!(browser.folder.ends_with("more") && browser.lines.len() == 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_a_sentence() {
        let mut browser = Browser::new(Some(folder()));
        browser.enter("/no/such/folder".into());
        assert!(browser.error.is_some_and(|error| error.starts_with("This folder cannot")));
    }
}
