//! The cells around the skin: cubes of three sizes, small where fingers and face need them.
//!
//! In:  the body.
//! Out: every cube that the skin may pass through, with the parts that have a say in it.
//!
//! Cubes are aligned to their own size and mirrored in x = 0, so cubes of two sizes share whole
//! faces, and every neighbour is found by rounding down.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use glam::{IVec3, Vec3};

use super::body::Body;
use super::skeleton::{HAND, HEAD, Side, TOES, in_hand, on, places};

/// The edge of the smallest cell, in metres.
pub(super) const UNIT: f32 = 0.0072;
/// The edge of the largest cell, in units.
const LARGEST: i32 = 4;
/// Where the search begins, in units.
const BLOCK: i32 = 32;

/// A cube that the skin may pass through; corner and edge in units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) low: IVec3,
    pub(super) edge: i32,
    /// Which list of parts has a say in it.
    pub(super) near: usize,
}

/// Multiplies and mixes: the keys are few and known, nobody attacks them.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_i32(i32::from(byte));
        }
    }

    fn write_i32(&mut self, number: i32) {
        let mixed = (self.0.rotate_left(23) ^ u64::from(number as u32)).wrapping_add(0x51ed);
        self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// A cube by its lowest corner and its edge.
type Cube = (i32, i32, i32, i32);

fn cube(low: IVec3, edge: i32) -> Cube {
    (low.x, low.y, low.z, edge)
}

/// All cells.
pub(super) struct Cells {
    pub(super) cells: Vec<Cell>,
    /// Lists of parts.
    pub(super) lists: Vec<Vec<u16>>,
    by_cube: Map<Cube, usize>,
    split: Map<Cube, ()>,
    zones: Vec<Zone>,
}

/// Around the line from `a` to `b`, cells are no larger than `edge`.
struct Zone {
    a: Vec3,
    b: Vec3,
    radius: f32,
    edge: i32,
}

/// What lies across a cell's edge.
pub(super) enum Neighbour {
    /// A cell at least as large.
    Cell(usize),
    /// Smaller ones, which see to the edge themselves.
    Smaller,
}

fn zones() -> Vec<Zone> {
    let places = places();
    let joint = |joint: usize| places[on(Side::Left, joint)];
    let head = places[HEAD];
    let zone = |a: Vec3, b: Vec3, radius: f32, edge: i32| Zone { a, b, radius, edge };
    let fingertips = in_hand(Vec3::new(0.0, -0.17, 0.0));
    vec![
        zone(in_hand(Vec3::new(-0.01, -0.12, 0.0)), fingertips, 0.055, 1),
        zone(
            in_hand(Vec3::new(-0.015, -0.06, 0.05)),
            in_hand(Vec3::new(-0.03, -0.1, 0.08)),
            0.03,
            1,
        ),
        zone(joint(HAND), fingertips, 0.06, 2),
        // Eyes, and the face around them.
        zone(head + Vec3::new(0.0, 0.112, 0.11), head + Vec3::new(0.05, 0.112, 0.09), 0.032, 1),
        zone(head + Vec3::new(0.0, 0.045, 0.09), head + Vec3::new(0.03, 0.045, 0.09), 0.018, 1),
        zone(head + Vec3::new(0.0, 0.07, 0.09), head + Vec3::new(0.08, 0.09, 0.0), 0.05, 2),
        // The marker on the chest.
        zone(Vec3::new(0.082, 1.318, 0.08), Vec3::new(0.082, 1.318, 0.12), 0.026, 1),
        // Zip, knot and buckle.
        zone(Vec3::new(0.0, 1.00, 0.11), Vec3::new(0.0, 1.36, 0.11), 0.020, 2),
        zone(Vec3::new(0.0, 1.44, 0.10), Vec3::new(0.04, 1.37, 0.12), 0.020, 2),
        zone(Vec3::new(0.0, 1.00, 0.09), Vec3::new(0.0, 1.00, 0.12), 0.030, 1),
        // The brim of the cap, and the neckerchief.
        zone(head + Vec3::new(0.0, 0.165, 0.13), head + Vec3::new(0.125, 0.150, 0.0), 0.034, 2),
        zone(head + Vec3::new(0.125, 0.150, 0.0), head + Vec3::new(0.0, 0.125, -0.13), 0.034, 2),
        zone(head + Vec3::new(0.0, 0.24, -0.02), head + Vec3::new(0.0, 0.29, -0.02), 0.034, 2),
        zone(joint(TOES) + Vec3::new(0.0, 0.0, -0.14), joint(TOES) + Vec3::Z * 0.06, 0.06, 2),
    ]
}

fn middle(low: IVec3, edge: i32) -> Vec3 {
    (low.as_vec3() + edge as f32 / 2.0) * UNIT
}

impl Cells {
    pub(super) fn new(body: &Body) -> Self {
        let mut found = Self {
            cells: Vec::new(),
            lists: Vec::new(),
            by_cube: Map::default(),
            split: Map::default(),
            zones: zones(),
        };
        let all = body.all();
        let reach = |metres: f32| (metres / UNIT / BLOCK as f32).ceil() as i32;
        for x in -reach(0.8)..reach(0.8) {
            for y in -1..reach(1.8) {
                for z in -reach(0.2)..reach(0.25) {
                    found.search(body, &all, IVec3::new(x, y, z) * BLOCK, BLOCK);
                }
            }
        }
        found
    }

    /// Looks for the skin in a cube, in smaller and smaller ones.
    fn search(&mut self, body: &Body, from: &[u16], low: IVec3, edge: i32) {
        let radius = edge as f32 * UNIT * 0.87;
        let (near, distance) = body.near(from, middle(low, edge), radius);
        // An ellipsoid's distance may be too long; a cell missed here is found by its neighbours.
        if distance.abs() > 1.3 * radius {
            return;
        }
        if edge > self.wanted(low, edge) {
            if edge <= LARGEST {
                self.split.insert(cube(low, edge), ());
            }
            let half = edge / 2;
            for corner in 0..8 {
                self.search(body, &near, low + corner_of(corner) * half, half);
            }
        } else {
            self.lists.push(near);
            self.insert(low, edge, self.lists.len() - 1);
        }
    }

    fn insert(&mut self, low: IVec3, edge: i32, near: usize) -> usize {
        self.by_cube.insert(cube(low, edge), self.cells.len());
        self.cells.push(Cell { low, edge, near });
        self.cells.len() - 1
    }

    /// The largest edge that will do in a cube.
    fn wanted(&self, low: IVec3, edge: i32) -> i32 {
        let at = middle(low, edge);
        let at = Vec3::new(at.x.abs(), at.y, at.z);
        let touched = self.zones.iter().filter(|zone| {
            let line = zone.b - zone.a;
            let along = (at - zone.a).dot(line) / line.length_squared().max(1e-9);
            let nearest = zone.a + line * along.clamp(0.0, 1.0);
            at.distance(nearest) < zone.radius + edge as f32 * UNIT / 2.0
        });
        touched.map(|zone| zone.edge).fold(LARGEST, i32::min)
    }

    /// Whether smaller cells touch a cell.
    pub(super) fn beside_smaller(&self, cell: Cell) -> bool {
        let around = |step: i32| IVec3::new(step % 3, step / 3 % 3, step / 9) - 1;
        (0..27).any(|step| {
            self.split.contains_key(&cube(cell.low + around(step) * cell.edge, cell.edge))
        })
    }

    /// What fills the cube of this edge that holds `low`, next to the cell `of`.
    pub(super) fn across(&mut self, low: IVec3, edge: i32, of: usize) -> Neighbour {
        if self.split.contains_key(&cube(low, edge)) {
            return Neighbour::Smaller;
        }
        let mut larger = edge;
        while larger <= LARGEST {
            let aligned = low.div_euclid(IVec3::splat(larger)) * larger;
            if let Some(&cell) = self.by_cube.get(&cube(aligned, larger)) {
                return Neighbour::Cell(cell);
            }
            larger *= 2;
        }
        // Thought to be far from the skin, and yet an edge of it is cut.
        let near = self.cells[of].near;
        Neighbour::Cell(self.insert(low, edge, near))
    }
}

/// The corner of a unit cube with this number: x in bit 0, y in bit 1, z in bit 2.
pub(super) fn corner_of(number: i32) -> IVec3 {
    IVec3::new(number & 1, number >> 1 & 1, number >> 2 & 1)
}
