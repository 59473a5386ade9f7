//! What becomes of each track: left out, kept once, or kept at every frame.
//!
//! In:  samples, and how far off a track may be that is kept once, in metres.
//! Out: a [`NodeTracks`] for every node, the steps of its moving tracks still to be found.

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Scene, Transform};

use super::basis::Basis;
use super::samples::Samples;
use crate::format::code::{code, step};

/// A value over the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TrackOf<V, F> {
    /// Always this; left out of the file where it is the rest.
    Fixed(V),
    /// Whole steps in a frame of reference of its own.
    Moving { frame: F, code: u8 },
}

impl<V, F> TrackOf<V, F> {
    /// The step's code, where there is one.
    pub(crate) fn code_mut(&mut self) -> Option<&mut u8> {
        match self {
            Self::Fixed(_) => None,
            Self::Moving { code, .. } => Some(code),
        }
    }

    pub(crate) fn is_moving(&self) -> bool {
        matches!(self, Self::Moving { .. })
    }
}

/// A translation or scale: steps from an origin.
pub(crate) type VectorTrack = TrackOf<Vec3, Vec3>;
/// A rotation: three numbers in a basis, or all four without one.
pub(crate) type RotationTrack = TrackOf<Quat, Option<Basis>>;

/// The tracks of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeTracks {
    pub(crate) rotation: RotationTrack,
    pub(crate) translation: VectorTrack,
    pub(crate) scale: VectorTrack,
}

/// The least fourth number of a rotation of which three are stored: it follows from them ever less precisely.
const LEAST_FOURTH: f32 = 0.35;
/// The share of the bound that the rounding of one scale track may take.
const SHARE_OF_SCALE: f32 = 0.1;

/// How far from a node what it moves may be, in metres, by way of the bones; and how much larger its space is than
/// the model's.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub(crate) metres: Vec<f32>,
    pub(crate) sizes: Vec<f32>,
}

impl Reach {
    pub(crate) fn new(scene: &Scene, samples: &Samples, shells: &[f32]) -> Self {
        let (parents, frames) = (scene.skeleton().parents(), samples.frames());
        let most = |node: usize, value: fn(&Transform) -> f32| {
            samples.locals[node * frames..][..frames].iter().map(value).fold(0.0, f32::max)
        };
        let mut sizes = vec![1.0; parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            let above = parent.map_or(1.0, |parent| sizes[parent.index()]);
            sizes[node] = above * most(node, |local| local.scale.abs().max_element());
        }
        for (size, (node, _)) in sizes.iter_mut().zip(scene.skeleton().nodes().iter().zip(0..)) {
            let shear = node.shear.map_or(1.0, |shear| {
                shear.x_axis.length().max(shear.y_axis.length()).max(shear.z_axis.length())
            });
            *size *= shear.max(1.0);
        }
        let mut metres: Vec<f32> =
            shells.iter().zip(&sizes).map(|(shell, size)| shell * size).collect();
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parents[node] {
                let bone = most(node, |local| local.translation.length()) * sizes[parent.index()];
                metres[parent.index()] = metres[parent.index()].max(bone + metres[node]);
            }
        }
        Self { metres, sizes }
    }

    /// Metres from each node to its shell.
    pub(crate) fn radii(&self, shells: &[f32]) -> Vec<f32> {
        shells.iter().zip(&self.sizes).map(|(shell, size)| shell * size).collect()
    }
}

/// Sorts tracks into fixed and moving ones; `still` is how many metres one may be off that is fixed.
pub(crate) fn tracks(
    scene: &Scene,
    samples: &Samples,
    reach: &Reach,
    bound: f32,
    still: f32,
) -> Vec<NodeTracks> {
    let frames = samples.frames();
    let nodes = scene.skeleton().nodes().iter().enumerate();
    let tracks = nodes.map(|(node, entry)| {
        let locals = &samples.locals[node * frames..][..frames];
        let above = entry.parent.map_or(1.0, |parent| reach.sizes[parent.index()]).max(1e-20);
        let own = (reach.metres[node] / reach.sizes[node].max(1e-20)).max(1e-20) * above;
        let scale_step = SHARE_OF_SCALE * bound / own;
        NodeTracks {
            rotation: rotation(locals, entry.rest.rotation, still / reach.metres[node].max(1e-20)),
            translation: vector(
                locals,
                |local| local.translation,
                entry.rest.translation,
                still / above,
                bound / above,
            ),
            scale: vector(locals, |local| local.scale, entry.rest.scale, still / own, scale_step),
        }
    });
    tracks.collect()
}

fn vector(
    locals: &[Transform],
    value: fn(&Transform) -> Vec3,
    rest: Vec3,
    still: f32,
    size: f32,
) -> VectorTrack {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut from_rest = 0.0_f32;
    for value in locals.iter().map(value) {
        (low, high) = (low.min(value), high.max(value));
        from_rest = from_rest.max(value.distance(rest));
    }
    if from_rest <= still {
        return VectorTrack::Fixed(rest);
    }
    let middle = low.midpoint(high);
    let first = value(&locals[0]);
    match low.distance(high) {
        0.0 => VectorTrack::Fixed(first),
        range if 0.5 * range <= still => VectorTrack::Fixed(middle),
        _ => VectorTrack::Moving { frame: middle, code: code(size) },
    }
}

/// `still` is an angle.
fn rotation(locals: &[Transform], rest: Quat, still: f32) -> RotationTrack {
    let rotations = locals.iter().map(|local| local.rotation);
    let off = |from: Quat| rotations.clone().fold(0.0, |most: f32, to| most.max(angle(from, to)));
    if off(rest) <= still {
        return RotationTrack::Fixed(rest);
    }
    let basis = Basis::new(rotations.clone());
    let sum = rotations.clone().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, next| sum + next);
    let middle = if sum.length() > 1e-3 { sum.normalize() } else { locals[0].rotation };
    for fixed in [locals[0].rotation, middle] {
        if off(fixed) <= still {
            return RotationTrack::Fixed(fixed);
        }
    }
    let fourth = |rotation: Quat| basis.stored(rotation).w;
    let near = rotations.map(fourth).fold(1.0, f32::min) >= LEAST_FOURTH;
    RotationTrack::Moving { frame: near.then_some(basis), code: 0 }
}

/// Twice the sine of half the angle between two rotations, for small angles.
#[inline]
pub(crate) fn angle(a: Quat, b: Quat) -> f32 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    2.0 * (a - b).length()
}

/// The steps from an origin that are nearest to a value.
#[inline]
pub(crate) fn vector_steps(origin: Vec3, code: u8, value: Vec3) -> Vec3 {
    ((value - origin) / step(code)).round()
}
