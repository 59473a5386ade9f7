//! Mends that are made on request, each with its fault: the finding goes, and what must not move does not.

mod made;

use glam::{Affine3A, Quat, Vec3};
use made::{after, figure, node, palette, pose, swing, travel, vertices, with_clip};
use sinew_import::Imported;
use sinew_scene::{
    Clip, Curve, Instance, Interpolation, JointId, Marker, Node, Scene, Track, Transform,
};

const TIMES: [f32; 3] = [0.0, 0.07, 0.2];

fn near(old: &[Affine3A], new: &[Affine3A], by: f32) {
    for (at, (old, new)) in old.iter().zip(new).enumerate() {
        assert!(old.abs_diff_eq(*new, by), "joint {at}: {old} {new}");
    }
}

fn bending(change: impl FnOnce(&mut sinew_scene::SceneParts)) -> Imported {
    figure(|parts| {
        let mut clip = swing(parts, "bend", "spine", 0.1, &[0.0, 30.0, -20.0, 0.0]);
        clip.rotations.extend(swing(parts, "", "thigh.L", 0.1, &[0.0, 50.0, 10.0, 0.0]).rotations);
        parts.clips.push(clip);
        change(parts);
    })
}

/// The share of triangles whose front, by their corners, is where their normals point.
fn facing(scene: &Scene, instance: usize) -> f32 {
    let (positions, normals) = vertices(scene, instance, None);
    let triangles = scene[scene.instances[instance].mesh].primitives[0].indices.chunks_exact(3);
    let all = triangles.len();
    let faces = triangles.filter(|corners| {
        let [a, b, c] = [0, 1, 2].map(|at| corners[at] as usize);
        let front = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        front.dot(normals[a] + normals[b] + normals[c]) > 0.0
    });
    faces.count() as f32 / all as f32
}

#[test]
fn a_mirrored_figure_is_turned_right_side_out_where_it_stands() {
    let scales = [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -0.5], [-1.0, -1.0, -1.0]];
    for scale in scales.map(Vec3::from) {
        let mirrored = || {
            bending(|parts| {
                parts.nodes[0].rest.scale = scale;
                parts.nodes[0].rest.rotation = Quat::from_rotation_x(0.3);
            })
        };
        assert!(after(mirrored(), &[]).1.contains(&"mirrored"), "{scale}");
        let (scene, left) = after(mirrored(), &["mirrored"]);
        assert!(!left.contains(&"mirrored"), "{scale} {left:?}");
        for time in TIMES {
            let (old, _) = vertices(&mirrored().scene, 0, time);
            let (new, _) = vertices(&scene, 0, time);
            for (old, new) in old.iter().zip(&new) {
                assert!(old.abs_diff_eq(*new, 1e-5), "{scale} {time}: {old} {new}");
            }
        }
        let faces = [facing(&mirrored().scene, 0), facing(&scene, 0)];
        assert!(faces[0] < 0.1 && faces[1] > 0.9, "{scale} {faces:?}");
    }
}

#[test]
fn a_rigid_mesh_under_a_negative_scale_is_flipped_and_the_mesh_of_others_is_not() {
    let prop = || {
        bending(|parts| {
            let hand = JointId::new(node(parts, "spine"));
            let scale = Vec3::new(1.0, -2.0, 1.0);
            let rest = Transform { scale, ..Transform::from_translation(Vec3::X) };
            parts.nodes.push(Node::new("prop", Some(hand), rest));
            let joint = JointId::new(parts.nodes.len() - 1);
            let instance = Instance { joint, skin: None, ..parts.instances[0].clone() };
            parts.instances.push(instance);
        })
    };
    assert!(after(prop(), &[]).1.contains(&"mirrored"));
    let (scene, left) = after(prop(), &["mirrored"]);
    assert!(!left.contains(&"mirrored"), "{left:?}");
    let last = scene.instances.len() - 1;
    for instance in [0, last] {
        let (old, _) = vertices(&prop().scene, instance, 0.07);
        let (new, _) = vertices(&scene, instance, 0.07);
        for (old, new) in old.iter().zip(&new) {
            assert!(old.abs_diff_eq(*new, 1e-5), "{instance}: {old} {new}");
        }
    }
    assert!(scene[scene.instances[last].mesh] != scene[scene.instances[0].mesh]);
    assert!(facing(&scene, last) > 0.9, "{}", facing(&scene, last));
}

