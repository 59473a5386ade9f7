//! Blend shapes: every shape of every channel is a morph target.
//!
//! In:  channels, each with one shape or a series of them that the channel's weight runs through.
//! Out: targets with their differences, names and the weights the file was saved with.

use std::ops::Range;

use glam::Vec3;
use sinew_scene::MorphTarget;

use super::mesh::Part;
use super::number::vec3;
use crate::open::Context;
use crate::{ImportError, Place};

/// The targets of a mesh: those of all its deformers' channels.
pub(super) struct Blend<'a> {
    pub(super) channels: Vec<&'a ufbx::BlendChannel>,
    /// Which targets each channel drives.
    pub(super) targets: Vec<Range<usize>>,
}

impl<'a> Blend<'a> {
    /// `None` when nothing can be blended.
    pub(super) fn of(mesh: &'a ufbx::Mesh) -> Option<Self> {
        let all = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
        let channels: Vec<_> =
            all.map(|channel| &**channel).filter(|channel| !channel.keyframes.is_empty()).collect();
        let mut end = 0;
        let mut targets = Vec::with_capacity(channels.len());
        for channel in &channels {
            targets.push(end..end + channel.keyframes.len());
            end += channel.keyframes.len();
        }
        (end > 0).then_some(Self { channels, targets })
    }

    pub(super) fn count(&self) -> usize {
        self.targets.last().map_or(0, |range| range.end)
    }

    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.count());
        for channel in &self.channels {
            for key in &channel.keyframes {
                let (whole, shape) = (&channel.element.name, &key.shape.element.name);
                names.push(match channel.keyframes.len() {
                    1 if whole.is_empty() => shape.to_string(),
                    1 => whole.to_string(),
                    _ => format!("{whole} ({shape})"),
                });
            }
        }
        names
    }

    /// The weights with which the file is saved.
    pub(super) fn rest(&self) -> Vec<f32> {
        let keys = self.channels.iter().flat_map(|channel| channel.keyframes.iter());
        keys.map(|key| key.effective_weight as f32)
            .map(|w| if w.is_finite() { w } else { 0.0 })
            .collect()
    }

    /// Gives a part the differences of every target.
    pub(super) fn bind(
        &self,
        part: &mut Part,
        points: usize,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let place = Place::part("Geometry: Shape");
        let mut offsets = vec![Vec3::ZERO; points];
        let mut normals = vec![Vec3::ZERO; points];
        for key in self.channels.iter().flat_map(|channel| channel.keyframes.iter()) {
            let shape = &key.shape;
            let (has_positions, has_normals) = spread(shape, &mut offsets, &mut normals);
            let mut target = MorphTarget::default();
            if has_positions {
                context.budget.take(part.points.len(), 12, &place)?;
                target.positions = part.points.iter().map(|&at| offsets[at as usize]).collect();
            }
            if has_normals && !part.primitive.normals.is_empty() {
                context.budget.take(part.points.len(), 12, &place)?;
                target.normals = part.points.iter().map(|&at| normals[at as usize]).collect();
            }
            part.primitive.morphs.push(target);
            for &point in &shape.offset_vertices {
                if let Some(offset) = offsets.get_mut(point as usize) {
                    *offset = Vec3::ZERO;
                }
                if let Some(normal) = normals.get_mut(point as usize) {
                    *normal = Vec3::ZERO;
                }
            }
        }
        Ok(())
    }
}

/// Writes a shape's sparse offsets into full lists; says which list got something.
fn spread(shape: &ufbx::BlendShape, offsets: &mut [Vec3], normals: &mut [Vec3]) -> (bool, bool) {
    let (mut has_positions, mut has_normals) = (false, false);
    for (at, &point) in shape.offset_vertices.iter().enumerate() {
        let Some(offset) = offsets.get_mut(point as usize) else { continue };
        let weight = shape.offset_weights.get(at).map_or(1.0, |&weight| weight as f32);
        let scaled = |values: &ufbx::List<ufbx::Vec3>| {
            let value = values.get(at).map_or(Vec3::ZERO, |&value| vec3(value) * weight);
            if value.is_finite() { value } else { Vec3::ZERO }
        };
        *offset = scaled(&shape.position_offsets);
        normals[point as usize] = scaled(&shape.normal_offsets);
        has_positions |= *offset != Vec3::ZERO;
        has_normals |= normals[point as usize] != Vec3::ZERO;
    }
    (has_positions, has_normals)
}
