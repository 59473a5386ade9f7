//! Hips, spine, neck and head: what lies between the limbs.

use sinew_scene::JointId;

use super::Search;
use super::names;
use super::shape::Lines;
use crate::body::{Body, Why};
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::{self, Stand};
use crate::vocabulary;

impl Search<'_> {
    pub(super) fn trunk(&self, lines: &Lines, stand: &Stand, body: &mut Body) {
        let Some(hips) = self.hips(lines, body) else { return };
        let chest = self.chest(hips, body);
        let spine = chest.map_or(Vec::new(), |chest| {
            let mut spine = tree::between(self.scene.skeleton(), hips, chest);
            if chest != hips {
                spine.push(chest);
            }
            // Where collar bones hang on the neck, the neck is no part of the spine.
            while spine.last().is_some_and(|&last| self.means(last, BodyPart::Neck)) {
                spine.pop();
            }
            spine
        });
        let top = spine.last().copied().unwrap_or(hips);
        body.set(Slot::middle(BodyPart::Spine), spine, Why::Place);
        self.head(top, stand, body);
        self.root(hips, body);
    }

    fn means(&self, joint: JointId, part: BodyPart) -> bool {
        vocabulary::score(&self.readings[joint.index()], part) > 0.0
    }

    /// Where the legs meet, or what names call so above that.
    fn hips(&self, lines: &Lines, body: &mut Body) -> Option<JointId> {
        let skeleton = self.scene.skeleton();
        let thighs = Side::BOTH.map(|side| body.on(side, BodyPart::Thigh));
        let [Some(left), Some(right)] = thighs else { return None };
        let meet = tree::meet(skeleton, left, right)?;
        let arms = Side::BOTH.map(|side| body.on(side, BodyPart::UpperArm));
        // Everything that bends must hang below the hips.
        let all = arms
            .into_iter()
            .flatten()
            .try_fold(meet, |meet, arm| tree::meet(skeleton, meet, arm))?;
        // Of a centre of mass and a pelvis, both called so, the lower one rotates with the bones.
        let named =
            tree::line(skeleton, all).into_iter().rev().find(|&id| self.means(id, BodyPart::Hips));
        let hips = named.unwrap_or(all);
        let why = match (named.is_some(), lines.has(hips)) {
            (true, true) => Why::Both,
            (true, false) => Why::Name,
            _ => Why::Place,
        };
        body.set(Slot::middle(BodyPart::Hips), vec![hips], why);
        Some(hips)
    }

    /// Where the arms meet.
    fn chest(&self, hips: JointId, body: &Body) -> Option<JointId> {
        let skeleton = self.scene.skeleton();
        let inner =
            |side| body.on(side, BodyPart::Clavicle).or_else(|| body.on(side, BodyPart::UpperArm));
        let chest = match (inner(Side::Left), inner(Side::Right)) {
            (Some(left), Some(right)) => tree::meet(skeleton, left, right)?,
            (Some(one), None) | (None, Some(one)) => skeleton.node(one).parent?,
            (None, None) => {
                let neck =
                    names::best(skeleton, &self.readings, &self.liking, BodyPart::Neck, |id| {
                        tree::is_below(skeleton, id, hips)
                    });
                skeleton.node(neck?).parent?
            }
        };
        tree::is_below(skeleton, chest, hips).then_some(chest)
    }

    fn head(&self, chest: JointId, stand: &Stand, body: &mut Body) {
        let skeleton = self.scene.skeleton();
        let named = names::best(skeleton, &self.readings, &self.liking, BodyPart::Head, |id| {
            id != chest && tree::is_below(skeleton, id, chest)
        });
        let (head, why) = match named {
            Some(head) => (head, Why::Name),
            None => match self.highest(chest, stand, body) {
                Some(head) => (head, Why::Shape),
                None => return,
            },
        };
        body.set(Slot::middle(BodyPart::Head), vec![head], why);
        let neck = tree::between(skeleton, chest, head);
        body.set(Slot::middle(BodyPart::Neck), neck, Why::Place);
    }

    /// Up from the chest, away from the arms, to where the line ends or parts.
    fn highest(&self, chest: JointId, stand: &Stand, body: &Body) -> Option<JointId> {
        let arms: Vec<JointId> = Side::BOTH
            .into_iter()
            .filter_map(|side| {
                body.on(side, BodyPart::Clavicle).or_else(|| body.on(side, BodyPart::UpperArm))
            })
            .collect();
        let legs = Side::BOTH.map(|side| body.on(side, BodyPart::Thigh));
        let free = |id: &&JointId| !arms.contains(id) && !legs.contains(&Some(**id));
        let mut at = chest;
        let mut line = Vec::new();
        loop {
            let own = &self.children[at.index()];
            let up = |id: JointId| stand.place(id).y;
            let next = own.iter().filter(free).max_by(|a, b| up(**a).total_cmp(&up(**b)));
            match next {
                Some(&next) if up(next) > up(at) => {
                    line.push(next);
                    at = next;
                }
                _ => break,
            }
            if self.children[at.index()].len() > 2 {
                break;
            }
        }
        while line.len() > 1 && line.last().is_some_and(|&last| self.readings[last.index()].helper)
        {
            line.pop();
        }
        line.last().copied()
    }

    /// A node above the hips that is called root, or that alone carries them and moves.
    fn root(&self, hips: JointId, body: &mut Body) {
        let skeleton = self.scene.skeleton();
        let root = names::best(skeleton, &self.readings, &self.liking, BodyPart::Root, |id| {
            id != hips && tree::is_below(skeleton, hips, id)
        });
        if let Some(root) = root {
            body.set(Slot::middle(BodyPart::Root), vec![root], Why::Name);
        }
    }
}
