use glam::{Quat, Vec3};
use sinew_scene::{
    AnimatedProperty, Clip, Curve, Instance, InstanceId, Interpolation, JointId, Material,
    MaterialId, Mesh, MeshId, Node, Property, PropertyId, PropertyTrack, Rows, Scene, SceneParts,
    Skin, Track, Transform, WeightTrack,
};

use super::attach;
use crate::{ErrorKind, Format, Imported};

fn joint(at: usize) -> JointId {
    JointId::new(at)
}

/// A chain of nodes, one metre apart along Y, the first at the origin.
fn chain(names: &[&str]) -> Vec<Node> {
    names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let offset = if at == 0 { Vec3::ZERO } else { Vec3::Y };
            Node::new(*name, at.checked_sub(1).map(joint), Transform::from_translation(offset))
        })
        .collect()
}

fn imported(parts: SceneParts) -> Imported {
    Imported {
        scene: Scene::new(parts).expect("good parts"),
        notes: Vec::new(),
        details: Vec::new(),
        name: "file".into(),
        format: Format::Demo,
        extensions: Vec::new(),
    }
}

fn rotation(at: usize, angle: f32) -> Track<Quat> {
    Track { joint: joint(at), curve: Curve::constant(Quat::from_rotation_z(angle)) }
}

fn clip(name: &str, rotations: Vec<Track<Quat>>) -> Clip {
    Clip { name: name.into(), duration: 1.5, start: 0.25, rotations, ..Clip::default() }
}

fn model(names: &[&str]) -> Imported {
    imported(SceneParts { nodes: chain(names), ..SceneParts::default() })
}

fn walker(names: &[&str], clips: Vec<Clip>) -> Imported {
    imported(SceneParts { nodes: chain(names), clips, ..SceneParts::default() })
}

fn texts(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_clip_drives_the_nodes_of_its_names_wherever_they_are_listed() {
    let from = walker(&["root", "mixamorig:Hips"], vec![clip("walk", vec![rotation(1, 0.5)])]);
    let got = attach(model(&["a", "b", "Hips"]), from).expect("the hips fit");
    let walk = got.scene.clip("walk").expect("it was added");
    assert_eq!(walk.rotations[0].joint, joint(2));
    assert_eq!(walk.rotations[0].curve.values(), [Quat::from_rotation_z(0.5)]);
    assert_eq!((walk.start, walk.duration), (0.25, 1.5));
    assert_eq!(texts(&got), [] as [&str; 0]);
}

#[test]
fn every_clip_comes_along_and_taken_names_get_a_number() {
    let hips = || vec![rotation(0, 0.0)];
    let from =
        || walker(&["Hips"], vec![clip("walk", hips()), clip("walk", hips()), clip("", hips())]);
    let got = attach(attach(model(&["Hips"]), from()).expect("fits"), from()).expect("fits");
    let names: Vec<&str> = got.scene.clips.iter().map(|clip| &clip.name[..]).collect();
    assert_eq!(names, ["walk", "walk (2)", "file", "walk (3)", "walk (4)", "file (2)"]);
}

/// The tree is the model's, and what the clip does not drive rests as the model rests.
#[test]
fn the_models_tree_rest_pose_and_bind_matrices_stay() {
    let mut hero = model(&["root", "Hips", "Spine"]);
    let mut parts = hero.scene.into_parts();
    // Two meshes, one joint, bound in two places.
    for bound_at in [Vec3::Y, Vec3::new(0.0, 1.0, 0.5)] {
        parts.skins.push(Skin {
            joints: vec![joint(1)],
            joint_from_mesh: vec![glam::Affine3A::from_translation(-bound_at)],
            ..Skin::default()
        });
    }
    hero.scene = Scene::new(parts).expect("good");
    let before = hero.scene.clone();
    let mut other = chain(&["Hips", "Spine", "Tail"]);
    other[1].rest.translation = 100.0 * Vec3::Y;
    let clips = vec![clip("walk", vec![rotation(0, 0.1), rotation(1, 0.2), rotation(2, 0.3)])];
    let from = imported(SceneParts { nodes: other, clips, ..SceneParts::default() });
    let got = attach(hero, from).expect("fits");
    assert_eq!(got.scene.skeleton(), before.skeleton());
    assert_eq!(got.scene.skins, before.skins);
    assert_eq!(got.scene.clips[0].rotations.len(), 2);
    assert_eq!(
        texts(&got),
        [
            "1 of 3 animated nodes have no partner of their name in the model, and their tracks \
             are left out: \"Tail\"",
            // Hips: (0, 1, 0) against the origin; Spine: 1 m against 100 m. Both in a box 1 m high.
            "2 of 2 bound joints rest elsewhere in their parent than in the clip's file, by up to \
             99.000 m in a model of 1.000 m; the clip is not fitted: \"Hips\", \"Spine\"",
        ]
    );
}

#[test]
fn a_scaled_armature_above_the_joints_is_told_not_applied() {
    let mut nodes = chain(&["Armature", "Hips"]);
    nodes[0].rest.scale = Vec3::splat(0.01);
    let clips = vec![clip("walk", vec![rotation(1, 0.1)])];
    let from = imported(SceneParts { nodes, clips, ..SceneParts::default() });
    let got = attach(model(&["Armature", "Hips"]), from).expect("fits");
    assert_eq!(got.scene.skeleton().nodes()[0].rest.scale, Vec3::ONE);
    let notes = texts(&got);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("1 bound joint is under a parent that is rotated or scaled"));
}

