//! Curves of a clip in double precision, piece by piece: what the keys of an FBX curve have to follow.
//!
//! In:  a track's curve.
//! Out: its value anywhere in a piece, as the numbers that FBX has for it: lengths in the file's unit, Euler angles, percent.
//!
//! The formulas are those by which clips are sampled: glTF 2.0, appendix C.

use glam::{DQuat, DVec3};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Curve, Interpolation, Rows};

use crate::euler;

/// FBX rotates about X first, so X is the innermost of the three.
pub(super) const XYZ: [usize; 3] = [2, 1, 0];

/// Something that goes from key to key.
pub(super) trait Source<const N: usize> {
    fn times(&self) -> &[f32];

    fn interpolation(&self) -> Interpolation;

    /// The value at a fraction of the piece that begins at a key. Angles are given as near to `near` as may be.
    fn value(&self, piece: usize, fraction: f64, near: [f64; N]) -> [f64; N];

    /// How far apart two values are, in tolerances.
    fn distance(&self, a: [f64; N], b: [f64; N]) -> f64;

    /// In how many steps a piece is looked at, at least.
    fn steps(&self, _piece: usize) -> usize {
        1
    }
}

/// The weights of value, out-tangent, next value and next in-tangent.
fn hermite(t: f64, length: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        length * (t3 - 2.0 * t2 + t),
        3.0 * t2 - 2.0 * t3,
        length * (t3 - t2),
    ]
}

/// The length of a piece, in seconds; zero after the last key.
fn length(times: &[f32], piece: usize) -> f64 {
    times.get(piece + 1).map_or(0.0, |&next| f64::from(next) - f64::from(times[piece]))
}

/// A translation or a scale.
pub(super) struct Vector<'a> {
    pub(super) curve: &'a Curve<Vec3>,
    pub(super) factor: f64,
    pub(super) tolerance: f64,
}

impl Source<3> for Vector<'_> {
    fn times(&self) -> &[f32] {
        self.curve.times()
    }

    fn interpolation(&self) -> Interpolation {
        self.curve.interpolation()
    }

    fn value(&self, piece: usize, fraction: f64, _: [f64; 3]) -> [f64; 3] {
        let values = self.curve.values();
        let length = length(self.curve.times(), piece);
        let wide = |at: usize| values[at].as_dvec3();
        let found = match self.curve.interpolation() {
            Interpolation::Cubic if length == 0.0 => wide(3 * piece + 1),
            Interpolation::Cubic => {
                let [a, b, c, d] = hermite(fraction, length);
                let (from, to) = (3 * piece, 3 * piece + 3);
                wide(from + 1) * a + wide(from + 2) * b + wide(to + 1) * c + wide(to) * d
            }
            Interpolation::Linear if length > 0.0 => wide(piece).lerp(wide(piece + 1), fraction),
            _ => wide(piece),
        };
        (found * self.factor).to_array()
    }

    fn distance(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        DVec3::from(a).distance(DVec3::from(b)) / (self.tolerance * self.factor)
    }
}

/// A rotation, as angles about X, Y and Z in degrees.
pub(super) struct Rotation<'a> {
    pub(super) curve: &'a Curve<Quat>,
    /// In radians.
    pub(super) tolerance: f64,
}

impl Rotation<'_> {
    fn rotation(&self, piece: usize, fraction: f64) -> DQuat {
        let values = self.curve.values();
        let length = length(self.curve.times(), piece);
        let wide = |at: usize| values[at].as_dquat();
        match self.curve.interpolation() {
            Interpolation::Cubic if length == 0.0 => wide(3 * piece + 1).normalize(),
            Interpolation::Cubic => {
                let [a, b, c, d] = hermite(fraction, length);
                let (from, to) = (3 * piece, 3 * piece + 3);
                let key = wide(from + 1);
                let sum = key * a + wide(from + 2) * b + wide(to + 1) * c + wide(to) * d;
                if sum.length() > 1e-12 { sum.normalize() } else { key.normalize() }
            }
            Interpolation::Linear if length > 0.0 => {
                wide(piece).normalize().slerp(wide(piece + 1).normalize(), fraction)
            }
            _ => wide(piece).normalize(),
        }
    }
}

/// Degrees about X, Y, Z that give a rotation, near to others.
pub(super) fn degrees_near(rotation: DQuat, near: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = near.map(f64::to_radians);
    let [z, y, x] = euler::angles_near(rotation, XYZ, [z, y, x]);
    [x, y, z].map(f64::to_degrees)
}

impl Source<3> for Rotation<'_> {
    fn times(&self) -> &[f32] {
        self.curve.times()
    }

    fn interpolation(&self) -> Interpolation {
        self.curve.interpolation()
    }

    fn value(&self, piece: usize, fraction: f64, near: [f64; 3]) -> [f64; 3] {
        degrees_near(self.rotation(piece, fraction), near)
    }

    fn distance(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        let rotation = |[x, y, z]: [f64; 3]| euler::rotation([z, y, x].map(f64::to_radians), XYZ);
        let change = rotation(a).inverse() * rotation(b);
        2.0 * change.xyz().length().atan2(change.w.abs()) / self.tolerance
    }

    /// At most an eighth of a circle each, so that no step can be taken for its way round the other side.
    fn steps(&self, piece: usize) -> usize {
        let change = self.rotation(piece, 0.0).inverse() * self.rotation(piece, 1.0);
        let angle = 2.0 * change.xyz().length().atan2(change.w.abs());
        let cubic = self.curve.interpolation() == Interpolation::Cubic;
        1 + (angle / std::f64::consts::FRAC_PI_4) as usize + usize::from(cubic)
    }
}

/// One column of rows, such as the weight of one morph target.
pub(super) struct Column<'a> {
    pub(super) rows: &'a Rows,
    pub(super) column: usize,
    pub(super) factor: f64,
    pub(super) tolerance: f64,
}

impl Source<1> for Column<'_> {
    fn times(&self) -> &[f32] {
        self.rows.times()
    }

    fn interpolation(&self) -> Interpolation {
        self.rows.interpolation()
    }

    fn value(&self, piece: usize, fraction: f64, _: [f64; 1]) -> [f64; 1] {
        let length = length(self.rows.times(), piece);
        let wide = |row: usize| f64::from(self.rows.row(row)[self.column]);
        let found = match self.rows.interpolation() {
            Interpolation::Cubic if length == 0.0 => wide(3 * piece + 1),
            Interpolation::Cubic => {
                let [a, b, c, d] = hermite(fraction, length);
                let (from, to) = (3 * piece, 3 * piece + 3);
                wide(from + 1) * a + wide(from + 2) * b + wide(to + 1) * c + wide(to) * d
            }
            Interpolation::Linear if length > 0.0 => {
                wide(piece) + (wide(piece + 1) - wide(piece)) * fraction
            }
            _ => wide(piece),
        };
        [found * self.factor]
    }

    fn distance(&self, a: [f64; 1], b: [f64; 1]) -> f64 {
        (a[0] - b[0]).abs() / (self.tolerance * self.factor)
    }
}
