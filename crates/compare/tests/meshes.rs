//! Which vertices are compared with which, and what one model has and the other has not.

mod made;

use made::{arm, found, near, rotate, scene};
use sinew_compare::{CompareOptions, MeshMatch, compare};
use sinew_scene::glam::Vec3;
use sinew_scene::{
    Clip, Geometry, Influence, Influences, Instance, JointId, Material, Mesh, MeshId, Node,
    Primitive, SceneParts, SkinId, Transform,
};

fn bend() -> Clip {
    rotate(1, &[(0.0, 0.0), (1.0, 90.0)])
}

/// The strip of the arm with these vertices, each moved by one joint.
fn with_vertices(vertices: &[(Vec3, u32)]) -> SceneParts {
    let mut parts = arm(vec![bend()]);
    let mut influences = Influences::default();
    for (_, joint) in vertices {
        influences.push([Influence { joint: *joint, weight: 1.0 }]);
    }
    let primitive = &mut parts.meshes[0].primitives[0];
    primitive.positions = vertices.iter().map(|vertex| vertex.0).collect();
    primitive.influences = influences;
    parts
}

const REVERSED: [(Vec3, u32); 3] = [(Vec3::new(2.0, 0.0, 0.0), 1), (Vec3::X, 1), (Vec3::ZERO, 0)];

#[test]
fn vertices_in_another_order_are_found_by_place() {
    let a = scene(arm(vec![bend()]));
    let found = found(&a, &scene(with_vertices(&REVERSED)));
    assert_eq!(found.meshes[0].how, MeshMatch::Nearest { gap: 0.0 });
    assert_eq!(found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres, 0.0);
}

#[test]
fn as_many_vertices_in_the_same_order_are_paired_by_index() {
    let moved = made::STRIP.map(|place| place + 0.01 * Vec3::Y);
    let moved: Vec<_> = moved.into_iter().zip([0, 1, 1]).collect();
    let found = found(&scene(arm(vec![bend()])), &scene(with_vertices(&moved)));
    assert_eq!(found.meshes[0].how, MeshMatch::Index);
    near(found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres, 0.01);
}

#[test]
fn a_mesh_that_is_elsewhere_altogether_is_still_paired_by_index() {
    let far = made::STRIP.map(|place| place + 3.0 * Vec3::Y);
    let far: Vec<_> = far.into_iter().zip([0, 1, 1]).collect();
    let found = found(&scene(arm(vec![bend()])), &scene(with_vertices(&far)));
    assert_eq!(found.meshes[0].how, MeshMatch::Index);
    near(found.rest.skin.expect("a strip").worst.metres, 3.0);
}

#[test]
fn other_numbers_of_vertices_are_paired_by_place_in_both_directions() {
    // B has one more, half a metre off: A has none there, and it is not overlooked.
    let mut more = REVERSED.to_vec();
    more.push((Vec3::new(2.0, 0.5, 0.0), 1));
    let found = found(&scene(arm(vec![bend()])), &scene(with_vertices(&more)));
    assert_eq!(found.meshes[0].vertices, [3, 4]);
    assert_eq!(found.meshes[0].how, MeshMatch::Nearest { gap: 0.5 });
    near(found.rest.skin.expect("a strip").worst.metres, 0.5);
}

#[test]
fn the_parts_of_a_split_mesh_are_compared_with_the_whole() {
    let part = |vertices: &[(Vec3, u32)]| {
        let mut parts = with_vertices(vertices);
        parts.meshes[0].name = "strip".into();
        parts.meshes[0].primitives[0].indices = vec![0, 1, 0];
        parts
    };
    let mut whole = arm(vec![bend()]);
    whole.meshes[0].name = "strip".into();
    let mut split = part(&REVERSED[..2]);
    let more = part(&REVERSED[1..]).meshes.remove(0);
    split.meshes.push(Mesh { name: "strip.1".into(), ..more });
    split.instances.push(Instance { mesh: MeshId::new(1), ..split.instances[0].clone() });
    let [whole, split] = [whole, split].map(scene);
    for [a, b] in [[&whole, &split], [&split, &whole]] {
        let found = found(a, b);
        assert_eq!(found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres, 0.0);
        let only = &found.structure.meshes;
        assert!(only.a.is_empty() && only.b.is_empty(), "{only:?}");
    }
}

#[test]
fn of_vertices_at_one_place_those_with_the_same_influences_are_partners() {
    // Lips that touch: one place, moved by different joints.
    let lip = 1.5 * Vec3::X;
    let lips = [(lip, 0), (lip, 1), (2.0 * Vec3::X, 1)];
    let other = [(2.0 * Vec3::X, 1), (lip, 1), (lip, 0), (lip, 0)];
    let found = found(&scene(with_vertices(&lips)), &scene(with_vertices(&other)));
    assert_eq!(found.clips[0].measure.skin.as_ref().expect("lips").worst.metres, 0.0);
}

