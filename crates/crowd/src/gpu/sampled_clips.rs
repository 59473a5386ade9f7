//! Sampled clips as a GPU reads them: bits as they are, joints in slots, and of each joint only what moves.
//!
//! In:  [`SampledClip`]s of one skeleton.
//! Out: what is known of each slot; for each sampled clip its head, how its rotations are read, and what is known of movers; frames.
//!
//! Most joints of most characters only rotate. Those that do more, in any sampled clip, are movers.

use bytemuck::{Pod, Zeroable};
use sinew_motion::{RotationScale, SampledClip, SampledJoint};
use sinew_scene::JointId;
use sinew_scene::glam::Vec3;

use super::CrowdError;
use super::chains::Chains;
use super::output::{Bind, Binds};

/// As `SampledClip` in common.wgsl.
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
const IS_MOVED: u32 = 1;
const IS_SCALED: u32 = 2;
const MOVE_GOES: u32 = 4;
const SCALE_GOES: u32 = 8;

/// All sampled clips of a crowd.
#[derive(Debug, Default)]
pub(super) struct GpuClips {
    pub(super) heads: Vec<Head>,
    pub(super) tracks: Vec<[u32; 4]>,
    pub(super) frames: Vec<[u32; 4]>,
    /// How many joints do more than rotate.
    pub(super) movers: u32,
    /// Whether any rotation holds from frame to frame.
    pub(super) holds: bool,
}

impl GpuClips {
    pub(super) fn new(
        chains: &Chains,
        binds: &Binds,
        sampled_clips: &[SampledClip],
    ) -> Result<Self, CrowdError> {
        let expected = chains.slots.len();
        if sampled_clips.is_empty() {
            return Err(CrowdError::NoClips);
        }
        if sampled_clips.len() > 1 << 16 {
            return Err(CrowdError::TooManyClips(sampled_clips.len()));
        }
        for (at, sampled) in sampled_clips.iter().enumerate() {
            if sampled.joints() != expected {
                return Err(CrowdError::OtherSkeleton {
                    sampled: at,
                    joints: sampled.joints(),
                    expected,
                });
            }
        }
        let joint = |sampled, id: &Option<JointId>| id.map(|id| Joint::new(sampled, id.index()));
        let in_slots = |sampled| chains.joints.iter().map(|id| joint(sampled, id)).collect();
        let joints: Vec<Slots<'_>> = sampled_clips.iter().map(in_slots).collect();
        let slots = 0..chains.joints.len();
        let movers: Vec<usize> = slots.clone().filter(|&slot| is_mover(&joints, slot)).collect();
        let mut all = Self { movers: movers.len() as u32, ..Self::default() };
        for slot in slots {
            let place =
                joints[0][slot].as_ref().map_or(Vec3::ZERO, |joint| joint.of.translation(0));
            let mover = number(&movers, &slot);
            let branch = number(&chains.branches, &(slot as u32));
            all.tracks.extend(binds.of(slot, place, [mover, branch]));
        }
        all.tracks.extend(binds.list.iter().flat_map(Bind::words));
        for (sampled, joints) in sampled_clips.iter().zip(&joints) {
            all.add(sampled, joints, &movers);
        }
        Ok(all)
    }

    fn add(&mut self, sampled: &SampledClip, joints: &Slots<'_>, movers: &[usize]) {
        let movers = || movers.iter().filter_map(|&slot| joints[slot].as_ref());
        let (pairs, vectors) = (joints.len() as u32 / 2, movers().map(Joint::vectors).sum::<u32>());
        self.heads.push(Head {
            duration: sampled.duration(),
            rate: sampled.rate(),
            hurry: sampled.hurry(),
            last: sampled.frames() as u32 - 1,
            tracks: self.tracks.len() as u32,
            frames: self.frames.len() as u32,
            wide: pairs + vectors,
        });
        self.holds |= joints.iter().flatten().any(|joint| !joint.scale.goes);
        self.tracks.extend(joints.iter().map(|joint| joint.as_ref().map_or([0; 4], Joint::how)));
        let mut vector = pairs;
        for joint in movers() {
            self.tracks.push(with(joint.of.translation(0), 0));
            self.tracks.push(with(joint.of.scale(0), vector << 4 | joint.flags()));
            vector += joint.vectors();
        }
        for frame in 0..sampled.frames() {
            let bits =
                |joint: &Option<Joint<'_>>| joint.as_ref().map_or([0; 2], |it| it.bits(frame));
            for pair in joints.as_chunks::<2>().0 {
                let [[a, b], [c, d]] = pair.each_ref().map(bits);
                self.frames.push([a, b, c, d]);
            }
            for joint in movers() {
                let moves = joint.moves.map(|_| joint.of.translation(frame));
                let scales = joint.scales.map(|_| joint.of.scale(frame));
                self.frames.extend(moves.into_iter().chain(scales).map(|vector| with(vector, 0)));
            }
        }
    }
}

