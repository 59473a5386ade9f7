//! Vertices that go past the caches, each block once.
//!
//! In:  blocks of vertices, in order.
//! Out: the same in memory, without having been read from there first.
//!
//! Nothing that went out can be mended: a part with a vector that has no length is skinned again, into the caches.

use std::slice::IterMut;

use sinew_lanes::{Aligned, Past, Wide};

use super::EIGHT;
use super::ahead::{Sink, ahead};
use super::blend::Influences;
use super::kernel::Goal;
use super::table::Table;
use super::walk::{Out, Rest};

/// The blocks that are still to come.
pub(super) struct Far<'s, 'e> {
    past: &'s Past<'s, 'e>,
    positions: IterMut<'s, Aligned<3>>,
    normals: IterMut<'s, Aligned<3>>,
    tangents: IterMut<'s, Aligned<4>>,
}

impl<'s, 'e> Far<'s, 'e> {
    /// `None` where vertices are at places from which they cannot be written past the caches.
    pub(super) fn new(past: &'s Past<'s, 'e>, out: Out<'s>) -> Option<Self> {
        Some(Self {
            past,
            positions: Aligned::of(out.positions)?.iter_mut(),
            normals: Aligned::of(out.normals)?.iter_mut(),
            tangents: Aligned::of(out.tangents)?.iter_mut(),
        })
    }
}

impl Sink for Far<'_, '_> {
    #[inline(always)]
    fn positions<W: Wide>(&mut self, _block: usize, xyz: [W; 3]) {
        if let Some(to) = self.positions.next() {
            let mut eight = [[0.0; 3]; EIGHT];
            W::store3(xyz, &mut eight);
            self.past.write(&eight, to);
        }
    }
    #[inline(always)]
    fn normals<W: Wide>(&mut self, _block: usize, ready: bool, xyz: [W; 3]) {
        if ready && let Some(to) = self.normals.next() {
            let mut eight = [[0.0; 3]; EIGHT];
            W::store3(xyz, &mut eight);
            self.past.write(&eight, to);
        }
    }
    #[inline(always)]
    fn tangents<W: Wide>(&mut self, _block: usize, ready: bool, xyzw: [W; 4]) {
        if ready && let Some(to) = self.tangents.next() {
            let mut eight = [[0.0; 4]; EIGHT];
            W::store4(xyzw, &mut eight);
            self.past.write(&eight, to);
        }
    }
}

impl Goal for Far<'_, '_> {
    #[inline(always)]
    fn walk<W: Wide, P: Influences>(
        &mut self,
        rest: Rest<'_>,
        influences: P,
        table: &Table,
        _unasked: &mut [[[f32; 3]; EIGHT]],
    ) -> bool {
        let count = rest.positions.len();
        let (rest, influences) = (rest.cut(count), influences.cut(count));
        // Of normals that nobody asks for it does not matter what they are.
        let unasked = self.normals.as_slice().is_empty();
        let good = match rest.tangents.is_empty() {
            true => ahead::<W, P, _, false>(rest, influences, table, self),
            false => ahead::<W, P, _, true>(rest, influences, table, self),
        };
        good || unasked
    }
}

#[cfg(test)]
mod tests {
    use sinew_lanes::past;
    use sinew_scene::glam::{Affine3A, Vec3, Vec4};
    use sinew_scene::{Influence, Influences, Primitive};

    use super::super::batch::with_room;
    use super::super::{Precision, Skinner, Stores};
    use crate::Vertices;

    /// Five parts and three vertices that fill no block. The normals of two vertices, one each of parts 1 and 3, have no length.
    const VERTICES: usize = 4 * 4096 + 811;
    const LENGTHLESS: [usize; 2] = [4096 + 17, 4 * 4096 - 1];

    fn mesh(lengthless: &[usize]) -> Primitive {
        let mut influences = Influences::default();
        let mut primitive = Primitive::default();
        for vertex in 0..VERTICES {
            let (sin, cos) = (vertex as f32).sin_cos();
            primitive.positions.push(Vec3::new(sin, cos, vertex as f32));
            let lengthless = lengthless.contains(&vertex);
            primitive.normals.push(if lengthless { Vec3::ZERO } else { Vec3::new(cos, sin, 0.0) });
            primitive.tangents.push(Vec4::new(-sin, cos, 0.0, 1.0));
            let count = if vertex % 512 < 256 { 2 } else { 4 };
            influences
                .push((0..count).map(|joint| Influence { joint, weight: 1.0 / count as f32 }));
        }
        Primitive { influences, ..primitive }
    }

