//! Each rule with a model that has the fault and one that just has not: found in the first, silent on the second.

mod made;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use made::{Gltf, figure, node, reweighted, swing, texture, travel, with_clip};
use sinew_check::Severity::{self, Error, Info, Warning};
use sinew_check::{CheckOptions, Rule, check};
use sinew_import::Imported;
use sinew_scene::{
    AlphaMode, Clip, Curve, ImageData, Influence, Interpolation, JointId, MorphTarget, Node,
    SceneParts, Track, Transform,
};

struct Case {
    code: &'static str,
    severity: Severity,
    faulty: fn() -> Imported,
    sound: fn() -> Imported,
}

/// A rest rotation or scale of the topmost node.
fn root(rotation: Quat, scale: Vec3) -> Imported {
    figure(|parts| {
        parts.nodes[0].rest.rotation = rotation;
        parts.nodes[0].rest.scale = scale;
    })
}

fn tilted(degrees: f32) -> Imported {
    root(Quat::from_rotation_x(degrees.to_radians()), Vec3::ONE)
}

/// Level, with the legs ahead beside the head: the limbs of a spider, or the fingers of a hand.
fn spread_ahead() -> Imported {
    figure(|parts| {
        parts.nodes[0].rest.rotation = Quat::from_rotation_x(90_f32.to_radians());
        for thigh in ["thigh.L", "thigh.R"] {
            let at = node(parts, thigh);
            parts.nodes[at].rest.rotation = Quat::from_rotation_x(180_f32.to_radians());
        }
    })
}

/// Both arms raised at rest, while the skin stays bound as it was.
fn arms_raised(degrees: f32) -> Imported {
    figure(|parts| {
        for (arm, sign) in [("upper_arm.L", 1.0), ("upper_arm.R", -1.0)] {
            let at = node(parts, arm);
            parts.nodes[at].rest.rotation = Quat::from_rotation_z(sign * degrees.to_radians());
        }
    })
}

/// A leaf below the head that is a joint of the skin; moved by a clip or not.
fn leaf(moved: bool) -> Imported {
    figure(|parts| {
        let head = JointId::new(node(parts, "head"));
        parts.nodes.push(Node::new(
            "head_end",
            Some(head),
            Transform::from_translation(Vec3::Y * 0.2),
        ));
        let leaf = JointId::new(parts.nodes.len() - 1);
        parts.skins[0].joints.push(leaf);
        parts.skins[0].joint_from_mesh.push(Affine3A::from_translation(Vec3::Y * -1.9));
        if moved {
            let clip = swing(parts, "nod", "head_end", 0.1, &[0.0, 5.0, 0.0]);
            parts.clips.push(clip);
        }
    })
}

fn joints(count: usize) -> Imported {
    figure(|parts| {
        let skin = &mut parts.skins[0];
        while skin.joints.len() < count {
            skin.joints.push(skin.joints[0]);
            skin.joint_from_mesh.push(skin.joint_from_mesh[0]);
        }
    })
}

/// Every vertex is influenced by so many joints, far apart.
fn crowded(count: u32) -> Imported {
    figure(|parts| {
        reweighted(parts, |_, _| {
            let weight = 1.0 / count as f32;
            (0..count).map(|at| Influence { joint: at * 9, weight }).collect()
        });
        let clip = swing(parts, "bend", "thigh.L", 0.1, &[0.0, 40.0, 0.0, 30.0]);
        parts.clips.push(clip);
    })
}

fn flipped(sign: f32) -> Imported {
    with_clip(|parts| {
        let mut clip = swing(parts, "bend", "spine", 0.1, &[0.0, 10.0, 20.0, 10.0]);
        let key = &mut clip.rotations[0].curve.values_mut()[2];
        *key *= sign;
        clip
    })
}

/// Still at first, then away and back, so many times.
fn repeated(times: usize) -> Imported {
    let mut degrees = Vec::new();
    for _ in 0..times {
        degrees.extend([0.0; 30]);
        degrees.extend((0..60).map(|at| 60.0 * (at as f32 / 60.0 * std::f32::consts::PI).sin()));
    }
    degrees.extend(vec![0.0; 400 - degrees.len().min(370)]);
    with_clip(|parts| swing(parts, "all", "spine", 1.0 / 30.0, &degrees))
}

/// Swings for a second, then holds still until so many seconds.
fn held(seconds: f32) -> Imported {
    let frames = (seconds * 30.0) as usize;
    let degrees: Vec<f32> = (0..=frames).map(|at| (at.min(30) as f32 * 0.7).sin() * 20.0).collect();
    with_clip(|parts| swing(parts, "swing", "spine", 1.0 / 30.0, &degrees))
}

