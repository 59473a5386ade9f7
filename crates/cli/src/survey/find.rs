//! Model files below a folder, by the endings of their names.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Endings of files that may be models, in lower case.
const ENDINGS: &[&str] = &[
    "gltf",
    "glb",
    "vrm",
    "fbx",
    "dae",
    "zae",
    "md5mesh",
    "md5anim",
    "bvh",
    "obj",
    "mesh",
    "skeleton_anim",
    "zip",
    "gz",
];

/// Folders deeper than this are not looked into: links may lead in circles.
const MAX_DEPTH: usize = 64;

/// All model files below a folder, in order; a file stands for itself.
pub(crate) fn models(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    below(path, 0, &mut found)?;
    found.sort();
    Ok(found)
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < MAX_DEPTH {
            // What may not be looked into is nobody's fault here.
            let _ = below(&path, depth + 1, found);
        } else if kind.is_file() && is_model(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&&ending.to_ascii_lowercase()[..]))
}
