//! From a clip to a packed clip: which rate, which steps, and how far off it is in the end.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use sinew_motion::Pose;
use sinew_scene::{Clip, Scene};

use crate::effort::Effort;
use crate::ground::{Ground, Worst};
use crate::group::Kind;
use crate::layout::{Header, UNEVEN};
use crate::number::Numbers;
use crate::plan::Plan;
use crate::rate::Unrounded;
use crate::search::search;
use crate::source::{Truth, key_times};
use crate::sphere::{Off, above};
use crate::write::{Moving, tracks, write};
use crate::{Course, PackError, Packed, even_shells, fingerprint, shells};

/// How much of the bound may go to frames being too few, before any is rounded: what makes the smallest
/// files, then less and more for clips that it does not do for.
const SHARES_OF_RATE: [f32; 6] = [0.65, 0.35, 0.1, 0.03, 0.8, 0.95];
/// How much of the bound a track may be off that is left out or kept once. All of a limb's together may be too much.
const STILL: [f32; 3] = [0.2, 0.03, 0.0];
/// How often frames are rounded at most before a bound is said to be out of reach.
const TRIES: usize = 8;
/// By how much all steps are made finer at last when the packed clip is off, try by try, in codes.
const MENDED: [u8; 7] = [1, 1, 2, 2, 4, 4, 8];
/// How much of all effort may be spent before no other frames are tried.
const ENOUGH: f64 = 0.7;
/// How much of it may be spent before a plan is made finer instead of being searched again.
const MUCH: f64 = 0.055;
/// How much of the work it is to choose how many frames there are.
pub(crate) const PROGRESS_OF_RATES: f32 = 0.2;
/// How much of the bound frames may be off at a time before it is looked at in the search.
pub(crate) const WORTH_A_LOOK: f32 = 0.15;
/// How much of the bound is given to the search: the sampler rounds a little otherwise, which is much when a
/// scene is large or far from the origin.
const ROOMS: [f32; 8] = [0.998, 0.98, 0.93, 0.85, 0.7, 0.5, 0.25, 0.1];

/// What is asked of a packed clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest error at the skin, in metres.
    pub error: f32,
    /// Where to measure, in metres from each joint; without it where the mesh is ([`shells`]).
    pub shell: Option<f32>,
    /// Frames a second; without it as few as the error allows.
    pub rate: Option<f32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { error: 1e-4, shell: None, rate: None }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes of the packed clip.
    pub bytes: usize,
    /// Bytes of all joints' transforms at as many frames, 40 each.
    pub raw: usize,
    /// Metres at the skin, measured on the packed clip itself against the exact one, at 240 Hz, at every key
    /// and between: no point of a joint's shell is farther off, and what morph weights are off is added.
    pub error: f32,
    /// Between how many frames and the next the clip jumps, each 1/120 s at most: the error leaves these times out.
    pub jumps: usize,
    /// The node that is off by as much.
    pub joint: String,
    /// Frames a second; on average where they are not even.
    pub rate: f32,
    /// Whether frames are as far from each other everywhere, and not denser where the clip needs more.
    pub even: bool,
    /// Frames.
    pub frames: usize,
    /// How the motion goes from frame to frame.
    pub course: Course,
    /// Frames of a segment.
    pub segment: usize,
    /// Joints' tracks that move.
    pub moving: usize,
    /// Joints' tracks that are constant, but not at rest.
    pub constant: usize,
}

/// Packs a clip of a scene. `progress` hears how much is done, from 0 to 1, now and then.
///
/// # Errors
/// When there are no joints, the clip is not finite, or no number of bits keeps the bound.
pub fn pack(
    scene: &Scene,
    clip: &Clip,
    options: &Options,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<(Packed<Vec<u8>>, Report), PackError> {
    if scene.skeleton().is_empty() {
        return Err(PackError::NoJoints);
    }
    if !(options.error > 0.0 && options.error.is_finite()) {
        return Err(PackError::Bound(options.error));
    }
    if !(clip.duration >= 0.0 && clip.duration.is_finite()) {
        let (clip, time) = (clip.name.clone(), clip.duration);
        return Err(PackError::NotFinite { clip, time, what: "its length".into() });
    }
    if scene.skeleton().len() > usize::from(u16::MAX) {
        return Err(PackError::TooLarge("more than 65535 nodes"));
    }
    let keys = key_times(clip);
    let truth = Truth::new(scene, clip, &keys)?;
    let shells = options.shell.map_or_else(|| shells(scene), |shell| even_shells(scene, shell));
    let (numbers, steps) = (Numbers::new(scene, clip), Vec::new());
    let effort = Effort::new(scene.skeleton().len(), truth.times.len());
    let mut job = Job { scene, clip, options, keys, steps, truth, shells, numbers, effort };
    job.find_steps();
    // It is told once how far it is, although some may be done again.
    let most = AtomicU32::new(0);
    job.run(&|share: f32| {
        let known = f32::from_bits(most.fetch_max(share.max(0.0).to_bits(), Ordering::Relaxed));
        if share > known {
            progress(share);
        }
    })
}

/// All that is known of a clip before it is packed.
pub(crate) struct Job<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) clip: &'a Clip,
    pub(crate) options: &'a Options,
    pub(crate) keys: Vec<f32>,
    /// The times at which what holds until then changes so much that it shows.
    pub(crate) steps: Vec<f32>,
    pub(crate) truth: Truth,
    pub(crate) shells: Vec<f32>,
    pub(crate) numbers: Numbers,
    pub(crate) effort: Effort,
}

