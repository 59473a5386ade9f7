//! Morph weights and driven values: plain numbers, rounded by what they can do.
//!
//! In:  the exact numbers of every frame.
//! Out: tracks of whole steps, and how far the morphs' rounding moves the skin.
//!
//! A morph weight moves no vertex farther than its reach, so the error at the skin is at most the sum of all
//! weights' errors of a mesh, each times its reach. Driven values are told to 1/4096 of their range.

use sinew_motion::Pose;
use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{Clip, InstanceId, Interpolation, Scene};

use crate::Course;
use crate::clock::Place;
use crate::group::Kind;
use crate::source::{Source, Truth};
use crate::sphere::Off;
use crate::step::{code, step};
use crate::window::Window;
use crate::write::Moving;

/// How much of the bound morph weights may take.
const SHARE_OF_WEIGHTS: f32 = 0.2;
/// Steps in the range of a driven value.
const VALUE_STEPS: f32 = 4096.0;
/// The most steps in the range of a morph weight.
const WEIGHT_STEPS: f32 = 65536.0;
/// The part of its range that a driven value may be off between frames.
const VALUE_SHARE: f32 = 1.0 / 256.0;

/// A scene's numbers: morph weights, then four for each driven value.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// How far each morph weight moves its farthest vertex, in metres.
    reaches: Vec<f32>,
    /// Morph weights that act on the same mesh.
    meshes: Vec<std::ops::Range<usize>>,
    rests: Vec<f32>,
    held: Vec<bool>,
}

/// How far off numbers are: metres at the skin, and parts of the range of driven values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NumberError {
    pub(crate) skin: f32,
    pub(crate) values: f32,
}

impl NumberError {
    fn larger(self, other: Self) -> Self {
        Self { skin: self.skin.max(other.skin), values: self.values.max(other.values) }
    }

    pub(crate) fn values_good(self) -> bool {
        self.values <= VALUE_SHARE
    }
}

impl Numbers {
    pub(crate) fn new(scene: &Scene, clip: &Clip) -> Self {
        let mut rest = Pose::new(scene);
        rest.to_model(scene.skeleton());
        let rests: Vec<f32> =
            rest.all_weights().iter().chain(rest.properties().as_flattened()).copied().collect();
        let range = |at: usize| scene.weight_range(InstanceId::new(at));
        let mut held = vec![false; rests.len()];
        for track in clip.weights.iter().filter(|track| steps(track.rows.interpolation())) {
            held[scene.weight_range(track.instance)].fill(true);
        }
        for track in clip.properties.iter().filter(|track| steps(track.rows.interpolation())) {
            let first = scene.weight_count() + 4 * track.property.index();
            held[first..first + 4].fill(true);
        }
        Self {
            reaches: reaches(scene, rest.model_from_joint()),
            meshes: (0..scene.instances.len()).map(range).collect(),
            rests,
            held,
        }
    }

    fn count(&self) -> usize {
        self.rests.len()
    }

    /// How far off frames are between, when frame `f` has `values[f * count..]`.
    pub(crate) fn error(&self, truth: &Truth, source: &Source, values: &[f32]) -> NumberError {
        let all = self.errors(truth, source, values);
        all.iter().fold(NumberError::default(), |worst, error| worst.larger(*error))
    }

    /// The same at each time; nothing where there are no numbers.
    pub(crate) fn errors(
        &self,
        truth: &Truth,
        source: &Source,
        values: &[f32],
    ) -> Vec<NumberError> {
        let count = self.count();
        if count == 0 {
            return Vec::new();
        }
        let ranges = self.ranges(&truth.numbers);
        let each = truth.numbers.chunks(count).enumerate().map(|(at, exact)| {
            let place = source.clock.place(truth.times[at]);
            let off = |index: usize| {
                let value = |frame: usize| values[frame * count + index];
                (mixed(place, source, self.held[index], value) - exact[index]).abs()
            };
            self.worst(&ranges, off)
        });
        each.collect()
    }

    /// How far apart two rows of numbers are.
    pub(crate) fn apart(&self, ranges: &[f32], from: &[f32], to: &[f32]) -> NumberError {
        let off = |index: usize| (to[index] - from[index]).abs();
        self.worst(ranges, off)
    }

    /// The error of numbers that are each so far off.
    fn worst(&self, ranges: &[f32], off: impl Fn(usize) -> f32) -> NumberError {
        let mut worst = NumberError::default();
        for mesh in &self.meshes {
            let skin = mesh.clone().map(|index| off(index) * self.reaches[index]).sum();
            worst.skin = worst.skin.max(skin);
        }
        for (index, range) in ranges.iter().enumerate().skip(self.reaches.len()) {
            // One that does not change is off by the rounding of its mix alone.
            if *range > 1e-6 {
                worst.values = worst.values.max(off(index) / range);
            }
        }
        worst
    }

