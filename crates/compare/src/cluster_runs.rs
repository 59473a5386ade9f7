//! The pairs of vertices of one run in clusters.
//!
//! In:  the terms of a run. Out: its clusters, and groups of clusters, in numbers of the run's own.
//!
//! Neighbours in a mesh's list mostly lie near each other and follow the same joints, so clusters are pieces of that list. Where they are
//! not, which is seen by how small the clusters come out, the run is sorted by joints first.

use std::ops::Range;

use sinew_scene::glam::Vec3A;

use crate::clusters::{Cluster, Used};
use crate::terms::{NONE, Run, Term, Terms};

/// The most vertices of a cluster, and the most pairs of joints that they follow.
const MAX_VERTICES: usize = 32;
const MAX_PAIRS: usize = 6;
/// The same of groups of clusters.
const MAX_CLUSTERS: usize = 16;
const MAX_GROUP_PAIRS: usize = 10;
/// Vertices of a cluster on average, below which a run is sorted.
const FEW_VERTICES: usize = 12;

/// The clusters of a run.
#[derive(Debug, Default)]
pub(crate) struct RunClusters {
    pub(crate) list: Vec<Cluster>,
    pub(crate) groups: Vec<(Cluster, Range<usize>)>,
    pub(crate) used: Vec<Used>,
    pub(crate) spreads: Vec<[u32; 2]>,
    pub(crate) numbers: Vec<u32>,
    /// Over all of its vertices, as in all clusters.
    pub(crate) weights: f32,
    pub(crate) moved: f32,
    pub(crate) radius: f32,
}

impl RunClusters {
    /// Nothing where a vertex follows a joint that has no partner.
    pub(crate) fn new(terms: &Terms<'_>, run: &Run<'_>) -> Option<Self> {
        let mut made = Self::default();
        made.fill(terms, run, run.from as u32..run.to as u32)?;
        if made.list.len() * FEW_VERTICES > run.to - run.from && made.list.len() > MAX_CLUSTERS {
            made = Self::default();
            made.fill(terms, run, by_joints(terms, run)?.into_iter())?;
        }
        made.make_groups();
        Some(made)
    }

    fn fill(
        &mut self,
        terms: &Terms<'_>,
        run: &Run<'_>,
        numbers: impl Iterator<Item = u32>,
    ) -> Option<()> {
        let mut open = Open::default();
        let mut own: Vec<Term> = Vec::new();
        self.numbers.reserve_exact(run.to - run.from);
        for number in numbers {
            let places = terms.gather(run, number as usize, &mut own)?;
            let place = Vec3A::from(places[0]);
            let other = Vec3A::from(places[1]);
            let known = &self.used[open.first_used..];
            let is_new = |term: &&Term| !known.iter().any(|used| used.pair == term.pair);
            let count = known.len() + own.iter().filter(is_new).count();
            let is_full = open.places.len() == MAX_VERTICES || count > MAX_PAIRS;
            if is_full && !open.places.is_empty() {
                self.close(&mut open);
            }
            self.add(&mut open, &own);
            let moved = place.distance(other);
            open.cluster.moved = open.cluster.moved.max(moved);
            open.places.push(place);
            self.numbers.push(number);
            let far = place.length_squared().max(other.length_squared());
            self.radius = self.radius.max(far.sqrt());
        }
        if !open.places.is_empty() {
            self.close(&mut open);
        }
        Some(())
    }

    /// Adds the terms of a vertex to the cluster that is made.
    fn add(&mut self, open: &mut Open, own: &[Term]) {
        let [mut whole, mut sum, mut more] = [0.0_f32; 3];
        for term in own {
            let known = &mut self.used[open.first_used..];
            let weights = [term.weight.abs(), term.more.abs()];
            match known.iter_mut().find(|used| used.pair == term.pair) {
                Some(used) => {
                    used.weight = used.weight.max(weights[0]);
                    used.more = used.more.max(weights[1]);
                }
                None => {
                    let [weight, more] = weights;
                    self.used.push(Used { pair: term.pair, spread: NONE, weight, more });
                }
            }
            whole += weights[0];
            sum += term.more;
            more += weights[1];
        }
        open.cluster.whole = open.cluster.whole.max(whole);
        open.cluster.sums = open.cluster.sums.max(sum.abs());
        self.weights = self.weights.max(more);
    }

