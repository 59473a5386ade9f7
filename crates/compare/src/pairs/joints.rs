//! Which joints belong together.
//!
//! In:  two skeletons, and a map by names.
//! Out: pairs in the order of A, and how each kind of pairing did; each joint is in one pair at most.

use std::collections::{HashMap, HashSet, VecDeque};

use sinew_scene::{JointId, Scene, Skeleton};

use super::{pair_by_key, stem};
use crate::CompareError;
use crate::report::JointMatch;

/// Pairs of joints, of A and of B, in the order of A.
#[derive(Clone, Debug)]
pub(crate) struct JointPairs {
    pub(crate) pairs: Vec<(JointId, JointId)>,
    pub(crate) how: JointMatch,
    /// For each node of A, its partner.
    partners: Vec<Option<JointId>>,
}

impl JointPairs {
    /// Pairs joints: as mapped, else by name, by stem; by order where they have no name, or names have nothing in common.
    pub(crate) fn new(
        a: &Scene,
        b: &Scene,
        map: &[(String, String)],
    ) -> Result<Self, CompareError> {
        let skeletons = [a.skeleton(), b.skeleton()];
        let mut free = Free::new(skeletons);
        for (of_a, of_b) in map {
            free.take(find('A', skeletons[0], of_a)?, find('B', skeletons[1], of_b)?);
        }
        let mapped = free.pairs.len();
        free.by_key(skeletons, |name| (!name.is_empty()).then(|| name.to_owned()));
        let named = free.pairs.len();
        free.by_key(skeletons, |name| Some(stem(name)).filter(|stem| !stem.is_empty()));
        let stemmed = free.pairs.len();
        free.unnamed(skeletons);
        if free.pairs.is_empty() && skeletons[0].parents() == skeletons[1].parents() {
            skeletons[0].ids().for_each(|joint| free.take(joint, joint));
        }
        let mut pairs = free.pairs;
        let how = JointMatch {
            mapped,
            by_name: named - mapped,
            by_stem: stemmed - named,
            by_order: pairs.len() - stemmed,
        };
        pairs.sort_unstable();
        let mut partners = vec![None; skeletons[0].len()];
        pairs.iter().for_each(|(a, b)| partners[a.index()] = Some(*b));
        Ok(Self { pairs, how, partners })
    }

    /// The partner of a joint of A.
    pub(crate) fn partner(&self, a: JointId) -> Option<JointId> {
        self.partners[a.index()]
    }
}

/// What is paired, and what is not yet.
struct Free {
    taken: [HashSet<JointId>; 2],
    pairs: Vec<(JointId, JointId)>,
}

impl Free {
    fn new(skeletons: [&Skeleton; 2]) -> Self {
        let taken = skeletons.map(|skeleton| HashSet::with_capacity(skeleton.len()));
        Self { taken, pairs: Vec::new() }
    }

    fn take(&mut self, a: JointId, b: JointId) {
        if !self.taken[0].contains(&a) && !self.taken[1].contains(&b) {
            self.taken[0].insert(a);
            self.taken[1].insert(b);
            self.pairs.push((a, b));
        }
    }

    /// Pairs nodes without a name that hang under partners, in order.
    fn unnamed(&mut self, skeletons: [&Skeleton; 2]) {
        let nameless = |skeleton: &Skeleton, joint: JointId| skeleton.node(joint).name.is_empty();
        let mut waiting: HashMap<Option<JointId>, VecDeque<JointId>> = HashMap::new();
        for joint in skeletons[1].ids().filter(|joint| nameless(skeletons[1], *joint)) {
            waiting.entry(skeletons[1].node(joint).parent).or_default().push_back(joint);
        }
        let mut partners: HashMap<JointId, JointId> = self.pairs.iter().copied().collect();
        for joint in skeletons[0].ids().filter(|joint| nameless(skeletons[0], *joint)) {
            let above = match skeletons[0].node(joint).parent {
                None => None,
                Some(parent) => match partners.get(&parent) {
                    Some(partner) => Some(*partner),
                    None => continue,
                },
            };
            if let Some(other) = waiting.get_mut(&above).and_then(VecDeque::pop_front) {
                partners.insert(joint, other);
                self.take(joint, other);
            }
        }
    }

    fn by_key(&mut self, skeletons: [&Skeleton; 2], key: impl Fn(&str) -> Option<String>) {
        let keyed = |side: usize| {
            let nodes = skeletons[side].nodes().iter().enumerate();
            let free = nodes.filter(|(node, _)| !self.taken[side].contains(&JointId::new(*node)));
            free.filter_map(|(node, own)| Some((node, key(&own.name)?))).collect::<Vec<_>>()
        };
        let [a, b] = [keyed(0), keyed(1)];
        let mut found = Vec::new();
        pair_by_key(a.into_iter(), b.into_iter(), |a, b| found.push((a, b)));
        found.into_iter().for_each(|(a, b)| self.take(JointId::new(a), JointId::new(b)));
    }
}

fn find(model: char, skeleton: &Skeleton, name: &str) -> Result<JointId, CompareError> {
    let missing = || CompareError::JointNotFound { model, name: name.to_owned() };
    skeleton.find(name).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Node, SceneParts, Transform};

    use super::*;

    fn scene(names: &[&str]) -> Scene {
        let node = |(at, name): (usize, &&str)| {
            let parent = at.checked_sub(1).map(JointId::new);
            Node::new(*name, parent, Transform::IDENTITY)
        };
        let nodes = names.iter().enumerate().map(node).collect();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a chain")
    }

    fn found(a: &[&str], b: &[&str], map: &[(&str, &str)]) -> Vec<(usize, usize)> {
        let map: Vec<_> = map.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
        let pairs = JointPairs::new(&scene(a), &scene(b), &map).expect("all is there").pairs;
        pairs.iter().map(|(a, b)| (a.index(), b.index())).collect()
    }

    #[test]
    fn joints_are_paired_by_map_then_name_then_stem() {
        let a = ["root", "mixamorig:Hips", "Spine", "Head"];
        let b = ["Skull", "hips", "Spine", "tail"];
        assert_eq!(found(&a, &b, &[("Head", "Skull")]), [(1, 1), (2, 2), (3, 0)]);
    }

    #[test]
    fn names_that_are_there_twice_are_paired_in_order() {
        assert_eq!(found(&["x", "y", "x"], &["x", "x", "y"], &[]), [(0, 0), (1, 2), (2, 1)]);
    }

    #[test]
    fn nodes_without_a_name_are_paired_in_order_under_their_partners() {
        assert_eq!(found(&["a", "", "", "b"], &["a", "", "", "b"], &[]).len(), 4);
        assert_eq!(found(&["", "a", ""], &["a", ""], &[]), [(1, 0), (2, 1)]);
    }

    #[test]
    fn without_a_common_name_trees_of_one_shape_are_paired_by_order() {
        assert_eq!(found(&["", "a"], &["b", ""], &[]), [(0, 0), (1, 1)]);
        assert_eq!(found(&["a", "b"], &["c"], &[]), []);
    }

    #[test]
    fn a_map_that_names_what_is_not_there_is_an_error() {
        let map = [("a".to_owned(), "z".to_owned())];
        let error = JointPairs::new(&scene(&["a"]), &scene(&["b"]), &map).unwrap_err();
        assert_eq!(error.to_string(), "there is no joint \"z\" in B, which the map names");
    }
}
