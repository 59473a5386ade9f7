//! What becomes of each track: left out, kept once, or kept frame by frame with a step.

use rayon::prelude::*;
use sinew_scene::glam::{Quat, Vec3, Vec4};
use sinew_scene::{Clip, Interpolation, Scene};

use crate::constant;
use crate::fit::Frame;
use crate::ground::Ground;
use crate::step::{code, step};

/// The least that a rotation's fourth number may be when it is left to follow from the others.
const LEAST_FOURTH: f32 = 0.3;
/// The coarsest step of a rotation.
const COARSEST_TURN: f32 = 0.0625;

#[derive(Clone, Debug)]
pub(crate) enum Channel<V> {
    Rest,
    Constant(V),
    Moving(Track),
}

/// A track that is kept frame by frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    /// Of its step.
    pub(crate) code: u8,
    /// The finest code that makes sense, and the coarsest.
    pub(crate) coarsest: u8,
    pub(crate) holds: bool,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Turn(Frame),
    Spin,
    Vector(Vec3),
}

/// A rotation, and the numbers that stand for it in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    pub(crate) stored: Vec4,
    pub(crate) turn: Quat,
}

/// What becomes of a skeleton's tracks.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) rotations: Vec<Channel<Quat>>,
    pub(crate) translations: Vec<Channel<Vec3>>,
    pub(crate) scales: Vec<Channel<Vec3>>,
}

impl Track {
    /// Whole steps of a rotation, and what comes back; `near` tells which of two signs.
    pub(crate) fn rotation(&self, value: Quat, near: Quat) -> ([i32; 4], Turned) {
        let size = step(self.code);
        let whole = |number: f32| (number / size).round() as i32;
        if let Form::Turn(frame) = self.form {
            let stored = frame.stored(value);
            let [x, y, z] = [stored.x, stored.y, stored.z].map(whole);
            let back = Vec3::new(x as f32, y as f32, z as f32) * size;
            return ([x, y, z, 0], Turned { stored: back.extend(0.0), turn: frame.turn(back) });
        }
        let value = if value.dot(near) < 0.0 { -value } else { value };
        let steps = value.to_array().map(whole);
        let back = Quat::from_array(steps.map(|steps| steps as f32 * size));
        let turn = if back.length_squared() > 1e-6 { back.normalize() } else { value };
        (steps, Turned { stored: back.into(), turn })
    }

    /// An exact rotation, as if steps were endlessly fine.
    pub(crate) fn exact(&self, turn: Quat) -> Turned {
        let stored = match self.form {
            Form::Turn(frame) => frame.stored(turn),
            _ => turn,
        };
        Turned { stored: stored.into(), turn }
    }

    /// The rotation that mixed stored numbers stand for.
    pub(crate) fn mixed(&self, stored: Vec4) -> Quat {
        match self.form {
            Form::Turn(frame) => frame.turn(stored.truncate()),
            _ => Quat::from_vec4(stored).normalize(),
        }
    }

    /// Whole steps of a translation or scale, and what comes back.
    pub(crate) fn vector(&self, value: Vec3) -> ([i32; 4], Vec3) {
        let size = step(self.code);
        let Form::Vector(origin) = self.form else { return ([0; 4], value) };
        let [x, y, z] = (value - origin).to_array().map(|number| (number / size).round() as i32);
        ([x, y, z, 0], Vec3::new(x as f32, y as f32, z as f32) * size + origin)
    }
}

impl Plan {
    /// Leaves out what moves the skin by less than `still` metres; steps are as coarse as they may be.
    pub(crate) fn new(scene: &Scene, clip: &Clip, ground: &Ground<'_>, still: f32) -> Self {
        let joints = scene.skeleton().len();
        let held = Held::new(clip, joints);
        let nodes = scene.skeleton().nodes().par_iter().enumerate();
        let channels = nodes.map(|(joint, node)| {
            let far = ground.far[joint].max(1e-4);
            let locals = || ground.source.locals.iter().skip(joint).step_by(joints);
            let turns: Vec<Quat> = locals().map(|local| local.rotation).collect();
            let turned = rotation(&turns, node.rest.rotation, still / far, held.0[joint]);
            let moves: Vec<Vec3> = locals().map(|local| local.translation).collect();
            let moved = vector(
                &moves,
                node.rest.translation,
                still / ground.sizes[joint].max(1e-6),
                held.1[joint],
            );
            let scales: Vec<Vec3> = locals().map(|local| local.scale).collect();
            // As a part of what the scale is at rest.
            let grown = still / far * node.rest.scale.max_element().abs();
            (turned, (moved, vector(&scales, node.rest.scale, grown, held.2[joint])))
        });
        let (rotations, (translations, scales)) = channels.unzip();
        Self { rotations, translations, scales }
    }