/// Once around, and not quite back.
fn open_by(degrees: f32) -> Imported {
    let wave = |at: usize| (at as f32 / 240.0 * std::f32::consts::TAU).sin() * 40.0;
    let off = |at: usize| if at > 238 { degrees } else { 0.0 };
    let all: Vec<f32> = (0..=240).map(|at| wave(at) + off(at)).collect();
    with_clip(|parts| swing(parts, "swing", "spine", 1.0 / 30.0, &all))
}

fn shifted(seconds: f32) -> Imported {
    with_clip(|parts| {
        let mut clip = swing(parts, "bend", "spine", 0.1, &[0.0, 10.0, 0.0]);
        let curve = &clip.rotations[0].curve;
        let times: Vec<f32> = curve.times().iter().map(|time| time + seconds).collect();
        let values = curve.values().to_vec();
        clip.rotations[0].curve =
            Curve::new(times, values, Interpolation::Linear).expect("good keys");
        clip.duration += seconds;
        clip
    })
}

/// A second track whose keys all say the same, or do not.
fn second_track(degrees: f32) -> Imported {
    with_clip(|parts| {
        let mut clip = swing(parts, "bend", "spine", 0.1, &[0.0, 10.0, 20.0, 10.0, 0.0]);
        let other = swing(parts, "", "thigh.L", 0.1, &[0.0, degrees, 0.0, degrees, 0.0]);
        clip.rotations.extend(other.rotations);
        clip
    })
}

/// Two clips of three joints, the second of which may lack one.
fn two_clips(lacks: bool) -> Imported {
    figure(|parts| {
        for name in ["one", "two"] {
            let mut clip = swing(parts, name, "spine", 0.1, &[0.0, 10.0, 0.0]);
            for joint in ["thigh.L", "thigh.R"] {
                clip.rotations.extend(swing(parts, "", joint, 0.1, &[0.0, 20.0, 0.0]).rotations);
            }
            if !(lacks && name == "two") {
                clip.rotations
                    .extend(swing(parts, "", "upper_arm.L", 0.1, &[0.0, 40.0, 0.0]).rotations);
            }
            parts.clips.push(clip);
        }
    })
}

fn stretched(ratio: f32) -> Imported {
    figure(|parts| {
        let at = node(parts, "spine");
        parts.nodes[at].rest.scale = Vec3::new(1.0, ratio, 1.0);
        let clip = swing(parts, "bend", "chest", 0.1, &[0.0, 20.0, 0.0]);
        parts.clips.push(clip);
    })
}

fn morphs(name: &str) -> Imported {
    figure(|parts| {
        parts.meshes[0].morph_names = (0..3)
            .map(|at| if name.is_empty() { String::new() } else { format!("{name}{at}") })
            .collect();
        for primitive in &mut parts.meshes[0].primitives {
            primitive.morphs = vec![MorphTarget::default(); 3];
        }
        parts.instances[0].weights = vec![0.0; 3];
    })
}

/// A normal map over mirrored texture coordinates, with tangents or without.
fn normal_mapped(tangents: bool) -> Imported {
    figure(|parts| {
        let map = texture(parts, &[128, 128, 255, 255]);
        parts.materials[0].normal_texture = Some(map);
        let primitive = &mut parts.meshes[0].primitives[0];
        primitive.uvs =
            vec![primitive.positions.iter().map(|at| Vec2::new(at.x.abs(), at.y)).collect()];
        let tangent = |_: &Vec3| Vec4::new(1.0, 0.0, 0.0, 1.0);
        primitive.tangents =
            if tangents { primitive.positions.iter().map(tangent).collect() } else { Vec::new() };
    })
}

/// One image for colour and normals, or two.
fn shared_image(shared: bool) -> Imported {
    figure(|parts| {
        let map = texture(parts, &[128, 128, 255, 255]);
        let color = if shared { map } else { texture(parts, &[200, 100, 50, 255]) };
        parts.materials[0].normal_texture = Some(map);
        parts.materials[0].base_color_texture = Some(color);
        let primitive = &mut parts.meshes[0].primitives[0];
        primitive.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); primitive.positions.len()];
    })
}

fn blended(alphas: [u8; 4]) -> Imported {
    figure(|parts| {
        let rgba: Vec<u8> = alphas.into_iter().flat_map(|alpha| [200, 100, 50, alpha]).collect();
        let color = texture(parts, &rgba);
        parts.materials[0].base_color_texture = Some(color);
        parts.materials[0].base_color = Vec4::ONE;
        parts.materials[0].alpha_mode = AlphaMode::Blend;
        parts.meshes[0].primitives[0].colors.clear();
    })
}

