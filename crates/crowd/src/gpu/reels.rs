//! Reels as a GPU reads them: bits as they are, joints in slots, and of each joint only what moves.
//!
//! In:  [`Reel`]s of one skeleton.
//! Out: for each its head; four lists of numbers over slots; frames of two words a turn and four a vector.

use bytemuck::{Pod, Zeroable};
use sinew_motion::{Reel, ReelJoint};
use sinew_scene::glam::Vec3;

use super::Error;
use super::chains::Chains;

/// As `Reel` in common.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Head {
    pub(super) duration: f32,
    pub(super) rate: f32,
    pub(super) hurry: f32,
    pub(super) last: u32,
    pub(super) tracks: u32,
    pub(super) frames: u32,
    pub(super) wide: u32,
}

// As in sample.wgsl.
const MOVES: u32 = 1;
const SCALES: u32 = 2;
const MOVE_GOES: u32 = 4;
const SCALE_GOES: u32 = 8;

/// All reels of a crowd.
#[derive(Debug, Default)]
pub(super) struct Reels {
    pub(super) heads: Vec<Head>,
    pub(super) tracks: Vec<[u32; 4]>,
    pub(super) frames: Vec<[u32; 2]>,
}

impl Reels {
    pub(super) fn new(chains: &Chains, reels: &[Reel]) -> Result<Self, Error> {
        let expected = chains.joints.len();
        if reels.is_empty() {
            return Err(Error::NoReels);
        }
        if reels.len() > 1 << 16 {
            return Err(Error::TooManyReels(reels.len()));
        }
        let mut all = Self::default();
        for (at, reel) in reels.iter().enumerate() {
            if reel.joints() != expected {
                return Err(Error::OtherSkeleton { reel: at, joints: reel.joints(), expected });
            }
            all.add(chains, reel);
        }
        // A reel without frames of its own is read at the first place all the same.
        all.frames.push([0; 2]);
        Ok(all)
    }

    fn add(&mut self, chains: &Chains, reel: &Reel) {
        let joints: Vec<Joint<'_>> =
            chains.joints.iter().map(|joint| Joint::new(reel, joint.index())).collect();
        let turning = joints.iter().filter(|joint| joint.turns).count() as u32;
        let vectors: u32 = joints.iter().map(Joint::vectors).sum();
        self.heads.push(Head {
            duration: reel.duration(),
            rate: reel.rate(),
            hurry: reel.hurry(),
            last: reel.frames() as u32 - 1,
            tracks: self.tracks.len() as u32,
            frames: self.frames.len() as u32,
            wide: turning + 2 * vectors,
        });
        self.add_tracks(&joints, turning);
        for frame in 0..reel.frames() {
            for joint in joints.iter().filter(|joint| joint.turns) {
                let [x, y, z, w] = joint.of.turn(frame).map(|bits| u32::from(bits as u16));
                self.frames.push([x | y << 16, z | w << 16]);
            }
            for joint in &joints {
                let moves = joint.moves.map(|_| joint.of.translation(frame));
                let scales = joint.scales.map(|_| joint.of.scale(frame));
                for vector in moves.into_iter().chain(scales) {
                    let [x, y, z] = vector.to_array().map(f32::to_bits);
                    self.frames.extend([[x, y], [z, 0]]);
                }
            }
        }
    }

    fn add_tracks(&mut self, joints: &[Joint<'_>], turning: u32) {
        let (mut turn, mut vector) = (0, turning);
        let mut lists: [Vec<[u32; 4]>; 4] = Default::default();
        for joint in joints {
            let still = joint.of.still();
            let scale = joint.of.turns();
            let (step, middle) = scale
                .map_or(([0.0; 4], still.rotation.to_array()), |scale| (scale.step, scale.middle));
            let goes = u32::from(scale.is_some_and(|scale| scale.goes));
            let with = |vector: Vec3, word: u32| {
                let [x, y, z] = vector.to_array().map(f32::to_bits);
                [x, y, z, word]
            };
            lists[0].push(step.map(f32::to_bits));
            lists[1].push(middle.map(f32::to_bits));
            lists[2].push(with(
                joint.of.translation(0),
                if joint.turns { turn << 1 | goes } else { 0 },
            ));
            lists[3].push(with(joint.of.scale(0), vector << 4 | joint.flags()));
            turn += u32::from(joint.turns);
            vector += 2 * joint.vectors();
        }
        self.tracks.extend(lists.into_iter().flatten());
    }
}

/// A joint, and what of it is not the same in every frame.
struct Joint<'a> {
    of: ReelJoint<'a>,
    turns: bool,
    moves: Option<bool>,
    scales: Option<bool>,
}

impl<'a> Joint<'a> {
    fn new(reel: &'a Reel, joint: usize) -> Self {
        let of = reel.joint(joint);
        // Eight joints are kept together in a reel; here each for itself.
        let differs =
            |at: &dyn Fn(usize) -> Vec3| (1..reel.frames()).any(|frame| at(frame) != at(0));
        Self {
            turns: of.turns().is_some_and(|turns| turns.step != [0.0; 4]),
            moves: of.moves().filter(|_| differs(&|frame| of.translation(frame))),
            scales: of.scales().filter(|_| differs(&|frame| of.scale(frame))),
            of,
        }
    }

    fn vectors(&self) -> u32 {
        u32::from(self.moves.is_some()) + u32::from(self.scales.is_some())
    }

    fn flags(&self) -> u32 {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        bit(self.moves.is_some(), MOVES)
            | bit(self.scales.is_some(), SCALES)
            | bit(self.moves == Some(true), MOVE_GOES)
            | bit(self.scales == Some(true), SCALE_GOES)
    }
}
