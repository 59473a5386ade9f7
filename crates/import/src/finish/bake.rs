//! Bakes the transforms of nodes into the meshes under them, in a model that nothing moves.
//!
//! In:  meshes under nodes, without clips and skins.
//! Out: meshes in world space, one for each place they stood in, all under one new root node.
//!
//! The other nodes stay, with their names and children: cameras and lights still hang under them,
//! and a program may look for a socket by name.

use std::collections::HashSet;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use sinew_scene::{
    Geometry, JointId, Mesh, MeshId, Node, Primitive, SceneParts, Topology, Transform,
};

use crate::Place;
use crate::budget::Budget;
use crate::note::Notes;

pub(super) fn bake(parts: &mut SceneParts, budget: &mut Budget, notes: &mut Notes) {
    let moves = !parts.clips.is_empty() || !parts.skins.is_empty() || !parts.properties.is_empty();
    if moves || parts.instances.is_empty() {
        return;
    }
    // What is out of range is named by the scene's checks.
    let Some(world_from_node) = world_from_node(&parts.nodes) else { return };
    let in_range = parts.instances.iter().all(|instance| {
        instance.joint.index() < parts.nodes.len() && instance.mesh.index() < parts.meshes.len()
    });
    if !in_range {
        return;
    }
    let place = Place::part("instances");
    if budget.take(copied_vertices(parts), VERTEX_SIZE, &place).is_err() {
        notes.add(place, "nodes are not baked: a mesh has too many instances");
        return;
    }
    let root = JointId::new(parts.nodes.len());
    parts.nodes.push(Node::new("baked", None, Transform::IDENTITY));
    let mut first: Vec<Option<Mesh>> = parts.meshes.drain(..).map(Some).collect();
    let mut uses = vec![0_usize; first.len()];
    for instance in &parts.instances {
        uses[instance.mesh.index()] += 1;
    }
    for instance in &mut parts.instances {
        let at = instance.mesh.index();
        uses[at] -= 1;
        let taken = if uses[at] == 0 { first[at].take() } else { first[at].clone() };
        let Some(mut mesh) = taken else { continue };
        let world_from_mesh = world_from_node[instance.joint.index()];
        for primitive in &mut mesh.primitives {
            bake_primitive(primitive, world_from_mesh);
        }
        instance.mesh = MeshId::new(parts.meshes.len());
        instance.joint = root;
        parts.meshes.push(mesh);
    }
}

/// Near enough what a vertex takes with its indices.
const VERTEX_SIZE: usize = 80;

fn copied_vertices(parts: &SceneParts) -> usize {
    let size = |one: &Primitive| one.positions.len() * (1 + one.morphs.len());
    let of_mesh = |mesh: &Mesh| mesh.primitives.iter().map(size).sum();
    let sizes: Vec<usize> = parts.meshes.iter().map(of_mesh).collect();
    let all = parts.instances.iter().map(|instance| sizes[instance.mesh.index()]);
    // What meshes share is there once.
    let mut known = HashSet::new();
    let primitives = parts.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let there = primitives.filter(|one| known.insert(Arc::as_ptr(&one.geometry))).map(size).sum();
    all.fold(0, usize::saturating_add).saturating_sub(there)
}

fn world_from_node(nodes: &[Node]) -> Option<Vec<Affine3A>> {
    let mut all: Vec<Affine3A> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let parent = match node.parent {
            Some(parent) => *all.get(parent.index())?,
            None => Affine3A::IDENTITY,
        };
        all.push(parent * node.parent_from_node());
    }
    Some(all)
}

