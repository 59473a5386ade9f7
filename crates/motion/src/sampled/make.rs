//! From a clip to a sampled clip.
//!
//! The clip is gone through twice, frame by frame: once to see what moves and how far, once to
//! write it down. Neighbouring quaternions get the same of their two signs, so that playing need
//! not look at it.

use sinew_lanes::one;
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Interpolation, Scene};

use super::{Block, Numbers, RotationScale, Rotations, SampledClip, length};
use crate::lanes::{LANES, Lanes};
use crate::{Cursor, Pose, sample};

/// The most frames of a sampled clip: nearly five hours at 60 a second.
const MAX_FRAMES: f32 = (1 << 20) as f32;
/// The largest of 16 bits.
const LARGEST: f32 = 32767.0;

impl SampledClip {
    /// With as few frames a second as keep within `error` metres of the clip, measured at the
    /// joints and 10 cm around them; where none do (a clip that jumps between frames), the nearest.
    /// [`error`](Self::error) says what was reached.
    ///
    /// # Panics
    /// When the clip drives a node that the scene does not have.
    #[must_use]
    pub fn new(scene: &Scene, clip: &Clip, error: f32) -> Self {
        let mut best: Option<Self> = None;
        for rate in rates(clip) {
            let sampled = Self::at_rate(scene, clip, rate);
            if sampled.error <= error {
                return sampled;
            }
            if best.as_ref().is_none_or(|best| sampled.error < best.error) {
                best = Some(sampled);
            }
        }
        best.unwrap_or_else(|| Self::at_rate(scene, clip, 0.0))
    }

    /// With so many frames a second (fewer where there would be more than a million).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn at_rate(scene: &Scene, clip: &Clip, rate: f32) -> Self {
        let duration = length(clip);
        let rate = if rate.is_finite() { rate.max(0.0) } else { 0.0 };
        let rate = if duration * rate > MAX_FRAMES { MAX_FRAMES / duration } else { rate };
        // A hair more than whole frames are whole frames.
        let steps = (duration * rate - 1e-3).ceil().max(0.0) as usize;
        let mut sampled = Self {
            joints: scene.skeleton().len(),
            duration,
            rate,
            frames: steps + 1,
            error: 0.0,
            blocks: Vec::new(),
            rotations: Vec::new(),
            vectors: Vec::new(),
            numbers: Numbers::default(),
        };
        let mut frames = Frames::new(scene, clip);
        let span = sampled.span(&mut frames);
        sampled.blocks = span.blocks(&Held::new(scene, clip));
        sampled.write(&mut frames);
        sampled.write_numbers(scene, clip, &mut frames);
        sampled.error = sampled.measure(scene, clip);
        sampled
    }

    /// How far everything goes.
    fn span(&self, frames: &mut Frames<'_>) -> Span {
        let first = frames.at(self.time_of(0)).to_vec();
        let mut span = Span { first: first.clone(), low: first.clone(), high: first };
        for frame in 1..self.frames {
            span.include(frames.at(self.time_of(frame)));
        }
        span
    }

    fn write(&mut self, frames: &mut Frames<'_>) {
        frames.forget();
        for frame in 0..self.frames {
            let locals = frames.at(self.time_of(frame));
            for (block, lanes) in self.blocks.iter().zip(locals) {
                if let Some(how) = &block.rotations {
                    self.rotations.push(how.write(&lanes.rotation));
                }
                if block.moves.is_some() {
                    self.vectors.push(lanes.translation);
                }
                if block.scales.is_some() {
                    self.vectors.push(lanes.scale);
                }
            }
        }
    }

    fn write_numbers(&mut self, scene: &Scene, clip: &Clip, frames: &mut Frames<'_>) {
        let (_, weights, properties) = frames.pose.parts_mut();
        self.numbers.weights = weights.len();
        self.numbers.properties = properties.len();
        let width = weights.len() + 4 * properties.len();
        self.numbers.goes = vec![1.0; width];
        if width == 0 {
            return;
        }
        let holds = |interpolation| interpolation == Interpolation::Step;
        for track in clip.weights.iter().filter(|track| holds(track.rows.interpolation())) {
            self.numbers.goes[scene.weight_range(track.instance)].fill(0.0);
        }
        for track in clip.properties.iter().filter(|track| holds(track.rows.interpolation())) {
            let at = self.numbers.weights + 4 * track.property.index();
            self.numbers.goes[at..at + 4].fill(0.0);
        }
        for frame in 0..self.frames {
            frames.at(self.time_of(frame));
            self.numbers.values.extend_from_slice(frames.pose.all_weights());
            self.numbers.values.extend_from_slice(frames.pose.properties().as_flattened());
        }
    }
}

