//! Fewer keys, within a bound at the skin.
//!
//! In:  a clip of a scene, and how far off the skin may be.
//! Out: a clip with fewer keys, that was measured to keep the bound.
//!
//! Errors of joints add up from the root to the skin, but hardly ever all in one direction. So each track gets a share of the
//! bound, all tracks are thinned, the whole is measured, and the shares grow or shrink until the bound is just kept.

mod correct;
mod fit;
mod insert;
mod levers;
mod measure;
mod refine;
mod rest;
mod samples;
mod share;
mod tracks;

use rayon::prelude::*;
use sinew_scene::glam::Quat;
use sinew_scene::{Clip, Scene, Track};

pub use self::rest::keep_at_rest;

use self::levers::Levers;
use self::measure::Source;
use self::tracks::Tracks;
use crate::SkinPoints;

/// The share of the bound that each track begins with.
const FIRST_SHARE: f64 = 0.35;
/// How often shares are changed.
const ROUNDS: usize = 7;
/// Shares closer than this factor are not told apart.
const NEAR: f64 = 1.1;
/// Of what is aimed at, an error that leaves nothing to be won.
const FULL: f64 = 0.97;
/// The share below which it is given up and all keys stay.
const LEAST_SHARE: f64 = 1e-3;
/// The share with which keys stay that say anything at all.
const EXACT_SHARE: f64 = 1e-4;
/// Of the bound, what is aimed at: between the times that are measured a little more may be off.
const AIM: f32 = 0.92;
/// Bounds off at which measuring stops: shares are far too large then.
const FAR_OFF: f32 = 20.0;
/// Of the bound, what rounding may take for one track: as much as the whole keeps, tried in this order.
const SHARES_OF_ROUNDING: [f32; 4] = [2.0, 0.6, 0.4, 0.25];
/// Of the bound, what is aimed at where keys are rounded alone: they are off most at keys, and those are measured.
const ROUNDING_AIM: f32 = 0.98;
/// Of the bound, what rounding all tracks may take before rounding fewer is tried as well.
const LITTLE_ROUNDING: f32 = 0.4;
/// Times at which shares are measured, and those at which the result is.
const LOOKS: usize = 384;
const LAST_LOOKS: usize = 8192;

/// How keys are made fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReduceOptions {
    /// How far the skin may be off, in metres.
    pub error: f32,
    /// Rounds rotations to 32,767ths and morph weights to 65,535ths where the bound allows it: numbers that glTF has in two bytes.
    pub short_values: bool,
}

impl Default for ReduceOptions {
    fn default() -> Self {
        Self { error: 1e-4, short_values: false }
    }
}

/// A clip with fewer keys.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reduced {
    /// The clip.
    pub clip: Clip,
    /// How far off the skin is at most, in metres.
    pub error: f32,
}

/// The clip with as few keys as keep the skin within the bound; tracks that change nothing are gone.
///
/// ```
/// use sinew_edit::{ReduceOptions, SkinPoints, reduce};
/// let ossi = sinew_ossi::ossi();
/// let walk = ossi.clip("walk").unwrap();
/// let options = ReduceOptions { error: 0.001, ..ReduceOptions::default() };
/// let reduced = reduce(&ossi, &SkinPoints::new(&ossi), walk, &options);
/// assert!(reduced.clip.key_count() < walk.key_count());
/// assert!(reduced.error <= 0.001);
/// ```
#[must_use]
pub fn reduce(scene: &Scene, points: &SkinPoints, clip: &Clip, options: &ReduceOptions) -> Reduced {
    reduce_from(scene, points, clip, options, &mut Start::default())
}

/// Where a search begins, and what it found: of the bound, the share of each track, and what rounding may take.
#[derive(Clone, Copy, Debug)]
struct Start {
    share: f64,
    rounding: Option<f32>,
}

impl Default for Start {
    fn default() -> Self {
        Self { share: FIRST_SHARE, rounding: None }
    }
}