/// A packed clip, and what came of it.
type Done = (Packed<Vec<u8>>, Report);

/// What was measured on a packed clip: the worst, and at each time.
struct Found {
    worst: Worst,
    errors: Vec<Worst>,
}

impl Job<'_> {
    /// Tries as few frames as may do, and more when these do not.
    fn run(&self, progress: &(dyn Fn(f32) + Sync)) -> Result<Done, PackError> {
        let mut best = Worst { error: f32::INFINITY, joint: 0 };
        let (mut closest, mut none_below, mut too_large) = (Worst::default(), 0.0, None);
        let mut tries = 0;
        for share in SHARES_OF_RATE {
            if share <= none_below || tries == TRIES || self.effort.is_spent(ENOUGH) {
                continue;
            }
            let Some(frames) = self.fewest(share, progress) else {
                if none_below == 0.0 && best.error.is_infinite() {
                    closest = self.closest();
                }
                if closest.error > SHARES_OF_RATE[SHARES_OF_RATE.len() - 1] * self.options.error {
                    break;
                }
                none_below = share;
                continue;
            };
            let mut next = Some(frames);
            while let Some(frames) = next {
                let mut tried = None;
                for still in STILL {
                    if tries == TRIES || self.effort.is_spent(ENOUGH) {
                        break;
                    }
                    // With nothing more that moves it would come out the same.
                    let plan = self.plan(&frames, still);
                    if tried.replace(plan.still()) == Some(plan.still()) {
                        continue;
                    }
                    tries += 1;
                    match self.rounded(&frames, plan, progress) {
                        Ok(Ok(done)) => return Ok(done),
                        Ok(Err(worst)) => best = best.smaller(worst),
                        Err(error) => too_large = Some(error),
                    }
                }
                // Where uneven frames cannot be rounded, even ones may.
                let even = frames.source.clock.is_even();
                next = if even || tries == TRIES { None } else { self.fewest_if_even(share) };
            }
        }
        if let (Some(error), true) = (too_large, best.error.is_infinite()) {
            return Err(error);
        }
        Err(self.out_of_reach(if best.error.is_finite() { best } else { closest }))
    }

    /// What becomes of each track; `still` is the share of the bound that one may be off that is left out.
    fn plan(&self, frames: &Unrounded, still: f32) -> Plan {
        let truth = frames.truth.as_ref().unwrap_or(&self.truth);
        let ground = Ground::new(self.scene, truth, &frames.source, &self.shells);
        Plan::new(self.scene, self.clip, &ground, still * self.options.error)
    }

    /// Frames rounded as coarsely as the bound allows. Otherwise the least error.
    fn rounded(
        &self,
        frames: &Unrounded,
        mut plan: Plan,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Result<Done, Worst>, PackError> {
        let (bound, source) = (self.options.error, &frames.source);
        let truth = frames.truth.as_ref().unwrap_or(&self.truth);
        let (numbers, morphs) = self.numbers.tracks(truth, source, bound);
        let mut errors = frames.errors.clone();
        let mut best = Worst { error: f32::INFINITY, joint: 0 };
        let told = |share: f32| progress(PROGRESS_OF_RATES + (1.0 - PROGRESS_OF_RATES) * share);
        for (round, room) in ROOMS.into_iter().enumerate() {
            let deciding = truth.deciding(source, &errors, WORTH_A_LOOK * bound);
            let ground = Ground::new(self.scene, &deciding, source, &self.shells);
            let limit = (bound - morphs) * room;
            let before = plan.clone();
            plan = match search(&ground, plan, limit, round > 0, &self.effort, &told) {
                Ok(plan) => plan,
                Err(worst) if round == 0 => return Ok(Err(worst)),
                Err(_) => return self.mended(frames, &ground, before, &numbers, morphs, best),
            };
            let (packed, mut report, measured) =
                self.finish(truth, &ground, &plan, &numbers, morphs)?;
            if measured.worst.error <= bound {
                report.jumps = frames.jumps;
                return Ok(Ok((packed, report)));
            }
            best = best.smaller(measured.worst);
            if round > 0 && self.effort.is_spent(MUCH) {
                return self.mended(frames, &ground, plan, &numbers, morphs, best);
            }
            // Times that the search did not look at, and should have.
            for (known, Worst { error: found, .. }) in errors.iter_mut().zip(measured.errors) {
                *known = if found > limit { known.max(found) } else { *known };
            }
        }
        Ok(Err(best))
    }

    /// A plan that was good in the search, and is not in the file since the sampler rounds otherwise: all steps are made finer
    /// until it is.
    fn mended(
        &self,
        frames: &Unrounded,
        ground: &Ground<'_>,
        mut plan: Plan,
        numbers: &[Moving],
        morphs: f32,
        mut best: Worst,
    ) -> Result<Result<Done, Worst>, PackError> {
        let truth = frames.truth.as_ref().unwrap_or(&self.truth);
        for codes in MENDED {
            if !plan.finer(codes) {
                break;
            }
            let (packed, mut report, found) = self.finish(truth, ground, &plan, numbers, morphs)?;
            if found.worst.error <= self.options.error {
                report.jumps = frames.jumps;
                return Ok(Ok((packed, report)));
            }
            best = best.smaller(found.worst);
        }
        Ok(Err(best))
    }

    fn out_of_reach(&self, worst: Worst) -> PackError {
        let joint = self.scene.skeleton().nodes()[worst.joint].name.clone();
        let far = self.truth.models.iter().zip(self.shells.iter().cycle());
        let far = far.map(|(model, shell)| {
            model.translation.length() + shell * Off::scale(model.matrix3) as f32
        });
        let span = far.fold(0.0, f32::max);
        let grain = self.truth.grain(self.scene, self.clip, &self.shells);
        let (asked, reached) = (self.options.error, worst.error);
        PackError::OutOfReach { asked, reached, joint, span, grain }
    }

    fn finish(
        &self,
        truth: &Truth,
        ground: &Ground<'_>,
        plan: &Plan,
        numbers: &[Moving],
        morphs: f32,
    ) -> Result<(Packed<Vec<u8>>, Report, Found), PackError> {
        let (mut moving, constants) = tracks(ground, plan);
        moving.extend(numbers.iter().cloned());
        let (joints, source) = (ground.parents.len(), ground.source);
        let mut header = Header {
            fingerprint: fingerprint(self.scene.skeleton()),
            joints: joints as u16,
            weights: self.scene.weight_count() as u32,
            properties: self.scene.properties.len() as u32,
            frames: source.clock.frames as u32,
            rate: source.clock.rate,
            duration: self.clip.duration,
            start: self.clip.start,
            bound: self.options.error,
            flags: source.course.flags() | if source.clock.is_even() { 0 } else { UNEVEN },
            phase: source.clock.phase,
            ..Header::default()
        };
        let each = source.course.each();
        let gaps: Vec<u8> = source.clock.counts().map(|count| (count / each) as u8).collect();
        let read = |bytes| Packed::read(bytes).expect("what was just written is good");
        let (bytes, _) = write(header.clone(), &self.clip.name, &gaps, &moving, &constants)?;
        let mut found = self.measured(truth, &read(bytes));
        found.worst.error += morphs;
        let worst = found.worst;
        header.measured = worst.error;
        let (bytes, segment) = write(header, &self.clip.name, &gaps, &moving, &constants)?;
        let report = Report {
            bytes: bytes.len(),
            raw: 40 * joints * source.clock.frames,
            error: worst.error,
            jumps: 0,
            joint: self.scene.skeleton().nodes()[worst.joint].name.clone(),
            rate: source.clock.average(),
            frames: source.clock.frames,
            even: source.clock.is_even(),
            course: source.course,
            segment,
            moving: moving.iter().filter(|track| track.kind < Kind::Weight).count(),
            constant: constants.rotations.len()
                + constants.translations.len()
                + constants.scales.len(),
        };
        Ok((read(bytes), report, found))
    }

    /// The error of the packed clip itself, at every joint's shell.
    fn measured(&self, truth: &Truth, packed: &Packed<Vec<u8>>) -> Found {
        let times = truth.times.par_iter().enumerate();
        let each = times.map_init(
            || Pose::new(self.scene),
            |pose, (at, &time)| {
                packed.sample(time, pose);
                pose.to_model(self.scene.skeleton());
                let mut worst = Worst::default();
                let exact = &truth.models[at * self.shells.len()..];
                for (joint, found) in pose.model_from_joint().iter().enumerate() {
                    let error = above(&exact[joint], found, self.shells[joint], worst.error);
                    worst = error.map_or(worst, |error| Worst { error, joint });
                }
                worst
            },
        );
        let each: Vec<Worst> = each.collect();
        Found { worst: each.iter().copied().fold(Worst::default(), Worst::larger), errors: each }
    }
}
