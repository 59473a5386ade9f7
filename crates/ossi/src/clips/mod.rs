//! Ossi's clips: thirty keys a second, every joint that moves.
//!
//! Out: idle, walk, run, jump, wave and dance. Each begins as it ends, so each loops; walk and run
//! advance by their root motion: `root` moves along +Z at an even pace, all else is in place.
//!
//! A clip is a function from time to a [`Figure`], and is played once at the times of the keys.

mod curves;
mod dance;
mod figure;
mod gait;
mod idle;
mod jump;
mod leg;
mod wave;

use std::sync::Arc;

use sinew_scene::{Clip, Curve, Interpolation, JointId, Marker, Track};

use super::skeleton::{COUNT, HIPS, ROOT, places};
use figure::Figure;

/// Keys a second.
const RATE: f32 = 30.0;

pub(super) fn clips() -> Vec<Clip> {
    vec![
        clip("idle", 120, idle::idle),
        steps(clip("walk", 30, gait::walk)),
        steps(clip("run", 21, gait::run)),
        clip("jump", 54, jump::jump),
        clip("wave", 90, wave::wave),
        clip("dance", 120, dance::dance),
    ]
}

/// Markers where the heels strike: the left at the beginning, the right half a cycle later.
fn steps(mut clip: Clip) -> Clip {
    let half = clip.duration / 2.0;
    clip.markers = vec![Marker::new("left foot", 0.0), Marker::new("right foot", half)];
    clip
}

/// Plays a motion once: `frames` thirtieths of a second, and the first key again at the end.
fn clip(name: &str, frames: usize, motion: impl Fn(f32) -> Figure) -> Clip {
    let times: Arc<[f32]> = (0..=frames).map(|frame| frame as f32 / RATE).collect();
    let figures: Vec<Figure> = times.iter().map(|&time| motion(time)).collect();
    let mut clip = Clip { name: name.into(), duration: frames as f32 / RATE, ..Clip::default() };
    let rest = places();
    let moves = [
        (ROOT, figures.iter().map(|figure| figure.root).collect::<Vec<_>>()),
        (HIPS, figures.iter().map(|figure| rest[HIPS] + figure.hips).collect()),
    ];
    for (joint, values) in moves {
        if joint == HIPS || values.iter().any(|value| *value != values[0]) {
            let curve = Curve::new(times.clone(), values, Interpolation::Linear).ok();
            let joint = JointId::new(joint);
            clip.translations.extend(curve.map(|curve| Track { joint, curve }));
        }
    }
    for joint in HIPS..COUNT {
        let mut values: Vec<_> = figures.iter().map(|figure| figure.turns[joint]).collect();
        // The same turn has two signs; keep to one, so that neighbours are near.
        for at in 1..values.len() {
            if values[at].dot(values[at - 1]) < 0.0 {
                values[at] = -values[at];
            }
        }
        let curve = Curve::new(times.clone(), values, Interpolation::Linear).ok();
        let joint = JointId::new(joint);
        clip.rotations.extend(curve.map(|curve| Track { joint, curve }));
    }
    clip
}
