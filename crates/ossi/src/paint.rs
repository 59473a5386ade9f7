//! What Ossi wears: cap, neckerchief, jacket, gloves, trousers and boots, painted on the skin.
//!
//! In:  the skin.
//! Out: texture coordinates, vertex colours that darken what is hidden from the sky, and vertices doubled where two
//! garments meet.
//!
//! Two garments meet within a trim that both have in the same colour, so the edge between their triangles is not seen.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{Influence, Influences};

use super::body::Body;
use super::cells::Map;
use super::skeleton::{FOOT, FOREARM, HAND, SHIN, Side, UPPER_ARM, hang, on, places};
use super::surface::Surface;
use super::swatches::{Garment, SPAN, place};

/// A ring around a limb: between two planes, and near enough.
fn ring(p: Vec3, center: Vec3, along: Vec3, half: f32, reach: f32) -> f32 {
    let aside = (p - center).dot(along.normalize_or(Vec3::Y)).abs() - half;
    aside.max(p.distance(center) - reach)
}

/// An ellipse seen from the front, on what faces forward.
fn oval(p: Vec3, center: Vec2, radii: Vec2) -> f32 {
    ((((p.truncate() - center) / radii).length() - 1.0) * radii.min_element()).max(0.03 - p.z)
}

/// How high a point is on the slanted neckerchief.
fn kerchief_height(p: Vec3) -> f32 {
    p.y + 0.35 * p.z
}

const BELT: f32 = 1.000;
const KERCHIEF: f32 = 1.470;

/// Where garments begin and end: joints of the left side.
struct Pattern {
    upper_arm: Vec3,
    forearm: Vec3,
    hand: Vec3,
    shin: Vec3,
    foot: Vec3,
    /// Along the arm.
    arm: Vec3,
}

impl Pattern {
    fn new() -> Self {
        let places = places();
        let joint = |joint: usize| places[on(Side::Left, joint)];
        Self {
            upper_arm: joint(UPPER_ARM),
            forearm: joint(FOREARM),
            hand: joint(HAND),
            shin: joint(SHIN),
            foot: joint(FOOT),
            arm: hang().inverse() * Vec3::NEG_Y,
        }
    }

    fn garment(&self, p: Vec3) -> Garment {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let past_wrist = (q - self.hand).dot(self.arm) > -0.012;
        match () {
            () if q.x > 0.28 && past_wrist => Garment::Gloves,
            () if q.x > 0.28 => Garment::Jacket,
            () if q.y < self.foot.y + 0.062 => Garment::Boots,
            () if q.y < BELT => Garment::Trousers,
            () if kerchief_height(q) > KERCHIEF && q.x < 0.15 => Garment::Head,
            () => Garment::Jacket,
        }
    }

    /// How far a point is from the trim of its garment; negative within.
    fn to_trim(&self, garment: Garment, p: Vec3) -> f32 {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let cuff = ring(q, self.hand + self.arm * -0.012, self.arm, 0.015, 0.09);
        let belt = (q.y - BELT).abs() - 0.019;
        let collar = ring(q, self.foot + Vec3::Y * 0.062, Vec3::Y, 0.019, 0.10);
        match garment {
            Garment::Head => {
                let cap = 1.672 + 0.21 * (q.z + 0.008) - q.y;
                cap.min((kerchief_height(q) - 1.524).max(q.y - 1.53))
            }
            Garment::Jacket => {
                let zip = (q.x - 0.0095).max(0.03 - q.z);
                let elbow = ((q - self.forearm - Vec3::new(0.0, 0.0, -0.03)).length() - 0.040)
                    .max(q.z + 0.008);
                cuff.min(belt).min(zip).min(elbow)
            }
            Garment::Gloves => cuff,
            Garment::Trousers => {
                let from_knee = q - self.shin - Vec3::new(0.0, 0.004, 0.05);
                let pad = ((from_knee / Vec3::new(0.044, 0.056, 0.06)).length() - 1.0) * 0.044;
                belt.min(collar).min(pad.max(0.008 - q.z))
            }
            Garment::Boots => collar.min(q.y - 0.026),
        }
    }

