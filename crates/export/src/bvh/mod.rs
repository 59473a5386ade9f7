//! BVH: the joints of any rig and one of its clips, as motion-capture programs read it.
//!
//! In:  a scene, one of its clips, and options.
//! Out: the text: a hierarchy of offsets, then a row of positions and angles for every frame.
//!
//! The rest pose of the file is the rest pose of the rig: offsets are the bones as they rest in the world, and angles
//! are rotations away from that, along the world's axes. So joints are in the same places at every frame whatever the
//! local axes, scales and helper nodes of the rig; a bone's roll about itself at rest is not kept, since BVH has none.

mod joints;
mod motion;

use std::fmt::Write;

use glam::DVec3;
use sinew_scene::{Clip, JointId, Scene};

use crate::Exported;
use crate::{ExportError, euler};
use joints::BvhJoint;
use motion::Motion;

/// In which order a joint's three angles rotate it: the first named is the outermost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationOrder {
    /// `Xrotation Yrotation Zrotation`.
    Xyz,
    /// `Xrotation Zrotation Yrotation`.
    Xzy,
    /// `Yrotation Xrotation Zrotation`.
    Yxz,
    /// `Yrotation Zrotation Xrotation`.
    Yzx,
    /// `Zrotation Xrotation Yrotation`, as most files have it.
    #[default]
    Zxy,
    /// `Zrotation Yrotation Xrotation`.
    Zyx,
}

impl RotationOrder {
    fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }
}

/// Which joints get positions in every frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BvhPositions {
    /// The root, and those joints that do not stay at their offset (a stretched limb, a sliding prop).
    #[default]
    Needed,
    /// The root alone, for readers that want three channels in all others. A note says what is lost.
    Root,
    /// All joints.
    All,
}

/// How a BVH file is written.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhOptions {
    /// The joint at the top. `None` takes the top of the largest rig: skin joints and what clips drive.
    pub root: Option<JointId>,
    /// The joints to write; the root is always among them. `None` takes those under the root that a skin uses or a clip drives,
    /// and all that lie between them.
    pub joints: Option<Vec<JointId>>,
    /// The order of angles.
    pub order: RotationOrder,
    /// Frames per second. `None` takes the rate on which the clip's keys lie, or else 60.
    pub frame_rate: Option<f32>,
    /// File units per metre. 1 (metres) by default: BVH does not name its unit, and Blender, three.js and `sinew_import` take a
    /// file of human size for what it is. Use 100 for programs that expect centimetres.
    pub scale: f32,
    /// Which joints get positions.
    pub positions: BvhPositions,
}

impl Default for BvhOptions {
    fn default() -> Self {
        Self {
            root: None,
            joints: None,
            order: RotationOrder::default(),
            frame_rate: None,
            scale: 1.0,
            positions: BvhPositions::default(),
        }
    }
}

/// A clip of a scene as a BVH file.
///
/// The clip must be one of the scene. What BVH cannot hold (scale, meshes, morph weights) is left out with a note.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let file = sinew_export::bvh(&ossi, ossi.clip("walk").unwrap(), &Default::default())?;
/// assert!(file.bytes.starts_with(b"HIERARCHY\nROOT "));
/// # Ok::<(), sinew_export::ExportError>(())
/// ```
///
/// # Errors
/// When the scene has no node, a chosen joint is not one of its nodes, the scale or frame rate is not above zero, or there are more
/// numbers than a file can reasonably hold.
pub fn bvh(scene: &Scene, clip: &Clip, options: &BvhOptions) -> Result<Exported, ExportError> {
    let scale = f64::from(options.scale);
    if !(scale > 0.0 && scale.is_finite()) {
        let text = format!("expected a scale above zero, found {}", options.scale);
        return Err(ExportError::Invalid(text));
    }
    let mut notes = Vec::new();
    let joints = joints::choose(scene, options, &mut notes)?;
    let motion = motion::record(scene, clip, &joints, options, &mut notes)?;
    unit_note(&joints, scale, &mut notes);
    let mut text = String::new();
    hierarchy(&mut text, &joints, &motion, options);
    frames(&mut text, &joints, &motion, options);
    Ok(Exported { bytes: text.into_bytes(), notes, ..Exported::default() })
}

