//! BVH: a skeleton of offsets and one motion, as capture studios write it.
//!
//! In:  the text of a `.bvh` file.
//! Out: a node per joint and end site, and one clip with a key per frame. Y is up; the unit is
//! found by the size of the skeleton: see [`unit`].
//!
//! Rotations are composed in the order of each joint's channels and kept as quaternions, so that
//! between two frames a joint takes the shortest rotation, whatever its angles did.

mod hierarchy;
mod motion;
#[cfg(test)]
mod tests;
mod unit;

use glam::Mat3;
use sinew_scene::{JointId, Node, SceneParts, Transform};

use crate::ImportError;
use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};
use crate::text::Text;

pub(crate) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    let mut text = Text::new(bytes);
    let (joints, has_motion) = hierarchy::read(&mut text, context)?;
    let clip = if has_motion {
        Some(motion::read(&mut text, &joints, context)?)
    } else {
        context.notes.add(text.place(), "the file has no MOTION: a skeleton without a clip");
        None
    };
    let unit = unit::metres(&joints, context);
    let world_from_file = WorldFromFile::new(unit, Mat3::IDENTITY).unwrap_or(WorldFromFile::SAME);
    let nodes = joints
        .into_iter()
        .map(|joint| {
            let rest = Transform::from_translation(joint.offset);
            Node::new(joint.name, joint.parent.map(JointId::new), rest)
        })
        .collect();
    let parts = SceneParts { nodes, clips: clip.into_iter().collect(), ..SceneParts::default() };
    Ok(Raw::new(parts, world_from_file))
}
