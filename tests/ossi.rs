//! What a person sees of Ossi, the built-in character, measured on the skin in motion.

use std::collections::BTreeSet;

use sinew::glam::{Quat, Vec3};
use sinew::{Actor, Clip, ClipId, InstanceId, Transform, Transition, Vertices};

/// Between two keys, too: the clips have thirty keys a second.
const RATE: f32 = 120.0;

fn steps(clip: &Clip) -> usize {
    (clip.duration * RATE).round() as usize
}

/// The skin at every step of a clip.
fn skins(clip: usize) -> Vec<Vec<Vec3>> {
    let mut actor = Actor::new(sinew::ossi());
    actor.start(ClipId::new(clip), Transition::Cut);
    let count = actor.clip().map_or(0, steps);
    let mut vertices = Vertices::default();
    (0..count)
        .map(|step| {
            actor.seek(step as f32 / RATE);
            actor.skin(InstanceId::new(0), 0, &mut vertices);
            vertices.positions.clone()
        })
        .collect()
}

/// Where a joint is at a time of a clip, in the model.
fn joint_at(actor: &mut Actor, name: &str, time: f32) -> Vec3 {
    actor.seek(time);
    let joint = actor.scene().skeleton().find(name).expect("Ossi has it");
    actor.pose().model_from_joint()[joint.index()].translation.into()
}

fn playing(clip: &str) -> Actor {
    let mut actor = Actor::new(sinew::ossi());
    actor.play(clip).expect("Ossi has it");
    actor
}

#[test]
fn no_foot_sinks_into_the_floor() {
    let ossi = sinew::ossi();
    for (at, clip) in ossi.clips.iter().enumerate() {
        let lowest = skins(at).iter().flatten().map(|p| p.y).fold(f32::MAX, f32::min);
        println!("{}: lowest {:.1} mm", clip.name, lowest * 1e3);
        assert!(lowest > -5e-3, "{}: {:.1} mm below the floor", clip.name, -lowest * 1e3);
    }
}

#[test]
fn what_stands_on_the_floor_does_not_slide() {
    let ossi = sinew::ossi();
    for (at, clip) in ossi.clips.iter().enumerate() {
        let skins = skins(at);
        let mut worst = 0.0_f32;
        let mut standing = 0;
        for vertex in 0..skins[0].len() {
            // Where the vertex came to stand.
            let mut stood: Option<Vec3> = None;
            for skin in &skins {
                let p = skin[vertex];
                if p.y > 4e-3 {
                    stood = None;
                    continue;
                }
                standing += 1;
                let from = *stood.get_or_insert(p);
                worst = worst.max((p - from).with_y(0.0).length());
            }
        }
        println!("{}: slides by {:.1} mm", clip.name, worst * 1e3);
        assert!(standing > skins.len(), "{}: nothing stands", clip.name);
        assert!(worst < 0.01, "{}: slides by {:.1} mm", clip.name, worst * 1e3);
    }
}

#[test]
fn every_clip_loops_without_a_seam_in_value_or_slope() {
    for clip in &sinew::ossi().clips {
        for track in &clip.rotations {
            let keys = track.curve.values();
            let [second, last, before] = [1, keys.len() - 1, keys.len() - 2].map(|at| keys[at]);
            assert!(keys[0].abs_diff_eq(last, 1e-4), "{} {:?}", clip.name, track.joint);
            // The step over the seam and the one after it are as alike as any two neighbours.
            let step = |from: Quat, to: Quat| (from.inverse() * to).to_scaled_axis();
            let change = (step(keys[0], second) - step(before, last)).length();
            let usual = keys
                .windows(3)
                .map(|three| (step(three[1], three[2]) - step(three[0], three[1])).length())
                .fold(0.01, f32::max);
            assert!(change <= usual * 1.2, "{} {:?}: {change} {usual}", clip.name, track.joint);
        }
        for track in clip.translations.iter().filter(|track| track.joint.index() > 0) {
            let keys = track.curve.values();
            let (first, last) = (keys[0], keys[keys.len() - 1]);
            assert!(first.abs_diff_eq(last, 1e-4), "{}: {first} {last}", clip.name);
            let change = ((keys[1] - first) - (last - keys[keys.len() - 2])).length();
            let usual = keys
                .windows(3)
                .map(|three| (three[0] + three[2] - 2.0 * three[1]).length())
                .fold(1e-3, f32::max);
            assert!(change <= usual * 1.2, "{}: {change} {usual}", clip.name);
        }
    }
}

