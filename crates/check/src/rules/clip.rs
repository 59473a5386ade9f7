//! A clip in time: `take`, `one-take`, `speed`, `late`, `tail`, `loop`, `culled`.

use sinew_deform::Bounds;
use sinew_import::Format;
use sinew_scene::{Clip, ClipId};

use crate::facts::Facts;
use crate::motion::{Motion, median, median_gap};
use crate::table::{CULLED, LATE, LOOP, ONE_TAKE, SPEED, TAIL, TAKE};
use crate::{Finding, Measured, Place, Severity};

/// No camera and no capture is faster or slower than this, in seconds from key to key.
const FASTEST: f32 = 1.0 / 245.0;
const SLOWEST: f32 = 1.0 / 4.9;
/// A clip of so many evenly spaced keys was baked.
const BAKED: usize = 16;
/// Half a frame at 60 a second.
pub(crate) const LATE_BY: f32 = 1.0 / 120.0;
/// A frame of 24 a second, with what rounding adds.
const LATE_FRAME: f32 = 0.05;
/// Nothing moves for so long, and so large a share of the clip.
const TAIL_SECONDS: f32 = 0.5;
const TAIL_SHARE: f32 = 0.1;
/// What moves less than this share of the model's size is still.
const STILL: f32 = 2e-4;
/// A seam may be as large as so many steps from frame to frame.
const SEAM_STEPS: f32 = 3.0;
/// A clip that comes back this near to its start, as a share of how far it goes, is meant to loop.
const NEARLY: f32 = 0.15;
/// A pose this far from the first, as a share of the model's size, is of a motion.
pub(crate) const FAR_SHARE: f32 = 0.08;
/// Bounds may grow by this ratio.
const GROWS: f32 = 1.5;

pub(super) fn check(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let clip = &facts.scene[id];
    take(id, clip, found);
    speed(facts, id, clip, found);
    late(id, clip, found);
    if clip.duration <= 0.0 || facts.size() <= 0.0 {
        return;
    }
    one_take(facts, id, motion, found);
    tail(facts, id, motion, found);
    seam(facts, id, motion, found);
    culled(facts, id, motion, found);
}

fn take(id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let keyed = clip.last_key();
    if clip.duration <= 0.0 && keyed > 0.0 {
        let message = format!("the clip has no length, though its keys reach to {keyed:.3} s");
        let measured = Measured::new(clip.duration, "s", keyed);
        found.push(Finding::new(TAKE, Place::clip(id), measured, message));
    }
    if clip.track_count() == 0 {
        let measured = Measured::count(0, "tracks", 1);
        let message = format!("the clip has no tracks, and a length of {:.3} s", clip.duration);
        let finding = Finding::new(TAKE, Place::clip(id), measured, message);
        // Maya and 3ds Max write an empty "Take 001" into every file.
        found.push(finding.severity(Severity::Info));
    }
}

fn speed(facts: &Facts<'_>, id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let Some(gap) = median_gap(clip) else { return };
    let longest = clip.all_times().max_by_key(|times| times.len()).unwrap_or(&[]);
    if longest.len() < BAKED {
        return;
    }
    let gaps = longest.windows(2).map(|pair| pair[1] - pair[0]);
    let even = gaps.clone().filter(|one| (one / gap - 1.0).abs() < 0.02).count();
    // Few keys far apart are set by hand; many at one distance are frames.
    let is_baked = even * 10 >= (longest.len() - 1) * 9;
    // Curves of FBX and COLLADA are sampled here, as closely as they need.
    let as_filed = !matches!(facts.model.format, Format::Fbx | Format::Collada);
    let wrong = (gap < FASTEST && as_filed) || (gap > SLOWEST && is_baked);
    if !wrong {
        return;
    }
    let message = format!(
        "keys are {:.4} s apart, {:.1} a second, over {:.1} s",
        gap,
        1.0 / gap,
        clip.duration
    );
    let limit = if gap < FASTEST { FASTEST } else { SLOWEST };
    found.push(Finding::new(SPEED, Place::clip(id), Measured::new(gap, "s", limit), message));
}

/// When the first key is of any track that has more than one; a constant says nothing about time.
pub(crate) fn first_key(clip: &Clip) -> Option<f32> {
    let moving = clip.all_times().filter(|times| times.len() > 1);
    moving.filter_map(|times| times.first().copied()).min_by(f32::total_cmp)
}

fn late(id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let Some(first) = first_key(clip).filter(|first| *first > LATE_BY && clip.duration > 0.0)
    else {
        return;
    };
    let message = format!("the first key is at {first:.3} s of {:.3} s", clip.duration);
    let place = Place::clip(id).at(first);
    let mut finding = Finding::new(LATE, place, Measured::new(first, "s", LATE_BY), message);
    // A frame is what programs add that count from one: hardly anybody sees it.
    if first <= LATE_FRAME && median_gap(clip).is_some_and(|gap| first <= 1.5 * gap) {
        finding = finding.severity(Severity::Info);
    }
    found.push(finding);
}

/// How far the clip goes from its first moment.
fn extent(motion: &Motion) -> f32 {
    (0..motion.len()).map(|at| motion.apart(0, at).0).fold(0.0, f32::max)
}