#[test]
fn other_rest_turns_and_other_parents_are_told() {
    let mut nodes = chain(&["Hips", "Spine", "Neck"]);
    nodes[2].parent = Some(joint(0));
    nodes[1].rest.rotation = Quat::from_rotation_x(90_f32.to_radians());
    let hero = imported(SceneParts { nodes, ..SceneParts::default() });
    let tracks = (0..3).map(|at| rotation(at, 0.0)).collect();
    let got = attach(hero, walker(&["Hips", "Spine", "Neck"], vec![clip("nod", tracks)]));
    assert_eq!(
        texts(&got.expect("fits")),
        [
            "1 of 3 bound joints rest rotated otherwise than in the clip's file, by up to 90°; the \
             clip is not fitted: \"Spine\"",
            "1 bound joint has another parent in the model than in the clip's file: \"Neck\"",
        ]
    );
}

/// Nodes of one name are not one node.
#[test]
fn nodes_of_one_name_are_each_driven_by_their_own_track() {
    let tree = || {
        let mut nodes = chain(&["left", "hand", "right", "hand"]);
        nodes[2].parent = None;
        nodes
    };
    let clips = vec![clip("wave", vec![rotation(1, 0.1), rotation(3, 0.3)])];
    let hero = imported(SceneParts { nodes: tree(), ..SceneParts::default() });
    let from = imported(SceneParts { nodes: tree(), clips, ..SceneParts::default() });
    let got = attach(hero, from).expect("fits");
    let driven: Vec<_> = got.scene.clips[0].rotations.iter().map(|track| track.joint).collect();
    assert_eq!(driven, [joint(1), joint(3)]);
}

#[test]
fn where_nothing_fits_the_error_names_both_sides() {
    let from = walker(&["Pelvis"], vec![clip("walk", vec![rotation(0, 0.1)])]);
    let error = attach(model(&["Hips", "Spine"]), from).expect_err("nothing fits");
    assert_eq!(error.kind, ErrorKind::Missing);
    assert_eq!(
        error.message,
        "the clips fit nothing in the model: they move \"Pelvis\", the model has \"Hips\", \"Spine\""
    );
    let none = attach(model(&["Hips"]), model(&["Hips"])).expect_err("there is no clip");
    assert!(none.message.contains("clips to attach"), "{none}");
}

fn face(node: &str, mesh: &str, targets: &[&str], rest: &[f32]) -> SceneParts {
    SceneParts {
        nodes: chain(&[node]),
        meshes: vec![Mesh {
            name: mesh.into(),
            morph_names: targets.iter().map(|&name| name.to_owned()).collect(),
            ..Mesh::default()
        }],
        instances: vec![Instance {
            joint: joint(0),
            mesh: MeshId::new(0),
            skin: None,
            weights: rest.to_vec(),
        }],
        ..SceneParts::default()
    }
}

