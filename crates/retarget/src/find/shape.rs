//! A body by the shape of its tree, where names say nothing.
//!
//! In:  the tree, and where its nodes stand in one pose, Y up.
//! Out: limbs: two alike that go down from the hips, and two alike that leave the line that goes up.
//!
//! What is +X of the two is called left; whether it is, the toes will tell.

use glam::Vec3;
use sinew_scene::JointId;

/// The lines of a body, each from the middle outward.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) hips: Option<JointId>,
    /// Thigh, shin, foot, toes.
    pub(super) legs: [[Option<JointId>; 4]; 2],
    /// Clavicle, upper arm, forearm, hand.
    pub(super) arms: [[Option<JointId>; 4]; 2],
}

/// The tree, and where its nodes are.
pub(super) struct Shape<'a> {
    pub(super) places: &'a [Vec3],
    pub(super) children: &'a [Vec<JointId>],
    /// The longest path out from each node: its length, and its first step.
    reach: Vec<(f32, Option<JointId>)>,
    bounds: Vec<(Vec3, Vec3)>,
}

impl<'a> Shape<'a> {
    pub(super) fn new(places: &'a [Vec3], children: &'a [Vec<JointId>]) -> Self {
        let mut reach: Vec<(f32, Option<JointId>)> = vec![(0.0, None); places.len()];
        let mut bounds: Vec<(Vec3, Vec3)> = places.iter().map(|&place| (place, place)).collect();
        for at in (0..places.len()).rev() {
            for &child in &children[at] {
                let there = child.index();
                let length = reach[there].0 + places[at].distance(places[there]);
                if length > reach[at].0 || reach[at].1.is_none() {
                    reach[at] = (length, Some(child));
                }
                bounds[at].0 = bounds[at].0.min(bounds[there].0);
                bounds[at].1 = bounds[at].1.max(bounds[there].1);
            }
        }
        Self { places, children, reach, bounds }
    }

    fn place(&self, joint: JointId) -> Vec3 {
        self.places[joint.index()]
    }

    /// From a joint to the end of its longest line; steps of no length are left out.
    fn line(&self, from: JointId) -> Vec<JointId> {
        let least = 0.01 * self.reach[from.index()].0;
        let mut line = vec![from];
        let mut at = from;
        while let Some(next) = self.reach[at.index()].1 {
            if self.place(next).distance(self.place(at)) > least {
                line.push(next);
            } else if let Some(last) = line.last_mut().filter(|last| **last == at && at != from) {
                *last = next;
            }
            at = next;
        }
        line
    }