/// The same from somewhere. Where it is known what rounding may take, no more is tried, and less only where the bound is not kept.
fn reduce_from(
    scene: &Scene,
    points: &SkinPoints,
    clip: &Clip,
    options: &ReduceOptions,
    start: &mut Start,
) -> Reduced {
    let bound = options.error;
    let same = || Reduced { clip: clip.clone(), error: 0.0 };
    if clip.track_count() == 0 || !(bound > 0.0 && bound.is_finite()) {
        return same();
    }
    let levers = Levers::new(scene, points, clip);
    let mut tracks = Tracks::new(scene, clip, &levers, points, options);
    let many = Source::new(scene, points, clip, LAST_LOOKS);
    // Where there are few times, these are all of them.
    let fewer = (many.len() > LOOKS).then(|| Source::new(scene, points, clip, LOOKS));
    let few = fewer.as_ref().unwrap_or(&many);
    let mut best: Option<(usize, Reduced)> = None;
    let mut tried = None;
    let Start { share: mut first, rounding: known } = *start;
    for share in SHARES_OF_ROUNDING {
        if known.is_some_and(|known| share > known) {
            continue;
        }
        let rounded = tracks.round_within(share * bound);
        if tried.replace(rounded) == Some(rounded) {
            continue;
        }
        if known.is_some() {
            best = thinnest(clip, &tracks, bound, &mut first, [few, &many]);
            if best.is_some() {
                break;
            }
        }
        let made = tracks.made(clip, EXACT_SHARE * f64::from(bound));
        let off = many.apart(&made, FAR_OFF * bound);
        if off <= ROUNDING_AIM * bound {
            let every = Some((bytes(&made), Reduced { clip: made, error: off }));
            let fewer = thinnest(clip, &tracks, bound, &mut first, [few, &many]);
            let least = best.as_ref().map_or(usize::MAX, |(bytes, _)| *bytes);
            best = best.into_iter().chain(every).chain(fewer).min_by_key(|(bytes, _)| *bytes);
            if best.as_ref().is_some_and(|(bytes, _)| *bytes < least) {
                *start = Start { share: first, rounding: Some(share) };
            }
        }
        // Nothing to be won by rounding less.
        if off <= LITTLE_ROUNDING * bound || rounded == 0 {
            break;
        }
    }
    match best {
        Some((least, reduced)) if least <= bytes(clip) => reduced,
        _ => same(),
    }
}

