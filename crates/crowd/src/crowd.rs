//! A crowd on the processor: one array of characters, posed by all cores, eight at a time on each.
//!
//! In:  what every character plays, at which pace and level of detail.
//! Out: joint matrices, character after character.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use sinew_lanes::{SimdLevel, run};
use sinew_motion::{LANES, SampledClip};
use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};
use sinew_scene::{JointId, Skeleton};

use crate::bones::Bones;
use crate::detail::moving;
use crate::eight::{Eight, Scratch};
use crate::error::{Question, bound};
use crate::{CharacterState, Detail};

/// Up to eight neighbours: their number, states, levels and matrices.
type Group<'a> = (usize, ((&'a [CharacterState], &'a [u8]), &'a mut [Matrix]));

/// Up to so many characters are posed by the thread that asks.
pub(crate) const MAX_ALONE: usize = 64;

/// A matrix of three rows of four, as shaders like it: the last row would be 0 0 0 1.
pub type Matrix = [[f32; 4]; 3];

/// Characters of one skeleton, each with a state of its own.
///
/// A character takes [`bytes_each`](Self::bytes_each): 21 bytes and 48 for every joint.
#[derive(Debug)]
pub struct Crowd {
    bones: Bones,
    sampled_clips: Vec<Arc<SampledClip>>,
    states: Vec<CharacterState>,
    paces: Vec<f32>,
    levels: Vec<u8>,
    details: Vec<(Detail, Vec<bool>)>,
    /// Character after character.
    models: Vec<Matrix>,
    /// Calls of `pose`.
    frame: u32,
    /// How many of the characters were posed at least once.
    known: usize,
    /// One for each thread, and one for who is none of them.
    scratch: Vec<Mutex<Scratch>>,
}

impl Crowd {
    /// Nobody yet, on this skeleton, with these sampled clips to play.
    ///
    /// # Panics
    /// When there is no sampled clip, or one is for another number of joints.
    #[must_use]
    pub fn new(skeleton: &Skeleton, sampled_clips: Vec<SampledClip>) -> Self {
        assert!(!sampled_clips.is_empty(), "a crowd needs a sampled clip");
        for sampled in &sampled_clips {
            assert_eq!(sampled.joints(), skeleton.len(), "sampled clips of the crowd's skeleton");
        }
        let bones = Bones::new(skeleton);
        let scratch = || Mutex::new(Scratch::new(&bones));
        Self {
            sampled_clips: sampled_clips.into_iter().map(Arc::new).collect(),
            states: Vec::new(),
            paces: Vec::new(),
            levels: Vec::new(),
            details: vec![(Detail::FULL, moving(&Detail::FULL, &bones))],
            models: Vec::new(),
            frame: 0,
            known: 0,
            scratch: (0..=rayon::current_num_threads()).map(|_| scratch()).collect(),
            bones,
        }
    }

    /// So many characters. New ones play the first sampled clip from its start.
    pub fn resize(&mut self, characters: usize) {
        self.known = self.known.min(characters);
        self.states.resize(characters, CharacterState::default());
        self.paces.resize(characters, 1.0);
        self.levels.resize(characters, 0);
        self.models.resize(characters * self.bones.len(), [[0.0; 4]; 3]);
    }

    /// How many characters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// What everyone plays.
    #[must_use]
    pub fn states(&self) -> &[CharacterState] {
        &self.states
    }

    /// What everyone plays, to change.
    pub fn states_mut(&mut self) -> &mut [CharacterState] {
        &mut self.states
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
        size_of::<CharacterState>() + size_of::<f32>() + 1 + self.bones.len() * size_of::<Matrix>()
    }

