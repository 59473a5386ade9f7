//! Packed clips among other files: told by their first bytes, added to the model they were packed against.
//!
//! In:  a model, and a file's bytes.
//! Out: the model with one clip more, with a key for every frame of the packed one.
//!
//! A packed clip has no skeleton of its own and is bound by nothing but its fingerprint: it fits, or is refused.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use sinew_import::{ErrorKind, ImportError, Imported, Place};
use sinew_pack::{Packed, ReadError};
use sinew_scene::Scene;

/// Bytes that tell a packed clip from anything else.
const START: usize = 6;

/// Whether a file with these bytes, or that begins with them, is a packed clip: whole, cut short or altered.
///
/// ```
/// assert!(sinew::is_packed(b"sinewc and so on"));
/// assert!(!sinew::is_packed(b"glTF"));
/// ```
#[must_use]
pub fn is_packed(bytes: &[u8]) -> bool {
    Packed::<&[u8]>::is_packed(bytes)
}

/// The bytes of a file that is a packed clip, whatever its name; `None` of any other, and where there is none.
///
/// # Errors
/// When it is one and cannot be read.
pub fn open_packed(path: impl AsRef<Path>) -> Result<Option<Vec<u8>>, ImportError> {
    let path = path.as_ref();
    let mut bytes = vec![0; START];
    // What comes through a pipe can be read only once, by whoever opens it.
    if !std::fs::metadata(path).is_ok_and(|known| known.is_file()) {
        return Ok(None);
    }
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(None) };
    if file.read_exact(&mut bytes).is_err() || !is_packed(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes).map_err(|error| ImportError {
        file: Some(path.to_owned()),
        ..fault(ErrorKind::Io, error.to_string())
    })?;
    Ok(Some(bytes))
}

/// Adds a packed clip to the model that it was packed against, and gives its error in metres. Where its name is
/// taken it gets a number: `walk (2)`.
///
/// # Errors
/// When the bytes are no packed clip, are cut short, altered or of another version, or it was packed against another
/// skeleton.
pub(crate) fn attach_packed(model: Imported, bytes: &[u8]) -> Result<(Imported, f32), ImportError> {
    let packed =
        Packed::read(bytes).map_err(|error| fault(kind(&error, bytes), error.to_string()))?;
    let mut clip = packed.to_clip(&model.scene).ok_or_else(|| {
        let text = "a clip that was packed against another skeleton; pack it again from this model";
        fault(ErrorKind::Missing, text.into())
    })?;
    let taken: HashSet<String> = model.scene.clips.iter().map(|clip| clip.name.clone()).collect();
    clip.name = sinew_import::free_name(&clip.name, "", &taken);
    let mut parts = model.scene.into_parts();
    parts.clips.push(clip);
    Ok((Imported { scene: Scene::new(parts)?, ..model }, packed.error().0))
}

fn fault(kind: ErrorKind, message: String) -> ImportError {
    ImportError { kind, file: None, place: Place::Whole, message }
}

fn kind(error: &ReadError, bytes: &[u8]) -> ErrorKind {
    match error {
        ReadError::NotPacked => ErrorKind::Unrecognised,
        ReadError::Version(_) => ErrorKind::Unsupported,
        ReadError::Length { expected, .. } if bytes.len() < *expected => ErrorKind::Truncated,
        _ => ErrorKind::Malformed,
    }
}

#[cfg(test)]
mod tests {
    use sinew_import::NoFiles;
    use sinew_pack::{Options, pack};

    use super::*;

    fn imported(scene: Scene) -> Imported {
        Imported::from(scene)
    }

    fn wave() -> Vec<u8> {
        let (scene, options) = (sinew_ossi::demo(), Options { error: 0.01, ..Options::default() });
        let (packed, _) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
        packed.bytes().to_vec()
    }

    #[test]
    fn a_packed_clip_is_one_clip_more_under_a_free_name() {
        let twice = attach_packed(imported(sinew_ossi::demo()), &wave())
            .and_then(|(once, _)| attach_packed(once, &wave()))
            .expect("it fits")
            .0;
        let names: Vec<&str> = twice.scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        let own = sinew_ossi::demo().clips.len();
        assert_eq!(names[own..], ["wave (2)", "wave (3)"]);
        assert_eq!(twice.scene.clips[own].duration, twice.scene.clips[0].duration);
    }

    #[test]
    fn what_cannot_be_used_says_of_which_kind_it_is() {
        let kind = |scene: Scene, bytes: &[u8]| {
            attach_packed(imported(scene), bytes).map(|_| ()).expect_err("it is refused").kind
        };
        let (wave, demo) = (wave(), sinew_ossi::demo);
        assert_eq!(kind(sinew_ossi::ossi_place(), &wave), ErrorKind::Missing);
        assert_eq!(kind(demo(), &wave[..wave.len() - 1]), ErrorKind::Truncated);
        assert_eq!(kind(demo(), &wave[..9]), ErrorKind::Truncated);
        assert_eq!(kind(demo(), &[&wave[..], &[0]].concat()), ErrorKind::Malformed);
        let altered = |at: usize| {
            let mut bytes = wave.clone();
            bytes[at] ^= 0x40;
            bytes
        };
        assert_eq!(kind(demo(), &altered(50)), ErrorKind::Malformed);
        assert_eq!(kind(demo(), &altered(6)), ErrorKind::Unsupported);
        assert_eq!(kind(demo(), &altered(0)), ErrorKind::Unrecognised);
    }

    #[test]
    fn a_packed_clip_is_known_by_its_bytes_and_is_no_model() {
        let wave = wave();
        assert!(is_packed(&wave) && is_packed(&wave[..6]) && !is_packed(&wave[..5]));
        let error = sinew_import::read(&wave, &NoFiles).expect_err("it is no model");
        assert_eq!(error.kind, ErrorKind::Unrecognised);
        assert!(error.message.starts_with("a packed clip, which needs the model"), "{error}");
    }
}