/// How many frames a second may do, few first: the keys' own rate, then more.
fn rates(clip: &Clip) -> Vec<f32> {
    let keys = keys(clip);
    let gaps = keys.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 1e-3);
    let own = 1.0 / gaps.fold(f32::INFINITY, f32::min);
    // Keys at 30 a second are told as 30.0002 by who rounds times: whole rates are meant.
    let own = if (own - own.round()).abs() < 0.01 { own.round() } else { own };
    let mut rates = vec![own, 2.0 * own, 30.0, 60.0, 120.0, 240.0];
    rates.retain(|rate| *rate >= own.min(30.0) && (1.0..=1000.0).contains(rate));
    rates.sort_by(f32::total_cmp);
    rates.dedup();
    rates
}

/// All key times, in order.
fn keys(clip: &Clip) -> Vec<f32> {
    let mut keys: Vec<f32> = clip.all_times().flatten().copied().collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    keys
}

/// A key that follows at once counts as on the frame: a hair before it a held track has another value.
fn snapped(time: f32, keys: &[f32]) -> f32 {
    let upto = &keys[..keys.partition_point(|&key| key < time + 2e-5)];
    upto.last().map_or(time, |&key| key.max(time))
}

/// The clip frame by frame, each quaternion with the sign that is nearer to the one before.
struct Frames<'a> {
    clip: &'a Clip,
    pose: Pose,
    cursor: Cursor,
    before: Vec<Lanes>,
    /// When the keys are.
    keys: Vec<f32>,
}

impl<'a> Frames<'a> {
    fn new(scene: &Scene, clip: &'a Clip) -> Self {
        let (pose, cursor) = (Pose::new(scene), Cursor::new());
        Self { clip, pose, cursor, before: Vec::new(), keys: keys(clip) }
    }

    fn forget(&mut self) {
        self.before.clear();
    }

    fn at(&mut self, time: f32) -> &[Lanes] {
        sample(self.clip, snapped(time, &self.keys), &mut self.cursor, &mut self.pose);
        for (lanes, before) in self.pose.locals_mut().iter_mut().zip(&self.before) {
            for lane in 0..LANES {
                let [now, then] = [&*lanes, before].map(|lanes| lanes.get(lane).rotation);
                if one::dot(now, then) < 0.0 {
                    lanes.set_rotation(lane, -now);
                }
            }
        }
        self.before.clear();
        self.before.extend_from_slice(self.pose.locals());
        &self.before
    }
}

/// The first frame, and the least and the largest of every number.
struct Span {
    first: Vec<Lanes>,
    low: Vec<Lanes>,
    high: Vec<Lanes>,
}

impl Span {
    fn include(&mut self, locals: &[Lanes]) {
        for ((low, high), now) in self.low.iter_mut().zip(&mut self.high).zip(locals) {
            for lane in 0..LANES {
                let (mut least, mut most, now) = (low.get(lane), high.get(lane), now.get(lane));
                least.translation = least.translation.min(now.translation);
                most.translation = most.translation.max(now.translation);
                least.scale = least.scale.min(now.scale);
                most.scale = most.scale.max(now.scale);
                let pick = |a: Quat, better: fn(f32, f32) -> f32| {
                    let (a, b) = (a.to_array(), now.rotation.to_array());
                    Quat::from_array(std::array::from_fn(|at| better(a[at], b[at])))
                };
                least.rotation = pick(least.rotation, f32::min);
                most.rotation = pick(most.rotation, f32::max);
                low.set(lane, least);
                high.set(lane, most);
            }
        }
    }

