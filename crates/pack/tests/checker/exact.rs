//! A clip's curves in double precision, by the formulas of glTF 2.0, appendix C.

use sinew_scene::glam::{DQuat, DVec3, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, Scene};

use super::decode::Local;

/// The rest pose.
pub(crate) fn rest(scene: &Scene) -> Vec<Local> {
    let nodes = scene.skeleton().nodes().iter();
    let local = nodes.map(|node| Local {
        rotation: node.rest.rotation.as_dquat().to_array(),
        translation: node.rest.translation.as_dvec3().to_array(),
        scale: node.rest.scale.as_dvec3().to_array(),
    });
    local.collect()
}

/// Writes over what the clip drives at a time.
pub(crate) fn sample(clip: &Clip, time: f64, locals: &mut [Local]) {
    for track in &clip.rotations {
        locals[track.joint.index()].rotation = rotation(&track.curve, time).to_array();
    }
    for track in &clip.translations {
        locals[track.joint.index()].translation = vector(&track.curve, time).to_array();
    }
    for track in &clip.scales {
        locals[track.joint.index()].scale = vector(&track.curve, time).to_array();
    }
}

/// The key at or before a time, how far it is on to the next, and how long that takes.
fn span(times: &[f32], time: f64) -> (usize, f64, f64) {
    let after = times.partition_point(|&key| f64::from(key) <= time);
    if after == 0 || after == times.len() {
        return (after.saturating_sub(1), 0.0, 0.0);
    }
    let (from, to) = (f64::from(times[after - 1]), f64::from(times[after]));
    (after - 1, (time - from) / (to - from), to - from)
}

fn hermite(t: f64, length: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        length * (t3 - 2.0 * t2 + t),
        length * (t3 - t2),
        3.0 * t2 - 2.0 * t3,
    ]
}

fn vector(curve: &Curve<Vec3>, time: f64) -> DVec3 {
    let (key, t, length) = span(curve.times(), time);
    let value = |at: usize| curve.values()[at].as_dvec3();
    match curve.interpolation() {
        Interpolation::Cubic if length == 0.0 => value(3 * key + 1),
        Interpolation::Cubic => {
            let [a, b, c, d] = hermite(t, length);
            let first = 3 * key + 1;
            value(first) * a + value(first + 1) * b + value(first + 2) * c + value(first + 3) * d
        }
        Interpolation::Linear if length > 0.0 => value(key).lerp(value(key + 1), t),
        _ => value(key),
    }
}

fn rotation(curve: &Curve<Quat>, time: f64) -> DQuat {
    let (key, t, length) = span(curve.times(), time);
    let value = |at: usize| curve.values()[at].as_dquat();
    match curve.interpolation() {
        Interpolation::Cubic if length == 0.0 => value(3 * key + 1).normalize(),
        Interpolation::Cubic => {
            let [a, b, c, d] = hermite(t, length);
            let first = 3 * key + 1;
            let sum = value(first) * a + value(first + 1) * b + value(first + 2) * c;
            let sum = sum + value(first + 3) * d;
            if sum.length() > 1e-6 { sum.normalize() } else { value(first) }
        }
        Interpolation::Linear if length > 0.0 => slerp(value(key), value(key + 1), t),
        _ => value(key).normalize(),
    }
}

/// The short way at an even pace.
fn slerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    let (from, to) = (from.normalize(), to.normalize());
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = 2.0 * (from - to).length().atan2((from + to).length());
    if angle < 1e-9 {
        return (from * (1.0 - t) + to * t).normalize();
    }
    ((from * ((1.0 - t) * angle).sin() + to * (t * angle).sin()) * (1.0 / angle.sin())).normalize()
}
