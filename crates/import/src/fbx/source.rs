//! Motion, as [`fit`](crate::fit) asks for it: vectors, rotations, whole nodes, morph weights.
//!
//! The first two know their tangents by a formula; the others are asked for their values.

use glam::{DQuat, DVec3};

use super::channel::Channel;
use super::trigonometry::{sin_cos, sin_cos_of_both};
use crate::fit::{Source, angle_between, distance};

/// Three numbers, each `channel · factor + offset`: a translation or a scale.
pub(super) struct Vector<'a> {
    pub(super) channels: [Channel<'a>; 3],
    pub(super) factor: DVec3,
    pub(super) offset: DVec3,
    pub(super) tolerance: f64,
}

impl Source for Vector<'_> {
    fn width(&self) -> usize {
        3
    }

    fn open(&mut self, from: f64, to: f64) {
        self.channels.iter_mut().for_each(|channel| channel.open(from, to));
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        for (axis, channel) in self.channels.iter().enumerate() {
            out[axis] = channel.span().value(time) * self.factor[axis] + self.offset[axis];
        }
    }

    /// Exact: a cubic polynomial is its own Hermite piece.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        if !self.channels.iter().all(|channel| channel.span().is_polynomial()) {
            return None;
        }
        let (start, end) = piece.split_at_mut(9);
        self.value(from, start);
        self.value(to, end);
        for (axis, channel) in self.channels.iter().enumerate() {
            let rate = self.factor[axis] * (to - from);
            piece[3 + axis] = channel.span().slope(from) * rate;
            piece[6 + axis] = channel.span().slope(to) * rate;
        }
        Some(0.0)
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        distance(a, b) / self.tolerance
    }
}

/// A rotation by three animated angles, in degrees, between two that do not change.
pub(super) struct Euler<'a> {
    angles: [Channel<'a>; 3],
    /// Which axis rotates first, second, third.
    order: [usize; 3],
    /// When each axis rotates.
    place: [usize; 3],
    /// What does not change around the angles, where that is anything.
    before: Option<DQuat>,
    after: Option<DQuat>,
    /// In radians.
    tolerance: f64,
    /// Whether the order is a cyclic one: 1, or -1.
    sense: f64,
    /// The end of the last piece, where the next one often starts.
    last: Option<Moment>,
    /// The middle of the last piece, and the rotation there, where it is likely to be asked for.
    middle: Option<(f64, DQuat)>,
}

/// The axes of a rotation order, the one that rotates first at the front; `None` for spheric.
pub(super) fn order(order: ufbx::RotationOrder) -> Option<[usize; 3]> {
    use ufbx::RotationOrder as Order;
    Some(match order {
        Order::Xyz => [0, 1, 2],
        Order::Xzy => [0, 2, 1],
        Order::Yzx => [1, 2, 0],
        Order::Yxz => [1, 0, 2],
        Order::Zxy => [2, 0, 1],
        Order::Zyx => [2, 1, 0],
        Order::Spheric => return None,
    })
}

/// Half a degree's worth of radians: quaternions speak of half angles.
const HALF: f64 = std::f64::consts::PI / 360.0;

/// When each axis rotates, and whether the order is a cyclic one, which rotate in one sense: 1, or -1 for the others.
fn places(order: [usize; 3]) -> ([usize; 3], f64) {
    let mut place = [0; 3];
    for (at, axis) in order.into_iter().enumerate() {
        place[axis] = at;
    }
    (place, if (order[0] + 1) % 3 == order[1] { 1.0 } else { -1.0 })
}

/// The rotation by three angles in degrees.
pub(super) fn of_angles(degrees: DVec3, order: [usize; 3]) -> DQuat {
    let ([x, y, z], sense) = places(order);
    let parts = Products::new(order.map(|axis| degrees[axis] * HALF), sense).rotation();
    DQuat::from_xyzw(parts[x], parts[y], parts[z], parts[3])
}

/// Angles closer than this, in radians, and rates, per second, are the same moment seen from both sides.
const SAME_ANGLE: f64 = 1e-9;
const SAME_RATE: f64 = 1e-6;

/// A rotation and its change per second, with the half angles and rates it came from.
#[derive(Clone, Copy)]
struct Moment {
    halves: [f64; 3],
    rates: [f64; 3],
    rotation: DQuat,
    change: DQuat,
}

