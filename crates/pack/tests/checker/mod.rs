//! Packed clips checked by a program that shares no code with the packer.
//!
//! In:  a scene, one of its clips, and a packed file's bytes.
//! Out: how far any point of a node's shell truly is off, against the samples that were packed and against the clip.
//!
//! It decodes by `docs/pack.md`, in double precision, at frames, keys and 240 Hz.

mod decode;
mod exact;

use sinew_scene::glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_scene::{Clip, Scene};

use decode::{Decoded, Local, dot, mix, unit};
use exact::rest;

/// What was found, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// As the file says.
    pub(crate) bound: f64,
    pub(crate) stated_error: f64,
    pub(crate) stated_loss: f64,
    /// Against the samples, mixed between as the document says.
    pub(crate) error: f64,
    /// Against the clip itself.
    pub(crate) loss: f64,
}

impl Verdict {
    pub(crate) fn holds(&self) -> bool {
        self.stated_error <= self.bound
            && self.error <= self.stated_error
            && self.loss <= self.stated_loss
    }
}

/// Checks a packed clip against the clip that it was made from.
pub(crate) fn verdict(scene: &Scene, clip: &Clip, shells: &[f32], bytes: &[u8]) -> Verdict {
    let decoded = Decoded::read(bytes);
    let sample_times = sample_times(&decoded);
    let sample = |time: &f64| {
        // A sample is taken from the clip at its time in single precision.
        let mut locals = rest(scene);
        exact::sample(clip, f64::from(*time as f32), &mut locals);
        locals
    };
    let samples: Vec<Vec<Local>> = sample_times.iter().map(sample).collect();
    let (mut error, mut loss) = (0.0, 0.0);
    let (mut found, mut truth) = (rest(scene), rest(scene));
    for time in times(clip, &decoded) {
        decoded.sample(time, &mut found);
        let models = to_model(scene, &found);
        exact::sample(clip, time, &mut truth);
        worst(&to_model(scene, &truth), &models, shells, &mut loss);
        if !samples.is_empty() {
            let between = between(&sample_times, &samples, time, &found);
            worst(&to_model(scene, &between), &models, shells, &mut error);
        }
    }
    let error = if samples.is_empty() { loss } else { error };
    Verdict {
        bound: decoded.bound,
        stated_error: decoded.error,
        stated_loss: decoded.loss,
        error,
        loss,
    }
}

/// The farthest that single precision puts anything off of what a file and a clip say: rotations in radians, and
/// translations as parts of their length.
#[allow(dead_code, reason = "for a test alone")]
pub(crate) fn roundings(scene: &Scene, clip: &Clip, bytes: &[u8]) -> [f64; 2] {
    use sinew_motion::{Cursor, Pose};
    let decoded = Decoded::read(bytes);
    let packed = sinew_pack::Packed::read(bytes).expect("a packed clip");
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let mut exact = rest(scene);
    let mut most = [0.0_f64; 2];
    let mut compare = |pose: &Pose, exact: &[Local]| {
        for (node, exact) in scene.skeleton().ids().zip(exact) {
            let found = pose.local(node);
            let rotation = found.rotation.as_dquat().normalize().to_array();
            let exact_rotation = unit(exact.rotation);
            let sign = dot(rotation, exact_rotation).signum();
            let off = [0, 1, 2, 3].map(|axis| rotation[axis] * sign - exact_rotation[axis]);
            let moved = found.translation.as_dvec3() - DVec3::from_array(exact.translation);
            let length = DVec3::from_array(exact.translation).length().max(1e-9);
            most = [most[0].max(2.0 * dot(off, off).sqrt()), most[1].max(moved.length() / length)];
        }
    };
    for time in times(clip, &decoded) {
        decoded.sample(time, &mut exact);
        packed.sample(time as f32, &mut pose);
        compare(&pose, &exact);
        exact::sample(clip, time, &mut exact);
        sinew_motion::sample(clip, time as f32, &mut cursor, &mut pose);
        compare(&pose, &exact);
    }
    most
}

fn sample_times(decoded: &Decoded) -> Vec<f64> {
    let gap = decoded.duration / decoded.samples.saturating_sub(1).max(1) as f64;
    (0..decoded.samples).map(|at| at as f64 * gap).collect()
}

