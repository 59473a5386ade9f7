use sinew_motion::{Layer, Pose, SampledClip, blend};
use sinew_scene::glam::{Affine3A, EulerRot, Mat3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

use super::*;

/// A tree of joints that all turn, some scaled, one sheared; two clips of different lengths.
pub(crate) fn scene(joints: usize) -> Scene {
    let node = |at: usize| {
        let parent = at.checked_sub(1).map(|last| JointId::new(last - last % 3));
        let rest = Transform {
            translation: Vec3::new(0.1, 0.2, 0.02 * (at % 5) as f32),
            rotation: Quat::from_rotation_x(at as f32 * 0.1),
            scale: Vec3::splat(if at % 7 == 3 { 1.1 } else { 1.0 }),
        };
        let shear =
            (at == 5).then(|| Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
        Node { shear, ..Node::new("", parent, rest) }
    };
    let clip = |seconds: f32, seed: f32| {
        let times: std::sync::Arc<[f32]> =
            (0..=(seconds * 30.0) as usize).map(|key| key as f32 / 30.0).collect();
        let rotations = (0..joints).filter(|joint| joint % 5 != 4).map(|joint| {
            let rotation = |time: f32| {
                let angle = 0.6 * (3.0 * time + seed * joint as f32).sin();
                Quat::from_euler(EulerRot::XYZ, angle, 0.3 * angle, seed)
            };
            let values = times.iter().map(|&time| rotation(time)).collect();
            let curve = Curve::new(times.clone(), values, Interpolation::Linear).expect("keys");
            Track { joint: JointId::new(joint), curve }
        });
        let places = times.iter().map(|&time| Vec3::new(time, 0.0, seed)).collect();
        let curve = Curve::new(times.clone(), places, Interpolation::Linear).expect("keys");
        Clip {
            duration: seconds,
            rotations: rotations.collect(),
            translations: vec![Track { joint: JointId::new(0), curve }],
            ..Clip::default()
        }
    };
    let nodes = (0..joints).map(node).collect();
    let clips = vec![clip(2.0, 0.3), clip(1.0, 1.7)];
    Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("it fits")
}

pub(crate) fn sampled_clips(scene: &Scene) -> Vec<SampledClip> {
    scene.clips.iter().map(|clip| SampledClip::new(scene, clip, 0.000_1)).collect()
}

/// One character alone, with poses.
fn alone(scene: &Scene, sampled_clips: &[SampledClip], state: &CharacterState) -> Vec<Affine3A> {
    let [mut one, mut other, mut out] = [0, 1, 2].map(|_| Pose::new(scene));
    let sampled =
        |which: usize| &sampled_clips[usize::from(state.clips[which]).min(sampled_clips.len() - 1)];
    sampled(0).sample(state.times[0], &mut one);
    sampled(1).sample(state.times[1], &mut other);
    let share = state.clamped_weight();
    blend([Layer::new(&one, 1.0 - share), Layer::new(&other, share)], &mut out);
    out.to_model(scene.skeleton());
    out.model_from_joint().to_vec()
}

fn states(count: usize) -> impl Iterator<Item = CharacterState> {
    (0..count).map(|at| CharacterState {
        clips: [(at % 3) as u16, (at % 2) as u16],
        times: [at as f32 * 0.07 - 0.2, at as f32 * 0.03],
        weight: [0.0, 0.3, 1.0, f32::NAN, 0.75][at % 5],
    })
}

#[test]
fn everyone_in_a_crowd_stands_as_they_would_alone() {
    for (joints, count) in [(1, 3), (7, 8), (8, 9), (67, 21), (130, 1), (9, 130)] {
        let scene = scene(joints);
        let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
        crowd.resize(count);
        for (to, state) in crowd.states_mut().iter_mut().zip(states(count)) {
            *to = state;
        }
        crowd.pose();
        let sampled_clips = sampled_clips(&scene);
        for character in 0..count {
            let expected = alone(&scene, &sampled_clips, &crowd.states()[character]);
            for (joint, expected) in scene.skeleton().ids().zip(expected) {
                let found = crowd.model_from_joint(character, joint);
                let near = found.abs_diff_eq(expected, 1e-5);
                assert!(near, "{character} of {count}, {joint:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn time_passes_for_everyone_at_their_own_pace_and_round() {
    let scene = scene(3);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.resize(3);
    crowd.states_mut()[1] = CharacterState { clips: [0, 1], times: [1.5, 0.5], weight: 0.5 };
    crowd.paces_mut()[2] = -0.5;
    crowd.advance(0.75);
    let times: Vec<_> = crowd.states().iter().map(|state| state.times).collect();
    assert_eq!(times, [[0.75, 0.75], [0.25, 0.25], [1.625, 1.625]]);
    for bad in [f32::NAN, f32::INFINITY] {
        crowd.advance(bad);
        assert_eq!(crowd.states()[0].times, [0.75, 0.75]);
    }
}

#[test]
fn far_characters_are_posed_in_turn_and_stand_still_between() {
    let scene = scene(3);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.resize(16);
    crowd.set_details(&[Detail::FULL, Detail { every: 2, reach: 0.0 }]);
    crowd.levels_mut()[..8].fill(1);
    let x =
        |crowd: &Crowd, character| crowd.model_from_joint(character, JointId::new(0)).translation.x;
    let mut seen = Vec::new();
    for _ in 0..4 {
        crowd.advance(0.1);
        crowd.pose();
        seen.push([x(&crowd, 0), x(&crowd, 8)].map(|x| (x * 10.0).round() as i32));
    }
    assert_eq!(seen, [[1, 1], [1, 2], [3, 3], [3, 4]]);
    // One with eight sharp eyes on it is enough.
    crowd.levels_mut()[3] = 0;
    crowd.advance(0.1);
    crowd.pose();
    crowd.advance(0.1);
    crowd.pose();
    assert_eq!((x(&crowd, 0) * 10.0).round(), 6.0);
}

#[test]
fn small_bones_are_left_at_rest_and_the_error_is_told() {
    let scene = scene(67);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.resize(1);
    let coarse = Detail { every: 1, reach: 0.3 };
    crowd.set_details(&[Detail::FULL, coarse, Detail { every: 3, reach: 0.0 }]);
    assert_eq!(crowd.error_of(0, 1.0 / 60.0), 0.0);
    let error = crowd.error_of(1, 1.0 / 60.0);
    assert!(error > 0.001 && error < 0.5, "{error}");
    crowd.states_mut()[0] = CharacterState::new(0, 0.7);
    crowd.pose();
    let exact = crowd.models().to_vec();
    crowd.levels_mut()[0] = 1;
    crowd.pose();
    let most = exact
        .iter()
        .zip(crowd.models())
        .map(|(a, b)| crate::crowd::apart(a, b))
        .fold(0.0, f32::max);
    assert!(most > 0.0 && most <= error + 1e-5, "{most} {error}");
    // Two frames late the root, which walks a metre a second, is a thirtieth of a metre behind.
    let held = crowd.error_of(2, 1.0 / 60.0);
    assert!(held > 0.03, "{held}");
}

/// A joint that goes a metre there and back in two seconds, and one a metre on that only turns, a radian a second.
fn shuttle() -> Scene {
    let node = |parent: Option<usize>| {
        let place = if parent == Some(1) { Vec3::X } else { Vec3::ZERO };
        Node::new("", parent.map(JointId::new), Transform::from_translation(place))
    };
    let times = vec![0.0, 1.0, 2.0];
    let places = vec![Vec3::ZERO, Vec3::Y, Vec3::ZERO];
    let there = Curve::new(times, places, Interpolation::Linear).expect("keys");
    let times: Vec<f32> = (0..=60).map(|key| key as f32 / 30.0).collect();
    let rotation = |time: &f32| Quat::from_rotation_z((1.0 - (time - 1.0).abs()) * 1.0);
    let rotations = times.iter().map(rotation).collect();
    let round = Curve::new(times, rotations, Interpolation::Linear).expect("keys");
    let clip = Clip {
        duration: 2.0,
        translations: vec![Track { joint: JointId::new(0), curve: there }],
        rotations: vec![Track { joint: JointId::new(1), curve: round }],
        ..Clip::default()
    };
    let nodes = vec![node(None), node(Some(0)), node(Some(1))];
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

#[test]
fn who_is_late_is_off_by_the_distance_moved_since() {
    let scene = shuttle();
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 30.0);
    let mut crowd = Crowd::new(scene.skeleton(), vec![sampled]);
    crowd.resize(2);
    crowd.set_details(&[Detail::FULL, Detail { every: 3, reach: 0.0 }]);
    // Two frames late: a metre a second, and a radian a second for the metre and 10 cm of the last joint.
    let late = 2.0 / 60.0;
    let error = |crowd: &Crowd| crowd.error_of(1, 1.0 / 60.0);
    assert!((error(&crowd) - late * 2.1).abs() < 1e-4, "{}", error(&crowd));
    // One who hurries, or goes back, is the measure of all.
    crowd.paces_mut()[1] = -1.5;
    assert!((error(&crowd) - 1.5 * late * 2.1).abs() < 1e-4, "{}", error(&crowd));
    // A pace that is no number is none.
    crowd.paces_mut()[1] = f32::NAN;
    assert!((error(&crowd) - late * 2.1).abs() < 1e-4, "{}", error(&crowd));
}

#[test]
fn a_clip_that_nobody_plays_does_not_count() {
    let mut scene = shuttle().into_parts();
    scene.clips.push(Clip { duration: 2.0, ..Clip::default() });
    let scene = Scene::new(scene).expect("it fits");
    let sampled_clips =
        scene.clips.iter().map(|clip| SampledClip::at_rate(&scene, clip, 30.0)).collect();
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips);
    crowd.set_details(&[Detail { every: 3, reach: 0.0 }]);
    let moving = 2.1 * 2.0 / 60.0;
    let error = |crowd: &Crowd| crowd.error_of(0, 1.0 / 60.0);
    assert!((error(&crowd) - moving).abs() < 1e-4, "nobody yet: {}", error(&crowd));
    crowd.resize(1);
    // Standing still, then with the least share of the sampled clip that moves.
    for (weight, expected) in [(1.0, 0.0), (0.999, moving), (0.0, moving)] {
        crowd.states_mut()[0] = CharacterState { clips: [0, 1], times: [0.0; 2], weight };
        let found = error(&crowd);
        assert!((found - expected).abs() < 0.2 * moving, "{weight}: {found}");
    }
}

#[test]
fn a_clip_that_ends_elsewhere_jumps_and_that_is_in_the_error() {
    let scene = scene(1);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.set_details(&[Detail { every: 2, reach: 0.0 }]);
    // It walks two metres, and back at once.
    let error = crowd.error_of(0, 1.0 / 60.0);
    assert!(error > 2.0 && error < 2.2, "{error}");
}

/// The farthest that a crowd with these levels is from one at full detail over some frames, beside what was stated.
fn measured(scene: &Scene, detail: Detail, paces: [f32; 3]) -> (f32, f32) {
    let fill = |crowd: &mut Crowd| {
        crowd.resize(120);
        for (at, state) in crowd.states_mut().iter_mut().enumerate() {
            let times = [at as f32 * 0.017, at as f32 * 0.031 % 1.0];
            *state = CharacterState { clips: [0, 1], times, weight: (at % 11) as f32 * 0.1 };
        }
        for (at, pace) in crowd.paces_mut().iter_mut().enumerate() {
            *pace = paces[at % 3];
        }
    };
    let [mut exact, mut coarse] =
        [0; 2].map(|_| Crowd::new(scene.skeleton(), sampled_clips(scene)));
    fill(&mut exact);
    fill(&mut coarse);
    coarse.set_details(&[detail]);
    let mut most = 0.0_f32;
    for _ in 0..130 {
        exact.advance(1.0 / 60.0);
        coarse.advance(1.0 / 60.0);
        exact.pose();
        coarse.pose();
        most = most.max(coarse.farthest_from(&exact, 0..120));
    }
    (most, coarse.error_of(0, 1.0 / 60.0))
}

#[test]
fn nobody_is_ever_farther_off_than_stated_at_any_pace_blend_or_loop() {
    let details =
        [(2, 0.0), (3, 0.0), (7, 0.25), (1, 0.3)].map(|(every, reach)| Detail { every, reach });
    for detail in details {
        for paces in [[1.0; 3], [0.7, 1.6, -1.3]] {
            let (most, stated) = measured(&scene(20), detail, paces);
            assert!(most > 0.001 && most <= stated, "{detail:?} {paces:?}: {most} {stated}");
        }
    }
}

#[test]
fn someone_new_is_posed_at_once_whatever_the_level() {
    let scene = scene(3);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.set_details(&[Detail { every: 5, reach: 0.0 }]);
    for count in [12, 40, 8, 20] {
        crowd.resize(count);
        crowd.pose();
        // A matrix that nobody has written is all zeros.
        assert!(crowd.models().iter().all(|matrix| matrix[0] != [0.0; 4]), "{count}");
    }
}

#[test]
fn what_comes_after_joints_at_rest_moves_as_before() {
    let mut parts = scene(24).into_parts();
    for (at, node) in parts.nodes.iter_mut().enumerate() {
        // Eight leaves on the root, between two chains.
        let parent = if (8..16).contains(&at) || at == 16 { Some(0) } else { at.checked_sub(1) };
        node.parent = parent.map(JointId::new);
    }
    let scene = Scene::new(parts).expect("it fits");
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.resize(1);
    crowd.set_details(&[Detail::FULL, Detail { every: 1, reach: 0.01 }]);
    crowd.states_mut()[0] = CharacterState { clips: [0, 1], times: [0.7, 0.2], weight: 0.4 };
    crowd.pose();
    let exact = crowd.models().to_vec();
    crowd.levels_mut()[0] = 1;
    crowd.pose();
    let same: Vec<bool> = exact.iter().zip(crowd.models()).map(|(a, b)| a == b).collect();
    assert!(same[..8].iter().chain(&same[16..23]).all(|same| *same), "{same:?}");
    assert!(same[8..16].iter().filter(|same| **same).count() < 4, "{same:?}");
}

#[test]
fn eight_side_by_side_are_as_one_by_one() {
    let scene = scene(20);
    let sampled_clips = sampled_clips(&scene);
    let poses: Vec<Pose> = (0..8)
        .map(|at| {
            let mut pose = Pose::new(&scene);
            sampled_clips[0].sample(at as f32 * 0.2, &mut pose);
            let joint = JointId::new(2);
            let scale = Vec3::new(1.0, 1.5, 0.5);
            pose.set_local(joint, Transform { scale, ..pose.local(joint) });
            pose.to_model(scene.skeleton());
            pose
        })
        .collect();
    let local = |joint: JointId| -> LocalsOfEight {
        let each = |at: usize| {
            let local = poses[at].local(joint);
            let (t, r, s) = (local.translation, local.rotation, local.scale);
            [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z]
        };
        LocalsOfEight(std::array::from_fn(|row| std::array::from_fn(|at| each(at)[row])))
    };
    let locals: Vec<_> = scene.skeleton().ids().map(local).collect();
    let mut models = vec![ModelsOfEight::default(); 20];
    to_model_of_eight(scene.skeleton(), &locals, &mut models);
    for (at, pose) in poses.iter().enumerate() {
        for (joint, expected) in pose.model_from_joint().iter().enumerate() {
            let rows: Matrix = std::array::from_fn(|row| {
                std::array::from_fn(|column| models[joint].0[row][column][at])
            });
            assert!(crate::crowd::to_affine(&rows).abs_diff_eq(*expected, 1e-5), "{at} {joint}");
        }
    }
}

#[test]
fn a_crowd_of_nobody_or_of_no_joints_is_no_trouble() {
    let scene = scene(3);
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
    crowd.advance(1.0);
    crowd.pose();
    assert!(crowd.is_empty() && crowd.models().is_empty());
    let empty = Scene::new(SceneParts::default()).expect("nothing is a scene");
    let mut crowd =
        Crowd::new(empty.skeleton(), vec![SampledClip::new(&empty, &Clip::default(), 0.0)]);
    crowd.resize(5);
    crowd.pose();
    assert_eq!(crowd.models().len(), 0);
}
