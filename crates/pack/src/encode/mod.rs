//! From a clip to a packed clip.
//!
//! In:  a clip of a scene, and the error that is allowed.
//! Out: the bytes, and what was measured on them.
//!
//! `times` decides when frames are, `samples` has the clip there, `tracks` what is kept of it, `search` how coarsely,
//! `write` makes bytes, and `measure` samples those bytes as anybody does: what it finds is what is stated.

mod basis;
mod curves;
mod measure;
mod numbers;
mod samples;
mod search;
mod shell;
mod sphere;
mod thin;
mod times;
mod tracks;
mod write;

use sinew_scene::{Clip, Scene};

pub use self::shell::{DEFAULT_SHELL, even_shells, shells};

use self::curves::{SHARE_OF_CURVES, curve_times};
use self::measure::{Measure, Worst, measured_times};
use self::numbers::{Morphs, numbers};
use self::samples::Samples;
use self::search::Search;
use self::thin::thinned;
use self::times::{key_times, uniform};
use self::tracks::{NodeTracks, Reach, RotationTrack, VectorTrack, tracks};
use self::write::{Constants, Extra, Moving, write};
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
    /// Metres at the skin, measured on the packed clip itself, at every frame and at 240 Hz or more between: no
    /// point of a node's shell is farther off, and what morph weights are off is added.
    pub error: f32,
    /// The same against the clip itself, at frames, keys and 240 Hz: what is lost between samples is in it.
    pub loss: f32,
    /// The node that is off by as much as `error`.
    pub joint: String,
    /// How many samples were taken of the clip, both ends included.
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
    let plain = Measure::new(scene, &shells, &morphs, [0.0; 4]);
    let samples = if options.exact_curves {
        refuse_giants(scene, clip, &shells, options)?;
        let times = curve_times(scene, clip, &plain, options.error)?;
        Samples::new(scene, clip, 0.0, times)?
    } else {
        let (rate, frames) = uniform(scene, clip, options.rate, &keys)?;
        Samples::uniform(scene, clip, rate, frames)?
    };
    progress(0.2);
    let job = Job { scene, clip, options, keys, samples, shells: &shells, morphs: &morphs };
    if !options.exact_curves && job.samples.frames() > 2 {
        let found = thinned(scene, clip, &plain, &job.samples, options.error);
        if let Some((rate, frames, error)) = found {
            let few = Samples::uniform(scene, clip, rate, frames)?;
            let room = 0.995 - (error / f64::from(options.error)) as f32;
            if let Ok(done) = job.run(&few, room, progress) {
                return Ok(done);
            }
        }
    }
    let room = if options.exact_curves { 1.0 - SHARE_OF_CURVES } else { 0.995 };
    job.run(&job.samples, room, progress)
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

/// Curves cannot be followed where single precision itself takes much of the bound, and the try would take long.
fn refuse_giants(
    scene: &Scene,
    clip: &Clip,
    shells: &[f32],
    options: &Options,
) -> Result<(), PackError> {
    let (rate, frames) = uniform(scene, clip, None, &key_times(clip))?;
    let samples = Samples::uniform(scene, clip, rate, frames)?;
    let reach = Reach::new(scene, &samples, shells);
    let span = samples.extent(&reach.radii(shells));
    let reached = span * 1e-6;
    if reached > options.error {
        let joint = scene.skeleton().nodes()[0].name.clone();
        return Err(PackError::OutOfReach { asked: options.error, reached, joint, span });
    }
    Ok(())
}

/// All that is known of a clip before it is packed.
struct Job<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    options: &'a Options,
    keys: Vec<f32>,
    /// What the error is stated of.
    samples: Samples,
    shells: &'a [f32],
    morphs: &'a Morphs,
}

type Done = (Packed<Vec<u8>>, Report);