fn talk(values: Vec<f32>, width: usize, interpolation: Interpolation) -> Clip {
    let times = if interpolation == Interpolation::Cubic { vec![0.0] } else { vec![0.0, 1.0] };
    let rows = Rows::new(times, values, width, interpolation).expect("good rows");
    let weights = vec![WeightTrack { instance: InstanceId::new(0), rows }];
    Clip { name: "talk".into(), weights, ..Clip::default() }
}

fn attach_talk(hero: SceneParts, mut from: SceneParts, clip: Clip) -> Imported {
    from.clips = vec![clip];
    attach(imported(hero), imported(from)).expect("fits")
}

#[test]
fn morph_weights_follow_the_names_of_their_targets() {
    let hero = face("head", "face", &["smile", "blink", "jaw"], &[0.0, 0.25, 0.0]);
    let from = face("Head", "other", &["Jaw", "smile"], &[0.0, 0.0]);
    let clip = talk(vec![0.1, 0.2, 0.3, 0.4], 2, Interpolation::Linear);
    let got = attach_talk(hero, from, clip);
    let rows = &got.scene.clips[0].weights[0].rows;
    assert_eq!(rows.row(0), [0.2, 0.25, 0.1]);
    assert_eq!(rows.row(1), [0.4, 0.25, 0.3]);
    assert_eq!(texts(&got), [] as [&str; 0]);
}

#[test]
fn a_target_that_is_not_driven_has_flat_tangents() {
    let hero = face("head", "face", &["smile", "blink"], &[0.0, 0.25]);
    let from = face("x", "face", &["smile", "frown"], &[0.0, 0.0]);
    let clip = talk(vec![1.0, 9.0, 0.5, 9.0, 2.0, 9.0], 2, Interpolation::Cubic);
    let got = attach_talk(hero, from, clip);
    let rows = &got.scene.clips[0].weights[0].rows;
    assert_eq!(rows.values(), [1.0, 0.0, 0.5, 0.25, 2.0, 0.0]);
    assert!(texts(&got)[0].starts_with("some morph targets are left out"));
}

#[test]
fn targets_without_names_are_taken_in_order_when_there_are_as_many() {
    let got = attach_talk(
        face("head", "", &["", ""], &[0.0, 0.0]),
        face("head", "", &["smile", "jaw"], &[0.0, 0.0]),
        talk(vec![0.1, 0.2, 0.3, 0.4], 2, Interpolation::Linear),
    );
    assert_eq!(got.scene.clips[0].weights[0].rows.row(1), [0.3, 0.4]);
}

#[test]
fn tracks_of_materials_are_left_out_with_a_note() {
    let mut from = SceneParts { nodes: chain(&["Hips"]), ..SceneParts::default() };
    from.materials.push(Material::default());
    let property = Property::Roughness(MaterialId::new(0));
    from.properties.push(AnimatedProperty { property, rest: [1.0; 4] });
    let rows = Rows::new(vec![0.0], vec![0.5], 1, Interpolation::Step).expect("good");
    let shine = PropertyTrack { property: PropertyId::new(0), rows };
    from.clips.push(Clip { properties: vec![shine], ..clip("walk", vec![rotation(0, 0.0)]) });
    let got = attach(model(&["Hips"]), imported(from)).expect("fits");
    assert!(got.scene.clips[0].properties.is_empty());
    assert_eq!(
        texts(&got),
        ["1 tracks that drive materials, lights or cameras are left out: only nodes and morph \
          targets are bound by name (clip \"walk\")"]
    );
}

#[test]
fn the_base_frame_of_an_md5anim_is_not_compared_as_a_rest_pose() {
    let mut nodes = chain(&["Hips", "Spine"]);
    nodes[1].rest = Transform { rotation: Quat::from_rotation_x(3.0), ..Transform::IDENTITY };
    let clips = vec![clip("walk", vec![rotation(0, 0.1), rotation(1, 0.2)])];
    let mut from = imported(SceneParts { nodes, clips, ..SceneParts::default() });
    assert_eq!(attach(model(&["Hips", "Spine"]), from.clone()).expect("fits").notes.len(), 2);
    from.format = Format::Md5Anim;
    assert_eq!(attach(model(&["Hips", "Spine"]), from).expect("fits").notes.len(), 0);
}
