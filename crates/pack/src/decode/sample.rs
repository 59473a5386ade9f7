//! A packed clip at a time, written into a pose: eight tracks at once, and nothing remembered.

use std::mem::MaybeUninit;

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};
use sinew_motion::{Lanes, Pose};

use super::Packed;
use super::arc::Bend;
use super::field::{Fields, Frames, Steps, word};
use super::rotation::{mixed, product, scaled, unit, whole};
use super::write::{Part, put, put_constants, put_numbers};
use crate::format::kind::{Kind, group_sizes};
use crate::format::{CONSTANT_BYTES, Layout, SEGMENT_FIXED, array, reach};

/// Groups of rotations that are unpacked before they are mixed.
const TOGETHER: usize = 8;

impl<B: AsRef<[u8]>> Packed<B> {
    /// Writes the clip's state at `time` into `pose`; times outside hold its ends. Model matrices
    /// follow by [`Pose::to_model`]. What the clip does not drive is at rest.
    ///
    /// # Panics
    /// When the pose has another number of nodes, morph weights or driven values.
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        self.sample_on(SimdLevel::current(), time, pose);
    }

    /// The same on a given path. [`SimdLevel::Fast`] differs from the others by less than 1e-6 in
    /// rotations, and of the size of the numbers elsewhere.
    ///
    /// # Panics
    /// As [`sample`](Self::sample).
    pub fn sample_on(&self, path: SimdLevel, time: f32, pose: &mut Pose) {
        let place = self.place(time);
        self.sample_at(path, place.frame, place.fraction, pose);
    }

    /// A frame, and a part of the way to the next.
    pub(crate) fn sample_at(&self, path: SimdLevel, frame: usize, fraction: f32, pose: &mut Pose) {
        (self.sampler)(self, path, frame, fraction, pose);
    }

    pub(super) fn sample_frame(
        &self,
        path: SimdLevel,
        frame: usize,
        fraction: f32,
        pose: &mut Pose,
    ) {
        self.check_pose(pose);
        let bytes = self.bytes();
        let (locals, weights, properties, rest) = pose.parts_and_rest();
        let target = Target { locals, rest, weights, properties: properties.as_flattened_mut() };
        let [(segment, start), (next_segment, next_start)] =
            [frame, if fraction > 0.0 { frame + 1 } else { frame }].map(|frame| self.frame(frame));
        let [head, next_head] = [segment, next_segment].map(|at| at + SEGMENT_FIXED);
        let (layout, bend) = (&self.layout, Bend::new(fraction));
        if head == next_head {
            let frames = Fields::new(bytes, head, [start, next_start]);
            run(path, Sample { bytes, layout, frames, bend, target });
        } else {
            let next = Fields::new(bytes, next_head, [next_start]);
            let frames = [Fields::new(bytes, head, [start]), next];
            run(path, Sample { bytes, layout, frames, bend, target });
        }
    }
}

/// What is written.
struct Target<'a> {
    locals: &'a mut [Lanes],
    rest: &'a [Lanes],
    weights: &'a mut [f32],
    properties: &'a mut [f32],
}

/// Two frames, and where they go.
struct Sample<'a, F> {
    bytes: &'a [u8],
    layout: &'a Layout,
    frames: F,
    bend: Bend,
    target: Target<'a>,
}

impl<F: Frames> Kernel for Sample<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        // In registers, not where the caller keeps it.
        let mut this = self;
        this.rest::<W>();
        this.constants::<W>();
        this.rotations::<W>();
        for (at, count) in this.layout.groups(Kind::FullRotation) {
            this.full_rotation::<W>(at, count);
        }
        for (kind, part) in [(Kind::Translation, Part::Translation), (Kind::Scale, Part::Scale)] {
            for (at, count) in this.layout.groups(kind) {
                this.vector::<W>(at, count, part);
            }
        }
        for kind in [Kind::Weight, Kind::Property] {
            for (at, count) in this.layout.groups(kind) {
                this.numbers::<W>(at, count, kind);
            }
        }
    }
}