/// The clip with the fewest bytes that keeps the bound, by shares of all tracks that grow or shrink together; with those bytes. `first` is
/// the share to begin with, and becomes the one that was found.
fn thinnest(
    clip: &Clip,
    tracks: &Tracks,
    bound: f32,
    first: &mut f64,
    [few, many]: [&Source<'_>; 2],
) -> Option<(usize, Reduced)> {
    let mut search = Search { low: None, high: None, share: *first };
    let mut best: Option<(usize, Reduced)> = None;
    for _ in 0..ROUNDS {
        let made = tracks.made(clip, search.share * f64::from(bound));
        let mut error = few.apart(&made, FAR_OFF * bound);
        if error <= AIM * bound && many.len() > few.len() {
            error = error.max(many.apart(&made, FAR_OFF * bound));
        }
        let bytes = bytes(&made);
        if error <= AIM * bound && best.as_ref().is_none_or(|(least, _)| bytes < *least) {
            best = Some((bytes, Reduced { clip: made, error }));
        }
        if !search.go_on(f64::from(error.max(1e-3 * bound)) / f64::from(AIM * bound)) {
            break;
        }
    }
    *first = search.low.map_or(*first, |(share, _)| share);
    best
}

/// All clips of a scene with fewer keys, on all cores; what each is off at most, in order.
///
/// A track that stays at rest is left out where no clip moves the same, and has one key where another does: engines that set only
/// what a clip has would leave the joint as that clip left it.
#[must_use]
pub fn reduce_all(scene: &Scene, options: &ReduceOptions) -> Vec<Reduced> {
    reduce_all_at(scene, &SkinPoints::new(scene), options)
}

/// The same where the points of the scene are known.
#[must_use]
pub fn reduce_all_at(scene: &Scene, points: &SkinPoints, options: &ReduceOptions) -> Vec<Reduced> {
    // Clips of one character take much the same shares: those of the longest are where the others begin.
    let keys = |at: &usize| std::cmp::Reverse(scene.clips[*at].key_count());
    let Some(longest) = (0..scene.clips.len()).min_by_key(keys) else { return Vec::new() };
    let mut start = Start::default();
    let head = reduce_from(scene, points, &scene.clips[longest], options, &mut start);
    let clips = scene.clips.par_iter().enumerate();
    let all = clips.map(|(at, clip)| match at == longest {
        true => head.clone(),
        false => reduce_from(scene, points, clip, options, &mut { start }),
    });
    let mut all: Vec<Reduced> = all.collect();
    let mut clips: Vec<&mut Clip> = all.iter_mut().map(|reduced| &mut reduced.clip).collect();
    keep_at_rest(scene, &mut clips);
    all
}

/// Looks for the largest share that keeps the bound.
struct Search {
    /// The largest that does, and the smallest that does not; each with its error over what is aimed at.
    low: Option<(f64, f64)>,
    high: Option<(f64, f64)>,
    share: f64,
}

impl Search {
    /// Takes in what the share's error was over what is aimed at; whether there is another to try.
    fn go_on(&mut self, error: f64) -> bool {
        if error <= 1.0 {
            self.low = Some((self.share, error));
        } else {
            self.high = Some((self.share, error));
        }
        self.share = match (self.low, self.high) {
            // As if errors grew evenly from one to the other.
            (Some((low, low_error)), Some((high, high_error))) => {
                let part = (1.0 - low_error) / (high_error - low_error);
                low * (high / low).powf(part.clamp(0.2, 0.8))
            }
            (Some((low, error)), None) => low * (1.0 / error).clamp(1.2, 3.0),
            (None, high) => {
                let (high, error) = high.unwrap_or((self.share, 1.0));
                high * (0.9 / error).clamp(0.05, 0.8)
            }
        };
        let near =
            |low: (f64, f64)| low.1 > FULL || self.high.is_some_and(|high| high.0 < low.0 * NEAR);
        !self.low.is_some_and(near) && self.share > LEAST_SHARE && self.share < 4.0
    }
}

/// About what the keys of a clip take in a file.
fn bytes(clip: &Clip) -> usize {
    let mut bytes = 0;
    bytes += clip.translations.iter().map(|track| 12 * track.curve.values().len()).sum::<usize>();
    bytes += clip.rotations.iter().map(rotation_bytes).sum::<usize>();
    bytes += clip.scales.iter().map(|track| 12 * track.curve.values().len()).sum::<usize>();
    bytes += clip.weights.iter().map(|track| 4 * track.rows.values().len()).sum::<usize>();
    bytes += clip.properties.iter().map(|track| 4 * track.rows.values().len()).sum::<usize>();
    // Shared times count once.
    let mut times: Vec<&[f32]> = clip.all_times().collect();
    times.sort_by_key(|times| times.as_ptr());
    times.dedup_by_key(|times| times.as_ptr());
    bytes + times.iter().map(|times| 4 * times.len() + share::ACCESSOR_BYTES).sum::<usize>()
}

/// The same of one rotation: its numbers have two bytes where that says all of them.
fn rotation_bytes(track: &Track<Quat>) -> usize {
    let values = track.curve.values();
    let numbers = values.iter().flat_map(|value| value.to_array());
    let short = tracks::are_parts(numbers, tracks::ROTATION_PARTS);
    values.len() * if short { 8 } else { 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(error: f32) -> ReduceOptions {
        ReduceOptions { error, ..ReduceOptions::default() }
    }

    #[test]
    fn every_clip_of_ossi_has_fewer_keys_and_keeps_a_tenth_of_a_millimetre() {
        let ossi = sinew_ossi::ossi();
        for (clip, reduced) in ossi.clips.iter().zip(reduce_all(&ossi, &within(1e-4))) {
            assert!(reduced.error <= 1e-4, "{}: {}", clip.name, reduced.error);
            let [before, after] = [clip, &reduced.clip].map(Clip::key_count);
            assert!(after <= before, "{}: {after} of {before} keys", clip.name);
            assert_eq!(reduced.clip.last_key(), clip.last_key(), "{}", clip.name);
            let points = SkinPoints::new(&ossi);
            let found = Source::new(&ossi, &points, clip, 100_000).apart(&reduced.clip, 1.0);
            assert!(found <= 1e-4, "{}: {found} m", clip.name);
        }
    }

    #[test]
    fn a_coarser_bound_never_takes_more_bytes() {
        let ossi = sinew_ossi::ossi();
        let points = SkinPoints::new(&ossi);
        let walk = ossi.clip("walk").expect("Ossi walks");
        let sizes = [1e-5, 1e-3, 1e-2]
            .map(|bound| bytes(&reduce(&ossi, &points, walk, &within(bound)).clip));
        assert!(sizes[0] >= sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
    }

    #[test]
    fn short_values_are_32767ths_and_keep_the_bound() {
        let ossi = sinew_ossi::ossi();
        let points = SkinPoints::new(&ossi);
        let walk = ossi.clip("walk").expect("Ossi walks");
        let options = ReduceOptions { error: 1e-3, short_values: true };
        let reduced = reduce(&ossi, &points, walk, &options);
        assert!(reduced.error <= 1e-3, "{}", reduced.error);
        let is_short = |number: f32| (number * 32_767.0).round() / 32_767.0 == number;
        let short = |track: &&sinew_scene::Track<sinew_scene::glam::Quat>| {
            track.curve.values().iter().all(|value| value.to_array().into_iter().all(is_short))
        };
        let found = reduced.clip.rotations.iter().filter(short).count();
        assert!(
            2 * found > reduced.clip.rotations.len(),
            "{found} of {}",
            reduced.clip.rotations.len()
        );
    }

    #[test]
    fn a_bound_of_nothing_keeps_every_key() {
        let ossi = sinew_ossi::ossi();
        let points = SkinPoints::new(&ossi);
        for bound in [0.0, -1.0, f32::NAN] {
            assert_eq!(reduce(&ossi, &points, &ossi.clips[0], &within(bound)).clip, ossi.clips[0]);
        }
    }
}
