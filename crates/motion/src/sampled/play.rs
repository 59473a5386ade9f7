//! A sampled clip at a time, written into a pose.

use std::slice::Iter;

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};

use super::frame::Between;
use super::{Block, Rotations, SampledClip};
use crate::Pose;
use crate::blend::mean_rotation;
use crate::lanes::{LANES, Lanes};

impl SampledClip {
    /// Writes the clip's state at `time` into `pose`; times outside hold its ends. Model matrices
    /// follow by [`Pose::to_model`]. What the clip does not drive is at rest.
    ///
    /// # Panics
    /// When the pose has another number of joints, morph weights or driven values.
    #[inline]
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        self.sample_on(SimdLevel::current(), time, pose);
    }

    /// The same on a given path. [`SimdLevel::Fast`] strays from the others by less than 1e-6 in
    /// rotations, and of the size of the numbers elsewhere.
    ///
    /// # Panics
    /// As [`sample`](Self::sample).
    #[inline]
    pub fn sample_on(&self, path: SimdLevel, time: f32, pose: &mut Pose) {
        let between = self.between(time);
        self.number(between, pose);
        self.locals_on(path, between, pose.locals_mut());
    }

    /// Local transforms alone, for crowds that keep nothing else.
    ///
    /// # Panics
    /// When there is not one block for every eight joints.
    #[inline]
    pub fn sample_locals(&self, time: f32, locals: &mut [Lanes]) {
        self.locals_on(SimdLevel::current(), self.between(time), locals);
    }

    #[inline]
    fn locals_on(&self, path: SimdLevel, between: Between, locals: &mut [Lanes]) {
        assert_eq!(locals.len(), self.blocks.len(), "a pose of the sampled's skeleton");
        run(path, Play { strip: self.strip_between(between), locals });
    }

    /// The eight-joint blocks at a time, one after the other, for kernels of one's own.
    #[inline]
    #[must_use]
    pub fn strip(&self, time: f32) -> Strip<'_> {
        self.strip_between(self.between(time))
    }

    #[inline]
    fn strip_between(&self, between: Between) -> Strip<'_> {
        let (rotations, vectors) =
            (self.rotations.len() / self.frames, self.vectors.len() / self.frames);
        let Between { first, second, fraction } = between;
        let rotations =
            [first, second].map(|frame| self.rotations[frame * rotations..][..rotations].iter());
        let vectors =
            [first, second].map(|frame| self.vectors[frame * vectors..][..vectors].iter());
        Strip { blocks: self.blocks.iter(), rotations, vectors, fraction }
    }

    fn number(&self, between: Between, pose: &mut Pose) {
        let numbers = &self.numbers;
        let Between { first, second, fraction } = between;
        let (_, weights, properties) = pose.parts_mut();
        assert_eq!(weights.len(), numbers.weights, "as many morph weights as the sampled's scene");
        assert_eq!(properties.len(), numbers.properties, "as many driven values");
        let width = numbers.goes.len();
        let [a, b] = [first, second].map(|frame| &numbers.values[frame * width..][..width]);
        let outs = weights.iter_mut().chain(properties.as_flattened_mut());
        for (((out, from), to), goes) in outs.zip(a).zip(b).zip(&numbers.goes) {
            *out = from + (to - from) * (fraction * goes);
        }
    }
}