#[test]
fn meshes_that_are_split_otherwise_are_compared_as_one() {
    let mut parts = arm(vec![bend()]);
    let whole = parts.meshes[0].primitives[0].clone();
    let half = |from: usize, to: usize, name: &str| {
        let mut influences = Influences::default();
        whole.influences.iter().skip(from).take(to - from).for_each(|own| {
            influences.push(own.iter().copied());
        });
        let positions = whole.positions[from..to].to_vec();
        let primitive = Primitive::from(Geometry { positions, influences, ..Geometry::default() });
        Mesh { name: name.into(), primitives: vec![primitive], ..Mesh::default() }
    };
    parts.meshes = vec![half(0, 1, "near"), half(1, 3, "far")];
    parts.nodes[2].name = "near".into();
    parts.nodes.push(Node::new("far", None, Transform::IDENTITY));
    let skin = Some(SkinId::new(0));
    let joint = JointId::new(3);
    parts.instances.push(Instance { joint, mesh: MeshId::new(1), skin, weights: Vec::new() });
    let found = found(&scene(arm(vec![bend()])), &scene(parts));
    assert_eq!(found.meshes.len(), 1);
    assert_eq!((&found.meshes[0].a[..], &found.meshes[0].b[..]), ("strip", "near, far"));
    assert_eq!(found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres, 0.0);
    assert!(found.structure.meshes.is_empty());
}

#[test]
fn a_rigid_mesh_goes_with_its_node() {
    let rigid = |degrees: f32| {
        let mut parts = arm(vec![rotate(1, &[(0.0, 0.0), (1.0, degrees)])]);
        parts.instances[0].skin = None;
        parts.instances[0].joint = JointId::new(1);
        parts.meshes[0].primitives[0].influences = Influences::default();
        scene(parts)
    };
    let found = found(&rigid(0.0), &rigid(60.0));
    let worst = &found.clips[0].measure.skin.as_ref().expect("a strip").worst;
    // Two metres from its joint, by 60°.
    near(worst.metres, 2.0);
    assert_eq!((&worst.joint[..], worst.vertex), ("lower", 2));
}

#[test]
fn the_worst_vertex_is_near_the_joint_that_influences_it_most() {
    let with = |degrees: f32| {
        let mut parts = arm(vec![rotate(1, &[(0.0, 0.0), (1.0, degrees)])]);
        let mut influences = Influences::default();
        let [near, far] = [(0, 0.25), (1, 0.75)].map(|(joint, weight)| Influence { joint, weight });
        influences.push([near]);
        influences.push([near]);
        influences.push([near, far]);
        parts.meshes[0].primitives[0].influences = influences;
        scene(parts)
    };
    let found = found(&with(0.0), &with(60.0));
    let worst = &found.clips[0].measure.skin.as_ref().expect("a strip").worst;
    assert_eq!((worst.vertex, &worst.joint[..]), (2, "lower"));
    // Three quarters of the chord of 60° at a metre.
    near(worst.metres, 0.75);
}

#[test]
fn the_worst_of_every_vertex_is_kept_when_asked_for() {
    let options = CompareOptions { keep_vertices: true, ..CompareOptions::default() };
    let a = scene(arm(vec![rotate(1, &[(0.0, 0.0), (1.0, 0.0)])]));
    let found = compare(&a, &scene(arm(vec![bend()])), &options).expect("two arms");
    let vertices = &found.clips[0].measure.vertices;
    assert_eq!(vertices.len(), 3);
    assert!(vertices[0] < 1e-6 && vertices[1] < 1e-6, "{vertices:?}");
    near(f64::from(vertices[2]), 2_f64.sqrt());
}

#[test]
fn what_only_one_has_is_named() {
    let mut parts = arm(vec![bend(), Clip { name: "idle".into(), ..Clip::default() }]);
    parts.materials = vec![Material { name: "skin".into(), ..Material::default() }];
    parts.nodes.push(Node::new("hand", Some(JointId::new(1)), Transform::IDENTITY));
    let a = scene(parts);
    let mut parts = arm(vec![bend()]);
    parts.nodes.push(Node::new("tail", Some(JointId::new(0)), Transform::IDENTITY));
    parts.nodes.push(Node::new("hat", None, Transform::IDENTITY));
    let hat = Primitive::from(Geometry { positions: vec![Vec3::Y], ..Geometry::default() });
    parts.meshes.push(Mesh { name: "hat".into(), primitives: vec![hat], ..Mesh::default() });
    let (joint, mesh) = (JointId::new(4), MeshId::new(1));
    parts.instances.push(Instance { joint, mesh, skin: None, weights: Vec::new() });
    let structure = found(&a, &scene(parts)).structure;
    assert_eq!(
        (structure.joints.a, structure.joints.b),
        (vec!["hand".into()], vec!["tail".to_owned()])
    );
    assert_eq!((structure.clips.a, structure.clips.b), (vec!["idle".into()], Vec::<String>::new()));
    assert_eq!(structure.meshes.b, ["hat"]);
    assert_eq!(structure.materials.a, ["skin"]);
    assert_eq!(structure.counts[0].clips, 2);
    assert_eq!(structure.counts[1].vertices, 4);
}

