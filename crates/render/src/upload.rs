//! A scene on the GPU: vertices, images and materials, uploaded once.
//!
//! In:  a checked [`Scene`].
//! Out: a [`GpuScene`] that any number of characters share, and notes of what could not be shown as filed.
//!
//! All primitives lie in one vertex and one index buffer, with indices counted from the buffer's
//! start, since WebGL2 has no base vertex. Influences and morph changes lie in one texture.

mod layouts;
pub(crate) mod material;
mod mips;
mod textures;
mod uploader;
mod vertices;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::Vec3;
use sinew_deform::Bounds;
use sinew_scene::{
    AlphaMode, InstanceId, JointId, Material, MaterialId, MeshId, Scene, Skin, SkinId, SkinMethod,
    Topology, VariantId,
};
use wgpu::util::DeviceExt;

pub(crate) use layouts::Layouts;
pub(crate) use material::MaterialUniform;
pub use uploader::Uploader;
pub(crate) use vertices::{Vertex, edges};

use crate::texels::Texels;
use crate::{Gpu, RenderError};
use textures::Textures;

/// Turns a packed image into width, height and RGBA pixels, or says why not.
pub type Decode<'a> = dyn Fn(&[u8]) -> Result<(u32, u32, Vec<u8>), String> + 'a;

/// What is drawn in place of images that cannot be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingImages {
    /// A quiet surface in the material's own colour; light grey where that is white.
    #[default]
    Neutral,
    /// Magenta and black, for those who look for them.
    Checker,
}

/// How a scene is uploaded.
#[derive(Clone, Copy, Default)]
pub struct UploadOptions<'a> {
    /// For images that the scene still has packed; without it they count as missing.
    pub decode: Option<&'a Decode<'a>>,
    /// What is drawn in place of images that cannot be had.
    pub missing: MissingImages,
    /// Levels of detail for each mesh, with errors in metres of the model, as `sinew::levels` makes them; empty for none. A frame chooses among them by its
    /// [`pixel_error`](crate::Frame::pixel_error).
    pub levels: &'a [Vec<sinew_lod::Level>],
    /// The longest side of an image; larger ones are made smaller. 0 for the device's own limit.
    pub longest_side: u32,
}

impl std::fmt::Debug for UploadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UploadOptions")
            .field("longest_side", &self.longest_side)
            .finish_non_exhaustive()
    }
}

/// An uploaded scene. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GpuScene(Arc<Inner>, Arc<Vec<Vec<Detail>>>);

#[derive(Debug)]
struct Inner {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// For edges, made when first asked for.
    all_indices: Vec<u32>,
    edges: OnceLock<wgpu::Buffer>,
    mesh_texels: wgpu::BindGroup,
    #[cfg(test)]
    mesh_texels_view: wgpu::TextureView,
    /// For the compute shader, where there is one.
    skin_group: Option<wgpu::BindGroup>,
    materials: Vec<Surface>,
    material_buffer: wgpu::Buffer,
    maps: u32,
    layers: u32,
    instances: Vec<Drawn>,
    skins: Vec<Skin>,
    joints: usize,
    weights: Vec<f32>,
    notes: Vec<String>,
    vertex_count: usize,
}

/// A mesh with all of its triangles, or fewer.
#[derive(Clone, Debug)]
pub(crate) struct Detail {
    pub(crate) parts: Vec<Part>,
    /// How far it is from the whole mesh, in metres of the model.
    pub(crate) error: f32,
    pub(crate) vertices: Range<u32>,
}

impl Detail {
    /// How many triangles are drawn for each character.
    pub(crate) fn triangles(&self) -> u64 {
        let surfaces = self.parts.iter().filter(|part| part.topology == Topology::Triangles);
        surfaces.map(|part| part.indices.len() as u64 / 3).sum()
    }
}

/// One primitive: one draw.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) indices: Range<u32>,
    pub(crate) topology: Topology,
    pub(crate) material: usize,
    /// What it is as filed, and in which variants it is another.
    pub(crate) filed: usize,
    pub(crate) variants: Vec<(VariantId, usize)>,
    /// Of its box, in mesh space.
    pub(crate) middle: Vec3,
    /// Where its edges begin in the buffer of edges; two for each index of a triangle.
    pub(crate) edges: Range<u32>,
}

impl Part {
    fn material_in(&self, variant: Option<VariantId>) -> usize {
        let own = self.variants.iter().find(|(id, _)| Some(*id) == variant);
        own.map_or(self.filed, |(_, material)| *material)
    }
}

/// A material, ready to be bound.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) bind_group: wgpu::BindGroup,
    pub(crate) alpha_mode: AlphaMode,
    /// Whether what is behind it is seen bent.
    pub(crate) is_glass: bool,
    pub(crate) double_sided: bool,
}

/// A mesh under a node.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) joint: JointId,
    pub(crate) mesh: MeshId,
    pub(crate) skin: Option<SkinId>,
    pub(crate) weights: Range<usize>,
}