/// The joint of each slot that has one.
type Slots<'a> = Vec<Option<Joint<'a>>>;

/// Which one it is, from one on; zero is none.
fn number<T: PartialEq>(list: &[T], one: &T) -> u32 {
    list.iter().position(|other| other == one).map_or(0, |at| at as u32 + 1)
}

/// Whether a joint does more than rotate in any sampled clip, or is elsewhere than in the first.
fn is_mover(sampled_clips: &[Slots<'_>], slot: usize) -> bool {
    let mut joints = sampled_clips.iter().filter_map(|joints| joints[slot].as_ref()).peekable();
    let rest = joints.peek().map(|joint| joint.of.translation(0));
    joints.any(|joint| {
        let elsewhere = Some(joint.of.translation(0)) != rest || joint.of.scale(0) != Vec3::ONE;
        joint.vectors() > 0 || elsewhere
    })
}

pub(super) fn with(vector: Vec3, word: u32) -> [u32; 4] {
    let [x, y, z] = vector.to_array().map(f32::to_bits);
    [x, y, z, word]
}

/// The upper half of a number, which is all that steps and middles have.
fn upper(number: f32) -> u32 {
    number.to_bits() >> 16
}

/// A joint, and what of it is not the same in every frame.
struct Joint<'a> {
    of: SampledJoint<'a>,
    scale: RotationScale,
    /// The bits of all frames, where it does not rotate.
    still: Option<[i16; 4]>,
    moves: Option<bool>,
    scales: Option<bool>,
}

impl<'a> Joint<'a> {
    fn new(sampled: &'a SampledClip, joint: usize) -> Self {
        let of = sampled.joint(joint);
        // Eight joints are kept together in a sampled clip; here each for itself.
        let differs =
            |at: &dyn Fn(usize) -> Vec3| (1..sampled.frames()).any(|frame| at(frame) != at(0));
        let (scale, still) = match of.rotations() {
            Some(scale) => (scale, None),
            None => {
                let (scale, bits) = RotationScale::still(of.still().rotation);
                (scale, Some(bits))
            }
        };
        Self {
            scale,
            still,
            moves: of.moves().filter(|_| differs(&|frame| of.translation(frame))),
            scales: of.scales().filter(|_| differs(&|frame| of.scale(frame))),
            of,
        }
    }

    /// A frame's four numbers, from zero on.
    fn bits(&self, frame: usize) -> [u32; 2] {
        let bits = self.still.unwrap_or_else(|| self.of.rotation(frame));
        let [x, y, z, w] = bits.map(|bits| u32::from(bits as u16 ^ 0x8000));
        [x | y << 16, z | w << 16]
    }

    /// Steps and middles; the first step of a rotation that holds has a minus sign.
    fn how(&self) -> [u32; 4] {
        let [a, b, c, d] = self.scale.step.map(upper);
        let [e, f, g, h] = self.scale.middle.map(upper);
        let holds = if self.scale.goes { 0 } else { 0x8000 };
        [a | b << 16 | holds, c | d << 16, e | f << 16, g | h << 16]
    }

    fn vectors(&self) -> u32 {
        u32::from(self.moves.is_some()) + u32::from(self.scales.is_some())
    }

    fn flags(&self) -> u32 {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        bit(self.moves.is_some(), IS_MOVED)
            | bit(self.scales.is_some(), IS_SCALED)
            | bit(self.moves == Some(true), MOVE_GOES)
            | bit(self.scales == Some(true), SCALE_GOES)
    }
}
