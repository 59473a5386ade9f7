//! Surfaces: solid ones batch by batch, see-through ones from far to near, and edges.

use std::ops::Range;

use sinew_scene::{AlphaMode, Topology};

use super::{Brush, Stream};
use crate::Frame;
use crate::frame::{Batch, Batches, Row};
use crate::pipelines::{Cull, Key};
use crate::shaders::{Shader, Vertices};
use crate::upload::{Detail, GpuScene, Part};

/// Who is drawn by a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whom {
    /// In the image.
    Seen,
    /// In the shadow map.
    Casting,
    /// Anyone who is in any map.
    All,
}

/// Everyone's rows, and who is drawn together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) batches: &'a Batches,
    pub(crate) rows: &'a Stream,
    /// Vertices in their poses, where that is done once.
    pub(crate) skinned: Option<&'a wgpu::BindGroup>,
}

impl Crowd<'_> {
    fn scene(&self, batch: &Batch) -> &GpuScene {
        &self.frame.groups[batch.group].scene
    }

    /// Binds the batch's scene, with its rows from `first` on.
    pub(super) fn bind(&self, brush: &mut Brush<'_, '_>, batch: &Batch, first: u32) {
        let scene = self.scene(batch);
        let skinned = self.skinned.filter(|_| batch.skinned);
        brush.pass.set_bind_group(2, skinned.unwrap_or(scene.mesh_texels()), &[]);
        brush.pass.set_vertex_buffer(0, scene.vertices().slice(..));
        brush.pass.set_vertex_buffer(1, self.rows.from::<Row>(first));
        brush.pass.set_index_buffer(scene.indices().slice(..), wgpu::IndexFormat::Uint32);
    }

    /// All batches with someone whom these draw; `draw` gets the rows counted from the batch's first.
    pub(super) fn each(
        &self,
        whom: Whom,
        mut draw: impl FnMut(&Batch, &GpuScene, &[Part], Range<u32>),
    ) {
        for batch in &self.batches.list {
            let rows = match whom {
                Whom::Seen => batch.start..batch.seen_end,
                Whom::Casting => batch.casts_start..batch.casts_end,
                Whom::All => batch.start..batch.end,
            };
            if !rows.is_empty() {
                let scene = self.scene(batch);
                let rows = rows.start - batch.start..rows.end - batch.start;
                draw(batch, scene, &self.detail(batch).parts, rows);
            }
        }
    }

    fn detail(&self, batch: &Batch) -> &Detail {
        &self.scene(batch).details(batch.mesh)[batch.level]
    }

    /// The triangles of all batches that these draw.
    pub(crate) fn triangles(&self, whom: Whom) -> u64 {
        let mut sum = 0;
        self.each(whom, |batch, _, _, rows| {
            sum += self.detail(batch).triangles() * rows.len() as u64;
        });
        sum
    }
}

/// What a batch's shaders find in the place of a vertex.
pub(super) fn vertices(batch: &Batch) -> Vertices {
    if batch.skinned { Vertices::Skinned } else { Vertices::AtRest }
}

fn key(brush: &Brush<'_, '_>, batch: &Batch, scene: &GpuScene, part: &Part) -> Key {
    let material = scene.material(part.material);
    let shader = if brush.plain { Shader::Plain } else { Shader::Mesh };
    Key {
        dual: scene.has_dual() && !batch.skinned,
        heat: batch.heat,
        vertices: vertices(batch),
        mirrored: batch.mirrored,
        encoded: brush.encoded,
        sun: brush.sun && brush.plain,
        maps: scene.maps(),
        layers: scene.layers(),
        ..key_of(
            (shader, brush.samples),
            (material.alpha_mode, material.double_sided),
            part.topology,
        )
    }
}

/// For a material with this alpha, seen from both sides or not.
pub(crate) fn key_of(
    (shader, samples): (Shader, u32),
    (alpha, double_sided): (AlphaMode, bool),
    topology: Topology,
) -> Key {
    let is_surface = topology == Topology::Triangles;
    Key {
        mask: alpha == AlphaMode::Mask,
        blend: alpha == AlphaMode::Blend,
        cull: if is_surface && !double_sided { Cull::Back } else { Cull::None },
        topology: topology.into(),
        ..Key::new(shader, samples)
    }
}

/// Solid surfaces.
pub(crate) fn solid(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>) {
    crowd.each(Whom::Seen, |batch, scene, parts, rows| {
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

/// All surfaces as a mirror under them has them: left and right change places.
pub(crate) fn mirrored(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>) {
    crowd.each(Whom::Seen, |batch, scene, parts, rows| {
        crowd.bind(brush, batch, batch.start);
        for part in parts {
            if part.topology != Topology::Triangles || part.indices.is_empty() {
                continue;
            }
            let Key { dual, heat, vertices, cull, mirrored, maps, .. } =
                key(brush, batch, scene, part);
            let plain = Key::new(Shader::Mirror, brush.samples);
            let mirrored = !mirrored;
            brush.set(Key { dual, heat, vertices, cull, mirrored, maps, ..plain });
            let material = scene.material(part.material);
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
        let part = &crowd.detail(batch).parts[one.primitive];
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
    let crowd = Crowd { skinned: None, ..crowd };
    crowd.each(Whom::Seen, |batch, scene, parts, rows| {
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
