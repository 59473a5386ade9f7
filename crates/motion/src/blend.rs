//! Many poses into one, each with its weight.
//!
//! In:  layers: a pose, a weight, perhaps a mask that scales the weight joint by joint.
//! Out: their mean, for each joint, morph weight and driven value by its own sum of weights.
//!
//! Shares are made to sum to one before anything is added, so a mean never leaves the range of
//! what it is made of. Where the weights sum to nothing, the rest pose holds. Rotations are added
//! as quaternions, each with the sign that is nearer to the sum so far (which therefore only
//! grows), and made unit again: one pass, no matter how many layers.

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};

use crate::lanes::Lanes;
use crate::{Mask, Pose};

/// One of the poses that [`blend`] mixes.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// What to mix in.
    pub pose: &'a Pose,
    /// How much of it. Below zero or not finite counts as zero, above a million as a million.
    pub weight: f32,
    /// Scales the weight joint by joint; `None` is one everywhere.
    pub mask: Option<&'a Mask>,
}

impl<'a> Layer<'a> {
    /// A pose with a weight, on every joint.
    #[must_use]
    pub fn new(pose: &'a Pose, weight: f32) -> Self {
        Self { pose, weight, mask: None }
    }

    /// The same on some joints more than on others.
    #[must_use]
    pub fn masked(self, mask: &'a Mask) -> Self {
        Self { mask: Some(mask), ..self }
    }

    /// Its weight on eight joints.
    #[inline(always)]
    fn part<W: Wide>(&self, block: usize) -> W {
        let weight = W::splat(self.weight);
        match self.mask {
            None => weight,
            Some(mask) => W::load(&mask.lanes()[block]) * weight,
        }
    }
}

/// Sums of weights up to here count as nothing.
const MIN_WEIGHT: f32 = 1e-6;

/// A weight that sums and products can bear.
#[inline]
pub(crate) fn weight(weight: f32) -> f32 {
    if weight.is_finite() { weight.clamp(0.0, 1e6) } else { 0.0 }
}

/// Writes the weighted mean of the layers into `out`. Model matrices follow by [`Pose::to_model`].
///
/// Weights need not sum to one. No layer at all, or none with a weight, gives the rest pose.
///
/// ```
/// use sinew_motion::{Layer, Pose, blend};
/// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform, glam::Vec3};
/// # let nodes = vec![Node::new("box", None, Transform::IDENTITY)];
/// # let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
/// let (joint, mut moved, mut out) = (JointId::new(0), Pose::new(&scene), Pose::new(&scene));
/// moved.set_local(joint, Transform::from_translation(Vec3::X * 4.0));
/// blend([Layer::new(&moved, 1.0), Layer::new(&Pose::new(&scene), 3.0)], &mut out);
/// assert_eq!(out.local(joint).translation.x, 1.0);
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
///
/// # Panics
/// When a pose or a mask is of another scene than `out`.
#[inline(always)]
pub fn blend<'a, L>(layers: L, out: &mut Pose)
where
    L: IntoIterator<Item = Layer<'a>>,
    L::IntoIter: Clone,
{
    let layers = layers
        .into_iter()
        .map(|layer| Layer { weight: weight(layer.weight), ..layer })
        .filter(|layer| layer.weight > 0.0);
    let mut rest = layers.clone();
    match (rest.next(), rest.next(), rest.next()) {
        (None, ..) => out.to_rest(),
        // A mean of one is that one, to the last bit.
        (Some(Layer { pose, mask: None, .. }), None, _) => {
            out.check_fit(pose);
            out.copy_from(pose);
        }
        (Some(a @ Layer { mask: None, .. }), Some(b @ Layer { mask: None, .. }), None) => {
            two(a, b, out);
        }
        (Some(first), ..) => few_or_many(first, layers, out),
    }
}

/// As many layers as this are listed before they are mixed.
const FEW_LAYERS: usize = 8;