/// Frames, samples, keys and 240 Hz, in single precision: what a program can ask for.
fn times(clip: &Clip, decoded: &Decoded) -> Vec<f64> {
    let mut times = decoded.times.clone();
    times.extend(sample_times(decoded));
    let mut keys = |keys: &[f32]| times.extend(keys.iter().map(|key| f64::from(*key)));
    clip.rotations.iter().for_each(|track| keys(track.curve.times()));
    clip.translations.iter().chain(&clip.scales).for_each(|track| keys(track.curve.times()));
    times.extend((0..=(decoded.duration * 240.0) as usize).map(|at| at as f64 / 240.0));
    times.iter_mut().for_each(|time| *time = f64::from(*time as f32));
    times.retain(|time| (0.0..=decoded.duration).contains(time));
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Samples, mixed between; where two are as good as opposite, the way that was found.
fn between(times: &[f64], at_frames: &[Vec<Local>], time: f64, found: &[Local]) -> Vec<Local> {
    let frame = times.partition_point(|&known| known <= time).saturating_sub(1);
    let next = (frame + 1).min(times.len() - 1);
    let gap = times[next] - times[frame];
    let share = if gap > 0.0 { (time - times[frame]) / gap } else { 0.0 };
    let lerp =
        |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * share);
    let pairs = at_frames[frame].iter().zip(&at_frames[next]).zip(found);
    let mixed = pairs.map(|((a, b), found)| {
        let (from, to) = (unit(a.rotation), unit(b.rotation));
        let mut rotation = unit(mix(from, to, share));
        if dot(from, to).abs() < 0.03 {
            // The other way: first towards the opposite of what lies half way.
            let other = unit(mix_far(from, to, share));
            if dot(other, found.rotation).abs() > dot(rotation, found.rotation).abs() {
                rotation = other;
            }
        }
        let (translation, scale) = (lerp(a.translation, b.translation), lerp(a.scale, b.scale));
        Local { rotation, translation, scale }
    });
    mixed.collect()
}

/// As `mix`, the long way.
fn mix_far(from: [f64; 4], to: [f64; 4], share: f64) -> [f64; 4] {
    let near = dot(from, to);
    // The same shares, and the sign turned over.
    let short = mix(from, to, share);
    let sign = if near < 0.0 { -1.0 } else { 1.0 };
    let part = |axis: usize| sign * to[axis];
    // Of short = from (1 - s) + part s, s follows from any number that differs; then the sign of part changes.
    let axis =
        (0..4).max_by(|a, b| (part(*a) - from[*a]).abs().total_cmp(&(part(*b) - from[*b]).abs()));
    let axis = axis.unwrap_or(0);
    let s = (short[axis] - from[axis]) / (part(axis) - from[axis]);
    [0, 1, 2, 3].map(|axis| from[axis] * (1.0 - s) - part(axis) * s)
}

fn to_model(scene: &Scene, locals: &[Local]) -> Vec<DAffine3> {
    let mut models: Vec<DAffine3> = Vec::with_capacity(locals.len());
    for (node, local) in scene.skeleton().nodes().iter().zip(locals) {
        let mut matrix = DAffine3::from_scale_rotation_translation(
            DVec3::from_array(local.scale),
            DQuat::from_array(local.rotation).normalize(),
            DVec3::from_array(local.translation),
        );
        if let Some(shear) = node.shear {
            matrix.matrix3 *= shear.as_dmat3();
        }
        models.push(node.parent.map_or(matrix, |parent| models[parent.index()] * matrix));
    }
    models
}

/// The farthest that a point of any shell is off.
fn worst(exact: &[DAffine3], found: &[DAffine3], shells: &[f32], worst: &mut f64) {
    for ((exact, found), shell) in exact.iter().zip(found).zip(shells) {
        let moved = found.translation - exact.translation;
        let turned = (found.matrix3 - exact.matrix3) * f64::from(*shell);
        let most = turned.to_cols_array().iter().map(|number| number * number).sum::<f64>().sqrt();
        if moved.length() + most > *worst {
            *worst = worst.max(farthest(moved, turned));
        }
    }
}

/// The largest `|moved + turned p|` over unit `p`, by going uphill from all sides: it is a convex function.
fn farthest(moved: DVec3, turned: DMat3) -> f64 {
    let mut most = 0.0_f64;
    for start in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -1.0, 1.0)] {
        for sign in [1.0, -1.0] {
            let mut point = start.normalize() * sign;
            for _ in 0..40 {
                let up = turned.transpose() * (moved + turned * point);
                point = up.try_normalize().unwrap_or(point);
            }
            most = most.max((moved + turned * point).length());
        }
    }
    most
}
