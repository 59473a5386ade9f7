//! What a check is asked, and what it answers.

mod made;

use glam::{Affine3A, Quat, Vec3};
use made::{Gltf, after, codes, figure, palette, reweighted, swing, travel, with_clip};
use sinew_check::{CheckOptions, Engine, Severity, check};
use sinew_import::Imported;
use sinew_scene::{Influence, Scene};

#[test]
fn only_and_skip_choose_rules_and_the_worst_comes_first() {
    let model = Gltf {
        weights: [[0.9, 0.0, 0.0, 0.0]; 3],
        mesh_node: r#","scale":[2,2,2]"#,
        ..Gltf::default()
    }
    .read();
    let all = check(&model, &CheckOptions::default());
    assert!(all.is_sorted_by(|a, b| a.severity >= b.severity));
    assert_eq!(all[0].code(), "weight-sum");
    let only = CheckOptions { only: vec!["skin-node"], ..CheckOptions::default() };
    assert_eq!(codes(&model, &only), ["skin-node"]);
    let skip = CheckOptions { skip: vec!["weight-sum"], ..CheckOptions::default() };
    assert!(!codes(&model, &skip).contains(&"weight-sum"));
}

#[test]
fn a_finding_says_how_much_and_where() {
    let model = Gltf { weights: [[0.9, 0.0, 0.0, 0.0]; 3], ..Gltf::default() }.read();
    let all = check(&model, &CheckOptions::default());
    let sum = all.iter().find(|finding| finding.code() == "weight-sum").expect("found");
    assert!((sum.measured.value - 0.1).abs() < 1e-6 && sum.count == 3, "{sum:?}");
    assert_eq!(sum.message, "the weights of 3 vertices do not sum to one, off by up to 10.0 %");
    assert_eq!(sum.place.words(&model.scene), "meshes[0].primitives[0]");
}

#[test]
fn an_engine_brings_its_own_limits() {
    let model = figure(|parts| {
        let skin = &mut parts.skins[0];
        while skin.joints.len() < 300 {
            skin.joints.push(skin.joints[0]);
            skin.joint_from_mesh.push(skin.joint_from_mesh[0]);
        }
    });
    let of = |engine| CheckOptions {
        engine: Some(engine),
        only: vec!["joint-limit"],
        ..CheckOptions::default()
    };
    let bevy = check(&model, &of(Engine::Bevy));
    assert_eq!((bevy[0].severity, bevy[0].measured.limit), (Severity::Error, 256.0));
    assert!(check(&model, &of(Engine::Three)).is_empty());
    let dots = CheckOptions {
        engine: Some(Engine::Three),
        only: vec!["name-reserved"],
        ..CheckOptions::default()
    };
    assert_eq!(codes(&figure(|_| ()), &dots), ["name-reserved"]);
}

#[test]
fn what_is_safe_is_mended_unasked() {
    let flipped = || {
        with_clip(|parts| {
            let mut clip = swing(parts, "bend", "spine", 0.1, &[0.0, 10.0, 20.0, 10.0]);
            let key = &mut clip.rotations[0].curve.values_mut()[2];
            *key = -*key;
            clip
        })
    };
    assert!(codes(&flipped(), &CheckOptions::default()).contains(&"quat-sign"));
    let (scene, left) = after(flipped(), &[]);
    assert!(!left.contains(&"quat-sign"));
    // Two keys are flipped and the last one back: the same rotations.
    let keys = scene.clips[0].rotations[0].curve.values();
    assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.0));

    let bare = || {
        figure(|parts| {
            reweighted(parts, |vertex, old| if vertex == 7 { vec![] } else { old.to_vec() });
        })
    };
    assert!(codes(&bare(), &CheckOptions::default()).contains(&"weight-none"));
    let (scene, left) = after(bare(), &[]);
    assert!(!left.contains(&"weight-none"));
    assert!(!scene.meshes[0].primitives[0].influences.of(7).is_empty());
}

#[test]
fn what_changes_a_motion_is_mended_when_asked() {
    let held = || {
        let degrees: Vec<f32> =
            (0..=60).map(|at: usize| (at.min(30) as f32 * 0.7).sin() * 20.0).collect();
        with_clip(|parts| swing(parts, "swing", "spine", 1.0 / 30.0, &degrees))
    };
    assert!(after(held(), &[]).1.contains(&"tail"));
    let (scene, left) = after(held(), &["tail"]);
    assert!(!left.contains(&"tail"));
    assert!((scene.clips[0].duration - 1.0).abs() < 0.05, "{}", scene.clips[0].duration);

    let open = || {
        let wave = |at: usize| (at as f32 / 60.0 * std::f32::consts::TAU).sin() * 40.0;
        let all: Vec<f32> = (0..=60).map(|at| wave(at) + at as f32 / 4.0).collect();
        with_clip(|parts| swing(parts, "loop", "spine", 1.0 / 30.0, &all))
    };
    assert!(after(open(), &[]).1.contains(&"loop"));
    assert!(!after(open(), &["loop"]).1.contains(&"loop"));
    let spiked = || {
        with_clip(|parts| {
            swing(parts, "flick", "upper_arm.L", 1.0 / 30.0, &[0.0, 1.0, 80.0, 1.0, 0.0, 0.0])
        })
    };
    assert!(after(spiked(), &[]).1.contains(&"spike"));
    assert!(!after(spiked(), &["spike"]).1.contains(&"spike"));
}

