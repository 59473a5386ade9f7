//! Ossi's body as a signed distance: round cones and ellipsoids, melted together.
//!
//! In:  a point in the model, in metres.
//! Out: how far it is from the skin (negative inside), and which way is out.
//!
//! Only the left half is described; the right is the same by folding x, so the body is symmetric
//! to the last bit. Parts that reach the middle stand on both sides at once, without a crease.

use glam::{Quat, Vec3};

use super::parts;

/// Which joints may pull the skin over a part: the way from the hips to the end of a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limb {
    Torso,
    Arm,
    Finger(usize),
    Leg,
}

/// What a part looks like, with what its distance asks for again and again.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A ball that rolls from `a` along the unit `axis` and changes its size.
    Cone { a: Vec3, axis: Vec3, length: f32, tan: f32, ra: f32, growth: f32 },
    /// One over the radii along its own axes, and one over their squares.
    Egg { center: Vec3, turn: Quat, inverse: Vec3, squared: Vec3 },
}

/// A piece of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) form: Form,
    /// How far it melts into what is before it in the list, in metres.
    pub(super) melt: f32,
    /// Whether its mirror image is felt on this side, too.
    pub(super) both: bool,
    pub(super) limb: Limb,
}

/// A distance and the direction in which it grows fastest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Far {
    pub(super) distance: f32,
    pub(super) out: Vec3,
}

/// Everything that Ossi is.
pub(super) struct Body {
    pub(super) parts: Vec<Part>,
}

/// How far the edge of the sole is rounded.
const SOLE_MELT: f32 = 0.012;

impl Form {
    /// From a ball of radius `ra` at `a` to one of radius `rb` at `b`, straight between.
    pub(super) fn cone(a: Vec3, b: Vec3, ra: f32, rb: f32) -> Self {
        let length = (b - a).length().max(1e-6);
        let sin = ((ra - rb) / length).clamp(-0.99, 0.99);
        let tan = sin / (1.0 - sin * sin).sqrt();
        Self::Cone { a, axis: (b - a) / length, length, tan, ra, growth: (rb - ra) / length }
    }

    pub(super) fn egg(center: Vec3, radii: Vec3, turn: Quat) -> Self {
        Self::Egg { center, turn, inverse: radii.recip(), squared: (radii * radii).recip() }
    }

    fn far(&self, p: Vec3) -> Far {
        match *self {
            Self::Cone { a, axis, length, tan, ra, growth } => {
                // The surface is met along its normal, which leans by the slant of the side.
                let along = (p - a).dot(axis);
                let aside = ((p - a).length_squared() - along * along).max(0.0).sqrt();
                let at = (along - aside * tan).clamp(0.0, length);
                let from = p - (a + axis * at);
                let distance = from.length();
                let out = if distance > 1e-9 { from / distance } else { Vec3::Y };
                Far { distance: distance - (ra + growth * at), out }
            }
            Self::Egg { center, turn, inverse, squared } => {
                // To first order: the implicit function over the length of its slope.
                let q = turn.inverse() * (p - center);
                let unit = (q * inverse).length();
                let slope = (q * squared).length();
                if slope < 1e-6 {
                    return Far { distance: -inverse.max_element().recip(), out: Vec3::Y };
                }
                Far { distance: unit * (unit - 1.0) / slope, out: turn * (q * squared / slope) }
            }
        }
    }
}

/// The lesser of two distances, rounded off where they differ by less than `melt`.
fn melted(a: Far, b: Far, melt: f32) -> Far {
    let near = (1.0 - (a.distance - b.distance).abs() / melt).max(0.0);
    let share = near / 2.0;
    let (less, more) = if a.distance < b.distance { (a, b) } else { (b, a) };
    Far {
        distance: less.distance - near * near * melt / 4.0,
        out: less.out * (1.0 - share) + more.out * share,
    }
}

fn inside_out(far: Far) -> Far {
    Far { distance: -far.distance, out: -far.out }
}

impl Part {
    /// The distance to the part and its mirror image, for a point with x from zero up.
    pub(super) fn far(&self, p: Vec3) -> Far {
        let far = self.form.far(p);
        if !self.both {
            return far;
        }
        let mirror = Vec3::new(-1.0, 1.0, 1.0);
        let other = self.form.far(p * mirror);
        melted(far, Far { out: other.out * mirror, ..other }, self.melt)
    }
}

impl Body {
    pub(super) fn new() -> Self {
        Self { parts: parts::parts() }
    }

    /// Every part.
    pub(super) fn all(&self) -> Vec<u16> {
        (0..self.parts.len() as u16).collect()
    }

