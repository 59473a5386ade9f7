//! Jump: crouch, take-off, half a second in the air, landing; 1.8 seconds on the spot.

use glam::Vec3;

use super::curves::{ease, hermite, through};
use super::figure::{Arm, Figure, Turn};
use super::leg::Foot;
use crate::skeleton::SIDES;

const PERIOD: f32 = 1.8;
const OFF: f32 = 0.60;
const ON: f32 = 1.10;
/// Half of gravity times the time in the air, in metres a second.
const SPEED: f32 = 9.81 * (ON - OFF) / 2.0;

/// How high a body thrown up at take-off is.
fn flight(time: f32) -> f32 {
    let (up, down) = ((time - OFF).max(0.0), (ON - time).max(0.0));
    if up * down > 0.0 { 9.81 / 2.0 * up * down } else { 0.0 }
}

/// Keys of (time, value, slope): crouch, throw, fall, catch, rise.
fn hips(time: f32) -> f32 {
    const STAND: f32 = -0.020;
    let keys = [
        (0.0, STAND, 0.0),
        (0.36, -0.27, 0.0),
        (OFF, 0.055, SPEED),
        (ON, -0.015, -SPEED),
        (1.28, -0.215, 0.0),
        (PERIOD, STAND, 0.0),
    ];
    if (OFF..ON).contains(&time) {
        let across = (time - OFF) / (ON - OFF);
        return keys[2].1 + (keys[3].1 - keys[2].1) * across + flight(time);
    }
    let after = keys.iter().position(|key| key.0 > time).unwrap_or(keys.len() - 1).max(1);
    hermite(keys[after - 1], keys[after], time)
}

pub(super) fn jump(time: f32) -> Figure {
    let along = |keys: &[(f32, f32)]| through(PERIOD, keys, time);
    let lean = along(&[
        (0.0, 1.0),
        (0.36, 30.0),
        (0.58, 2.0),
        (0.85, -3.0),
        (1.08, 6.0),
        (1.28, 24.0),
        (1.65, 1.5),
    ]);
    let back =
        along(&[(0.0, 0.0), (0.36, -0.085), (0.6, 0.015), (1.1, 0.0), (1.28, -0.07), (1.65, 0.0)]);
    let mut figure = Figure::new();
    figure.hips = Vec3::new(0.0, hips(time), back);
    figure.trunk(
        Turn { lean: lean * 0.7, ..Turn::default() },
        Turn { lean: lean * 1.25, ..Turn::default() },
        Turn {
            lean: along(&[
                (0.0, 0.0),
                (0.36, 8.0),
                (0.62, -14.0),
                (0.85, -4.0),
                (1.28, 10.0),
                (1.65, 0.0),
            ]),
            ..Turn::default()
        },
    );
    let arm = Arm {
        swing: along(&[
            (0.0, 2.0),
            (0.36, -52.0),
            (0.62, 128.0),
            (0.85, 112.0),
            (1.1, 62.0),
            (1.3, 8.0),
            (1.6, 2.0),
        ]),
        out: along(&[
            (0.0, 9.0),
            (0.36, 14.0),
            (0.62, 16.0),
            (0.85, 30.0),
            (1.1, 44.0),
            (1.32, 24.0),
            (1.65, 9.0),
        ]),
        elbow: along(&[
            (0.0, 16.0),
            (0.36, 22.0),
            (0.5, 40.0),
            (0.66, 18.0),
            (0.9, 24.0),
            (1.1, 30.0),
            (1.3, 42.0),
            (1.65, 16.0),
        ]),
        shrug: along(&[
            (0.0, -5.0),
            (0.36, -2.0),
            (0.62, 14.0),
            (0.9, 10.0),
            (1.28, -4.0),
            (1.65, -5.0),
        ]),
        ..Arm::default()
    };
    for side in SIDES {
        figure.arm(side, arm);
        figure.fingers(
            side,
            along(&[
                (0.0, 22.0),
                (0.36, 38.0),
                (0.66, 6.0),
                (1.05, 12.0),
                (1.3, 30.0),
                (1.65, 22.0),
            ]),
            1.5,
        );
    }
    let tuck = 0.11 * ease(OFF, 0.86, time) * ease(ON, 0.86, time);
    // Off over the toes, down on the toes.
    let ball = 52.0 * (ease(0.42, OFF, time) - ease(OFF + 0.05, 0.9, time))
        + 24.0 * (ease(0.95, ON, time) - ease(ON, ON + 0.09, time));
    let stand = Foot {
        shift: Vec3::new(0.02, flight(time) + tuck, 0.0),
        yaw: 8.0,
        ball,
        flat: 1.0 - 0.6 * (ease(OFF - 0.02, OFF + 0.12, time) - ease(0.92, ON, time)),
        knee: 5.0,
        ..Foot::default()
    };
    figure.feet(stand, Foot { shift: Vec3::new(-0.02, stand.shift.y, 0.0), ..stand });
    figure
}
