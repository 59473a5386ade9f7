//! A packed clip where it lies: checked once from end to end, then sampled in place.
//!
//! In:  bytes, and a time.
//! Out: a pose.
//!
//! Nothing of a file is copied or prepared: beside its bytes a [`Packed`] keeps where their parts begin.

mod clip;
mod field;
pub(crate) mod rotation;
mod sample;

use sinew_motion::{Pose, SimdLevel};
use sinew_scene::{Scene, Skeleton};

use crate::ReadError;
use crate::format::check::check;
use crate::format::header::{Header, MAGIC, hash};
use crate::format::{Layout, SEGMENT_FIXED, read_f32, read_u16, read_u32};

/// A packed clip, in bytes that it owns or borrows: `Vec<u8>`, `&[u8]`, `Arc<[u8]>`, a map of memory.
#[derive(Clone, Debug)]
pub struct Packed<B> {
    pub(crate) bytes: B,
    pub(crate) layout: Layout,
    /// How it is sampled. Behind a pointer that only [`Packed::read`] sets, so that a program that reads no packed
    /// clip carries none of that code: it counts on web pages.
    sampler: fn(&Self, SimdLevel, usize, f32, &mut Pose),
}

impl<B: AsRef<[u8]>> Packed<B> {
    /// Takes bytes for a packed clip, after checking all of them.
    ///
    /// # Errors
    /// When they are none, are cut short or altered, or were written in another version of the format.
    pub fn read(bytes: B) -> Result<Self, ReadError> {
        let layout = check(bytes.as_ref())?;
        Ok(Self { bytes, layout, sampler: Self::sample_frame })
    }

    /// Whether bytes are a packed clip, or the beginning of one, by the mark that they begin with.
    pub fn is_packed(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The bytes themselves: what a file holds.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The version of the format that the bytes are in.
    pub fn version(&self) -> u16 {
        read_u16(self.bytes(), 6)
    }

    /// The clip's name.
    pub fn name(&self) -> &str {
        let name = &self.bytes()[Header::SIZE..self.layout.times];
        std::str::from_utf8(name).unwrap_or_default()
    }

    /// Duration in seconds.
    pub fn duration(&self) -> f32 {
        self.layout.header.duration
    }

    /// Where the clip begins on its file's own clock, in seconds.
    pub fn start(&self) -> f64 {
        self.layout.header.start
    }

    /// How many frames there are; at least one.
    pub fn frames(&self) -> usize {
        self.layout.header.frames as usize
    }

    /// Frames a second; on average where they are not uniform, and 0 for a single frame.
    pub fn rate(&self) -> f32 {
        match self.layout.header.rate {
            _ if self.frames() < 2 => 0.0,
            0.0 => {
                let last = self.frames() - 1;
                (last as f64 / f64::from(self.frame_time(last))) as f32
            }
            rate => rate as f32,
        }
    }

    /// Whether all frames are as far apart.
    pub fn is_uniform(&self) -> bool {
        self.layout.header.is_uniform()
    }

    /// How many samples were taken of the clip, both ends included: what the error is stated of. 0 where it is the
    /// clip's curves themselves.
    pub fn samples(&self) -> usize {
        self.layout.header.samples as usize
    }

    /// Metres at the skin: what was asked for, and what was measured when the clip was packed.
    pub fn error(&self) -> (f32, f32) {
        (self.layout.header.bound, self.layout.header.error)
    }

    /// Metres at the skin against the clip itself, which may move between the samples that were packed.
    pub fn loss(&self) -> f32 {
        self.layout.header.loss
    }

    /// How many nodes, morph weights and driven values a pose must have to be sampled into.
    pub fn counts(&self) -> (usize, usize, usize) {
        let header = &self.layout.header;
        (usize::from(header.nodes), header.weights as usize, header.properties as usize)
    }

    /// Whether the clip was packed against this scene's skeleton.
    pub fn fits(&self, scene: &Scene) -> bool {
        let counts = (scene.skeleton().len(), scene.weight_count(), scene.properties.len());
        self.counts() == counts && self.layout.header.fingerprint == fingerprint(scene.skeleton())
    }

    /// Bytes of memory that are taken beside the file's own.
    pub fn size_beside(&self) -> usize {
        size_of::<Layout>()
    }

    /// Frames of a segment.
    pub fn segment(&self) -> usize {
        usize::from(self.layout.header.segment)
    }

    /// When a frame is, in seconds from the clip's start.
    pub(crate) fn frame_time(&self, frame: usize) -> f32 {
        match self.layout.header.rate {
            0.0 => read_f32(self.bytes(), self.layout.times + 4 * frame),
            rate => (frame as f64 / rate) as f32,
        }
    }

    /// Which frame is at or before a time, and how far it is on to the next: from 0 up to 1. Times outside are at the
    /// first or the last.
    #[inline]
    pub(crate) fn place(&self, time: f32) -> (usize, f32) {
        let time = if time > 0.0 { time.min(self.duration()) } else { 0.0 };
        let (frame, share) = match self.layout.header.rate {
            0.0 => self.place_among_times(time),
            rate => {
                let at = f64::from(time) * rate;
                (at as usize, (at - (at as usize) as f64) as f32)
            }
        };
        let last = self.frames() - 1;
        if frame < last { (frame, share) } else { (last, 0.0) }
    }

    fn place_among_times(&self, time: f32) -> (usize, f32) {
        let (times, _) = self.bytes()[self.layout.times..self.layout.tracks[0]].as_chunks();
        let frame = times.partition_point(|at| f32::from_le_bytes(*at) <= time).saturating_sub(1);
        let [from, to] = [frame, frame + 1].map(|frame| f64::from(self.frame_time(frame)));
        (frame, ((f64::from(time) - from) / (to - from)) as f32)
    }

    /// Where the widths and bases of a frame's segment begin, and where its own bytes do.
    #[inline]
    fn frame(&self, frame: usize) -> (usize, usize) {
        let length = u32::from(self.layout.header.segment);
        let (segment, within) = (frame as u32 / length, frame as u32 % length);
        let start = read_u32(self.bytes(), self.layout.segments + 4 * segment as usize) as usize;
        let stride = usize::from(read_u16(self.bytes(), start));
        let frames = start + self.layout.segment_head;
        (start + SEGMENT_FIXED, frames + stride * within as usize)
    }
}

/// A number for a skeleton's tree and rest pose: clips are packed against both.
#[must_use]
pub fn fingerprint(skeleton: &Skeleton) -> u64 {
    let mut bytes = Vec::with_capacity(44 * skeleton.len());
    for node in skeleton.nodes() {
        let parent = node.parent.map_or(0, |parent| parent.index() as u32 + 1);
        bytes.extend(parent.to_le_bytes());
        let rest = node.rest;
        let numbers = rest.translation.to_array().into_iter().chain(rest.rotation.to_array());
        for number in numbers.chain(rest.scale.to_array()) {
            bytes.extend(number.to_le_bytes());
        }
    }
    hash(&bytes)
}
