//! A packed clip where it lies: checked once from end to end, then read in place.
//!
//! After [`Packed::read`] every count, place and number in the bytes is known to be good, whoever
//! wrote them; sampling asks nothing again.

use sinew_motion::{Lanes, Pose};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{JointId, Scene, Skeleton};

use crate::ReadError;
use crate::arc::Bend;
use crate::check::check;
use crate::clock::{Clock, Place};
use crate::group::GROUP;
use crate::layout::{Header, read_u16, read_u32};
use crate::sample::Moment;
use crate::smooth::Four;
use crate::table::{BEFORE, Table};
use crate::window::{Course, Window};

/// A packed clip, in bytes that it owns or borrows: `Vec<u8>`, `&[u8]`, `Arc<[u8]>`, a map of memory.
#[derive(Clone, Debug)]
pub struct Packed<B> {
    bytes: B,
    parts: Parts,
}

/// What was found in a file, and where.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) header: Header,
    pub(crate) clock: Clock,
    /// Where the parts begin.
    pub(crate) name: usize,
    pub(crate) groups: usize,
    pub(crate) fixed: usize,
    pub(crate) segments: usize,
    /// Bytes of a segment before its first frame.
    pub(crate) head: usize,
    pub(crate) constants: Vec<Constant>,
    pub(crate) table: Table,
}

/// A track that never changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constant {
    Rotation(JointId, Quat),
    Translation(JointId, Vec3),
    Scale(JointId, Vec3),
}

impl<B: AsRef<[u8]>> Packed<B> {
    /// Takes bytes for a packed clip, after checking all of them.
    ///
    /// # Errors
    /// When they are none, are cut short or altered, or were written by a later version.
    pub fn read(bytes: B) -> Result<Self, ReadError> {
        let parts = check(bytes.as_ref())?;
        Ok(Self { bytes, parts })
    }

    /// The bytes themselves: what a file holds.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The version of the form that the bytes are in.
    pub fn version(&self) -> u16 {
        read_u16(self.bytes(), 6)
    }

    /// The clip's name.
    pub fn name(&self) -> &str {
        let name = &self.bytes()[self.parts.name..][..usize::from(self.parts.header.name)];
        std::str::from_utf8(name).unwrap_or_default()
    }

    /// Length in seconds.
    pub fn duration(&self) -> f32 {
        self.parts.header.duration
    }

    /// Where the clip begins on its file's own clock, in seconds.
    pub fn start(&self) -> f64 {
        self.parts.header.start
    }

    /// How many frames there are; at least one.
    pub fn frames(&self) -> usize {
        self.parts.header.frames as usize
    }

    /// Frames a second; on average where they are not even.
    pub fn rate(&self) -> f32 {
        self.parts.clock.average()
    }

    /// Whether frames are as far from each other everywhere, and not denser where the clip needs more.
    pub fn is_even(&self) -> bool {
        self.parts.clock.is_even()
    }

    /// Metres at the skin: what was asked for, and what was measured when the clip was packed.
    pub fn error(&self) -> (f32, f32) {
        (self.parts.header.bound, self.parts.header.measured)
    }

    /// How many nodes, morph weights and driven values a pose must have to be sampled into.
    pub fn counts(&self) -> (usize, usize, usize) {
        let Header { joints, weights, properties, .. } = self.parts.header;
        (usize::from(joints), weights as usize, properties as usize)
    }

    /// Whether the clip was packed against this scene's skeleton.
    pub fn fits(&self, scene: &Scene) -> bool {
        usize::from(self.parts.header.joints) == scene.skeleton().len()
            && self.parts.header.weights as usize == scene.weight_count()
            && self.parts.header.properties as usize == scene.properties.len()
            && self.parts.header.fingerprint == fingerprint(scene.skeleton())
    }

    pub(crate) fn groups(&self) -> &[[u8; GROUP]] {
        let all = &self.bytes()[self.parts.groups..];
        let (groups, _) = all[..usize::from(self.parts.header.groups) * GROUP].as_chunks();
        groups
    }

    pub(crate) fn fixed(&self) -> usize {
        self.parts.fixed
    }