    fn palette() -> Vec<Affine3A> {
        (0..4).map(|joint| Affine3A::from_rotation_z(0.1 * joint as f32)).collect()
    }

    fn skinner(primitive: &Primitive, stores: Stores) -> Skinner {
        let mut skinner = Skinner::new(primitive, 4, Precision::Exact).expect("it fits");
        skinner.set_stores(stores);
        skinner
    }

    /// How many parts, from part `first` on, go past the caches before one that does not.
    fn gone(primitive: &Primitive, first: usize) -> usize {
        let skinner = skinner(primitive, Stores::Past);
        let (palette, mut out) = (palette(), Vertices::default());
        let mut batch = skinner.batch(primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
        batch.front(first);
        with_room(|room| past(|past| batch.skin_past(past, room)))
    }

    #[test]
    fn parts_go_past_the_caches_until_one_needs_to_be_mended_or_fills_no_block() {
        assert_eq!(gone(&mesh(&[]), 0), 5);
        assert_eq!(gone(&mesh(&[]), 5), 0);
        let mut primitive = mesh(&LENGTHLESS);
        assert_eq!([0, 1, 2, 3, 4].map(|first| gone(&primitive, first)), [1, 0, 1, 0, 1]);
        // Of what nobody asks for nothing is mended.
        primitive.normals.clear();
        primitive.tangents.clear();
        assert_eq!(gone(&primitive, 0), 5);
    }

    /// Room for so many numbers, and which of them is at `offset` numbers behind a multiple of 16 bytes.
    fn room(numbers: usize, offset: usize) -> (Vec<f32>, usize) {
        let room = vec![f32::NAN; numbers + 8];
        let first = room.as_ptr().align_offset(16) + offset;
        (room, first)
    }

    #[test]
    fn vertices_may_lie_at_any_place() {
        let (primitive, palette) = (mesh(&LENGTHLESS), palette());
        let mut expected = Vertices::default();
        let plain = skinner(&primitive, Stores::Plain);
        plain.skin(&primitive, &[], &palette, Affine3A::IDENTITY, &mut expected);
        let skinner = skinner(&primitive, Stores::Past);
        for offsets in [[0, 0, 0], [1, 2, 3], [4, 3, 2], [0, 1, 0], [0, 4, 1], [3, 0, 4], [2, 4, 4]]
        {
            let [(mut a, at), (mut b, bt), (mut c, ct)] = [
                room(3 * VERTICES, offsets[0]),
                room(3 * VERTICES, offsets[1]),
                room(4 * VERTICES, offsets[2]),
            ];
            let mut unused = Vertices::default();
            let mut batch =
                skinner.batch(&primitive, &[], &palette, Affine3A::IDENTITY, &mut unused);
            batch.positions = a[at..at + 3 * VERTICES].as_chunks_mut().0;
            batch.normals = b[bt..bt + 3 * VERTICES].as_chunks_mut().0;
            batch.tangents = c[ct..ct + 4 * VERTICES].as_chunks_mut().0;
            batch.skin();
            let bits =
                |found: &[f32]| found.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
            let flat = |list: &[Vec3]| {
                bits(list.iter().flat_map(|v| v.to_array()).collect::<Vec<_>>().as_slice())
            };
            assert!(bits(&a[at..at + 3 * VERTICES]) == flat(&expected.positions), "{offsets:?}");
            assert!(bits(&b[bt..bt + 3 * VERTICES]) == flat(&expected.normals), "{offsets:?}");
            let tangents: Vec<f32> = expected.tangents.iter().flat_map(|v| v.to_array()).collect();
            assert!(bits(&c[ct..ct + 4 * VERTICES]) == bits(&tangents), "{offsets:?}");
            // Nothing is written before the first or behind the last.
            let outside = [
                &a[..at],
                &a[at + 3 * VERTICES..],
                &b[..bt],
                &b[bt + 3 * VERTICES..],
                &c[..ct],
                &c[ct + 4 * VERTICES..],
            ];
            assert!(
                outside.iter().all(|part| part.iter().all(|number| number.is_nan())),
                "{offsets:?}"
            );
        }
    }
}
