//! Surfaces: solid ones batch by batch, see-through ones from far to near, and edges.

use sinew_scene::{AlphaMode, Topology};

use super::{Brush, Stream};
use crate::Frame;
use crate::frame::{Batch, Batches, Row};
use crate::pipelines::{Cull, Key};
use crate::shaders::Shader;
use crate::upload::{GpuScene, Part};

/// Everyone's rows, and who is drawn together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) batches: &'a Batches,
    pub(crate) rows: &'a Stream,
}

impl Crowd<'_> {
    fn scene(&self, batch: &Batch) -> &GpuScene {
        &self.frame.groups[batch.group].scene
    }

    /// Binds the batch's scene, with its rows from `first` on.
    pub(super) fn bind(&self, brush: &mut Brush<'_, '_>, batch: &Batch, first: u32) {
        let scene = self.scene(batch);
        brush.pass.set_bind_group(2, scene.mesh_texels(), &[]);
        brush.pass.set_vertex_buffer(0, scene.vertices().slice(..));
        brush.pass.set_vertex_buffer(1, self.rows.from::<Row>(first));
        brush.pass.set_index_buffer(scene.indices().slice(..), wgpu::IndexFormat::Uint32);
    }

    /// All batches with someone in the image, or (`all`) with anyone at all.
    pub(super) fn each(
        &self,
        all: bool,
        mut draw: impl FnMut(&Batch, &GpuScene, &[Part], std::ops::Range<u32>),
    ) {
        for batch in &self.batches.list {
            let end = if all { batch.end } else { batch.seen_end };
            if end > batch.start {
                let scene = self.scene(batch);
                draw(batch, scene, scene.primitives(batch.mesh), 0..end - batch.start);
            }
        }
    }
}

fn key(brush: &Brush<'_, '_>, batch: &Batch, scene: &GpuScene, part: &Part) -> Key {
    let material = scene.material(part.material);
    let is_surface = part.topology == Topology::Triangles;
    let cull = if is_surface && !material.double_sided { Cull::Back } else { Cull::None };
    Key {
        dual: scene.has_dual(),
        heat: batch.heat,
        mask: material.alpha_mode == AlphaMode::Mask,
        blend: material.alpha_mode == AlphaMode::Blend,
        cull,
        mirrored: batch.mirrored,
        maps: scene.maps(),
        layers: scene.layers(),
        topology: part.topology.into(),
        ..Key::new(Shader::Mesh, brush.samples)
    }
}

/// Solid surfaces.
pub(crate) fn solid(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>) {
    crowd.each(false, |batch, scene, parts, rows| {
        crowd.bind(brush, batch, batch.start);
        for part in parts {
            let material = scene.material(part.material);
            if material.alpha_mode == AlphaMode::Blend || part.indices.is_empty() {
                continue;
            }
            let key = key(brush, batch, scene, part);
            brush.set(key);
            brush.pass.set_bind_group(3, &material.bind_group, &[]);
            brush.pass.draw_indexed(part.indices.clone(), 0, rows.clone());
            brush.draws += 1;
        }
    });
}

/// See-through surfaces, from far to near.
pub(crate) fn blended(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>) {
    for one in &crowd.batches.blended {
        let Some(batch) = crowd.batches.list.get(one.batch) else { continue };
        let scene = crowd.scene(batch);
        let part = &scene.primitives(batch.mesh)[one.primitive];
        let material = scene.material(part.material);
        let key = key(brush, batch, scene, part);
        crowd.bind(brush, batch, one.row);
        brush.pass.set_bind_group(3, &material.bind_group, &[]);
        // Both sides of one surface: the far side first.
        let sides = if key.cull == Cull::None && part.topology == Topology::Triangles {
            [Some(Cull::Front), Some(Cull::Back)]
        } else {
            [Some(key.cull), None]
        };
        for cull in sides.into_iter().flatten() {
            brush.set(Key { cull, ..key });
            brush.pass.draw_indexed(part.indices.clone(), 0, 0..1);
            brush.draws += 1;
        }
    }
}

/// Edges over surfaces.
pub(crate) fn wires(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>, device: &wgpu::Device) {
    crowd.each(false, |batch, scene, parts, rows| {
        crowd.bind(brush, batch, batch.start);
        brush.pass.set_index_buffer(scene.edges(device).slice(..), wgpu::IndexFormat::Uint32);
        let key = Key {
            dual: scene.has_dual(),
            topology: Topology::Lines.into(),
            ..Key::new(Shader::Wire, brush.samples)
        };
        brush.set(key);
        for part in parts.iter().filter(|part| !part.edges.is_empty()) {
            brush.pass.draw_indexed(part.edges.clone(), 0, rows.clone());
            brush.draws += 1;
        }
    });
}
