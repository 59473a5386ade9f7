//! From a clip to a packed clip.
//!
//! In:  a clip of a scene, and the error that is allowed.
//! Out: the bytes, and what was measured on them.
//!
//! `times` decides when frames are, `samples` has the clip there, `tracks` what is kept of it, `search` how coarsely,
//! `write` makes bytes, and `measure` samples those bytes as anybody does: what it finds is what is stated.

mod basis;
mod frames;
mod measure;
mod numbers;
mod rounding;
mod samples;
mod search;
mod shell;
mod sphere;
mod times;
mod tracks;
mod write;

use sinew_scene::{Clip, Scene};

pub use self::shell::{DEFAULT_SHELL, even_shells, shells};

use self::frames::{chosen, curve_times};
use self::measure::{Against, Measure, Worst, measured_times};
use self::numbers::{Morphs, numbers};
use self::rounding::rounding;
use self::samples::{ModelSpace, Samples};
use self::search::Search;
use self::times::{key_times, uniform};
use self::tracks::{Reach, tracks};
use self::write::{Moving, Stored, write};
use crate::format::header::Header;
use crate::format::kind::Kind;
use crate::{PackError, Packed, fingerprint};

/// What is asked of a packed clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest error at the skin, in metres.
    pub error: f32,
    /// Where to measure, in metres from each joint; without it where the mesh is ([`shells`]).
    pub shell: Option<f32>,
    /// Frames a second; without it what the clip's keys ask for, or 30.
    pub rate: Option<f32>,
    /// Follow the clip's curves between frames as well: frames are where they are needed, and files larger.
    pub exact_curves: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { error: 1e-4, shell: None, rate: None, exact_curves: false }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes of the packed clip.
    pub bytes: usize,
    /// Bytes of all nodes' transforms at as many frames, 40 each.
    pub raw: usize,
    /// Metres at the skin, measured on the packed clip itself, at frames, half-way between them and at 240 Hz: no
    /// point of a node's shell is farther off, and what morph weights are off is added.
    pub error: f32,
    /// The same against the clip itself, at frames, keys and 240 Hz: what is lost between samples is in it.
    pub loss: f32,
    /// The node that is off by as much as `error`.
    pub joint: String,
    /// How many samples were taken of the clip, both ends included; 0 where the error is of its curves.
    pub samples: usize,
    /// Frames a second, as many as it takes to keep the samples; on average where they are not uniform.
    pub rate: f32,
    /// Whether all frames are as far apart.
    pub uniform: bool,
    /// Frames.
    pub frames: usize,
    /// Frames of a segment.
    pub segment: usize,
    /// Nodes' tracks that move.
    pub moving: usize,
    /// Nodes' tracks that are constant, but not at rest.
    pub constant: usize,
}

/// The share of the bound that a track may be off that is kept once; less where that does not do.
const STILL: [f32; 3] = [0.25, 0.05, 0.0];
/// How often steps are searched for each of these.
const ROUNDS: usize = 5;
/// The share of the bound that is used well enough; below it steps are searched once more.
const ENOUGH: f64 = 0.95;
/// The share of the bound that single precision may take of curves.
const MAX_ROUNDING: f32 = 0.7;

