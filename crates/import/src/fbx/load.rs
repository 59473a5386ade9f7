//! Bytes to a ufbx scene: in the file's own axes and units, with bounds on memory and depth.
//!
//! In:  the bytes of an FBX file, text or binary, versions 5000 to 7700.
//! Out: the scene that ufbx makes of it, its warnings as notes, and how its space lies in ours.
//!
//! ufbx opens no other file: neither images nor vertex caches.

use glam::{Mat3, Vec3};

use crate::axes::WorldFromFile;
use crate::open::Context;
use crate::{ErrorKind, ImportError, Place};

/// What the smallest file may take, in bytes.
const FLOOR: usize = 64 << 20;
/// Packed numbers unpack to a few dozen times their size in honest files.
const PER_BYTE: usize = 64;
/// Chains of bones go down a few hundred nodes at most. Nothing here calls itself once per level; the
/// bound is on the time of those steps that walk up from every node.
const DEPTH: u32 = 20_000;

pub(super) fn load(
    bytes: &[u8],
    context: &mut Context<'_>,
) -> Result<ufbx::SceneRoot, ImportError> {
    let limit = FLOOR.saturating_add(bytes.len().saturating_mul(PER_BYTE));
    let allocator = || ufbx::AllocatorOpts {
        memory_limit: limit,
        allocation_limit: 1 << 22,
        ..Default::default()
    };
    let options = ufbx::LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        load_external_files: false,
        evaluate_caches: false,
        clean_skin_weights: true,
        use_blender_pbr_material: true,
        node_depth_limit: DEPTH,
        file_format: ufbx::FileFormat::Fbx,
        ..Default::default()
    };
    let unpacked = super::repeats::unpacked(bytes);
    let filed = unpacked.as_deref().unwrap_or(bytes);
    let scene = ufbx::load_memory(filed, options).map_err(|error| refused(&error, bytes.len()))?;
    for warning in &scene.metadata.warnings {
        warn(&scene, warning, context);
    }
    Ok(scene)
}

fn refused(error: &ufbx::Error, length: usize) -> ImportError {
    use ufbx::ErrorType as Type;
    let kind = match error.type_ {
        Type::EmptyFile | Type::TruncatedFile => ErrorKind::Truncated,
        Type::MemoryLimit | Type::AllocationLimit | Type::OutOfMemory | Type::NodeDepthLimit => {
            ErrorKind::TooLarge
        }
        Type::UnsupportedVersion => ErrorKind::Unsupported,
        Type::BadIndex => ErrorKind::OutOfRange,
        _ => ErrorKind::Malformed,
    };
    let text = match error.type_ {
        Type::EmptyFile => "expected an FBX file, found an empty one".to_owned(),
        Type::TruncatedFile => {
            format!("the file ends after {length} bytes, in the middle of its content")
        }
        Type::MemoryLimit | Type::AllocationLimit | Type::OutOfMemory => {
            format!("its content takes far more memory than {length} bytes of FBX should")
        }
        Type::NodeDepthLimit => format!("its nodes are nested more than {DEPTH} deep"),
        Type::UnsupportedVersion => {
            format!("expected FBX version 5000 to 7700, found {}", words(error.info(), "another"))
        }
        Type::UnrecognizedFileFormat => "expected an FBX file, found something else".to_owned(),
        _ => {
            format!("the FBX data is broken: {}", words(&error.description, "it cannot be parsed"))
        }
    };
    let place = match error.info() {
        "" => Place::Whole,
        _ if matches!(error.type_, Type::UnsupportedVersion) => Place::Whole,
        info => Place::part(crate::files::shorten(info)),
    };
    ImportError::new(kind, place, text)
}

/// The words of the library, to end a sentence of ours.
fn words(text: &str, without: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() { without.to_owned() } else { crate::files::shorten(text) }
}

