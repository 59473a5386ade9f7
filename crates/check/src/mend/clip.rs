//! Clips in time: begun at zero, ended with the motion, closed.

use glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Rows, Scene, SceneParts, Track};

use crate::finding::counted;
use crate::motion::Motion;
use crate::probes::Probes;
use crate::rules::{LATE_BY, tail_begin};

/// Every curve of a clip with other times; values stay.
fn retimed(clip: &mut Clip, time: impl Fn(f32) -> f32) {
    fn curves<V: Copy>(tracks: &mut [Track<V>], time: &impl Fn(f32) -> f32) {
        for track in tracks {
            let times: Vec<f32> = track.curve.times().iter().map(|&at| time(at)).collect();
            let values = track.curve.values().to_vec();
            if let Ok(curve) = Curve::new(times, values, track.curve.interpolation()) {
                track.curve = curve;
            }
        }
    }
    let rows = |rows: &mut Rows| {
        let times: Vec<f32> = rows.times().iter().map(|&at| time(at)).collect();
        if let Ok(new) =
            Rows::new(times, rows.values().to_vec(), rows.width(), rows.interpolation())
        {
            *rows = new;
        }
    };
    curves(&mut clip.translations, &time);
    curves(&mut clip.rotations, &time);
    curves(&mut clip.scales, &time);
    clip.weights.iter_mut().for_each(|track| rows(&mut track.rows));
    clip.properties.iter_mut().for_each(|track| rows(&mut track.rows));
}

/// Moves all keys so that the first is at zero.
pub(super) fn start_at_zero(parts: &mut SceneParts) -> Option<String> {
    let mut moved = 0;
    for clip in &mut parts.clips {
        let first =
            clip.all_times().filter_map(|times| times.first()).copied().fold(f32::MAX, f32::min);
        if clip.track_count() == 0 || first <= LATE_BY || first >= clip.duration {
            continue;
        }
        retimed(clip, |time| time - first);
        clip.start += f64::from(first);
        clip.duration -= first;
        clip.markers.iter_mut().for_each(|marker| marker.time = (marker.time - first).max(0.0));
        moved += 1;
    }
    (moved > 0).then(|| format!("{} at zero", counted(moved, "clip begins", "clips begin")))
}

/// Ends clips where nothing moves any more: later keys are at that moment.
pub(super) fn cut_tail(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let probes = Probes::new(&scene);
    let mut cut = 0;
    for clip in &mut parts.clips {
        let motion = Motion::new(&scene, clip, &probes, &[]);
        let size = probes.size(&scene);
        let Some(end) = tail_begin(clip, &motion, size) else { continue };
        retimed(clip, |time| time.min(end));
        clip.duration = end;
        clip.markers.iter_mut().for_each(|marker| marker.time = marker.time.min(end));
        cut += 1;
    }
    (cut > 0)
        .then(|| format!("{} where nothing moves any more", counted(cut, "clip ends", "clips end")))
}

/// Spreads what lacks between the last key and the first over the clip, so that it ends as it begins. What travels
/// on the level keeps travelling: translations are closed only where they nearly close already.
pub(super) fn close(parts: &mut SceneParts) -> Option<String> {
    let mut closed = 0;
    for clip in &mut parts.clips {
        let duration = clip.duration;
        if duration <= 0.0 {
            continue;
        }
        let mut changed = false;
        for track in &mut clip.rotations {
            changed |= close_rotation(&mut track.curve, duration);
        }
        for track in &mut clip.translations {
            changed |= close_vector(&mut track.curve, duration);
        }
        for track in &mut clip.scales {
            changed |= close_vector(&mut track.curve, duration);
        }
        closed += usize::from(changed);
    }
    (closed > 0).then(|| format!("{} as it begins", counted(closed, "clip ends", "clips end")))
}

/// The value of a key within its row, and how many values a row has.
fn middle<V>(curve: &Curve<V>) -> (usize, usize) {
    let each = curve.interpolation().values_per_key();
    (each, each / 2)
}

fn close_rotation(curve: &mut Curve<Quat>, duration: f32) -> bool {
    let (each, at) = middle(curve);
    let times = curve.times().clone();
    let values = curve.values_mut();
    let (Some(&first), Some(&last)) = (values.get(at), values.get(values.len() - each + at)) else {
        return false;
    };
    let first = if first.dot(last) < 0.0 { -first } else { first };
    let lack = (first * last.inverse()).normalize();
    // Where it is far from closed, a loop was not meant.
    if times.len() < 2 || lack == Quat::IDENTITY || lack.angle_between(Quat::IDENTITY) > 0.5 {
        return false;
    }
    for (key, &time) in values.chunks_exact_mut(each).zip(times.iter()) {
        let share = Quat::IDENTITY.slerp(lack, (time / duration).clamp(0.0, 1.0));
        key[at] = (share * key[at]).normalize();
    }
    true
}

fn close_vector(curve: &mut Curve<Vec3>, duration: f32) -> bool {
    let (each, at) = middle(curve);
    let times = curve.times().clone();
    let values = curve.values_mut();
    let (Some(&first), Some(&last)) = (values.get(at), values.get(values.len() - each + at)) else {
        return false;
    };
    let goes = values.chunks_exact(each).map(|key| key[at].distance(first)).fold(0.0, f32::max);
    let lack = first - last;
    if times.len() < 2 || lack == Vec3::ZERO || lack.length() > 0.25 * goes {
        return false;
    }
    for (key, &time) in values.chunks_exact_mut(each).zip(times.iter()) {
        key[at] += lack * (time / duration).clamp(0.0, 1.0);
    }
    true
}

/// Clips without tracks.
pub(super) fn leave_out_empty(parts: &mut SceneParts) -> Option<String> {
    let before = parts.clips.len();
    parts.clips.retain(|clip| clip.track_count() > 0);
    let lost = before - parts.clips.len();
    (lost > 0).then(|| format!("{} left out: nothing moves", counted(lost, "clip is", "clips are")))
}
