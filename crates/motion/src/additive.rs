//! What one pose has more than a reference, put on top of another pose.
//!
//! In:  a base, a pose, the reference that the pose was made against, a weight.
//! Out: the base, changed in place.
//!
//! A rotation is taken in the joint's own axes: `delta = reference⁻¹ · pose`, and the result is
//! `base · delta`. So a base that equals the reference gives the pose itself, and a wrist that
//! nods in the pose nods about its own axis however far the base has turned it.

use sinew_lanes::{Kernel, SimdLevel, run};

use crate::lanes::{LANES, Lanes};
use crate::mask::part;
use crate::wide::{Wide, conjugate, times, unit, zip};
use crate::{Mask, Pose};

/// Adds to `base` what `pose` has more than `reference`, by `weight` (held between zero and one).
///
/// Translations, morph weights and driven values are differences, scales are ratios (of a scale of
/// zero: one), rotations turn in the joint's own axes. Model matrices follow by [`Pose::to_model`].
///
/// # Panics
/// When the poses and the mask are not of one scene.
#[doc(alias = "additive animation")]
pub fn add(base: &mut Pose, pose: &Pose, reference: &Pose, weight: f32, mask: Option<&Mask>) {
    base.check_fit(pose);
    base.check_fit(reference);
    if let Some(mask) = mask {
        mask.check_fit(base);
    }
    let weight = part(weight);
    if weight == 0.0 {
        return;
    }
    let (pose_locals, reference_locals) = (&pose.locals, &reference.locals);
    let base_locals = &mut base.locals;
    run(SimdLevel::current(), Add { base_locals, pose_locals, reference_locals, weight, mask });
    for (at, value) in base.weights.iter_mut().enumerate() {
        let share = weight * mask.map_or(1.0, |mask| mask.weights()[at]);
        *value = sum(*value, pose.weights[at], reference.weights[at], share);
    }
    for (at, row) in base.properties.iter_mut().enumerate() {
        let share = weight * mask.map_or(1.0, |mask| mask.properties()[at]);
        for (place, value) in row.iter_mut().enumerate() {
            let (pose, reference) = (pose.properties[at][place], reference.properties[at][place]);
            *value = sum(*value, pose, reference, share);
        }
    }
}

/// Plain loops over eight numbers, which become vector instructions where the kernel is compiled for them.
struct Add<'a> {
    base_locals: &'a mut [Lanes],
    pose_locals: &'a [Lanes],
    reference_locals: &'a [Lanes],
    weight: f32,
    mask: Option<&'a Mask>,
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: sinew_lanes::Wide>(self) {
        let others = self.pose_locals.iter().zip(self.reference_locals);
        for (at, (base, (pose, reference))) in self.base_locals.iter_mut().zip(others).enumerate() {
            let mut share = [self.weight; LANES];
            if let Some(mask) = self.mask {
                share = zip(&share, &mask.lanes()[at], |weight, part| part * weight);
            }
            add_lanes(base, pose, reference, &share);
        }
    }
}

/// Numbers near the end of single precision stop there.
#[inline(always)]
fn sum(base: f32, pose: f32, reference: f32, share: f32) -> f32 {
    (base + (pose * share - reference * share)).clamp(-f32::MAX, f32::MAX)
}

// Rows are indexed side by side: that is the shape that becomes vector instructions.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn add_lanes(base: &mut Lanes, pose: &Lanes, reference: &Lanes, share: &Wide) {
    for row in 0..3 {
        for lane in 0..LANES {
            let [pose, reference] = [pose.translation[row][lane], reference.translation[row][lane]];
            let value = &mut base.translation[row][lane];
            *value = sum(*value, pose, reference, share[lane]);
        }
    }
    let delta = times(&conjugate(&reference.rotation), &pose.rotation);
    // From no rotation to the delta, along the shorter arc.
    let signed = zip(share, &delta[3], |share, w| if w < 0.0 { -share } else { share });
    let mut rotation = delta.map(|row| zip(&row, &signed, |value, share| value * share));
    rotation[3] = zip(&rotation[3], share, |w, share| w + (1.0 - share));
    base.rotation = unit(&times(&base.rotation, &unit(&rotation)));
    for row in 0..3 {
        for lane in 0..LANES {
            let [pose, reference] = [pose.scale[row][lane], reference.scale[row][lane]];
            let ratio = if reference == 0.0 { 1.0 } else { pose / reference };
            let grown = base.scale[row][lane] * (1.0 + (ratio - 1.0) * share[lane]);
            base.scale[row][lane] = if grown.is_finite() { grown } else { base.scale[row][lane] };
        }
    }
}
