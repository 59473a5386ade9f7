//! Skins: which joints influence a mesh, and from which pose.

use glam::Affine3A;

use crate::JointId;

/// How the influences of several joints are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinMethod {
    /// Weighted sum of matrices.
    #[default]
    Linear,
    /// Weighted sum of dual quaternions: a twisted limb keeps its volume.
    DualQuaternion,
    /// A mix of both, by a weight per vertex.
    Blended,
}

/// An ordered list of joints with the pose they were bound in. Skins may share joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// As the file has it; may be empty.
    pub name: String,
    /// What [`Influence::joint`] counts in.
    pub joints: Vec<JointId>,
    /// The inverse bind matrix of each joint: from mesh space to joint space.
    pub joint_from_mesh: Vec<Affine3A>,
    /// How influences are added up.
    pub method: SkinMethod,
}

/// One joint's influence on one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// An index into the skin's list of joints.
    pub joint: u32,
    /// The weights of a vertex sum to one. Above zero, but for one that takes away what the others
    /// are over one: see [`Influences::push_exact`].
    pub weight: f32,
}

/// The influences on every vertex of a primitive: any number for each, also none.
///
/// ```
/// use sinew_scene::{Influence, Influences};
/// let mut influences = Influences::default();
/// influences.push([Influence { joint: 2, weight: 3.0 }, Influence { joint: 0, weight: 1.0 }]);
/// influences.push([]);
/// assert_eq!(influences.of(0)[0].weight, 0.75);
/// assert!(influences.of(1).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Where each vertex's influences end in `all`.
    ends: Vec<u32>,
    all: Vec<Influence>,
}

impl Influences {
    /// Room for `vertices` with `each` influences.
    #[must_use]
    pub fn with_capacity(vertices: usize, each: usize) -> Self {
        // Four are written and those that do not count taken back, also at the last vertex.
        let all = vertices * each + 4_usize.saturating_sub(each);
        Self { ends: Vec::with_capacity(vertices), all: Vec::with_capacity(all) }
    }

    /// Gives back the room that is not taken.
    pub fn shrink_to_fit(&mut self) {
        self.ends.shrink_to_fit();
        self.all.shrink_to_fit();
    }

    /// Adds the next vertex. Influences that are not above zero are left out, those of one joint are
    /// joined, and the rest is made to sum to one. Gives back the sum before that: a sum that is
    /// neither one nor zero tells of a file worth a note.
    pub fn push(&mut self, influences: impl IntoIterator<Item = Influence>) -> f32 {
        let from = self.all.len();
        self.join(influences.into_iter().filter(|influence| influence.weight > 0.0));
        let sum: f32 = self.all[from..].iter().map(|influence| influence.weight).sum();
        // Within rounding of one, the file's own weights stay to the last bit.
        if (sum - 1.0).abs() > 1e-6 {
            for influence in &mut self.all[from..] {
                influence.weight /= sum;
            }
        }
        self.ends.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        sum
    }

    /// [`push`](Self::push) for the four influences of nearly every file, without a search through lists.
    #[inline]
    pub fn push_four(&mut self, four: [Influence; 4]) -> f32 {
        let weight = |at: usize| four[at].weight;
        let one = |at: usize| u32::from(weight(at) > 0.0);
        let counts = one(0) | one(1) << 1 | one(2) << 2 | one(3) << 3;
        let most = weight(0).max(weight(1)).max(weight(2).max(weight(3)));
        // Nearly always those that do not count come last.
        if counts & (counts + 1) != 0 || most == f32::INFINITY {
            return self.push_scattered(four);
        }
        self.push_first(four, (one(0) + one(1) + one(2) + one(3)) as usize)
    }

    /// Adds a vertex of which some influences do not count, before others that do.
    #[cold]
    fn push_scattered(&mut self, four: [Influence; 4]) -> f32 {
        let mut kept = [Influence { joint: 0, weight: 0.0 }; 4];
        let counts = |of: &Influence| of.weight > 0.0 && of.weight.is_finite();
        let mut count = 0;
        for influence in four.into_iter().filter(counts) {
            kept[count] = influence;
            count += 1;
        }
        self.push_first(kept, count)
    }