#[test]
fn a_figure_that_lies_down_is_put_on_its_feet() {
    let quarter = 90_f32.to_radians();
    let falls = [Quat::from_rotation_x(-quarter), Quat::from_rotation_x(quarter)];
    for fall in falls.into_iter().chain([Quat::from_rotation_z(quarter)]) {
        let lying = || {
            figure(|parts| {
                parts.nodes[0].rest.rotation = fall * parts.nodes[0].rest.rotation;
            })
        };
        assert!(after(lying(), &[]).1.contains(&"up-axis"), "{fall}");
        assert!(!after(lying(), &["up-axis"]).1.contains(&"up-axis"), "{fall}");
    }
}

#[test]
fn a_clip_that_travels_is_kept_in_place_when_asked() {
    let gone = || with_clip(|parts| travel(parts, "root", 4.0, 2.0));
    assert!(after(gone(), &[]).1.contains(&"culled"));
    assert!(!after(gone(), &["culled"]).1.contains(&"culled"));
}

#[test]
fn a_figure_in_centimetres_becomes_a_person() {
    let giant = || figure(|parts| parts.nodes[0].rest.scale *= 100.0);
    assert!(after(giant(), &[]).1.contains(&"scale"));
    let (scene, _) = after(giant(), &["scale"]);
    let left = check(
        &Imported::from(scene),
        &CheckOptions { only: vec!["scale"], ..CheckOptions::default() },
    );
    assert!(left.iter().all(|finding| finding.measured.unit != "m"), "{left:?}");
}

#[test]
fn a_scene_of_nothing_has_nothing_wrong() {
    assert!(check(&Imported::from(Scene::default()), &CheckOptions::default()).is_empty());
}

#[test]
fn an_armature_is_baked_into_the_joints_and_no_vertex_moves() {
    let tilted = || {
        figure(|parts| {
            let clip = swing(parts, "bend", "spine", 0.1, &[0.0, 30.0, -20.0, 0.0]);
            parts.clips.push(clip);
            let hips = made::node(parts, "hips");
            parts.nodes[0].rest.rotation = Quat::from_rotation_x(-1.5);
            parts.nodes[0].rest.scale = Vec3::splat(0.5);
            parts.nodes[0].rest.translation = Vec3::new(0.1, 0.2, 0.3);
            parts.nodes[hips].rest.rotation = Quat::from_rotation_x(1.5);
        })
    };
    assert!(after(tilted(), &[]).1.contains(&"armature"));
    let (scene, left) = after(tilted(), &["armature"]);
    assert!(!left.contains(&"armature"), "{left:?}");
    for time in [0.0, 0.07, 0.2] {
        for (old, new) in palette(&tilted().scene, time).iter().zip(palette(&scene, time)) {
            assert!(old.abs_diff_eq(new, 2e-6), "{old} {new}");
        }
    }
    let root = scene.skeleton().node(sinew_scene::JointId::new(0)).rest;
    assert_eq!((root.rotation, root.scale), (Quat::IDENTITY, Vec3::ONE));
}

#[test]
fn unused_joints_leave_the_skin_and_their_nodes_stay() {
    let leafy = || {
        figure(|parts| {
            let head = sinew_scene::JointId::new(made::node(parts, "head"));
            let rest = sinew_scene::Transform::from_translation(Vec3::Y * 0.2);
            parts.nodes.push(sinew_scene::Node::new("head_end", Some(head), rest));
            let leaf = sinew_scene::JointId::new(parts.nodes.len() - 1);
            parts.skins[0].joints.insert(3, leaf);
            parts.skins[0].joint_from_mesh.insert(3, Affine3A::IDENTITY);
            reweighted(parts, |_, old| {
                let later = |joint: u32| joint + u32::from(joint >= 3);
                old.iter().map(|one| Influence { joint: later(one.joint), ..*one }).collect()
            });
        })
    };
    assert!(after(leafy(), &[]).1.contains(&"joint-unused"));
    let (scene, left) = after(leafy(), &["joint-unused"]);
    assert!(!left.contains(&"joint-unused"), "{left:?}");
    let plain = figure(|_| ()).scene;
    assert_eq!(scene.skins[0].joints, plain.skins[0].joints);
    assert_eq!(scene.meshes[0].primitives[0].influences, plain.meshes[0].primitives[0].influences);
    assert!(scene.skeleton().find("head_end").is_some());
}

#[test]
fn one_take_of_several_motions_is_as_many_clips() {
    let together = || {
        let mut degrees = Vec::new();
        for _ in 0..4 {
            degrees.extend([0.0; 30]);
            let wave = |at: usize| 60.0 * (at as f32 / 60.0 * std::f32::consts::PI).sin();
            degrees.extend((0..60).map(wave));
        }
        degrees.extend([0.0; 40]);
        with_clip(|parts| swing(parts, "all", "spine", 1.0 / 30.0, &degrees))
    };
    assert!(after(together(), &[]).1.contains(&"one-take"));
    let (scene, left) = after(together(), &["one-take"]);
    assert!(!left.contains(&"one-take"), "{left:?}");
    let names: Vec<&str> = scene.clips.iter().map(|clip| &clip.name[..]).collect();
    assert_eq!(names, ["all 1", "all 2", "all 3", "all 4"]);
    assert!(scene.clips.iter().all(|clip| clip.duration > 1.9 && clip.duration < 3.6));
}
