//! Dance: eight beats at 120 a minute. Step and touch to either side, the arms rolling first,
//! then pointing at the sky in turn; four seconds.

use glam::Vec3;

use super::curves::{ease, through, top, wave};
use super::figure::{Arm, Figure, Turn};
use super::leg::Foot;
use crate::skeleton::{SIDES, Side};

/// Seconds.
const BEAT: f32 = 0.5;
/// How far to the left the first step goes, in metres.
const STEP: f32 = 0.22;

/// A step between two beats (of four): how far it has come, and how high the foot is.
fn step(beat: f32, from: f32) -> (f32, f32) {
    let (begin, end) = (from + 0.10, from + 0.78);
    let middle = f32::midpoint(begin, end);
    (ease(begin, end, beat), ease(begin, middle, beat) * ease(end, middle, beat))
}

/// Left out, right after it; right back, left after it. Each lands before its beat.
fn foot(side: Side, beat: f32) -> Foot {
    let beat = beat.rem_euclid(4.0);
    let (out, home) = match side {
        Side::Left => (step(beat, 0.0), step(beat, 3.0)),
        Side::Right => (step(beat, 1.0), step(beat, 2.0)),
    };
    let apart = if side == Side::Left { 0.035 } else { -0.035 };
    let across = STEP * (out.0 - home.0);
    let up = out.1 + home.1;
    // The foot that only touches keeps its heel up until it steps again.
    let touch = match side {
        Side::Left => ease(3.5, 3.9, beat) + ease(0.35, 0.05, beat),
        Side::Right => ease(1.5, 1.9, beat) * ease(2.35, 2.05, beat),
    };
    Foot {
        shift: Vec3::new(apart + across, 0.055 * up, 0.0),
        yaw: 12.0,
        ball: 26.0 * touch.min(1.0) + 14.0 * up * (1.0 - touch.min(1.0)),
        flat: 1.0 - up,
        knee: 6.0,
        ..Foot::default()
    }
}

/// Elbows bent, hands circling each other before the chest.
fn rolling(side: Side, beat: f32) -> Arm {
    let own = beat + if side == Side::Left { 0.0 } else { 0.5 };
    Arm {
        swing: 34.0 + 15.0 * top(own),
        out: 20.0 + 6.0 * wave(beat * 0.5),
        twist: -34.0,
        elbow: 92.0 + 22.0 * wave(own),
        turn: 20.0,
        wrist: 10.0,
        shrug: 3.0,
    }
}

/// Up to the side and back to the hip, one arm on even beats, the other on odd.
fn pointing(side: Side, beat: f32) -> Arm {
    let own = beat + if side == Side::Left { 0.0 } else { 1.0 };
    let up = 0.5 - 0.5 * top(own * 0.5);
    let mix = |low: f32, high: f32| low + (high - low) * up;
    Arm {
        swing: mix(12.0, 30.0),
        out: mix(26.0, 128.0),
        twist: mix(-30.0, 20.0),
        elbow: mix(74.0, 14.0),
        turn: mix(10.0, 0.0),
        wrist: mix(10.0, 0.0),
        shrug: mix(0.0, 16.0),
    }
}

fn mixed(a: Arm, b: Arm, share: f32) -> Arm {
    let mix = |a: f32, b: f32| a + (b - a) * share;
    Arm {
        swing: mix(a.swing, b.swing),
        out: mix(a.out, b.out),
        twist: mix(a.twist, b.twist),
        elbow: mix(a.elbow, b.elbow),
        turn: mix(a.turn, b.turn),
        wrist: mix(a.wrist, b.wrist),
        shrug: mix(a.shrug, b.shrug),
    }
}

pub(super) fn dance(time: f32) -> Figure {
    let beat = time / BEAT;
    let mut figure = Figure::new();
    // The weight is over the foot that stands.
    let across = through(
        4.0,
        &[(0.0, -0.065), (1.0, 0.235), (1.7, 0.285), (2.0, 0.28), (3.0, -0.015), (3.7, -0.07)],
        beat,
    );
    let bounce = top(beat);
    figure.hips = Vec3::new(across, -0.075 - 0.026 * bounce, -0.012 - 0.012 * wave(beat));
    let sway = wave(beat * 0.5 - 0.12);
    figure.trunk(
        Turn { yaw: 9.0 * wave(beat * 0.5 + 0.1), lean: 5.0 + 3.0 * bounce, tilt: 6.5 * sway },
        Turn {
            yaw: -11.0 * wave(beat * 0.5 + 0.05),
            lean: 5.0 - 4.0 * top(beat - 0.12),
            tilt: -5.5 * sway,
        },
        Turn {
            yaw: 9.0 * wave(beat * 0.25),
            lean: 1.0 + 5.5 * top(beat - 0.05),
            tilt: -4.0 * sway,
        },
    );
    let second = ease(3.4, 4.4, beat) * ease(8.0, 7.2, beat);
    for side in SIDES {
        figure.arm(side, mixed(rolling(side, beat), pointing(side, beat), second));
        figure.fingers(side, 58.0 - 26.0 * second, 1.0);
    }
    figure.feet(foot(Side::Left, beat), foot(Side::Right, beat));
    figure
}
