//! Opens a file, whatever its format.
//!
//! In:  a path, or bytes and the files beside them. Out: a checked scene with notes.

use std::path::Path;

use crate::axes::WorldFromFile;
use crate::budget::Budget;
use crate::files::MissingFiles;
use crate::note::Notes;
use crate::{
    Beside, ErrorKind, Files, Format, ImportError, Note, NoteCode, Options, Place, finish,
};
use sinew_scene::{Decimal, Scene, SceneParts};

/// A scene, and what had to be mended or dropped to get it.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Safe to hand on: every index in it is in range.
    pub scene: Scene,
    /// In file order; empty for a clean file.
    pub notes: Vec<Note>,
    /// What the file had that is too usual or too small for a note, for those who look closely at files.
    pub details: Vec<Note>,
    /// The file's name without folder and extension; empty when it came without one.
    pub name: String,
    /// What the file was.
    pub format: Format,
    /// The extensions that the file uses, in its own words.
    pub extensions: Vec<String>,
}

impl From<Scene> for Imported {
    /// A scene made by code, without a file.
    fn from(scene: Scene) -> Self {
        Self {
            scene,
            notes: Vec::new(),
            details: Vec::new(),
            name: String::new(),
            format: Format::Demo,
            extensions: Vec::new(),
        }
    }
}

/// What an importer has at hand.
pub(crate) struct Context<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) options: &'a Options,
    pub(crate) notes: Notes,
    pub(crate) budget: Budget,
    pub(crate) extensions: Vec<String>,
    /// Names of companions that are not to be had; one note says them all.
    pub(crate) missing: MissingFiles,
}

/// What reading begins with.
pub(crate) struct Start {
    pub(crate) notes: Notes,
    pub(crate) budget: Budget,
}

impl Start {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { notes: Notes::default(), budget: Budget::for_file(bytes) }
    }
}

/// What an importer gives: parts in the file's own space, and how that lies in Sinew's.
pub(crate) struct Raw {
    pub(crate) parts: SceneParts,
    pub(crate) world_from_file: WorldFromFile,
    /// Where normals are missing: edges that bend less than this are smooth, in radians.
    pub(crate) usual_crease: f32,
}

impl Raw {
    // Without any reader nobody makes one.
    #[allow(dead_code)]
    pub(crate) fn new(parts: SceneParts, world_from_file: WorldFromFile) -> Self {
        Self { parts, world_from_file, usual_crease: 60_f32.to_radians() }
    }
}

pub(crate) fn open(path: &Path, options: &Options) -> Result<Imported, ImportError> {
    let name_it = |mut error: ImportError| {
        error.file = Some(path.to_owned());
        error
    };
    let bytes = std::fs::read(path).map_err(|error| {
        let text = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        };
        name_it(ImportError::new(ErrorKind::Io, Place::Whole, text))
    })?;
    read(&bytes, &Beside::new(path).allow(&options.allow), options, None).map_err(name_it)
}

pub(crate) fn read(
    bytes: &[u8],
    files: &dyn Files,
    options: &Options,
    format: Option<Format>,
) -> Result<Imported, ImportError> {
    #[cfg(feature = "archive")]
    if format.is_none()
        && let Some(read) = crate::archive::read(bytes, files, options)
    {
        return read;
    }
    read_model(bytes, files, options, format, Start::new(bytes.len()))
}

/// Reads a file that is no archive.
pub(crate) fn read_model(
    bytes: &[u8],
    files: &dyn Files,
    options: &Options,
    format: Option<Format>,
    start: Start,
) -> Result<Imported, ImportError> {
    let Some(format) = format.or_else(|| Format::detect(bytes, files.own_name())) else {
        return Err(unrecognised(bytes));
    };
    let mut context = Context {
        files,
        options,
        notes: start.notes,
        budget: start.budget,
        extensions: Vec::new(),
        missing: MissingFiles::default(),
    };
    let mut raw = read_raw(format, bytes, &mut context)?;
    if let Some(unit) = options.unit {
        raw.world_from_file = raw.world_from_file.with_unit(unit).ok_or_else(|| {
            let text =
                format!("expected a unit above zero, in metres, found {}", Decimal(unit.into()));
            ImportError::out_of_range(Place::Whole, text)
        })?;
    }
    if let Some(note) = context.missing.note(files) {
        context.notes.add_as(NoteCode::FileMissing, Place::Whole, note);
    }
    let scene = finish::finish(raw, &mut context)?;
    Ok(Imported {
        scene,
        details: context.notes.take_details(),
        notes: context.notes.into_vec(),
        name: stem(files.own_name()),
        format,
        extensions: context.extensions,
    })
}

fn stem(name: Option<&str>) -> String {
    let stem = name.and_then(|name| Path::new(name).file_stem()?.to_str());
    stem.unwrap_or_default().to_owned()
}

fn read_raw(format: Format, bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    match format {
        #[cfg(feature = "gltf")]
        Format::Gltf => crate::gltf::read(bytes, context),
        #[cfg(feature = "collada")]
        Format::Collada => crate::collada::read(bytes, context),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read(bytes, context),
        #[cfg(feature = "md5")]
        Format::Md5Mesh => crate::md5::read_mesh(&crate::utf16::narrowed(bytes)?, context),
        #[cfg(feature = "md5")]
        Format::Md5Anim => crate::md5::read_anim(&crate::utf16::narrowed(bytes)?, context),
        #[cfg(feature = "bvh")]
        Format::Bvh => crate::bvh::read(&crate::utf16::narrowed(bytes)?, context),
        #[cfg(feature = "obj")]
        Format::Obj => crate::obj::read(&crate::utf16::narrowed(bytes)?, context),
        #[cfg(feature = "skeleton_anim")]
        Format::SkeletonAnim => crate::skeleton_anim::read_anim(bytes, context),
        #[cfg(feature = "skeleton_anim")]
        Format::SkeletonMesh => crate::skeleton_anim::read_mesh(bytes, context),
        #[allow(unreachable_patterns, reason = "reached when an importer is left out of the build")]
        _ => {
            let _ = (bytes, context);
            let text = format!("this build of Sinew does not read {format} files");
            Err(ImportError::unsupported(Place::Whole, text))
        }
    }
}

fn unrecognised(bytes: &[u8]) -> ImportError {
    if bytes.starts_with(b"sinewc") {
        let text =
            "a packed clip, which needs the model it was packed from: open that and add this to it";
        return ImportError::new(ErrorKind::Unrecognised, Place::Whole, text);
    }
    let found = match bytes {
        [] => "an empty file".to_owned(),
        [b'7', b'z', 0xbc, 0xaf, ..] => "a 7-Zip archive: unpack it first".to_owned(),
        [b'R', b'a', b'r', b'!', ..] => "a RAR archive: unpack it first".to_owned(),
        [b'P', b'K', 3, 4, ..] | [0x1f, 0x8b, ..] => {
            "an archive, which this build of Sinew does not open: unpack it first".to_owned()
        }
        _ => {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(16)]);
            format!("a file that begins with \"{}\"", head.escape_default())
        }
    };
    let text =
        format!("expected glTF, FBX, COLLADA, MD5, BVH, OBJ or .skeleton_anim, found {found}");
    ImportError::new(ErrorKind::Unrecognised, Place::Whole, text)
}
