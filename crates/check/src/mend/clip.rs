//! Clips in time: begun at zero, ended with the motion, closed.

use sinew_edit::{Closed, SkinPoints, close_loop, cut, in_place, root_joint, shift_start};
use sinew_scene::{Clip, Curve, Interpolation, Rows, Scene, SceneParts};

use crate::finding::counted;
use crate::motion::{Motion, median_gap};
use crate::probes::Probes;
use crate::rules::{LATE_BY, first_key, rests_between, tail_begin};

/// Clips are changed one by one; says how many were.
fn each(parts: &mut SceneParts, mut change: impl FnMut(&Clip) -> Option<Clip>) -> usize {
    let mut changed = 0;
    for clip in &mut parts.clips {
        if let Some(new) = change(clip) {
            *clip = new;
            changed += 1;
        }
    }
    changed
}

/// The same for the clips that a rule finds something in.
fn each_found(
    parts: &mut SceneParts,
    scene: Scene,
    code: &'static str,
    mut change: impl FnMut(&Scene, &Clip) -> Option<Clip>,
) -> usize {
    let model = sinew_import::Imported::from(scene);
    let options = crate::CheckOptions { only: vec![code], ..crate::CheckOptions::default() };
    let found: Vec<usize> = crate::check(&model, &options)
        .iter()
        .filter_map(|finding| finding.place.clip)
        .map(sinew_scene::ClipId::index)
        .collect();
    let mut at = 0;
    each(parts, |clip| {
        at += 1;
        found.contains(&(at - 1)).then(|| change(&model.scene, clip)).flatten()
    })
}

/// Keeps clips in place that travel out of the bounds of the rest pose.
pub(super) fn keep_in_place(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let held = each_found(parts, scene, "culled", |scene, clip| {
        Some(in_place(scene, clip, root_joint(scene, clip)?))
    });
    (held > 0).then(|| format!("{} in place", counted(held, "clip stays", "clips stay")))
}

/// Moves all keys so that the first is at zero.
pub(super) fn start_at_zero(parts: &mut SceneParts) -> Option<String> {
    let moved = each(parts, |clip| {
        let late = first_key(clip).is_some_and(|first| first > LATE_BY);
        let (begun, seconds) = shift_start(clip);
        (late && seconds > 0.0).then_some(begun)
    });
    (moved > 0).then(|| format!("{} at zero", counted(moved, "clip begins", "clips begin")))
}

/// Ends clips where nothing moves any more.
pub(super) fn cut_tail(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let probes = Probes::new(&scene);
    let size = probes.size(&scene);
    let cut = each(parts, |clip| {
        let motion = Motion::new(&scene, clip, &probes, &[]);
        let end = tail_begin(clip, &motion, size)?;
        cut(clip, 0.0, end).ok()
    });
    (cut > 0)
        .then(|| format!("{} where nothing moves any more", counted(cut, "clip ends", "clips end")))
}

/// Closes the clips that the rule finds open.
pub(super) fn close(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let points = SkinPoints::new(&scene);
    let closed = each_found(parts, scene, "loop", |scene, clip| {
        let (closed, how) = close_loop(scene, &points, clip, root_joint(scene, clip));
        (how != Closed::Already).then_some(closed)
    });
    (closed > 0).then(|| format!("{} as it begins", counted(closed, "clip ends", "clips end")))
}

/// Makes a clip of each motion of a take that has several, one after another.
pub(super) fn split_takes(parts: &mut SceneParts) -> Option<String> {
    let [whole] = &parts.clips[..] else { return None };
    let scene = Scene::new(parts.clone()).ok()?;
    let probes = Probes::new(&scene);
    let motion = Motion::new(&scene, whole, &probes, &[]);
    let rests = rests_between(whole.duration, &motion, probes.size(&scene))?;
    let ends = rests.iter().copied().chain([whole.duration]);
    let starts = [0.0].into_iter().chain(rests.iter().copied());
    let mut clips = Vec::new();
    for (from, to) in starts.zip(ends) {
        // What comes after the last motion is rest.
        let still = !motion.moves_between(from, to, probes.size(&scene));
        if still || to - from < LATE_BY {
            continue;
        }
        let mut part = cut(whole, from, to).ok()?;
        part.name = format!("{} {}", whole.name, clips.len() + 1).trim().to_owned();
        clips.push(part);
    }
    if clips.len() < 2 {
        return None;
    }
    let sentence = format!("one take is {} clips now", clips.len());
    parts.clips = clips;
    Some(sentence)
}

