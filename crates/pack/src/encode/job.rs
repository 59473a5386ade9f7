//! Frames to a packed clip: steps are searched, bytes written and measured, until the measured error keeps the bound.
//!
//! In:  the samples of a clip, and those of them that are to be frames.
//! Out: a packed clip whose error was measured on its very bytes, or the best error there was.

use sinew_scene::Clip;

use super::measure::{Measure, Worst};
use super::numbers::numbers;
use super::rounding::rounding;
use super::samples::Samples;
use super::search::{Search, Track};
use super::tracks::{Reach, tracks};
use super::write::write;
use super::{Options, Report};
use crate::format::header::{Header, state_errors};
use crate::{PackError, Packed, fingerprint};

/// The share of the bound that a track may be off that is kept once: the next where steps would be too fine.
const STILL: [f32; 4] = [0.25, 0.05, 0.01, 0.0];
/// How often steps are searched.
const ROUNDS: usize = 8;
/// The share of the bound that is used well enough, below which steps are searched once more.
const ENOUGH: f64 = 0.94;

/// Times a second at which errors are measured at least.
const MEASURED_RATE: f64 = 240.0;
/// The most times of them: longer clips than two hours are measured less often.
const MAX_MEASURED: f64 = (1 << 21) as f64;

type Done = (Packed<Vec<u8>>, Report);

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

impl Job<'_> {
    /// Packs these frames, between which what was left out is off by `between` metres.
    pub(crate) fn run(&self, frames: &Samples, between: f64) -> Result<Done, PackError> {
        let Measure { scene, shells, morphs } = self.measure;
        let asked = self.options.error;
        let bound = f64::from(asked);
        let reach = Reach::new(scene, frames, shells);
        let rounding = f64::from(rounding(scene, self.clip, frames, &reach));
        let (numbers, weights) = numbers(scene, frames, morphs, asked);
        let times = self.times(frames);
        let mut best = Worst { error: f64::INFINITY, node: 0 };
        for still in STILL {
            let tracks = tracks(scene, frames, &reach, asked, still * asked);
            let mut search = Search::new(frames, &reach, tracks);
            let mut room = (0.995 * bound - between - rounding).max(0.05 * bound);
            // What is good so far; it keeps the bound with `low` as room, and would not with `high`.
            let (mut low, mut high) = (0.0, f64::INFINITY);
            let mut good: Option<(Packed<Vec<u8>>, [Worst; 2])> = None;
            for _ in 0..ROUNDS {
                if !search.run(room as f32 - weights) {
                    break;
                }
                // Steps may be too fine for a field: fewer constants do with coarser ones.
                let stored = [search.stored(scene), numbers.clone()].concat();
                let Some(packed) = self.packed(frames, stored) else { break };
                let samples = (!self.options.exact_curves).then_some(&self.samples);
                let [mut error, mut loss] = self.measure.worst(&packed, samples, self.clip, &times);
                error.error += rounding;
                loss.error += rounding;
                if error.error > bound {
                    high = room;
                    best = if error.error < best.error { error } else { best };
                } else {
                    low = room;
                    let bytes = packed.bytes().len();
                    let known = good.as_ref().map_or(usize::MAX, |(known, _)| known.bytes().len());
                    if bytes < known {
                        good = Some((packed, [error, loss]));
                    }
                    let gained = bytes < known - known / 64;
                    if error.error > ENOUGH * bound || (!gained && high.is_infinite()) {
                        break;
                    }
                }
                room = match (&good, high.is_finite()) {
                    (None, _) => room * 0.98 * bound / error.error,
                    (_, true) => low.midpoint(high),
                    (_, false) => room + 0.9 * (bound - error.error),
                };
            }
            if let Some((packed, worst)) = good {
                return Ok(self.finish(packed, worst));
            }
        }
        if best.error.is_infinite() {
            // Nothing could be written: the best is what single precision has to offer.
            best.error = rounding.max(1.01 * bound);
        }
        let (joint, span) = (self.name(best.node), frames.extent(&reach.radii));
        Err(PackError::OutOfReach { asked, reached: best.error as f32, joint, span })
    }

    /// When errors are measured: samples, frames, half-way between each two of them, keys, and 240 Hz.
    fn times(&self, frames: &Samples) -> Vec<f32> {
        let duration = self.clip.duration;
        let gaps = frames.times.windows(2).chain(self.samples.times.windows(2));
        let half_way = gaps.flat_map(|gap| [gap[0], gap[0].midpoint(gap[1])]);
        let rate = MEASURED_RATE.min(MAX_MEASURED / f64::from(duration).max(1.0));
        let even = (0..=(f64::from(duration) * rate) as usize).map(|at| (at as f64 / rate) as f32);
        let keys = self.keys.iter().copied().chain([0.0, duration]);
        let mut times: Vec<f32> = half_way.chain(keys).chain(even).collect();
        times.retain(|time| (0.0..=duration).contains(time));
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// A file whose errors are still to be stated.
    fn packed(&self, frames: &Samples, mut stored: Vec<Track>) -> Option<Packed<Vec<u8>>> {
        stored.sort_by_key(|track| (track.kind, track.index));
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
        let bytes = write(header, &self.clip.name, &frames.times, &stored)?;
        Packed::read(bytes).ok()
    }

    fn name(&self, node: usize) -> String {
        self.measure.scene.skeleton().nodes()[node].name.clone()
    }

    fn finish(&self, mut packed: Packed<Vec<u8>>, worst: [Worst; 2]) -> Done {
        let [error, loss] = worst.map(|worst| worst.error as f32);
        state_errors(&mut packed.bytes, error, loss);
        let packed = Packed::read(packed.bytes).expect("it was read before");
        // The first three kinds are of nodes' tracks that move, and the last three of those that do not.
        let kinds = packed.layout.header.tracks.map(usize::from);
        let report = Report {
            raw: 40 * self.samples.locals.len(),
            error,
            loss,
            joint: self.name(worst[0].node),
            moving: kinds[..3].iter().sum(),
            constant: kinds[5..].iter().sum(),
        };
        (packed, report)
    }
}
