//! Cuts a ring into triangles, ear by ear.
//!
//! In:  a ring, seen flat and counter-clockwise; it may touch itself along bridges to holes.
//! Out: its triangles, wound as the ring is.
//!
//! An ear is a corner that turns left and has no other corner in its triangle. A ring that does
//! not cross itself always has one.

use glam::DVec2;

use super::area;

/// A ring of corners from which ears are cut until it is used up.
pub(super) struct Ears<'a> {
    flat: &'a [DVec2],
    /// The point of each corner; bridges to holes use a point twice.
    ring: &'a [u32],
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Corners that may lie in another's ear: those that do not turn left, or once did not.
    blunt: Vec<u32>,
    is_blunt: Vec<bool>,
    gone: Vec<bool>,
}

/// How many looks at corners are allowed for each corner of the ring. Drawn shapes need a few
/// dozen; past this, what is left becomes a fan.
const LOOKS_PER_CORNER: usize = 2000;

impl<'a> Ears<'a> {
    pub(super) fn new(ring: &'a [u32], flat: &'a [DVec2]) -> Self {
        let count = ring.len() as u32;
        let mut ears = Self {
            flat,
            ring,
            next: (0..count).map(|at| (at + 1) % count).collect(),
            previous: (0..count).map(|at| (at + count - 1) % count).collect(),
            blunt: Vec::new(),
            is_blunt: vec![false; ring.len()],
            gone: vec![false; ring.len()],
        };
        for corner in 0..count {
            ears.list_if_blunt(corner);
        }
        ears
    }

    fn point(&self, corner: u32) -> DVec2 {
        self.flat[self.ring[corner as usize] as usize]
    }

    fn around(&self, corner: u32) -> [u32; 3] {
        [self.previous[corner as usize], corner, self.next[corner as usize]]
    }

    fn turn(&self, corner: u32) -> f64 {
        let [a, b, c] = self.around(corner).map(|corner| self.point(corner));
        area(a, b, c)
    }

    fn list_if_blunt(&mut self, corner: u32) {
        let turns_left = self.turn(corner) > 0.0;
        if !turns_left && !self.is_blunt[corner as usize] {
            self.is_blunt[corner as usize] = true;
            self.blunt.push(corner);
        }
    }

    pub(super) fn clip(mut self, out: &mut Vec<[u32; 3]>) {
        let mut left = self.ring.len();
        let mut looks = left * LOOKS_PER_CORNER;
        let (mut at, mut since_last) = (0, 0);
        while left > 3 && looks > 0 {
            looks -= 1;
            let ear = self.turn(at) > 0.0 && self.is_empty(at, &mut looks);
            if !ear && since_last < left {
                since_last += 1;
                at = self.next[at as usize];
                continue;
            }
            let corner = if ear { at } else { self.least_bad(at, left) };
            if self.turn(corner) != 0.0 {
                out.push(self.triangle(corner));
            }
            at = self.remove(corner);
            left -= 1;
            since_last = 0;
        }
        for _ in 2..left {
            if self.turn(at) != 0.0 {
                out.push(self.triangle(at));
            }
            let [before, ..] = self.around(at);
            self.remove(at);
            at = self.next[before as usize];
        }
    }

    fn triangle(&self, corner: u32) -> [u32; 3] {
        self.around(corner).map(|corner| self.ring[corner as usize])
    }

    /// Where no ear is left, the ring touches or crosses itself: take what covers nothing, else
    /// what turns to the left.
    fn least_bad(&self, from: u32, left: usize) -> u32 {
        let mut best = (from, 2);
        let mut at = from;
        for _ in 0..left {
            let rank = match self.turn(at) {
                0.0 => return at,
                turn if turn > 0.0 => 1,
                _ => 2,
            };
            if rank < best.1 {
                best = (at, rank);
            }
            at = self.next[at as usize];
        }
        best.0
    }

    /// Takes a corner out; gives the one after the next, so that cuts do not all meet in one point.
    fn remove(&mut self, corner: u32) -> u32 {
        let [before, _, after] = self.around(corner);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.gone[corner as usize] = true;
        self.list_if_blunt(before);
        self.list_if_blunt(after);
        self.next[after as usize]
    }

    /// Whether no other corner lies in or on the ear.
    fn is_empty(&mut self, corner: u32, looks: &mut usize) -> bool {
        let around = self.around(corner);
        let [a, b, c] = around.map(|corner| self.point(corner));
        let mut at = 0;
        while at < self.blunt.len() && *looks > 0 {
            let other = self.blunt[at];
            if self.gone[other as usize] {
                self.blunt.swap_remove(at);
                continue;
            }
            *looks -= 1;
            at += 1;
            let p = self.point(other);
            if area(a, b, p) >= 0.0
                && area(b, c, p) >= 0.0
                && area(c, a, p) >= 0.0
                && p != a
                && p != b
                && p != c
            {
                return false;
            }
        }
        true
    }
}
