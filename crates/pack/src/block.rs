//! Frames after each other and the measured times between them: what is tried at once.
//!
//! In:  all frames and all measured times.
//! Out: blocks that can be carried out and measured each by itself, in any order and on any core.

use std::ops::Range;

use sinew_scene::glam::Affine3A;

use crate::Course;
use crate::chain::{Branch, Cell};
use crate::ground::Ground;
use crate::window::{LEAST_CUBIC, Window};

/// Frames of a block.
pub(crate) const LENGTH: usize = 16;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) frames: Range<usize>,
    /// The measured times that are at one of the frames or between it and the next.
    pub(crate) times: Range<usize>,
}

impl Block {
    /// All of them, in order.
    pub(crate) fn all(ground: &Ground<'_>) -> Vec<Self> {
        let (frames, mut times) = (ground.source.clock.frames, 0);
        let block = |from: usize| {
            let to = (from + LENGTH).min(frames);
            let here = ground.places[times..].partition_point(|place| place.first < to);
            times += here;
            Self { frames: from..to, times: times - here..times }
        };
        (0..frames).step_by(LENGTH).map(block).collect()
    }

    /// The frames that its times are mixed of.
    pub(crate) fn needs(&self, ground: &Ground<'_>) -> Range<usize> {
        let (frames, Range { start, end }) = (ground.source.clock.frames, self.frames.clone());
        match ground.source.course {
            Course::Straight => start..(end + 1).min(frames),
            Course::Smooth => {
                start.saturating_sub(1).min(frames - LEAST_CUBIC)
                    ..(end + 2).clamp(LEAST_CUBIC, frames)
            }
            Course::Spans => {
                let span = |first: usize| Window::span_start(first, frames);
                span(start)..span(end - 1) + LEAST_CUBIC
            }
        }
    }
}

/// What has come out in a block so far, for all joints; nothing where none is to be asked.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Of the frames that it needs, frame after frame.
    pub(crate) cells: Vec<Cell>,
    /// Of its times, time after time.
    pub(crate) models: Vec<Affine3A>,
}

impl Known {
    pub(crate) fn new(ground: &Ground<'_>, block: &Block) -> Self {
        let count = ground.parents.len();
        Self {
            cells: vec![Cell::default(); block.needs(ground).len() * count],
            models: vec![Affine3A::IDENTITY; block.times.len() * count],
        }
    }

    /// Takes over what has come out for a branch.
    pub(crate) fn keep(&mut self, branch: &Branch, cells: &[Cell], models: &[Affine3A]) {
        let (count, width) = (branch.place.len(), branch.joints.len());
        for (known, row) in self.cells.chunks_mut(count).zip(cells.chunks(width)) {
            branch.joints.iter().zip(row).for_each(|(&joint, cell)| known[joint] = *cell);
        }
        for (known, row) in self.models.chunks_mut(count).zip(models.chunks(width)) {
            branch.joints.iter().zip(row).for_each(|(&joint, model)| known[joint] = *model);
        }
    }
}

/// A few frames of a branch.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Which frames.
    pub(crate) frames: Range<usize>,
    /// Frame after frame, and joint after joint of the branch.
    pub(crate) cells: Vec<Cell>,
}

impl Rows {
    pub(crate) fn row(&self, frame: usize) -> &[Cell] {
        let width = self.cells.len() / self.frames.len();
        let at = (frame - self.frames.start) * width;
        &self.cells[at..at + width]
    }
}