    /// Adds a vertex of which the first `count` influences count, and no other is above zero.
    #[inline(always)]
    fn push_first(&mut self, four: [Influence; 4], count: usize) -> f32 {
        let [mut a, mut b, mut c, mut d] = four;
        let is_twice = (count > 1) & (a.joint == b.joint)
            | (count > 2) & ((a.joint == c.joint) | (b.joint == c.joint))
            | (count > 3) & ((a.joint == d.joint) | (b.joint == d.joint) | (c.joint == d.joint));
        if is_twice | (count == 0) {
            return self.push(four.into_iter().take(count));
        }
        // Also for what is no number. Without a branch: how many there are changes from vertex to vertex.
        let above = |weight: f32| if weight > 0.0 { weight } else { 0.0 };
        (b.weight, c.weight, d.weight) = (above(b.weight), above(c.weight), above(d.weight));
        let sum = a.weight + b.weight + c.weight + d.weight;
        if (sum - 1.0).abs() > 1e-6 {
            for influence in [&mut a, &mut b, &mut c, &mut d] {
                influence.weight /= sum;
            }
        }
        // Four of known size, and back by those that do not count, are copied without a call.
        let end = self.all.len() + count;
        self.all.extend_from_slice(&[a, b, c, d]);
        self.all.truncate(end);
        self.ends.push(u32::try_from(end).unwrap_or(u32::MAX));
        sum
    }

