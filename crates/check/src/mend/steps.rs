//! Where feet stand, and how they get from one place to the next.
//!
//! In:  the paths of both feet over time.
//! Out: how far each is to be moved at each time: to one place while it stands, in a step to the next where it slid too far to be held,
//! and less and less where it swings.

use std::ops::Range;

use glam::Vec3;

use crate::rules::{ground_speed, standing};

/// A foot is held where it slides no further than this, in metres; then it steps, in so many seconds and so high. For usual legs.
const HELD: f32 = 0.16;
const STEP: f32 = 0.2;
const HIGH: f32 = 0.06;
/// A foot that swings goes over to its own path in this time, in seconds.
const FADE: f32 = 0.16;
/// Hips come down and go up over this time, in seconds.
const WINDOW: f32 = 0.12;

/// A time in which a foot stands at one place.
struct Hold {
    moments: Range<usize>,
    /// Whether the foot slides on into the next one.
    steps: bool,
}

/// How far each foot is to be moved at each time. `None` where neither stands.
pub(super) fn plan(times: &[f32], paths: &[Vec<Vec3>; 2], size: f32) -> Option<[Vec<Vec3>; 2]> {
    let stands = paths.each_ref().map(|path| standing(path, times, size));
    let speeds: Vec<Vec3> = stands.iter().flatten().copied().flatten().collect();
    let ground = ground_speed(&speeds, size);
    let still = [0, 1].map(|side| {
        let on_ground = |at: usize| (paths[side][at] - ground * times[at]).with_y(0.0);
        (0..times.len()).map(on_ground).collect::<Vec<Vec3>>()
    });
    let holds = [0, 1].map(|side| holds(times, &still[side], &stands[side], size));
    if holds.iter().all(Vec::is_empty) {
        return None;
    }
    Some([0, 1].map(|side| shifts(times, &still[side], &holds[side], size)))
}

fn holds(times: &[f32], path: &[Vec3], stands: &[Option<Vec3>], size: f32) -> Vec<Hold> {
    let mut holds = Vec::new();
    let mut at = 0;
    while at < path.len() {
        if stands[at].is_none() {
            at += 1;
            continue;
        }
        let end = (at..path.len()).find(|next| stands[*next].is_none()).unwrap_or(path.len());
        let mut from = at;
        while from < end {
            let far = |next: &usize| path[*next].distance(path[from]) > HELD * size;
            let to = (from..end).find(far).unwrap_or(end);
            if to - from > 1 {
                holds.push(Hold { moments: from..to, steps: to < end });
            }
            let landed = |next: &usize| times[*next] >= times[to - 1] + STEP;
            from = (to..end).find(landed).unwrap_or(end);
        }
        // What slides out of the last place is no step.
        let last = holds.len().saturating_sub(1);
        holds.iter_mut().skip(last).for_each(|hold| hold.steps = false);
        at = end;
    }
    holds
}

fn shifts(times: &[f32], path: &[Vec3], holds: &[Hold], size: f32) -> Vec<Vec3> {
    let mut shifts = vec![Vec3::ZERO; path.len()];
    for Hold { moments, .. } in holds {
        let sum: Vec3 = moments.clone().map(|at| path[at]).sum();
        let place = sum / moments.len() as f32;
        moments.clone().for_each(|at| shifts[at] = place - path[at]);
    }
    let befores = std::iter::once(None).chain(holds.iter().map(Some));
    let afters = holds.iter().map(Some).chain([None]);
    for (before, after) in befores.zip(afters) {
        let from = before.map_or(0, |hold| hold.moments.end);
        let to = after.map_or(path.len(), |hold| hold.moments.start);
        let first = before.map(|_| (times[from - 1], shifts[from - 1]));
        let last = after.map(|_| (times[to], shifts[to]));
        let steps = before.is_some_and(|hold| hold.steps);
        for (shift, time) in shifts.iter_mut().zip(times).take(to).skip(from) {
            *shift = between(*time, first, last);
            if let (true, Some((start, _)), Some((end, _))) = (steps, first, last) {
                let share = (*time - start) / (end - start).max(1e-6);
                shift.y = HIGH * size * (share * std::f32::consts::PI).sin();
            }
        }
    }
    shifts
}

/// What of the shifts before and after is left at a time.
fn between(time: f32, first: Option<(f32, Vec3)>, last: Option<(f32, Vec3)>) -> Vec3 {
    let whole = match (first, last) {
        (Some((start, _)), Some((end, _))) => end - start,
        _ => f32::INFINITY,
    };
    let fade = FADE.min(whole).max(1e-6);
    let left = |end: Option<(f32, Vec3)>| {
        end.map_or(Vec3::ZERO, |(at, shift)| shift * ease(1.0 - (time - at).abs() / fade))
    };
    left(first) + left(last)
}

fn ease(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// Values that are nowhere less, and have no corners: the greatest within a window, then averaged over it.
pub(super) fn smooth(times: &[f32], values: &[f32]) -> Vec<f32> {
    let near = |at: usize| {
        let from = times.partition_point(|time| *time < times[at] - WINDOW);
        from..times.partition_point(|time| *time <= times[at] + WINDOW)
    };
    let greatest: Vec<f32> =
        (0..values.len()).map(|at| values[near(at)].iter().copied().fold(0.0, f32::max)).collect();
    let mean = |at: usize| {
        let near = &greatest[near(at)];
        near.iter().sum::<f32>() / near.len().max(1) as f32
    };
    (0..values.len()).map(mean).collect()
}
