//! What blending adds to how far two turns are off.
//!
//! In:  the turns of all sampled clips, and which sampled clips are blended.
//! Out: for each joint a factor, or that it may flip.
//!
//! A mean of two unit quaternions θ apart is as long as cos(θ/2) at least before it is made a unit again, so what either
//! is off weighs 1/cos(θ/2) of that at most. At a quarter of the sphere, half a turn of things, the short way
//! around changes sides: the blend itself jumps there, late or not, to anywhere.

use std::f32::consts::FRAC_PI_2;

use sinew_scene::glam::Quat;

use super::Local;
use super::way::{Ways, angle};

/// A sampled clip's turns are taken together to so many groups.
const GROUPS: usize = 64;

/// For each joint a factor; infinite where it may flip.
pub(crate) struct Blends(Vec<f32>);

/// A middle, and how far the farthest of a group is from it.
type Ball = (Quat, f32);

impl Blends {
    pub(crate) fn new(ways: &[Vec<Ways>], pairs: &[(u16, u16)]) -> Self {
        let joints = ways.first().map_or(0, Vec::len);
        let last = ways.len().saturating_sub(1);
        let factor = |joint: usize| {
            let balls: Vec<Vec<Ball>> = ways.iter().map(|ways| balls(&ways[joint].turns)).collect();
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
        let turn = if factor.is_finite() { own.turn * factor } else { 2.0 };
        Local { turn, ..own }
    }
}

/// All turns on the way through the frames and back to the first, within few balls.
fn balls(turns: &[Quat]) -> Vec<Ball> {
    let size = turns.len().div_ceil(GROUPS).max(1);
    let starts = (0..turns.len()).step_by(size);
    starts
        .map(|start| {
            // The way to the next group belongs to this one.
            let group = (start..=start + size).map(|frame| turns[frame % turns.len()]);
            let middle = turns[(start + size / 2) % turns.len()];
            (middle, group.map(|turn| angle(turn, middle)).fold(0.0, f32::max))
        })
        .collect()
}
