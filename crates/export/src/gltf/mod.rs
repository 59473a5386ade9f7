//! glTF 2.0, `.glb` and `.gltf`.
//!
//! In:  a whole scene. Out: the bytes of its file or files, and sentences on what glTF cannot say as the scene has it.
//!
//! `layout` decides which node carries what; every other file turns one noun of the scene into one noun of the document. What is
//! read back is the same scene: keys, weights and images are as they were, and whatever is equal is written once.

mod bin;
mod buffer;
mod camera;
mod clip;
mod container;
mod document;
#[cfg(feature = "draco")]
mod draco;
mod elements;
mod exact;
mod extension;
mod grid;
mod image;
mod influence;
mod json;
mod keys;
mod layers;
mod layout;
mod light;
mod material;
mod mesh;
mod meshopt;
mod morph;
mod names;
mod node;
mod note;
mod precision;
mod property;
mod skin;
mod split;
mod surface;
mod texture;
mod variant;

use sinew_scene::{Influences, Scene};

use crate::{ExportError, Exported, ExportedFile};
use document::Document;
use names::Names;
pub use precision::GltfPrecision;

/// How a document's vertices, triangles and keys are compressed. Vertices and triangles keep their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GltfCompression {
    /// Not at all: any reader takes it.
    #[default]
    None,
    /// Vertices, triangles and keys, without loss. Readers need `EXT_meshopt_compression`.
    Meshopt,
    /// Vertices and triangles. Positions are off by up to a 131,072nd of a mesh's size, directions by up to 0.1°, everything else by up to
    /// a 32,768th of its range. Readers need `KHR_draco_mesh_compression`. In builds with the feature `draco`.
    Draco,
}

/// How a scene is written as glTF. The defaults lose nothing and need no extension that the scene itself does not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GltfOptions {
    /// Puts skinned meshes under root nodes without a transform. It has no effect on where they are drawn, as the joints alone
    /// decide that, but readers differ in what else they let move such a mesh.
    pub skinned_at_root: bool,
    /// How exactly numbers are kept.
    pub precision: GltfPrecision,
    /// Keeps rotation keys as they are where `precision` would round them: along a chain of joints that adds up.
    pub exact_rotation_keys: bool,
    /// Keeps morph targets as they are where `precision` would round them: where many are on at once, that adds up.
    pub exact_morph_targets: bool,
    /// Rounds weights to 16 bits where `precision` would keep them as they are.
    pub rounded_weights: bool,
    /// Influences that are written in place of those of a primitive, with the numbers of its mesh and of itself: what
    /// `sinew_edit::find_byte_weights` gives. A large mesh need not be copied for them.
    pub influences: Vec<(usize, usize, Influences)>,
    /// How vertices, triangles and keys are compressed.
    pub compression: GltfCompression,
}

impl Default for GltfOptions {
    fn default() -> Self {
        Self {
            skinned_at_root: true,
            precision: GltfPrecision::Exact,
            exact_rotation_keys: false,
            exact_morph_targets: false,
            rounded_weights: false,
            influences: Vec::new(),
            compression: GltfCompression::None,
        }
    }
}

/// A scene as a GLB file.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let written = sinew_export::glb(&ossi, &sinew_export::GltfOptions::default())?;
/// let back = sinew_import::read(&written.bytes, &sinew_import::NoFiles).unwrap();
/// assert_eq!(back.scene.clips.len(), ossi.clips.len());
/// # Ok::<(), sinew_export::ExportError>(())
/// ```
///
/// # Errors
/// When a skin has more than 65,536 joints, or the file would be larger than 4 GiB.
pub fn glb(scene: &Scene, options: &GltfOptions) -> Result<Exported, ExportError> {
    let document = Document::write(scene, options, None)?;
    let bytes = container::glb(document.json, document.bin)?;
    Ok(Exported { bytes, files: Vec::new(), notes: document.notes })
}

/// A scene as a glTF document with a buffer and images beside it. Their names begin with `stem`, of which only letters, digits
/// and `-` are kept.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let written = sinew_export::gltf(&ossi, "ossi", &sinew_export::GltfOptions::default())?;
/// assert_eq!(written.files[0].name, "ossi.bin");
/// # Ok::<(), sinew_export::ExportError>(())
/// ```
///
/// # Errors
/// When a skin has more than 65,536 joints.
pub fn gltf(scene: &Scene, stem: &str, options: &GltfOptions) -> Result<Exported, ExportError> {
    let mut names = Names::new(stem);
    let document = Document::write(scene, options, Some(&mut names))?;
    let mut files = Vec::new();
    if document.bin.len() > 0 {
        files.push(ExportedFile { name: names.own("bin"), bytes: document.bin.behind(&[]) });
    }
    files.extend(document.images);
    Ok(Exported { bytes: document.json, files, notes: document.notes })
}
