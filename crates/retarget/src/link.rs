//! Which joint of the clip's skeleton each joint of the character follows.
//!
//! Chains may differ in number: a joint follows the place in the other chain that is as far along,
//! between two joints if need be. So three joints of a spine bend as far as five together do.

use sinew_scene::JointId;

use crate::body::Body;
use crate::map::JointMap;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::Stand;

/// What a joint of the character follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) slot: Slot,
    pub(crate) to: JointId,
    /// Two joints of the clip's skeleton, often the same.
    pub(crate) from: [JointId; 2],
    /// How far from the first to the second.
    pub(crate) share: f32,
}

/// A joint, and how far along its chain it is, from 0 to 1.
type Along = (JointId, f32);

/// The links of every joint that has something to follow.
pub(crate) fn links(map: &JointMap, from: &Stand, to: &Stand) -> Vec<Link> {
    let mut links = Vec::new();
    for slot in Slot::all().filter(|&slot| !is_stub(slot, &map.from, from)) {
        let (sources, targets) = match slot.part {
            BodyPart::Spine => (spine(&map.from, from), spine(&map.to, to)),
            BodyPart::Neck => (neck(&map.from), neck(&map.to)),
            _ => (even(map.from.joints(slot)), even(map.to.joints(slot))),
        };
        // Without a spine or a neck of its own, the clip still rotates what they lie between.
        for (joint, at) in
            targets.into_iter().filter(|(joint, _)| map.to.joints(slot).contains(joint))
        {
            if let Some((from, share)) = follow(&sources, at) {
                links.push(Link { slot, to: joint, from, share });
            }
        }
    }
    links
}

/// A collar bone so short that no one sees it rotate: what it does is no guide for one that carries a shoulder.
fn is_stub(slot: Slot, body: &Body, stand: &Stand) -> bool {
    let Some(side) = slot.side.filter(|_| slot.part == BodyPart::Clavicle) else { return false };
    let length = |from, to| Some(stand.way(body.on(side, from)?, body.on(side, to)?).length());
    let collar = length(BodyPart::Clavicle, BodyPart::UpperArm);
    let arm = length(BodyPart::UpperArm, BodyPart::Forearm);
    collar.zip(arm).is_some_and(|(collar, arm)| collar < 0.25 * arm)
}

/// The two joints of a chain that `at` lies between.
fn follow(chain: &[Along], at: f32) -> Option<([JointId; 2], f32)> {
    let (first, last) = (chain.first()?, chain.last()?);
    let after = chain.iter().position(|&(_, place)| place >= at - 1e-6);
    Some(match after {
        Some(0) => ([first.0; 2], 0.0),
        None => ([last.0; 2], 0.0),
        Some(next) => {
            let ((a, low), (b, high)) = (chain[next - 1], chain[next]);
            ([a, b], ((at - low) / (high - low).max(1e-6)).clamp(0.0, 1.0))
        }
    })
}

/// By number, from the first to the last.
fn even(joints: &[JointId]) -> Vec<Along> {
    let last = joints.len().saturating_sub(1).max(1) as f32;
    joints.iter().enumerate().map(|(at, &joint)| (joint, at as f32 / last)).collect()
}

/// From the hips to the chest, by length.
fn spine(body: &Body, stand: &Stand) -> Vec<Along> {
    let mut chain = vec![body.hips()];
    chain.extend_from_slice(body.joints(Slot::middle(BodyPart::Spine)));
    let steps: Vec<f32> = chain.windows(2).map(|two| stand.way(two[0], two[1]).length()).collect();
    let whole: f32 = steps.iter().sum();
    let mut at = 0.0;
    let mut along = vec![(chain[0], 0.0)];
    for (number, (&joint, step)) in chain[1..].iter().zip(&steps).enumerate() {
        at += step;
        let even = (number + 1) as f32 / steps.len() as f32;
        along.push((joint, if whole > 0.0 { at / whole } else { even }));
    }
    along
}

/// From the chest to the head, by number.
fn neck(body: &Body) -> Vec<Along> {
    let mut chain = vec![body.chest()];
    chain.extend_from_slice(body.joints(Slot::middle(BodyPart::Neck)));
    chain.extend(body.joint(Slot::middle(BodyPart::Head)));
    even(&chain)
}

/// The bones whose direction a clip gives: slot, joint and the joint at their end.
pub(crate) fn bones(body: &Body) -> Vec<(Slot, JointId, JointId)> {
    let ends = [
        (BodyPart::UpperArm, BodyPart::Forearm),
        (BodyPart::Forearm, BodyPart::Hand),
        (BodyPart::Thigh, BodyPart::Shin),
        (BodyPart::Shin, BodyPart::Foot),
    ];
    let of = |side| ends.map(|(start, end)| (Slot::of(side, start), Slot::of(side, end)));
    let both = Side::BOTH.into_iter().flat_map(of);
    both.filter_map(|(start, end)| Some((start, body.joint(start)?, body.joint(end)?))).collect()
}