    /// Two of a node's branches that are alike and apart, best first; the left is at +X.
    fn pairs(&self, node: JointId) -> Vec<[JointId; 2]> {
        const MAX_CANDIDATES: usize = 64;
        let own = &self.children[node.index()];
        let own = &own[..own.len().min(MAX_CANDIDATES)];
        let length = |joint: JointId| {
            self.reach[joint.index()].0 + self.place(joint).distance(self.place(node))
        };
        let mut found = Vec::new();
        for (at, &a) in own.iter().enumerate() {
            for &b in &own[at + 1..] {
                let (short, long) = (length(a).min(length(b)), length(a).max(length(b)));
                if long <= 0.0 || short < 0.8 * long {
                    continue;
                }
                let sized = |joint: JointId| {
                    let (low, high) = self.bounds[joint.index()];
                    (low + high) / 2.0
                };
                let apart = sized(a) - sized(b);
                let level = apart.y.abs() < 0.2 * long;
                if level && Vec3::new(apart.x, 0.0, apart.z).length() > 0.04 * long {
                    let left_first = apart.x > 0.0 || (apart.x == 0.0 && apart.z > 0.0);
                    found.push((short, if left_first { [a, b] } else { [b, a] }));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, pair)| pair).collect()
    }

    /// The body of the longest legs.
    pub(super) fn lines(&self, nodes: impl Iterator<Item = JointId>) -> Lines {
        let mut best = Lines::default();
        let mut longest = 0.0;
        for hips in nodes {
            let here = self.place(hips);
            let Some((legs, length)) = self.legs(hips) else { continue };
            // Something goes up from the hips, or from above them.
            let (_, high) = self.bounds[hips.index()];
            if length > longest * 1.001 && high.y - here.y > 0.3 * length {
                longest = length;
                best = Lines { hips: Some(hips), legs, arms: self.arms(hips, length) };
            }
        }
        best
    }

    fn legs(&self, hips: JointId) -> Option<([[Option<JointId>; 4]; 2], f32)> {
        self.pairs(hips).into_iter().find_map(|pair| {
            let legs = [self.leg(pair[0])?, self.leg(pair[1])?];
            let length = |leg: [Option<JointId>; 4]| match leg {
                [Some(thigh), Some(shin), Some(foot), _] => {
                    self.place(thigh).distance(self.place(shin))
                        + self.place(shin).distance(self.place(foot))
                }
                _ => 0.0,
            };
            Some((legs, length(legs[0]).min(length(legs[1]))))
        })
    }

    /// Down to where it turns forward, with a knee near the middle.
    fn leg(&self, from: JointId) -> Option<[Option<JointId>; 4]> {
        let line = self.line(from);
        let down = |at: usize| {
            let way = self.place(line[at + 1]) - self.place(line[at]);
            -way.y / way.length().max(1e-9)
        };
        let thigh = (0..line.len().saturating_sub(2)).find(|&at| down(at) > 0.6)?;
        let rotations = (thigh + 1..line.len() - 1).find(|&at| down(at) < 0.7);
        let last = rotations.unwrap_or(line.len() - 1);
        let length = |a: usize, b: usize| self.place(line[a]).distance(self.place(line[b]));
        let mut best: Option<(f32, usize, usize)> = None;
        for foot in thigh + 2..=last {
            for knee in thigh + 1..foot {
                let score = balance(length(thigh, knee), length(knee, foot));
                if best.is_none_or(|(known, ..)| score > known) {
                    best = Some((score, knee, foot));
                }
            }
        }
        let (_, knee, foot) = best?;
        let drop = self.place(line[thigh]).y - self.place(line[foot]).y;
        // A leg is most of what hangs there, and hangs.
        (drop > 0.4 * self.reach[from.index()].0).then(|| {
            [Some(line[thigh]), Some(line[knee]), Some(line[foot]), line.get(foot + 1).copied()]
        })
    }

    /// Two alike; or else two that begin alike, where one has a hand and the other has none.
    fn arms(&self, hips: JointId, leg: f32) -> TwoArms {
        let alike = |at| {
            let pairs = self.pairs(at).into_iter();
            pairs.map(|pair| (pair, pair.map(|joint| self.arm(joint)))).collect()
        };
        let begun = |at| {
            let pairs = self.twins(at).into_iter();
            pairs.map(|pair| (pair, self.arms_by_the_longer(pair))).collect()
        };
        let arms = self.best_arms(hips, leg, &alike);
        if whole_arms(&arms) { arms } else { self.best_arms(hips, leg, &begun) }
    }

    /// The widest of all that leave the line that goes up from the hips.
    fn best_arms(&self, hips: JointId, leg: f32, found: &dyn Fn(JointId) -> Vec<Arms>) -> TwoArms {
        let mut best = ([[None; 4]; 2], 0.0);
        let mut at = hips;
        loop {
            for (pair, arms) in found(at) {
                let tip = |joint: JointId| self.line(joint).last().map(|&end| self.place(end));
                let spread = match (tip(pair[0]), tip(pair[1])) {
                    (Some(a), Some(b)) => a.distance(b),
                    _ => 0.0,
                };
                let above = self.place(at).y >= self.place(hips).y - 0.05 * leg && at != hips;
                if whole_arms(&arms) && above && spread > best.1 {
                    best = (arms, spread);
                }
            }
            // On to what goes highest.
            let highest = |joint: &&JointId| self.bounds[joint.index()].1.y;
            let next =
                self.children[at.index()].iter().max_by(|a, b| highest(a).total_cmp(&highest(b)));
            match next {
                Some(&next) => at = next,
                None => return best.0,
            }
        }
    }

    /// Two of a node's branches whose first joints stand like mirror images; the left is at +X.
    fn twins(&self, node: JointId) -> Vec<[JointId; 2]> {
        const MAX_CANDIDATES: usize = 64;
        let own = &self.children[node.index()];
        let own = &own[..own.len().min(MAX_CANDIDATES)];
        let mut found = Vec::new();
        for (at, &a) in own.iter().enumerate() {
            for &b in &own[at + 1..] {
                let [one, other] = [a, b].map(|joint| self.place(joint) - self.place(node));
                let near = 0.05 * one.length().max(other.length());
                let mirrored = Vec3::new(-other.x, other.y, other.z);
                if one.distance(mirrored) < near && one.x.abs() > 2.0 * near {
                    found.push(if one.x > 0.0 { [a, b] } else { [b, a] });
                }
            }
        }
        found
    }

    /// Both as the longer of them has it, joint by joint along their lines.
    fn arms_by_the_longer(&self, pair: [JointId; 2]) -> TwoArms {
        let lines = pair.map(|joint| self.line(joint));
        let long = usize::from(lines[1].len() > lines[0].len());
        let arm = self.arm(pair[long]);
        let at =
            |joint: Option<JointId>| lines[long].iter().position(|known| Some(*known) == joint);
        let other = arm.map(|joint| at(joint).and_then(|at| lines[1 - long].get(at).copied()));
        if long == 0 { [arm, other] } else { [other, arm] }
    }

    /// The two long bones are the arm; what is before them the collar bone, what is after the hand.
    fn arm(&self, from: JointId) -> [Option<JointId>; 4] {
        let line = self.line(from);
        // Where fingers part, the hand is; but an arm needs two bones before it.
        let hand = (2..line.len()).find(|&at| self.children[line[at].index()].len() > 1);
        let last = hand.unwrap_or(line.len().saturating_sub(1)).min(line.len() - 1);
        let length = |a: usize, b: usize| self.place(line[a]).distance(self.place(line[b]));
        let mut best = None;
        for wrist in 2..=last {
            if hand.is_some_and(|hand| hand != wrist) {
                continue;
            }
            for shoulder in 0..wrist - 1 {
                for elbow in shoulder + 1..wrist {
                    let (upper, fore) = (length(shoulder, elbow), length(elbow, wrist));
                    let score = balance(upper, fore);
                    if best.is_none_or(|(known, _)| score > known + 1e-6) {
                        best = Some((score, [shoulder, elbow, wrist]));
                    }
                }
            }
        }
        let Some((_, [shoulder, elbow, wrist])) = best else { return [None; 4] };
        let clavicle = shoulder.checked_sub(1).map(|at| line[at]);
        [clavicle, Some(line[shoulder]), Some(line[elbow]), Some(line[wrist])]
    }
}

type TwoArms = [[Option<JointId>; 4]; 2];
/// Where two arms begin, and what of them is what.
type Arms = ([JointId; 2], TwoArms);

fn whole_arms(arms: &TwoArms) -> bool {
    arms.iter().all(|arm| arm[1].is_some() && arm[2].is_some())
}

/// Two bones of a limb are about as long as each other, and the outer is rather the shorter.
fn balance(inner: f32, outer: f32) -> f32 {
    inner.min(outer) - 0.8 * (outer - inner).max(0.0) - 0.3 * (inner - outer).max(0.0)
}
