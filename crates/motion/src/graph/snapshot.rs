//! The whole state of a playing graph as a flat block of bytes, and back.
//!
//! One walk over the state serves both ways, so what is written is what is read. A block begins
//! with a magic word, a version, the fingerprint of graph and scene, its length and a checksum: a
//! block of another graph, another version, or a damaged one is refused and changes nothing.
//!
//! ```text
//! 0   "SINEWPLY"        8 bytes
//! 8   version           u32, little-endian as all that follows
//! 12  length of state   u32
//! 16  fingerprint       u64
//! 24  checksum          u64, FNV-1a over the state
//! 32  state
//! ```

use std::fmt;
use std::sync::Arc;

use sinew_scene::glam::Vec3;

use super::compiled::CompiledGraph;
use super::player::GraphPlayer;
use crate::ik::LookAtState;
use crate::lanes::Lanes;
use crate::{Ease, Fade, Inertialization, Pose};

const MAGIC: &[u8; 8] = b"SINEWPLY";
const VERSION: u32 = 1;
const HEAD: usize = 32;

/// Why a block is not a snapshot of this graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It does not begin as one, or is cut off.
    NotOne,
    /// It is of another version of Sinew.
    Version(u32),
    /// It is of another graph or scene.
    OtherGraph,
    /// Its bytes are not what was saved.
    Damaged,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOne => write!(f, "expected a snapshot of a graph, found other or fewer bytes"),
            Self::Version(found) => write!(f, "expected snapshot version {VERSION}, found {found}"),
            Self::OtherGraph => write!(f, "the snapshot is of another graph or scene"),
            Self::Damaged => write!(f, "the snapshot is damaged"),
        }
    }
}

impl std::error::Error for SnapshotError {}

/// FNV-1a.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Numbers one after the other, written or read.
trait Block {
    fn bytes<const N: usize>(&mut self, bytes: &mut [u8; N]);

    fn f32(&mut self, number: &mut f32) {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes);
        *number = f32::from_le_bytes(bytes);
    }

    fn f64(&mut self, number: &mut f64) {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes);
        *number = f64::from_le_bytes(bytes);
    }

    fn i64(&mut self, number: &mut i64) {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes);
        *number = i64::from_le_bytes(bytes);
    }

    /// Below `count`, whatever the bytes.
    fn index(&mut self, index: &mut usize, count: usize) {
        let mut bytes = (*index as u32).to_le_bytes();
        self.bytes(&mut bytes);
        *index = (u32::from_le_bytes(bytes) as usize).min(count.saturating_sub(1));
    }

    fn flag(&mut self, flag: &mut bool) {
        let mut bytes = [u8::from(*flag)];
        self.bytes(&mut bytes);
        *flag = bytes[0] != 0;
    }
}

struct Writer<'a>(&'a mut Vec<u8>);

impl Block for Writer<'_> {
    fn bytes<const N: usize>(&mut self, bytes: &mut [u8; N]) {
        self.0.extend_from_slice(bytes);
    }
}

struct Reader<'a>(&'a [u8]);

impl Block for Reader<'_> {
    fn bytes<const N: usize>(&mut self, bytes: &mut [u8; N]) {
        if let Some((first, rest)) = self.0.split_first_chunk() {
            (*bytes, self.0) = (*first, rest);
        }
    }
}

impl GraphPlayer {
    /// Writes the whole state over what `out` held. With room in it, nothing is allocated.
    pub fn save(&mut self, out: &mut Vec<u8>) {
        out.clear();
        out.resize(HEAD, 0);
        self.walk(&mut Writer(out));
        let length = out.len() - HEAD;
        let sum = checksum(&out[HEAD..]);
        out[..8].copy_from_slice(MAGIC);
        out[8..12].copy_from_slice(&VERSION.to_le_bytes());
        out[12..16].copy_from_slice(&(length as u32).to_le_bytes());
        out[16..24].copy_from_slice(&self.plan.fingerprint.to_le_bytes());
        out[24..32].copy_from_slice(&sum.to_le_bytes());
    }

    /// Goes on from a saved state, bit for bit; the pose is that of then. Events and root motion
    /// come with the next frame.
    ///
    /// # Errors
    /// When the block is not one that [`save`](Self::save) wrote for this graph and scene; then
    /// nothing has changed.
    pub fn restore(&mut self, block: &[u8]) -> Result<(), SnapshotError> {
        let state = open(block, &self.plan)?;
        self.walk(&mut Reader(state));
        let plan = Arc::clone(&self.plan);
        self.mean.fill(0.0);
        self.seconds.fill(0.0);
        self.show(&plan, 0.0);
        // Showing the pose must not count as a frame.
        self.walk(&mut Reader(state));
        Ok(())
    }

