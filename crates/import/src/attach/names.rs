//! Which node of one skeleton is meant by a node of another: by name.
//!
//! In:  two skeletons, and the nodes of the first that look for a partner.
//! Out: a partner for each that has one; no node is a partner twice.
//!
//! Files of one character differ in how they spell a joint: `mixamorig:Hips`, `mixamorig_Hips`,
//! `Armature|hips`. Exact names go first, then names without a namespace, then letters and digits
//! alone; so a looser reading never takes a node from a closer one.

use std::collections::{HashMap, HashSet};

use sinew_scene::{JointId, Skeleton};

/// What a name is reduced to before it is compared; from close to loose.
const READINGS: [fn(&str) -> String; 3] = [str::to_owned, without_namespace, plain];

/// The partner in `to` of each of `seekers`, in their order. Where several nodes have the name, the
/// one whose ancestors have the names of the seeker's ancestors is taken, then one of `preferred`,
/// then the first.
pub(super) fn partners(
    seekers: &[JointId],
    from: &Skeleton,
    to: &Skeleton,
    preferred: &HashSet<JointId>,
) -> Vec<Option<JointId>> {
    let mut found = vec![None; seekers.len()];
    let mut taken = vec![false; to.len()];
    for reading in READINGS {
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, &seeker) in seekers.iter().enumerate().filter(|&(at, _)| found[at].is_none()) {
            groups.entry(reading(&from.node(seeker).name)).or_default().push(at);
        }
        groups.remove("");
        let mut candidates: HashMap<&str, Vec<JointId>> = HashMap::new();
        let names: Vec<String> = to.nodes().iter().map(|node| reading(&node.name)).collect();
        for id in to.ids().filter(|id| !taken[id.index()]) {
            candidates.entry(&names[id.index()]).or_default().push(id);
        }
        for (name, group) in groups {
            let Some(candidates) = candidates.get(name.as_str()) else { continue };
            for (at, id) in pair_up(&group, candidates, |at, id| {
                (common_ancestors(from, seekers[at], to, id), preferred.contains(&id))
            }) {
                found[at] = Some(id);
                taken[id.index()] = true;
            }
        }
    }
    found
}

/// Past this many pairs of one name, they are taken in order: nobody names nodes so on purpose.
const MAX_PAIRS: usize = 1 << 16;

/// The pairs of highest rank first; each side once.
fn pair_up(
    seekers: &[usize],
    candidates: &[JointId],
    rank: impl Fn(usize, JointId) -> (usize, bool),
) -> Vec<(usize, JointId)> {
    let in_order = || seekers.iter().copied().zip(candidates.iter().copied()).collect();
    if let ([_], [_]) = (seekers, candidates) {
        return in_order();
    }
    if seekers.len().saturating_mul(candidates.len()) > MAX_PAIRS {
        return in_order();
    }
    let mut pairs: Vec<_> = seekers
        .iter()
        .flat_map(|&at| candidates.iter().map(move |&id| (at, id)))
        .map(|(at, id)| (std::cmp::Reverse(rank(at, id)), at, id))
        .collect();
    pairs.sort_unstable();
    let (mut seekers_done, mut candidates_done) = (HashSet::new(), HashSet::new());
    let mut chosen = Vec::new();
    for (_, at, id) in pairs {
        if !seekers_done.contains(&at) && !candidates_done.contains(&id) {
            seekers_done.insert(at);
            candidates_done.insert(id);
            chosen.push((at, id));
        }
    }
    chosen
}

/// How many ancestors in a row have the same plain name, from the parent up.
fn common_ancestors(from: &Skeleton, a: JointId, to: &Skeleton, b: JointId) -> usize {
    const FAR_ENOUGH: usize = 16;
    let (mut a, mut b) = (a, b);
    for count in 0..FAR_ENOUGH {
        let (Some(next_a), Some(next_b)) = (from.node(a).parent, to.node(b).parent) else {
            return count;
        };
        (a, b) = (next_a, next_b);
        if !same_name(&from.node(a).name, &to.node(b).name) {
            return count;
        }
    }
    FAR_ENOUGH
}

