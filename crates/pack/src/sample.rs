//! A packed clip at a time, written into a pose: eight tracks at once, and nothing remembered.

use sinew_lanes::{Bytes, Ints, Kernel, Path, Wide, run};
use sinew_motion::{Lanes, Pose};

use crate::Packed;
use crate::arc::{Bend, bent};
use crate::file::Moment;
use crate::group::{GROUP, Group, Kind};
use crate::smooth::Smooth;
use crate::step::{COARSER, steps};
use crate::unpack::{Fields, Spread};

impl<B: AsRef<[u8]>> Packed<B> {
    /// Writes the clip's state at `time` into `pose`; times outside hold its ends. Model matrices
    /// follow by [`Pose::to_model`]. What the clip does not drive is at rest.
    ///
    /// # Panics
    /// When the pose has another number of nodes, morph weights or driven values.
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        self.sample_on(Path::current(), time, pose);
    }

    /// The same on a given path. [`Path::Fast`] strays from the others by less than 1e-6 in
    /// rotations, and of the size of the numbers elsewhere.
    ///
    /// # Panics
    /// As [`sample`](Self::sample).
    pub fn sample_on(&self, path: Path, time: f32, pose: &mut Pose) {
        self.check_pose(pose);
        pose.to_rest();
        let (locals, weights, properties) = pose.parts_mut();
        let bytes = Bytes::new(self.bytes()).expect("a file is longer than its fixed part");
        self.write_constants(locals);
        let properties = properties.as_flattened_mut();
        let (groups, fixed) = (self.groups(), self.fixed());
        if self.smooth() {
            let four = self.four(time);
            run(path, Smooth { bytes, four, groups, fixed, locals, weights, properties });
        } else {
            let moment = self.moment(time);
            run(path, Sample { bytes, moment, groups, fixed, locals, weights, properties });
        }
    }
}

/// Two frames, where all that is needed to read them lies, and where they go.
struct Sample<'a> {
    bytes: Bytes<'a>,
    moment: Moment,
    groups: &'a [[u8; GROUP]],
    fixed: usize,
    locals: &'a mut [Lanes],
    weights: &'a mut [f32],
    properties: &'a mut [f32],
}

/// How far the reading of two frames is.
struct Place {
    fixed: usize,
    heads: [usize; 2],
    bits: [usize; 2],
    frames: [usize; 2],
}

impl Place {
    /// One number of each track, in both frames.
    #[inline(always)]
    fn next<W: Wide, const SAME: bool>(
        &mut self,
        bytes: Bytes<'_>,
        spread: &Spread<W>,
        scales: [W; 2],
    ) -> [W; 2] {
        let [first, second] = self.heads;
        self.heads = [first + 2 * spread.tracks, second + 2 * spread.tracks];
        let fields = Fields::read(bytes, first, &mut self.bits[0], spread, scales);
        let a = fields.at(bytes, self.frames[0]);
        if SAME {
            return [a, fields.at(bytes, self.frames[1])];
        }
        let fields = Fields::read(bytes, second, &mut self.bits[1], spread, scales);
        [a, fields.at(bytes, self.frames[1])]
    }

    /// A group of morph weights or of driven values' numbers.
    #[inline(always)]
    fn scalars<W: Wide, const SAME: bool>(
        &mut self,
        bytes: Bytes<'_>,
        group: Group,
        bend: Bend,
        values: &mut [f32],
    ) {
        let spread = Spread::<W>::new(group);
        let (scales, pace) = fixed(bytes, self.fixed, &spread, bend);
        let origin = spread.words(bytes, self.fixed + 2 * spread.tracks).as_floats();
        self.fixed += spread.tracks * group.kind.fixed();
        let [from, to] = self.next::<W, SAME>(bytes, &spread, scales);
        let mut eight = [0.0; 8];
        ((to - from).mul_add(pace.share, from) + origin).store(&mut eight);
        let first = usize::from(group.block) * 8;
        for (lane, value) in values.iter_mut().skip(first).take(8).enumerate() {
            if group.mask >> lane & 1 == 1 {
                *value = eight[lane];
            }
        }
    }
}

/// How many groups of turns are fetched before any is worked out: one group's work is a long chain
/// that leaves the machine idle, several chains fill it.
const TURNS: usize = 8;

/// A group of turns, fetched in two frames.
#[derive(Clone, Copy)]
struct Turn<W> {
    group: Group,
    /// Where what holds for all frames lies.
    fixed: usize,
    pace: Pace<W>,
    xyz: [[W; 2]; 3],
}