    fn close(&mut self, open: &mut Open) {
        let places = &open.places;
        let [low, high] =
            places.iter().fold([Vec3A::INFINITY, Vec3A::NEG_INFINITY], |[low, high], place| {
                [low.min(*place), high.max(*place)]
            });
        let middle = 0.5 * (low + high);
        let radius = places.iter().map(|place| place.distance_squared(middle)).fold(0.0, f32::max);
        let cluster = Cluster {
            vertices: (self.numbers.len() - places.len()) as u32..self.numbers.len() as u32,
            used: open.first_used as u32..self.used.len() as u32,
            middle,
            radius: radius.sqrt(),
            ..std::mem::take(&mut open.cluster)
        };
        self.find_spreads(&cluster.used);
        self.moved = self.moved.max(cluster.moved);
        self.list.push(cluster);
        open.places.clear();
        open.first_used = self.used.len();
    }

    /// Numbers what is needed where weights of B are others than those of A.
    fn find_spreads(&mut self, used: &Range<u32>) {
        let used = &mut self.used[used.start as usize..used.end as usize];
        let Some(first) = used.first().map(|first| first.pair) else { return };
        for one in used.iter_mut().skip(1).filter(|one| one.more > 0.0) {
            let pairs = [first, one.pair];
            let known = self.spreads.iter().rposition(|known| *known == pairs);
            one.spread = known.unwrap_or_else(|| {
                self.spreads.push(pairs);
                self.spreads.len() - 1
            }) as u32;
        }
    }

    /// Clusters one after the other that follow much the same joints, as if they were one.
    fn make_groups(&mut self) {
        let mut first = 0;
        let mut pairs: Vec<Used> = Vec::new();
        for at in 0..=self.list.len() {
            let own = self.list.get(at).map_or(0..0, |cluster| cluster.used.clone());
            let own = &self.used[own.start as usize..own.end as usize];
            let is_new = |used: &&Used| !pairs.iter().any(|known| known.pair == used.pair);
            let count = pairs.len() + own.iter().filter(is_new).count();
            let is_full = at - first == MAX_CLUSTERS || count > MAX_GROUP_PAIRS;
            let own = own.to_vec();
            if at > first && (is_full || at == self.list.len()) {
                self.close_group(first..at, &pairs);
                first = at;
                pairs.clear();
            }
            for used in own {
                match pairs.iter_mut().find(|known| known.pair == used.pair) {
                    Some(known) => {
                        known.weight = known.weight.max(used.weight);
                        known.more = known.more.max(used.more);
                    }
                    None => pairs.push(Used { spread: NONE, ..used }),
                }
            }
        }
    }

    fn close_group(&mut self, clusters: Range<usize>, pairs: &[Used]) {
        let all = &self.list[clusters.clone()];
        let [low, high] =
            all.iter().fold([Vec3A::INFINITY, Vec3A::NEG_INFINITY], |[low, high], one| {
                let radius = Vec3A::splat(one.radius);
                [low.min(one.middle - radius), high.max(one.middle + radius)]
            });
        let middle = 0.5 * (low + high);
        let mut whole = Cluster {
            vertices: all[0].vertices.start..all[all.len() - 1].vertices.end,
            used: self.used.len() as u32..(self.used.len() + pairs.len()) as u32,
            middle,
            ..Cluster::default()
        };
        for one in all {
            whole.radius = whole.radius.max(one.middle.distance(middle) + one.radius);
            whole.whole = whole.whole.max(one.whole);
            whole.sums = whole.sums.max(one.sums);
            whole.moved = whole.moved.max(one.moved);
        }
        self.used.extend_from_slice(pairs);
        self.find_spreads(&whole.used);
        self.groups.push((whole, clusters));
    }
}

/// The cluster that vertices are added to.
#[derive(Default)]
struct Open {
    first_used: usize,
    places: Vec<Vec3A>,
    cluster: Cluster,
}

/// The pairs of vertices of a run by the joints that they follow, strongest first; of the same joints in their order in the mesh.
fn by_joints(terms: &Terms<'_>, run: &Run<'_>) -> Option<Vec<u32>> {
    let mut own: Vec<Term> = Vec::new();
    let key = |number: u32| {
        terms.gather(run, number as usize, &mut own)?;
        let mut strongest = [(f32::NEG_INFINITY, u16::MAX); 4];
        for term in &own {
            let pair = term.pair.min(u32::from(u16::MAX)) as u16;
            let mut new = (term.weight + term.more.max(0.0), pair);
            for known in &mut strongest {
                if new.0 > known.0 {
                    std::mem::swap(known, &mut new);
                }
            }
        }
        let [a, b, c, d] = strongest.map(|(_, pair)| u64::from(pair));
        Some((a << 48 | b << 32 | c << 16 | d, number))
    };
    let keys: Option<Vec<(u64, u32)>> = (run.from as u32..run.to as u32).map(key).collect();
    let mut keys = keys?;
    keys.sort_unstable();
    Some(keys.into_iter().map(|(_, number)| number).collect())
}
