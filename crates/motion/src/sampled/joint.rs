//! What a sampled clip knows of one joint, for who plays sampled clips elsewhere than on this processor.
//!
//! In:  a joint's number.
//! Out: what holds for the whole sampled clip, and what stands in each frame, bit by bit as [`SampledClip::sample`] reads it.

use sinew_scene::Transform;
use sinew_scene::glam::Vec3;

use super::{Block, SampledClip};
use crate::lanes::LANES;

/// One joint of a sampled clip.
#[derive(Clone, Copy, Debug)]
pub struct SampledJoint<'a> {
    sampled: &'a SampledClip,
    block: &'a Block,
    lane: usize,
    /// How many blocks before this one turn.
    rotations: usize,
    /// How many rows of vectors come before this block's in a frame.
    vectors: usize,
}

/// How 16 bits become a quaternion: `bits · step + middle`, of unit length again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationScale {
    /// x, y, z, w.
    pub step: [f32; 4],
    /// x, y, z, w.
    pub middle: [f32; 4],
    /// Whether it goes on between frames; else it holds.
    pub goes: bool,
}

impl SampledClip {
    /// What is known of one joint; takes a look at all before it.
    ///
    /// # Panics
    /// When there is no such joint.
    #[must_use]
    pub fn joint(&self, joint: usize) -> SampledJoint<'_> {
        assert!(joint < self.joints, "joint {joint} of {}", self.joints);
        let (before, rest) = self.blocks.split_at(joint / LANES);
        let rows = |block: &Block| {
            usize::from(block.moves.is_some()) + usize::from(block.scales.is_some())
        };
        SampledJoint {
            sampled: self,
            block: &rest[0],
            lane: joint % LANES,
            rotations: before.iter().filter(|block| block.rotations.is_some()).count(),
            vectors: before.iter().map(rows).sum(),
        }
    }
}

impl SampledJoint<'_> {
    /// Where it stands, as far as it does not move.
    #[must_use]
    pub fn still(&self) -> Transform {
        self.block.still.get(self.lane)
    }

    /// How its bits are read; `None` when it does not turn.
    #[must_use]
    pub fn rotations(&self) -> Option<RotationScale> {
        let rotations = self.block.rotations.as_ref()?;
        Some(RotationScale {
            step: rotations.step.map(|row| row[self.lane]),
            middle: rotations.middle.map(|row| row[self.lane]),
            goes: rotations.goes[self.lane] > 0.0,
        })
    }

    /// Its turn in a frame; nothing when it does not turn.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn rotation(&self, frame: usize) -> [i16; 4] {
        assert!(frame < self.sampled.frames, "frame {frame} of {}", self.sampled.frames);
        if self.block.rotations.is_none() {
            return [0; 4];
        }
        let wide = self.sampled.rotations.len() / self.sampled.frames;
        self.sampled.rotations[frame * wide + self.rotations].map(|row| row[self.lane])
    }

    /// Whether its translation goes on between frames (else it holds); `None` when it does not move.
    #[must_use]
    pub fn moves(&self) -> Option<bool> {
        self.block.moves.map(|goes| goes[self.lane] > 0.0)
    }

    /// Where it is in a frame.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn translation(&self, frame: usize) -> Vec3 {
        match self.block.moves {
            Some(_) => self.vector(frame, 0),
            None => self.still().translation,
        }
    }

    /// Whether its scale goes on between frames (else it holds); `None` when it does not scale.
    #[must_use]
    pub fn scales(&self) -> Option<bool> {
        self.block.scales.map(|goes| goes[self.lane] > 0.0)
    }

    /// Its scale in a frame.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn scale(&self, frame: usize) -> Vec3 {
        match self.block.scales {
            Some(_) => self.vector(frame, usize::from(self.block.moves.is_some())),
            None => self.still().scale,
        }
    }

    fn vector(&self, frame: usize, row: usize) -> Vec3 {
        assert!(frame < self.sampled.frames, "frame {frame} of {}", self.sampled.frames);
        let wide = self.sampled.vectors.len() / self.sampled.frames;
        let rows = &self.sampled.vectors[frame * wide + self.vectors + row];
        Vec3::from(rows.map(|row| row[self.lane]))
    }
}
