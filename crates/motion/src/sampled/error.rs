//! How far a sampled clip strays from its clip.

use sinew_scene::glam::Affine3A;
use sinew_scene::{Clip, Scene};

use super::SampledClip;
use crate::{Cursor, Pose, sample};

/// Metres around each joint within which its skin is taken to be.
const SHELL: f32 = 0.1;

impl SampledClip {
    /// The farthest that a point within 10 cm of a joint was from where the clip has it, in metres,
    /// four times between every two frames and at the end.
    pub(super) fn measure(&self, scene: &Scene, clip: &Clip) -> f32 {
        let (mut exact, mut found, mut cursor) =
            (Pose::new(scene), Pose::new(scene), Cursor::new());
        let quarter = if self.rate > 0.0 { 0.25 / self.rate } else { 0.0 };
        let mut most = 0.0_f32;
        for step in 0..4 * self.frames {
            // Not at frames themselves: there a held track is as likely the one as the other.
            let time = ((step as f32 + 0.5) * quarter).min(self.duration);
            sample(clip, time, &mut cursor, &mut exact);
            self.sample(time, &mut found);
            exact.to_model(scene.skeleton());
            found.to_model(scene.skeleton());
            let pairs = exact.model_from_joint().iter().zip(found.model_from_joint());
            most = pairs.map(|(a, b)| apart(a, b)).fold(most, f32::max);
        }
        most
    }
}

/// A bound for every point of the shell: what the joint is off, and what its rotation and size make of 10 cm.
fn apart(a: &Affine3A, b: &Affine3A) -> f32 {
    let linear = a.matrix3 - b.matrix3;
    // Of a rotation by a small angle, the root of half the sum of squares is the angle.
    let squares = linear.x_axis.length_squared()
        + linear.y_axis.length_squared()
        + linear.z_axis.length_squared();
    a.translation.distance(b.translation) + SHELL * (0.5 * squares).sqrt()
}
