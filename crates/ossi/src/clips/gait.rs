//! Walk and run: one cycle is two steps, the left heel strikes at the beginning.
//!
//! The root moves on at an even pace. A foot that stands does not move in the model at all; one
//! that swings goes a whole stride from standing to standing.

use glam::Vec3;

use super::curves::{ease, top, wave};
use super::figure::{Arm, Figure, Turn};
use super::leg::Foot;
use crate::skeleton::Side;

/// How feet go. Times are phases of the cycle from a foot's own strike; angles are degrees.
struct Gait {
    /// Seconds for two steps.
    cycle: f32,
    /// Metres a second.
    speed: f32,
    /// When a foot leaves the floor.
    stance: f32,
    /// How far before its rest place a foot strikes.
    reach: f32,
    /// How far within its rest place.
    narrow: f32,
    /// The roll on the heel at the strike, and until when it lasts.
    heel: (f32, f32),
    /// The roll on the ball: from when, its most, when that is, and until when.
    ball: (f32, f32, f32, f32),
    /// How high the foot is lifted on its way, beside its roll.
    lift: f32,
    /// When on its way it is highest, from zero to one.
    highest: f32,
}

impl Gait {
    fn stride(&self) -> f32 {
        self.cycle * self.speed
    }

    /// A foot, `phase` after its strike; `root` is how far the root has come.
    fn foot(&self, phase: f32, root: f32) -> Foot {
        let phase = phase.rem_euclid(1.0);
        let way = ((phase - self.stance) / (1.0 - self.stance)).max(0.0);
        let heel = self.heel.0 * (1.0 - ease(0.0, self.heel.1, phase) + ease(0.74, 1.0, phase));
        let (from, most, at, until) = self.ball;
        let ball = most * (ease(from, at, phase) - ease(at, until, phase));
        // Warped so that the top comes early or late. A foot leaves gently and comes down for
        // good: what nears the floor slowly would brush it.
        let warped = way.powf(0.5_f32.ln() / self.highest.ln());
        let down = (2.0 * warped - 1.0).max(0.0);
        let lift = self.lift * (ease(0.0, 0.5, warped) - down * down);
        let forward = self.reach - self.stride() * (phase - ease(0.0, 1.0, way));
        Foot {
            shift: Vec3::new(-self.narrow, lift, root + forward),
            yaw: 5.0,
            heel,
            ball,
            flat: 1.0 - 0.5 * ease(self.stance - 0.02, self.stance + 0.14, phase),
            knee: 2.0,
        }
    }

    fn feet(&self, figure: &mut Figure, phase: f32) {
        let left = self.foot(phase, figure.root.z);
        let right = self.foot(phase + 0.5, figure.root.z);
        let mirrored = Vec3::new(-right.shift.x, right.shift.y, right.shift.z);
        figure.feet(left, Foot { shift: mirrored, ..right });
    }
}

const WALK: Gait = Gait {
    cycle: 1.0,
    speed: 1.4,
    stance: 0.61,
    reach: 0.365,
    narrow: 0.028,
    heel: (20.0, 0.12),
    ball: (0.30, 54.0, 0.645, 0.90),
    lift: 0.030,
    highest: 0.42,
};

/// One second, 1.4 m.
pub(super) fn walk(time: f32) -> Figure {
    let phase = time / WALK.cycle;
    let mut figure = Figure::new();
    figure.root = Vec3::Z * (WALK.speed * time);
    // Over the standing leg sideways; lowest just after a strike.
    let side = wave(phase - 0.06);
    figure.hips = Vec3::new(
        0.021 * side,
        -0.045 - 0.019 * top(2.0 * (phase - 0.045)),
        0.006 * wave(2.0 * phase + 0.1),
    );
    let twist = top(phase - 0.02);
    figure.trunk(
        Turn {
            yaw: -7.5 * twist,
            lean: 3.0 + 1.0 * top(2.0 * phase - 0.1),
            tilt: 4.2 * wave(phase - 0.03),
        },
        Turn {
            yaw: 8.0 * top(phase - 0.05),
            lean: 3.0 + 1.2 * top(2.0 * phase - 0.25),
            tilt: -2.2 * wave(phase - 0.06),
        },
        Turn { yaw: 1.5 * twist, lean: 1.0 - 1.2 * top(2.0 * phase - 0.3), tilt: -0.8 * side },
    );
    for (side, own) in [(Side::Left, phase), (Side::Right, phase + 0.5)] {
        let swing = -top(own - 0.03);
        let late = -top(own - 0.09);
        figure.arm(
            side,
            Arm {
                swing: 1.0 + 25.0 * swing,
                out: 8.5 - 1.5 * swing,
                twist: -8.0,
                elbow: 24.0 + 13.0 * late,
                turn: 20.0,
                wrist: 4.0 - 7.0 * wave(own - 0.02),
                shrug: -4.0 + 0.8 * top(2.0 * own),
            },
        );
        figure.fingers(side, 26.0 + 4.0 * late, 0.0);
    }
    WALK.feet(&mut figure, phase);
    figure
}

const RUN: Gait = Gait {
    cycle: 0.7,
    speed: 3.2,
    stance: 0.35,
    reach: 0.295,
    narrow: 0.045,
    heel: (9.0, 0.10),
    ball: (0.12, 74.0, 0.48, 0.92),
    lift: 0.215,
    highest: 0.43,
};

/// Seven tenths of a second, 2.24 m.
pub(super) fn run(time: f32) -> Figure {
    let phase = time / RUN.cycle;
    let mut figure = Figure::new();
    figure.root = Vec3::Z * (RUN.speed * time);
    let side = wave(phase + 0.08);
    figure.hips = Vec3::new(0.012 * side, -0.070 - 0.036 * top(2.0 * (phase - 0.16)), 0.0);
    let twist = top(phase - 0.02);
    figure.trunk(
        Turn { yaw: -10.0 * twist, lean: 9.0 - 2.0 * top(2.0 * (phase - 0.1)), tilt: 4.5 * side },
        Turn {
            yaw: 13.0 * top(phase - 0.04),
            lean: 13.0 + 2.0 * top(2.0 * (phase - 0.2)),
            tilt: -3.0 * side,
        },
        Turn { yaw: 1.5 * twist, lean: 3.0, tilt: -0.8 * side },
    );
    for (side, own) in [(Side::Left, phase), (Side::Right, phase + 0.5)] {
        let swing = -top(own - 0.02);
        let late = -top(own - 0.07);
        figure.arm(
            side,
            Arm {
                swing: 3.0 + 43.0 * swing,
                out: 14.0 - 3.0 * swing,
                twist: -16.0 - 8.0 * swing,
                elbow: 86.0 + 17.0 * late,
                turn: 8.0,
                wrist: 6.0,
                shrug: -2.0 + 1.5 * top(2.0 * own),
            },
        );
        figure.fingers(side, 52.0, 0.0);
    }
    RUN.feet(&mut figure, phase);
    figure
}