impl<W: Wide> Turn<W> {
    #[inline(always)]
    fn none() -> Self {
        let (group, none) = (Group { block: 0, kind: Kind::Turn, mask: 0 }, W::splat(0.0));
        Self { group, fixed: 0, pace: Pace { share: none, most: none }, xyz: [[none; 2]; 3] }
    }

    /// Mixes the frames, and turns what is stored into what was meant.
    #[inline(always)]
    fn put(&self, bytes: Bytes<'_>, side: W, rows: &mut [[f32; 8]; 4]) {
        let spread = Spread::<W>::new(self.group);
        let [x, y, z] = self.xyz;
        let from = [x[0], y[0], z[0], fourth(x[0], y[0], z[0])];
        let to = [x[1], y[1], z[1], fourth(x[1], y[1], z[1])];
        let mixed = mix(from, to, self.pace, side);
        let left = quaternion(spread.words(bytes, self.fixed + 2 * spread.tracks));
        let right = quaternion(spread.words(bytes, self.fixed + 6 * spread.tracks));
        put(product(product(left, mixed), right), &spread, rows);
    }
}

impl Place {
    /// Fetches a group of turns.
    #[inline(always)]
    fn turn<W: Wide, const SAME: bool>(
        &mut self,
        bytes: Bytes<'_>,
        group: Group,
        bend: Bend,
    ) -> Turn<W> {
        let spread = Spread::<W>::new(group);
        let at = self.fixed;
        let (scales, pace) = fixed(bytes, at, &spread, bend);
        self.fixed += spread.tracks * group.kind.fixed();
        let x = self.next::<W, SAME>(bytes, &spread, scales);
        let y = self.next::<W, SAME>(bytes, &spread, scales);
        let z = self.next::<W, SAME>(bytes, &spread, scales);
        Turn { group, fixed: at, pace, xyz: [x, y, z] }
    }
}

/// How far between two frames each lane is, and how much that may be bent.
#[derive(Clone, Copy)]
struct Pace<W> {
    share: W,
    most: W,
}

/// What holds for all frames of a group's tracks: step and base unit, and how far between frames.
#[inline(always)]
fn fixed<W: Wide>(
    bytes: Bytes<'_>,
    at: usize,
    spread: &Spread<W>,
    bend: Bend,
) -> ([W; 2], Pace<W>) {
    let step = steps(spread.bytes(bytes, at));
    let coarser = spread.bytes(bytes, at + spread.tracks);
    let unit = step * (coarser & W::Ints::splat(i32::from(COARSER))).exp2();
    let holds = coarser.to_floats().above(W::splat(127.5));
    let pick = |number: f32| holds.pick(W::splat(0.0), W::splat(number));
    ([step, unit], Pace { share: pick(bend.share), most: pick(bend.most) })
}

impl Kernel for Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        if self.moment.same() { self.all::<W, true>() } else { self.all::<W, false>() }
    }
}

