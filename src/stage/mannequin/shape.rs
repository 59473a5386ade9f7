//! How thick limbs are, and their surfaces.
//!
//! Widths are shares of a body's height, measured on people; a rig that is no body has limbs as thick as they are long
//! allows.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use sinew_retarget::BodyPart;
use sinew_scene::Primitive;

use super::limb::Limb;

/// Around a limb, and along it.
const SIDES: u32 = 16;
const RINGS: u32 = 10;
/// Around and along the ball at a joint.
const BALL: (u32, u32) = (12, 8);
/// Of limbs, of the balls between them, and of a face: linear.
const SKIN: Vec3 = Vec3::new(0.25, 0.33, 0.40);
const JOINT: Vec3 = Vec3::new(0.055, 0.065, 0.085);
const FACE: Vec3 = Vec3::new(0.05, 0.06, 0.08);

/// How thick a limb is, in metres: across and from front to back, where it begins, ends, and in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Girth {
    start: Vec2,
    end: Vec2,
    /// What a muscle adds before the middle.
    bulge: f32,
    /// Radius of the ball at its joint.
    ball: f32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Round at both ends.
    Limb,
    /// An egg with a face.
    Head,
}

impl Girth {
    /// The largest radius across and from front to back.
    pub(super) fn widest(&self) -> Vec2 {
        self.start.max(self.end) + self.bulge
    }

    /// How far it goes beyond its ends.
    pub(super) fn over(&self) -> f32 {
        if self.kind == Kind::Head { 0.0 } else { self.ball }
    }
}

fn limb(start: [f32; 2], end: [f32; 2], bulge: f32, ball: f32) -> Girth {
    let (start, end) = (Vec2::from_array(start), Vec2::from_array(end));
    Girth { start, end, bulge, ball, kind: Kind::Limb }
}

fn scaled(girth: Girth, size: f32) -> Girth {
    Girth {
        start: girth.start * size,
        end: girth.end * size,
        bulge: girth.bulge * size,
        ball: girth.ball * size,
        kind: girth.kind,
    }
}

fn head(size: f32) -> Girth {
    let wide = 0.052 * size;
    let start = Vec2::new(wide, wide * 1.15);
    Girth { start, end: start, bulge: 0.0, ball: 0.0, kind: Kind::Head }
}

/// The girth of a limb from one part of the body to the next.
pub(super) fn girth(from: Option<BodyPart>, to: Option<BodyPart>, along: Vec3, size: f32) -> Girth {
    use BodyPart as P;
    let shares = match (from, to) {
        (Some(P::Hips), Some(P::Thigh)) => limb([0.042, 0.042], [0.046, 0.046], 0.0, 0.048),
        (Some(P::Hips), _) => limb([0.078, 0.055], [0.066, 0.048], 0.0, 0.05),
        (Some(P::Spine), Some(P::Neck | P::Head)) => limb([0.066, 0.045], [0.03, 0.03], 0.01, 0.04),
        (Some(P::Spine), Some(P::Clavicle | P::UpperArm)) => {
            limb([0.04, 0.036], [0.03, 0.03], 0.0, 0.03)
        }
        (Some(P::Spine), _) => limb([0.066, 0.048], [0.08, 0.054], 0.004, 0.045),
        (Some(P::Clavicle), _) => limb([0.03, 0.03], [0.034, 0.034], 0.0, 0.03),
        (Some(P::Neck), _) => limb([0.03, 0.03], [0.028, 0.028], 0.0, 0.026),
        (Some(P::UpperArm), _) => limb([0.032, 0.032], [0.023, 0.023], 0.004, 0.036),
        (Some(P::Forearm), _) => limb([0.025, 0.025], [0.015, 0.015], 0.005, 0.026),
        (Some(P::Hand), _) => limb([0.017, 0.017], [0.012, 0.012], 0.002, 0.017),
        (Some(P::Thigh), _) => limb([0.05, 0.05], [0.033, 0.033], 0.005, 0.05),
        (Some(P::Shin), _) => limb([0.034, 0.034], [0.02, 0.02], 0.008, 0.036),
        (Some(P::Foot), _) => limb([0.024, 0.024], [0.024, 0.016], 0.002, 0.026),
        (Some(P::Toes), _) => limb([0.022, 0.014], [0.016, 0.01], 0.0, 0.016),
        (Some(part), _) if P::FINGERS.contains(&part) => limb([0.008; 2], [0.006; 2], 0.0, 0.0085),
        _ => {
            let thick = (along.length() / size * 0.13).clamp(0.008, 0.05);
            limb([thick; 2], [thick * 0.6; 2], thick * 0.15, thick)
        }
    };
    scaled(shares, size)
}

