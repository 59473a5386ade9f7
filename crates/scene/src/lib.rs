//! Sinew's nouns: plain, checked data that every other room shares.
//!
//! In:  parts, from an importer or from a program.
//! Out: a [`Scene`] in which every index is in range, every number is finite, every rotation is
//! a unit quaternion, parents come before children and weights sum to one.
//!
//! Everything is in metres, seconds and radians, Y up, right-handed. Nobody checks again.
//!
//! ```
//! use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};
//!
//! let nodes = vec![
//!     Node::new("hips", None, Transform::IDENTITY),
//!     Node::new("spine", Some(JointId::new(0)), Transform::from_translation([0.0, 0.1, 0.0].into())),
//! ];
//! let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
//! assert_eq!(scene.skeleton().find("spine"), Some(JointId::new(1)));
//! # Ok::<(), sinew_scene::SceneError>(())
//! ```

mod camera;
mod check;
mod clip;
mod curve;
mod decimal;
mod id;
mod layers;
mod light;
mod material;
mod mesh;
mod morph;
mod property;
mod scene;
mod skeleton;
mod skin;
mod texture;
mod transform;

pub use camera::{Camera, Projection};
pub use check::SceneError;
pub use clip::{Clip, Marker, PropertyTrack, Track, WeightTrack};
pub use curve::{Curve, Interpolation, Rows};
pub use decimal::Decimal;
pub use glam;
pub use id::{
    CameraId, ClipId, ImageId, InstanceId, JointId, LightId, MaterialId, MeshId, PropertyId,
    SkinId, TextureId, VariantId,
};
pub use layers::{
    AnisotropyLayer, ClearcoatLayer, DiffuseTransmissionLayer, IridescenceLayer, MaterialLayers,
    SheenLayer, SpecularLayer, TransmissionLayer,
};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, MATERIAL_TEXTURES, Material, TextureUse, UvTransform};
pub use mesh::{Geometry, Instance, Mesh, Primitive, Topology};
pub use morph::MorphTarget;
pub use property::{AnimatedProperty, MaterialTexture, Property};
pub use scene::{Scene, SceneParts};
pub use skeleton::{Node, Skeleton};
pub use skin::{Influence, Influences, Skin, SkinMethod};
pub use texture::{Filter, Image, ImageData, Sampler, Texture, Wrap};
pub use transform::Transform;