    /// Adds vertices with the influences of some that are there already, as they are.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn push_copies(&mut self, of: &[u32]) {
        let count: usize = of.iter().map(|&of| self.of(of as usize).len()).sum();
        self.all.reserve_exact(count);
        self.ends.reserve_exact(of.len());
        for &of in of {
            let from = if of == 0 { 0 } else { self.ends[of as usize - 1] as usize };
            for at in from..self.ends[of as usize] as usize {
                self.all.push(self.all[at]);
            }
            self.ends.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        }
    }

    /// The influences of these vertices, in this order, as they are.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn select(&self, vertices: &[u32]) -> Self {
        let each = self.all.len().div_ceil(self.len().max(1));
        let mut chosen = Self::with_capacity(vertices.len(), each);
        for &vertex in vertices {
            chosen.all.extend_from_slice(self.of(vertex as usize));
            chosen.ends.push(u32::try_from(chosen.all.len()).unwrap_or(u32::MAX));
        }
        chosen
    }

    /// Leaves only these vertices, each after the one before; in the memory that is there.
    ///
    /// # Panics
    /// When there is no such vertex, or one does not come after the one before.
    pub fn keep(&mut self, vertices: &[u32]) {
        let mut end = 0;
        for (at, &vertex) in vertices.iter().enumerate() {
            assert!(at == 0 || vertices[at - 1] < vertex, "vertices in order");
            let vertex = vertex as usize;
            // An end that is written already is that of a vertex which is where it was.
            let from = if vertex == 0 { 0 } else { self.ends[vertex - 1] as usize };
            let to = self.ends[vertex] as usize;
            self.all.copy_within(from..to, end);
            end += to - from;
            self.ends[at] = end as u32;
        }
        self.ends.truncate(vertices.len());
        self.all.truncate(end);
    }

    /// Adds the next vertex with its weights as they are, also below zero, for files whose weights
    /// mean a plain sum: an influence of a joint that stays where it is then makes up for what
    /// that sum lacks to one, or takes away what it has over. The caller answers for the sum.
    pub fn push_exact(&mut self, influences: impl IntoIterator<Item = Influence>) {
        self.join(influences.into_iter().filter(|influence| influence.weight != 0.0));
        self.ends.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
    }

    /// Adds influences to the vertex that is not ended yet, those of one joint joined.
    fn join(&mut self, influences: impl Iterator<Item = Influence>) {
        let from = self.ends.last().map_or(0, |&end| end as usize);
        for influence in influences.filter(|influence| influence.weight.is_finite()) {
            match self.all[from..].iter_mut().find(|known| known.joint == influence.joint) {
                Some(known) => known.weight += influence.weight,
                None => self.all.push(influence),
            }
        }
    }

    /// How many vertices there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no vertex: the primitive is rigid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The influences on one vertex.
    #[must_use]
    pub fn of(&self, vertex: usize) -> &[Influence] {
        let from = if vertex == 0 { 0 } else { self.ends[vertex - 1] as usize };
        &self.all[from..self.ends[vertex] as usize]
    }

    /// The influences on each vertex, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let influences = &self.all[from..end as usize];
            from = end as usize;
            influences
        })
    }

    /// All influences, vertex after vertex.
    #[must_use]
    pub fn all(&self) -> &[Influence] {
        &self.all
    }

    /// The most influences that any vertex has.
    #[must_use]
    pub fn most(&self) -> usize {
        self.iter().map(<[Influence]>::len).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influence(joint: u32, weight: f32) -> Influence {
        Influence { joint, weight }
    }

    #[test]
    fn weights_are_divided_by_their_sum_not_their_length() {
        let mut influences = Influences::default();
        influences.push([influence(0, 0.5), influence(1, 0.25)]);
        assert_eq!(influences.of(0), [influence(0, 2.0 / 3.0), influence(1, 1.0 / 3.0)]);
    }

    #[test]
    fn a_zero_weight_takes_no_place_and_a_joint_named_twice_pulls_once() {
        let mut influences = Influences::default();
        influences.push([
            influence(9, 0.0),
            influence(1, 0.25),
            influence(1, 0.75),
            influence(3, f32::NAN),
        ]);
        assert_eq!(influences.of(0), [influence(1, 1.0)]);
    }

    #[test]
    fn exact_weights_stay_as_they_are_below_zero_too() {
        let mut influences = Influences::default();
        influences.push_exact([
            influence(0, 0.75),
            influence(1, 0.5),
            influence(2, -0.25),
            influence(3, 0.0),
        ]);
        influences.push_exact([]);
        assert_eq!(influences.of(0), [influence(0, 0.75), influence(1, 0.5), influence(2, -0.25)]);
        assert_eq!((influences.len(), influences.of(1)), (2, &[][..]));
    }

    #[test]
    fn four_at_once_are_what_one_after_the_other_are() {
        let weights = [0.0, 0.25, 0.5, 1.0, -1.0, f32::NAN, f32::INFINITY];
        let mut state = 1_u32;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % limit
        };
        let [mut one, mut four] = [Influences::default(), Influences::default()];
        for _ in 0..500 {
            let all: [Influence; 4] =
                std::array::from_fn(|_| influence(below(3) as u32, weights[below(weights.len())]));
            assert_eq!(one.push(all).to_bits(), four.push_four(all).to_bits(), "{all:?}");
        }
        assert_eq!(one, four);
    }

    #[test]
    fn room_for_all_is_room_enough_and_what_is_over_is_given_back() {
        for each in 1..=4 {
            let mut influences = Influences::with_capacity(9, each);
            let room = influences.all.capacity();
            for joint in 0..9 {
                let weight = |at: usize| if at < each { 1.0 } else { 0.0 };
                let four = |at: usize| influence(joint + at as u32, weight(at));
                influences.push_four(std::array::from_fn(four));
            }
            assert_eq!(influences.all.capacity(), room, "{each}");
            influences.shrink_to_fit();
            assert_eq!(influences.all.capacity(), 9 * each, "{each}");
        }
    }

    #[test]
    fn what_is_kept_is_what_would_be_selected() {
        let mut all = Influences::default();
        for vertex in 0..9_u32 {
            all.push((0..vertex % 4).map(|joint| influence(joint + vertex, 1.0)));
        }
        for kept in [&[0, 1, 2, 5, 6, 8][..], &[3], &[], &[0, 1, 2, 3, 4, 5, 6, 7, 8]] {
            let mut found = all.clone();
            found.keep(kept);
            assert_eq!(found, all.select(kept), "{kept:?}");
        }
    }

    #[test]
    fn copies_keep_weights_that_are_no_plain_shares() {
        let mut influences = Influences::default();
        let odd = [influence(0, 1.5), influence(2, -0.25)];
        influences.push([influence(1, 1.0)]);
        influences.push_exact(odd);
        influences.push_copies(&[1, 0]);
        assert_eq!((influences.of(2), influences.of(3)), (&odd[..], influences.of(0)));
        let chosen = influences.select(&[2, 0]);
        assert_eq!((chosen.len(), chosen.of(0), chosen.of(1)), (2, &odd[..], influences.of(0)));
    }
}
