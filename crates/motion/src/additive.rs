//! What one pose has more than a reference, put on top of another pose.
//!
//! In:  a base, a pose, the reference that the pose was made against, a weight.
//! Out: the base, changed in place.
//!
//! A rotation is taken in the joint's own axes: `delta = reference⁻¹ · pose`, and the result is
//! `base · delta`. So a base that equals the reference gives the pose itself, and a wrist that
//! nods in the pose nods about its own axis however far the base has turned it.

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};

use crate::lanes::Lanes;
use crate::mask::part;
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

/// Eight joints at a time.
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
    fn run<W: Wide>(self) {
        let others = self.pose_locals.iter().zip(self.reference_locals);
        for (at, (base, (pose, reference))) in self.base_locals.iter_mut().zip(others).enumerate() {
            let mut share = W::splat(self.weight);
            if let Some(mask) = self.mask {
                share = share * W::load(&mask.lanes()[at]);
            }
            add_lanes(base, pose, reference, share);
        }
    }
}

/// Numbers near the end of single precision stop there.
#[inline(always)]
fn sum(base: f32, pose: f32, reference: f32, share: f32) -> f32 {
    (base + (pose * share - reference * share)).clamp(-f32::MAX, f32::MAX)
}

#[inline(always)]
fn add_lanes<W: Wide>(base: &mut Lanes, pose: &Lanes, reference: &Lanes, share: W) {
    let (zero, one, most) = (W::splat(0.0), W::splat(1.0), W::splat(f32::MAX));
    for row in 0..3 {
        let [pose, reference] =
            [W::load(&pose.translation[row]), W::load(&reference.translation[row])];
        let to = &mut base.translation[row];
        let sum = W::load(to) + reference.mul_sub_from(share, pose * share);
        most.above(sum).pick(sum, most).max(zero - most).store(to);
    }
    let [mut x, mut y, mut z, w] = rows(&reference.rotation);
    [x, y, z] = [zero - x, zero - y, zero - z];
    let [x, y, z, w] = times([x, y, z, w], rows(&pose.rotation));
    // From no rotation to the delta, along the shorter arc.
    let signed = share.flip(w);
    let delta = unit([x * signed, y * signed, z * signed, w.mul_add(signed, one - share)]);
    let rotation = unit(times(rows(&base.rotation), delta));
    // Outside a mask no bit changes.
    let some = share.above(zero);
    for (row, to) in rotation.into_iter().zip(&mut base.rotation) {
        row.store_some(some, to);
    }
    for row in 0..3 {
        let [pose, reference] = [W::load(&pose.scale[row]), W::load(&reference.scale[row])];
        let to = &mut base.scale[row];
        let ratio = reference.abs().above(zero).pick(pose.over(reference), one);
        let now = W::load(to);
        let grown = now * (ratio - one).mul_add(share, one);
        most.above(grown.abs()).pick(grown, now).store(to);
    }
}

#[inline(always)]
fn rows<W: Wide>(rotation: &[[f32; 8]; 4]) -> [W; 4] {
    let [x, y, z, w] = rotation;
    [W::load(x), W::load(y), W::load(z), W::load(w)]
}

/// The product `a b`: `b` turns first, about the axes that `a` leads to.
#[inline(always)]
fn times<W: Wide>([ax, ay, az, aw]: [W; 4], [bx, by, bz, bw]: [W; 4]) -> [W; 4] {
    [
        ax.mul_add(bw, aw * bx) + az.mul_sub_from(by, ay * bz),
        ay.mul_add(bw, aw * by) + ax.mul_sub_from(bz, az * bx),
        az.mul_add(bw, aw * bz) + ay.mul_sub_from(bx, ax * by),
        ax.mul_sub_from(bx, aw * bw) - az.mul_add(bz, ay * by),
    ]
}

/// Of unit length again; what has next to no length becomes no rotation at all.
#[inline(always)]
fn unit<W: Wide>([x, y, z, w]: [W; 4]) -> [W; 4] {
    let square = y.mul_add(y, x * x) + w.mul_add(w, z * z);
    let has_length = square.above(W::splat(1e-20));
    let scale = has_length.pick(square.rsqrt(), W::splat(0.0));
    [x * scale, y * scale, z * scale, has_length.pick(w * scale, W::splat(1.0))]
}
