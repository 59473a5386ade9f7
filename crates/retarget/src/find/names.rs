//! Limbs by the names of their joints.
//!
//! In:  the names of a skeleton, read.
//! Out: for a limb, the joints that its parts are, from the body outward.
//!
//! The best reading of a whole limb is sought, not of one name: along a line of the tree, the parts
//! of a limb come in their order, each once. Parents come before children, so one pass finds it.

use sinew_scene::{JointId, Skeleton};

use crate::slot::{BodyPart, Side};
use crate::vocabulary;
use crate::words::Reading;

pub(super) const LEG: [BodyPart; 4] =
    [BodyPart::Thigh, BodyPart::Shin, BodyPart::Foot, BodyPart::Toes];
pub(super) const ARM: [BodyPart; 4] =
    [BodyPart::Clavicle, BodyPart::UpperArm, BodyPart::Forearm, BodyPart::Hand];

/// The best line so far that ends with the same part: its score, and the joint of each part.
#[derive(Clone, Copy, Default)]
struct Line {
    score: f32,
    joints: [Option<JointId>; 4],
}

/// The limb whose names fit best, if any fits.
pub(super) fn limb(
    skeleton: &Skeleton,
    readings: &[Reading],
    liking: &[f32],
    side: Side,
    parts: [BodyPart; 4],
) -> [Option<JointId>; 4] {
    // Of each node: the best line that has gone through so many of the parts.
    let mut lines: Vec<[Line; 5]> = Vec::with_capacity(skeleton.len());
    let mut best = Line::default();
    for id in skeleton.ids() {
        let reading = &readings[id.index()];
        let parent = skeleton.node(id).parent;
        let mut own = parent.map_or([Line::default(); 5], |parent| lines[parent.index()]);
        let before = own;
        if reading.side == Some(side) {
            for (at, &part) in parts.iter().enumerate() {
                let score = vocabulary::score(reading, part);
                if score <= 0.0 {
                    continue;
                }
                for from in &before[..=at] {
                    let score = from.score + score + liking[id.index()];
                    if score > own[at + 1].score + 1e-4 {
                        let mut joints = from.joints;
                        joints[at] = Some(id);
                        own[at + 1] = Line { score, joints };
                    }
                }
            }
        }
        for line in &own {
            if line.score > best.score + 1e-4 {
                best = *line;
            }
        }
        lines.push(own);
    }
    best.joints
}

/// The node of the best score for a part, below `above` where that is said.
pub(super) fn best(
    skeleton: &Skeleton,
    readings: &[Reading],
    liking: &[f32],
    part: BodyPart,
    fits: impl Fn(JointId) -> bool,
) -> Option<JointId> {
    let score = |id: JointId| {
        let score = vocabulary::score(&readings[id.index()], part);
        (score > 0.0).then_some(score + liking[id.index()])
    };
    let mut best: Option<(f32, JointId)> = None;
    for id in skeleton.ids() {
        if let Some(score) = score(id)
            && best.is_none_or(|(known, _)| score > known + 1e-4)
            && fits(id)
        {
            best = Some((score, id));
        }
    }
    best.map(|(_, id)| id)
}
