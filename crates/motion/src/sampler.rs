//! A clip at many times, several poses at a time.
//!
//! In:  a clip, and seconds from its start.
//! Out: the poses that [`sample`](crate::sample) gives one by one; rotations within rounding, all else to the last bit.
//!
//! What holds for every frame is found once: which tracks move the eight joints of a block, and which of them share
//! their times. Then each block goes through all frames of a call before the next, so that its keys are read in a row.

use std::collections::HashMap;

use sinew_lanes::{Ints, Kernel, SimdLevel, Wide, run};
use sinew_scene::glam::Quat;
use sinew_scene::{Clip, Interpolation, Track};

use crate::Pose;
use crate::cursor::{Span, find_from};
use crate::interpolate;
use crate::lanes::LANES;
use crate::rotations::Eight;

/// Samples one clip at many times.
///
/// Sixteen poses or so for each call are best: they stay in a near cache.
///
/// ```
/// use sinew_motion::{Pose, Sampler};
/// # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform, glam::Vec3};
/// # let curve = Curve::new(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::X], Interpolation::Linear).unwrap();
/// # let clip = Clip { duration: 2.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
/// # let nodes = vec![Node::new("box", None, Transform::IDENTITY)];
/// # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() })?;
/// let mut poses = vec![Pose::new(&scene); 8];
/// let mut sampler = Sampler::new(&scene.clips[0]);
/// sampler.sample(&[0.0, 0.5, 1.0], &mut poses[..3]);
/// assert_eq!(poses[2].local(JointId::new(0)).translation.x, 0.5);
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    clip: &'a Clip,
    blocks: Vec<Block<'a>>,
    /// Rotations that no block has: steps, splines, and joints that two tracks move.
    alone: Vec<(&'a Track<Quat>, usize)>,
    /// Which times translations, scales, weights and properties have, in that order.
    others: Vec<usize>,
    keys: Keys<'a>,
}

impl<'a> Sampler<'a> {
    /// Looks through the clip's tracks.
    #[must_use]
    pub fn new(clip: &'a Clip) -> Self {
        let mut keys = Keys::default();
        let mut number = Numbers::default();
        let vectors = clip.translations.iter().chain(&clip.scales).map(|track| track.curve.times());
        let weights = clip.weights.iter().map(|track| track.rows.times());
        let values = clip.properties.iter().map(|track| track.rows.times());
        let others = vectors.chain(weights).chain(values);
        let others = others.map(|times| number.of(times, &mut keys)).collect();
        let mut rotations: Vec<_> = clip.rotations.iter().collect();
        rotations.sort_by_key(|track| track.joint);
        let (mut blocks, mut alone) = (Vec::new(), Vec::new());
        for tracks in rotations.chunk_by(|a, b| a.joint == b.joint) {
            let straight = tracks[0].curve.interpolation() == Interpolation::Linear;
            if straight && tracks.len() == 1 {
                let times = number.of(tracks[0].curve.times(), &mut keys);
                Block::add(&mut blocks, tracks[0], times);
                continue;
            }
            let numbered =
                |track: &&'a Track<Quat>| (*track, number.of(track.curve.times(), &mut keys));
            alone.extend(tracks.iter().map(numbered));
        }
        Self { clip, blocks, alone, others, keys }
    }

    /// Writes the clip's state at each of `times` into the pose of the same place, as [`sample`](crate::sample) does.
    ///
    /// # Panics
    /// When there are not as many poses as times, or the clip drives a node that a pose does not have.
    pub fn sample(&mut self, times: &[f32], poses: &mut [Pose]) {
        assert_eq!(times.len(), poses.len(), "a pose for each time");
        self.keys.find(times);
        poses.iter_mut().for_each(Pose::to_rest);
        let keys = &self.keys;
        run(SimdLevel::current(), Straight { blocks: &self.blocks, keys, poses: &mut *poses });
        for (track, times) in &self.alone {
            for (pose, span) in poses.iter_mut().zip(keys.spans(*times)) {
                pose.set_rotation(track.joint, interpolate::rotation(&track.curve, *span));
            }
        }
        self.others(poses);
    }

    /// What is no rotation.
    fn others(&self, poses: &mut [Pose]) {
        let clip = self.clip;
        let mut times = self.others.iter();
        let mut spans = || self.keys.spans(times.next().copied().unwrap_or_default());
        for track in &clip.translations {
            let (block, lane) = (track.joint.index() / LANES, track.joint.index() % LANES);
            for (pose, span) in poses.iter_mut().zip(spans()) {
                let value = interpolate::vector(&track.curve, *span);
                pose.locals[block].set_translation(lane, value);
            }
        }
        for track in &clip.scales {
            let (block, lane) = (track.joint.index() / LANES, track.joint.index() % LANES);
            for (pose, span) in poses.iter_mut().zip(spans()) {
                pose.locals[block].set_scale(lane, interpolate::vector(&track.curve, *span));
            }
        }
        for track in &clip.weights {
            for (pose, span) in poses.iter_mut().zip(spans()) {
                interpolate::row(&track.rows, *span, pose.weights_mut(track.instance));
            }
        }
        for track in &clip.properties {
            for (pose, span) in poses.iter_mut().zip(spans()) {
                let out = &mut pose.property_mut(track.property)[..track.rows.width()];
                interpolate::row(&track.rows, *span, out);
            }
        }
    }
}