#[test]
fn nothing_pops_between_two_keys() {
    for clip in &sinew::ossi().clips {
        for track in &clip.rotations {
            let step = track
                .curve
                .values()
                .windows(2)
                .map(|pair| pair[0].angle_between(pair[1]).to_degrees())
                .fold(0.0, f32::max);
            assert!(step < 36.0, "{} {:?} turns {step}° at once", clip.name, track.joint);
        }
    }
}

#[test]
fn knees_and_elbows_bend_one_way_alone() {
    let ossi = sinew::ossi();
    let axis = Vec3::X;
    // In the rest pose the arm is turned by 45° from hanging, where the elbow bends about -X.
    for (name, bends) in
        [("shin.L", axis), ("shin.R", axis), ("forearm.L", -axis), ("forearm.R", -axis)]
    {
        let joint = ossi.skeleton().find(name).expect("Ossi has it");
        for clip in &ossi.clips {
            let track = clip.rotations.iter().find(|track| track.joint == joint);
            for key in track.expect("every joint has a track").curve.values() {
                let rotation = if key.w < 0.0 { -*key } else { *key };
                let side = if name.ends_with('L') { 1.0 } else { -1.0 };
                let arm = Quat::from_rotation_z(-side * std::f32::consts::FRAC_PI_4);
                let seen = if name.starts_with('f') {
                    arm * rotation.to_scaled_axis()
                } else {
                    rotation.to_scaled_axis()
                };
                assert!(seen.dot(bends) > -0.03, "{}: {name} bends back: {seen}", clip.name);
            }
        }
    }
}

#[test]
fn a_second_of_walking_goes_forward_by_1_4_m_and_of_running_by_3_2_m() {
    for (name, speed) in [("walk", 1.4), ("run", 3.2)] {
        let ossi = sinew::ossi();
        let clip = ossi.clip(name).expect("Ossi has it");
        let root = &clip.translations[0];
        assert_eq!(root.joint.index(), 0);
        let keys = root.curve.values();
        let way = keys[keys.len() - 1] - keys[0];
        let expected = Vec3::Z * speed * clip.duration;
        assert!(way.abs_diff_eq(expected, 1e-4), "{name}: {way}");
    }
}

#[test]
fn arms_and_legs_swing_in_opposite_phase_and_the_chest_against_the_hips() {
    for name in ["walk", "run"] {
        let mut actor = playing(name);
        let mut ahead = |left: &str, right: &str| {
            joint_at(&mut actor, left, 0.0).z - joint_at(&mut actor, right, 0.0).z
        };
        assert!(ahead("foot.L", "foot.R") > 0.4, "{name}");
        assert!(ahead("hand.L", "hand.R") < -0.25, "{name}");
        assert!(ahead("thigh.L", "thigh.R") > 0.01, "{name}");
        assert!(ahead("upper_arm.L", "upper_arm.R") < -0.02, "{name}");
    }
}

#[test]
fn the_head_stays_level_on_the_way() {
    for name in ["idle", "walk", "run"] {
        let mut actor = playing(name);
        let head = actor.scene().skeleton().find("head").expect("Ossi has it");
        for step in 0..actor.clip().map_or(0, steps) {
            actor.seek(step as f32 / RATE);
            let up = actor.pose().model_from_joint()[head.index()].matrix3.y_axis;
            let lean = Vec3::from(up).angle_between(Vec3::Y).to_degrees();
            assert!(lean < 6.0, "{name}: the head leans {lean}° at step {step}");
        }
    }
}

#[test]
fn a_jump_leaves_the_floor_by_a_foot_and_comes_back() {
    let ossi = sinew::ossi();
    let at = ossi.clips.iter().position(|clip| clip.name == "jump").expect("Ossi has it");
    let heights: Vec<f32> =
        skins(at).iter().map(|skin| skin.iter().map(|p| p.y).fold(f32::MAX, f32::min)).collect();
    let highest = heights.iter().copied().fold(0.0, f32::max);
    assert!(highest > 0.3, "{highest} m");
    assert!(heights[0] < 4e-3 && heights[heights.len() - 1] < 4e-3);
}