    fn walk(&mut self, block: &mut impl Block) {
        for value in &mut self.values {
            block.f32(value);
        }
        for player in &mut self.players {
            block.f64(&mut player.time);
            block.f32(&mut player.speed);
            block.flag(&mut player.back);
            block.flag(&mut player.playing);
            block.flag(&mut player.fresh);
        }
        for (sync, seen) in self.syncs.iter_mut().zip(&mut self.seen) {
            block.i64(&mut sync.now.beat);
            block.f64(&mut sync.now.part);
            block.flag(&mut sync.fresh);
            block.flag(&mut sync.moved);
            block.flag(seen);
        }
        for (standing, machine) in self.machines.iter_mut().zip(&self.plan.machines) {
            let mut deepest = standing.count - 1;
            block.index(&mut deepest, standing.stack.len());
            standing.count = deepest + 1;
            for running in &mut standing.stack {
                block.index(&mut running.state, machine.states.len());
                walk_fade(&mut running.fade, block);
                block.flag(&mut running.interrupt);
            }
        }
        for inertialization in self.inertializations.iter_mut().flatten() {
            walk_inertialization(inertialization, block);
        }
        for (_, gaze) in &mut self.looks {
            let mut numbers = gaze.save();
            numbers.iter_mut().for_each(|number| block.f32(number));
            *gaze = LookAtState::load(numbers);
        }
    }
}

/// The state in a block, once all before it is right.
fn open<'a>(block: &'a [u8], plan: &CompiledGraph) -> Result<&'a [u8], SnapshotError> {
    let word = |from: usize| block[from..from + 4].try_into().map_or(0, u32::from_le_bytes);
    let long = |from: usize| block[from..from + 8].try_into().map_or(0, u64::from_le_bytes);
    if block.len() < HEAD || &block[..8] != MAGIC {
        return Err(SnapshotError::NotOne);
    }
    if word(8) != VERSION {
        return Err(SnapshotError::Version(word(8)));
    }
    if long(16) != plan.fingerprint {
        return Err(SnapshotError::OtherGraph);
    }
    let state = &block[HEAD..];
    if state.len() != word(12) as usize {
        return Err(SnapshotError::NotOne);
    }
    if checksum(state) != long(24) {
        return Err(SnapshotError::Damaged);
    }
    Ok(state)
}

fn walk_fade(fade: &mut Fade, block: &mut impl Block) {
    const EASES: [Ease; 4] = [Ease::Linear, Ease::Smooth, Ease::In, Ease::Out];
    block.f32(&mut fade.elapsed);
    block.f32(&mut fade.seconds);
    let mut ease = EASES.iter().position(|ease| *ease == fade.ease).unwrap_or(0);
    block.index(&mut ease, EASES.len());
    fade.ease = EASES[ease];
}

fn walk_inertialization(inertialization: &mut Inertialization, block: &mut impl Block) {
    for pose in [&mut inertialization.last, &mut inertialization.before, &mut inertialization.from]
    {
        walk_pose(pose, block);
    }
    let mut known = usize::from(inertialization.known);
    block.index(&mut known, 3);
    inertialization.known = known as u8;
    block.f32(&mut inertialization.between);
    block.f32(&mut inertialization.coasted);
    walk_fade(&mut inertialization.fade, block);
    for speed in &mut inertialization.speeds {
        for vector in [&mut speed.translation, &mut speed.rotation, &mut speed.scale] {
            let mut numbers = vector.to_array();
            numbers.iter_mut().for_each(|number| block.f32(number));
            *vector = Vec3::from(numbers);
        }
    }
    inertialization.weight_speeds.iter_mut().for_each(|speed| block.f32(speed));
    inertialization.property_speeds.iter_mut().flatten().for_each(|speed| block.f32(speed));
}

fn walk_pose(pose: &mut Pose, block: &mut impl Block) {
    for Lanes { translation, rotation, scale } in &mut pose.locals {
        let rows = translation.iter_mut().chain(rotation).chain(scale);
        rows.flatten().for_each(|number| block.f32(number));
    }
    pose.weights.iter_mut().for_each(|weight| block.f32(weight));
    pose.properties.iter_mut().flatten().for_each(|value| block.f32(value));
}