    pub(crate) fn constants(&self) -> &[Constant] {
        &self.parts.constants
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.parts.clock
    }

    pub(crate) fn table(&self) -> &Table {
        &self.parts.table
    }

    /// Bytes of memory that are taken beside the file's own, for what sampling needs ready: about as many as a
    /// file of a few seconds has, and never more than 44 times as many.
    pub fn size_beside(&self) -> usize {
        self.parts.table.size() + self.parts.clock.size() + size_of_val(&self.parts.constants[..])
    }

    /// How the motion goes from frame to frame.
    pub fn course(&self) -> Course {
        Course::of_flags(self.parts.header.flags)
    }

    #[inline]
    fn at(&self, time: f32) -> Place {
        self.parts.clock.place(time)
    }

    /// A frame's segment, the place [`BEFORE`] the frame, and how many bytes it has.
    #[inline]
    fn frame(&self, frame: usize) -> (usize, usize, usize) {
        let Parts { segments, head, .. } = self.parts;
        // Frames are fewer than 2²⁴.
        let (frame, length) = (frame as u32, u32::from(self.parts.header.segment));
        let (segment, inner) = ((frame / length) as usize, (frame % length) as usize);
        let start = read_u32(self.bytes(), segments + 4 * segment) as usize;
        let stride = usize::from(read_u16(self.bytes(), start));
        (segment, start + head + stride * inner - BEFORE, stride)
    }

    #[inline]
    pub(crate) fn moment(&self, time: f32) -> Moment {
        let Place { first, fraction } = self.at(time);
        let (segment, from, stride) = self.frame(first);
        let mut moment =
            Moment { segments: [segment; 2], frames: [from, from], bend: Bend::new(fraction) };
        let second = first + 1;
        if second < self.frames() {
            moment.frames[1] = from + stride;
            if second == (segment + 1) * usize::from(self.parts.header.segment) {
                let (segment, to, _) = self.frame(second);
                moment.segments[1] = segment;
                moment.frames[1] = to;
            }
        }
        moment
    }

    #[inline]
    pub(crate) fn four(&self, time: f32) -> Four {
        let window = Window::new(self.at(time), self.frames(), self.course());
        let places = [0, 1, 2, 3].map(|step| self.frame(window.start + step));
        Four {
            segments: places.map(|(segment, ..)| segment),
            frames: places.map(|(_, frame, _)| frame),
            shares: window.shares,
            holding: window.holding(),
        }
    }

    pub(crate) fn check_pose(&self, pose: &Pose) {
        assert_eq!(
            pose.len(),
            usize::from(self.parts.header.joints),
            "a pose of the clip's skeleton"
        );
        assert_eq!(pose.all_weights().len(), self.parts.header.weights as usize, "one weight each");
        assert_eq!(
            pose.properties().len(),
            self.parts.header.properties as usize,
            "one value each"
        );
    }
}

impl Constant {
    /// All constants are of nodes that there are.
    #[inline(always)]
    pub(crate) fn write(self, locals: &mut [Lanes]) {
        match self {
            Self::Rotation(joint, value) => {
                locals[joint.index() / 8].set_rotation(joint.index() % 8, value);
            }
            Self::Translation(joint, value) => {
                locals[joint.index() / 8].set_translation(joint.index() % 8, value);
            }
            Self::Scale(joint, value) => {
                locals[joint.index() / 8].set_scale(joint.index() % 8, value);
            }
        }
    }
}

/// A number for a skeleton's tree and rest pose: clips are packed against both.
#[must_use]
pub fn fingerprint(skeleton: &Skeleton) -> u64 {
    let mut bytes = Vec::with_capacity(48 * skeleton.len());
    for node in skeleton.nodes() {
        let parent = node.parent.map_or(0, |parent| parent.index() as u32 + 1);
        bytes.extend(parent.to_le_bytes());
        let rest = node.rest;
        let numbers = rest.translation.to_array().into_iter().chain(rest.rotation.to_array());
        for number in numbers.chain(rest.scale.to_array()) {
            bytes.extend(number.to_le_bytes());
        }
    }
    crate::layout::hash(&bytes)
}