#[test]
fn ossi_is_1_85_m_tall_with_his_cap_faces_forward_and_has_six_clips() {
    let ossi = sinew::ossi();
    let names: Vec<_> = ossi.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["idle", "walk", "run", "jump", "wave", "dance"]);
    let primitive = &ossi.meshes[0].primitives[0];
    let ends = |pick: fn(Vec3) -> f32| {
        let all = primitive.positions.iter().map(|&p| pick(p));
        (all.clone().fold(f32::MAX, f32::min), all.fold(f32::MIN, f32::max))
    };
    let (floor, crown) = ends(|p| p.y);
    assert!(floor.abs() < 1e-3 && (crown - 1.85).abs() < 0.01, "from {floor} to {crown}");
    // Toes are further from the ankle than the heel.
    let (heel, toes) = ends(|p| if p.y < 0.1 { p.z } else { 0.0 });
    assert!(toes > 2.0 * -heel, "from {heel} to {toes}");
    assert!((4_000..=8_000).contains(&primitive.positions.len()), "{}", primitive.positions.len());
    assert!(primitive.influences.most() <= 4);
}

#[test]
fn ossi_is_the_same_every_time() {
    assert_eq!(sinew::ossi(), sinew::ossi());
}

/// The names of the joints that influence any of the vertices that `joint` influences.
fn company(joint: &str) -> BTreeSet<String> {
    let ossi = sinew::ossi();
    let skin = &ossi.skins[0];
    let name = |index: u32| ossi.skeleton().node(skin.joints[index as usize]).name.clone();
    let influences = &ossi.meshes[0].primitives[0].influences;
    influences
        .iter()
        .filter(|influences| influences.iter().any(|influence| name(influence.joint) == joint))
        .flat_map(|influences| influences.iter().map(|influence| name(influence.joint)))
        .collect()
}

#[test]
fn a_fingertip_is_pulled_by_its_own_finger_alone() {
    for finger in ["thumb", "index", "middle", "ring", "little"] {
        for found in company(&format!("{finger}.3.R")) {
            let own = found.starts_with(finger) && found.ends_with(".R");
            assert!(own || found == "hand.R", "{found} influences the {finger} finger's tip");
        }
    }
}

#[test]
fn a_forearm_does_not_pull_the_trunk_nor_one_leg_the_other() {
    let arm = company("forearm.L");
    assert!(arm.iter().all(|name| name.ends_with(".L")), "{arm:?}");
    let shin = company("shin.L");
    assert!(shin.iter().all(|name| name.ends_with(".L")), "{shin:?}");
}

#[test]
fn a_bent_elbow_and_a_bent_knee_keep_their_flesh() {
    let mut actor = Actor::new(sinew::ossi());
    for (name, rotation) in [
        (
            "forearm.L",
            Quat::from_rotation_z(-0.25 * std::f32::consts::PI).inverse()
                * Quat::from_rotation_x(-100_f32.to_radians())
                * Quat::from_rotation_z(-0.25 * std::f32::consts::PI),
        ),
        ("shin.L", Quat::from_rotation_x(100_f32.to_radians())),
    ] {
        let joint = actor.scene().skeleton().find(name).expect("Ossi has it");
        let rest = actor.scene().skeleton().node(joint).rest;
        actor.modify(|pose, skeleton| {
            pose.set_local(joint, Transform { rotation, ..rest });
            pose.to_model_from(skeleton, joint);
        });
        let place: Vec3 = actor.pose().model_from_joint()[joint.index()].translation.into();
        let mut vertices = Vertices::default();
        actor.skin(InstanceId::new(0), 0, &mut vertices);
        let nearest = vertices.positions.iter().map(|p| p.distance(place)).fold(f32::MAX, f32::min);
        assert!(nearest > 0.025, "{name}: the skin is {:.1} mm from the bone", nearest * 1e3);
    }
}
