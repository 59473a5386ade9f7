//! Sinew's primitives and skins as Bevy's meshes and bind poses.
//!
//! Bevy's shaders take four influences a vertex and add matrices up; what a file has beyond that is reported in a note. A
//! vertex that no joint influences has one more joint: the node of the mesh.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::morph::MorphAttributes;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use sinew::Scene;
use sinew::glam::{Mat4, Vec3};
use sinew::scene::{Influence, Primitive, Skin, SkinMethod, Topology};

/// How many influences a vertex has in Bevy.
const MAX_INFLUENCES: usize = 4;

/// How many joints the skin of a mesh has, or `None` for a rigid one.
pub(crate) fn joints_of(scene: &Scene, mesh: usize) -> Option<usize> {
    let instances = scene.instances.iter().filter(|instance| instance.mesh.index() == mesh);
    let skins = instances.filter_map(|instance| instance.skin);
    skins.map(|skin| scene.skins[skin.index()].joints.len()).max()
}

/// One primitive; `joints` is how many its skin has.
pub(crate) fn shape(primitive: &Primitive, joints: Option<usize>, notes: &mut Vec<String>) -> Mesh {
    let topology = match primitive.topology {
        Topology::Triangles => PrimitiveTopology::TriangleList,
        Topology::Lines => PrimitiveTopology::LineList,
        Topology::Points => PrimitiveTopology::PointList,
    };
    let mut mesh = Mesh::new(topology, RenderAssetUsages::default());
    let threes = |values: &[Vec3]| -> Vec<[f32; 3]> { values.iter().map(Vec3::to_array).collect() };
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, threes(&primitive.positions));
    if !primitive.normals.is_empty() {
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, threes(&primitive.normals));
    }
    if !primitive.tangents.is_empty() {
        let tangents: Vec<_> = primitive.tangents.iter().map(|t| t.to_array()).collect();
        mesh.insert_attribute(Mesh::ATTRIBUTE_TANGENT, tangents);
    }
    for (attribute, uvs) in
        [Mesh::ATTRIBUTE_UV_0, Mesh::ATTRIBUTE_UV_1].into_iter().zip(&primitive.uvs)
    {
        let uvs: Vec<_> = uvs.iter().map(|uv| uv.to_array()).collect();
        mesh.insert_attribute(attribute, uvs);
    }
    if let Some(colors) = primitive.colors.first() {
        let colors: Vec<_> = colors.iter().map(|color| color.to_array()).collect();
        mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    }
    if let Some(joints) = joints {
        influences(&mut mesh, primitive, joints, notes);
    }
    if !primitive.morphs.is_empty() {
        mesh.set_morph_targets(morphs(primitive));
    }
    mesh.insert_indices(Indices::U32(primitive.indices.clone()));
    mesh
}

fn influences(mesh: &mut Mesh, primitive: &Primitive, joints: usize, notes: &mut Vec<String>) {
    let (mut indices, mut weights) = (Vec::new(), Vec::new());
    // Bevy counts joints in 16 bits; the node of the mesh comes after the last.
    let Ok(own_node) = u16::try_from(joints) else {
        notes.push(format!("a skin of {joints} joints is too large for Bevy: its mesh is rigid"));
        return;
    };
    let none = Influence { joint: u32::from(own_node), weight: 1.0 };
    for vertex in 0..primitive.positions.len() {
        let all =
            if primitive.influences.is_empty() { &[] } else { primitive.influences.of(vertex) };
        let four = strongest(if all.is_empty() { std::slice::from_ref(&none) } else { all });
        indices.push(four.map(|influence| influence.joint as u16));
        weights.push(four.map(|influence| influence.weight));
    }
    let most = primitive.influences.most();
    if most > MAX_INFLUENCES {
        notes
            .push(format!("vertices with up to {most} influences keep their {MAX_INFLUENCES} strongest in Bevy"));
    }
    mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, VertexAttributeValues::Uint16x4(indices));
    mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights);
    // Without bounds Bevy takes those of the bind pose; a primitive of no vertex has none.
    let _ = mesh.generate_skinned_mesh_bounds();
}

/// The four strongest influences, which sum to one.
fn strongest(influences: &[Influence]) -> [Influence; MAX_INFLUENCES] {
    let mut sorted = influences.to_vec();
    sorted.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    sorted.truncate(MAX_INFLUENCES);
    let sum: f32 = sorted.iter().map(|influence| influence.weight).sum();
    std::array::from_fn(|index| match sorted.get(index) {
        Some(influence) => Influence { joint: influence.joint, weight: influence.weight / sum },
        None => Influence { joint: 0, weight: 0.0 },
    })
}

/// Target after target, vertex after vertex.
fn morphs(primitive: &Primitive) -> Vec<MorphAttributes> {
    let at = |list: &[Vec3], vertex: usize| list.get(vertex).copied().unwrap_or(Vec3::ZERO);
    let vertices = 0..primitive.positions.len();
    let targets = primitive.morphs.iter().flat_map(|target| {
        vertices.clone().map(move |vertex| {
            MorphAttributes::new(
                at(&target.positions, vertex),
                at(&target.normals, vertex),
                at(&target.tangents, vertex),
            )
        })
    });
    targets.collect()
}

/// Of each joint, and the identity for the node of the mesh.
pub(crate) fn bind_poses(skin: &Skin) -> SkinnedMeshInverseBindposes {
    let joints = skin.joint_from_mesh.iter().map(|bind| Mat4::from(*bind));
    joints.chain([Mat4::IDENTITY]).collect::<Vec<_>>().into()
}

/// Notes of what Bevy has no place for.
pub(crate) fn report_what_is_lost(scene: &Scene, notes: &mut Vec<String>) {
    let sheared = scene.skeleton().sheared().len();
    if sheared > 0 {
        notes.push(format!("nodes that are sheared, which Bevy's Transform cannot hold: {sheared}"));
    }
    let dual = scene.skins.iter().filter(|skin| skin.method != SkinMethod::Linear).count();
    if dual > 0 {
        notes.push(format!("skins of dual quaternions, for which Bevy blends matrices: {dual}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_strongest_influences_are_kept_and_sum_to_one() {
        let influence = |joint, weight| Influence { joint, weight };
        let all = [influence(0, 0.05), influence(1, 0.3), influence(2, 0.15), influence(3, 0.2), influence(4, 0.3)];
        let four = strongest(&all);
        assert_eq!(four.map(|influence| influence.joint), [1, 4, 3, 2]);
        let sum: f32 = four.iter().map(|influence| influence.weight).sum();
        assert!((sum - 1.0).abs() < 1e-6 && (four[0].weight - 0.3 / 0.95).abs() < 1e-6);
        assert_eq!(strongest(&all[..1])[0], influence(0, 1.0));
    }
}
