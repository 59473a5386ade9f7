//! Inverse kinematics: joints rotated so that something ends up where it should.
//!
//! In:  a [`Pose`](crate::Pose) whose model matrices are up to date, its skeleton, and a target in
//!      model space, in metres.
//! Out: the same pose, rotated joints and all below them up to date again, and an [`Outcome`].
//!
//! Every modifier is a plain struct of what to do and a function that does it to a pose, so the
//! order is the caller's. Only rotations change. Whatever the target, a finite pose stays finite
//! and its quaternions unit.

mod aim;
mod ccd;
mod chain;
mod fabrik;
mod limit;
mod look;
mod rotate;
mod two_bone;

pub use aim::{Aim, AimOutcome};
pub use ccd::Ccd;
pub use chain::IkError;
pub(crate) use chain::path;
pub use fabrik::Fabrik;
pub use limit::Limit;
pub use look::{LookAt, LookAtState};
pub use rotate::orient;
pub(crate) use rotate::{Above, arc, part_of, rotation_of, unit_or};
pub use two_bone::{Pole, TwoBone, TwoBoneOutcome};

/// How a solver fared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The target is met.
    Reached,
    /// The joints went as near as they may; so much is missing: metres for a point to reach,
    /// radians for a direction to look in.
    Short(f32),
    /// Nothing was done: the target is not a finite place, or the chain has no length.
    Unchanged,
}

impl Outcome {
    /// Whether the target is met.
    #[must_use]
    pub fn reached(self) -> bool {
        self == Self::Reached
    }
}
