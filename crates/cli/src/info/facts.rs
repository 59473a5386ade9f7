//! What `info` tells, as plain data: the same for people and for `--json`.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use sinew::import::image;
use sinew::scene::{ImageData, Mesh, Topology};
use sinew::{Actor, Model, Scene};

#[derive(Debug, Serialize)]
pub(crate) struct Facts {
    pub(crate) file: String,
    pub(crate) format: String,
    /// Of the file itself, without companions.
    pub(crate) bytes: Option<u64>,
    pub(crate) bounds: Option<Box>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) clips: Vec<Clip>,
    pub(crate) meshes: Vec<Shape>,
    pub(crate) materials: Vec<Material>,
    pub(crate) variants: Vec<String>,
    pub(crate) images: Vec<Image>,
    pub(crate) lights: usize,
    pub(crate) cameras: usize,
    pub(crate) extensions: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// In metres.
#[derive(Debug, Serialize)]
pub(crate) struct Box {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// Of any skin.
    pub(crate) joint: bool,
    pub(crate) meshes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Skin {
    pub(crate) name: String,
    pub(crate) joints: usize,
    /// The most that any vertex has.
    pub(crate) influences: usize,
    pub(crate) method: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Clip {
    pub(crate) name: String,
    pub(crate) start: f64,
    pub(crate) seconds: f32,
    pub(crate) tracks: usize,
    pub(crate) keys: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) primitives: usize,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) morphs: Vec<String>,
    pub(crate) attributes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) base_color: [f32; 4],
    pub(crate) textures: usize,
    pub(crate) alpha: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) bytes: usize,
    pub(crate) size: Option<(u32, u32)>,
}

pub(crate) fn gather(file: &Path, imported: Model) -> Facts {
    let Model { scene, notes, format, extensions, .. } = imported;
    let actor = Actor::new(scene);
    let bounds = actor.bounds();
    let scene = actor.scene();
    Facts {
        file: file.display().to_string(),
        format: format.to_string(),
        bytes: std::fs::metadata(file).ok().map(|meta| meta.len()),
        bounds: (!bounds.is_empty())
            .then(|| Box { min: bounds.min.to_array(), max: bounds.max.to_array() }),
        nodes: nodes(scene),
        skins: skins(scene),
        clips: clips(scene),
        meshes: scene.meshes.iter().map(shape).collect(),
        materials: materials(scene),
        variants: scene.variants.clone(),
        images: images(scene),
        lights: scene.lights.len(),
        cameras: scene.cameras.len(),
        extensions,
        notes: notes.iter().map(ToString::to_string).collect(),
    }
}

fn nodes(scene: &Scene) -> Vec<Node> {
    let joints: BTreeSet<_> = scene.skins.iter().flat_map(|skin| &skin.joints).collect();
    scene
        .skeleton()
        .ids()
        .map(|id| Node {
            name: scene.skeleton().node(id).name.clone(),
            parent: scene.skeleton().node(id).parent.map(|parent| parent.index()),
            joint: joints.contains(&id),
            meshes: scene
                .instances
                .iter()
                .filter(|instance| instance.joint == id)
                .map(|instance| scene.meshes[instance.mesh.index()].name.clone())
                .collect(),
        })
        .collect()
}

fn skins(scene: &Scene) -> Vec<Skin> {
    let most = |index: usize| {
        let bent = scene
            .instances
            .iter()
            .filter(|instance| instance.skin.is_some_and(|skin| skin.index() == index));
        bent.flat_map(|instance| &scene.meshes[instance.mesh.index()].primitives)
            .map(|primitive| primitive.influences.most())
            .max()
            .unwrap_or(0)
    };
    let skins = scene.skins.iter().enumerate();
    skins
        .map(|(index, skin)| Skin {
            name: skin.name.clone(),
            joints: skin.joints.len(),
            influences: most(index),
            method: format!("{:?}", skin.method),
        })
        .collect()
}

fn clips(scene: &Scene) -> Vec<Clip> {
    let clips = scene.clips.iter();
    clips
        .map(|clip| Clip {
            name: clip.name.clone(),
            start: clip.start,
            seconds: clip.duration,
            tracks: clip.track_count(),
            keys: clip.key_count(),
        })
        .collect()
}

fn shape(mesh: &Mesh) -> Shape {
    let triangles = mesh.primitives.iter().filter(|part| part.topology == Topology::Triangles);
    let mut attributes = BTreeSet::new();
    for part in &mesh.primitives {
        let mut has = |name: &str, has: bool| has.then(|| attributes.insert(name.to_owned()));
        has("normals", !part.normals.is_empty());
        has("tangents", !part.tangents.is_empty());
        has("weights", !part.influences.is_empty());
        has(&format!("{} uv", part.uvs.len()), !part.uvs.is_empty());
        has(&format!("{} colour", part.colors.len()), !part.colors.is_empty());
        has("lines", part.topology == Topology::Lines);
        has("points", part.topology == Topology::Points);
    }
    Shape {
        name: mesh.name.clone(),
        primitives: mesh.primitives.len(),
        vertices: mesh.primitives.iter().map(|part| part.positions.len()).sum(),
        triangles: triangles.map(|part| part.indices.len() / 3).sum(),
        morphs: mesh.morph_names.clone(),
        attributes: attributes.into_iter().collect(),
    }
}

fn materials(scene: &Scene) -> Vec<Material> {
    let materials = scene.materials.iter();
    materials
        .map(|material| Material {
            name: material.name.clone(),
            base_color: material.base_color.to_array(),
            textures: material.textures().count(),
            alpha: format!("{:?}", material.alpha_mode).to_lowercase(),
        })
        .collect()
}

fn images(scene: &Scene) -> Vec<Image> {
    let images = scene.images.iter();
    images
        .map(|image| {
            let (kind, bytes, size) = match &image.data {
                ImageData::Encoded { media_type, bytes } => {
                    (media_type.clone(), bytes.len(), image::size(bytes))
                }
                ImageData::Pixels { width, height, rgba } => {
                    ("pixels".to_owned(), rgba.len(), Some((*width, *height)))
                }
                ImageData::Missing => ("missing".to_owned(), 0, None),
            };
            Image { name: image.name.clone(), kind, bytes, size }
        })
        .collect()
}