    /// How many tracks do not move.
    pub(crate) fn still(&self) -> usize {
        fn still<V>(channels: &[Channel<V>]) -> usize {
            channels.iter().filter(|channel| !matches!(channel, Channel::Moving(_))).count()
        }
        still(&self.rotations) + still(&self.translations) + still(&self.scales)
    }

    /// Makes every step finer by so many codes; false when all are as fine as can be.
    pub(crate) fn finer(&mut self, codes: u8) -> bool {
        let mut any = false;
        for (_, track) in self.tracks_mut() {
            any |= track.code > 0;
            track.code = track.code.saturating_sub(codes);
        }
        any
    }

    /// Every moving track, joint after joint.
    pub(crate) fn tracks_mut(&mut self) -> impl Iterator<Item = (usize, &mut Track)> {
        fn moving<V>((joint, channel): (usize, &mut Channel<V>)) -> Option<(usize, &mut Track)> {
            match channel {
                Channel::Moving(track) => Some((joint, track)),
                _ => None,
            }
        }
        let rotations = self.rotations.iter_mut().enumerate().filter_map(moving);
        let translations = self.translations.iter_mut().enumerate().filter_map(moving);
        rotations.chain(translations).chain(self.scales.iter_mut().enumerate().filter_map(moving))
    }
}

/// Which rotations, translations and scales hold from key to key.
struct Held(Vec<bool>, Vec<bool>, Vec<bool>);

impl Held {
    fn new(clip: &Clip, joints: usize) -> Self {
        let mut held = Self(vec![false; joints], vec![false; joints], vec![false; joints]);
        let steps = |interpolation| interpolation == Interpolation::Step;
        for track in &clip.rotations {
            held.0[track.joint.index()] = steps(track.curve.interpolation());
        }
        for track in &clip.translations {
            held.1[track.joint.index()] = steps(track.curve.interpolation());
        }
        for track in &clip.scales {
            held.2[track.joint.index()] = steps(track.curve.interpolation());
        }
        held
    }
}

/// `still` is in radians.
fn rotation(values: &[Quat], rest: Quat, still: f32, holds: bool) -> Channel<Quat> {
    let apart = |value: Quat| {
        let farthest = |most: f32, other: &Quat| {
            let near = if value.dot(*other) < 0.0 { -*other } else { *other };
            most.max(2.0 * (near - value).length())
        };
        values.iter().fold(0.0, farthest)
    };
    if apart(rest) <= still {
        return Channel::Rest;
    }
    let frame = Frame::new(values);
    let middle = constant::read(constant::write(frame.left() * frame.right()));
    for value in [middle, constant::read(constant::write(values[0]))] {
        if apart(value) <= still {
            return Channel::Constant(value);
        }
    }
    let least = values.iter().map(|value| frame.stored(*value).w).fold(1.0, f32::min);
    let form = if least > LEAST_FOURTH { Form::Turn(frame) } else { Form::Spin };
    let coarsest = code(COARSEST_TURN);
    Channel::Moving(Track { code: coarsest, coarsest, holds, form })
}

fn vector(values: &[Vec3], rest: Vec3, still: f32, holds: bool) -> Channel<Vec3> {
    let apart = |value: Vec3| values.iter().map(|other| value.distance(*other)).fold(0.0, f32::max);
    if apart(rest) <= still {
        return Channel::Rest;
    }
    let (low, high) =
        values.iter().fold((values[0], values[0]), |(low, high), v| (low.min(*v), high.max(*v)));
    let middle = (low + high) / 2.0;
    if apart(middle) <= still {
        return Channel::Constant(middle);
    }
    let coarsest = code((high - low).max_element());
    Channel::Moving(Track { code: coarsest, coarsest, holds, form: Form::Vector(middle) })
}
