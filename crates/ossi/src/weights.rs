//! Which joints influence each vertex of Ossi's skin: at most four, smooth over every joint.
//!
//! In:  the skin, and the parts each vertex lies on.
//! Out: influences, as indices into the skin's joints (all but `root`).
//!
//! A part belongs to a limb, and only the joints from the trunk to the end of that limb influence the
//! skin over it: a finger never influences its neighbour, nor an arm the ribs. Along a limb the influence
//! passes from joint to joint at a plane through each; smoothing over the mesh does the rest.

use glam::Vec3;
use sinew_scene::{Influence, Influences};

use super::body::{Body, Limb};
use super::skeleton::{
    CHEST, CLAVICLE, COUNT, FINGER, FINGERS, FOOT, FOREARM, HAND, HEAD, HIPS, NECK, SHIN, SPINE,
    Side, THIGH, TOES, UPPER_ARM, UPPER_CHEST, hang, on, places,
};
use super::surface::Surface;

type Row = [f32; COUNT];

/// Rounds of smoothing over the mesh.
const ROUNDS: usize = 5;

/// Where the influence passes on to a joint: fully within `width` on either side of a plane.
struct Gate {
    at: Vec3,
    along: Vec3,
    width: f32,
}

impl Gate {
    /// How much of the influence passes, from zero to one.
    fn passed(&self, p: Vec3) -> f32 {
        let t = ((p - self.at).dot(self.along) / (2.0 * self.width) + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

/// The gates of the left side and the middle, by joint.
fn gates() -> Vec<Gate> {
    let places = places();
    let arm = hang().inverse() * Vec3::NEG_Y;
    let mut gates: Vec<Gate> =
        places.iter().map(|&at| Gate { at, along: Vec3::Y, width: 0.055 }).collect();
    let mut set = |joint: usize, shift: Vec3, along: Vec3, width: f32| {
        let at = places[joint] + shift;
        gates[joint] = Gate { at, along: along.normalize_or(Vec3::Y), width };
    };
    let left = |joint: usize| on(Side::Left, joint);
    set(NECK, Vec3::Y * 0.005, Vec3::new(0.0, 1.0, 0.1), 0.035);
    set(HEAD, Vec3::ZERO, Vec3::new(0.0, 0.85, 0.5), 0.03);
    set(left(CLAVICLE), Vec3::new(0.035, -0.02, -0.02), Vec3::new(0.85, 0.5, 0.0), 0.055);
    set(left(UPPER_ARM), arm * 0.012, Vec3::new(0.86, -0.5, 0.0), 0.060);
    set(left(FOREARM), Vec3::ZERO, arm, 0.042);
    set(left(HAND), Vec3::ZERO, arm, 0.026);
    for (finger, shape) in FINGER.iter().enumerate() {
        let along = hang().inverse() * shape.along;
        let widths = if finger == 0 { [0.018, 0.010, 0.009] } else { [0.011, 0.008, 0.007] };
        for (bone, width) in widths.into_iter().enumerate() {
            set(left(FINGERS + 3 * finger + bone), Vec3::ZERO, along, width);
        }
    }
    set(left(THIGH), Vec3::new(0.0, -0.012, 0.0), Vec3::new(0.30, -0.95, 0.0), 0.075);
    set(left(SHIN), Vec3::ZERO, Vec3::NEG_Y, 0.055);
    set(left(FOOT), Vec3::ZERO, Vec3::new(0.0, -0.85, 0.5), 0.035);
    set(left(TOES), Vec3::new(0.0, 0.0, -0.004), Vec3::Z, 0.026);
    gates
}

/// The joints that may influence a limb, from the trunk to its end, on the left.
fn chain(limb: Limb) -> Vec<usize> {
    let left = |joint: usize| on(Side::Left, joint);
    let arm = [UPPER_CHEST, left(CLAVICLE), left(UPPER_ARM), left(FOREARM), left(HAND)];
    match limb {
        Limb::Torso => vec![HIPS, SPINE, CHEST, UPPER_CHEST, NECK, HEAD],
        Limb::Arm => arm.to_vec(),
        Limb::Finger(finger) => {
            let bones = [0, 1, 2].map(|bone| left(FINGERS + 3 * finger + bone));
            [&arm[..], &bones].concat()
        }
        Limb::Leg => [&[HIPS][..], &[THIGH, SHIN, FOOT, TOES].map(left)].concat(),
    }
}

const LIMBS: [Limb; 8] = [
    Limb::Torso,
    Limb::Arm,
    Limb::Leg,
    Limb::Finger(0),
    Limb::Finger(1),
    Limb::Finger(2),
    Limb::Finger(3),
    Limb::Finger(4),
];

/// How much a point near the skin lies on each limb; sums to one.
fn shares(body: &Body, near: &[u16], folded: Vec3) -> [f32; LIMBS.len()] {
    let mut far = [f32::MAX; LIMBS.len()];
    for &at in near {
        let part = &body.parts[at as usize];
        if let Some(limb) = LIMBS.iter().position(|&limb| limb == part.limb) {
            far[limb] = far[limb].min(part.far(folded).distance);
        }
    }
    let nearest = far.iter().copied().fold(f32::MAX, f32::min);
    let mut shares = [0.0; LIMBS.len()];
    for (limb, share) in shares.iter_mut().enumerate() {
        // In metres: how softly a limb ends. Fingers stand close together.
        let soft = if matches!(LIMBS[limb], Limb::Finger(_)) { 0.0012 } else { 0.012 };
        *share = (-(far[limb] - nearest) / soft).exp();
    }
    let sum: f32 = shares.iter().sum();
    shares.map(|share| share / sum)
}

fn row(body: &Body, gates: &[Gate], chains: &[Vec<usize>], near: &[u16], p: Vec3) -> Row {
    let folded = Vec3::new(p.x.abs(), p.y, p.z);
    let mut row = [0.0; COUNT];
    for (chain, share) in chains.iter().zip(shares(body, near, folded)) {
        let mut left = share;
        for pair in chain.windows(2) {
            let passed = left * gates[pair[1]].passed(folded);
            row[pair[0]] += left - passed;
            left = passed;
        }
        row[chain[chain.len() - 1]] += left;
    }
    if p.x < 0.0 {
        let (first, second) = (on(Side::Left, 0), on(Side::Right, 0));
        for joint in first..second {
            row.swap(joint, joint - first + second);
        }
    }
    row
}

fn smooth(rows: &mut Vec<Row>, around: &[Vec<u32>]) {
    let mut next = rows.clone();
    for ((row, old), around) in next.iter_mut().zip(rows.iter()).zip(around) {
        let share = 0.5 / around.len().max(1) as f32;
        *row = old.map(|weight| weight * 0.5);
        for &other in around {
            for (weight, more) in row.iter_mut().zip(&rows[other as usize]) {
                *weight += share * more;
            }
        }
    }
    *rows = next;
}

/// The four strongest, less the least of them where a fifth would be let in: a joint's influence
/// fades to nothing over the skin instead of breaking off.
fn strongest(row: &Row) -> impl Iterator<Item = Influence> {
    let mut of_vertex: Vec<(usize, f32)> =
        row.iter().copied().enumerate().filter(|(_, weight)| *weight > 1e-3).collect();
    of_vertex.sort_by(|a, b| b.1.total_cmp(&a.1));
    let fifth = of_vertex.get(4).map_or(0.0, |influence| influence.1);
    of_vertex.truncate(4);
    // Joint 0 is the root, which the skin does not know.
    of_vertex
        .into_iter()
        .map(move |(joint, weight)| Influence { joint: joint as u32 - 1, weight: weight - fifth })
}

pub(super) fn weights(body: &Body, skin: &Surface) -> Influences {
    let gates = gates();
    let chains = LIMBS.map(chain);
    let mut rows: Vec<Row> = skin
        .positions
        .iter()
        .zip(&skin.near)
        .map(|(&p, &near)| row(body, &gates, &chains, &skin.lists[near], p))
        .collect();
    for _ in 0..ROUNDS {
        smooth(&mut rows, &skin.around);
    }
    let mut influences = Influences::with_capacity(rows.len(), 4);
    for row in &rows {
        influences.push(strongest(row));
    }
    influences
}
