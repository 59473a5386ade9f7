//! Clips against ufbx's own evaluation, at random times.

use glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, Transform};

use super::made::{Dice, Kind, chain};
use super::{ARM, read};
use crate::fbx::number::affine;

/// Where a time falls: the key before it and how far on to the next.
fn span(times: &[f32], time: f32) -> (usize, f32, f32) {
    let key = times.partition_point(|&key| key <= time).saturating_sub(1);
    match times.get(key + 1) {
        Some(next) if time >= times[key] => {
            (key, (time - times[key]) / (next - times[key]), next - times[key])
        }
        _ => (key, 0.0, 0.0),
    }
}

/// By the formulas of the glTF 2.0 specification, appendix C.
fn hermite<V: Copy + std::ops::Mul<f32, Output = V> + std::ops::Add<Output = V>>(
    values: &[V],
    (key, t, length): (usize, f32, f32),
) -> V {
    if length == 0.0 {
        return values[3 * key + 1];
    }
    let (t2, t3) = (t * t, t * t * t);
    values[3 * key + 1] * (2.0 * t3 - 3.0 * t2 + 1.0)
        + values[3 * key + 2] * (length * (t3 - 2.0 * t2 + t))
        + values[3 * key + 4] * (3.0 * t2 - 2.0 * t3)
        + values[3 * key + 3] * (length * (t3 - t2))
}

fn vector(curve: &Curve<Vec3>, time: f32) -> Vec3 {
    let at = span(curve.times(), time);
    let values = curve.values();
    match curve.interpolation() {
        Interpolation::Cubic => hermite(values, at),
        Interpolation::Linear if at.2 > 0.0 => values[at.0].lerp(values[at.0 + 1], at.1),
        _ => values[at.0],
    }
}

fn rotation(curve: &Curve<Quat>, time: f32) -> Quat {
    let at = span(curve.times(), time);
    let values = curve.values();
    match curve.interpolation() {
        Interpolation::Cubic => hermite(values, at).normalize(),
        Interpolation::Linear if at.2 > 0.0 => values[at.0].slerp(values[at.0 + 1], at.1),
        _ => values[at.0],
    }
}

/// World matrices of all nodes at a time of the clip.
fn pose(scene: &Scene, clip: &Clip, time: f32) -> Vec<Affine3A> {
    let nodes = scene.skeleton().nodes();
    let mut locals: Vec<Transform> = nodes.iter().map(|node| node.rest).collect();
    for track in &clip.translations {
        locals[track.joint.index()].translation = vector(&track.curve, time);
    }
    for track in &clip.rotations {
        locals[track.joint.index()].rotation = rotation(&track.curve, time);
    }
    for track in &clip.scales {
        locals[track.joint.index()].scale = vector(&track.curve, time);
    }
    let mut world: Vec<Affine3A> = Vec::new();
    for (node, local) in nodes.iter().zip(&locals) {
        let parent = node.parent.map_or(Affine3A::IDENTITY, |parent| world[parent.index()]);
        world.push(parent * local.to_affine());
    }
    world
}

/// The largest distance, in parts of the chain's size, between where our nodes put their origin
/// and unit points and where ufbx puts them, at many times of the first take.
fn worst(text: &str) -> f32 {
    let imported = read(text);
    let scene = &imported.scene;
    let theirs = ufbx::load_memory(text.as_bytes(), ufbx::LoadOpts::default()).expect("good");
    let stack = &theirs.anim_stacks[0];
    let (clip, size) = (&scene.clips[0], crate::fbx::scenery::size(&theirs) as f32);
    let mut dice = Dice(77);
    let mut worst = 0.0_f32;
    for _ in 0..300 {
        let time = (dice.number() * 0.5 + 0.5) as f32 * clip.duration;
        let at = clip.start + f64::from(time);
        let world = pose(scene, clip, time);
        let options = ufbx::EvaluateOpts::default();
        let evaluated = ufbx::evaluate_scene(&theirs, &stack.anim, at, options).expect("evaluated");
        for node in evaluated.nodes.iter().filter(|node| !node.is_root) {
            let joint: JointId = scene.skeleton().find(&node.element.name).expect("by name");
            let undo = scene.file_from_world;
            let ours = undo * world[joint.index()] * undo.inverse();
            let wanted = affine(&node.node_to_world);
            for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let apart = ours.transform_point3(point).distance(wanted.transform_point3(point));
                worst = worst.max(apart / size);
            }
        }
    }
    worst
}

/// Where a curve jumps, the moment of the jump in single precision decides which side a time
/// is on; so few times are that near that none of the random ones is.
fn check(kind: Kind) {
    for seed in 1..6 {
        let worst = worst(&chain(seed * 7919, kind));
        assert!(worst < 1e-5, "seed {seed}: off by {worst} of the size");
    }
}

#[test]
fn a_rotation_by_two_circles_is_followed() {
    let worst = worst(ARM);
    assert!(worst < 1e-5, "off by {worst}");
}

#[test]
fn linear_and_cubic_curves_in_every_rotation_order_are_followed() {
    check(Kind::default());
}

#[test]
fn pivots_are_followed() {
    check(Kind { pivots: true, ..Kind::default() });
}

#[test]
fn every_mode_to_inherit_scale_is_followed() {
    check(Kind { inherit: true, ..Kind::default() });
    check(Kind { inherit: true, pivots: true, ..Kind::default() });
}

#[test]
fn jumps_are_followed() {
    check(Kind { jumps: true, ..Kind::default() });
    check(Kind { jumps: true, pivots: true, inherit: true, ..Kind::default() });
}

#[test]
fn layers_are_followed() {
    check(Kind { layers: true, ..Kind::default() });
}

#[test]
fn cycles_are_followed() {
    check(Kind { cycles: true, ..Kind::default() });
}
