//! Pictures of rules on clips: a figure, and below it the curve of its motion over time with the fault marked.

use std::f32::consts::{PI, TAU};

use super::half::{Extra, Half, Plot, bend};
use sinew::glam::{Vec2, Vec3};

pub(super) fn halves(code: &str) -> Option<[Half; 2]> {
    let walk = |plot: Plot| Half::at("walk", 0.25).with(Extra::Plot(plot));
    Some(match code {
        "take" => [
            walk(wave([0.0, 1.0])),
            Half::rest(|_| ()).with(Extra::Plot(Plot::default())).words("no length: a still"),
        ],
        "one-take" => [
            walk(wave([0.0, 1.0])).words("one motion"),
            walk(several()).words("walk, attack, die in one take"),
        ],
        "speed" => [
            walk(wave([0.0, 1.0]).keys()).words("30 keys a second"),
            walk(Plot::of([0.0, 1.0], [0.1, 0.9, 0.2]).keys().mark(0.5, 0.9))
                .words("a key every two seconds"),
        ],
        "late" => [walk(wave([0.0, 1.0])), walk(wave([0.3, 1.0]).mark(0.15, 0.5)).words("late")],
        "tail" => [walk(wave([0.0, 1.0])), tail()],
        "loop" => [
            walk(wave([0.0, 1.0])).words("ends as it begins"),
            Half::at("walk", 0.4)
                .with(Extra::Plot(wave_until(0.8).mark(1.0, 0.06)))
                .words("snaps at the seam"),
        ],
        "constants" => [
            Half::at("idle", 0.0)
                .with(Extra::Plot(Plot::of([0.0, 0.0], [0.5]).keys()))
                .words("one key"),
            Half::at("idle", 0.0)
                .with(Extra::Plot(Plot::of([0.0, 1.0], [0.5; 31]).keys().mark(0.5, 0.5)))
                .words("31 keys that say the same"),
        ],
        "partial" => [
            Half::at("walk", 0.25).words("every joint has keys"),
            Half::changed("walk", 0.25, raise_arm)
                .ring("hand.L")
                .words("the arm stays as the clip before left it"),
        ],
        "unbound" => [
            Half::at("wave", 1.2).ring("hand.R"),
            Half::at("idle", 0.0).ring("hand.R").words("the same moment: no joint of that name"),
        ],
        "two-tracks" => {
            let mut two = wave([0.0, 1.0]).mark(0.5, 0.5);
            two.curves.extend(Plot::of([0.0, 1.0], (0..31).map(|at| at as f32 / 30.0)).curves);
            [walk(wave([0.0, 1.0])), walk(two).words("which of them counts?")]
        }
        "key-order" => {
            let mut back = wave([0.0, 1.0]).keys();
            back.curves[0].swap(12, 18);
            let at = back.curves[0][12];
            [walk(wave([0.0, 1.0]).keys()), walk(back.mark(at.x, at.y)).words("times go back")]
        }
        _ => return None,
    })
}

/// Once around, between two times.
fn wave(span: [f32; 2]) -> Plot {
    Plot::of(span, (0..31).map(|at| 0.5 + 0.44 * (at as f32 / 30.0 * TAU).sin()))
}

/// The part of a round up to a share of it.
fn wave_until(share: f32) -> Plot {
    Plot::of([0.0, 1.0], (0..31).map(|at| 0.5 + 0.44 * (at as f32 / 30.0 * share * TAU).sin()))
}

/// Three motions with rest between.
fn several() -> Plot {
    let hump = |at: usize| {
        let share = (at as f32 / 90.0 * 3.0).fract();
        let height = [0.4, 0.85, 0.6][(at / 30).min(2)];
        if share < 0.3 { 0.1 } else { 0.1 + height * ((share - 0.3) / 0.7 * PI).sin() }
    };
    Plot::of([0.0, 1.0], (0..=90).map(hump)).mark(0.35, 0.1).mark(0.68, 0.1)
}

fn tail() -> Half {
    let mut plot = wave([0.0, 0.55]).mark(0.78, 0.5);
    plot.curves[0].push(Vec2::new(1.0, 0.5));
    Half::at("walk", 0.25).with(Extra::Plot(plot)).words("nothing moves")
}

/// The left arm up in the air, which no clip moves any more.
fn raise_arm(parts: &mut sinew::scene::SceneParts) {
    let arm: Vec<usize> = ["upper_arm.L", "forearm.L"].map(super::half::node).into();
    for clip in &mut parts.clips {
        clip.rotations.retain(|track| !arm.contains(&track.joint.index()));
    }
    bend(parts, "upper_arm.L", Vec3::Z, 70.0);
}