#[test]
fn a_stretched_joint_no_longer_shears_what_turns_below_it() {
    let stretched = || {
        figure(|parts| {
            let spine = node(parts, "spine");
            parts.nodes[spine].rest.scale = Vec3::new(1.0, 1.2, 1.0);
            let clip = swing(parts, "bend", "chest", 0.1, &[0.0, 20.0, 0.0]);
            parts.clips.push(clip);
        })
    };
    assert!(after(stretched(), &[]).1.contains(&"shear"));
    let (scene, left) = after(stretched(), &["shear"]);
    assert!(!left.contains(&"shear"), "{left:?}");
    let old = stretched().scene;
    near(&palette(&old, None), &palette(&scene, None), 2e-6);
    // Where the chest turns, it is no longer sheared; where it hangs stays, and so does all that does not hang on it.
    let poses = [pose(&old, 0.1), pose(&scene, 0.1)];
    let places = poses.each_ref().map(|pose| pose.model_from_joint());
    let chest = old.skeleton().find("chest").expect("a chest").index();
    let apart = places[0][chest].translation.distance(places[1][chest].translation);
    assert!(apart < 1e-5, "{apart}");
    let axes = |at: &Affine3A| at.matrix3.x_axis.normalize().dot(at.matrix3.y_axis.normalize());
    assert!(axes(&places[0][chest]).abs() > 0.05 && axes(&places[1][chest]).abs() < 1e-5);
    let spine =
        old.skins[0].joints.iter().position(|joint| old.skeleton().node(*joint).name == "spine");
    let spine = spine.expect("the spine has weights");
    let [before, now] = [palette(&old, 0.1)[spine], palette(&scene, 0.1)[spine]];
    assert!(before.abs_diff_eq(now, 2e-6), "{before} {now}");
}

#[test]
fn a_figure_rests_as_it_was_bound_and_its_clips_play_as_they_did() {
    let raised = || {
        bending(|parts| {
            for (arm, sign) in [("upper_arm.L", 1.0), ("upper_arm.R", -1.0)] {
                let at = node(parts, arm);
                parts.nodes[at].rest.rotation = Quat::from_rotation_z(sign * 0.6);
            }
        })
    };
    assert!(after(raised(), &[]).1.contains(&"rest-bind"));
    let (scene, left) = after(raised(), &["rest-bind"]);
    assert!(!left.contains(&"rest-bind") && !left.contains(&"stance"), "{left:?}");
    for time in TIMES {
        near(&palette(&raised().scene, time), &palette(&scene, time), 1e-5);
    }
    let rest = palette(&scene, None);
    assert!(rest.iter().all(|one| one.abs_diff_eq(rest[0], 1e-4)), "{rest:?}");
}

#[test]
fn half_turns_get_a_key_in_the_middle_and_turn_as_before() {
    let spin =
        || with_clip(|parts| swing(parts, "spin", "spine", 1.0, &[0.0, 175.0, 350.0, 340.0]));
    assert!(after(spin(), &[]).1.contains(&"rotation-180"));
    let (scene, left) = after(spin(), &["rotation-180"]);
    assert!(!left.contains(&"rotation-180"), "{left:?}");
    let times = &scene.clips[0].rotations[0].curve.times();
    assert_eq!(times[..], [0.0, 0.5, 1.0, 1.5, 2.0, 3.0]);
    for at in 0..30 {
        let time = at as f32 * 0.1;
        near(&palette(&spin().scene, time), &palette(&scene, time), 1e-5);
    }
}

