//! From a clip to a packed clip.
//!
//! In:  a clip of a scene, and the error that is allowed.
//! Out: the bytes, and what was measured on them.
//!
//! `times` decides when samples are, `samples` has the clip there, `frames` picks frames of them; `job` makes a file of
//! these: `tracks` is what is kept, `search` how coarsely, `write` makes bytes, and `measure` samples those bytes as
//! anybody does: what it finds is what is stated.

mod basis;
mod frames;
mod job;
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
use self::job::Job;
use self::measure::Measure;
use self::numbers::reaches;
use self::rounding::rounding;
use self::samples::{Samples, not_finite};
use self::times::{key_times, uniform};
use self::tracks::Reach;
use crate::{PackError, Packed};

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

/// What came of it, beside what the packed clip says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes of all nodes' transforms at as many samples, 40 each.
    pub raw: usize,
    /// Metres at the skin, measured on the packed clip itself, at frames, half-way between them and at 240 Hz: no
    /// point of a node's shell is farther off, and what morph weights are off is added.
    pub error: f32,
    /// The same against the clip itself, at frames, keys and 240 Hz: what is lost between samples is in it.
    pub loss: f32,
    /// The node that is off by as much as `error`.
    pub joint: String,
    /// Nodes' tracks that move.
    pub moving: usize,
    /// Nodes' tracks that are constant, but not at rest.
    pub constant: usize,
}

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
    let morphs = reaches(scene);
    let measure = Measure { scene, shells: &shells, morphs: &morphs };
    let (rate, frames) = uniform(scene, clip, options.rate, &keys)?;
    let times = (0..frames).map(|frame| (frame as f64 / rate) as f32).collect();
    let mut samples = Samples::new(scene, clip, rate, times)?;
    let mut between = 0.0;
    let reach = Reach::new(scene, &samples, &shells);
    let rounding = rounding(scene, clip, &samples, &reach);
    // Otherwise no curve can be followed, and the try would take long.
    if options.exact_curves && rounding <= MAX_ROUNDING * options.error {
        let (times, error) = curve_times(&measure, clip, &keys, options.error, rounding)?;
        between = error;
        samples = Samples::new(scene, clip, 0.0, times)?;
    }
    progress(0.2);
    let job = Job { clip, options, keys, samples, measure };
    if let Some((times, error)) = chosen(&job.measure, &job.samples, options.error)
        && let Ok(done) = job.run(&Samples::new(scene, clip, 0.0, times)?, between + error)
    {
        return Ok(done);
    }
    job.run(&job.samples, between)
}

fn check(scene: &Scene, clip: &Clip, options: &Options) -> Result<(), PackError> {
    let most = usize::from(u16::MAX);
    let counts = [scene.skeleton().len(), scene.weight_count(), 4 * scene.properties.len()];
    let refused = if scene.skeleton().is_empty() {
        "the scene has no node that a clip could move".into()
    } else if !(options.error > 0.0 && options.error.is_finite()) {
        format!("expected an error above zero, found {} mm", options.error * 1000.0)
    } else if !(clip.duration >= 0.0 && clip.duration.is_finite()) {
        return Err(not_finite(clip.duration, "its length"));
    } else if counts.into_iter().any(|count| count > most) {
        format!("more than {most} nodes, morph weights, or numbers of driven values")
    } else {
        return Ok(());
    };
    Err(PackError::Unfit(refused))
}