impl<F: Frames> Sample<'_, F> {
    #[inline(always)]
    fn rest<W: Wide>(&mut self) {
        for (local, rest) in self.target.locals.iter_mut().zip(self.target.rest) {
            copy::<W>(&rest.translation, &mut local.translation);
            copy::<W>(&rest.rotation, &mut local.rotation);
            copy::<W>(&rest.scale, &mut local.scale);
        }
    }

    #[inline(always)]
    fn constants<W: Wide>(&mut self) {
        let [rotations, translations, scales] = self.layout.header.constants.map(usize::from);
        let [at, translations_at, scales_at] = self.layout.constants;
        for (group, count) in group_sizes(rotations).enumerate() {
            let mut spare = MaybeUninit::uninit();
            let at = at + CONSTANT_BYTES * 8 * group;
            let group: &[u8; 112] = reach(self.bytes, at as u32, &mut spare);
            let mut numbers = [W::splat(0.0); 4];
            for (axis, number) in numbers.iter_mut().enumerate() {
                let high = shorts(array(group, 2 * count * (axis + 1)));
                let low = word(group, count * (10 + axis));
                let high = W::Ints::from_shorts(&high).shift_left::<8>();
                *number = (high + W::Ints::from_bytes(low)).to_floats();
            }
            put(array(group, 0), count, unit(numbers), Part::Rotation, self.target.locals);
        }
        let locals = &mut *self.target.locals;
        put_constants(self.bytes, translations_at, translations, Part::Translation, locals);
        put_constants(self.bytes, scales_at, scales, Part::Scale, locals);
    }

    /// A few groups at a time, in three steps: a processor works on all groups of a step at once, where it would wait for
    /// each number of a single one on its way from the file to the pose.
    #[inline(always)]
    fn rotations<W: Wide>(&mut self) {
        let mut rows = [[W::splat(0.0); 6]; TOGETHER];
        let mut groups = self.layout.groups(Kind::Rotation);
        loop {
            let these = groups.clone();
            let mut taken = 0;
            for (rows, (at, count)) in rows.iter_mut().zip(&mut groups) {
                // Full groups are most: they are compiled by themselves.
                let [x, y, z] = match count {
                    8 => self.next(at, 8),
                    _ => self.next(at, count),
                };
                *rows = [x[0], y[0], z[0], x[1], y[1], z[1]];
                taken += 1;
            }
            for rows in &mut rows[..taken] {
                let [x, y, z, x_next, y_next, z_next] = *rows;
                let [x, y, z, w] =
                    mixed(&self.bend, whole([x, y, z]), whole([x_next, y_next, z_next]));
                rows[0] = x;
                rows[1] = y;
                rows[2] = z;
                rows[3] = w;
            }
            for ([x, y, z, w, ..], (at, count)) in rows[..taken].iter().zip(these) {
                match count {
                    8 => self.rotation(at, 8, [*x, *y, *z, *w]),
                    _ => self.rotation(at, count, [*x, *y, *z, *w]),
                }
            }
            if taken < TOGETHER {
                return;
            }
        }
    }

    /// The numbers of a group in both frames.
    #[inline(always)]
    fn next<W: Wide, const ROWS: usize>(&mut self, at: usize, count: usize) -> [[W; 2]; ROWS] {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 32] = reach(self.bytes, at as u32, &mut spare);
        let steps = Steps::new(word(group, 2 * count), word(group, 3 * count));
        self.frames.next(&steps, count)
    }

    #[inline(always)]
    fn rotation<W: Wide>(&mut self, at: usize, count: usize, mixed: [W; 4]) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 96] = reach(self.bytes, at as u32, &mut spare);
        let left = quaternion(group, 4 * count, count);
        let right = quaternion(group, 8 * count, count);
        // None of the three is without length.
        let rotation = scaled(product(product(left, mixed), right));
        put(array(group, 0), count, rotation, Part::Rotation, self.target.locals);
    }

    #[inline(always)]
    fn full_rotation<W: Wide>(&mut self, at: usize, count: usize) {
        let [x, y, z, w] = self.next::<W, 4>(at, count);
        let from = unit([x[0], y[0], z[0], w[0]]);
        let to = unit([x[1], y[1], z[1], w[1]]);
        let rotation = unit(mixed(&self.bend, from, to));
        put(array(self.bytes, at), count, rotation, Part::Rotation, self.target.locals);
    }

    #[inline(always)]
    fn straight<W: Wide>(&self, [from, to]: [W; 2]) -> W {
        (to - from).mul_add(W::splat(self.bend.share), from)
    }

    #[inline(always)]
    fn vector<W: Wide>(&mut self, at: usize, count: usize, part: Part) {
        let [x, y, z] = self.next::<W, 3>(at, count);
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 128] = reach(self.bytes, at as u32, &mut spare);
        let values = [
            self.straight(x) + origin::<W>(group, 4 * count),
            self.straight(y) + origin::<W>(group, 8 * count),
            self.straight(z) + origin::<W>(group, 12 * count),
        ];
        put(array(group, 0), count, values, part, self.target.locals);
    }

    #[inline(always)]
    fn numbers<W: Wide>(&mut self, at: usize, count: usize, kind: Kind) {
        let [number] = self.next::<W, 1>(at, count);
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 64] = reach(self.bytes, at as u32, &mut spare);
        let values = self.straight(number) + origin::<W>(group, 4 * count);
        let to = match kind {
            Kind::Weight => &mut *self.target.weights,
            _ => &mut *self.target.properties,
        };
        put_numbers(array(group, 0), count, values, to);
    }
}

#[inline(always)]
fn copy<W: Wide>(from: &[[f32; 8]], to: &mut [[f32; 8]]) {
    for (from, to) in from.iter().zip(to) {
        W::load(from).store(to);
    }
}

#[inline(always)]
fn origin<W: Wide>(group: &[u8], at: usize) -> W {
    W::Ints::load(array(group, at)).as_floats()
}

/// Four signed bytes of each lane, all x first.
#[inline(always)]
fn quaternion<W: Wide>(group: &[u8], at: usize, count: usize) -> [W; 4] {
    let mut numbers = [W::splat(0.0); 4];
    for (axis, number) in numbers.iter_mut().enumerate() {
        *number = W::Ints::from_signed_bytes(word(group, at + axis * count)).to_floats();
    }
    numbers
}

/// Eight words, least byte first.
#[inline(always)]
fn shorts(words: &[u8; 16]) -> [i16; 8] {
    let (twos, _) = words.as_chunks::<2>();
    std::array::from_fn(|lane| i16::from_le_bytes(twos[lane]))
}
