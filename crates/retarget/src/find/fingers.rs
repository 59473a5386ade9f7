//! Fingers: chains that part at a hand.

use glam::Vec3;
use sinew_scene::JointId;

use super::Search;
use crate::body::{Body, Why};
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::Stand;
use crate::vocabulary;

/// More joints in a row than any finger has.
const LONGEST: usize = 5;

impl Search<'_> {
    pub(super) fn fingers(&self, side: Side, stand: &Stand, body: &mut Body) {
        let Some(hand) = body.on(side, BodyPart::Hand) else { return };
        let mut nameless = Vec::new();
        for start in self.starts(hand) {
            let chain = self.finger(start);
            match vocabulary::finger(&self.readings[start.index()]) {
                Some(part) if body.joint(Slot::of(side, part)).is_none() => {
                    body.set(Slot::of(side, part), chain, Why::Name);
                }
                Some(_) => {}
                None if chain.len() >= 2 && !self.readings[start.index()].helper => {
                    nameless.push(chain);
                }
                None => {}
            }
        }
        let none_named = BodyPart::FINGERS.iter().all(|&part| body.on(side, part).is_none());
        if none_named && nameless.len() == 5 {
            by_shape(side, hand, nameless, stand, body);
        }
    }

    /// Where fingers begin: below the hand, past bones of the palm.
    fn starts(&self, hand: JointId) -> Vec<JointId> {
        let mut starts = Vec::new();
        for &child in &self.children[hand.index()] {
            let own = &self.children[child.index()];
            let is_finger = vocabulary::finger(&self.readings[child.index()]).is_some();
            let deeper =
                own.iter().any(|id| vocabulary::finger(&self.readings[id.index()]).is_some());
            if !is_finger && deeper {
                starts.extend(own.iter().copied());
            } else {
                starts.push(child);
            }
        }
        starts
    }

    /// On to the tip; a joint that is called an end is none.
    fn finger(&self, start: JointId) -> Vec<JointId> {
        let mut chain = vec![start];
        let mut at = start;
        while chain.len() < LONGEST {
            let own = self.children[at.index()].iter();
            let Some(&next) = own
                .copied()
                .filter(|id| !self.readings[id.index()].helper)
                .collect::<Vec<_>>()
                .first()
            else {
                break;
            };
            chain.push(next);
            at = next;
        }
        // The fourth of a finger is its tip: only three bend.
        let leaf = self.children[at.index()].is_empty();
        if chain.len() > 3 && leaf {
            chain.pop();
        }
        chain
    }
}

/// The thumb begins nearest to the wrist; the others lie in a row from it.
fn by_shape(
    side: Side,
    hand: JointId,
    mut chains: Vec<Vec<JointId>>,
    stand: &Stand,
    body: &mut Body,
) {
    let wrist = stand.place(hand);
    let base = |chain: &Vec<JointId>| stand.place(chain[0]);
    let near = |chain: &Vec<JointId>| base(chain).distance(wrist);
    chains.sort_by(|a, b| near(a).total_cmp(&near(b)));
    let thumb: Vec3 = base(&chains[0]);
    chains[1..].sort_by(|a, b| base(a).distance(thumb).total_cmp(&base(b).distance(thumb)));
    for (part, chain) in BodyPart::FINGERS.into_iter().zip(chains) {
        body.set(Slot::of(side, part), chain, Why::Shape);
    }
}