impl<'a> Euler<'a> {
    pub(super) fn new(angles: [Channel<'a>; 3], order: [usize; 3], tolerance: f64) -> Self {
        let (place, sense) = places(order);
        Self {
            angles,
            order,
            place,
            sense,
            before: None,
            after: None,
            tolerance,
            last: None,
            middle: None,
        }
    }

    /// The same between two rotations that do not change.
    pub(super) fn between(self, before: DQuat, after: DQuat) -> Self {
        let some = |rotation: DQuat| (rotation != DQuat::IDENTITY).then_some(rotation);
        Self { before: some(before), after: some(after), ..self }
    }

    /// From the parts along the first, second and third axis to a rotation.
    fn along(&self, parts: [f64; 4]) -> DQuat {
        let [x, y, z] = self.place;
        let mut rotation = DQuat::from_xyzw(parts[x], parts[y], parts[z], parts[3]);
        if let Some(before) = self.before {
            rotation = before * rotation;
        }
        if let Some(after) = self.after {
            rotation *= after;
        }
        rotation
    }

    fn halves(&self, time: f64) -> [f64; 3] {
        [0, 1, 2].map(|place: usize| self.angles[self.order[place]].span().value(time) * HALF)
    }

    fn rates(&self, time: f64) -> [f64; 3] {
        [0, 1, 2].map(|place: usize| self.angles[self.order[place]].span().slope(time) * HALF)
    }

    fn rotation(&self, time: f64) -> DQuat {
        self.along(Products::new(self.halves(time), self.sense).rotation())
    }

    /// The rotation, and its change per second.
    fn moment(&self, time: f64, last: Option<&Moment>) -> Moment {
        let (halves, rates) = (self.halves(time), self.rates(time));
        let near = |a: [f64; 3], b: [f64; 3], by: f64| (0..3).all(|at| (a[at] - b[at]).abs() <= by);
        if let Some(last) = last
            && near(last.halves, halves, SAME_ANGLE)
            && near(last.rates, rates, SAME_RATE)
        {
            return *last;
        }
        self.moment_of(halves, rates, &Products::new(halves, self.sense))
    }

    fn moment_of(&self, halves: [f64; 3], rates: [f64; 3], products: &Products) -> Moment {
        let rotation = self.along(products.rotation());
        Moment { halves, rates, rotation, change: self.along(products.change(rates)) }
    }

    /// A moment, and the rotation at another time.
    fn moment_and_rotation(&self, time: f64, other: f64) -> (Moment, DQuat) {
        let halves = self.halves(time);
        let [own, others] = Products::of_both([halves, self.halves(other)], self.sense);
        (self.moment_of(halves, self.rates(time), &own), self.along(others.rotation()))
    }

    /// A bound on the error of a piece of this length, in parts of the tolerance.
    fn bound(&self, length: f64) -> f64 {
        let mut sums = [0.0; 3];
        for channel in &self.angles {
            for (sum, bend) in sums.iter_mut().zip(channel.span().bends(length)) {
                *sum += bend * HALF;
            }
        }
        let [a, b, c] = sums;
        let fourth = a * a * a * a + 6.0 * a * a * b + 3.0 * b * b + 4.0 * a * c;
        fourth / 384.0 * 2.0 / self.tolerance
    }
}

/// The products of half angles' sines and cosines that a quaternion of three rotations is made of:
/// of the first two angles, each times the third's cosine and sine.
struct Products {
    cc: [f64; 2],
    ss: [f64; 2],
    sc: [f64; 2],
    cs: [f64; 2],
    sense: f64,
}

impl Products {
    fn new(halves: [f64; 3], sense: f64) -> Self {
        Self::of(sin_cos(halves), sense)
    }

    fn of_both(halves: [[f64; 3]; 2], sense: f64) -> [Self; 2] {
        sin_cos_of_both(halves).map(|sin_cos| Self::of(sin_cos, sense))
    }

    fn of(([s1, s2, s3], [c1, c2, c3]): ([f64; 3], [f64; 3]), sense: f64) -> Self {
        let both = |product: f64| [product * c3, product * s3];
        Self { cc: both(c1 * c2), ss: both(s1 * s2), sc: both(s1 * c2), cs: both(c1 * s2), sense }
    }

    /// `third · second · first`, as parts along the axes in the order they rotate, and the real part.
    fn rotation(&self) -> [f64; 4] {
        let Self { cc, ss, sc, cs, sense } = self;
        [sc[0] - sense * cs[1], cs[0] + sense * sc[1], cc[1] - sense * ss[0], cc[0] + sense * ss[1]]
    }

    /// The change of [`rotation`](Self::rotation) when the half angles change at these rates.
    fn change(&self, rates: [f64; 3]) -> [f64; 4] {
        let Self { cc, ss, sc, cs, sense } = self;
        let [one, _, three, real] = self.rotation();
        let first = [real, sense * cc[1] - ss[0], -sc[1] - sense * cs[0], -one];
        let second = [
            -ss[0] - sense * cc[1],
            cc[0] - sense * ss[1],
            -cs[1] - sense * sc[0],
            sense * sc[1] - cs[0],
        ];
        let third = [-sc[1] - sense * cs[0], sense * sc[0] - cs[1], real, -three];
        [0, 1, 2, 3].map(|at| rates[0] * first[at] + rates[1] * second[at] + rates[2] * third[at])
    }
}

impl Source for Euler<'_> {
    fn width(&self) -> usize {
        4
    }