fn hierarchy(text: &mut String, joints: &[BvhJoint], motion: &Motion, options: &BvhOptions) {
    let scale = f64::from(options.scale);
    text.push_str("HIERARCHY\n");
    let mut open = Vec::new();
    for (number, joint) in joints.iter().enumerate() {
        while open.last().copied() != joint.parent && !open.is_empty() {
            open.pop();
            line(text, open.len(), "}");
        }
        let kind = if joint.parent.is_some() { "JOINT" } else { "ROOT" };
        line(text, open.len(), &format!("{kind} {}", joint.name));
        line(text, open.len(), "{");
        open.push(number);
        // Some readers add a root's position to its offset, some take it instead: with no offset both are right.
        let offset = if joint.parent.is_some() { joint.offset * scale } else { DVec3::ZERO };
        line(text, open.len(), &format!("OFFSET {}", vector(offset)));
        line(text, open.len(), &channels(motion.moves[number], options.order));
        if let Some(end) = joint.end {
            line(text, open.len(), "End Site");
            line(text, open.len(), "{");
            line(text, open.len() + 1, &format!("OFFSET {}", vector(end * scale)));
            line(text, open.len(), "}");
        }
    }
    while open.pop().is_some() {
        line(text, open.len(), "}");
    }
}

fn channels(moves: bool, order: RotationOrder) -> String {
    let rotations =
        order.axes().map(|axis| ["Xrotation", "Yrotation", "Zrotation"][axis]).join(" ");
    if moves {
        format!("CHANNELS 6 Xposition Yposition Zposition {rotations}")
    } else {
        format!("CHANNELS 3 {rotations}")
    }
}

fn frames(text: &mut String, joints: &[BvhJoint], motion: &Motion, options: &BvhOptions) {
    let (order, scale) = (options.order.axes(), f64::from(options.scale));
    let count = motion.frames.len();
    // Writing to a string cannot fail.
    let _ = write!(text, "MOTION\nFrames: {count}\nFrame Time: {}\n", 1.0 / motion.rate);
    let mut before = vec![[0.0; 3]; joints.len()];
    for frame in &motion.frames {
        for (number, local) in frame.iter().enumerate() {
            let angles = euler::angles_near(local.rotation, order, before[number]);
            before[number] = angles;
            if number > 0 {
                text.push(' ');
            }
            if motion.moves[number] {
                text.push_str(&vector(local.position * scale));
                text.push(' ');
            }
            text.push_str(&vector(DVec3::from(angles.map(f64::to_degrees))));
        }
        text.push('\n');
    }
}

fn line(text: &mut String, depth: usize, content: &str) {
    // Deep chains would else be mostly blanks.
    text.extend(std::iter::repeat_n('\t', depth.min(64)));
    text.push_str(content);
    text.push('\n');
}

/// Six digits after the point: a micrometre in metres, a millionth of a degree.
fn vector(vector: DVec3) -> String {
    // Adding zero makes a plain zero of a negative one.
    let [x, y, z] = vector.to_array().map(|number| (number * 1e6).round() / 1e6 + 0.0);
    format!("{x:.6} {y:.6} {z:.6}")
}

/// BVH does not name its unit: readers guess it by the size of the skeleton, as `sinew_import` does.
fn unit_note(joints: &[BvhJoint], scale: f64, notes: &mut Vec<String>) {
    let mut places: Vec<DVec3> = Vec::with_capacity(joints.len());
    let (mut least, mut most) = (DVec3::ZERO, DVec3::ZERO);
    for joint in joints {
        let place = joint.parent.map_or(DVec3::ZERO, |parent| places[parent] + joint.offset);
        for point in [Some(place), joint.end.map(|end| place + end)].into_iter().flatten() {
            least = least.min(point);
            most = most.max(point);
        }
        places.push(place);
    }
    let size = (most - least).max_element();
    let human = (0.4..=4.0).contains(&size);
    let sure = (scale == 1.0 && human) || (scale == 100.0 && (1.2..=2.2).contains(&size));
    if size > 0.0 && !sure {
        notes.push(format!(
            "BVH names no unit and readers guess it by size: the skeleton is {size:.3} m large, {:.3} units in the file; read it with a \
             unit of {} m",
            size * scale,
            1.0 / scale
        ));
    }
}
