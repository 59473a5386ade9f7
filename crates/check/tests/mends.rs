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
fn a_stretch_of_a_clip_goes_onto_a_helper_joint_and_no_longer_slants_what_turns_below() {
    let stretching = || {
        figure(|parts| {
            let mut clip = swing(parts, "squash", "chest", 0.1, &[0.0, 20.0, 0.0]);
            let joint = JointId::new(node(parts, "spine"));
            let keys = vec![Vec3::ONE, Vec3::new(0.9, 1.2, 0.9), Vec3::ONE];
            let curve = Curve::new(vec![0.0, 0.1, 0.2], keys, Interpolation::Linear);
            clip.scales.push(Track { joint, curve: curve.expect("three keys") });
            parts.clips.push(clip);
        })
    };
    assert!(after(stretching(), &[]).1.contains(&"shear"));
    let (scene, left) = after(stretching(), &["shear"]);
    assert!(!left.contains(&"shear"), "{left:?}");
    let old = stretching().scene;
    near(&palette(&old, None), &palette(&scene, None), 1e-5);
    let slot = |name: &str| {
        let mut joints = old.skins[0].joints.iter();
        joints.position(|joint| old.skeleton().node(*joint).name == name).expect("a joint")
    };
    for time in [0.05, 0.1, 0.17] {
        // What the stretched joint itself carries is stretched as it was; what is below is where it was.
        let [before, now] = [palette(&old, time), palette(&scene, time)];
        let spine = slot("spine");
        assert!(
            before[spine].abs_diff_eq(now[spine], 2e-4),
            "{time}: {} {}",
            before[spine],
            now[spine]
        );
        let chest = old.skeleton().find("chest").expect("a chest").index();
        let poses = [pose(&old, time), pose(&scene, time)];
        let places = poses.each_ref().map(|pose| pose.model_from_joint()[chest]);
        let apart = places[0].translation.distance(places[1].translation);
        assert!(apart < 2e-4, "{time}: {apart}");
        // Its own vertices keep their stretch, less the slant: nearer than without any.
        let slant =
            |it: &Affine3A| it.matrix3.x_axis.normalize().dot(it.matrix3.y_axis.normalize());
        assert!(slant(&places[0]).abs() > 0.01 && slant(&places[1]).abs() < 1e-4, "{time}");
        let off = |it: &Affine3A| {
            let apart = before[slot("chest")].matrix3 - it.matrix3;
            [apart.x_axis, apart.y_axis, apart.z_axis]
                .map(|axis| axis.length())
                .into_iter()
                .sum::<f32>()
        };
        let unstretched = Affine3A {
            matrix3: glam::Mat3A::from_quat(now[slot("chest")].to_scale_rotation_translation().1),
            ..now[slot("chest")]
        };
        assert!(off(&now[slot("chest")]) < 0.7 * off(&unstretched), "{time}");
    }
}