    fn open(&mut self, from: f64, to: f64) {
        self.angles.iter_mut().for_each(|channel| channel.open(from, to));
        self.middle = None;
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        let known = self.middle.filter(|(middle, _)| *middle == time);
        let rotation = known.map_or_else(|| self.rotation(time), |(_, rotation)| rotation);
        out.copy_from_slice(&rotation.to_array());
    }

    /// A Hermite piece errs by at most a 384th of the fourth derivative. Each factor is an
    /// exponential of its angle, so the derivative is at most the fourth Bell polynomial of the
    /// sums of the half angles' derivatives.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        if !self.angles.iter().all(|channel| channel.span().is_polynomial()) {
            return None;
        }
        let length = to - from;
        let bound = self.bound(length);
        let start = self.moment(from, self.last.as_ref());
        // A piece that may be off is looked at in its middle.
        let end = if bound > 1.0 {
            let middle = from + length * 0.5;
            let (end, rotation) = self.moment_and_rotation(to, middle);
            self.middle = Some((middle, rotation));
            end
        } else {
            self.moment(to, None)
        };
        self.last = Some(end);
        let parts = [start.rotation, start.change * length, end.change * length, end.rotation];
        for (part, value) in piece.chunks_exact_mut(4).zip(parts) {
            part.copy_from_slice(&value.to_array());
        }
        Some(bound)
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        angle_between(a, b) / self.tolerance
    }

    fn quaternions(&self) -> &'static [usize] {
        &[0]
    }
}

/// Something that knows a node's translation, rotation and scale at any time.
pub(super) trait Motion {
    /// Goes to the times between two neighbouring moments.
    fn open(&mut self, from: f64, to: f64);

    /// Translation, rotation and scale at a time.
    fn at(&mut self, time: f64) -> (DVec3, DQuat, DVec3);
}

/// ufbx knows all motions, if not fast.
pub(super) struct Asked<'a> {
    pub(super) anim: &'a ufbx::Anim,
    pub(super) node: &'a ufbx::Node,
}

impl Motion for Asked<'_> {
    fn open(&mut self, _: f64, _: f64) {}

    fn at(&mut self, time: f64) -> (DVec3, DQuat, DVec3) {
        super::node::local_at(self.anim, self.node, time)
    }
}

/// Translation, rotation and scale together.
pub(super) struct Whole<M> {
    pub(super) motion: M,
    /// Whether the motion may jump at a moment, so that ends must be asked for from inside.
    pub(super) jumps: bool,
    pub(super) length: f64,
    pub(super) angle: f64,
    pub(super) scale: f64,
    pub(super) inside: [f64; 2],
}

/// How far inside a stretch its end is asked for, as a share of it.
const INSIDE: f64 = 1e-7;

impl<M: Motion> Source for Whole<M> {
    fn width(&self) -> usize {
        10
    }

    fn open(&mut self, from: f64, to: f64) {
        let margin = if self.jumps { (to - from) * INSIDE } else { 0.0 };
        self.inside = [from + margin, to - margin];
        self.motion.open(from, to);
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        let (translation, rotation, scale) =
            self.motion.at(time.clamp(self.inside[0], self.inside[1]));
        out[..3].copy_from_slice(&translation.to_array());
        out[3..7].copy_from_slice(&rotation.to_array());
        out[7..].copy_from_slice(&scale.to_array());
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let length = distance(&a[..3], &b[..3]) / self.length;
        let angle = angle_between(&a[3..7], &b[3..7]) / self.angle;
        let scale = distance(&a[7..], &b[7..]) / self.scale;
        length.max(angle).max(scale)
    }

    fn quaternions(&self) -> &'static [usize] {
        &[3]
    }

    fn is_continuous(&self) -> bool {
        !self.jumps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fbx::number::dquat;

    #[test]
    fn three_angles_make_the_rotation_that_ufbx_makes_of_them() {
        use ufbx::RotationOrder as Order;
        let degrees = DVec3::new(20.0, -130.0, 75.0);
        let filed = ufbx::Vec3 { x: degrees.x, y: degrees.y, z: degrees.z };
        for axes in [Order::Xyz, Order::Xzy, Order::Yzx, Order::Yxz, Order::Zxy, Order::Zyx] {
            let expected = dquat(ufbx::euler_to_quat(filed, axes));
            let found = of_angles(degrees, order(axes).expect("three axes"));
            assert!(found.abs_diff_eq(expected, 1e-14), "{axes:?}: {found}, {expected}");
        }
    }
}