/// Whether two names are one in the loosest reading.
fn same_name(one: &str, other: &str) -> bool {
    !one.is_empty() && (one == other || (plain(one) == plain(other) && !plain(one).is_empty()))
}

/// `Armature|a:b:Hips` is `Hips`.
fn without_namespace(name: &str) -> String {
    name.rsplit(['|', ':']).next().unwrap_or(name).to_owned()
}

/// Letters and digits in lower case, without namespaces and the prefixes that rigs put before every
/// joint. Some programs write the colon after a namespace as `_`, or leave it out.
pub(super) fn plain(name: &str) -> String {
    let lower = without_namespace(name).to_lowercase();
    let mut rest = lower.as_str();
    if let Some(after) = rest.strip_prefix("armature") {
        let inner = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        if inner.len() < after.len() && !inner.is_empty() {
            rest = inner;
        }
    }
    if let Some(after) = rest.strip_prefix("mixamorig") {
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    rest.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::{Node, Scene, SceneParts, Transform};

    /// Each node is a name and the place of its parent in the list.
    fn scene(nodes: &[(&str, Option<usize>)]) -> Scene {
        let nodes = nodes
            .iter()
            .map(|&(name, parent)| Node::new(name, parent.map(JointId::new), Transform::IDENTITY))
            .collect();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("parents come first")
    }

    fn match_all(from: &Scene, to: &Scene) -> Vec<Option<usize>> {
        let seekers: Vec<JointId> = from.skeleton().ids().collect();
        partners(&seekers, from.skeleton(), to.skeleton(), &HashSet::new())
            .into_iter()
            .map(|id| id.map(JointId::index))
            .collect()
    }

    #[test]
    fn one_joint_is_spelled_in_many_ways() {
        for name in [
            "mixamorig:Hips",
            "mixamorig1:Hips",
            "mixamorig_Hips",
            "mixamorigHips",
            "Armature|mixamorig:Hips",
            "Armature_Hips",
            "a:b:Hips",
            "HIPS",
        ] {
            assert_eq!(match_all(&scene(&[(name, None)]), &scene(&[("Hips", None)])), [Some(0)]);
        }
        assert!(same_name("Upper Arm.L", "upper_arm_l"));
        assert!(!same_name("", "") && !same_name("..", "::") && !same_name("Hips", "Hip"));
        assert!(!same_name("Armature", "Armature.Hips"));
    }

    #[test]
    fn an_exact_name_is_never_taken_by_a_looser_one() {
        let from = scene(&[("hips", None), ("Hips", None)]);
        let to = scene(&[("Hips", None), ("mixamorig:Hips", None)]);
        assert_eq!(match_all(&from, &to), [Some(1), Some(0)]);
    }

    #[test]
    fn of_two_nodes_with_one_name_the_parents_decide() {
        let from = scene(&[("left", None), ("hand", Some(0)), ("right", None), ("hand", Some(2))]);
        let to = scene(&[("right", None), ("hand", Some(0)), ("left", None), ("hand", Some(2))]);
        assert_eq!(match_all(&from, &to), [Some(2), Some(3), Some(0), Some(1)]);
    }

    #[test]
    fn a_joint_of_a_skin_is_preferred_to_a_mesh_of_the_same_name() {
        let (from, to) = (scene(&[("body", None)]), scene(&[("body", None), ("body", None)]));
        let joint = JointId::new(1);
        let found =
            partners(&[JointId::new(0)], from.skeleton(), to.skeleton(), &HashSet::from([joint]));
        assert_eq!(found, [Some(joint)]);
    }

    #[test]
    fn nameless_nodes_have_no_partner_and_a_thousand_twins_are_paired_in_order() {
        assert_eq!(match_all(&scene(&[("", None)]), &scene(&[("", None)])), [None]);
        let twins = scene(&vec![("bone", None); 1000]);
        let found = match_all(&twins, &twins);
        assert!(found.iter().enumerate().all(|(at, &id)| id == Some(at)));
    }
}