/// The different key times of a clip, and where the frames of a call fall in each.
#[derive(Clone, Debug, Default)]
struct Keys<'a> {
    times: Vec<&'a [f32]>,
    hints: Vec<usize>,
    frames: usize,
    /// Those of the first times, frame by frame, then those of the next.
    spans: Vec<Span>,
}

impl Keys<'_> {
    fn find(&mut self, frames: &[f32]) {
        self.frames = frames.len();
        self.spans.clear();
        for (times, hint) in self.times.iter().zip(&mut self.hints) {
            for &time in frames {
                let span = find_from(times, time, *hint);
                *hint = span.key;
                self.spans.push(span);
            }
        }
    }

    /// Where the frames fall in the times with this number.
    #[inline(always)]
    fn spans(&self, times: usize) -> &[Span] {
        &self.spans[times * self.frames..(times + 1) * self.frames]
    }
}

/// Numbers for key times: the same for tracks that share them.
#[derive(Default)]
struct Numbers {
    by_address: HashMap<usize, usize>,
    last: Option<(usize, usize)>,
}

impl Numbers {
    fn of<'a>(&mut self, times: &'a [f32], keys: &mut Keys<'a>) -> usize {
        let address = times.as_ptr().addr();
        // Mostly all tracks share their times: those of the last are looked at first.
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == address) {
            return number;
        }
        let number = *self.by_address.entry(address).or_insert(keys.times.len());
        if number == keys.times.len() {
            keys.times.push(times);
            keys.hints.push(0);
        }
        self.last = Some((address, number));
        number
    }
}

/// The straight tracks of eight joints side by side.
#[derive(Clone, Debug)]
struct Block<'a> {
    at: usize,
    /// A bit for each joint that has a track; the others have another joint's keys and are not written.
    mask: u8,
    values: [&'a [Quat]; LANES],
    times: [usize; LANES],
    shared: bool,
}

impl<'a> Block<'a> {
    /// Adds a track; those of earlier joints are there already.
    fn add(blocks: &mut Vec<Self>, track: &'a Track<Quat>, times: usize) {
        let (at, lane) = (track.joint.index() / LANES, track.joint.index() % LANES);
        let values = track.curve.values();
        match blocks.last_mut().filter(|block| block.at == at) {
            Some(block) => {
                block.mask |= 1 << lane;
                block.values[lane] = values;
                block.shared &= block.times[lane] == times;
                block.times[lane] = times;
            }
            None => blocks.push(Self {
                at,
                mask: 1 << lane,
                values: [values; LANES],
                times: [times; LANES],
                shared: true,
            }),
        }
    }

    /// The keys of one frame, where all joints have them at the same times.
    #[inline(always)]
    fn together<W: Wide>(&self, span: Span, eight: &mut Eight<'a>) -> [[f32; LANES]; 4] {
        if is_between(span) {
            for (lane, values) in self.values.iter().enumerate() {
                let keys = &values[span.key..span.key + 2];
                eight.from[lane] = keys[0].as_ref();
                eight.to[lane] = keys[1].as_ref();
            }
            eight.fraction = [span.fraction; LANES];
            return eight.rotations::<W>(LANES);
        }
        for (lane, values) in self.values.iter().enumerate() {
            eight.from[lane] = values[key(span)].as_ref();
        }
        let rows = W::gather4(eight.from);
        let mut out = [[0.0; LANES]; 4];
        for row in 0..4 {
            rows[row].store(&mut out[row]);
        }
        out
    }

    /// The same where each has its own.
    #[inline(always)]
    fn apart<W: Wide>(
        &self,
        keys: &Keys<'_>,
        frame: usize,
        eight: &mut Eight<'a>,
    ) -> [[f32; LANES]; 4] {
        let mut at_keys = 0_u8;
        for (lane, (values, times)) in self.values.iter().zip(self.times).enumerate() {
            let span = keys.spans(times)[frame];
            let (from, next) = (key(span), usize::from(is_between(span)));
            eight.from[lane] = values[from].as_ref();
            eight.to[lane] = values[from + next].as_ref();
            eight.fraction[lane] = span.fraction;
            at_keys |= u8::from(next == 0) << lane;
        }
        let mut out = eight.rotations::<W>(LANES);
        for lane in (0..LANES).filter(|lane| at_keys >> lane & 1 == 1) {
            for (row, number) in out.iter_mut().zip(eight.from[lane]) {
                row[lane] = *number;
            }
        }
        out
    }
}

#[inline(always)]
fn is_between(span: Span) -> bool {
    span.fraction > 0.0 && span.fraction < 1.0
}

/// The key that holds where a time is not between two.
#[inline(always)]
fn key(span: Span) -> usize {
    span.key + usize::from(span.fraction == 1.0)
}

struct Straight<'a, 'c> {
    blocks: &'a [Block<'c>],
    keys: &'a Keys<'c>,
    poses: &'a mut [Pose],
}

impl Kernel for Straight<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let mut eight = Eight::NONE;
        for block in self.blocks {
            let mask = W::Ints::from_mask(block.mask);
            let spans = self.keys.spans(block.times[0]);
            for (frame, (pose, span)) in self.poses.iter_mut().zip(spans).enumerate() {
                let found = match block.shared {
                    true => block.together::<W>(*span, &mut eight),
                    false => block.apart::<W>(self.keys, frame, &mut eight),
                };
                let rows = &mut pose.locals[block.at].rotation;
                for row in 0..4 {
                    W::load(&found[row]).store_some(mask, &mut rows[row]);
                }
            }
        }
    }
}
