//! Skins with more joints than engines take, split: each part of a mesh follows few enough.
//!
//! In:  a mesh whose skin has too many joints that some vertex follows.
//! Out: several meshes, each with a skin of its own. Every triangle is in one of them, with the same corners, so nothing moves.

use sinew_scene::{
    Geometry, Influence, Influences, InstanceId, Mesh, MeshId, MorphTarget, Primitive, SceneParts,
    Skin, SkinId, Topology, WeightTrack,
};

use super::skeleton::MAX_JOINTS;
use crate::finding::counted;

/// A mesh with the skin that it is drawn with.
type Skinned = (MeshId, SkinId);

/// Splits meshes whose skins have too many joints.
pub(super) fn split_skins(parts: &mut SceneParts) -> Option<String> {
    split_over(parts, MAX_JOINTS)
}

fn split_over(parts: &mut SceneParts, limit: usize) -> Option<String> {
    let mut made: Vec<(Skinned, Vec<Skinned>)> = Vec::new();
    let mut meshes = 0;
    for at in 0..parts.instances.len() {
        let instance = &parts.instances[at];
        let Some(skin) = instance.skin else { continue };
        let known = (instance.mesh, skin);
        if parts.skins[skin.index()].joints.len() <= limit {
            continue;
        }
        let split = match made.iter().find(|(of, _)| *of == known) {
            Some((_, split)) => split.clone(),
            None => {
                let split = split(parts, known, limit);
                meshes += usize::from(!split.is_empty());
                made.push((known, split.clone()));
                split
            }
        };
        draw_parts(parts, at, &split);
    }
    let gone: Vec<Skinned> =
        made.iter().filter(|(_, split)| !split.is_empty()).map(|(of, _)| *of).collect();
    leave_out(parts, &gone);
    let count: usize = made.iter().map(|(_, split)| split.len()).sum();
    (meshes > 0).then(|| {
        let meshes = counted(meshes, "mesh is", "meshes are");
        format!("{meshes} split into {count} that follow {limit} joints at most; nothing moves")
    })
}

/// Leaves out those meshes and skins that no instance has any more.
fn leave_out(parts: &mut SceneParts, gone: &[Skinned]) {
    let uses_mesh = |parts: &SceneParts, at: usize| {
        parts.instances.iter().any(|instance| instance.mesh.index() == at)
    };
    let uses_skin = |parts: &SceneParts, at: usize| {
        parts.instances.iter().any(|instance| instance.skin.is_some_and(|it| it.index() == at))
    };
    let sorted = |mut all: Vec<usize>| {
        all.sort_unstable();
        all.dedup();
        all.into_iter().rev()
    };
    for at in sorted(gone.iter().map(|(mesh, _)| mesh.index()).collect()) {
        if !uses_mesh(parts, at) {
            parts.meshes.remove(at);
            let later = parts.instances.iter_mut().filter(|instance| instance.mesh.index() > at);
            later.for_each(|instance| instance.mesh = MeshId::new(instance.mesh.index() - 1));
        }
    }
    for at in sorted(gone.iter().map(|(_, skin)| skin.index()).collect()) {
        if !uses_skin(parts, at) {
            parts.skins.remove(at);
            let skins = parts.instances.iter_mut().filter_map(|instance| instance.skin.as_mut());
            skins
                .filter(|skin| skin.index() > at)
                .for_each(|skin| *skin = SkinId::new(skin.index() - 1));
        }
    }
}

/// Draws the parts of a mesh in place of it: the first by the same instance, the others by new ones on the same node.
fn draw_parts(parts: &mut SceneParts, at: usize, split: &[Skinned]) {
    for (number, &(mesh, skin)) in split.iter().enumerate() {
        if number == 0 {
            parts.instances[at].mesh = mesh;
            parts.instances[at].skin = Some(skin);
            continue;
        }
        let mut more = parts.instances[at].clone();
        more.mesh = mesh;
        more.skin = Some(skin);
        let new = InstanceId::new(parts.instances.len());
        parts.instances.push(more);
        // What morphs the mesh morphs all of its parts.
        for clip in &mut parts.clips {
            let own = clip.weights.iter().find(|track| track.instance.index() == at);
            let rows = own.map(|track| track.rows.clone());
            clip.weights.extend(rows.map(|rows| WeightTrack { instance: new, rows }));
        }
    }
}

/// Joints that a part follows, by their numbers in the whole skin.
struct Group {
    has: Vec<bool>,
    count: usize,
}

/// The parts of a mesh with skins of their own; none where one triangle alone follows too many joints, or all follow few enough.
fn split(parts: &mut SceneParts, (mesh, skin): (MeshId, SkinId), limit: usize) -> Vec<Skinned> {
    let whole = &parts.meshes[mesh.index()];
    let joints = parts.skins[skin.index()].joints.len();
    let mut groups: Vec<Group> = Vec::new();
    // For each primitive, the group of every triangle, line or point.
    let mut chosen: Vec<Vec<usize>> = Vec::new();
    for primitive in &whole.primitives {
        let each = primitive.indices.chunks_exact(corners(primitive.topology));
        let of_each = each.map(|corners| choose(&mut groups, joints, primitive, corners, limit));
        let Some(found) = of_each.collect::<Option<Vec<usize>>>() else { return Vec::new() };
        chosen.push(found);
    }
    let made: Vec<(Mesh, Skin)> = (0..groups.len())
        .map(|group| part(whole, &parts.skins[skin.index()], &groups[group], group, &chosen))
        .collect();
    let ids = made.into_iter().map(|(mesh, skin)| {
        parts.meshes.push(mesh);
        parts.skins.push(skin);
        (MeshId::new(parts.meshes.len() - 1), SkinId::new(parts.skins.len() - 1))
    });
    ids.collect()
}