/// Length and girth of what nothing hangs on; `before` is the length of the bone that leads to it.
pub(super) fn tip(part: Option<BodyPart>, before: f32, size: f32) -> (f32, Girth) {
    use BodyPart as P;
    match part {
        Some(P::Head) => (size * 0.125, head(size)),
        Some(P::Foot) => (size * 0.08, scaled(limb([0.024; 2], [0.02, 0.014], 0.0, 0.024), size)),
        Some(P::Hand) => (size * 0.06, scaled(limb([0.018; 2], [0.012; 2], 0.004, 0.016), size)),
        part => {
            let length = (before * 0.5).clamp(size * 0.01, size * 0.06);
            let thick = girth(part, None, Vec3::Y * length, size);
            (length, Girth { end: thick.end * 0.7, ..thick })
        }
    }
}

/// Adds the surface of a limb, and of the ball where it begins.
pub(super) fn add(primitive: &mut Primitive, colors: &mut Vec<Vec4>, limb: &Limb) {
    let girth = limb.girth;
    match girth.kind {
        Kind::Head => {
            let half = limb.length * 0.5;
            let middle = Vec3::Y * half;
            let radii = Vec3::new(girth.start.x, half * 1.25, girth.start.y);
            egg(primitive, colors, middle, radii, (SIDES, RINGS * 2), |out| {
                let front = out.z > 0.55 && (-0.15..0.35).contains(&out.y);
                if front { FACE } else { SKIN }
            });
        }
        Kind::Limb => {
            lathe(primitive, colors, limb);
            let radii = Vec3::splat(girth.ball);
            egg(primitive, colors, Vec3::ZERO, radii, BALL, |_| JOINT);
        }
    }
}

/// A surface around Y: thick as the girth says, with rounded ends inside the balls.
fn lathe(primitive: &mut Primitive, colors: &mut Vec<Vec4>, limb: &Limb) {
    let first = primitive.positions.len() as u32;
    for ring in 0..=RINGS {
        let t = ring as f32 / RINGS as f32;
        let (radius, slope) = profile(&limb.girth, t);
        for side in 0..=SIDES {
            let (sin, cos) = (side as f32 / SIDES as f32 * TAU).sin_cos();
            let round = Vec2::new(cos, sin);
            let across = radius * round;
            primitive.positions.push(Vec3::new(across.x, t * limb.length, across.y));
            // Of an ellipse the normal leans towards its short axis.
            let out = (round / radius.max(Vec2::splat(1e-6))).normalize();
            let lean = -slope.dot(round.abs()) / limb.length;
            primitive.normals.push(Vec3::new(out.x, lean, out.y).normalize());
            colors.push(SKIN.extend(1.0));
        }
    }
    grid(primitive, first, (SIDES, RINGS));
}

/// Radius at a share of the length, and how it grows with that share.
fn profile(girth: &Girth, t: f32) -> (Vec2, Vec2) {
    let at = |t: f32| {
        let muscle = girth.bulge * (PI * t.clamp(0.0, 1.0).powf(0.7)).sin();
        // The ends draw in a little, so that limb and ball are two things.
        let end = 1.0 - 0.18 * ((0.12 - t.min(1.0 - t)) / 0.12).clamp(0.0, 1.0).powi(2);
        (girth.start.lerp(girth.end, t) + muscle) * end
    };
    (at(t), (at(t + 0.01) - at(t - 0.01)) / 0.02)
}

fn egg(
    primitive: &mut Primitive,
    colors: &mut Vec<Vec4>,
    middle: Vec3,
    radii: Vec3,
    (sides, rings): (u32, u32),
    color: impl Fn(Vec3) -> Vec3,
) {
    let first = primitive.positions.len() as u32;
    for ring in 0..=rings {
        let (flat, rise) = (ring as f32 / rings as f32 * PI).sin_cos();
        for side in 0..=sides {
            let (sin, cos) = (side as f32 / sides as f32 * TAU).sin_cos();
            let out = Vec3::new(flat * cos, -rise, flat * sin);
            primitive.positions.push(middle + out * radii);
            let normal = out / radii.max(Vec3::splat(1e-6));
            primitive.normals.push(normal.normalize_or(Vec3::Y));
            colors.push(color(out).extend(1.0));
        }
    }
    grid(primitive, first, (sides, rings));
}

/// Two triangles for each cell of rows that go up and columns that go from X to Z.
fn grid(primitive: &mut Primitive, first: u32, (sides, rings): (u32, u32)) {
    let row = sides + 1;
    for ring in 0..rings {
        for side in 0..sides {
            let at = first + ring * row + side;
            primitive.indices.extend([at, at + row, at + 1, at + 1, at + row, at + row + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn every_triangle_faces_outward() {
        for girth in [girth(Some(BodyPart::Thigh), None, Vec3::Y, 1.7), head(1.7)] {
            let limb =
                Limb { from: 0, to: None, length: 0.4, joint_from_limb: Quat::IDENTITY, girth };
            let (mut primitive, mut colors) = (Primitive::default(), Vec::new());
            add(&mut primitive, &mut colors, &limb);
            assert_eq!(colors.len(), primitive.positions.len());
            for triangle in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
                let face = (b - a).cross(c - a);
                let normal = primitive.normals[triangle[0] as usize];
                assert!(face.length() < 1e-7 || face.dot(normal) > 0.0, "{a} {b} {c}");
            }
        }
    }
}
