//! What a check is asked, and what it answers.

mod made;

use made::{Gltf, figure, reweighted, swing, with_clip};
use sinew_check::{CheckOptions, Engine, Severity, check, mend};
use sinew_import::Imported;
use sinew_scene::Scene;

fn codes(model: &Imported, options: &CheckOptions) -> Vec<&'static str> {
    check(model, options).iter().map(|finding| finding.code()).collect()
}

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

/// The findings of a model after it is mended.
fn after(model: Imported, also: &[&str]) -> (Scene, Vec<&'static str>) {
    let mended = mend(model.scene, also).expect("a scene");
    let again = Imported::from(mended.scene.clone());
    (mended.scene, codes(&again, &CheckOptions::default()))
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
