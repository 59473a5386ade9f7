//! A reel at a time, written into a pose.

use sinew_lanes::{Ints, Kernel, Path, Wide, run};

use super::frame::Between;
use super::{Block, Reel, Turns};
use crate::Pose;
use crate::lanes::{LANES, Lanes};

impl Reel {
    /// Writes the clip's state at `time` into `pose`; times outside hold its ends. Model matrices
    /// follow by [`Pose::to_model`]. What the clip does not drive is at rest.
    ///
    /// # Panics
    /// When the pose has another number of joints, morph weights or driven values.
    #[inline]
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        self.sample_on(Path::current(), time, pose);
    }

    /// The same on a given path. [`Path::Fast`] strays from the others by less than 1e-6 in
    /// rotations, and of the size of the numbers elsewhere.
    ///
    /// # Panics
    /// As [`sample`](Self::sample).
    #[inline]
    pub fn sample_on(&self, path: Path, time: f32, pose: &mut Pose) {
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
        self.locals_on(Path::current(), self.between(time), locals);
    }

    #[inline]
    fn locals_on(&self, path: Path, between: Between, locals: &mut [Lanes]) {
        assert_eq!(locals.len(), self.blocks.len(), "a pose of the reel's skeleton");
        let (turns, vectors) = (self.turns.len() / self.frames, self.vectors.len() / self.frames);
        let Between { first, second, fraction } = between;
        run(
            path,
            Play {
                blocks: &self.blocks,
                turns: [first, second].map(|frame| &self.turns[frame * turns..][..turns]),
                vectors: [first, second].map(|frame| &self.vectors[frame * vectors..][..vectors]),
                fraction,
                locals,
            },
        );
    }

    fn number(&self, between: Between, pose: &mut Pose) {
        let numbers = &self.numbers;
        let Between { first, second, fraction } = between;
        let (_, weights, properties) = pose.parts_mut();
        assert_eq!(weights.len(), numbers.weights, "as many morph weights as the reel's scene");
        assert_eq!(properties.len(), numbers.properties, "as many driven values");
        let width = numbers.goes.len();
        let [a, b] = [first, second].map(|frame| &numbers.values[frame * width..][..width]);
        let outs = weights.iter_mut().chain(properties.as_flattened_mut());
        for (((out, from), to), goes) in outs.zip(a).zip(b).zip(&numbers.goes) {
            *out = from + (to - from) * (fraction * goes);
        }
    }
}

/// Two frames, and where they go.
struct Play<'a> {
    blocks: &'a [Block],
    turns: [&'a [[[i16; LANES]; 4]]; 2],
    vectors: [&'a [[[f32; LANES]; 3]]; 2],
    fraction: f32,
    locals: &'a mut [Lanes],
}

impl Kernel for Play<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let fraction = W::splat(self.fraction);
        let mut turns = self.turns[0].iter().zip(self.turns[1]);
        let mut vectors = self.vectors[0].iter().zip(self.vectors[1]);
        for (block, out) in self.blocks.iter().zip(self.locals) {
            match &block.turns {
                Some(how) => {
                    if let Some((from, to)) = turns.next() {
                        turn::<W>(how, from, to, fraction, &mut out.rotation);
                    }
                }
                None => out.rotation = block.still.rotation,
            }
            match &block.moves {
                Some(goes) => {
                    if let Some((from, to)) = vectors.next() {
                        go::<W>(from, to, fraction * W::load(goes), &mut out.translation);
                    }
                }
                None => out.translation = block.still.translation,
            }
            match &block.scales {
                Some(goes) => {
                    if let Some((from, to)) = vectors.next() {
                        go::<W>(from, to, fraction * W::load(goes), &mut out.scale);
                    }
                }
                None => out.scale = block.still.scale,
            }
        }
    }
}

/// Between two quaternions that are never far apart, and of unit length again.
#[inline(always)]
fn turn<W: Wide>(
    how: &Turns,
    from: &[[i16; LANES]; 4],
    to: &[[i16; LANES]; 4],
    fraction: W,
    out: &mut [[f32; LANES]; 4],
) {
    let fraction = fraction * W::load(&how.goes);
    let mut rows = [fraction; 4];
    for row in 0..4 {
        let a = W::Ints::from_shorts(&from[row]).to_floats();
        let b = W::Ints::from_shorts(&to[row]).to_floats();
        let bits = (b - a).mul_add(fraction, a);
        rows[row] = bits.mul_add(W::load(&how.step[row]), W::load(&how.middle[row]));
    }
    let [x, y, z, w] = rows;
    let square = w.mul_add(w, z.mul_add(z, y.mul_add(y, x * x)));
    // Frames less than half a turn apart never cancel; a damaged one must not divide by zero.
    let length = square.max(W::splat(1e-12)).rsqrt();
    for row in 0..4 {
        (rows[row] * length).store(&mut out[row]);
    }
}

#[inline(always)]
fn go<W: Wide>(
    from: &[[f32; LANES]; 3],
    to: &[[f32; LANES]; 3],
    fraction: W,
    out: &mut [[f32; LANES]; 3],
) {
    for row in 0..3 {
        let (a, b) = (W::load(&from[row]), W::load(&to[row]));
        (b - a).mul_add(fraction, a).store(&mut out[row]);
    }
}