/// Clips without tracks are left out; those without a length are as long as their keys.
pub(super) fn with_length(parts: &mut SceneParts) -> Option<String> {
    let before = parts.clips.len();
    parts.clips.retain(|clip| clip.track_count() > 0);
    let lost = before - parts.clips.len();
    let mut longer = 0;
    for clip in parts.clips.iter_mut().filter(|clip| clip.duration <= 0.0) {
        clip.duration = clip.last_key();
        longer += usize::from(clip.duration > 0.0);
    }
    let lost_words = counted(lost, "clip is left out", "clips are left out");
    let long_words = counted(longer, "clip lasts", "clips last");
    match (lost, longer) {
        (0, 0) => None,
        (0, _) => Some(format!("{long_words} as long as its keys")),
        (_, 0) => Some(format!("{lost_words}: nothing moves")),
        _ => Some(format!("{lost_words}: nothing moves; {long_words} as long as its keys")),
    }
}

/// Frames a second that clips are made at.
const RATES: [f32; 9] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0];
/// Milliseconds that were taken for seconds, and the other way round.
const UNITS: [f32; 2] = [1e-3, 1e3];
/// Where no unit makes frames of the keys, they are so many a second.
const USUAL_RATE: f32 = 30.0;

/// Plays clips at the speed at which their keys are frames.
pub(super) fn usual_speed(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let mut words = String::new();
    let changed = each_found(parts, scene, "speed", |_, clip| {
        let gap = median_gap(clip)?;
        let is_rate = |unit: &f32| RATES.iter().any(|rate| (gap * unit * rate - 1.0).abs() < 0.02);
        let factor = UNITS.into_iter().find(is_rate).unwrap_or(1.0 / (USUAL_RATE * gap));
        let rate = 1.0 / (gap * factor);
        let new = at_speed(clip, factor).ok()?;
        words =
            format!("{rate:.0} keys a second: {:.3} s, was {:.3} s", new.duration, clip.duration);
        Some(new)
    });
    (changed > 0).then(|| format!("{} {words}", counted(changed, "clip has", "clips have")))
}

/// The clip with all times multiplied.
fn at_speed(clip: &Clip, factor: f32) -> Result<Clip, String> {
    let mut new = clip.clone();
    new.start *= f64::from(factor);
    new.duration *= factor;
    new.markers.iter_mut().for_each(|marker| marker.time *= factor);
    let tracks = new.translations.iter_mut().chain(&mut new.scales);
    for track in tracks {
        let values = slower(track.curve.values(), 1, track.curve.interpolation(), factor);
        let interpolation = track.curve.interpolation();
        track.curve = Curve::new(scaled(track.curve.times(), factor), values, interpolation)?;
    }
    for track in &mut new.rotations {
        let values = slower(track.curve.values(), 1, track.curve.interpolation(), factor);
        let interpolation = track.curve.interpolation();
        track.curve = Curve::new(scaled(track.curve.times(), factor), values, interpolation)?;
    }
    let weights = new.weights.iter_mut().map(|track| &mut track.rows);
    for rows in weights.chain(new.properties.iter_mut().map(|track| &mut track.rows)) {
        let (width, interpolation) = (rows.width(), rows.interpolation());
        let values = slower(rows.values(), width, interpolation, factor);
        *rows = Rows::new(scaled(rows.times(), factor), values, width, interpolation)?;
    }
    Ok(new)
}

fn scaled(times: &[f32], factor: f32) -> Vec<f32> {
    times.iter().map(|time| time * factor).collect()
}

/// Tangents are per second: in a clip that takes longer they are less.
fn slower<V>(values: &[V], width: usize, interpolation: Interpolation, factor: f32) -> Vec<V>
where
    V: Copy + std::ops::Mul<f32, Output = V>,
{
    let each = interpolation.values_per_key();
    let is_key = |at: usize| (at / width) % each == each / 2;
    let changed =
        |(at, value): (usize, &V)| if is_key(at) { *value } else { *value * (1.0 / factor) };
    values.iter().enumerate().map(changed).collect()
}