    /// How far a point is from the marks of its garment; negative within.
    fn to_mark(&self, garment: Garment, p: Vec3) -> f32 {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        match garment {
            Garment::Head => {
                let eye = oval(q, Vec2::new(0.0365, 1.641), Vec2::new(0.0120, 0.0175));
                let brow = {
                    let along = Vec2::new(1.0, -0.08).normalize();
                    let from = q.truncate() - Vec2::new(0.037, 1.6720);
                    let at = from.dot(along).clamp(-0.013, 0.013);
                    ((from - along * at).length() - 0.0045).max(0.05 - q.z)
                };
                // A smile: the lower part of an oval.
                let smile = oval(q, Vec2::new(0.0, 1.5910), Vec2::new(0.0270, 0.0180));
                eye.min(brow).min(smile.max(q.y - 1.5890))
            }
            Garment::Jacket => {
                let badge = oval(p, Vec2::new(0.082, 1.318), Vec2::splat(0.021));
                let band = ring(p, self.upper_arm + self.arm * 0.135, self.arm, 0.018, 0.09);
                let kerchief =
                    (1.443 - kerchief_height(q)).max(Vec2::new(q.x, q.z + 0.012).length() - 0.118);
                let ends = tie(q);
                badge.min(band).min(kerchief).min(ends)
            }
            Garment::Gloves => {
                // A stripe over the back of the hand.
                let from = hang() * (q - self.hand);
                ((from.y + 0.058).abs() - 0.009).max(0.004 - from.x)
            }
            Garment::Trousers => oval(q, Vec2::new(0.0, BELT), Vec2::new(0.026, 0.019)),
            Garment::Boots => {
                let toe = 0.128 - q.z + 0.2 * q.y;
                toe.max(q.y - 0.075)
            }
        }
    }
}

/// The two ends of the neckerchief and its knot.
fn tie(q: Vec3) -> f32 {
    let (a, b) = (Vec3::new(0.0, 1.438, 0.10), Vec3::new(0.036, 1.372, 0.13));
    let along = (q - a).dot(b - a) / (b - a).length_squared();
    let far = (q - a.lerp(b, along.clamp(0.0, 1.0))).truncate().length() - 0.027;
    far.max(0.10 - q.z)
}

/// How much of the sky a point of the skin sees, roughly, from zero to one.
fn open_sky(body: &Body, near: &[u16], p: Vec3, normal: Vec3) -> f32 {
    let seen = [0.03, 0.08]
        .map(|step| (body.far(near, p + normal * step).distance / step).clamp(0.0, 1.0));
    (0.5 * (seen[0] + seen[1])).powf(0.8)
}

/// Vertex colours: folds are darker, cheeks are red.
fn colors(body: &Body, skin: &Surface) -> Vec<Vec4> {
    let mut around: Map<(i32, i32, i32), Vec<u16>> = Map::default();
    let all = body.all();
    let color = |(&p, &normal): (&Vec3, &Vec3)| {
        // Blocks of 10 cm; half a diagonal and the longest look are 17 cm.
        let block = (p * 10.0).floor().as_ivec3();
        let near = around
            .entry((block.x.max(-block.x - 1), block.y, block.z))
            .or_insert_with(|| body.near(&all, (block.as_vec3() + 0.5) * 0.1, 0.17).0);
        let sky = open_sky(body, near, p, normal);
        let shade = Vec3::new(0.52, 0.47, 0.46).lerp(Vec3::ONE, sky);
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let cheek = 1.0 - (q.distance(Vec3::new(0.058, 1.607, 0.080)) / 0.034).min(1.0);
        let blush = Vec3::ONE.lerp(Vec3::new(1.0, 0.82, 0.78), cheek * cheek * (3.0 - 2.0 * cheek));
        (shade * blush).extend(1.0)
    };
    skin.positions.iter().zip(&skin.normals).map(color).collect()
}

/// A skin with its paint: as a mesh has it.
pub(super) struct Painted {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) uvs: Vec<Vec2>,
    pub(super) colors: Vec<Vec4>,
    pub(super) influences: Influences,
    pub(super) indices: Vec<u32>,
}

/// Dresses the skin. A vertex between two garments is there once for each.
pub(super) fn paint(body: &Body, skin: &Surface, influences: &Influences) -> Painted {
    let pattern = Pattern::new();
    let colors = colors(body, skin);
    let mut painted = Painted {
        positions: Vec::new(),
        normals: Vec::new(),
        uvs: Vec::new(),
        colors: Vec::new(),
        influences: Influences::with_capacity(skin.positions.len(), 4),
        indices: Vec::with_capacity(skin.indices.len()),
    };
    let mut known: Map<(i32, i32, i32), u32> = Map::default();
    for triangle in skin.indices.chunks_exact(3) {
        let corners = [0, 1, 2].map(|corner| triangle[corner]);
        let middle = corners.map(|at| skin.positions[at as usize]).into_iter().sum::<Vec3>() / 3.0;
        let garment = pattern.garment(middle);
        for corner in corners {
            let vertex = *known.entry((corner as i32, garment as i32, 0)).or_insert_with(|| {
                let at = corner as usize;
                let p = skin.positions[at];
                painted.positions.push(p);
                painted.normals.push(skin.normals[at]);
                let trim = pattern.to_trim(garment, p).min(SPAN);
                let mark = pattern.to_mark(garment, p).min(SPAN);
                painted.uvs.push(place(garment, trim, mark));
                painted.colors.push(colors[at]);
                painted.influences.push(influences.of(at).iter().map(|of| Influence { ..*of }));
                painted.positions.len() as u32 - 1
            });
            painted.indices.push(vertex);
        }
    }
    painted
}