impl Sample<'_> {
    #[inline(always)]
    fn all<W: Wide, const SAME: bool>(self) {
        let Self { bytes, moment, groups, .. } = self;
        let Moment { heads, frames, .. } = moment;
        let mut place = Place { fixed: self.fixed, heads, bits: [0; 2], frames };
        let side = W::splat(moment.bend.side);
        let mut rest = groups;
        let mut turns = [Turn::none(); TURNS];
        loop {
            let mut count = 0;
            while let Some((group, after)) = rest.split_first() {
                let group = Group::read(*group).filter(|group| group.kind == Kind::Turn);
                let Some(group) = group.filter(|_| count < TURNS) else { break };
                rest = after;
                turns[count] = place.turn::<W, SAME>(bytes, group, moment.bend);
                count += 1;
            }
            for turn in &turns[..count] {
                let Some(block) = self.locals.get_mut(usize::from(turn.group.block)) else {
                    return;
                };
                turn.put(bytes, side, &mut block.rotation);
            }
            if count == 0 {
                break;
            }
        }
        for group in rest {
            let Some(group) = Group::read(*group) else { return };
            if group.kind >= Kind::Weight {
                let values = if group.kind == Kind::Weight {
                    &mut *self.weights
                } else {
                    &mut *self.properties
                };
                place.scalars::<W, SAME>(bytes, group, moment.bend, values);
                continue;
            }
            let Some(block) = self.locals.get_mut(usize::from(group.block)) else { return };
            let spread = Spread::<W>::new(group);
            let at = place.fixed;
            let (scales, pace) = fixed(bytes, at, &spread, moment.bend);
            place.fixed += spread.tracks * group.kind.fixed();
            match group.kind {
                Kind::Spin => {
                    let x = place.next::<W, SAME>(bytes, &spread, scales);
                    let y = place.next::<W, SAME>(bytes, &spread, scales);
                    let z = place.next::<W, SAME>(bytes, &spread, scales);
                    let w = place.next::<W, SAME>(bytes, &spread, scales);
                    let (from, to) = ([x[0], y[0], z[0], w[0]], [x[1], y[1], z[1], w[1]]);
                    let mixed = mix(from, to, pace, side);
                    put(mixed, &spread, &mut block.rotation);
                }
                Kind::Translation | Kind::Scale => {
                    let rows = match group.kind {
                        Kind::Translation => &mut block.translation,
                        _ => &mut block.scale,
                    };
                    for (axis, row) in rows.iter_mut().enumerate() {
                        let [from, to] = place.next::<W, SAME>(bytes, &spread, scales);
                        let origin = at + (2 + 4 * axis) * spread.tracks;
                        let origin = spread.words(bytes, origin).as_floats();
                        spread.put((to - from).mul_add(pace.share, from) + origin, row);
                    }
                }
                Kind::Turn | Kind::Weight | Kind::Property => {}
            }
        }
    }
}

/// The number that makes a quaternion's length one; it is never negative.
#[inline(always)]
pub(crate) fn fourth<W: Wide>(x: W, y: W, z: W) -> W {
    let left = x.mul_sub_from(x, W::splat(1.0));
    z.mul_sub_from(z, y.mul_sub_from(y, left)).max(W::splat(0.0)).sqrt()
}

/// Between two rotations of unit length, the short way and at an even pace; not of unit length.
#[inline(always)]
fn mix<W: Wide>(a: [W; 4], b: [W; 4], pace: Pace<W>, side: W) -> [W; 4] {
    let near = b[3].mul_add(a[3], b[2].mul_add(a[2], b[1].mul_add(a[1], b[0] * a[0])));
    let share = bent(pace.share, pace.most, side, near.flip(near));
    let (rest, share) = (W::splat(1.0) - share, share.flip(near));
    [
        b[0].mul_add(share, a[0] * rest),
        b[1].mul_add(share, a[1] * rest),
        b[2].mul_add(share, a[2] * rest),
        b[3].mul_add(share, a[3] * rest),
    ]
}

/// Four signed bytes as a quaternion's numbers, of any length.
#[inline(always)]
pub(crate) fn quaternion<I: Ints>(four: I) -> [I::Floats; 4] {
    [
        four.shift_left::<24>().shift_right::<24>().to_floats(),
        four.shift_left::<16>().shift_right::<24>().to_floats(),
        four.shift_left::<8>().shift_right::<24>().to_floats(),
        four.shift_right::<24>().to_floats(),
    ]
}

#[inline(always)]
pub(crate) fn product<W: Wide>([a, b, c, d]: [W; 4], [x, y, z, w]: [W; 4]) -> [W; 4] {
    [
        c.mul_sub_from(y, b.mul_add(z, a.mul_add(w, d * x))),
        a.mul_sub_from(z, c.mul_add(x, b.mul_add(w, d * y))),
        b.mul_sub_from(x, a.mul_add(y, c.mul_add(w, d * z))),
        c.mul_sub_from(z, b.mul_sub_from(y, a.mul_sub_from(x, d * w))),
    ]
}

/// Writes rotations at unit length; one that has no length is none.
#[inline(always)]
pub(crate) fn put<W: Wide>([x, y, z, w]: [W; 4], spread: &Spread<W>, rows: &mut [[f32; 8]; 4]) {
    let square = w.mul_add(w, z.mul_add(z, y.mul_add(y, x * x)));
    let (good, scale) = (square.above(W::splat(1e-12)), square.rsqrt());
    let [to_x, to_y, to_z, to_w] = rows;
    spread.put(good.pick(x * scale, W::splat(0.0)), to_x);
    spread.put(good.pick(y * scale, W::splat(0.0)), to_y);
    spread.put(good.pick(z * scale, W::splat(0.0)), to_z);
    spread.put(good.pick(w * scale, W::splat(1.0)), to_w);
}
