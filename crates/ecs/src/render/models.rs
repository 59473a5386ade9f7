//! Scenes on the GPU, one for however many copies.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Weak};

use sinew::deform::SkinBounds;
use sinew::glam::Affine3A;
use sinew::render::{GpuScene, RenderError, Renderer, UploadOptions};
use sinew::scene::Mesh;
use sinew::{Bounds, Scene};

use crate::JointMatrices;

/// Scenes on the GPU, by where they are in memory. The weak hold keeps that place from being given to another.
#[derive(Debug, Default)]
pub(super) struct Models {
    known: HashMap<usize, (Weak<Scene>, Result<Model, RenderError>)>,
}

/// One scene on the GPU.
#[derive(Debug)]
pub(super) struct Model {
    uploaded: GpuScene,
    shapes: Vec<Shape>,
}

/// The bounds of a mesh, rigid and with a skin.
#[derive(Debug)]
struct Shape {
    rigid: SkinBounds,
    skinned: Option<SkinBounds>,
    joints: usize,
}

impl Models {
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Drops what nobody has any more; whether there was any.
    pub(super) fn forget(&mut self) -> bool {
        let before = self.known.len();
        self.known.retain(|_, (scene, _)| scene.strong_count() > 0);
        self.known.len() < before
    }

    /// The scene on the GPU, uploaded now if it is new. What failed once is not tried again.
    pub(super) fn get(
        &mut self,
        renderer: &Renderer,
        scene: &Arc<Scene>,
    ) -> Result<&Model, RenderError> {
        let (_, model) = match self.known.entry(Arc::as_ptr(scene).addr()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert((Arc::downgrade(scene), Model::new(renderer, scene)))
            }
        };
        model.as_ref().map_err(Clone::clone)
    }
}

impl Model {
    fn new(renderer: &Renderer, scene: &Scene) -> Result<Self, RenderError> {
        let options = UploadOptions { decode: Some(&decode), ..UploadOptions::default() };
        let uploaded = renderer.upload_with(scene, options)?;
        Ok(Self { uploaded, shapes: scene.meshes.iter().map(Shape::new).collect() })
    }

    pub(super) fn uploaded(&self) -> &GpuScene {
        &self.uploaded
    }

    /// The highest joint that influences any vertex of a mesh, plus one.
    pub(super) fn joints_needed(&self, mesh: usize) -> usize {
        self.shapes[mesh].joints
    }

    /// A box around a mesh in the world.
    pub(super) fn bounds(
        &self,
        mesh: usize,
        skin: Option<&JointMatrices>,
        world_from_node: Affine3A,
        weights: &[f32],
    ) -> Bounds {
        let shape = &self.shapes[mesh];
        match (skin, &shape.skinned) {
            (Some(matrices), Some(skin_bounds)) => {
                let palette: Vec<_> = matrices.world_from_mesh().take(shape.joints).collect();
                skin_bounds.bounds(&palette, world_from_node, weights)
            }
            _ => shape.rigid.bounds(&[], world_from_node, weights),
        }
    }
}

impl Shape {
    fn new(mesh: &Mesh) -> Self {
        let influences = mesh.primitives.iter().flat_map(|primitive| primitive.influences.all());
        let joints = influences.map(|influence| influence.joint as usize + 1).max().unwrap_or(0);
        Self {
            rigid: SkinBounds::new(mesh, 0),
            skinned: (joints > 0).then(|| SkinBounds::new(mesh, joints)),
            joints,
        }
    }
}

fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    sinew::import::image::decode(bytes).map(|pixels| (pixels.width, pixels.height, pixels.rgba))
}
