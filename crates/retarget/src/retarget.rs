//! Takes a clip from one skeleton to another.
//!
//! In:  a clip, the scene it is from, the character, and a joint map.
//! Out: a clip of the character, and figures that say how good it is.
//!
//! A joint's rotation away from the T-pose is the same in both bodies, in the body's own axes. The pelvis takes the
//! same path at the ratio of the legs. What is then wrong with the feet is put right by the legs.

use sinew_scene::{Clip, Scene};

use crate::error::RetargetError;
use crate::map::JointMap;
use crate::quality::Quality;
use crate::record::{doubled, even_times, key_times};
use crate::work::Work;

/// What a person may choose about retargeting. The defaults suit most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Keep feet where they stand.
    pub plant_feet: bool,
    /// Keys a second. `None` takes the clip's own, and more where straight lines between them are not near enough.
    pub rate: Option<f32>,
    /// Measure how far bones point off, and how far joints are off between keys. Without it these figures are 0.
    pub measure: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { plant_feet: true, rate: None, measure: true }
    }
}

/// A clip of the character, and how good it is.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// Rotations of joints and the translation of the hips; scales are left alone.
    pub clip: Clip,
    /// How good it is, measured.
    pub quality: Quality,
}

/// Makes a clip of `from` drive the character `to`.
///
/// ```
/// use sinew_retarget::{JointMap, Options, retarget};
/// let ossi = sinew_ossi::ossi();
/// let map = JointMap::find(&ossi, &ossi)?;
/// let walk = retarget(ossi.clip("walk").unwrap(), &ossi, &ossi, &map, &Options::default())?;
/// assert!(walk.quality.hip_ratio > 0.999 && walk.quality.hip_ratio < 1.001);
/// # Ok::<(), sinew_retarget::RetargetError>(())
/// ```
///
/// # Errors
/// When the clip moves nothing of the body, or the rate is no number above zero.
///
/// # Panics
/// When the map or the clip speak of joints that the scenes do not have.
pub fn retarget(
    clip: &Clip,
    from: &Scene,
    to: &Scene,
    map: &JointMap,
    options: &Options,
) -> Result<Retargeted, RetargetError> {
    let Some((own, thinned)) = key_times(clip, from, &map.from) else {
        return Err(RetargetError::EmptyClip(format!(
            "clip \"{}\" moves no joint of the body: expected tracks for hips, limbs or spine",
            clip.name
        )));
    };
    let source_keys = own.len();
    let run = |times: Vec<f32>| Work::new(clip, from, to, map, options, times, source_keys).run();
    if let Some(rate) = options.rate {
        if !(rate.is_finite() && rate > 0.0) {
            return Err(RetargetError::EmptyClip(format!(
                "expected a rate of keys above 0 a second, found {rate}"
            )));
        }
        return Ok(run(even_times(clip.duration, rate)));
    }
    // Where straight lines between keys are not near enough, there are more keys; but a clip that has many is
    // followed at its own keys alone: what lies between two of them is nobody's motion.
    let mut times = own;
    for _ in 0..FINER {
        let made = run(times.clone());
        let near = made.quality.key_error <= NEAR * made.quality.leg;
        let dense = clip.duration <= DENSE * times.len() as f32;
        if near || dense || thinned || times.len() < 2 {
            return Ok(made);
        }
        times = doubled(&times);
    }
    Ok(run(times))
}

/// Joints that are nearer than this between keys to where they belong are near enough; as a share of a leg.
const NEAR: f32 = 0.004;
/// Keys are doubled no more often than this: beyond, it is a jump that no line follows.
const FINER: usize = 2;
/// Keys nearer together than this, on average, are not doubled; seconds.
const DENSE: f32 = 1.0 / 80.0;
