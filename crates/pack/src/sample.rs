//! A packed clip at a time, written into a pose: eight tracks at once, and nothing remembered.

use sinew_lanes::{Bytes, Kernel, Places, SimdLevel, Wide, run};
use sinew_motion::{Lanes, Pose};

use crate::arc::Bend;
use crate::smooth::Smooth;
use crate::table::{Field, Segment, Table, Tracks, Turn, Vector};
use crate::target::{Target, put, put_numbers};
use crate::turn::{mix, nearness, put_spin, put_turn, shares, whole_pair};
use crate::unpack::values;
use crate::{Course, Packed};

impl<B: AsRef<[u8]>> Packed<B> {
    /// Writes the clip's state at `time` into `pose`; times outside hold its ends. Model matrices
    /// follow by [`Pose::to_model`]. What the clip does not drive is at rest.
    ///
    /// # Panics
    /// When the pose has another number of nodes, morph weights or driven values.
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        self.sample_on(SimdLevel::current(), time, pose);
    }

    /// The same on a given path. [`SimdLevel::Fast`] strays from the others by less than 1e-6 in
    /// rotations, and of the size of the numbers elsewhere.
    ///
    /// # Panics
    /// As [`sample`](Self::sample).
    pub fn sample_on(&self, path: SimdLevel, time: f32, pose: &mut Pose) {
        self.check_pose(pose);
        let bytes = Bytes::new(self.bytes()).expect("a file is longer than its fixed part");
        let table = self.table();
        let target = Target::new(pose, self.constants());
        if self.course() == Course::Straight {
            run(path, &mut Sample { bytes, moment: self.moment(time), table, target });
        } else {
            run(path, &mut Smooth { bytes, four: self.four(time), table, target });
        }
    }
}

/// The frames on both sides of a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Their segments.
    pub(crate) segments: [usize; 2],
    /// The places [`BEFORE`](crate::table::BEFORE) them in the file.
    pub(crate) frames: [usize; 2],
    pub(crate) bend: Bend,
}

/// Two frames, all that is needed to read them, and where they go.
struct Sample<'a> {
    bytes: Bytes<'a>,
    moment: Moment,
    table: &'a Table,
    target: Target<'a>,
}

impl Kernel for &mut Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let Sample { bytes, moment, table, target } = self;
        let Moment { segments: [first, second], frames, bend } = *moment;
        target.still::<W>(table);
        let two = Two { both: bytes.places(frames), bend };
        let from = table.segment(first);
        if first != second {
            two.all::<W, false, false>(table, [&from, &table.segment(second)], target);
        } else if table.narrow {
            two.all::<W, true, true>(table, [&from, &from], target);
        } else {
            two.all::<W, true, false>(table, [&from, &from], target);
        }
    }
}

/// How many groups of turns are fetched before any is worked out: one group's work is a long chain
/// that leaves the machine idle, several chains fill it.
const TURNS: usize = 8;

/// Two frames; `SAME` where they are of one segment.
#[derive(Clone, Copy)]
struct Two<'a> {
    both: Places<'a, 2>,
    bend: Bend,
}