fn image(data: ImageData) -> Imported {
    figure(|parts| {
        let map = texture(parts, &[200, 100, 50, 255]);
        parts.materials[0].base_color_texture = Some(map);
        parts.images.last_mut().expect("an image").data = data;
    })
}

fn spiked(degrees: f32) -> Imported {
    with_clip(|parts| {
        swing(parts, "flick", "upper_arm.L", 1.0 / 30.0, &[0.0, 1.0, degrees, 1.0, 0.0, 0.0])
    })
}

fn named(joint: &'static str, name: &'static str) -> Imported {
    figure(|parts| {
        let at = node(parts, joint);
        parts.nodes[at].name = name.into();
    })
}

fn bent(gap: f32) -> Imported {
    let degrees: Vec<f32> = (0..20).map(|at| (at as f32 * 0.9).sin() * 20.0).collect();
    with_clip(|parts| swing(parts, "bend", "spine", gap, &degrees))
}

fn unbound_binds(parts: &mut SceneParts) {
    parts.skins[0].joint_from_mesh.fill(Affine3A::IDENTITY);
}

fn scaled_away(smallest: f32) -> Imported {
    with_clip(|parts| {
        let values = vec![Vec3::ONE, Vec3::splat(smallest), Vec3::ONE];
        let curve =
            Curve::new(vec![0.0, 0.1, 0.2], values, Interpolation::Linear).expect("good keys");
        let joint = JointId::new(node(parts, "head"));
        Clip { duration: 0.2, scales: vec![Track { joint, curve }], ..Clip::default() }
    })
}

macro_rules! cases {
    ($($code:literal $severity:ident: $faulty:expr, $sound:expr;)*) => {
        [$(Case { code: $code, severity: $severity, faulty: || $faulty, sound: || $sound }),*]
    };
}

fn gltf(change: fn(&mut Gltf)) -> Imported {
    let mut file = Gltf::default();
    change(&mut file);
    file.read()
}

const RENAMED: &str = r#"{"sampler":0,"target":{"path":"rotation"}}"#;
const TWICE: &str = r#"{"sampler":0,"target":{"node":2,"path":"rotation"}},{"sampler":0,"target":{"node":2,"path":"rotation"}}"#;