#[test]
fn a_clip_in_another_unit_of_time_plays_at_its_frames() {
    // Keys so far apart, and how long nineteen of them take then: milliseconds as seconds, and frames as seconds.
    for (gap, seconds) in [(40.0, 19.0 / 25.0), (1.0, 19.0 / 30.0), (0.25, 19.0 / 30.0)] {
        let slow = || {
            let degrees: Vec<f32> = (0..20).map(|at| (at as f32 * 0.9).sin() * 20.0).collect();
            with_clip(|parts| {
                let mut clip = swing(parts, "bend", "spine", gap, &degrees);
                let times = vec![0.0, 4.0 * gap, 19.0 * gap];
                let up = [Vec3::ZERO, Vec3::Y, Vec3::Y / gap];
                let values = [up, up.map(|value| value * 0.1), up].concat();
                let curve = Curve::new(times, values, Interpolation::Cubic).expect("three keys");
                clip.translations.push(Track { joint: JointId::new(node(parts, "hips")), curve });
                clip.markers.push(Marker::new("step", 2.0 * gap));
                clip
            })
        };
        assert!(after(slow(), &[]).1.contains(&"speed"), "{gap}");
        let (scene, left) = after(slow(), &["speed"]);
        assert!(!left.contains(&"speed"), "{gap} {left:?}");
        let clip = &scene.clips[0];
        assert!((clip.duration - seconds).abs() < 1e-4, "{gap}: {}", clip.duration);
        assert!((clip.markers[0].time - seconds * 2.0 / 19.0).abs() < 1e-5);
        for at in 0..19 {
            let [old, new] = [gap * 19.0, seconds].map(|all| all * (at as f32 + 0.4) / 19.0);
            near(&palette(&slow().scene, old), &palette(&scene, new), 1e-3);
        }
    }
}

/// The lowest point of the skin over the first clip.
fn lowest(scene: &Scene) -> f32 {
    let low = |at: usize| {
        let time = scene.clips[0].duration * at as f32 / 20.0;
        vertices(scene, 0, time).0.iter().map(|at| at.y).fold(f32::MAX, f32::min)
    };
    (0..=20).map(low).fold(f32::MAX, f32::min)
}

#[test]
fn sliding_feet_are_planted_and_the_rest_of_the_body_goes_where_it_went() {
    let sliding = || with_clip(|parts| travel(parts, "hips", 0.5, 2.0));
    assert!(after(sliding(), &[]).1.contains(&"feet"));
    let (scene, left) = after(sliding(), &["feet"]);
    assert!(!left.contains(&"feet"), "{left:?}");
    let old = sliding().scene;
    let [head, foot] =
        ["head", "foot.L"].map(|name| old.skeleton().find(name).expect(name).index());
    let mut moved = 0.0_f32;
    for at in 0..=20 {
        let poses = [pose(&old, at as f32 * 0.1), pose(&scene, at as f32 * 0.1)];
        let places = poses.each_ref().map(|pose| pose.model_from_joint());
        let apart =
            |joint: usize| places[0][joint].translation.distance(places[1][joint].translation);
        assert!(apart(head) < 0.02, "{at}: {}", apart(head));
        moved = moved.max(apart(foot));
    }
    assert!(moved > 0.02 && moved < 0.1, "{moved}");
}

#[test]
fn a_figure_that_floats_is_put_on_the_floor() {
    for by in [0.1, -0.06] {
        let off = || {
            with_clip(|parts| {
                let mut clip = travel(parts, "hips", 0.05, 2.0);
                let keys = clip.translations[0].curve.values_mut();
                keys.iter_mut().for_each(|key| key.y += by);
                clip
            })
        };
        assert!(after(off(), &[]).1.contains(&"feet"), "{by}");
        let (scene, left) = after(off(), &["feet"]);
        assert!(!left.contains(&"feet"), "{by} {left:?}");
        let moved = lowest(&scene) - lowest(&off().scene);
        assert!((moved + by).abs() < 0.01, "{by}: {moved}");
    }
}

