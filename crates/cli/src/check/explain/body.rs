//! Pictures of rules on size, stance and names: a figure, and the same with its nodes changed.

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::scene::{Node, SceneParts};
use sinew::{JointId, Transform};

use super::half::{Extra, Half, bend, node, ossi};

pub(super) fn halves(code: &str) -> Option<[Half; 2]> {
    let sound = || Half::rest(|_| ());
    let bones = |half: Half| half.with(Extra::Skeleton);
    Some(match code {
        "scale" => [sound().words("1.8 m"), scaled(0.01).words("1.8 cm")],
        "armature" => [sound(), turned()].map(|half| {
            bones(half).with(Extra::Axes("root")).with(Extra::Label("root", "root")).ring("root")
        }),
        "up-axis" => [sound(), lying().ring("head")],
        "stance" => {
            let rings = |half: Half| half.ring("hand.L").ring("hand.R");
            [rings(sound()).words("rest as bound"), rings(arms(35.0)).words("rest is another pose")]
        }
        "rest-bind" => [sound().words("rest as bound"), sitting().ring("shin.L").ring("spine")],
        "mirrored" => [sound(), mirrored().words("seen from behind their faces").ring("chest")],
        "shear" => [stretched(1.0), stretched(1.7).ring("chest")],
        "joint-unused" => [bones(sound()), bones(leaves()).ring("head_end").ring("hand_end")],
        "names" => [("thigh.R", "two names"), ("thigh.L", "one name for two")].map(|names| {
            let named = bones(sound()).with(Extra::Label("thigh.L", "thigh.L"));
            let named = named.with(Extra::Label("thigh.R", names.0)).words(names.1);
            if names.0 == "thigh.L" { named.ring("thigh.L").ring("thigh.R") } else { named }
        }),
        "name-reserved" => [
            bones(sound()).with(Extra::Label("hips", "hips")),
            bones(sound()).with(Extra::Label("hips", "root")).ring("hips"),
        ],
        "two-parents" => {
            [bones(sound()), bones(sound()).with(Extra::Line("hand.L", "thigh.L")).ring("hand.L")]
        }
        "morphs" => [
            sound().with(Extra::Label("head", "smile, blink")),
            sound().with(Extra::Label("head", "no name, no name")).ring("head"),
        ],
        "culled" => [
            Half::at("idle", 0.0).with(Extra::RestBounds),
            travelled("hips", "walk").with(Extra::RestBounds).ring("head"),
        ],
        "root-in-hips" => [("root", "the root goes along"), ("hips", "the root stays")].map(|at| {
            let half = travelled(at.0, "walk").with(Extra::Path(way())).words(at.1);
            half.with(Extra::Label("root", "root")).ring("root")
        }),
        "feet" => [
            Half::at("walk", 0.0),
            raised(0.14).words("off the floor").ring("foot.L").ring("foot.R"),
        ],
        _ => return None,
    })
}

fn scaled(factor: f32) -> Half {
    let small = Half::rest(|parts| parts.nodes[0].rest.scale = Vec3::splat(factor));
    small.ring("hips")
}

/// The node above the hips lies on its back, and the hips undo it.
fn turned() -> Half {
    Half::rest(|parts| {
        let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        parts.nodes[0].rest.rotation = turn;
        let hips = &mut parts.nodes[node("hips")].rest;
        hips.translation = turn.inverse() * hips.translation;
        hips.rotation = turn.inverse() * hips.rotation;
    })
}

fn lying() -> Half {
    Half::rest(|parts| {
        parts.nodes[0].rest.rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    })
}

fn arms(degrees: f32) -> Half {
    Half::rest(|parts| {
        bend(parts, "upper_arm.L", Vec3::Z, degrees);
        bend(parts, "upper_arm.R", Vec3::Z, -degrees);
    })
}

fn sitting() -> Half {
    let half = Half::rest(|parts| {
        for side in [".L", ".R"] {
            bend(parts, &format!("thigh{side}"), Vec3::X, -75.0);
            bend(parts, &format!("shin{side}"), Vec3::X, 80.0);
        }
        bend(parts, "spine", Vec3::X, 20.0);
    });
    half.words("rest is another pose")
}

/// As an engine draws it that takes the scale and not its sign.
fn mirrored() -> Half {
    Half::rest(|parts| {
        let primitive = &mut parts.meshes[0].primitives[0];
        primitive.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
        parts.materials.iter_mut().for_each(|material| material.double_sided = false);
    })
}

/// The spine is longer than it is wide, and the chest above it is turned.
fn stretched(ratio: f32) -> Half {
    Half::rest(|parts| {
        parts.nodes[node("spine")].rest.scale = Vec3::new(1.0, ratio, 1.0);
        bend(parts, "chest", Vec3::Z, 45.0);
    })
}

fn leaves() -> Half {
    Half::rest(|parts| {
        for (name, parent, along) in
            [("head_end", "head", Vec3::Y * 0.35), ("hand_end", "hand.L", Vec3::X * 0.3)]
        {
            let parent = Some(JointId::new(node(parent)));
            parts.nodes.push(Node::new(name, parent, Transform::from_translation(along)));
            let end = JointId::new(parts.nodes.len() - 1);
            parts.skins[0].joints.push(end);
            parts.skins[0].joint_from_mesh.push(Affine3A::IDENTITY);
        }
    })
}

/// How far a figure has gone.
const GONE: Vec3 = Vec3::new(0.9, 0.0, 0.5);

/// The way on the floor that a figure has gone.
fn way() -> Vec<Vec3> {
    vec![Vec3::ZERO, GONE]
}

/// The character in the middle of a step, moved by a joint.
fn travelled(joint: &str, clip: &'static str) -> Half {
    Half::changed(clip, 0.0, |parts| shift(parts, joint, GONE))
}

fn raised(metres: f32) -> Half {
    Half::changed("walk", 0.0, |parts| shift(parts, "hips", Vec3::Y * metres))
}

/// Moves a node at rest and in every clip.
fn shift(parts: &mut SceneParts, joint: &str, by: Vec3) {
    let at = node(joint);
    parts.nodes[at].rest.translation = ossi().nodes[at].rest.translation + by;
    let tracks = parts.clips.iter_mut().flat_map(|clip| &mut clip.translations);
    for track in tracks.filter(|track| track.joint.index() == at) {
        track.curve.values_mut().iter_mut().for_each(|value| *value += by);
    }
}
