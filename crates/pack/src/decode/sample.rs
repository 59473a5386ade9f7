//! A packed clip at a time, written into a pose: eight tracks at once, and nothing remembered.

use std::mem::MaybeUninit;

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};
use sinew_motion::{Lanes, Pose};

use super::Packed;
use super::arc::Bend;
use super::field::{Fields, Frames, Steps, word};
use super::rotation::{mixed, product, quaternion, unit, whole};
use super::write::{put, put_numbers};
use crate::format::kind::Kind;
use crate::format::{Layout, SEGMENT_FIXED, array, reach};

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
        this.rotations::<W>();
        for kind in [Kind::Translation, Kind::Scale] {
            for (at, count) in this.layout.groups(kind) {
                this.vector::<W>(at, count, kind);
            }
        }
        for kind in [Kind::Weight, Kind::Property] {
            for (at, count) in this.layout.groups(kind) {
                this.numbers::<W>(at, count, kind);
            }
        }
        for kind in [Kind::ConstantRotation, Kind::ConstantTranslation, Kind::ConstantScale] {
            for (at, count) in this.layout.groups(kind) {
                this.constant::<W>(at, count, kind);
            }
        }
    }
}

impl<F: Frames> Sample<'_, F> {
    #[inline(always)]
    fn rest<W: Wide>(&mut self) {
        let header = &self.layout.header;
        let turned = header.count(Kind::Rotation) + header.count(Kind::ConstantRotation);
        for (local, rest) in self.target.locals.iter_mut().zip(self.target.rest) {
            copy::<W>(&rest.translation, &mut local.translation);
            // Most clips turn every node: its rest would be written over.
            if turned < usize::from(header.nodes) {
                copy::<W>(&rest.rotation, &mut local.rotation);
            }
            copy::<W>(&rest.scale, &mut local.scale);
        }
    }

    /// A few groups at a time, in three steps: a processor works on all groups of a step at once, where it would wait for
    /// each number of a single one on its way from the file to the pose.
    #[inline(always)]
    fn rotations<W: Wide>(&mut self) {
        const GROUP: usize = 8 * Kind::Rotation.track_bytes();
        let tracks = self.layout.header.count(Kind::Rotation);
        // Full groups are most: they are compiled by themselves.
        let (full, left_over, groups) = (tracks / 8, tracks % 8, tracks.div_ceil(8));
        // As many at a time: a last one alone would have to be waited for.
        let together = groups.div_ceil(groups.div_ceil(TOGETHER).max(1)).max(1);
        let mut numbers = [[W::splat(0.0); 6]; TOGETHER];
        let mut start = self.layout.tracks[Kind::Rotation as usize];
        let mut first = 0;
        while first < groups {
            let count = together.min(groups - first);
            let whole = count.min(full - first);
            let mut at = start;
            for numbers in &mut numbers[..whole] {
                self.unpack(at, 8, numbers);
                at += GROUP;
            }
            if whole < count {
                self.unpack(at, left_over, &mut numbers[whole]);
            }
            for numbers in &mut numbers[..count] {
                let [x, y, z, next @ ..] = *numbers;
                [numbers[0], numbers[1], numbers[2], numbers[3]] =
                    mixed(&self.bend, [x, y, z], next);
            }
            for [x, y, z, w, ..] in &numbers[..whole] {
                self.rotation(start, 8, [*x, *y, *z, *w]);
                start += GROUP;
            }
            if whole < count {
                let [x, y, z, w, ..] = numbers[whole];
                self.rotation(start, left_over, [x, y, z, w]);
            }
            first += count;
        }
    }

    #[inline(always)]
    fn steps<W: Wide>(&self, at: usize, count: usize) -> Steps<W> {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 32] = reach(self.bytes, at as u32, &mut spare);
        Steps::new(word(group, 2 * count), word(group, 3 * count))
    }

    #[inline(always)]
    fn unpack<W: Wide>(&mut self, at: usize, count: usize, numbers: &mut [W; 6]) {
        let steps = self.steps(at, count);
        [numbers[0], numbers[3]] = self.frames.next(&steps, count);
        [numbers[1], numbers[4]] = self.frames.next(&steps, count);
        [numbers[2], numbers[5]] = self.frames.next(&steps, count);
    }

    #[inline(always)]
    fn rotation<W: Wide>(&mut self, at: usize, count: usize, mixed: [W; 4]) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 96] = reach(self.bytes, at as u32, &mut spare);
        let left = quaternion(group, 4 * count, count);
        let right = quaternion(group, 8 * count, count);
        // None of the three is without length.
        let rotation = unit(product(product(left, mixed), right));
        put(array(group, 0), count, rotation, Kind::Rotation, self.target.locals);
    }

    /// The next number, straight between both frames.
    #[inline(always)]
    fn straight<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> W {
        let [from, to] = self.frames.next(steps, count);
        (to - from).mul_add(W::splat(self.bend.share), from)
    }

    #[inline(always)]
    fn vector<W: Wide>(&mut self, at: usize, count: usize, kind: Kind) {
        let steps = self.steps::<W>(at, count);
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 128] = reach(self.bytes, at as u32, &mut spare);
        let mut values = origins::<W>(group, 4 * count, count);
        for value in &mut values {
            *value = self.straight(&steps, count) + *value;
        }
        put(array(group, 0), count, values, kind, self.target.locals);
    }

    #[inline(always)]
    fn constant<W: Wide>(&mut self, at: usize, count: usize, kind: Kind) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 112] = reach(self.bytes, at as u32, &mut spare);
        let (nodes, values) = (array(group, 0), origins::<W>(group, 2 * count, count));
        let locals = &mut *self.target.locals;
        match kind {
            Kind::ConstantRotation => put(nodes, count, unit(whole(values).0), kind, locals),
            _ => put(nodes, count, values, kind, locals),
        }
    }

    #[inline(always)]
    fn numbers<W: Wide>(&mut self, at: usize, count: usize, kind: Kind) {
        let number = self.straight::<W>(&self.steps(at, count), count);
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 64] = reach(self.bytes, at as u32, &mut spare);
        let values = number + origin::<W>(group, 4 * count);
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

#[inline(always)]
fn origins<W: Wide>(group: &[u8], at: usize, count: usize) -> [W; 3] {
    [origin(group, at), origin(group, at + 4 * count), origin(group, at + 8 * count)]
}