impl Two<'_> {
    #[inline(always)]
    fn all<W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        table: &Table,
        [a, b]: [&Segment<'_>; 2],
        to: &mut Target<'_>,
    ) {
        let mut turns = table.turns.iter().zip(a.turns).zip(b.turns);
        let mut held = [None; TURNS];
        while turns.len() > 0 {
            let mut count = 0;
            for (slot, ((turn, a), b)) in held.iter_mut().zip(&mut turns) {
                *slot = Some(self.turn::<W, SAME, NARROW>(turn, [a, b]));
                count += 1;
            }
            for held in held[..count].iter().flatten() {
                held.put(self.bend, to.locals);
            }
        }
        for ((tracks, a), b) in table.spins.iter().zip(a.spins).zip(b.spins) {
            let Some(block) = to.locals.get_mut(tracks.block) else { return };
            self.spin::<W, SAME, NARROW>(tracks, [a, b], &mut block.rotation);
        }
        for ((vector, a), b) in table.vectors.iter().zip(a.vectors).zip(b.vectors) {
            let Some(block) = to.locals.get_mut(vector.tracks.block) else { return };
            let rows = if vector.scale { &mut block.scale } else { &mut block.translation };
            self.vector::<W, SAME, NARROW>(vector, [a, b], rows);
        }
        for ((numbers, a), b) in table.numbers.iter().zip(a.numbers).zip(b.numbers) {
            let mixed = self.mixed::<W, SAME, NARROW>(&numbers.tracks, [a, b]);
            put_numbers(numbers, mixed, to);
        }
    }

    /// One number of each track, in both frames.
    #[inline(always)]
    fn both<W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        tracks: &Tracks,
        of: [&Field; 2],
    ) -> [W; 2] {
        if SAME {
            return values::<W, NARROW, _>(tracks, of[0], &self.both);
        }
        let [first, second] = self.both.apart();
        let ([from], [to]) = (
            values::<W, NARROW, _>(tracks, of[0], &first),
            values::<W, NARROW, _>(tracks, of[1], &second),
        );
        [from, to]
    }

    /// One number of each track, straight between both frames.
    #[inline(always)]
    fn mixed<W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        tracks: &Tracks,
        of: [&Field; 2],
    ) -> W {
        let share = W::load(&tracks.moves) * W::splat(self.bend.share);
        let [from, to] = self.both::<W, SAME, NARROW>(tracks, of);
        (to - from).mul_add(share, from)
    }

    #[inline(always)]
    fn turn<'a, W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        turn: &'a Turn,
        [a, b]: [&[Field; 3]; 2],
    ) -> Held<'a, W> {
        let x = self.both::<W, SAME, NARROW>(&turn.tracks, [&a[0], &b[0]]);
        let y = self.both::<W, SAME, NARROW>(&turn.tracks, [&a[1], &b[1]]);
        let z = self.both::<W, SAME, NARROW>(&turn.tracks, [&a[2], &b[2]]);
        let [from, to] = whole_pair([x[0], y[0], z[0]], [x[1], y[1], z[1]]);
        Held { turn, from, to, near: nearness(from, to) }
    }

    #[inline(always)]
    fn spin<W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        tracks: &Tracks,
        [a, b]: [&[Field; 4]; 2],
        rows: &mut [[f32; 8]; 4],
    ) {
        let x = self.both::<W, SAME, NARROW>(tracks, [&a[0], &b[0]]);
        let y = self.both::<W, SAME, NARROW>(tracks, [&a[1], &b[1]]);
        let z = self.both::<W, SAME, NARROW>(tracks, [&a[2], &b[2]]);
        let w = self.both::<W, SAME, NARROW>(tracks, [&a[3], &b[3]]);
        let (from, to) = ([x[0], y[0], z[0], w[0]], [x[1], y[1], z[1], w[1]]);
        // Rounded as they are, they are not quite of unit length.
        let [rest, share, _] = shares(tracks, nearness(from, to), self.bend);
        put_spin(tracks, mix(from, to, [rest, share]), rows);
    }

    #[inline(always)]
    fn vector<W: Wide, const SAME: bool, const NARROW: bool>(
        self,
        vector: &Vector,
        [a, b]: [&[Field; 3]; 2],
        rows: &mut [[f32; 8]; 3],
    ) {
        for (axis, row) in rows.iter_mut().enumerate() {
            let mixed = self.mixed::<W, SAME, NARROW>(&vector.tracks, [&a[axis], &b[axis]]);
            put(&vector.tracks, mixed + W::load(&vector.origin[axis]), row);
        }
    }
}

/// A group of turns, fetched in both frames.
#[derive(Clone, Copy)]
struct Held<'a, W> {
    turn: &'a Turn,
    from: [W; 4],
    to: [W; 4],
    near: W,
}

impl<W: Wide> Held<'_, W> {
    #[inline(always)]
    fn put(&self, bend: Bend, locals: &mut [Lanes]) {
        let Some(block) = locals.get_mut(self.turn.tracks.block) else { return };
        let [rest, share, scale] = shares(&self.turn.tracks, self.near, bend);
        let mixed = mix(self.from, self.to, [rest, share]);
        put_turn(self.turn, mixed, scale, &mut block.rotation);
    }
}