/// Lists the layers where they are few, so that no iterator is asked again for every eight joints.
fn few_or_many<'a>(
    first: Layer<'a>,
    layers: impl Iterator<Item = Layer<'a>> + Clone,
    out: &mut Pose,
) {
    let mut few = [first; FEW_LAYERS];
    let mut count = 0;
    for layer in layers.clone() {
        let Some(place) = few.get_mut(count) else { return mix_many(layers, out) };
        *place = layer;
        count += 1;
    }
    mix_few(&few[..count], out);
}

#[cfg(not(target_arch = "wasm32"))]
fn mix_many<'a>(layers: impl Iterator<Item = Layer<'a>> + Clone, out: &mut Pose) {
    mix(layers, out);
}

/// On web pages a list for a moment costs less than a loop of its own for each kind of iterator.
#[cfg(target_arch = "wasm32")]
fn mix_many<'a>(layers: impl Iterator<Item = Layer<'a>> + Clone, out: &mut Pose) {
    mix_few(&layers.collect::<Vec<_>>(), out);
}

/// Compiled once, in this crate, whatever the caller's iterator is.
#[inline(never)]
fn mix_few(layers: &[Layer<'_>], out: &mut Pose) {
    mix(layers.iter().copied(), out);
}

#[inline]
fn two(a: Layer<'_>, b: Layer<'_>, out: &mut Pose) {
    out.check_fit(a.pose);
    out.check_fit(b.pose);
    let total = a.weight + b.weight;
    if total <= MIN_WEIGHT {
        return out.to_rest();
    }
    let share = b.weight / total;
    blend_locals(&a.pose.locals, &b.pose.locals, share, &mut out.locals);
    if !(out.weights.is_empty() && out.properties.is_empty()) {
        blend_numbers(a.pose, b.pose, share, out);
    }
}

/// Morph weights and driven values; most characters have none.
#[inline(never)]
fn blend_numbers(a: &Pose, b: &Pose, share: f32, out: &mut Pose) {
    let between = |out: &mut f32, (a, b): (&f32, &f32)| *out = a + (b - a) * share;
    let pairs = a.weights.iter().zip(&b.weights);
    out.weights.iter_mut().zip(pairs).for_each(|(out, pair)| between(out, pair));
    let [one, other] = [a, b].map(|pose| pose.properties.as_flattened());
    let outs = out.properties.as_flattened_mut().iter_mut();
    outs.zip(one.iter().zip(other)).for_each(|(out, pair)| between(out, pair));
}

/// The mean of two sets of local transforms, eight joints at a time, as [`blend`] makes it: `share`
/// is the second's part, from 0 to 1.
///
/// # Panics
/// When one has fewer blocks than `out`.
#[inline]
pub fn blend_locals(first: &[Lanes], second: &[Lanes], share: f32, out: &mut [Lanes]) {
    let (first, second) = (&first[..out.len()], &second[..out.len()]);
    run(SimdLevel::current(), Two { first, second, share, out });
}

#[inline(never)]
fn mix<'a>(layers: impl Iterator<Item = Layer<'a>> + Clone, out: &mut Pose) {
    for layer in layers.clone() {
        out.check_fit(layer.pose);
        if let Some(mask) = layer.mask {
            mask.check_fit(out);
        }
    }
    let total: f32 = layers.clone().map(|layer| layer.weight).sum();
    if total > MIN_WEIGHT && layers.clone().all(|layer| layer.mask.is_none()) {
        run(
            SimdLevel::current(),
            Even { layers: layers.clone(), part: 1.0 / total, out: &mut out.locals },
        );
    } else {
        let (layers, rest) = (layers.clone(), &out.rest.locals);
        run(SimdLevel::current(), Masked { layers, rest, out: &mut out.locals });
    }
    let number = |layers: &mut dyn Iterator<Item = (f32, f32)>, rest: f32| {
        let (mut sum, mut total) = (0.0_f64, 0.0_f64);
        for (value, share) in layers {
            sum += f64::from(value) * f64::from(share);
            total += f64::from(share);
        }
        if total > f64::from(MIN_WEIGHT) { (sum / total) as f32 } else { rest }
    };
    for (at, value) in out.weights.iter_mut().enumerate() {
        let part = |layer: &Layer<'_>| layer.mask.map_or(1.0, |mask| mask.weights()[at]);
        let mut values =
            layers.clone().map(|layer| (layer.pose.weights[at], layer.weight * part(&layer)));
        *value = number(&mut values, out.rest.weights[at]);
    }
    for (at, row) in out.properties.iter_mut().enumerate() {
        let part = |layer: &Layer<'_>| layer.mask.map_or(1.0, |mask| mask.properties()[at]);
        for (place, value) in row.iter_mut().enumerate() {
            let mut values = layers
                .clone()
                .map(|layer| (layer.pose.properties[at][place], layer.weight * part(&layer)));
            *value = number(&mut values, out.rest.properties[at][place]);
        }
    }
}

