//! A packed clip at a time, written into a pose: eight tracks at once, and nothing remembered.

use std::mem::MaybeUninit;

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};
use sinew_motion::{Lanes, Pose};

use super::Packed;
use super::field::{Fields, Steps, word};
use super::rotation::{mixed, product, quaternion, unit, whole};
use crate::format::kind::Kind;
use crate::format::{Layout, array, reach, read_u16};

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
        let (frame, share) = self.place(time);
        (self.sampler)(self, path, frame, share, pose);
    }

    /// A frame, and a part of the way to the next.
    pub(super) fn sample_frame(&self, path: SimdLevel, frame: usize, share: f32, pose: &mut Pose) {
        let (nodes, weights, properties) = self.counts();
        assert_eq!(pose.len(), nodes, "a pose of the clip's skeleton");
        assert_eq!(pose.all_weights().len(), weights, "one weight each");
        assert_eq!(pose.properties().len(), properties, "one value each");
        let (locals, weights, properties, rest) = pose.parts_and_rest();
        let next = if share > 0.0 { frame + 1 } else { frame };
        let fields = Fields::new(self.bytes(), [frame, next].map(|frame| self.frame(frame)));
        let (bytes, layout, properties) =
            (self.bytes(), &self.layout, properties.as_flattened_mut());
        run(path, Sample { bytes, layout, fields, share, locals, rest, weights, properties });
    }
}

/// Two frames, how much of the second, and where they go.
struct Sample<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
    fields: Fields<'a>,
    share: f32,
    locals: &'a mut [Lanes],
    rest: &'a [Lanes],
    weights: &'a mut [f32],
    properties: &'a mut [f32],
}

impl Kernel for Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        // In registers, not where the caller keeps it.
        let mut this = self;
        this.rest::<W>();
        this.rotations::<W>();
        for kind in &Kind::ALL[1..] {
            for (at, count) in this.layout.groups(*kind) {
                this.group::<W>(at, count, *kind);
            }
        }
    }
}

impl Sample<'_> {
    #[inline(always)]
    fn rest<W: Wide>(&mut self) {
        let header = &self.layout.header;
        let turned = header.count(Kind::Rotation) + header.count(Kind::ConstantRotation);
        for (local, rest) in self.locals.iter_mut().zip(self.rest) {
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
        let groups = self.layout.header.count(Kind::Rotation).div_ceil(8);
        // As many at a time: a last one alone would have to be waited for.
        let together = groups.div_ceil(groups.div_ceil(TOGETHER).max(1)).max(1);
        let mut numbers = [[W::splat(0.0); 6]; TOGETHER];
        for first in (0..groups).step_by(together) {
            let some = first..groups.min(first + together);
            for (group, numbers) in some.clone().zip(&mut numbers) {
                // Full groups are most: they are compiled by themselves.
                match self.layout.group(Kind::Rotation, group) {
                    (at, 8) => self.unpack(at, 8, numbers),
                    (at, count) => self.unpack(at, count, numbers),
                }
            }
            for numbers in &mut numbers[..some.len()] {
                let [x, y, z, next @ ..] = *numbers;
                [numbers[0], numbers[1], numbers[2], numbers[3]] =
                    mixed(self.share, [x, y, z], next);
            }
            for (group, [x, y, z, w, ..]) in some.zip(&numbers) {
                match self.layout.group(Kind::Rotation, group) {
                    (at, 8) => self.rotation(at, 8, [*x, *y, *z, *w]),
                    (at, count) => self.rotation(at, count, [*x, *y, *z, *w]),
                }
            }
        }
    }

    #[inline(always)]
    fn unpack<W: Wide>(&mut self, at: usize, count: usize, numbers: &mut [W; 6]) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 32] = reach(self.bytes, at as u32, &mut spare);
        let steps = Steps::new(word(group, 2 * count), word(group, 3 * count));
        [numbers[0], numbers[3]] = self.fields.next(&steps, count);
        [numbers[1], numbers[4]] = self.fields.next(&steps, count);
        [numbers[2], numbers[5]] = self.fields.next(&steps, count);
    }

    #[inline(always)]
    fn rotation<W: Wide>(&mut self, at: usize, count: usize, mixed: [W; 4]) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 96] = reach(self.bytes, at as u32, &mut spare);
        let left = quaternion(group, 4 * count, count);
        let right = quaternion(group, 8 * count, count);
        // None of the three is without length.
        let rotation = unit(product(product(left, mixed), right));
        put(group, count, rotation, Kind::Rotation, self.locals);
    }

    /// A group of anything but moving rotations.
    #[inline(always)]
    fn group<W: Wide>(&mut self, at: usize, count: usize, kind: Kind) {
        let mut spare = MaybeUninit::uninit();
        let group: &[u8; 128] = reach(self.bytes, at as u32, &mut spare);
        let own = |number: usize| (kind.own_at() + 4 * number) * count;
        let mut values = [0, 1, 2].map(|number| origin::<W>(group, own(number)));
        let steps = Steps::new(word(group, 2 * count), word(group, 3 * count));
        for value in &mut values[..kind.numbers()] {
            // Straight from the one to the other.
            let [from, to]: [W; 2] = self.fields.next(&steps, count);
            *value = (to - from).mul_add(W::splat(self.share), from) + *value;
        }
        match kind {
            Kind::Weight => put_numbers(group, count, values[0], self.weights),
            Kind::Property => put_numbers(group, count, values[0], self.properties),
            Kind::ConstantRotation => {
                put(group, count, unit(whole(values).0), kind, self.locals);
            }
            _ => put(group, count, values, kind, self.locals),
        }
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

/// What a kind drives of a transform.
#[inline(always)]
fn driven(kind: Kind, lanes: &mut Lanes) -> &mut [[f32; 8]] {
    match kind {
        Kind::Rotation | Kind::ConstantRotation => &mut lanes.rotation,
        Kind::Translation | Kind::ConstantTranslation => &mut lanes.translation,
        _ => &mut lanes.scale,
    }
}

/// Writes numbers into the nodes of a group. Eight that are a block of the pose go there at once.
#[inline(always)]
fn put<W: Wide, const N: usize>(
    group: &[u8],
    count: usize,
    values: [W; N],
    kind: Kind,
    locals: &mut [Lanes],
) {
    // Nodes rise: eight are in a row where the last is seven after the first.
    let [first, last] = [0, 14].map(|at| read_u16(group, at));
    if count == 8 && first.is_multiple_of(8) && last - first == 7 {
        let Some(block) = locals.get_mut(usize::from(first / 8)) else { return };
        for (row, value) in driven(kind, block).iter_mut().zip(values) {
            value.store(row);
        }
        return;
    }
    let mut rows = [[0.0; 8]; N];
    for (row, value) in rows.iter_mut().zip(values) {
        value.store(row);
    }
    for lane in 0..count {
        let node = usize::from(read_u16(group, 2 * lane));
        let Some(block) = locals.get_mut(node / 8) else { return };
        for (to, row) in driven(kind, block).iter_mut().zip(&rows) {
            to[node % 8] = row[lane];
        }
    }
}

/// Writes morph weights or driven values.
#[inline(always)]
fn put_numbers<W: Wide>(group: &[u8], count: usize, values: W, to: &mut [f32]) {
    let mut row = [0.0; 8];
    values.store(&mut row);
    for (lane, value) in row[..count].iter().enumerate() {
        if let Some(to) = to.get_mut(usize::from(read_u16(group, 2 * lane))) {
            *to = *value;
        }
    }
}
