//! Vertices as wholes: copied and chosen with all their attributes.
//!
//! Every step that splits or joins vertices goes through here, so that none can forget an
//! attribute, an influence or a morph target.

use std::collections::HashMap;

use glam::Vec4;
use sinew_scene::{Geometry, Topology};

use super::hash::Seed;

/// Whether indices and lengths are good, so that a step may rely on them. What is not good is left
/// as it is, for the scene's own checks to name.
pub(super) fn is_sound(primitive: &Geometry) -> bool {
    let count = primitive.positions.len();
    let fits = |length: usize| length == 0 || length == count;
    let each = match primitive.topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    fits(primitive.normals.len())
        && fits(primitive.tangents.len())
        && fits(primitive.influences.len())
        && fits(primitive.dual_weights.len())
        && primitive.uvs.iter().all(|set| fits(set.len()))
        && primitive.colors.iter().all(|set| fits(set.len()))
        && primitive.morphs.iter().all(|morph| {
            fits(morph.positions.len()) && fits(morph.normals.len()) && fits(morph.tangents.len())
        })
        && u32::try_from(count + primitive.indices.len()).is_ok()
        && primitive.indices.len().is_multiple_of(each)
        && primitive.indices.iter().all(|&index| (index as usize) < count)
}

/// Makes the same change to each list that has an entry per vertex; influences, which are no plain
/// list, are left to the caller.
fn each_list(primitive: &mut Geometry, mut change: impl ListChange) {
    change.list(&mut primitive.positions);
    change.list(&mut primitive.normals);
    change.list(&mut primitive.tangents);
    change.list(&mut primitive.dual_weights);
    primitive.uvs.iter_mut().for_each(|set| change.list(set));
    primitive.colors.iter_mut().for_each(|set| change.list(set));
    for morph in &mut primitive.morphs {
        change.list(&mut morph.positions);
        change.list(&mut morph.normals);
        change.list(&mut morph.tangents);
    }
}

/// A change that is the same for every list, whatever it holds.
trait ListChange {
    fn list<V: Copy>(&mut self, list: &mut Vec<V>);
}

/// Adds copies of these vertices behind the others.
fn append_copies(primitive: &mut Geometry, sources: &[u32]) {
    struct Append<'a>(&'a [u32]);
    impl ListChange for Append<'_> {
        fn list<V: Copy>(&mut self, list: &mut Vec<V>) {
            if !list.is_empty() {
                list.reserve_exact(self.0.len());
                for &source in self.0 {
                    list.push(list[source as usize]);
                }
            }
        }
    }
    each_list(primitive, Append(sources));
    if !primitive.influences.is_empty() {
        primitive.influences.push_copies(sources);
    }
}

/// Keeps these vertices, in this order. Indices are left to the caller.
#[cfg(feature = "prepare")]
pub(super) fn keep(primitive: &mut Geometry, kept: &[u32]) {
    struct Keep<'a>(&'a [u32]);
    impl ListChange for Keep<'_> {
        fn list<V: Copy>(&mut self, list: &mut Vec<V>) {
            if !list.is_empty() {
                *list = self.0.iter().map(|&at| list[at as usize]).collect();
            }
        }
    }
    each_list(primitive, Keep(kept));
    if !primitive.influences.is_empty() {
        primitive.influences = primitive.influences.select(kept);
    }
}

/// A value for each vertex where each corner (each entry of the indices) has one: where the corners of a vertex
/// differ, the vertex is copied. A vertex keeps its place with its first value and copies go to the end.
pub(super) struct Splits {
    /// The bits of each vertex's first value.
    first: Vec<[u32; 4]>,
    /// Which vertex each copy is of.
    sources: Vec<u32>,
    copies: Copies,
}

/// Where no value is known: bits of no number.
const UNKNOWN: [u32; 4] = [u32::MAX; 4];