    /// The distance from the skin, by the parts in `near` alone.
    pub(super) fn far(&self, near: &[u16], p: Vec3) -> Far {
        let folded = Vec3::new(p.x.abs(), p.y, p.z);
        let mut sum = Far { distance: 1e3, out: Vec3::Y };
        for &at in near {
            let part = &self.parts[at as usize];
            sum = melted(sum, part.far(folded), part.melt);
        }
        // The floor cuts the soles flat.
        let floor = Far { distance: p.y, out: Vec3::Y };
        let mut cut = inside_out(melted(inside_out(sum), floor, SOLE_MELT));
        cut.out.x *= if p.x < 0.0 { -1.0 } else { 1.0 };
        Far { out: cut.out.normalize_or(Vec3::Y), ..cut }
    }

    /// Of the parts in `from`, those that have a say anywhere within `radius` of `center`, and
    /// the distance at the centre.
    pub(super) fn near(&self, from: &[u16], center: Vec3, radius: f32) -> (Vec<u16>, f32) {
        let folded = Vec3::new(center.x.abs(), center.y, center.z);
        let parts: Vec<_> = from.iter().map(|&at| (at, &self.parts[at as usize])).collect();
        let far: Vec<f32> = parts.iter().map(|(_, part)| part.far(folded).distance).collect();
        let least = far.iter().copied().fold(f32::MAX, f32::min);
        let widest = parts.iter().map(|(_, part)| part.melt).fold(0.0, f32::max);
        // Both the nearest and another may change by the radius, an ellipsoid's distance by more;
        // melting takes off a quarter of its width at most.
        let limit = least + 3.0 * radius + 1.3 * widest;
        let kept = parts.iter().zip(&far).filter(|(_, far)| **far < limit);
        let near: Vec<u16> = kept.map(|((at, _), _)| *at).collect();
        let distance = self.far(&near, center).distance;
        (near, distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_cone_is_as_far_as_its_slanted_side() {
        // Radius 2 at the origin and 1 at (0, 2, 0): the side's normal leans up by asin(1/2).
        let far = Form::cone(Vec3::ZERO, Vec3::Y * 2.0, 2.0, 1.0).far(Vec3::new(3.0, 2.5, 0.0));
        let cos = 0.75_f32.sqrt();
        assert!((far.distance - (3.0 * cos + 1.25 - 2.0)).abs() < 1e-5, "{far:?}");
        assert!(far.out.abs_diff_eq(Vec3::new(cos, 0.5, 0.0), 1e-5), "{far:?}");
        let below = Form::cone(Vec3::ZERO, Vec3::Y * 2.0, 2.0, 1.0).far(Vec3::Y * -5.0);
        assert!((below.distance - 3.0).abs() < 1e-6);
    }

    #[test]
    fn melting_two_equal_distances_takes_off_a_quarter_of_the_melt() {
        let far = |out: Vec3| Far { distance: 0.1, out };
        let both = melted(far(Vec3::X), far(Vec3::Y), 0.04);
        assert!((both.distance - 0.09).abs() < 1e-6, "{both:?}");
        assert!(both.out.abs_diff_eq(Vec3::new(0.5, 0.5, 0.0), 1e-6));
    }

    #[test]
    fn on_the_skin_the_slope_of_the_distance_is_the_way_out() {
        let body = Body::new();
        let all = body.all();
        for start in
            [Vec3::new(0.2, 1.3, 0.1), Vec3::new(-0.1, 0.6, 0.1), Vec3::new(0.0, 1.5, 0.12)]
        {
            let mut point = start;
            for _ in 0..6 {
                let far = body.far(&all, point);
                point -= far.out * far.distance;
            }
            let step = 1e-3;
            let slope = Vec3::from_array([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
                let more = body.far(&all, point + axis * step).distance;
                (more - body.far(&all, point - axis * step).distance) / (2.0 * step)
            }));
            let out = body.far(&all, point).out;
            assert!(body.far(&all, point).distance.abs() < 1e-4, "{point}");
            assert!(slope.normalize().dot(out) > 0.995, "{point}: {slope} is not {out}");
        }
    }

    #[test]
    fn parts_that_are_left_out_far_away_have_no_say() {
        let body = Body::new();
        let center = Vec3::new(0.12, 1.36, 0.0);
        let (near, _) = body.near(&body.all(), center, 0.05);
        assert!(near.len() < body.parts.len() / 2, "{} of {}", near.len(), body.parts.len());
        for step in 0..27 {
            let corner = Vec3::new((step % 3) as f32, (step / 3 % 3) as f32, (step / 9) as f32);
            let point = center + (corner - 1.0) * 0.028;
            let (few, all) = (body.far(&near, point), body.far(&body.all(), point));
            assert!((few.distance - all.distance).abs() < 1e-6, "{point}: {few:?} {all:?}");
        }
    }
}
