//! A glTF document as typed JSON, exactly as filed: nothing is checked but types.
//!
//! In:  the JSON text.
//! Out: a [`Document`], parsed once; every other file of this importer reads it and never JSON.

mod animation;
mod data;
pub(super) mod layers;
mod material;
mod mesh;
mod number;

pub(super) use animation::{Animation, Channel, Sampler as AnimationSampler};
pub(super) use data::{Accessor, Buffer, BufferView, MeshoptView, Quantized, Sparse};
pub(super) use material::{
    Image, Material, MaterialExtensions, Sampler, SpecularGlossiness, Texture, TextureInfo,
};
pub(super) use mesh::{Attributes, DracoPrimitive, Mesh, Primitive};
pub(super) use number::{Number, Text, Whole, floats};

use serde::Deserialize;
use serde_json::Value;

/// A whole `.gltf` document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    pub(super) asset: Option<Asset>,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<Whole>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default, borrow)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default)]
    pub(super) materials: Vec<Material>,
    #[serde(default)]
    pub(super) textures: Vec<Texture>,
    #[serde(default)]
    pub(super) samplers: Vec<Sampler>,
    #[serde(default, borrow)]
    pub(super) images: Vec<Image<'a>>,
    #[serde(default)]
    pub(super) cameras: Vec<Camera>,
    #[serde(default)]
    pub(super) extensions: DocumentExtensions,
}

impl Document<'_> {
    /// Whether the document names an extension, required or not.
    pub(super) fn uses(&self, extension: &str) -> bool {
        let mut all = self.extensions_used.iter().chain(&self.extensions_required);
        all.any(|name| name == extension)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: Option<String>,
    pub(super) min_version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual", default)]
    pub(super) lights: Lights,
    #[serde(rename = "KHR_materials_variants", default)]
    pub(super) variants: Variants,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Variants {
    #[serde(default)]
    pub(super) variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Variant {
    pub(super) name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Lights {
    #[serde(default)]
    pub(super) lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Light {
    pub(super) name: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) color: Option<[Number; 3]>,
    pub(super) intensity: Option<Number>,
    pub(super) range: Option<Number>,
    pub(super) spot: Option<Spot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spot {
    pub(super) inner_cone_angle: Option<Number>,
    pub(super) outer_cone_angle: Option<Number>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) nodes: Vec<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) children: Vec<Whole>,
    pub(super) mesh: Option<Whole>,
    pub(super) skin: Option<Whole>,
    pub(super) camera: Option<Whole>,
    pub(super) weights: Option<Vec<Number>>,
    pub(super) matrix: Option<[Number; 16]>,
    pub(super) translation: Option<[Number; 3]>,
    pub(super) rotation: Option<[Number; 4]>,
    pub(super) scale: Option<[Number; 3]>,
    pub(super) extensions: Option<Box<NodeExtensions>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) light: Option<LightOfNode>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LightOfNode {
    pub(super) light: Whole,
}

#[derive(Debug, Deserialize)]
pub(super) struct Visibility {
    pub(super) visible: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: Attributes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) name: Option<String>,
    /// Whatever a program put there.
    #[serde(default)]
    pub(super) extras: Value,
    pub(super) inverse_bind_matrices: Option<Whole>,
    #[serde(default)]
    pub(super) joints: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Camera {
    pub(super) name: Option<String>,
    pub(super) perspective: Option<Perspective>,
    pub(super) orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Perspective {
    pub(super) aspect_ratio: Option<Number>,
    pub(super) yfov: Option<Number>,
    pub(super) znear: Option<Number>,
    pub(super) zfar: Option<Number>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Orthographic {
    pub(super) xmag: Option<Number>,
    pub(super) ymag: Option<Number>,
    pub(super) znear: Option<Number>,
    pub(super) zfar: Option<Number>,
}
