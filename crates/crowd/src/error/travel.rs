//! How far one joint travels in one sampled clip that loops.
//!
//! In:  a sampled clip's frames.
//! Out: how far a joint rotates, translates and scales within so many seconds, and how far it is from rest.
//!
//! Between frames all of it goes straight on, so the most within a stretch of time is where the stretch begins or
//! ends at a frame. At its end a sampled clip starts over: the jump back counts as travelled at once.

use sinew_motion::{SampledClip, SampledJoint};
use sinew_scene::glam::{Quat, Vec3};

use super::Local;
use crate::bones::Bones;

/// Of a clip's length: what sums of times in single precision are off.
const CLOCK: f64 = 1e-6;

/// All that a joint does in a sampled clip.
#[derive(Debug)]
pub(crate) struct JointTravel {
    rotation: Travel,
    translation: Travel,
    scale: Travel,
    /// Of each frame, from where the joint is at rest.
    rest: Vec<Local>,
    /// Of each frame, or one for all.
    pub(crate) rotations: Vec<Quat>,
    pub(crate) longest: f32,
    pub(crate) largest: f32,
}

/// How far something has gone at each frame.
#[derive(Debug)]
struct Travel {
    /// From the first frame on; one number where it stands still.
    sums: Vec<f64>,
    /// From the last frame back to the first.
    back: f64,
    goes: bool,
    duration: f64,
    rate: f64,
    hurry: f64,
}

/// The times at which to look: stretches that begin or end at a frame.
pub(crate) fn moments(sampled: &SampledClip, late: f32) -> impl Iterator<Item = f64> + use<> {
    let (frames, rate) = (sampled.frames(), f64::from(sampled.rate()));
    let (late, duration) = (f64::from(late), f64::from(sampled.duration()));
    (0..frames).flat_map(move |frame| {
        let time = if rate > 0.0 { (frame as f64 / rate).min(duration) } else { 0.0 };
        [time, time - late]
    })
}

impl JointTravel {
    pub(crate) fn new(sampled: &SampledClip, joint: usize, bones: &Bones) -> Self {
        let of = sampled.joint(joint);
        let frames = 0..sampled.frames();
        let rotations: Vec<Quat> = match of.rotations() {
            Some(_) => frames.clone().map(|frame| rotation(&of, frame)).collect(),
            None => vec![of.still().rotation.normalize()],
        };
        let places: Vec<Vec3> = frames.clone().map(|frame| of.translation(frame)).collect();
        let scales: Vec<Vec3> = frames.clone().map(|frame| of.scale(frame)).collect();
        let home = &bones.locals[joint];
        let off_rest = |frame: usize| Local {
            rotation: 2.0 * angle(rotations[frame.min(rotations.len() - 1)], home.rotation),
            translation: places[frame].distance(home.translation),
            scale: (scales[frame] - home.scale).abs().max_element(),
        };
        let far = |a: &Vec3, b: &Vec3| f64::from(a.distance(*b));
        let wide = |a: &Vec3, b: &Vec3| f64::from((*a - *b).abs().max_element());
        Self {
            rotation: Travel::new(
                sampled,
                &rotations,
                of.rotations().is_none_or(|rotations| rotations.goes),
                radians,
            ),
            translation: Travel::new(sampled, &places, of.moves() != Some(false), far),
            scale: Travel::new(sampled, &scales, of.scales() != Some(false), wide),
            rest: frames.map(off_rest).collect(),
            longest: places.iter().map(|place| place.length()).fold(0.0, f32::max),
            largest: scales.iter().map(|scale| scale.abs().max_element()).fold(0.0, f32::max),
            rotations,
        }
    }

    /// How far it travels from a time on.
    pub(crate) fn within(&self, from: f64, late: f32) -> Local {
        Local {
            rotation: self.rotation.within(from, late),
            translation: self.translation.within(from, late),
            scale: self.scale.within(from, late),
        }
    }