#[test]
fn a_root_joint_takes_the_travel_of_the_hips_and_no_vertex_moves() {
    let walking = || {
        figure(|parts| {
            parts.nodes[0].rest.rotation = Quat::from_rotation_x(-1.2);
            let hips = node(parts, "hips");
            parts.nodes[hips].rest.rotation = Quat::from_rotation_x(1.2);
            let mut clip = travel(parts, "hips", 1.5, 2.0);
            let bob = |(at, key): (usize, &mut Vec3)| key.y += 0.02 * (at as f32).sin();
            clip.translations[0].curve.values_mut().iter_mut().enumerate().for_each(bob);
            parts.clips.push(clip);
            let idle = swing(parts, "idle", "hips", 0.1, &[0.0, 5.0, 0.0]);
            parts.clips.push(idle);
        })
    };
    assert!(after(walking(), &[]).1.contains(&"root-in-hips"));
    let (scene, left) = after(walking(), &["root-in-hips"]);
    assert!(!left.contains(&"root-in-hips"), "{left:?}");
    let old = walking().scene;
    let joints = old.skins[0].joints.len();
    assert_eq!(scene.skins[0].joints.len(), joints + 1);
    for time in [0.0, 0.51, 1.0, 2.0] {
        near(&palette(&old, time), &palette(&scene, time)[..joints], 1e-5);
    }
    let hips = scene.skeleton().find("hips").expect("hips");
    let root = scene.skeleton().node(hips).parent.expect("a root");
    assert_eq!(scene.skeleton().node(root).rest, Transform::IDENTITY);
    let at =
        |time: f32| Vec3::from(pose(&scene, time).model_from_joint()[root.index()].translation);
    let way = at(2.0) - at(0.0);
    assert!(way.y.abs() < 1e-5 && (way.length() - 1.5 * 1.2_f32.cos()).abs() < 0.05, "{way}");
    let tracks = &scene.clips[1].translations;
    assert!(tracks.iter().any(|track| track.joint == root), "{tracks:?}");
}

#[test]
fn a_skin_without_binds_is_bound_at_rest() {
    let unbound = || bending(|parts| parts.skins[0].joint_from_mesh.fill(Affine3A::IDENTITY));
    assert!(made::codes(&unbound(), &sinew_check::CheckOptions::default()).contains(&"binds"));
    let (scene, left) = after(unbound(), &[]);
    assert!(!left.contains(&"binds"), "{left:?}");
    for time in TIMES {
        near(&palette(&bending(|_| ()).scene, time), &palette(&scene, time), 1e-4);
    }
    let flat = || bending(|parts| parts.skins[0].joint_from_mesh[1] = Affine3A::ZERO);
    assert!(made::codes(&flat(), &sinew_check::CheckOptions::default()).contains(&"binds"));
    let (scene, left) = after(flat(), &[]);
    assert!(!left.contains(&"binds"), "{left:?}");
    near(&palette(&bending(|_| ()).scene, 0.07), &palette(&scene, 0.07), 1e-4);
}

#[test]
fn a_skin_of_too_many_joints_keeps_those_with_weights() {
    let many = || {
        figure(|parts| {
            let skin = &mut parts.skins[0];
            while skin.joints.len() < 300 {
                skin.joints.insert(0, skin.joints[0]);
                skin.joint_from_mesh.insert(0, Affine3A::IDENTITY);
            }
            let more = 300 - figure(|_| ()).scene.skins[0].joints.len();
            made::reweighted(parts, |_, old| {
                let later = |joint: u32| joint + more as u32;
                let moved = |one: &sinew_scene::Influence| sinew_scene::Influence {
                    joint: later(one.joint),
                    ..*one
                };
                old.iter().map(moved).collect()
            });
        })
    };
    assert!(made::codes(&many(), &sinew_check::CheckOptions::default()).contains(&"joint-limit"));
    let (scene, left) = after(many(), &[]);
    assert!(!left.contains(&"joint-limit"), "{left:?}");
    let [old, new] = [vertices(&many().scene, 0, None), vertices(&scene, 0, None)];
    assert_eq!(old, new);
}

#[test]
fn a_clip_without_a_length_is_as_long_as_its_keys() {
    let none = || {
        with_clip(|parts| Clip {
            duration: 0.0,
            ..swing(parts, "bend", "spine", 0.5, &[0.0, 10.0, 0.0])
        })
    };
    assert!(made::codes(&none(), &sinew_check::CheckOptions::default()).contains(&"take"));
    let (scene, left) = after(none(), &[]);
    assert!(!left.contains(&"take") && scene.clips[0].duration == 1.0, "{left:?}");
}