impl GpuScene {
    pub(crate) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        scene: &Scene,
        options: UploadOptions<'_>,
    ) -> Result<Self, RenderError> {
        let device = &gpu.device;
        let mut packed = vertices::pack(scene, options.levels);
        let mut texels = Texels::new(device, "influences and morph targets of a scene", 1);
        texels.fit(device, &mut packed.texels, 0)?;
        texels.write(&gpu.queue, &packed.texels);
        let mut textures = Textures::new(gpu, scene, options);
        let mut notes = Vec::new();
        let maps = material::maps_of(gpu, scene, &mut notes);
        let (materials, material_buffer) =
            material::upload(gpu, layouts, scene, &mut textures, maps);
        notes.extend(textures.into_notes());
        let instance = |(index, drawn): (usize, &sinew_scene::Instance)| Drawn {
            joint: drawn.joint,
            mesh: drawn.mesh,
            skin: drawn.skin,
            weights: scene.weight_range(InstanceId::new(index)),
        };
        let storage = match layouts.skinned {
            Some(_) => wgpu::BufferUsages::STORAGE,
            None => wgpu::BufferUsages::empty(),
        };
        let vertices = buffer(device, &packed.vertices, wgpu::BufferUsages::VERTEX | storage);
        let inner = Inner {
            skin_group: layouts.bind_vertices(device, &vertices),
            vertices,
            indices: buffer(device, &packed.indices, wgpu::BufferUsages::INDEX),
            edges: OnceLock::new(),
            mesh_texels: layouts.bind_texels(device, &texels.view),
            #[cfg(test)]
            mesh_texels_view: texels.view,
            materials,
            material_buffer,
            maps,
            layers: material::layers_of(scene),
            instances: scene.instances.iter().enumerate().map(instance).collect(),
            skins: scene.skins.clone(),
            joints: scene.skeleton().len(),
            weights: scene.instances.iter().flat_map(|one| &one.weights).copied().collect(),
            notes,
            vertex_count: packed.whole,
            all_indices: packed.indices,
        };
        gpu.health().check()?;
        Ok(Self(Arc::new(inner), Arc::new(packed.meshes)))
    }

    /// What could not be shown as filed: missing images, images made smaller.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// How many vertices all primitives have, without those of levels of detail.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.0.vertex_count
    }

    /// Gives a material other values: what a clip drives, or a person turns. Its images, and what its
    /// alpha means, stay.
    ///
    /// # Panics
    /// When there is no such material.
    pub fn set_material(&self, gpu: &Gpu, id: MaterialId, material: &Material) {
        assert!(id.index() + 1 < self.0.materials.len(), "there is no {id:?}");
        material::write(gpu, &self.0.material_buffer, id.index(), material);
    }

    /// The same in another of its scene's material variants, or as filed. Nothing is uploaded: both share all that
    /// is on the GPU.
    #[must_use]
    pub fn in_variant(&self, variant: Option<VariantId>) -> Self {
        let mut meshes = Vec::clone(&self.1);
        let details = meshes.iter_mut().flatten();
        for part in details.flat_map(|detail| &mut detail.parts) {
            part.material = part.material_in(variant);
        }
        Self(Arc::clone(&self.0), Arc::new(meshes))
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && Arc::ptr_eq(&self.1, &other.1)
    }

    pub(crate) fn instances(&self) -> &[Drawn] {
        &self.0.instances
    }

    pub(crate) fn skins(&self) -> &[Skin] {
        &self.0.skins
    }

    pub(crate) fn has_dual(&self) -> bool {
        self.0.skins.iter().any(|skin| skin.method != SkinMethod::Linear)
    }

    pub(crate) fn mesh_count(&self) -> usize {
        self.1.len()
    }

    pub(crate) fn joint_count(&self) -> usize {
        self.0.joints
    }

    pub(crate) fn weight_count(&self) -> usize {
        self.0.weights.len()
    }

    pub(crate) fn rest_weights(&self) -> &[f32] {
        &self.0.weights
    }

    /// A mesh whole, then coarser and coarser.
    pub(crate) fn details(&self, mesh: usize) -> &[Detail] {
        &self.1[mesh]
    }

    pub(crate) fn skin_group(&self) -> Option<&wgpu::BindGroup> {
        self.0.skin_group.as_ref()
    }

    pub(crate) fn material(&self, index: usize) -> &Surface {
        &self.0.materials[index]
    }

    /// Which maps any material has, one bit each.
    pub(crate) fn maps(&self) -> u32 {
        self.0.maps
    }

    /// Which layers any material has, one bit each.
    pub(crate) fn layers(&self) -> u32 {
        self.0.layers
    }

    pub(crate) fn vertices(&self) -> &wgpu::Buffer {
        &self.0.vertices
    }

    pub(crate) fn indices(&self) -> &wgpu::Buffer {
        &self.0.indices
    }

    pub(crate) fn mesh_texels(&self) -> &wgpu::BindGroup {
        &self.0.mesh_texels
    }

    #[cfg(test)]
    pub(crate) fn mesh_texels_view(&self) -> &wgpu::TextureView {
        &self.0.mesh_texels_view
    }

    pub(crate) fn edges(&self, device: &wgpu::Device) -> &wgpu::Buffer {
        self.0.edges.get_or_init(|| {
            let whole = self.1.iter().filter_map(|details| details.first());
            let triangles = whole.flat_map(|detail| &detail.parts);
            let mut all = Vec::new();
            for part in triangles.filter(|part| part.topology == Topology::Triangles) {
                edges(
                    &self.0.all_indices[part.indices.start as usize..part.indices.end as usize],
                    &mut all,
                );
            }
            buffer(device, &all, wgpu::BufferUsages::INDEX)
        })
    }
}

/// A buffer with these contents; never empty, which wgpu would refuse.
fn buffer<T: bytemuck::NoUninit>(
    device: &wgpu::Device,
    contents: &[T],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(contents);
    let contents = if bytes.is_empty() { &[0; 16] } else { bytes };
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
}

/// The middle of some points; the origin when there are none.
fn middle(points: &[Vec3]) -> Vec3 {
    let bounds = Bounds::of(points);
    if bounds.is_empty() { Vec3::ZERO } else { bounds.center() }
}