fn warn(scene: &ufbx::Scene, warning: &ufbx::Warning, context: &mut Context<'_>) {
    use ufbx::WarningType as Type;
    let text = match warning.type_ {
        Type::TruncatedArray => "a list of numbers is shorter than announced; zeros fill it up",
        Type::MissingGeometryData => "a geometry is announced but has no data",
        Type::DuplicateConnection => "two parts are connected more often than makes sense",
        Type::BadVertexWAttribute => "a fourth component of a vertex attribute has a wrong length",
        Type::MissingPolygonMapping => "an attribute does not say how it is mapped to polygons",
        Type::UnsupportedVersion => "the file's version is not a known one; it may be read wrongly",
        Type::IndexClamped => "an index was out of range and is clamped to the last entry",
        Type::BadUnicode => "a name is not UTF-8; what could not be read is replaced",
        Type::BadBase64Content => "an embedded file is not valid base64 and is left out",
        Type::BadElementConnectedToRoot => "something that is no node hangs under the root",
        Type::DuplicateObjectId => "two objects have the same number; connections may be wrong",
        Type::EmptyFaceRemoved => "a polygon without corners is left out",
        _ => "ufbx warns",
    };
    let element = scene.elements.get(warning.element_id as usize);
    let place = match element {
        Some(element) if !element.name.is_empty() => Place::part(element.name.to_string()),
        _ => Place::Whole,
    };
    if text == "ufbx warns" {
        context.notes.add(place, format!("ufbx warns: {}", warning.description));
    } else {
        context.notes.add(place, text);
    }
}

/// How the file's axes and unit lie in metres with Y up.
pub(super) fn world_from_file(scene: &ufbx::Scene, context: &mut Context<'_>) -> WorldFromFile {
    let axes = scene.settings.axes;
    let basis = match basis(&axes) {
        Some(basis) => basis,
        None => {
            context.notes.add(
                Place::part("GlobalSettings"),
                "the file does not say which axis is up; Y up, right-handed is taken",
            );
            Mat3::IDENTITY
        }
    };
    let unit = scene.settings.unit_meters as f32;
    WorldFromFile::new(unit, basis).unwrap_or_else(|| {
        context.notes.add(
            Place::part("GlobalSettings.UnitScaleFactor"),
            "the file's unit is not a positive number; centimetres are taken",
        );
        WorldFromFile::new(0.01, basis).unwrap_or(WorldFromFile::SAME)
    })
}

/// Where the file's x, y and z point; `None` when the three axes do not span space.
fn basis(axes: &ufbx::CoordinateAxes) -> Option<Mat3> {
    let mut columns = [Vec3::ZERO; 3];
    let ours = [(axes.right, Vec3::X), (axes.up, Vec3::Y), (axes.front, Vec3::Z)];
    for (file, ours) in ours {
        use ufbx::CoordinateAxis as Axis;
        let (at, sign) = match file {
            Axis::PositiveX => (0, 1.0),
            Axis::NegativeX => (0, -1.0),
            Axis::PositiveY => (1, 1.0),
            Axis::NegativeY => (1, -1.0),
            Axis::PositiveZ => (2, 1.0),
            Axis::NegativeZ => (2, -1.0),
            Axis::Unknown => return None,
        };
        columns[at] += ours * sign;
    }
    let basis = Mat3::from_cols(columns[0], columns[1], columns[2]);
    (basis.determinant().abs() == 1.0).then_some(basis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ufbx::CoordinateAxis as Axis;

    #[test]
    fn z_up_files_stand_upright() {
        let axes = ufbx::CoordinateAxes {
            right: Axis::PositiveX,
            up: Axis::PositiveZ,
            front: Axis::NegativeY,
        };
        assert_eq!(basis(&axes), Some(WorldFromFile::Z_UP));
    }

    #[test]
    fn left_handed_axes_mirror() {
        let axes = ufbx::CoordinateAxes {
            right: Axis::NegativeX,
            up: Axis::PositiveY,
            front: Axis::PositiveZ,
        };
        assert_eq!(basis(&axes).map(|basis| basis.determinant()), Some(-1.0));
    }

    #[test]
    fn one_axis_named_twice_is_no_basis() {
        let axes = ufbx::CoordinateAxes {
            right: Axis::PositiveX,
            up: Axis::NegativeX,
            front: Axis::PositiveZ,
        };
        assert_eq!(basis(&axes), None);
    }
}
