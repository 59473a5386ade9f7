//! Wave: the right hand goes up, waves three times and comes down; three seconds.

use glam::Vec3;

use super::curves::{ease, ease_long, through, wave as sine};
use super::figure::{Arm, Figure, Turn};
use super::leg::Foot;
use crate::skeleton::Side;

const PERIOD: f32 = 3.0;

pub(super) fn wave(time: f32) -> Figure {
    let phase = time / PERIOD;
    let up = ease_long(0.1, 0.75, time) * ease_long(2.9, 2.2, time);
    // Three times to and fro while the arm is up.
    let to_and_fro = sine((time - 0.62) / 0.5) * ease(0.55, 0.85, time) * ease(2.35, 2.05, time);
    let mut figure = Figure::new();
    figure.hips =
        Vec3::new(0.020 * up + 0.006 * sine(phase), -0.020 + 0.003 * sine(2.0 * phase), 0.0);
    figure.trunk(
        Turn { yaw: -3.0 * up, lean: 1.0, tilt: 2.0 * up },
        Turn {
            yaw: -6.0 * up,
            lean: -2.0 + 1.0 * sine(2.0 * phase),
            tilt: -3.5 * up - 0.8 * to_and_fro,
        },
        Turn { yaw: 4.0 * up, lean: 1.0 - 2.5 * up, tilt: 5.0 * up + 1.2 * to_and_fro },
    );
    let rest = Arm::default();
    let raised = Arm {
        swing: 22.0,
        out: 88.0,
        twist: 72.0,
        elbow: 96.0,
        turn: -10.0,
        wrist: 0.0,
        shrug: 14.0,
    };
    let mix = |low: f32, high: f32| low + (high - low) * up;
    // The elbow leads on the way up, as a lifted arm folds first.
    let fold = through(
        PERIOD,
        &[(0.0, 0.0), (0.45, 22.0), (0.8, 0.0), (2.2, 0.0), (2.5, 18.0), (2.9, 0.0)],
        time,
    );
    figure.arm(
        Side::Right,
        Arm {
            swing: mix(rest.swing, raised.swing),
            out: mix(rest.out, raised.out),
            twist: mix(rest.twist, raised.twist) + 4.0 * to_and_fro,
            elbow: mix(rest.elbow, raised.elbow) + fold + 22.0 * to_and_fro,
            turn: mix(rest.turn, raised.turn),
            wrist: mix(rest.wrist, raised.wrist),
            shrug: mix(rest.shrug, raised.shrug),
        },
    );
    figure.fingers(Side::Right, 22.0 - 17.0 * up, 3.0 * up);
    figure
        .arm(Side::Left, Arm { out: 9.0 + 2.0 * up, swing: 2.0 + 2.0 * sine(phase - 0.1), ..rest });
    figure.feet(
        Foot { shift: Vec3::new(0.015, 0.0, 0.01), yaw: 9.0, ..Foot::default() },
        Foot { shift: Vec3::new(-0.015, 0.0, -0.01), yaw: 11.0, ..Foot::default() },
    );
    figure
}
