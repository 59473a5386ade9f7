//! The sum of squared distances from planes, as a quadratic form.

use glam::{DVec3, Vec3};

/// Planes with weights.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quadric {
    /// Of the second degree: xx, yy, zz, xy, xz, yz.
    second: [f64; 6],
    first: DVec3,
    constant: f64,
    weight: f64,
}

impl Quadric {
    /// One plane through a point; `normal` has unit length.
    pub(crate) fn plane(point: Vec3, normal: Vec3, weight: f64) -> Self {
        let (n, d) = (normal.as_dvec3(), -normal.as_dvec3().dot(point.as_dvec3()));
        let second = [n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z];
        Self {
            second: second.map(|x| x * weight),
            first: n * (d * weight),
            constant: d * d * weight,
            weight,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (own, other) in self.second.iter_mut().zip(&other.second) {
            *own += other;
        }
        self.first += other.first;
        self.constant += other.constant;
        self.weight += other.weight;
    }

    /// The mean squared distance of a point.
    pub(crate) fn at(&self, point: Vec3) -> f32 {
        let p = point.as_dvec3();
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let second = xx * p.x * p.x
            + yy * p.y * p.y
            + zz * p.z * p.z
            + 2.0 * (xy * p.x * p.y + xz * p.x * p.z + yz * p.y * p.z);
        let sum = second + 2.0 * self.first.dot(p) + self.constant;
        if self.weight > 0.0 { (sum / self.weight).max(0.0) as f32 } else { 0.0 }
    }
}