/// From when on nothing moves, where that is long enough to be a tail; `size` is the model's.
pub(crate) fn tail_begin(clip: &Clip, motion: &Motion, size: f32) -> Option<f32> {
    let last = motion.len() - 1;
    let moved = (0..last).rev().find(|&at| motion.apart(at, last).0 > STILL * size)?;
    let from = motion.times[moved + 1];
    let quiet = motion.times[last] - from;
    let drives_more = !clip.weights.is_empty() || !clip.properties.is_empty();
    let long = quiet > TAIL_SECONDS && quiet > TAIL_SHARE * clip.duration;
    (long && !drives_more).then_some(from)
}

fn tail(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let clip = &facts.scene[id];
    let Some(from) = tail_begin(clip, motion, facts.size()) else { return };
    let quiet = clip.duration - from;
    let message = format!("nothing moves for the last {quiet:.2} s of {:.2} s", clip.duration);
    let place = Place::clip(id).at(from);
    found.push(Finding::new(TAIL, place, Measured::new(quiet, "s", TAIL_SECONDS), message));
}

/// Whether a name says that the clip is one to be repeated.
fn is_called_loop(name: &str) -> bool {
    let name = name.to_lowercase();
    ["loop", "cycle"].iter().any(|word| name.contains(word))
}

fn seam(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let clip = &facts.scene[id];
    if motion.len() < 8 {
        return;
    }
    let steps = |at: usize| motion.apart_in_place(at - 1, at).0;
    let Some(step) = median((1..motion.len()).map(steps).collect()) else { return };
    let last = motion.len() - 1;
    let (gap, probe) = motion.apart_in_place(last, 0);
    let goes = (0..motion.len()).map(|at| motion.apart_in_place(0, at).0).fold(0.0, f32::max);
    let limit = SEAM_STEPS * step.max(STILL * facts.size());
    let probe = &facts.probes.all[probe];
    // Things without a skin come in at one end and leave at the other: only a name says that they are to meet.
    let has_skin = probe.instance.is_some_and(|mesh| facts.scene[mesh].skin.is_some());
    let meant = (gap < NEARLY * goes && has_skin) || is_called_loop(&clip.name);
    if gap <= limit || !meant {
        return;
    }
    let message = format!(
        "from the last moment to the first the skin jumps {}, {:.1} times a usual step",
        super::size::metres(gap),
        gap / step.max(1e-9)
    );
    let mut place = Place::clip(id).on(probe.joint).at(clip.duration);
    place.instance = probe.instance;
    found.push(Finding::new(
        LOOP,
        place,
        Measured::new(gap * 1000.0, "mm", limit * 1000.0),
        message,
    ));
}

/// Still poses that come again, with motion in between.
fn one_take(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let duration = facts.scene[id].duration;
    let alone = facts.scene.clips.len() == 1;
    let rests = rests_between(duration, motion, facts.size()).filter(|_| alone);
    let Some(rests) = rests else { return };
    let count = rests.len() + 1;
    let mut splits: Vec<String> = rests.iter().map(|time| format!("{time:.1}")).collect();
    splits.truncate(8);
    let message = format!(
        "the model is still in its first pose {count} times in {duration:.0} s, at {} s",
        splits.join(", ")
    );
    found.push(Finding::new(
        ONE_TAKE,
        Place::clip(id),
        Measured::count(count, "times", TIMES - 1),
        message,
    ));
}

/// How often a take comes back to its first pose that has several motions in it, the first time too.
const TIMES: usize = 4;

/// When a long take rests in its first pose again, where it does so often enough to be several motions.
pub(crate) fn rests_between(duration: f32, motion: &Motion, size: f32) -> Option<Vec<f32>> {
    const LONG: f32 = 8.0;
    if duration < LONG || motion.len() < 100 {
        return None;
    }
    let (near, far) = (0.01 * size, FAR_SHARE * size);
    let steps = motion.steps();
    // A rest: the first pose again, and hardly moving.
    let rests =
        |at: usize| motion.apart(0, at).0 < near && steps[at.min(steps.len() - 1)] < near * 0.5;
    let (mut away, mut found) = (false, Vec::new());
    for at in 0..motion.len() {
        if motion.apart(0, at).0 > far {
            away = true;
        } else if away && rests(at) {
            away = false;
            found.push(motion.times[at]);
        }
    }
    (found.len() + 1 >= TIMES).then_some(found)
}

fn culled(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let rest = facts.bounds;
    if rest.is_empty() || extent(motion) <= 0.0 {
        return;
    }
    let size = facts.size();
    let mut worst = (0.0_f32, 0);
    let mut all = rest;
    for at in 0..motion.len() {
        let mut bounds = Bounds::EMPTY;
        motion.points(at).iter().for_each(|&point| bounds.add(point.into()));
        all = all.union(bounds);
        let beyond = (rest.min - bounds.min).max(bounds.max - rest.max).max_element();
        if beyond > worst.0 {
            worst = (beyond, at);
        }
    }
    let grows = all.size().length() / size;
    if grows <= GROWS {
        return;
    }
    let message = format!(
        "over the clip the model takes {grows:.1} times the room of its rest pose, and leaves it by {}",
        super::size::metres(worst.0)
    );
    let place = Place::clip(id).at(motion.times[worst.1]);
    found.push(Finding::new(CULLED, place, Measured::new(grows, "times", GROWS), message));
}