    /// The farthest from rest that it gets from a time on.
    pub(crate) fn off_rest(&self, from: f64, late: f32) -> Local {
        let travel = &self.rotation;
        let frames = self.rest.len();
        let first = travel.frame(from);
        let last = travel.frame(from + f64::from(late));
        let passed = (last.0 - first.0) * frames as f64 + last.1 as f64 - first.1 as f64;
        // One more, for times between frames.
        let count = (passed.max(0.0) + 2.0).min(frames as f64) as usize;
        let each = (0..count).map(|step| &self.rest[(first.1 + step) % frames]);
        each.fold(Local::default(), |most, local| Local {
            rotation: most.rotation.max(local.rotation),
            translation: most.translation.max(local.translation),
            scale: most.scale.max(local.scale),
        })
    }
}

impl Travel {
    fn new<T>(
        sampled: &SampledClip,
        frames: &[T],
        goes: bool,
        far: impl Fn(&T, &T) -> f64,
    ) -> Self {
        let mut sums = vec![0.0];
        let mut sum = 0.0;
        for pair in frames.windows(2) {
            sum += far(&pair[0], &pair[1]);
            sums.push(sum);
        }
        if sum == 0.0 {
            sums.truncate(1);
        }
        let back = frames.last().zip(frames.first()).map_or(0.0, |(last, first)| far(last, first));
        let (duration, rate) = (f64::from(sampled.duration()), f64::from(sampled.rate()));
        Self { sums, back, goes, duration, rate, hurry: f64::from(sampled.hurry()) }
    }

    fn within(&self, from: f64, late: f32) -> f32 {
        if late <= 0.0 || (self.sums.len() == 1 && self.back == 0.0) {
            return 0.0;
        }
        let late = f64::from(late);
        let hair = CLOCK * (self.duration + late);
        (self.until(from + late + hair) - self.until(from - hair)) as f32
    }

    /// How far it has gone at a time of endless passes.
    fn until(&self, time: f64) -> f64 {
        let last = self.sums.len() - 1;
        let (passes, first, fraction) = self.between(time);
        let (from, to) = (self.sums[first.min(last)], self.sums[(first + 1).min(last)]);
        let goes = if self.goes { fraction } else { 0.0 };
        passes * (self.sums[last] + self.back) + from + (to - from) * goes
    }

    /// Whole passes, and the frame of the next.
    fn frame(&self, time: f64) -> (f64, usize) {
        let (passes, first, _) = self.between(time);
        (passes, first)
    }

    /// Whole passes, the frame of the next, and how far to the frame after it, as a [`SampledClip`] has it.
    fn between(&self, time: f64) -> (f64, usize, f64) {
        if self.duration <= 0.0 {
            return (0.0, 0, 0.0);
        }
        let passes = (time / self.duration).floor();
        let at = (time - passes * self.duration).max(0.0) * self.rate;
        let whole = self.duration * self.rate;
        // The last frame but one ends with the clip.
        let first = at.floor().min((whole - 1e-3).ceil() - 1.0).max(0.0);
        let hurry = if first + 2.0 > whole - 1e-3 { self.hurry } else { 1.0 };
        (passes, first as usize, ((at - first) * hurry).min(1.0))
    }
}

fn rotation(of: &SampledJoint<'_>, frame: usize) -> Quat {
    let Some(how) = of.rotations() else { return of.still().rotation };
    let bits = of.rotation(frame);
    let number = |at: usize| f32::from(bits[at]).mul_add(how.step[at], how.middle[at]);
    let found = Quat::from_xyzw(number(0), number(1), number(2), number(3));
    if found.length_squared() > 1e-12 { found.normalize() } else { Quat::IDENTITY }
}

/// Between two rotations as points of a sphere, in radians: half the angle of the rotation between them.
pub(crate) fn angle(a: Quat, b: Quat) -> f32 {
    let [near, far] = [a - b, a + b].map(Quat::length);
    2.0 * (0.5 * near.min(far)).min(1.0).asin()
}

/// Radians from one rotation to another, a little more where the pace between frames is uneven: a
/// straight line through the sphere is fastest in its middle, by `2 tan(θ/2) / θ`.
fn radians(a: &Quat, b: &Quat) -> f64 {
    let half = f64::from(angle(*a, *b));
    4.0 * (0.5 * half).tan()
}
