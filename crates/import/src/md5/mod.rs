//! MD5, the format of Doom 3: a skinned model in `.md5mesh`, a motion in `.md5anim`.
//!
//! In:  the text of either file, version 10.
//! Out: a mesh becomes joints, one skin and a mesh per shader; a motion becomes the same joints
//! and one clip, bound to a mesh by joint names.
//!
//! Z is up and the unit is taken as a metre. Rotations are filed without their real part, which
//! is never positive: see [`words::Words::rotation`].

mod anim;
mod binding;
mod joints;
mod mesh;
mod shader;
#[cfg(test)]
mod tests;
mod words;

use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};
use crate::{ImportError, Place};
use sinew_scene::SceneParts;
use words::Words;

pub(crate) fn read_mesh(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    mesh::read(&mut Words::new(bytes), context).map(raw)
}

pub(crate) fn read_anim(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    anim::read(&mut Words::new(bytes), context).map(raw)
}

fn raw(parts: SceneParts) -> Raw {
    let z_up = WorldFromFile::new(1.0, WorldFromFile::Z_UP);
    Raw::new(parts, z_up.unwrap_or(WorldFromFile::SAME))
}

/// The version, which is the file's first line. Files without that line are read by engines that
/// do not ask for it, and are of the version that everybody writes.
fn check_version(words: &mut Words<'_>, context: &mut Context<'_>) -> Result<(), ImportError> {
    const HEADS: [&[u8]; 4] = [b"commandline", b"numJoints", b"numMeshes", b"numFrames"];
    if HEADS.iter().any(|head| words.begins(head)) {
        context.notes.add(words.place(), "the file states no MD5 version: read as version 10");
        return Ok(());
    }
    words.expect(b"MD5Version")?;
    match words.integer("a version number")? {
        10 => Ok(()),
        found => {
            let text = format!("expected MD5 version 10, found {found}");
            Err(ImportError::unsupported(words.place(), text))
        }
    }
}

/// Reports when a count in the file is not what follows.
fn check_count(what: &str, declared: Option<usize>, found: usize, context: &mut Context<'_>) {
    if let Some(declared) = declared
        && declared != found
    {
        let note = format!("expected {declared} {what}, found {found}: those are used");
        context.notes.add(Place::Whole, note);
    }
}