#[test]
fn a_stretch_that_the_node_below_takes_back_shears_nothing() {
    let stretching = |back: f32| {
        figure(|parts| {
            let mut clip = swing(parts, "squash", "upper_arm.L", 0.1, &[0.0, 20.0, 0.0]);
            for (name, by) in [("spine", 1.25), ("chest", back)] {
                let keys = vec![Vec3::ONE, Vec3::new(1.0, by, 1.0), Vec3::ONE];
                let curve = Curve::new(vec![0.0, 0.1, 0.2], keys, Interpolation::Linear);
                let joint = JointId::new(node(parts, name));
                clip.scales.push(Track { joint, curve: curve.expect("three keys") });
            }
            parts.clips.push(clip);
        })
    };
    assert!(after(stretching(1.0), &[]).1.contains(&"shear"));
    assert!(!after(stretching(0.8), &[]).1.contains(&"shear"));
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
fn arms_rest_in_the_stance_in_which_the_skin_was_bound_and_clips_play_as_they_did() {
    let raised = || {
        bending(|parts| {
            for (arm, sign) in [("upper_arm.L", 1.0), ("upper_arm.R", -1.0)] {
                let at = node(parts, arm);
                let up = Quat::from_rotation_z(sign * 0.6);
                parts.nodes[at].rest.rotation = up * parts.nodes[at].rest.rotation;
            }
            // A bow of the spine is no stance, and stays.
            let spine = node(parts, "spine");
            parts.nodes[spine].rest.rotation *= Quat::from_rotation_x(0.2);
        })
    };
    assert!(after(raised(), &[]).1.contains(&"stance"));
    let (scene, left) = after(raised(), &["stance"]);
    assert!(!left.contains(&"stance"), "{left:?}");
    let old = raised().scene;
    for time in TIMES {
        near(&palette(&old, time), &palette(&scene, time), 1e-5);
    }
    let spine = old.skeleton().find("spine").expect("a spine");
    assert_eq!(old[spine].rest, scene[spine].rest);
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

/// A ribbon that 600 joints bend, with a vertex on both sides of each; triangles are listed from both ends in turn.
fn ribbon() -> Imported {
    const JOINTS: usize = 600;
    let nodes = (0..JOINTS).map(|at| {
        let parent = at.checked_sub(1).map(JointId::new);
        let rest = Transform::from_translation(if at == 0 { Vec3::ZERO } else { 0.01 * Vec3::Y });
        Node::new(format!("bone{at}"), parent, rest)
    });
    let nodes: Vec<Node> = nodes.collect();
    let place = |at: usize, side: f32| Vec3::new(side * 0.1, at as f32 * 0.01, 0.0);
    let mut influences = sinew_scene::Influences::default();
    for at in 0..2 * JOINTS {
        let joint = (at / 2) as u32;
        let next = (joint + 1).min(JOINTS as u32 - 1);
        let one = |joint, weight| sinew_scene::Influence { joint, weight };
        influences.push([one(joint, 0.75), one(next, 0.25)]);
    }
    let quad = |at: usize| {
        let [a, b, c, d] = [2 * at, 2 * at + 1, 2 * at + 2, 2 * at + 3].map(|at| at as u32);
        [a, b, c, b, d, c]
    };
    let order = (0..JOINTS - 1).map(|at| if at % 2 == 0 { at / 2 } else { JOINTS - 2 - at / 2 });
    let bump = sinew_scene::MorphTarget {
        positions: (0..2 * JOINTS).map(|at| Vec3::Z * at as f32 * 1e-4).collect(),
        ..sinew_scene::MorphTarget::default()
    };
    let primitive = sinew_scene::Primitive::from(sinew_scene::Geometry {
        indices: order.flat_map(quad).collect(),
        positions: (0..2 * JOINTS).map(|at| place(at / 2, (at % 2) as f32 - 0.5)).collect(),
        normals: vec![Vec3::Z; 2 * JOINTS],
        influences,
        morphs: vec![bump],
        ..sinew_scene::Geometry::default()
    });
    let binds = (0..JOINTS).map(|at| Affine3A::from_translation(-place(at, 0.0)));
    let mut parts = sinew_scene::SceneParts {
        nodes,
        meshes: vec![sinew_scene::Mesh {
            name: "ribbon".into(),
            primitives: vec![primitive],
            morph_names: vec!["bump".into()],
        }],
        skins: vec![sinew_scene::Skin {
            joints: (0..JOINTS).map(JointId::new).collect(),
            joint_from_mesh: binds.collect(),
            ..sinew_scene::Skin::default()
        }],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: sinew_scene::MeshId::new(0),
            skin: Some(sinew_scene::SkinId::new(0)),
            weights: vec![0.0],
        }],
        ..sinew_scene::SceneParts::default()
    };
    let mut clip = swing(&parts, "wave", "bone40", 0.1, &[0.0, 30.0, 0.0]);
    clip.rotations.extend(swing(&parts, "", "bone300", 0.1, &[0.0, -50.0, 0.0]).rotations);
    let rows = sinew_scene::Rows::new(vec![0.0, 0.2], vec![0.0, 1.0], 1, Interpolation::Linear);
    let instance = sinew_scene::InstanceId::new(0);
    clip.weights = vec![sinew_scene::WeightTrack { instance, rows: rows.expect("two keys") }];
    parts.clips.push(clip);
    Imported::from(Scene::new(parts).expect("a ribbon"))
}

/// Where the corners of all triangles are, in an order that does not depend on how meshes are split.
fn corners(scene: &Scene, time: impl Into<Option<f32>>) -> Vec<[[u32; 3]; 3]> {
    let time = time.into();
    let mut all = Vec::new();
    for (at, instance) in scene.instances.iter().enumerate() {
        let positions = vertices(scene, at, time).0;
        for corners in scene[instance.mesh].primitives[0].indices.chunks_exact(3) {
            let place = |at: usize| positions[corners[at] as usize].to_array().map(f32::to_bits);
            all.push([0, 1, 2].map(place));
        }
    }
    all.sort_unstable();
    all
}

#[test]
fn a_mesh_that_follows_too_many_joints_is_split_and_no_triangle_moves() {
    let (whole, left) = after(ribbon(), &[]);
    assert!(left.contains(&"joint-limit"), "{left:?}");
    let (scene, left) = after(ribbon(), &["joint-limit"]);
    assert!(!left.contains(&"joint-limit"), "{left:?}");
    assert!(scene.skins.iter().all(|skin| skin.joints.len() <= 256));
    // 600 joints in parts of 256: three, and joints at the seams are in two.
    assert_eq!((scene.instances.len(), scene.meshes.len(), scene.skins.len()), (3, 3, 3));
    assert_eq!(scene.clips[0].weights.len(), 3);
    for time in [None, Some(0.05), Some(0.1)] {
        assert_eq!(corners(&whole, time), corners(&scene, time), "{time:?}");
    }
}
