//! Frames to a packed clip: steps are searched, bytes written and measured, until the measured error keeps the bound.
//!
//! In:  the samples of a clip, and those of them that are to be frames.
//! Out: a packed clip whose error was measured on its very bytes, or the best error there was.

use sinew_scene::Clip;

use super::measure::{Against, Measure, Worst, measured_times};
use super::numbers::numbers;
use super::rounding::rounding;
use super::samples::Samples;
use super::search::Search;
use super::stored::Track;
use super::tracks::{Reach, tracks};
use super::write::write;
use super::{Options, Report};
use crate::format::header::Header;
use crate::format::kind::Kind;
use crate::{PackError, Packed, fingerprint};

/// The share of the bound that a track may be off that is kept once; where that does not do a fifth of it and so on,
/// and below the least nothing.
const STILL: f32 = 0.25;
const LEAST_STILL: f32 = 0.01;
/// How often steps are searched.
const ROUNDS: usize = 8;
/// The share of the bound that is used well enough, and where more was too much; below it steps are searched once more.
const ENOUGH: f64 = 0.95;
const NEARLY_ENOUGH: f64 = 0.93;

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

impl Job<'_> {
    /// Packs these frames, between which what was left out is off by `between` metres.
    pub(crate) fn run(&self, frames: &Samples, between: f64) -> Result<Done, PackError> {
        let Measure { scene, shells, morphs } = self.measure;
        let bound = f64::from(self.options.error);
        let reach = Reach::new(scene, frames, shells);
        let rounding = f64::from(rounding(scene, self.clip, frames, &reach));
        let (numbers, weights) = numbers(scene, frames, morphs, self.options.error);
        let times = self.times(frames);
        let mut best = Worst { error: f64::INFINITY, node: 0 };
        let mut room = (0.995 * bound - between - rounding).max(0.05 * bound);
        let mut still = STILL * self.options.error;
        let search = |still: f32| {
            let tracks = tracks(scene, frames, &reach, self.options.error, still);
            Search::new(scene, frames, &reach, tracks)
        };
        let mut steps = search(still);
        // What is good so far; it keeps the bound with `low` as room, and would not with `high`.
        let (mut good, mut low, mut high) = (None, 0.0, f64::INFINITY);
        for _ in 0..ROUNDS {
            let stored = steps.run(room as f32 - weights).then(|| steps.stored(scene));
            // Steps may be too fine for a field: fewer constants do with coarser ones.
            let packed = stored.and_then(|stored| self.packed(frames, stored, &numbers).ok());
            let Some((packed, report)) = packed else {
                if still == 0.0 || good.is_some() {
                    break;
                }
                still = if still > LEAST_STILL * self.options.error { 0.2 * still } else { 0.0 };
                steps = search(still);
                continue;
            };
            let [mut error, mut loss] = self.measured(&packed, &times);
            error.error += rounding;
            loss.error += rounding;
            if error.error <= bound {
                low = room;
                let known = good.as_ref().map_or(usize::MAX, |(_, known): &Done| known.bytes);
                let (smaller, much) = (report.bytes < known, report.bytes < known - known / 64);
                if smaller {
                    good = Some(self.finish(packed, report, error, loss));
                }
                if !much && high.is_infinite() {
                    break;
                }
            } else {
                high = room;
                best = if error.error < best.error { error } else { best };
            }
            let enough = if high.is_finite() { NEARLY_ENOUGH } else { ENOUGH };
            match &good {
                Some((_, report)) if f64::from(report.error) > enough * bound => break,
                Some(_) if high.is_finite() => room = low.midpoint(high),
                Some(_) => room += 0.9 * (bound - error.error),
                None => room *= 0.98 * bound / error.error,
            }
        }
        if let Some(done) = good {
            return Ok(done);
        }
        if best.error.is_infinite() {
            // Nothing could be written: the best is what single precision has to offer.
            best.error = rounding.max(1.01 * bound);
        }
        Err(out_of_reach(&self.measure, frames, &reach, self.options.error, best))
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
    fn packed(
        &self,
        frames: &Samples,
        mut stored: Vec<Track>,
        numbers: &[Track],
    ) -> Result<Done, PackError> {
        stored.extend_from_slice(numbers);
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
        let packed = Packed::read(bytes).expect("what was just written is good");
        let report = Report {
            bytes: packed.bytes().len(),
            raw: 40 * self.samples.locals.len(),
            samples: packed.samples(),
            error: 0.0,
            loss: 0.0,
            joint: String::new(),
            rate: packed.rate(),
            uniform: packed.is_uniform(),
            frames: packed.frames(),
            segment: packed.segment(),
            moving: stored.iter().filter(|track| track.kind < Kind::Weight).count(),
            constant: stored.iter().filter(|track| track.kind > Kind::Property).count(),
        };
        Ok((packed, report))
    }

    fn finish(&self, packed: Packed<Vec<u8>>, report: Report, worst: Worst, loss: Worst) -> Done {
        let [error, loss] = [worst.error, loss.error].map(|metres| metres as f32);
        let joint = self.measure.scene.skeleton().nodes()[worst.node].name.clone();
        (packed.with_errors(error, loss), Report { error, loss, joint, ..report })
    }
}

/// A refusal with the best error that there is.
pub(crate) fn out_of_reach(
    measure: &Measure<'_>,
    samples: &Samples,
    reach: &Reach,
    asked: f32,
    best: Worst,
) -> PackError {
    let joint = measure.scene.skeleton().nodes()[best.node].name.clone();
    let span = samples.extent(&reach.radii);
    PackError::OutOfReach { asked, reached: best.error as f32, joint, span }
}
