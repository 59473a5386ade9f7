//! Skins: joints and inverse bind matrices.

use glam::Affine3A;
use sinew_scene::{Scene, SkinMethod};

use super::buffer::Buffers;
use super::elements::{Elements, Use};
use super::grid::Grid;
use super::json::Object;
use super::layout::DocSkin;
use super::note::Notes;

pub(super) fn write(
    scene: &Scene,
    placed: &DocSkin,
    grid: Option<Grid>,
    buffers: &mut Buffers<'_>,
    notes: &mut Notes,
) -> Object {
    let skin = &scene[placed.skin];
    let mut matrices = skin.joint_from_mesh.clone();
    if placed.follows {
        matrices.push(Affine3A::IDENTITY);
    }
    if let Some(grid) = grid {
        matrices.iter_mut().for_each(|joint_from_mesh| *joint_from_mesh *= grid.matrix());
    }
    let bound = matrices.iter().any(|matrix| *matrix != Affine3A::IDENTITY);
    let accessor = bound.then(|| {
        let flat: Vec<f32> = matrices.iter().flat_map(columns).collect();
        buffers.add(Elements::floats(Use::InverseBind, 16, &flat))
    });
    Object::new()
        .filled("name", skin.name.as_str())
        .some("inverseBindMatrices", accessor)
        .with("joints", placed.joints.clone())
        .filled("extras", extras(skin.method, notes))
}

/// Column by column; the last row is 0 0 0 1.
fn columns(matrix: &Affine3A) -> [f32; 16] {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let w = matrix.translation;
    [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, w.x, w.y, w.z, 1.0]
}

/// What only Sinew reads back.
fn extras(method: SkinMethod, notes: &mut Notes) -> Object {
    let name = match method {
        SkinMethod::Linear => return Object::new(),
        SkinMethod::DualQuaternion => "dual_quaternion",
        SkinMethod::Blended => "blended",
    };
    notes.add("a skin adds up dual quaternions: other programs will add up matrices");
    Object::new().with("sinew", Object::new().with("method", name))
}