impl Splits {
    /// For so many vertices, with room for so many copies.
    pub(super) fn new(vertices: usize, copies: usize) -> Self {
        Self {
            first: vec![UNKNOWN; vertices],
            sources: Vec::with_capacity(copies),
            copies: Copies::new(vertices, copies),
        }
    }

    /// Where the value of a corner of this vertex will be. A corner without a value takes its vertex's.
    #[inline]
    pub(super) fn corner(&mut self, vertex: u32, value: Vec4) -> u32 {
        let value = bits(value);
        let known = &mut self.first[vertex as usize];
        if *known == UNKNOWN {
            *known = value;
        }
        if *known == value {
            return vertex;
        }
        let copy = self.copies.of(vertex, value);
        if copy as usize == self.sources.len() {
            self.sources.push(vertex);
        }
        self.first.len() as u32 + copy
    }

    /// Copies the vertices and gives back what `make` makes of all values; a vertex without one gets `otherwise`.
    pub(super) fn apply<V>(
        self,
        primitive: &mut Geometry,
        otherwise: impl Fn(&Geometry, usize) -> Vec4,
        make: impl Fn(Vec4) -> V,
    ) -> Vec<V> {
        append_copies(primitive, &self.sources);
        let mut values = Vec::with_capacity(primitive.positions.len());
        values.extend(self.first.into_iter().enumerate().map(|(at, first)| {
            make(if first == UNKNOWN { otherwise(primitive, at) } else { of_bits(first) })
        }));
        values.extend(self.copies.all.iter().map(|(value, _)| make(of_bits(*value))));
        values
    }
}

#[inline]
fn bits(value: Vec4) -> [u32; 4] {
    [value.x.to_bits(), value.y.to_bits(), value.z.to_bits(), value.w.to_bits()]
}

#[inline]
fn of_bits([x, y, z, w]: [u32; 4]) -> Vec4 {
    Vec4::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z), f32::from_bits(w))
}

/// Gives each corner its value, where that is not zero, and each vertex one, by [`Splits`].
pub(super) fn split_by_corner(
    primitive: &mut Geometry,
    corners: &[Vec4],
    otherwise: impl Fn(&Geometry, usize) -> Vec4,
) -> Vec<Vec4> {
    let mut splits = Splits::new(primitive.positions.len(), 0);
    for (index, value) in primitive.indices.iter_mut().zip(corners) {
        if *value != Vec4::ZERO {
            *index = splits.corner(*index, *value);
        }
    }
    splits.apply(primitive, otherwise, |value| value)
}

/// The copies of each vertex, by their value.
struct Copies {
    /// The last copy of each vertex.
    last: Vec<u32>,
    /// The value of each copy, and the copy of the same vertex before it.
    all: Vec<([u32; 4], u32)>,
    /// Those of vertices with many.
    known: HashMap<(u32, [u32; 4]), u32, Seed>,
}

impl Copies {
    const NONE: u32 = u32::MAX;
    /// So many are looked through; a vertex seldom has more.
    const MAX_SEARCHED: usize = 24;

    fn new(vertices: usize, copies: usize) -> Self {
        let known = HashMap::with_hasher(Seed::new());
        Self { last: vec![Self::NONE; vertices], all: Vec::with_capacity(copies), known }
    }

    /// The number of the copy with this value; the next one where there is none.
    fn of(&mut self, vertex: u32, value: [u32; 4]) -> u32 {
        let mut at = self.last[vertex as usize];
        for _ in 0..Self::MAX_SEARCHED {
            let Some((known, before)) = self.all.get(at as usize) else {
                return self.add(vertex, value);
            };
            if *known == value {
                return at;
            }
            at = *before;
        }
        if let Some(&copy) = self.known.get(&(vertex, value)) {
            return copy;
        }
        let copy = self.add(vertex, value);
        self.known.insert((vertex, value), copy);
        copy
    }

    fn add(&mut self, vertex: u32, value: [u32; 4]) -> u32 {
        let copy = self.all.len() as u32;
        self.all.push((value, std::mem::replace(&mut self.last[vertex as usize], copy)));
        copy
    }
}
