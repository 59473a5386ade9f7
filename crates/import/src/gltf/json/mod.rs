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
pub(super) use number::{Number, Text, Whole, Word, floats};

use crate::json::{Value, filed};

filed! {
    /// A whole `.gltf` document.
    Document<'a> {
        asset: Option<Asset> = "asset",
        extensions_used: Vec<String> = "extensionsUsed",
        extensions_required: Vec<String> = "extensionsRequired",
        scene: Option<Whole> = "scene",
        scenes: Vec<Scene> = "scenes",
        nodes: Vec<Node> = "nodes",
        meshes: Vec<Mesh> = "meshes",
        skins: Vec<Skin> = "skins",
        animations: Vec<Animation> = "animations",
        accessors: Vec<Accessor> = "accessors",
        buffer_views: Vec<BufferView> = "bufferViews",
        buffers: Vec<Buffer<'a>> = "buffers",
        materials: Vec<Material> = "materials",
        textures: Vec<Texture> = "textures",
        samplers: Vec<Sampler> = "samplers",
        images: Vec<Image<'a>> = "images",
        cameras: Vec<Camera> = "cameras",
        extensions: DocumentExtensions = "extensions",
    }
}

impl Document<'_> {
    /// Whether the document names an extension, required or not.
    pub(super) fn uses(&self, extension: &str) -> bool {
        let mut all = self.extensions_used.iter().chain(&self.extensions_required);
        all.any(|name| name == extension)
    }
}

filed! {
    Asset {
        version: Option<String> = "version",
        min_version: Option<String> = "minVersion",
    }

    DocumentExtensions {
        lights: Lights = "KHR_lights_punctual",
        variants: Variants = "KHR_materials_variants",
    }

    Variants {
        variants: Vec<Variant> = "variants",
    }

    Variant {
        name: Option<String> = "name",
    }

    Lights {
        lights: Vec<Light> = "lights",
    }

    Light {
        name: Option<String> = "name",
        kind: String = "type" required,
        color: Option<[Number; 3]> = "color",
        intensity: Option<Number> = "intensity",
        range: Option<Number> = "range",
        spot: Option<Spot> = "spot",
    }

    Spot {
        inner_cone_angle: Option<Number> = "innerConeAngle",
        outer_cone_angle: Option<Number> = "outerConeAngle",
    }

    Scene {
        name: Option<String> = "name",
        nodes: Vec<Whole> = "nodes",
    }

    Node {
        name: Option<String> = "name",
        children: Vec<Whole> = "children",
        mesh: Option<Whole> = "mesh",
        skin: Option<Whole> = "skin",
        camera: Option<Whole> = "camera",
        weights: Option<Vec<Number>> = "weights",
        matrix: Option<[Number; 16]> = "matrix",
        translation: Option<[Number; 3]> = "translation",
        rotation: Option<[Number; 4]> = "rotation",
        scale: Option<[Number; 3]> = "scale",
        extensions: Option<Box<NodeExtensions>> = "extensions",
    }

    NodeExtensions {
        light: Option<LightOfNode> = "KHR_lights_punctual",
        visibility: Option<Visibility> = "KHR_node_visibility",
        instancing: Option<Instancing> = "EXT_mesh_gpu_instancing",
    }

    LightOfNode {
        light: Whole = "light" required,
    }

    Visibility {
        visible: Option<bool> = "visible",
    }

    Instancing {
        attributes: Attributes = "attributes",
    }

    Skin {
        name: Option<String> = "name",
        /// Whatever a program put there.
        extras: Value = "extras",
        inverse_bind_matrices: Option<Whole> = "inverseBindMatrices",
        joints: Vec<Whole> = "joints",
    }

    Camera {
        name: Option<String> = "name",
        perspective: Option<Perspective> = "perspective",
        orthographic: Option<Orthographic> = "orthographic",
    }

    Perspective {
        aspect_ratio: Option<Number> = "aspectRatio",
        yfov: Option<Number> = "yfov",
        znear: Option<Number> = "znear",
        zfar: Option<Number> = "zfar",
    }

    Orthographic {
        xmag: Option<Number> = "xmag",
        ymag: Option<Number> = "ymag",
        znear: Option<Number> = "znear",
        zfar: Option<Number> = "zfar",
    }
}