    /// Lets time pass for everyone, over and over each sampled clip. A time that is not a number counts as none.
    pub fn advance(&mut self, seconds: f32) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        let (sampled_clips, last) = (&self.sampled_clips, self.sampled_clips.len() - 1);
        let states = self.states.par_iter_mut().zip(&self.paces).with_min_len(4096);
        states.for_each(|(state, pace)| {
            let step = if pace.is_finite() { seconds * pace } else { 0.0 };
            for (time, sampled) in state.times.iter_mut().zip(state.clips) {
                let duration = sampled_clips[usize::from(sampled).min(last)].duration();
                let next = *time + step;
                *time = if duration > 0.0 && next.is_finite() {
                    next.rem_euclid(duration)
                } else {
                    0.0
                };
            }
        });
    }

    /// Poses everyone who is due and everyone new, on all cores.
    pub fn pose(&mut self) {
        let joints = self.bones.len().max(1);
        let frame = self.frame;
        let known = self.known;
        self.frame = self.frame.wrapping_add(1);
        self.known = self.states.len();
        let bones = &self.bones;
        let sampled_clips = &self.sampled_clips;
        let details = &self.details;
        let scratch = &self.scratch;
        let pose = |(group, ((states, levels), models)): Group<'_>| {
            let finest = levels.iter().copied().min().unwrap_or(0);
            let (detail, moving) = &details[usize::from(finest).min(details.len() - 1)];
            let is_new = group * LANES + states.len() > known;
            let is_due = frame.wrapping_add(group as u32).is_multiple_of(detail.every.max(1));
            if !is_new && !is_due {
                return;
            }
            let thread = rayon::current_thread_index().unwrap_or(usize::MAX);
            let mine = &scratch[thread.min(scratch.len() - 1)];
            // What another thread left behind is written over before it is read.
            let scratch = &mut *mine.lock().unwrap_or_else(PoisonError::into_inner);
            run(
                SimdLevel::current(),
                Eight { bones, sampled_clips, states, moving, models, scratch },
            );
        };
        // Waking other threads takes as long as posing a few dozen.
        if self.states.len() <= MAX_ALONE {
            let everyone = self.states.chunks(LANES).zip(self.levels.chunks(LANES));
            everyone.zip(self.models.chunks_mut(LANES * joints)).enumerate().for_each(pose);
        } else {
            let everyone = self.states.par_chunks(LANES).zip(self.levels.par_chunks(LANES));
            let everyone = everyone.zip(self.models.par_chunks_mut(LANES * joints)).enumerate();
            everyone.with_min_len(8).for_each(pose);
        }
    }

    /// Everyone's joint matrices, character after character, joint after joint, as of the last [`pose`](Self::pose). What
    /// skinning needs has inverse bind matrices too: [`palettes`](Self::palettes).
    #[must_use]
    pub fn models(&self) -> &[Matrix] {
        &self.models
    }

    /// One joint's matrix of one character, in its model.
    ///
    /// # Panics
    /// When there is no such character or joint.
    #[must_use]
    pub fn model_from_joint(&self, character: usize, joint: JointId) -> Affine3A {
        assert!(joint.index() < self.bones.len(), "{joint:?} of {}", self.bones.len());
        to_affine(&self.models[character * self.bones.len() + joint.index()])
    }

    /// How many joints a level of detail moves; the others are left at rest.
    ///
    /// # Panics
    /// When there is no such level.
    #[must_use]
    pub fn joints_moved(&self, level: usize) -> usize {
        let moving = &self.details[level].1;
        (0..self.bones.len()).filter(|joint| moving[joint / LANES]).count()
    }

    /// How far, in metres, a point within 10 cm of a joint can be from where it would be at full detail, when `frame` seconds
    /// pass between two calls of [`pose`](Self::pose). It holds at any times and weights, over and over the sampled clips
    /// that anybody plays now, for the pairs that anybody blends and for the fastest pace that anybody has; of all sampled clips when there is nobody.
    ///
    /// A sampled clip that does not end as it begins jumps when it starts over, and who is late has not jumped yet: that counts
    /// too. Two sampled clips whose rotations of a joint are more than 180 degrees apart make it flip when they are blended, as they do at full
    /// detail.
    ///
    /// # Panics
    /// When there is no such level.
    #[must_use]
    pub fn error_of(&self, level: usize, frame: f32) -> f32 {
        let (detail, moving) = &self.details[level];
        let paces = self.paces.iter().map(|pace| pace.abs()).filter(|pace| pace.is_finite());
        let pace = if self.is_empty() { 1.0 } else { paces.fold(0.0, f32::max) };
        let late = frame.max(0.0) * (detail.every.max(1) - 1) as f32 * pace;
        let (bones, sampled_clips) = (&self.bones, &self.sampled_clips[..]);
        let (pairs, played) = (&self.pairs(), &self.played());
        bound(&Question { bones, sampled_clips, played, pairs, late, moving })
    }

    /// Which sampled clips anybody plays; all, when there is nobody.
    fn played(&self) -> Vec<bool> {
        let last = self.sampled_clips.len() - 1;
        let mut played = vec![self.is_empty(); self.sampled_clips.len()];
        for state in &self.states {
            let shares = [1.0 - state.clamped_weight(), state.clamped_weight()];
            for (sampled, share) in state.clips.into_iter().zip(shares) {
                played[usize::from(sampled).min(last)] |= share > 0.0;
            }
        }
        played
    }

    /// How far, in metres, any of these characters is from where another crowd has it: the joints, and what is 10 cm from
    /// them along their axes.
    ///
    /// # Panics
    /// When there is another number of joints, or a character is in none or one of the crowds.
    #[must_use]
    pub fn farthest_from(&self, other: &Self, characters: Range<usize>) -> f32 {
        let joints = self.bones.len();
        assert_eq!(joints, other.bones.len(), "crowds of one skeleton");
        let matrices = characters.start * joints..characters.end * joints;
        let [one, other] = [self, other].map(|crowd| &crowd.models[matrices.clone()]);
        let pairs = one.par_iter().zip(other).with_min_len(4096);
        pairs.map(|(a, b)| apart(a, b)).reduce(|| 0.0, f32::max)
    }

    /// Which two sampled clips anybody blends.
    fn pairs(&self) -> Vec<(u16, u16)> {
        let blended =
            |state: &&CharacterState| state.clamped_weight() > 0.0 && state.clamped_weight() < 1.0;
        let pair = |state: &CharacterState| {
            (state.clips[0].min(state.clips[1]), state.clips[0].max(state.clips[1]))
        };
        let pairs: HashSet<_> = self.states.iter().filter(blended).map(pair).collect();
        pairs.into_iter().collect()
    }
}

/// How far apart two places of a joint bring what is 10 cm from it along its axes.
pub(crate) fn apart(a: &Matrix, b: &Matrix) -> f32 {
    let (a, b) = (to_affine(a), to_affine(b));
    let (linear, place) = (a.matrix3 - b.matrix3, a.translation - b.translation);
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(|axis| axis * 0.1);
    let ends = axes.map(|axis| (place + axis).length().max((place - axis).length()));
    ends.into_iter().fold(place.length(), f32::max)
}

/// The same matrix as rows.
pub(crate) fn to_rows(matrix: &Affine3A) -> Matrix {
    let [a, b, c, d, e, f, g, h, i, x, y, z] = matrix.to_cols_array();
    [[a, d, g, x], [b, e, h, y], [c, f, i, z]]
}

/// The same matrix by columns.
pub(crate) fn to_affine(rows: &Matrix) -> Affine3A {
    let [[a, b, c, x], [d, e, f, y], [g, h, i, z]] = *rows;
    let matrix3 = Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i));
    Affine3A { matrix3, translation: Vec3A::new(x, y, z) }
}
