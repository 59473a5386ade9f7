//! What blending adds to how far two rotations are off.
//!
//! In:  the rotations of all sampled clips, and which sampled clips are blended.
//! Out: for each joint a factor, or that it may flip.
//!
//! A mean of two unit quaternions θ apart is as long as cos(θ/2) at least before it is made a unit again, so what either
//! is off weighs 1/cos(θ/2) of that at most. At a quarter of the sphere, a rotation by 180 degrees, the short path
//! around changes sides: the blend itself jumps there, late or not, to anywhere.

use std::f32::consts::FRAC_PI_2;

use sinew_scene::glam::Quat;

use super::Local;
use super::travel::{JointTravel, angle};

/// A sampled clip's rotations are taken together to so many groups.
const GROUPS: usize = 64;

/// For each joint a factor; infinite where it may flip.
pub(crate) struct Blends(Vec<f32>);

/// A middle, and how far the farthest of a group is from it.
type Ball = (Quat, f32);

impl Blends {
    pub(crate) fn new(travels: &[Vec<JointTravel>], pairs: &[(u16, u16)]) -> Self {
        let joints = travels.first().map_or(0, Vec::len);
        let last = travels.len().saturating_sub(1);
        let factor = |joint: usize| {
            let balls: Vec<Vec<Ball>> =
                travels.iter().map(|travels| balls(&travels[joint].rotations)).collect();
            let apart = |(a, b): &(u16, u16)| {
                let [a, b] = [a, b].map(|sampled| &balls[usize::from(*sampled).min(last)]);
                let each = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                each.map(|(a, b)| angle(a.0, b.0) + a.1 + b.1).fold(0.0, f32::max)
            };
            let most = pairs.iter().map(apart).fold(0.0, f32::max);
            if most < FRAC_PI_2 { 1.0 / (0.5 * most).cos() } else { f32::INFINITY }
        };
        Self((0..joints).map(factor).collect())
    }

    /// How far a joint can be off in a blend of what is as far off as this.
    pub(crate) fn worse(&self, joint: usize, own: Local) -> Local {
        let factor = self.0[joint];
        let rotation = if factor.is_finite() { own.rotation * factor } else { 2.0 };
        Local { rotation, ..own }
    }
}

/// All rotations from frame to frame and back to the first, within few balls.
fn balls(rotations: &[Quat]) -> Vec<Ball> {
    let size = rotations.len().div_ceil(GROUPS).max(1);
    let starts = (0..rotations.len()).step_by(size);
    starts
        .map(|start| {
            // The path to the next group belongs to this one.
            let group = (start..=start + size).map(|frame| rotations[frame % rotations.len()]);
            let middle = rotations[(start + size / 2) % rotations.len()];
            (middle, group.map(|rotation| angle(rotation, middle)).fold(0.0, f32::max))
        })
        .collect()
}