/// Each joint by its own sum of weights, eight joints at a time.
struct Masked<'a, L> {
    layers: L,
    rest: &'a [Lanes],
    out: &'a mut [Lanes],
}

impl<'a, L: Iterator<Item = Layer<'a>> + Clone> Kernel for Masked<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let (zero, least) = (W::splat(0.0), W::splat(MIN_WEIGHT));
        for (at, (out, rest)) in self.out.iter_mut().zip(self.rest).enumerate() {
            let mut total = zero;
            for layer in self.layers.clone() {
                total = total + layer.part::<W>(at);
            }
            let (mut moves, mut scales, mut rotations) = ([zero; 3], [zero; 3], [zero; 4]);
            for layer in self.layers.clone() {
                let share = layer.part::<W>(at).over(total.max(least));
                let lanes = &layer.pose.locals[at];
                add(&mut moves, &lanes.translation, share);
                add(&mut scales, &lanes.scale, share);
                let near = alike(&rotations, &lanes.rotation);
                add(&mut rotations, &lanes.rotation, share.flip(near));
            }
            let length = square(&rotations).max(W::splat(1e-20)).rsqrt();
            for rotation in &mut rotations {
                *rotation = *rotation * length;
            }
            // The mean where there is one, the rest pose elsewhere.
            let some = total.above(least);
            pick(some, &moves, &rest.translation, &mut out.translation);
            pick(some, &scales, &rest.scale, &mut out.scale);
            pick(some, &rotations, &rest.rotation, &mut out.rotation);
        }
    }
}

#[inline(always)]
fn pick<W: Wide, const N: usize>(
    some: W::Ints,
    mean: &[W; N],
    rest: &[[f32; 8]; N],
    out: &mut [[f32; 8]; N],
) {
    for row in 0..N {
        some.pick(mean[row], W::load(&rest[row])).store(&mut out[row]);
    }
}

/// Two layers that weigh the same on every joint: what is blended most.
struct Two<'a> {
    first: &'a [Lanes],
    second: &'a [Lanes],
    /// The second's part, from 0 to 1.
    share: f32,
    out: &'a mut [Lanes],
}

impl Kernel for Two<'_> {
    type Output = ();
    const MANY: bool = true;

    #[inline(always)]
    fn run<W: Wide>(self) {
        let (share, rest) = (W::splat(self.share), W::splat(1.0 - self.share));
        // To make a rotation unit is one long chain of waiting, so it is left until the next eight are being added.
        let mut nowhere = [[0.0; 8]; 4];
        let (mut sum, mut square, mut to) = ([share; 4], W::splat(1.0), &mut nowhere);
        for ((a, b), out) in self.first.iter().zip(self.second).zip(self.out) {
            let [mut one, mut other] = [[share; 4]; 2];
            for row in 0..4 {
                (one[row], other[row]) = (W::load(&a.rotation[row]), W::load(&b.rotation[row]));
            }
            store_unit(&sum, square, to);
            (sum, square) = sum_rotations(&one, &other, share, rest);
            between(&a.translation, &b.translation, share, &mut out.translation);
            between(&a.scale, &b.scale, share, &mut out.scale);
            to = &mut out.rotation;
        }
        store_unit(&sum, square, to);
    }
}

