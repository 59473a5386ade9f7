//! FBX 7.4, binary: a whole scene, as Blender, Unity, Unreal, Maya and MotionBuilder read it.
//!
//! In:  a scene and options.
//! Out: the bytes: models, meshes, skins with a bind pose, blend shapes, materials, textures, cameras, lights, and one take
//!      per clip.
//!
//! | scene | file |
//! |---|---|
//! | node | `Model`: `LimbNode` for joints, `Mesh`, `Camera` or `Light` for what carries one, else `Null` |
//! | sheared rest matrix | two helper models below, which together give it exactly |
//! | rotation keys | curves of Euler angles in the order X, Y, Z; more keys where angles would go another way |
//! | translation, scale, morph weight keys | curves; linear, constant and cubic keys as they are |
//! | metallic-roughness material | a Phong material that is also a Stingray PBS one, for readers that know it |
//!
//! A curve has cubic keys where a straight line would be off, and enough of them that even a reader that joins keys by straight lines
//! stays close.

mod animation;
mod bind;
mod document;
mod geometry;
mod keys;
mod layer;
mod light;
mod material;
mod model;
mod node;
mod properties;
mod reach;
mod shape;
mod shear;
mod skin;
mod source;
mod surface;
mod texture;

use sinew_scene::Scene;

use crate::rate::frame_rate;
use crate::{ExportError, Exported};
use document::Document;

/// The length that one unit of the file stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FbxUnit {
    /// `UnitScaleFactor` 1: the format's own unit. Unreal takes numbers for centimetres whatever the file says, unless asked to
    /// convert; Unity, Maya and MotionBuilder read the factor. Blender gives its objects a scale of 0.01.
    #[default]
    Centimetres,
    /// `UnitScaleFactor` 100. Blender's objects have no scale then; Unreal needs "Convert Scene Unit".
    Metres,
}

impl FbxUnit {
    fn per_metre(self) -> f64 {
        match self {
            Self::Centimetres => 100.0,
            Self::Metres => 1.0,
        }
    }
}

/// Where images go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FbxTextures {
    /// Into the file.
    #[default]
    Embedded,
    /// Into files beside it: see [`Exported::files`].
    External,
}

/// How an FBX file is written.
#[derive(Clone, Debug, PartialEq)]
pub struct FbxOptions {
    /// The file's unit.
    pub unit: FbxUnit,
    /// Where images go.
    pub textures: FbxTextures,
    /// Whether long lists of numbers are packed, as other programs do.
    pub compress: bool,
    /// How far, in metres, the curves of one joint may put a point of the skin from where the clip puts it. `None` takes a
    /// hundred-thousandth of the scene's size. Readers that join keys by straight lines may be twenty times that off.
    pub error: Option<f32>,
}

impl Default for FbxOptions {
    fn default() -> Self {
        Self {
            unit: FbxUnit::default(),
            textures: FbxTextures::default(),
            compress: true,
            error: None,
        }
    }
}

/// A whole scene as a binary FBX 7.4 file, with one take per clip.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let file = sinew_export::fbx(&ossi, &Default::default())?;
/// let back = sinew_import::read(&file.bytes, &sinew_import::NoFiles).unwrap().scene;
/// assert_eq!(back.clips.len(), ossi.clips.len());
/// # Ok::<(), sinew_export::ExportError>(())
/// ```
///
/// # Errors
/// When an option makes no sense, or the file would have more than four gigabytes, which this version cannot count.
pub fn fbx(scene: &Scene, options: &FbxOptions) -> Result<Exported, ExportError> {
    if let Some(error) = options.error.filter(|error| !(*error > 0.0 && error.is_finite())) {
        let text = format!("expected an error bound above zero, found {error}");
        return Err(ExportError::Invalid(text));
    }
    let per_metre = options.unit.per_metre();
    let mut document = Document::new(100.0 / per_metre);
    document.frame_rate = scene.clips.iter().find_map(frame_rate);
    let binds = bind::binds(scene, &mut document.notes);
    let models = model::models(scene, &binds, per_metre, &mut document);
    let mut files = Vec::new();
    let textures = texture::textures(scene, options.textures, &mut files, &mut document);
    let materials = material::materials(scene, &textures, &mut document);
    let shapes = geometry::geometries(scene, &models, &materials, &binds, per_metre, &mut document);
    bind::pose(scene, &models, &binds, per_metre, &mut document);
    let reach = reach::reach(scene, options.error);
    animation::takes(scene, &models, &shapes, &reach, per_metre, &mut document);
    let (bytes, notes) = document.write(options.compress)?;
    Ok(Exported { bytes, files, notes })
}