/// Packs a clip of a scene. `progress` hears how much is done, from 0 to 1, now and then.
///
/// # Errors
/// When there are no nodes, the clip is not finite, or no number of bits keeps the bound.
pub fn pack(
    scene: &Scene,
    clip: &Clip,
    options: &Options,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<(Packed<Vec<u8>>, Report), PackError> {
    check(scene, clip, options)?;
    let keys = key_times(clip);
    let shells = options.shell.map_or_else(|| shells(scene), |shell| even_shells(scene, shell));
    let morphs = Morphs::new(scene);
    let measure = Measure { scene, shells: &shells, morphs: &morphs };
    let (rate, frames) = uniform(scene, clip, options.rate, &keys)?;
    let mut samples = Samples::uniform(scene, clip, rate, frames)?;
    let mut between = 0.0;
    if options.exact_curves {
        let rounding = single_precision(&measure, clip, &samples, options)?;
        let found = curve_times(clip, &measure, options.error, rounding)?;
        between = found.error;
        samples = Samples::new(scene, clip, 0.0, found.times)?;
    }
    progress(0.2);
    let job = Job { clip, options, keys, samples, measure };
    if let Some(found) = chosen(&job.measure, &job.samples, options.error) {
        let few = job.samples.select(&found.times);
        if let Ok(done) = job.run(&few, between + found.error, progress) {
            return Ok(done);
        }
    }
    job.run(&job.samples, between, progress)
}

fn check(scene: &Scene, clip: &Clip, options: &Options) -> Result<(), PackError> {
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
    let most = usize::from(u16::MAX);
    if scene.skeleton().len() > most {
        return Err(PackError::TooLarge("more than 65535 nodes"));
    }
    if scene.weight_count() > most || 4 * scene.properties.len() > most {
        return Err(PackError::TooLarge(
            "more than 65535 morph weights or numbers of driven values",
        ));
    }
    Ok(())
}

/// What single precision rounds. Where that takes much of the bound, curves cannot be followed, and the try would take
/// long.
fn single_precision(
    measure: &Measure<'_>,
    clip: &Clip,
    samples: &Samples,
    options: &Options,
) -> Result<f32, PackError> {
    let reach = Reach::new(measure.scene, samples, measure.shells);
    let rounding = rounding(measure.scene, clip, samples, &reach);
    if rounding > MAX_ROUNDING * options.error {
        let joint = measure.scene.skeleton().nodes()[0].name.clone();
        let span = ModelSpace::new(measure.scene, samples).extent(&reach.radii(measure.shells));
        let reached = rounding / MAX_ROUNDING;
        return Err(PackError::OutOfReach { asked: options.error, reached, joint, span });
    }
    Ok(rounding)
}

/// All that is known of a clip before it is packed.
struct Job<'a> {
    clip: &'a Clip,
    options: &'a Options,
    keys: Vec<f32>,
    /// What the error is stated of, or of curves what they are as good as straight between.
    samples: Samples,
    measure: Measure<'a>,
}

type Done = (Packed<Vec<u8>>, Report);

/// Frames that are to be packed, and what is known of them.
struct Plan<'a> {
    frames: &'a Samples,
    reach: Reach,
    model: ModelSpace,
    /// Morph weights and driven values, rounded, and the metres that this takes.
    numbers: Vec<Moving>,
    weights: f32,
    /// Metres that single precision and what was left out between frames take.
    rounding: f64,
    between: f64,
    /// When errors are measured.
    times: Vec<f32>,
}

