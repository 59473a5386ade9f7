//! Meshes changed for some of their instances, and vertices taken through a matrix.

use glam::{Mat3A, Vec3, Vec3A, Vec4};
use sinew_scene::{Geometry, Mesh, MeshId, SceneParts, Topology};

/// Mirrors at the plane of Y and Z.
pub(super) const MIRROR: Mat3A = Mat3A::from_cols(Vec3A::NEG_X, Vec3A::Y, Vec3A::Z);

/// Changes the meshes of these instances. One that another instance draws as well is copied, so that the other stays as it is.
pub(super) fn change(parts: &mut SceneParts, chosen: &[usize], change: impl Fn(&mut Mesh)) {
    let mut done: Vec<(usize, MeshId)> = Vec::new();
    for &at in chosen {
        let old = parts.instances[at].mesh.index();
        if let Some((_, new)) = done.iter().find(|(known, _)| *known == old) {
            parts.instances[at].mesh = *new;
            continue;
        }
        let mut changed = parts.meshes[old].clone();
        change(&mut changed);
        let mut others = (0..parts.instances.len()).filter(|other| !chosen.contains(other));
        let new = if others.any(|other| parts.instances[other].mesh.index() == old) {
            parts.meshes.push(changed);
            parts.meshes.len() - 1
        } else {
            parts.meshes[old] = changed;
            old
        };
        done.push((old, MeshId::new(new)));
        parts.instances[at].mesh = MeshId::new(new);
    }
}

/// Takes every vertex through a matrix. One that mirrors also reverses the corners of triangles, so that faces keep their front.
pub(super) fn transform(mesh: &mut Mesh, by: Mat3A) {
    mesh.primitives.iter_mut().for_each(|primitive| transform_primitive(primitive, by));
}

fn transform_primitive(primitive: &mut Geometry, by: Mat3A) {
    let mirrors = by.determinant() < 0.0;
    let moved = |vector: Vec3| Vec3::from(by * Vec3A::from(vector));
    let upright = by.inverse().transpose();
    let normal = |vector: Vec3| {
        let turned = Vec3::from(upright * Vec3A::from(vector));
        turned.try_normalize().unwrap_or(vector)
    };
    for morph in &mut primitive.morphs {
        morph.positions.iter_mut().for_each(|change| *change = moved(*change));
        morph.tangents.iter_mut().for_each(|change| *change = moved(*change));
        // Where the full shape has its normal, less where the mesh has it.
        for (change, own) in morph.normals.iter_mut().zip(&primitive.normals) {
            *change = normal(*own + *change) - normal(*own);
        }
    }
    primitive.positions.iter_mut().for_each(|position| *position = moved(*position));
    primitive.normals.iter_mut().for_each(|own| *own = normal(*own));
    for tangent in &mut primitive.tangents {
        let own = tangent.truncate();
        let side = if mirrors { -tangent.w } else { tangent.w };
        *tangent = Vec4::from((moved(own).try_normalize().unwrap_or(own), side));
    }
    if mirrors && primitive.topology == Topology::Triangles {
        primitive.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    }
}