#[rustfmt::skip]
fn all() -> Vec<Case> {
    cases! {
        "scale" Warning: root(Quat::IDENTITY, Vec3::splat(0.01)), root(Quat::IDENTITY, Vec3::splat(0.4));
        "armature" Info: tilted(1.0), tilted(0.05);
        "up-axis" Warning: tilted(90.0), tilted(50.0);
        "up-axis" Warning: tilted(-90.0), spread_ahead();
        "weight-sum" Error: gltf(|file| file.weights[1] = [0.5, 0.48, 0.0, 0.0]), gltf(|_| ());
        "weight-sum" Info: gltf(|file| file.weights[1] = [0.5, 0.4999, 0.0, 0.0]), gltf(|file| file.weights[1] = [0.5, 0.499_999_9, 0.0, 0.0]);
        "weight-none" Error: figure(|parts| reweighted(parts, |vertex, old| if vertex == 7 { vec![] } else { old.to_vec() })), figure(|_| ());
        "influences" Warning: crowded(5), crowded(4);
        "joint-limit" Warning: joints(257), joints(256);
        "joint-unused" Info: leaf(false), leaf(true);
        "quat-sign" Warning: flipped(-1.0), flipped(1.0);
        "quat-unit" Error: gltf(|file| file.root_joint = r#","rotation":[0,0,0,1.1]"#), gltf(|file| file.root_joint = r#","rotation":[0,0,0,1.00005]"#);
        "quat-unit" Info: gltf(|file| file.rotations[0] = [0.0, 0.0, 0.0, 1.001]), gltf(|file| file.rotations[0] = [0.0, 0.0, 0.0, 1.00005]);
        "rotation-180" Warning: with_clip(|parts| swing(parts, "spin", "spine", 1.0, &[0.0, 175.0])), with_clip(|parts| swing(parts, "spin", "spine", 1.0, &[0.0, 165.0]));
        "spike" Warning: spiked(80.0), spiked(50.0);
        "rest-bind" Info: arms_raised(12.0), arms_raised(0.5);
        "binds" Error: figure(unbound_binds), figure(|_| ());
        "skin-node" Warning: gltf(|file| file.mesh_node = r#","translation":[1,0,0]"#), gltf(|_| ());
        "joint-scene" Error: gltf(|file| file.scene = "0"), gltf(|_| ());
        "names" Warning: named("thigh.R", "thigh.L"), figure(|_| ());
        "name-reserved" Info: named("hips", "root"), figure(|_| ());
        "unbound" Warning: gltf(|file| file.channels = RENAMED), gltf(|_| ());
        "take" Error: with_clip(|parts| Clip { duration: 0.0, ..swing(parts, "", "spine", 1.0, &[0.0, 10.0]) }), with_clip(|parts| swing(parts, "", "spine", 1.0, &[0.0, 10.0]));
        "take" Info: with_clip(|_| Clip { duration: 2.0, ..Clip::default() }), with_clip(|parts| swing(parts, "", "spine", 1.0, &[0.0, 10.0]));
        "one-take" Info: repeated(4), repeated(2);
        "speed" Warning: bent(0.25), bent(0.15);
        "speed" Warning: bent(0.001), bent(1.0 / 120.0);
        "late" Warning: shifted(0.2), shifted(0.005);
        "late" Info: shifted(0.04), shifted(0.005);
        "tail" Info: held(2.0), held(1.4);
        "loop" Warning: open_by(4.5), open_by(0.0);
        "constants" Info: second_track(0.0), second_track(5.0);
        "partial" Warning: two_clips(true), two_clips(false);
        "mirrored" Warning: root(Quat::IDENTITY, Vec3::new(-1.0, 1.0, 1.0)), figure(|_| ());
        "shear" Warning: stretched(1.1), stretched(1.005);
        "nan" Error: gltf(|file| file.rotations[1] = [f32::NAN; 4]), gltf(|_| ());
        "nan" Info: scaled_away(0.0), scaled_away(0.01);
        "culled" Info: with_clip(|parts| travel(parts, "root", 4.0, 2.0)), with_clip(|parts| travel(parts, "root", 0.5, 2.0));
        "root-in-hips" Info: with_clip(|parts| travel(parts, "hips", 0.5, 2.0)), with_clip(|parts| travel(parts, "hips", 0.2, 2.0));
        "feet" Info: with_clip(|parts| travel(parts, "hips", 0.5, 2.0)), with_clip(|parts| travel(parts, "hips", 0.1, 2.0));
        "stance" Info: arms_raised(25.0), arms_raised(10.0);
        "morphs" Warning: morphs(""), morphs("smile");
        "textures" Warning: image(ImageData::Missing), figure(|_| ());
        "tangents" Warning: normal_mapped(false), normal_mapped(true);
        "colour" Warning: shared_image(true), shared_image(false);
        "alpha" Warning: blended([255, 0, 255, 255]), blended([255, 128, 0, 255]);
        "required" Info: gltf(|file| file.more = r#","extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"]"#), gltf(|file| file.more = r#","extensionsUsed":["KHR_lights_punctual"],"extensionsRequired":["KHR_lights_punctual"]"#);
        "joint-index" Error: gltf(|file| file.joints[1] = [0, 9, 0, 0]), gltf(|_| ());
        "two-tracks" Error: gltf(|file| file.channels = TWICE), gltf(|_| ());
        "key-order" Error: gltf(|file| file.times = [0.0, 1.0, 0.5]), gltf(|_| ());
        "key-order" Warning: gltf(|file| file.times = [0.0, 0.5, 0.5]), gltf(|file| file.times = [0.0, 0.5, 0.6]);
        "two-parents" Error: gltf(|file| file.more_nodes = r#",{"children":[2]}"#), gltf(|_| ());
        "reader" Info: gltf(|file| file.more = r#","extensionsUsed":["ACME_unheard_of"]"#), gltf(|_| ());
    }
    .into()
}

#[test]
fn each_fault_is_found_and_its_neighbour_is_left_alone() {
    let mut wrong = Vec::new();
    for case in all() {
        let found = |model: Imported| -> Vec<Severity> {
            let all = check(&model, &CheckOptions::default());
            all.iter().filter(|one| one.code() == case.code).map(|one| one.severity).collect()
        };
        let faulty = found((case.faulty)());
        if !faulty.contains(&case.severity) {
            wrong.push(format!("{}: expected {}, found {faulty:?}", case.code, case.severity));
        }
        let sound = found((case.sound)());
        if !sound.is_empty() {
            wrong.push(format!("{}: expected silence, found {sound:?}", case.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_a_case() {
    let cases = all();
    for rule in Rule::all() {
        assert!(cases.iter().any(|case| case.code == rule.code), "{} has no case", rule.code);
    }
}

#[test]
fn the_built_in_characters_have_no_errors_and_no_warnings() {
    for scene in [sinew_ossi::ossi(), sinew_ossi::demo()] {
        let found = check(&Imported::from(scene), &CheckOptions::default());
        let bad: Vec<_> = found
            .iter()
            .filter(|one| one.severity > Info)
            .map(|one| (one.code(), &one.message))
            .collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}