    pub(crate) fn ranges(&self, values: &[f32]) -> Vec<f32> {
        let range = |index: usize| {
            let column = values.iter().skip(index).step_by(self.count());
            let ends = column.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
            ends.1 - ends.0
        };
        (0..self.count()).map(range).collect()
    }

    /// Tracks of all that moves, so fine that morph weights take their share of the bound at most, and how
    /// far they move the skin.
    pub(crate) fn tracks(&self, truth: &Truth, source: &Source, bound: f32) -> (Vec<Moving>, f32) {
        let between = self.error(truth, source, &source.numbers).skin;
        let limit = between + SHARE_OF_WEIGHTS * bound;
        let mut share = 2.0 * SHARE_OF_WEIGHTS;
        loop {
            let tracks = self.rounded(source, share * bound);
            let skin = self.error(truth, source, &self.back(source, &tracks)).skin;
            if skin <= limit || share < 1e-4 {
                return (tracks, skin);
            }
            share *= 0.7;
        }
    }

    /// Tracks whose steps each move a vertex by `far` at most.
    fn rounded(&self, source: &Source, far: f32) -> Vec<Moving> {
        let mut moving = Vec::new();
        for (index, rest) in self.rests.iter().enumerate() {
            let column = source.numbers.iter().skip(index).step_by(self.count());
            let values: Vec<f32> = column.copied().collect();
            let low = values.iter().copied().fold(f32::INFINITY, f32::min);
            let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if (high - rest).abs().max((low - rest).abs()) < 1e-7 {
                continue;
            }
            let range = (high - low).max(1e-6);
            let (kind, place, size) = match self.reaches.get(index) {
                Some(reach) => {
                    let size = (far / reach.max(1e-6)).clamp(range / WEIGHT_STEPS, range / 16.0);
                    (Kind::Weight, index, size)
                }
                None => (Kind::Property, index - self.reaches.len(), range / VALUE_STEPS),
            };
            let code = code(size);
            let whole = |value: &f32| [((value - low) / step(code)).round() as i32, 0, 0, 0];
            moving.push(Moving {
                kind,
                index: place,
                code,
                holds: self.held[index],
                fixed: vec![low.to_le_bytes()],
                steps: values.iter().map(whole).collect(),
            });
        }
        moving
    }

    /// What comes back of tracks, frame after frame.
    fn back(&self, source: &Source, tracks: &[Moving]) -> Vec<f32> {
        let mut values = source.numbers.clone();
        for track in tracks {
            let index = match track.kind {
                Kind::Weight => track.index,
                _ => self.reaches.len() + track.index,
            };
            let low = f32::from_le_bytes(track.fixed[0]);
            let column = values.iter_mut().skip(index).step_by(self.count());
            for (value, steps) in column.zip(&track.steps) {
                *value = steps[0] as f32 * step(track.code) + low;
            }
        }
        values
    }
}

fn steps(interpolation: Interpolation) -> bool {
    interpolation == Interpolation::Step
}

/// As the sampler does it.
fn mixed(place: Place, source: &Source, held: bool, value: impl Fn(usize) -> f32) -> f32 {
    if held {
        return value(place.first);
    }
    if source.course != Course::Straight {
        let window = Window::new(place, source.clock.frames, source.course);
        return (0..4).map(|step| window.shares[step] * value(window.start + step)).sum();
    }
    let (from, to) = (value(place.first), value(place.second(source.clock.frames)));
    from + (to - from) * place.fraction
}

/// How far each morph weight moves its farthest vertex, in metres, as the scene stands at rest.
fn reaches(scene: &Scene, model_from_joint: &[Affine3A]) -> Vec<f32> {
    let mut reaches = vec![0.0; scene.weight_count()];
    for (at, instance) in scene.instances.iter().enumerate() {
        let range = scene.weight_range(InstanceId::new(at));
        let skin = instance.skin.map(|skin| &scene.skins[skin.index()]);
        for primitive in &scene.meshes[instance.mesh.index()].primitives {
            let size = match skin.filter(|_| !primitive.influences.is_empty()) {
                None => stretch(&model_from_joint[instance.joint.index()]),
                Some(skin) => {
                    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
                    let each = joints.map(|(joint, joint_from_mesh)| {
                        stretch(&(model_from_joint[joint.index()] * *joint_from_mesh))
                    });
                    each.fold(0.0, f32::max)
                }
            };
            for (reach, morph) in reaches[range.clone()].iter_mut().zip(&primitive.morphs) {
                let farthest = |most: f32, change: &Vec3| most.max(change.length() * size);
                *reach = morph.positions.iter().fold(*reach, farthest);
            }
        }
    }
    reaches
}

/// The most that a length grows under a matrix.
fn stretch(matrix: &Affine3A) -> f32 {
    Off::scale(matrix.matrix3) as f32
}
