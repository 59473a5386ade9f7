//! Idle: two breaths and one shift of weight from leg to leg, four seconds.

use glam::Vec3;

use super::curves::{top, wave};
use super::figure::{Arm, Figure, Turn};
use super::leg::Foot;
use crate::skeleton::{SIDES, Side};

const PERIOD: f32 = 4.0;

pub(super) fn idle(time: f32) -> Figure {
    let phase = time / PERIOD;
    let (breath, sway) = (wave(2.0 * phase), wave(phase));
    let mut figure = Figure::new();
    figure.hips = Vec3::new(0.026 * sway, -0.020 - 0.004 * top(2.0 * phase), -0.004);
    figure.trunk(
        Turn { yaw: -2.0 + 1.5 * sway, lean: 1.0, tilt: 2.2 * sway },
        Turn { yaw: 1.0 - 1.0 * sway, lean: -1.5 - 1.6 * breath, tilt: -1.8 * sway },
        Turn {
            yaw: 6.0 * wave(phase - 0.12),
            lean: 1.0 + 1.2 * wave(2.0 * phase - 0.1),
            tilt: -1.2 * sway,
        },
    );
    for side in SIDES {
        let own = if side == Side::Left { 1.0 } else { -1.0 };
        let arm = Arm::default();
        figure.arm(
            side,
            Arm {
                swing: arm.swing + 1.5 * wave(2.0 * phase - 0.15) + 1.2 * own * sway,
                out: arm.out + 1.0 * breath - 1.6 * own * sway,
                elbow: arm.elbow + 1.6 * wave(2.0 * phase - 0.22),
                shrug: arm.shrug + 1.6 * breath,
                ..arm
            },
        );
        figure.fingers(side, 23.0 + 2.0 * wave(2.0 * phase - 0.3 + 0.1 * own), 0.0);
    }
    let apart = Foot { yaw: 9.0, ..Foot::default() };
    figure.feet(
        Foot { shift: Vec3::new(0.012, 0.0, 0.015), ..apart },
        Foot { shift: Vec3::new(-0.012, 0.0, -0.015), yaw: 12.0, ..apart },
    );
    figure
}
