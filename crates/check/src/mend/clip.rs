//! Clips in time: begun at zero, ended with the motion, closed.

use sinew_edit::{Closed, SkinPoints, close_loop, cut, in_place, root_joint, shift_start};
use sinew_scene::{Clip, Scene, SceneParts};

use crate::finding::counted;
use crate::motion::Motion;
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

/// Clips without tracks.
pub(super) fn leave_out_empty(parts: &mut SceneParts) -> Option<String> {
    let before = parts.clips.len();
    parts.clips.retain(|clip| clip.track_count() > 0);
    let lost = before - parts.clips.len();
    (lost > 0).then(|| format!("{} left out: nothing moves", counted(lost, "clip is", "clips are")))
}
