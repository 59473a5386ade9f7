//! A smooth clip at a time: as [`sample`](crate::Packed::sample) does it, with a cubic through four frames.
//!
//! A turn's three stored numbers are mixed and the fourth follows from them once, so four frames cost
//! less than twice what two do.

use sinew_lanes::{Bytes, Kernel, Places, Wide};

use crate::table::{Field, Segment, Table, Tracks};
use crate::target::{Target, put, put_numbers};
use crate::turn::{put_spin, put_turn, whole};
use crate::unpack::values;

/// Four frames: their segments, where they begin, and their shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four {
    pub(crate) segments: [usize; 4],
    pub(crate) frames: [usize; 4],
    pub(crate) shares: [f32; 4],
    /// The shares of tracks that hold until the next frame.
    pub(crate) holding: [f32; 4],
}

pub(crate) struct Smooth<'a> {
    pub(crate) bytes: Bytes<'a>,
    pub(crate) four: Four,
    pub(crate) table: &'a Table,
    pub(crate) target: Target<'a>,
}

impl Kernel for &mut Smooth<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        self.target.still::<W>(self.table);
        let [a, b, c, d] = self.four.segments;
        let segment = |at: usize| self.table.segment(at);
        if [b, c, d] == [a; 3] {
            let all = segment(a);
            self.all::<W, true, false>([&all; 4]);
        } else {
            let [a, b, c, d] = [segment(a), segment(b), segment(c), segment(d)];
            self.all::<W, false, false>([&a, &b, &c, &d]);
        }
    }
}

impl Smooth<'_> {
    #[inline(always)]
    fn all<W: Wide, const SAME: bool, const NARROW: bool>(&mut self, of: [&Segment<'_>; 4]) {
        let Self { bytes, four, table, target } = self;
        let frames = Frames { four: *four, places: bytes.places(four.frames) };
        let [a, b, c, d] = of;
        for (at, turn) in table.turns.iter().enumerate() {
            let Some(block) = target.locals.get_mut(turn.tracks.block) else { return };
            let (a, b, c, d) = (&a.turns[at], &b.turns[at], &c.turns[at], &d.turns[at]);
            let [x, y, z] = frames.three::<W, SAME, NARROW>(&turn.tracks, [a, b, c, d]);
            put_turn(turn, whole([x, y, z]), W::splat(1.0), &mut block.rotation);
        }
        for (at, tracks) in table.spins.iter().enumerate() {
            let Some(block) = target.locals.get_mut(tracks.block) else { return };
            let (a, b, c, d) = (&a.spins[at], &b.spins[at], &c.spins[at], &d.spins[at]);
            let mut spin = [W::splat(0.0); 4];
            for (part, number) in spin.iter_mut().enumerate() {
                let fields = [&a[part], &b[part], &c[part], &d[part]];
                *number = frames.mixed::<W, SAME, NARROW>(tracks, fields);
            }
            put_spin(tracks, spin, &mut block.rotation);
        }
        for (at, vector) in table.vectors.iter().enumerate() {
            let Some(block) = target.locals.get_mut(vector.tracks.block) else { return };
            let (a, b, c, d) = (&a.vectors[at], &b.vectors[at], &c.vectors[at], &d.vectors[at]);
            let rows = if vector.scale { &mut block.scale } else { &mut block.translation };
            let mixed = frames.three::<W, SAME, NARROW>(&vector.tracks, [a, b, c, d]);
            for axis in 0..3 {
                let origin = W::load(&vector.origin[axis]);
                put(&vector.tracks, mixed[axis] + origin, &mut rows[axis]);
            }
        }
        for (at, numbers) in table.numbers.iter().enumerate() {
            let fields = [&a.numbers[at], &b.numbers[at], &c.numbers[at], &d.numbers[at]];
            let mixed = frames.mixed::<W, SAME, NARROW>(&numbers.tracks, fields);
            put_numbers(numbers, mixed, target);
        }
    }
}

#[derive(Clone, Copy)]
struct Frames<'a> {
    four: Four,
    places: Places<'a, 4>,
}

impl Frames<'_> {
    #[inline(always)]
    fn three<W: Wide, const SAME: bool, const NARROW: bool>(
        &self,
        tracks: &Tracks,
        [a, b, c, d]: [&[Field; 3]; 4],
    ) -> [W; 3] {
        [
            self.mixed::<W, SAME, NARROW>(tracks, [&a[0], &b[0], &c[0], &d[0]]),
            self.mixed::<W, SAME, NARROW>(tracks, [&a[1], &b[1], &c[1], &d[1]]),
            self.mixed::<W, SAME, NARROW>(tracks, [&a[2], &b[2], &c[2], &d[2]]),
        ]
    }

    /// One number of each track, mixed from the four frames.
    #[inline(always)]
    fn mixed<W: Wide, const SAME: bool, const NARROW: bool>(
        &self,
        tracks: &Tracks,
        of: [&Field; 4],
    ) -> W {
        let Four { shares, holding, .. } = self.four;
        let moves = W::load(&tracks.moves);
        let numbers: [W; 4] = if SAME {
            values::<W, NARROW, _>(tracks, of[0], &self.places)
        } else {
            self.apart::<W, NARROW>(tracks, of)
        };
        let mut sum = W::splat(0.0);
        for (at, number) in numbers.into_iter().enumerate() {
            // Exact at both ends: moves is 0 or 1.
            let (share, hold) = (W::splat(shares[at]), W::splat(holding[at]));
            let share = moves.mul_add(share, (W::splat(1.0) - moves) * hold);
            sum = number.mul_add(share, sum);
        }
        sum
    }

    /// One number of each track, in frames of several segments.
    #[inline(always)]
    fn apart<W: Wide, const NARROW: bool>(&self, tracks: &Tracks, of: [&Field; 4]) -> [W; 4] {
        let mut numbers = [W::splat(0.0); 4];
        for (number, (field, place)) in
            numbers.iter_mut().zip(of.into_iter().zip(self.places.apart()))
        {
            [*number] = values::<W, NARROW, _>(tracks, field, &place);
        }
        numbers
    }
}
