//! The files of a folder tree that may be models or clips.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::BatchError;

/// Endings of files that hold models or clips of their own. An .md5anim or a buffer belongs to another file.
const ENDINGS: [&str; 10] =
    ["glb", "gltf", "vrm", "fbx", "dae", "bvh", "md5mesh", "obj", "skeleton_anim", "zip"];
/// Deeper than this no folder is looked into.
const MAX_DEPTH: usize = 64;

/// A file of the tree.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// In the tree, with `/` between folders.
    pub(super) name: String,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: u64,
    /// In the tree, without ending; with it where another file has the same name but for that.
    pub(super) stem: String,
}

/// All files below a folder, in order of their names; without what is in `out`.
pub(super) fn inputs(folder: &Path, out: &Path) -> Result<Vec<Input>, BatchError> {
    let out = out.canonicalize().ok();
    let mut found = Vec::new();
    walk(folder, "", 0, out.as_deref(), &mut found)?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let mut stems: HashMap<String, usize> = HashMap::new();
    found.iter().for_each(|input| *stems.entry(input.stem.clone()).or_default() += 1);
    for input in &mut found {
        if stems.get(&input.stem).is_some_and(|count| *count > 1) {
            input.stem = input.name.clone();
        }
    }
    Ok(found)
}

fn walk(
    folder: &Path,
    above: &str,
    depth: usize,
    out: Option<&Path>,
    found: &mut Vec<Input>,
) -> Result<(), BatchError> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| BatchError::at(folder, "read", &error))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let full = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
        // A link to a folder may lead round in a circle.
        if kind.is_dir() && depth < MAX_DEPTH {
            let inside = out.is_some_and(|out| path.canonicalize().is_ok_and(|path| path == out));
            if !inside {
                walk(&path, &full, depth + 1, out, found)?;
            }
        } else if let Some(input) = input(path, full) {
            found.push(input);
        }
    }
    Ok(())
}

fn input(path: PathBuf, name: String) -> Option<Input> {
    let (stem, ending) = name.rsplit_once('.')?;
    let known = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let facts = std::fs::metadata(&path).ok().filter(|facts| known && facts.is_file())?;
    let modified = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Some(Input {
        stem: stem.to_owned(),
        size: facts.len(),
        modified: modified.map_or(0, |since| since.as_nanos() as u64),
        path,
        name,
    })
}
