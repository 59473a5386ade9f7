//! Frames to a packed clip: steps are searched, bytes written and measured, until the measured error keeps the bound.
//!
//! In:  the samples of a clip, and those of them that are to be frames.
//! Out: a packed clip whose error was measured on its very bytes, or the best error there was.

use sinew_scene::Clip;

use super::measure::{Against, Measure, Worst, measured_times};
use super::numbers::numbers;
use super::rounding::rounding;
use super::samples::{ModelSpace, Samples};
use super::search::Search;
use super::stored::{Moving, Stored};
use super::tracks::{Reach, tracks};
use super::write::write;
use super::{Options, Report};
use crate::format::header::Header;
use crate::format::kind::Kind;
use crate::{PackError, Packed, fingerprint};

/// The share of the bound that a track may be off that is kept once; less where that does not do.
const STILL: [f32; 3] = [0.25, 0.05, 0.0];
/// How often steps are searched for each of these.
const ROUNDS: usize = 5;
/// The share of the bound that is used well enough; below it steps are searched once more.
const ENOUGH: f64 = 0.95;
/// All that is known of a clip before it is packed.
pub(crate) struct Job<'a> {
    pub(crate) clip: &'a Clip,
    pub(crate) options: &'a Options,
    /// When there are keys.
    pub(crate) keys: Vec<f32>,
    /// What the error is stated of, or of curves what they are as good as straight between.
    pub(crate) samples: Samples,
    pub(crate) measure: Measure<'a>,
}

pub(crate) type Done = (Packed<Vec<u8>>, Report);

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
    pub(crate) fn run(
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