/// A sampled clip at one time, read block by block.
#[derive(Clone, Debug)]
pub struct Strip<'a> {
    blocks: Iter<'a, Block>,
    rotations: [Iter<'a, [[i16; LANES]; 4]>; 2],
    vectors: [Iter<'a, [[f32; LANES]; 3]>; 2],
    fraction: f32,
}

/// Eight joints in registers: translation, rotation and scale, as [`Lanes`] has them.
#[derive(Clone, Copy, Debug)]
pub struct Eight<W> {
    /// x, y, z.
    pub translation: [W; 3],
    /// x, y, z, w.
    pub rotation: [W; 4],
    /// x, y, z.
    pub scale: [W; 3],
}

impl Strip<'_> {
    /// The next eight joints; `None` after the last.
    #[inline(always)]
    pub fn eight<W: Wide>(&mut self) -> Option<Eight<W>> {
        let block = self.blocks.next()?;
        let mut rows = Eight {
            translation: load(&block.still.translation),
            rotation: load(&block.still.rotation),
            scale: load(&block.still.scale),
        };
        let fraction = W::splat(self.fraction);
        if let Some(how) = &block.rotations
            && let [Some(from), Some(to)] = [self.rotations[0].next(), self.rotations[1].next()]
        {
            rows.rotation = rotation(how, from, to, fraction);
        }
        if let Some(goes) = &block.moves
            && let [Some(from), Some(to)] = [self.vectors[0].next(), self.vectors[1].next()]
        {
            rows.translation = go(from, to, fraction * W::load(goes));
        }
        if let Some(goes) = &block.scales
            && let [Some(from), Some(to)] = [self.vectors[0].next(), self.vectors[1].next()]
        {
            rows.scale = go(from, to, fraction * W::load(goes));
        }
        Some(rows)
    }

    /// Leaves the next eight joints out.
    #[inline(always)]
    pub fn skip(&mut self) {
        let Some(block) = self.blocks.next() else { return };
        let vectors = usize::from(block.moves.is_some()) + usize::from(block.scales.is_some());
        for (rotations, rows) in self.rotations.iter_mut().zip(&mut self.vectors) {
            if block.rotations.is_some() {
                rotations.next();
            }
            for _ in 0..vectors {
                rows.next();
            }
        }
    }
}

impl<W: Wide> Eight<W> {
    /// The mean with another, whose part is `share`, as [`blend`](crate::blend) makes it.
    #[inline(always)]
    #[must_use]
    pub fn mean(&self, other: &Self, share: W) -> Self {
        let mut out = *self;
        for row in 0..3 {
            let (from, to) = (self.translation[row], other.translation[row]);
            out.translation[row] = (to - from).mul_add(share, from);
            let (from, to) = (self.scale[row], other.scale[row]);
            out.scale[row] = (to - from).mul_add(share, from);
        }
        out.rotation = mean_rotation(&self.rotation, &other.rotation, share, W::splat(1.0) - share);
        out
    }

    /// Writes them down.
    #[inline(always)]
    pub fn store(&self, to: &mut Lanes) {
        for row in 0..3 {
            self.translation[row].store(&mut to.translation[row]);
            self.scale[row].store(&mut to.scale[row]);
        }
        for (row, to) in self.rotation.iter().zip(&mut to.rotation) {
            row.store(to);
        }
    }
}

#[inline(always)]
fn load<W: Wide, const N: usize>(rows: &[[f32; LANES]; N]) -> [W; N] {
    let mut out = [W::splat(0.0); N];
    for row in 0..N {
        out[row] = W::load(&rows[row]);
    }
    out
}

/// Writes a whole strip down.
struct Play<'a> {
    strip: Strip<'a>,
    locals: &'a mut [Lanes],
}

impl Kernel for Play<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(mut self) {
        for out in self.locals {
            if let Some(rows) = self.strip.eight::<W>() {
                rows.store(out);
            }
        }
    }
}

/// Between two quaternions that are never far apart, and of unit length again.
#[inline(always)]
fn rotation<W: Wide>(
    how: &Rotations,
    from: &[[i16; LANES]; 4],
    to: &[[i16; LANES]; 4],
    fraction: W,
) -> [W; 4] {
    let fraction = fraction * W::load(&how.goes);
    let mut rows = [fraction; 4];
    for row in 0..4 {
        let a = W::Ints::from_shorts(&from[row]).to_floats();
        let b = W::Ints::from_shorts(&to[row]).to_floats();
        let bits = (b - a).mul_add(fraction, a);
        rows[row] = bits.mul_add(W::load(&how.step[row]), W::load(&how.middle[row]));
    }
    let [x, y, z, w] = rows;
    let square = y.mul_add(y, x * x) + w.mul_add(w, z * z);
    // Frames less than half a turn apart never cancel; a damaged one must not divide by zero.
    let length = square.max(W::splat(1e-12)).rsqrt();
    for row in &mut rows {
        *row = *row * length;
    }
    rows
}

#[inline(always)]
fn go<W: Wide>(from: &[[f32; LANES]; 3], to: &[[f32; LANES]; 3], fraction: W) -> [W; 3] {
    let mut rows = [fraction; 3];
    for row in 0..3 {
        let (a, b) = (W::load(&from[row]), W::load(&to[row]));
        rows[row] = (b - a).mul_add(fraction, a);
    }
    rows
}
