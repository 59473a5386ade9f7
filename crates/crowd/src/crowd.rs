//! A crowd on the processor: one array of characters, posed by all cores, eight at a time on each.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use sinew_lanes::{Path, run};
use sinew_motion::{LANES, Reel};
use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};
use sinew_scene::{JointId, Skeleton};

use crate::bones::Bones;
use crate::detail::{moments, moving};
use crate::eight::{Eight, Scratch};
use crate::{Detail, Part};

/// Up to eight neighbours: their number, parts, levels and matrices.
type Group<'a> = (usize, ((&'a [Part], &'a [u8]), &'a mut [Matrix]));

/// Up to so many characters are posed by the thread that asks.
const ALONE: usize = 64;

/// A matrix of three rows of four, as shaders like it: the last row would be 0 0 0 1.
pub type Matrix = [[f32; 4]; 3];

/// Characters of one skeleton, each with a part of its own.
///
/// A character takes [`bytes_each`](Self::bytes_each): 21 bytes and 48 for every joint.
#[derive(Debug)]
pub struct Crowd {
    bones: Bones,
    reels: Vec<Arc<Reel>>,
    parts: Vec<Part>,
    paces: Vec<f32>,
    levels: Vec<u8>,
    details: Vec<(Detail, Vec<bool>)>,
    /// Character after character.
    models: Vec<Matrix>,
    /// Calls of `pose`.
    frame: u32,
    /// One for each thread, and one for who is none of them.
    scratch: Vec<Mutex<Scratch>>,
}

impl Crowd {
    /// Nobody yet, on this skeleton, with these reels to play.
    ///
    /// # Panics
    /// When there is no reel, or one is for another number of joints.
    #[must_use]
    pub fn new(skeleton: &Skeleton, reels: Vec<Reel>) -> Self {
        assert!(!reels.is_empty(), "a crowd needs a reel");
        for reel in &reels {
            assert_eq!(reel.joints(), skeleton.len(), "reels of the crowd's skeleton");
        }
        let bones = Bones::new(skeleton);
        let scratch = || Mutex::new(Scratch::new(&bones));
        Self {
            reels: reels.into_iter().map(Arc::new).collect(),
            parts: Vec::new(),
            paces: Vec::new(),
            levels: Vec::new(),
            details: vec![(Detail::FULL, moving(&Detail::FULL, &bones))],
            models: Vec::new(),
            frame: 0,
            scratch: (0..=rayon::current_num_threads()).map(|_| scratch()).collect(),
            bones,
        }
    }

    /// So many characters. New ones play the first reel from its start.
    pub fn resize(&mut self, characters: usize) {
        self.parts.resize(characters, Part::default());
        self.paces.resize(characters, 1.0);
        self.levels.resize(characters, 0);
        self.models.resize(characters * self.bones.len(), [[0.0; 4]; 3]);
    }

