//! Bones: an octahedron, and a ball for its ends; both made here, once.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use wgpu::util::DeviceExt;

use super::{Brush, Stream};
use crate::overlay::Bone;
use crate::pipelines::Key;
use crate::shaders::Shader;

/// A corner of a triangle of the octahedron or the ball.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Corner {
    place: Vec3,
    normal: Vec3,
    /// Zero along each edge that is drawn dark.
    edge: Vec3,
}

impl Corner {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![3 => Float32x3, 4 => Float32x3, 5 => Float32x3];
}

/// The two shapes.
#[derive(Debug)]
pub(crate) struct Shapes {
    corners: wgpu::Buffer,
    bone: std::ops::Range<u32>,
    ball: std::ops::Range<u32>,
}

impl Shapes {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let mut corners = octahedron();
        let bone = 0..corners.len() as u32;
        corners.extend(ball());
        let ball = bone.end..corners.len() as u32;
        let corners = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("bones"),
            contents: bytemuck::cast_slice(&corners),
            usage: wgpu::BufferUsages::VERTEX,
        });
        Self { corners, bone, ball }
    }

    /// Draws bones, then balls, all in one stream; `over` draws them fainter, for what surfaces hide.
    pub(crate) fn draw(
        &self,
        brush: &mut Brush<'_, '_>,
        stream: &Stream,
        counts: [usize; 2],
        over: bool,
    ) {
        if counts == [0, 0] {
            return;
        }
        brush.set(Key { over, ..Key::new(Shader::Bones, brush.samples) });
        brush.pass.set_vertex_buffer(0, self.corners.slice(..));
        let mut first = 0;
        for (count, shape) in counts.into_iter().zip([&self.bone, &self.ball]) {
            if count > 0 {
                brush.pass.set_vertex_buffer(1, stream.from::<Bone>(first));
                brush.pass.draw(shape.clone(), 0..count as u32);
                brush.draws += 1;
            }
            first += count as u32;
        }
    }
}

/// Blender's bone: from the head, out to a square at a tenth of the way, to the tail.
fn octahedron() -> Vec<Corner> {
    let (head, tail) = (Vec3::ZERO, Vec3::Y);
    let square = [
        Vec3::new(1.0, 0.1, 0.0),
        Vec3::new(0.0, 0.1, -1.0),
        Vec3::new(-1.0, 0.1, 0.0),
        Vec3::new(0.0, 0.1, 1.0),
    ];
    let mut corners = Vec::with_capacity(24);
    for side in 0..4 {
        let (a, b) = (square[side], square[(side + 1) % 4]);
        for triangle in [[a, b, tail], [b, a, head]] {
            let [p, q, r] = triangle;
            let normal = (q - p).cross(r - p).normalize();
            for (place, edge) in triangle.into_iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
                corners.push(Corner { place, normal, edge });
            }
        }
    }
    corners
}

/// A globe of 8 by 12.
fn ball() -> Vec<Corner> {
    const ROWS: usize = 8;
    const COLUMNS: usize = 12;
    let at = |row: usize, column: usize| {
        let (rise, flat) = (row as f32 / ROWS as f32 * std::f32::consts::PI).sin_cos();
        let (sin, cos) = (column as f32 / COLUMNS as f32 * std::f32::consts::TAU).sin_cos();
        Vec3::new(rise * cos, flat, rise * sin)
    };
    let mut corners = Vec::with_capacity(ROWS * COLUMNS * 6);
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
            for place in [a, b, c, b, d, c] {
                corners.push(Corner { place, normal: place, edge: Vec3::ONE });
            }
        }
    }
    corners
}