impl Job<'_> {
    /// Packs these frames; `room` is the share of the bound that rounding may take at first.
    fn run(
        &self,
        frames: &Samples,
        mut first_room: f32,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Done, PackError> {
        let bound = self.options.error;
        let reach = Reach::new(self.scene, frames, self.shells);
        let radii = reach.radii(self.shells);
        let extent = self.samples.extent(&radii);
        let mixing = frames.mixing(self.scene, &reach.metres);
        let of_clip = [extent, self.samples.speed(&radii), self.clip.duration, mixing];
        let measure = Measure::new(self.scene, self.shells, self.morphs, of_clip);
        let (numbers, morphs) = numbers(self.scene, frames, self.morphs, bound);
        first_room -= (measure.rounding() / f64::from(bound)) as f32;
        let times = self.times(frames);
        let mut best = Worst { error: f64::INFINITY, node: 0 };
        for (round, still) in STILL.into_iter().enumerate() {
            let tracks = tracks(self.scene, frames, &reach, bound, still * bound);
            let mut search = Search::new(self.scene, frames, &reach, self.shells, tracks);
            let mut room = first_room.max(0.05);
            for _ in 0..ROUNDS {
                if !search.run((bound - morphs) * room) {
                    break;
                }
                progress(0.2 + 0.7 * (round + 1) as f32 / STILL.len() as f32);
                let stored = self.stored(frames, &mut search, &numbers);
                // Steps too fine for a field: fewer constants may do with coarser ones.
                let Ok(packed) = self.written(frames, &stored, [0.0; 2]) else { break };
                let worst = self.measured(&measure, &packed, &times);
                if worst.error <= f64::from(bound) {
                    let loss = if self.options.exact_curves {
                        worst
                    } else {
                        measure.against_clip(&packed, self.clip, &times)
                    };
                    return self.finish(frames, &stored, worst, loss.error as f32);
                }
                if worst.error < best.error {
                    best = worst;
                }
                room *= (0.98 * f64::from(bound) / worst.error) as f32;
            }
        }
        if best.error.is_infinite() {
            // Nothing could be written: the best is what single precision has to offer.
            let rounding = measure.rounding().max(f64::from(extent) * 1e-6);
            best.error = rounding.max(1.01 * f64::from(bound));
        }
        Err(PackError::OutOfReach {
            asked: bound,
            reached: best.error as f32,
            joint: self.scene.skeleton().nodes()[best.node].name.clone(),
            span: extent,
        })
    }

    /// What the error is stated of: the samples, or the curves themselves.
    fn measured(&self, measure: &Measure<'_>, packed: &Packed<Vec<u8>>, times: &[f32]) -> Worst {
        if self.options.exact_curves {
            return measure.against_clip(packed, self.clip, times);
        }
        measure.against_samples(packed, &self.samples, times)
    }

    /// Samples, frames, three times between each two of them, keys, and 240 Hz.
    fn times(&self, frames: &Samples) -> Vec<f32> {
        let gaps = frames.times.windows(2).chain(self.samples.times.windows(2));
        let within =
            |gap: &[f32]| [0.0, 0.25, 0.5, 0.75].map(|share| gap[0] + (gap[1] - gap[0]) * share);
        let known = gaps.flat_map(within).chain(self.keys.iter().copied());
        measured_times(self.clip.duration, known.chain([0.0]))
    }

    /// The tracks as whole steps, and those that are kept once.
    fn stored(&self, samples: &Samples, search: &mut Search<'_>, numbers: &[Moving]) -> Stored {
        let (nodes, frames) = (self.shells.len(), samples.frames());
        let mut rotations: Vec<Vec<[i32; 4]>> = vec![Vec::new(); nodes];
        let mut translations = rotations.clone();
        let tracks = search.tracks.clone();
        search.steps(|node, _, rotation, translation| {
            if !matches!(tracks[node].rotation, RotationTrack::Fixed(_)) {
                rotations[node].push(rotation.to_array().map(|number| number as i32));
            }
            if !matches!(tracks[node].translation, VectorTrack::Fixed(_)) {
                translations[node]
                    .push(translation.extend(0.0).to_array().map(|number| number as i32));
            }
        });
        let (mut moving, mut constants) = (Vec::new(), Constants::default());
        let rests = self.scene.skeleton().nodes().iter().map(|node| node.rest);
        for (index, (NodeTracks { rotation, translation, scale }, rest)) in
            tracks.into_iter().zip(rests).enumerate()
        {
            let mut push = |kind, code, extra, steps| {
                moving.push(Moving { kind, index, code, extra, steps });
            };
            match rotation {
                RotationTrack::Fixed(value) if value == rest.rotation => {}
                RotationTrack::Fixed(value) => constants.rotations.push((index, value)),
                RotationTrack::Moving { basis, code } => {
                    let steps = std::mem::take(&mut rotations[index]);
                    push(Kind::Rotation, code, Extra::Basis(basis.bytes), steps);
                }
                RotationTrack::Full { code } => {
                    let steps = std::mem::take(&mut rotations[index]);
                    push(Kind::FullRotation, code, Extra::Nothing, steps);
                }
            }
            match translation {
                VectorTrack::Fixed(value) if value == rest.translation => {}
                VectorTrack::Fixed(value) => constants.translations.push((index, value)),
                VectorTrack::Moving { origin, code } => {
                    let steps = std::mem::take(&mut translations[index]);
                    push(Kind::Translation, code, Extra::Origin(origin.to_array()), steps);
                }
            }
            match scale {
                VectorTrack::Fixed(value) if value == rest.scale => {}
                VectorTrack::Fixed(value) => constants.scales.push((index, value)),
                VectorTrack::Moving { origin, code } => {
                    let locals = &samples.locals[index * frames..][..frames];
                    let steps = locals.iter().map(|local| {
                        let steps = VectorTrack::steps(origin, code, local.scale);
                        steps.extend(0.0).to_array().map(|number| number as i32)
                    });
                    push(Kind::Scale, code, Extra::Origin(origin.to_array()), steps.collect());
                }
            }
        }
        moving.extend_from_slice(numbers);
        moving.sort_by_key(|track| (track.kind, track.index));
        Stored { moving, constants }
    }

    fn written(
        &self,
        frames: &Samples,
        stored: &Stored,
        [error, loss]: [f32; 2],
    ) -> Result<Packed<Vec<u8>>, PackError> {
        let header = Header {
            fingerprint: fingerprint(self.scene.skeleton()),
            start: self.clip.start,
            rate: frames.rate,
            duration: self.clip.duration,
            bound: self.options.error,
            error,
            loss,
            nodes: self.shells.len() as u16,
            weights: self.scene.weight_count() as u32,
            properties: self.scene.properties.len() as u32,
            samples: if self.options.exact_curves { 0 } else { self.samples.frames() as u32 },
            ..Header::default()
        };
        let Stored { moving, constants } = stored;
        let bytes = write(header, &self.clip.name, &frames.times, moving, constants)?;
        Ok(Packed::read(bytes).expect("what was just written is good"))
    }

    fn finish(
        &self,
        frames: &Samples,
        stored: &Stored,
        worst: Worst,
        loss: f32,
    ) -> Result<Done, PackError> {
        let error = worst.error as f32;
        let packed = self.written(frames, stored, [error, loss])?;
        let Stored { moving, constants } = stored;
        let report = Report {
            bytes: packed.bytes().len(),
            raw: 40 * self.samples.locals.len(),
            samples: self.samples.frames(),
            error,
            loss,
            joint: self.scene.skeleton().nodes()[worst.node].name.clone(),
            rate: packed.rate(),
            uniform: packed.is_uniform(),
            frames: packed.frames(),
            segment: packed.segment(),
            moving: moving.iter().filter(|track| track.kind < Kind::Weight).count(),
            constant: constants.rotations.len()
                + constants.translations.len()
                + constants.scales.len(),
        };
        Ok((packed, report))
    }
}

/// What is kept of a clip.
struct Stored {
    moving: Vec<Moving>,
    constants: Constants,
}