fn corners(topology: Topology) -> usize {
    match topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    }
}

/// The group that these corners go to: where they add the fewest joints, or a new one. `None` where they follow too many alone.
fn choose(
    groups: &mut Vec<Group>,
    joints: usize,
    primitive: &Primitive,
    corners: &[u32],
    limit: usize,
) -> Option<usize> {
    let mut own: Vec<usize> = Vec::new();
    if !primitive.influences.is_empty() {
        let all = corners.iter().flat_map(|&corner| primitive.influences.of(corner as usize));
        own.extend(all.map(|influence| influence.joint as usize));
    }
    own.sort_unstable();
    own.dedup();
    let added = |group: &Group| own.iter().filter(|joint| !group.has[**joint]).count();
    let fits = |&(_, group): &(usize, &Group)| group.count + added(group) <= limit;
    let best = groups.iter().enumerate().filter(fits).min_by_key(|(_, group)| added(group));
    let at = match best.map(|(at, _)| at) {
        Some(at) => at,
        None if own.len() > limit => return None,
        None => {
            groups.push(Group { has: vec![false; joints], count: 0 });
            groups.len() - 1
        }
    };
    groups[at].count += added(&groups[at]);
    own.iter().for_each(|joint| groups[at].has[*joint] = true);
    Some(at)
}

/// One part of a mesh, with its skin.
fn part(
    whole: &Mesh,
    skin: &Skin,
    group: &Group,
    number: usize,
    chosen: &[Vec<usize>],
) -> (Mesh, Skin) {
    let mut now = vec![0_u32; group.has.len()];
    let mut kept: Vec<usize> = (0..group.has.len()).filter(|joint| group.has[*joint]).collect();
    if kept.is_empty() {
        // A skin without joints is none.
        kept.push(0);
    }
    kept.iter().zip(0..).for_each(|(joint, new)| now[*joint] = new);
    let primitives = whole.primitives.iter().zip(chosen).filter_map(|(primitive, chosen)| {
        let each = primitive.indices.chunks_exact(corners(primitive.topology));
        let own = each.zip(chosen).filter(|(_, group)| **group == number);
        let indices: Vec<u32> = own.flat_map(|(corners, _)| corners).copied().collect();
        (!indices.is_empty()).then(|| picked(primitive, indices, &now))
    });
    let name = match number {
        0 => whole.name.clone(),
        _ => format!("{}.{number}", whole.name),
    };
    let mesh =
        Mesh { name, primitives: primitives.collect(), morph_names: whole.morph_names.clone() };
    let skin = Skin {
        name: skin.name.clone(),
        joints: kept.iter().map(|&joint| skin.joints[joint]).collect(),
        joint_from_mesh: kept.iter().map(|&joint| skin.joint_from_mesh[joint]).collect(),
        method: skin.method,
    };
    (mesh, skin)
}

/// A primitive with these of its indices alone, and the vertices that they use; joints get their new numbers.
fn picked(whole: &Primitive, mut indices: Vec<u32>, now: &[u32]) -> Primitive {
    let mut vertices: Vec<u32> = indices.clone();
    vertices.sort_unstable();
    vertices.dedup();
    let mut places = vec![0_u32; whole.positions.len()];
    vertices.iter().zip(0..).for_each(|(vertex, new)| places[*vertex as usize] = new);
    indices.iter_mut().for_each(|index| *index = places[*index as usize]);
    let mut influences = Influences::default();
    if !whole.influences.is_empty() {
        for &vertex in &vertices {
            let of_vertex = whole.influences.of(vertex as usize).iter();
            influences.push_exact(
                of_vertex.map(|one| Influence { joint: now[one.joint as usize], ..*one }),
            );
        }
    }
    let morph = |morph: &MorphTarget| MorphTarget {
        positions: pick(&morph.positions, &vertices),
        normals: pick(&morph.normals, &vertices),
        tangents: pick(&morph.tangents, &vertices),
    };
    Primitive {
        material: whole.material,
        variants: whole.variants.clone(),
        ..Primitive::from(Geometry {
            topology: whole.topology,
            indices,
            positions: pick(&whole.positions, &vertices),
            normals: pick(&whole.normals, &vertices),
            tangents: pick(&whole.tangents, &vertices),
            uvs: whole.uvs.iter().map(|uvs| pick(uvs, &vertices)).collect(),
            colors: whole.colors.iter().map(|colors| pick(colors, &vertices)).collect(),
            influences,
            dual_weights: pick(&whole.dual_weights, &vertices),
            morphs: whole.morphs.iter().map(morph).collect(),
        })
    }
}

fn pick<T: Copy>(list: &[T], vertices: &[u32]) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    vertices.iter().map(|&vertex| list[vertex as usize]).collect()
}