    /// How many characters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What everyone does.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What everyone does, to change.
    pub fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }

    /// How fast everyone's time runs, to change: 1 as filed.
    pub fn paces_mut(&mut self) -> &mut [f32] {
        &mut self.paces
    }

    /// The levels of detail to choose from. Without any, everyone is posed in full.
    pub fn set_details(&mut self, details: &[Detail]) {
        let full = [Detail::FULL];
        let details = if details.is_empty() { &full[..] } else { details };
        self.details =
            details.iter().map(|detail| (*detail, moving(detail, &self.bones))).collect();
    }

    /// Everyone's level of detail, to change: which of [`set_details`](Self::set_details); numbers past the last are the last.
    pub fn levels_mut(&mut self) -> &mut [u8] {
        &mut self.levels
    }

    /// Bytes of memory for each character.
    #[must_use]
    pub fn bytes_each(&self) -> usize {
        size_of::<Part>() + size_of::<f32>() + 1 + self.bones.len() * size_of::<Matrix>()
    }

    /// Lets time pass for everyone, over and over each reel. A time that is not a number counts as none.
    pub fn advance(&mut self, seconds: f32) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        let (reels, last) = (&self.reels, self.reels.len() - 1);
        let parts = self.parts.par_iter_mut().zip(&self.paces).with_min_len(4096);
        parts.for_each(|(part, pace)| {
            let step = if pace.is_finite() { seconds * pace } else { 0.0 };
            for (time, reel) in part.times.iter_mut().zip(part.reels) {
                let duration = reels[usize::from(reel).min(last)].duration();
                let next = *time + step;
                *time = if duration > 0.0 && next.is_finite() {
                    next.rem_euclid(duration)
                } else {
                    0.0
                };
            }
        });
    }

    /// Poses everyone whose turn it is, on all cores.
    pub fn pose(&mut self) {
        let (joints, frame) = (self.bones.len().max(1), self.frame);
        self.frame = self.frame.wrapping_add(1);
        let (bones, reels, details, scratch) =
            (&self.bones, &self.reels, &self.details, &self.scratch);
        let pose = |(group, ((parts, levels), models)): Group<'_>| {
            let finest = levels.iter().copied().min().unwrap_or(0);
            let (detail, moving) = &details[usize::from(finest).min(details.len() - 1)];
            if !frame.wrapping_add(group as u32).is_multiple_of(detail.every.max(1)) {
                return;
            }
            let thread = rayon::current_thread_index().unwrap_or(usize::MAX);
            let mine = &scratch[thread.min(scratch.len() - 1)];
            // What another thread left behind is written over before it is read.
            let scratch = &mut *mine.lock().unwrap_or_else(PoisonError::into_inner);
            run(Path::current(), Eight { bones, reels, parts, moving, models, scratch });
        };
        // Waking other threads takes as long as posing a few dozen.
        if self.parts.len() <= ALONE {
            let everyone = self.parts.chunks(LANES).zip(self.levels.chunks(LANES));
            everyone.zip(self.models.chunks_mut(LANES * joints)).enumerate().for_each(pose);
        } else {
            let everyone = self.parts.par_chunks(LANES).zip(self.levels.par_chunks(LANES));
            let everyone = everyone.zip(self.models.par_chunks_mut(LANES * joints)).enumerate();
            everyone.with_min_len(8).for_each(pose);
        }
    }

    /// Everyone's matrices, character after character, joint after joint, as of the last [`pose`](Self::pose).
    #[must_use]
    pub fn models(&self) -> &[Matrix] {
        &self.models
    }

    /// Where one joint of one character stands in its model.
    ///
    /// # Panics
    /// When there is no such character or joint.
    #[must_use]
    pub fn model_from_joint(&self, character: usize, joint: JointId) -> Affine3A {
        assert!(joint.index() < self.bones.len(), "{joint:?} of {}", self.bones.len());
        to_affine(&self.models[character * self.bones.len() + joint.index()])
    }

    /// How far, in metres, a point within 10 cm of a joint may be from where it would be at full detail, when `frame` seconds
    /// pass between two calls of [`pose`](Self::pose): measured over all reels, sixty times a second.
    ///
    /// # Panics
    /// When there is no such level.
    #[must_use]
    pub fn error_of(&self, level: usize, frame: f32) -> f32 {
        let (detail, moving) = &self.details[level];
        let late = frame.max(0.0) * (detail.every.max(1) - 1) as f32;
        let all = vec![true; self.bones.blocks()];
        let (mut exact, mut coarse) = (Vec::new(), Vec::new());
        let mut most = 0.0_f32;
        for reel in 0..self.reels.len() {
            for time in moments(&self.reels[reel]) {
                self.pose_one(reel, time + late, &all, &mut exact);
                self.pose_one(reel, time, moving, &mut coarse);
                let pairs = exact.iter().zip(&coarse);
                most = pairs.map(|(a, b)| apart(a, b)).fold(most, f32::max);
            }
        }
        most
    }

    fn pose_one(&self, reel: usize, time: f32, moving: &[bool], models: &mut Vec<Matrix>) {
        let parts = &[Part::new(reel as u16, time)];
        models.resize(self.bones.len(), [[0.0; 4]; 3]);
        let scratch = &mut Scratch::new(&self.bones);
        let (bones, reels) = (&self.bones, &self.reels);
        run(Path::current(), Eight { bones, reels, parts, moving, models, scratch });
    }
}

/// How far apart two places of a joint bring what is within 10 cm of it.
pub(crate) fn apart(a: &Matrix, b: &Matrix) -> f32 {
    let (a, b) = (to_affine(a), to_affine(b));
    let linear = a.matrix3 - b.matrix3;
    let squares = linear.x_axis.length_squared()
        + linear.y_axis.length_squared()
        + linear.z_axis.length_squared();
    // Of a turn by a small angle, the root of half the sum of squares is the angle.
    a.translation.distance(b.translation) + 0.1 * (0.5 * squares).sqrt()
}

/// The same matrix by columns.
pub(crate) fn to_affine(rows: &Matrix) -> Affine3A {
    let [[a, b, c, x], [d, e, f, y], [g, h, i, z]] = *rows;
    let matrix3 = Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i));
    Affine3A { matrix3, translation: Vec3A::new(x, y, z) }
}