impl Job<'_> {
    /// Packs these frames, between which what was left out is off by `between` metres.
    fn run(
        &self,
        frames: &Samples,
        between: f64,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Done, PackError> {
        let Measure { scene, shells, morphs } = self.measure;
        let bound = self.options.error;
        let reach = Reach::new(scene, frames, shells);
        let rounding = f64::from(rounding(scene, self.clip, frames, &reach));
        let (numbers, weights) = numbers(scene, frames, morphs, bound);
        let (model, times) = (ModelSpace::new(scene, frames), self.times(frames));
        let plan = Plan { frames, reach, model, numbers, weights, rounding, between, times };
        let mut best = Worst { error: f64::INFINITY, node: 0 };
        for (tried, still) in STILL.into_iter().enumerate() {
            if let Some(done) = self.search(&plan, still * bound, &mut best) {
                return Ok(done);
            }
            progress(0.2 + 0.7 * (tried + 1) as f32 / STILL.len() as f32);
        }
        let span = plan.model.extent(&plan.reach.radii(shells));
        if best.error.is_infinite() {
            // Nothing could be written: the best is what single precision has to offer.
            best.error = rounding.max(f64::from(span) * 1e-6).max(1.01 * f64::from(bound));
        }
        let joint = scene.skeleton().nodes()[best.node].name.clone();
        Err(PackError::OutOfReach { asked: bound, reached: best.error as f32, joint, span })
    }

    /// The coarsest steps whose measured error keeps the bound, with tracks that move by less than `still` metres kept
    /// once; `best` is the least error of those that do not.
    fn search(&self, plan: &Plan<'_>, still: f32, best: &mut Worst) -> Option<Done> {
        let Measure { scene, shells, .. } = self.measure;
        let bound = f64::from(self.options.error);
        let tracks = tracks(scene, plan.frames, &plan.reach, self.options.error, still);
        let mut search = Search::new(scene, plan.frames, &plan.model, &plan.reach, shells, tracks);
        let mut room = (0.995 * bound - plan.between - plan.rounding).max(0.05 * bound);
        let mut done = None;
        for _ in 0..ROUNDS {
            if !search.run(room as f32 - plan.weights) {
                break;
            }
            // Steps too fine for a field: fewer constants may do with coarser ones.
            let Ok((found, worst)) = self.packed(plan, search.stored(scene)) else { break };
            if worst.error <= bound {
                let ends = done.is_some() || worst.error > ENOUGH * bound;
                room += 0.9 * (bound - worst.error);
                done = Some(found);
                if ends {
                    break;
                }
            } else if done.is_some() {
                break;
            } else {
                if worst.error < best.error {
                    *best = worst;
                }
                room *= 0.98 * bound / worst.error;
            }
        }
        done
    }

    /// The file of these steps, with its errors measured.
    fn packed(&self, plan: &Plan<'_>, mut stored: Stored) -> Result<(Done, Worst), PackError> {
        stored.moving.extend_from_slice(&plan.numbers);
        stored.moving.sort_by_key(|track| (track.kind, track.index));
        let packed = self.written(plan.frames, &stored)?;
        let [mut error, mut loss] = self.measured(&packed, &plan.times);
        error.error += plan.rounding;
        loss.error += plan.rounding;
        Ok((self.finish(packed, &stored, error, loss), error))
    }

    /// How far off a packed clip is from what the error is stated of, and from the clip itself.
    fn measured(&self, packed: &Packed<Vec<u8>>, times: &[f32]) -> [Worst; 2] {
        let clip = Against::Clip(self.clip);
        if self.options.exact_curves {
            let [worst] = self.measure.worst(packed, [clip], times);
            return [worst; 2];
        }
        self.measure.worst(packed, [Against::Samples(&self.samples), clip], times)
    }

    /// Samples, frames, half-way between each two of them, keys, and 240 Hz.
    fn times(&self, frames: &Samples) -> Vec<f32> {
        let gaps = frames.times.windows(2).chain(self.samples.times.windows(2));
        let half_way = gaps.flat_map(|gap| [gap[0], gap[0].midpoint(gap[1])]);
        measured_times(self.clip.duration, half_way.chain(self.keys.iter().copied()).chain([0.0]))
    }

    /// A file whose errors are still to be stated.
    fn written(&self, frames: &Samples, stored: &Stored) -> Result<Packed<Vec<u8>>, PackError> {
        let Measure { scene, shells, .. } = self.measure;
        let header = Header {
            fingerprint: fingerprint(scene.skeleton()),
            start: self.clip.start,
            rate: frames.rate,
            duration: self.clip.duration,
            bound: self.options.error,
            nodes: shells.len() as u16,
            weights: scene.weight_count() as u32,
            properties: scene.properties.len() as u32,
            samples: if self.options.exact_curves { 0 } else { self.samples.frames() as u32 },
            ..Header::default()
        };
        let bytes = write(header, &self.clip.name, &frames.times, stored)?;
        Ok(Packed::read(bytes).expect("what was just written is good"))
    }

    fn finish(&self, packed: Packed<Vec<u8>>, stored: &Stored, worst: Worst, loss: Worst) -> Done {
        let [error, loss] = [worst.error, loss.error].map(|metres| metres as f32);
        let packed = packed.with_errors(error, loss);
        let moving = stored.moving.iter().filter(|track| track.kind < Kind::Weight);
        let report = Report {
            bytes: packed.bytes().len(),
            raw: 40 * self.samples.locals.len(),
            samples: packed.samples(),
            error,
            loss,
            joint: self.measure.scene.skeleton().nodes()[worst.node].name.clone(),
            rate: packed.rate(),
            uniform: packed.is_uniform(),
            frames: packed.frames(),
            segment: packed.segment(),
            moving: moving.count(),
            constant: stored.constants(),
        };
        (packed, report)
    }
}