    fn blocks(&self, held: &Held) -> Vec<Block> {
        let parts = self.first.iter().zip(self.low.iter().zip(&self.high)).enumerate();
        parts
            .map(|(at, (still, (low, high)))| Block {
                still: *still,
                rotations: (low.rotation != high.rotation)
                    .then(|| Rotations::new(&low.rotation, &high.rotation, held.rotations[at])),
                moves: (low.translation != high.translation).then(|| held.moves[at]),
                scales: (low.scale != high.scale).then(|| held.scales[at]),
            })
            .collect()
    }
}

impl RotationScale {
    /// A rotation that is the same in every frame: how its bits are read, and the bits; as near as single numbers are.
    #[must_use]
    pub fn still(rotation: Quat) -> (Self, [i16; 4]) {
        let rotation = rotation.to_array();
        let (middle, step) = (
            rotation.map(|number| middle_of(number, number)),
            rotation.map(|number| step_of(number, number)),
        );
        let bits = std::array::from_fn(|row| bits_of(rotation[row], step[row], middle[row]));
        (Self { step, middle, goes: true }, bits)
    }
}

impl Rotations {
    fn new(low: &[[f32; LANES]; 4], high: &[[f32; LANES]; 4], goes: [f32; LANES]) -> Self {
        let each = |of: fn(f32, f32) -> f32| {
            std::array::from_fn(|row| {
                std::array::from_fn(|lane| of(low[row][lane], high[row][lane]))
            })
        };
        Self { step: each(step_of), middle: each(middle_of), goes }
    }

    fn write(&self, rows: &[[f32; LANES]; 4]) -> [[i16; LANES]; 4] {
        std::array::from_fn(|row| {
            std::array::from_fn(|lane| {
                bits_of(rows[row][lane], self.step[row][lane], self.middle[row][lane])
            })
        })
    }
}

/// What is kept of steps and middles: sixteen bits, so that a joint's eight fit into sixteen bytes on a GPU. A middle that is off
/// by one in 256 makes steps larger by a part in 256 of a part in 32,767: less than numbers are rounded by.
const KEPT: u32 = 0xffff_0000;

fn middle_of(low: f32, high: f32) -> f32 {
    f32::from_bits((((high + low) * 0.5).to_bits() + 0x8000) & KEPT)
}

/// So large that both are within reach of the middle.
fn step_of(low: f32, high: f32) -> f32 {
    let middle = middle_of(low, high);
    let step = (high - middle).max(middle - low) / LARGEST;
    // The next that is kept.
    f32::from_bits((step.to_bits() + !KEPT) & KEPT)
}

fn bits_of(number: f32, step: f32, middle: f32) -> i16 {
    // What stays in the middle has no step, and no bits.
    if step > 0.0 { ((number - middle) / step).round() as i16 } else { 0 }
}

/// Zero where a track holds from key to key, one elsewhere, block by block.
struct Held {
    moves: Vec<[f32; LANES]>,
    rotations: Vec<[f32; LANES]>,
    scales: Vec<[f32; LANES]>,
}

impl Held {
    fn new(scene: &Scene, clip: &Clip) -> Self {
        let blocks = scene.skeleton().len().div_ceil(LANES);
        let holds = |tracks: &mut dyn Iterator<Item = (usize, Interpolation)>| {
            let mut goes = vec![[1.0; LANES]; blocks];
            for (joint, interpolation) in tracks {
                if interpolation == Interpolation::Step {
                    goes[joint / LANES][joint % LANES] = 0.0;
                }
            }
            goes
        };
        let vector =
            |track: &sinew_scene::Track<Vec3>| (track.joint.index(), track.curve.interpolation());
        let rotation =
            |track: &sinew_scene::Track<Quat>| (track.joint.index(), track.curve.interpolation());
        Self {
            moves: holds(&mut clip.translations.iter().map(vector)),
            rotations: holds(&mut clip.rotations.iter().map(rotation)),
            scales: holds(&mut clip.scales.iter().map(vector)),
        }
    }
}