fn bake_primitive(primitive: &mut Geometry, world_from_mesh: Affine3A) {
    if world_from_mesh == Affine3A::IDENTITY {
        return;
    }
    let linear = world_from_mesh.matrix3;
    let side = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    let normal_matrix = side * cofactor(linear);
    for position in &mut primitive.positions {
        *position = world_from_mesh.transform_point3(*position);
    }
    // A morph target's normals are differences from the normal before it was made unit length.
    let shrink = |vector: Vec3A| vector.length().max(f32::MIN_POSITIVE).recip();
    for (at, normal) in primitive.normals.iter_mut().enumerate() {
        let rotated = normal_matrix * Vec3A::from(*normal);
        for shift in primitive.morphs.iter_mut().filter_map(|one| one.normals.get_mut(at)) {
            *shift = (normal_matrix * Vec3A::from(*shift) * shrink(rotated)).into();
        }
        *normal = rotated.try_normalize().map_or(Vec3::Y, Vec3::from);
    }
    for (at, tangent) in primitive.tangents.iter_mut().enumerate() {
        let rotated = linear * Vec3A::from(tangent.truncate());
        for shift in primitive.morphs.iter_mut().filter_map(|one| one.tangents.get_mut(at)) {
            *shift = (linear * Vec3A::from(*shift) * shrink(rotated)).into();
        }
        *tangent = rotated.try_normalize().map_or(Vec3::X, Vec3::from).extend(tangent.w * side);
    }
    for shift in primitive.morphs.iter_mut().flat_map(|morph| &mut morph.positions) {
        *shift = (linear * Vec3A::from(*shift)).into();
    }
    if side < 0.0 && primitive.topology == Topology::Triangles {
        for triangle in primitive.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}

/// The determinant times the inverse transpose; it has an answer for flat matrices too.
fn cofactor(matrix: Mat3A) -> Mat3A {
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec4};
    use sinew_scene::{Clip, Instance, MorphTarget, Scene};

    /// A triangle facing +Z under two nodes.
    fn parts(first: Transform, second: Transform) -> SceneParts {
        let primitive = Primitive::from(Geometry {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 3],
            indices: vec![0, 1, 2],
            morphs: vec![MorphTarget {
                positions: vec![Vec3::X; 3],
                normals: vec![Vec3::Y; 3],
                tangents: vec![Vec3::Z; 3],
            }],
            ..Geometry::default()
        });
        let mesh =
            Mesh { primitives: vec![primitive], morph_names: vec!["m".into()], ..Mesh::default() };
        let place = |joint| Instance {
            joint: JointId::new(joint),
            mesh: MeshId::new(0),
            skin: None,
            weights: vec![0.0],
        };
        SceneParts {
            nodes: vec![Node::new("a", None, first), Node::new("b", Some(JointId::new(0)), second)],
            meshes: vec![mesh],
            instances: vec![place(0), place(1)],
            ..SceneParts::default()
        }
    }

    fn baked(mut parts: SceneParts) -> SceneParts {
        bake(&mut parts, &mut Budget::for_file(0), &mut Notes::default());
        Scene::new(parts.clone()).expect("still a scene");
        parts
    }

    #[test]
    fn a_mesh_in_two_places_becomes_two_meshes_under_one_root() {
        let up = Transform::from_translation(Vec3::Y);
        let parts = baked(parts(up, Transform::from_translation(2.0 * Vec3::Z)));
        assert_eq!(parts.nodes.len(), 3);
        assert_eq!((&parts.nodes[2].name[..], parts.nodes[2].parent), ("baked", None));
        assert!(parts.instances.iter().all(|instance| instance.joint == JointId::new(2)));
        let first_vertex = |mesh: usize| parts.meshes[mesh].primitives[0].positions[0];
        assert_eq!(first_vertex(parts.instances[0].mesh.index()), Vec3::Y);
        assert_eq!(first_vertex(parts.instances[1].mesh.index()), Vec3::new(0.0, 1.0, 2.0));
    }

    /// The cofactor for normals, and a mirror reverses the winding of triangles.
    #[test]
    fn a_mirrored_and_squashed_node_keeps_normals_outside() {
        let squash = Transform {
            scale: Vec3::new(-2.0, 1.0, 1.0),
            rotation: Quat::from_rotation_y(45_f32.to_radians()),
            ..Transform::IDENTITY
        };
        // Turned by 45°, then doubled along X and mirrored by the node above.
        let above = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..Transform::IDENTITY };
        let parts = baked(parts(above, squash));
        let primitive = &parts.meshes[1].primitives[0];
        assert_eq!(primitive.indices, [0, 2, 1]);
        let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[primitive.indices[at] as usize]);
        let face = (b - a).cross(c - a).normalize();
        assert!(primitive.normals[0].abs_diff_eq(face, 1e-6), "{} {face}", primitive.normals[0]);
        let tangent = primitive.tangents[0];
        assert!(tangent.truncate().abs_diff_eq((primitive.positions[1] - a).normalize(), 1e-6));
        assert_eq!(tangent.w, -1.0);
    }

    #[test]
    fn a_morph_targets_normals_are_shrunk_as_the_normal_is() {
        let thin = Transform { scale: Vec3::new(1.0, 2.0, 4.0), ..Transform::IDENTITY };
        let parts = baked(parts(thin, Transform::IDENTITY));
        let morph = &parts.meshes[0].primitives[0].morphs[0];
        // The cofactor of diag(1, 2, 4) is diag(8, 4, 2): Z becomes 2 Z and is halved; Y becomes 4 Y.
        assert_eq!(morph.normals[0], 2.0 * Vec3::Y);
        assert_eq!(morph.tangents[0], 4.0 * Vec3::Z);
        assert_eq!(morph.positions[0], Vec3::X);
    }

    #[test]
    fn what_moves_is_let_be_and_a_crowd_is_not_copied_without_bound() {
        let up = Transform::from_translation(Vec3::Y);
        let mut moving = parts(up, up);
        moving.clips.push(Clip::default());
        assert_eq!(baked(moving.clone()), moving);
        let mut crowd = parts(up, up);
        let one = crowd.instances[0].clone();
        crowd.instances = vec![one; 1_000_000];
        let mut notes = Notes::default();
        bake(&mut crowd, &mut Budget::for_file(0), &mut notes);
        assert_eq!(crowd.meshes.len(), 1);
        assert_eq!(notes.into_vec().len(), 1);
    }
}