#[inline(always)]
fn store_unit<W: Wide>(sum: &[W; 4], square: W, to: &mut [[f32; 8]; 4]) {
    let length = square.rsqrt();
    for (rotation, row) in sum.iter().zip(to) {
        (*rotation * length).store(row);
    }
}

/// The mean of two quaternions along the shorter arc, of unit length; `share` and `rest` are their parts.
#[inline(always)]
pub(crate) fn mean_rotation<W: Wide>(one: &[W; 4], other: &[W; 4], share: W, rest: W) -> [W; 4] {
    let (mut sum, square) = sum_rotations(one, other, share, rest);
    let length = square.rsqrt();
    for row in &mut sum {
        *row = *row * length;
    }
    sum
}

/// The same but for its length, and the square of that.
#[inline(always)]
fn sum_rotations<W: Wide>(one: &[W; 4], other: &[W; 4], share: W, rest: W) -> ([W; 4], W) {
    // Two sums, so that one need not wait for the other.
    let near =
        one[1].mul_add(other[1], one[0] * other[0]) + one[3].mul_add(other[3], one[2] * other[2]);
    let turned = share.flip(near);
    let mut sum = *one;
    for row in 0..4 {
        sum[row] = other[row].mul_add(turned, one[row] * rest);
    }
    let square = sum[1].mul_add(sum[1], sum[0] * sum[0]) + sum[3].mul_add(sum[3], sum[2] * sum[2]);
    (sum, square)
}

#[inline(always)]
fn between<W: Wide>(a: &[[f32; 8]; 3], b: &[[f32; 8]; 3], share: W, out: &mut [[f32; 8]; 3]) {
    for row in 0..3 {
        let (from, to) = (W::load(&a[row]), W::load(&b[row]));
        (to - from).mul_add(share, from).store(&mut out[row]);
    }
}

/// Layers that weigh the same on every joint, eight joints at a time.
struct Even<'a, L> {
    layers: L,
    /// What a weight of one comes to.
    part: f32,
    out: &'a mut [Lanes],
}

impl<'a, L: Iterator<Item = Layer<'a>> + Clone> Kernel for Even<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let zero = W::splat(0.0);
        for (at, out) in self.out.iter_mut().enumerate() {
            let (mut moves, mut scales, mut rotations) = ([zero; 3], [zero; 3], [zero; 4]);
            for layer in self.layers.clone() {
                let share = W::splat(layer.weight * self.part);
                let lanes = &layer.pose.locals[at];
                add(&mut moves, &lanes.translation, share);
                add(&mut scales, &lanes.scale, share);
                let near = alike(&rotations, &lanes.rotation);
                add(&mut rotations, &lanes.rotation, share.flip(near));
            }
            // The sum only grew, so it has a length.
            let length = square(&rotations).rsqrt();
            for row in 0..3 {
                moves[row].store(&mut out.translation[row]);
                scales[row].store(&mut out.scale[row]);
            }
            for (rotation, row) in rotations.iter().zip(&mut out.rotation) {
                (*rotation * length).store(row);
            }
        }
    }
}

/// `sum += rows · share`.
#[inline(always)]
fn add<W: Wide, const N: usize>(sum: &mut [W; N], rows: &[[f32; 8]; N], share: W) {
    for row in 0..N {
        sum[row] = W::load(&rows[row]).mul_add(share, sum[row]);
    }
}

/// The dot product of a sum and the next; never a negative zero, for that would turn the first over.
#[inline(always)]
fn alike<W: Wide>(sum: &[W; 4], next: &[[f32; 8]; 4]) -> W {
    let mut dot = W::splat(0.0);
    for row in 0..4 {
        dot = sum[row].mul_add(W::load(&next[row]), dot);
    }
    dot
}

#[inline(always)]
fn square<W: Wide>(rotations: &[W; 4]) -> W {
    let mut square = rotations[0] * rotations[0];
    for rotation in &rotations[1..] {
        square = rotation.mul_add(*rotation, square);
    }
    square
}
