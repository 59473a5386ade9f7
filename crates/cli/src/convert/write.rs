//! A scene as the bytes of a file, and of files beside it.
//!
//! In:  a scene, or one of its clips, and what it is to become.
//! Out: bytes in memory; nothing is on disk until [`save`] puts it there.

use std::path::Path;

use sinew::Scene;
use sinew::export::{self, BvhOptions, ExportError, FbxOptions, GltfOptions};

use super::args::Target;
use crate::fault::Fault;
use crate::render::save::{self, Part};

/// The share of the bound that a writer may take which has to turn curves into others.
const SHARE_OF_WRITER: f32 = 0.25;

/// What a writer made.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    /// Files that belong beside it, by plain names.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// What the format could not hold.
    pub(super) notes: Vec<String>,
    /// The bytes beside where they go, without their name yet; where they are not, they are written with it.
    pub(super) part: Option<Part>,
}

impl Written {
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }
}

/// Writes a scene, or for formats with one clip the clip of that number, into memory.
pub(super) fn written(
    scene: &Scene,
    clip: Option<usize>,
    target: Target,
    out: &Path,
    bound: Option<f32>,
    options: &GltfOptions,
) -> Result<Written, Fault> {
    let cannot =
        |error: ExportError| Fault::Work(format!("cannot write {}: {error}", out.display()));
    let rest = sinew::Clip::default();
    let clip = clip.map_or(&rest, |clip| &scene.clips[clip]);
    match target {
        Target::Glb => {
            let made = export::glb(scene, options).map_err(cannot)?;
            Ok(from_exported(made))
        }
        Target::Gltf => {
            let stem = out.file_stem().unwrap_or_default().to_string_lossy();
            let made = export::gltf(scene, &stem, options).map_err(cannot)?;
            Ok(from_exported(made))
        }
        Target::Fbx => {
            let error = bound.map(|bound| SHARE_OF_WRITER * bound);
            let made = export::fbx(scene, &FbxOptions { error, ..FbxOptions::default() });
            Ok(from_exported(made.map_err(cannot)?))
        }
        Target::Bvh => {
            let made = export::bvh(scene, clip, &BvhOptions::default()).map_err(cannot)?;
            Ok(from_exported(made))
        }
        Target::SkeletonAnim => {
            let bytes = export::skeleton_anim(scene, clip).map_err(cannot)?;
            Ok(Written { bytes, files: Vec::new(), notes: Vec::new(), part: None })
        }
    }
}

fn from_exported(made: export::Exported) -> Written {
    let files = made.files.into_iter().map(|file| (file.name, file.bytes)).collect();
    Written { bytes: made.bytes, files, notes: made.notes, part: None }
}

/// Puts a file and those beside it on disk, each whole or not at all; the file itself last, so that it never names
/// one that is not there.
pub(super) fn save_all(out: &Path, written: &mut Written) -> Result<(), Fault> {
    for (name, bytes) in &written.files {
        save::save(&beside(out, name)?, bytes)?;
    }
    match written.part.take() {
        Some(part) => part.take_name(),
        None => save::save(out, &written.bytes),
    }
}

/// Where a file beside another goes: into the same folder, whatever its name says.
pub(super) fn beside(out: &Path, name: &str) -> Result<std::path::PathBuf, Fault> {
    let plain =
        !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0']);
    if !plain || out == Path::new("-") {
        return Err(Fault::Work(format!(
            "cannot write {name:?} beside {}: expected a plain name in a folder",
            out.display()
        )));
    }
    Ok(out.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_goes_beside_another_by_a_name_that_leads_elsewhere() {
        let out = Path::new("made/hero.gltf");
        assert_eq!(beside(out, "hero.bin").ok(), Some("made/hero.bin".into()));
        for bad in ["../up.bin", "/etc/passwd", "a\\b", "C:x", "", "..", "."] {
            assert!(beside(out, bad).is_err(), "{bad}");
        }
    }
}
