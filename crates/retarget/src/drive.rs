//! What drives each joint of the character, worked out once for a clip.
//!
//! In:  links, and both T-poses.
//! Out: the rotation of a joint in the model, from a row of a record: two products where it follows one joint.

use glam::Quat;
use sinew_scene::JointId;

use crate::link::Link;
use crate::record::Record;
use crate::stance::Stance;

/// A joint of the character, and what it follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub(crate) to: JointId,
    /// Columns of the record; `None` where a joint is not in it and stays as in the T-pose.
    from: [Option<usize>; 2],
    /// The inverse of each one's rotation in the T-pose.
    back: [Quat; 2],
    share: f32,
    /// The joint's own rotation in the T-pose.
    own: Quat,
}

/// All of them, with what leads from the clip's axes to the character's.
#[derive(Clone, Debug)]
pub(crate) struct Drives {
    pub(crate) all: Vec<Drive>,
    body_from_model: Quat,
    model_from_body: Quat,
}

impl Drives {
    pub(crate) fn new(links: &[Link], record: &Record, source: &Stance, target: &Stance) -> Self {
        let drive = |link: &Link| Drive {
            to: link.to,
            from: link.from.map(|joint| record.column(joint)),
            back: link.from.map(|joint| source.rotation(joint).inverse()),
            share: if link.from[0] == link.from[1] { 0.0 } else { link.share },
            own: target.rotation(link.to),
        };
        Self {
            all: links.iter().map(drive).collect(),
            body_from_model: source.model_from_body.inverse(),
            model_from_body: target.model_from_body,
        }
    }

    /// The rotation of a joint of the character in the model, from the rotations of the clip's joints.
    #[inline]
    pub(crate) fn rotation(&self, drive: &Drive, row: &[Quat]) -> Quat {
        let away = |which: usize| {
            let rotation = drive.from[which].map_or(Quat::IDENTITY, |column| row[column]);
            self.body_from_model * rotation * drive.back[which]
        };
        let away = if drive.share == 0.0 { away(0) } else { away(0).slerp(away(1), drive.share) };
        (self.model_from_body * away * drive.own).normalize()
    }
}