#[test]
fn a_joint_under_another_parent_is_named() {
    let mut parts = arm(vec![bend()]);
    parts.nodes.push(Node::new("hand", Some(JointId::new(1)), Transform::IDENTITY));
    let a = scene(parts.clone());
    parts.nodes[3].parent = Some(JointId::new(0));
    parts.nodes[3].rest.translation = Vec3::X;
    // Where the node of a skinned mesh hangs does not matter.
    parts.nodes[2].parent = Some(JointId::new(0));
    let reparented = found(&a, &scene(parts)).structure.reparented;
    assert_eq!(reparented.len(), 1);
    assert_eq!(reparented[0].joint, "hand");
    assert_eq!(reparented[0].parents, ["lower", "upper"]);
}

/// A grid of 20 by 20 vertices a centimetre apart, moved by the lower joint, in the order that `place` gives.
fn grid(place: impl Fn(usize) -> usize, at: impl Fn(Vec3) -> Vec3) -> SceneParts {
    let point = |number: usize| Vec3::new((number % 20) as f32, (number / 20) as f32, 0.0) * 0.01;
    let vertices: Vec<_> = (0..400).map(|number| (at(point(place(number))), 1)).collect();
    let mut parts = with_vertices(&vertices);
    let mut spots = vec![0; 400];
    (0..400).for_each(|number| spots[place(number)] = number as u32);
    let corner = |number: usize| [0, 1, 20].map(|next| spots[number + next]);
    parts.meshes[0].primitives[0].indices = (0..379).flat_map(corner).collect();
    parts
}

#[test]
fn neighbours_that_change_places_are_found_though_they_are_near() {
    let a = scene(grid(|number| number, |point| point));
    let found = found(&a, &scene(grid(|number| number ^ 1, |point| point)));
    assert!(matches!(found.meshes[0].how, MeshMatch::Nearest { .. }));
    assert_eq!(found.clips[0].measure.skin.as_ref().expect("a grid").worst.metres, 0.0);
}

#[test]
fn islands_that_change_places_as_wholes_are_found_by_place() {
    let corner = |number: usize| {
        let (right, up) = ((number % 2) as f32, (number / 2 % 2) as f32);
        Vec3::new((number / 4) as f32 + 0.1 * right, 0.1 * up, 0.0)
    };
    let squares = |first: usize| {
        let vertices: Vec<_> = (0..32).map(|number| (corner((number + first) % 32), 1)).collect();
        let mut parts = with_vertices(&vertices);
        let square = |at: u32| [0, 1, 2, 2, 1, 3].map(|next| at + next);
        parts.meshes[0].primitives[0].indices = (0..32).step_by(4).flat_map(square).collect();
        scene(parts)
    };
    let found = found(&squares(0), &squares(4));
    assert_eq!(found.meshes[0].how, MeshMatch::Nearest { gap: 0.0 });
    assert_eq!(found.rest.skin.expect("squares").worst.metres, 0.0);
}

#[test]
fn a_dense_mesh_that_is_moved_bent_or_rough_keeps_its_order() {
    let a = scene(grid(|number| number, |point| point));
    // A shift by one vertex along the grid: by place it would be 0 for most of them.
    let shifted = found(&a, &scene(grid(|number| number, |point| point + 0.01 * Vec3::X)));
    assert_eq!(shifted.meshes[0].how, MeshMatch::Index);
    near(shifted.rest.skin.expect("a grid").worst.metres, 0.01);
    let bent =
        found(&a, &scene(grid(|number| number, |point| point + 5.0 * point.x * point.x * Vec3::Y)));
    assert_eq!(bent.meshes[0].how, MeshMatch::Index);
    // Noise of a tenth of a millimetre, as of positions that were rounded.
    let noise =
        |point: Vec3| point + 1e-4 * Vec3::new((1e5 * point.x).sin(), (9e4 * point.y).cos(), 0.0);
    let rough = found(&a, &scene(grid(|number| number, noise)));
    assert_eq!(rough.meshes[0].how, MeshMatch::Index);
}
