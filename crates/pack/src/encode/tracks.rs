//! What becomes of each track: left out, kept once, or kept at every frame.
//!
//! In:  samples, and how far off a track may be that is kept once, in metres.
//! Out: a [`NodeTracks`] for every node, the steps of its moving tracks still to be found.

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Node, Scene, Transform};

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
/// A rotation: three numbers in a basis.
pub(crate) type RotationTrack = TrackOf<Quat, Basis>;

/// The tracks of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeTracks {
    pub(crate) rotation: RotationTrack,
    pub(crate) translation: VectorTrack,
    pub(crate) scale: VectorTrack,
}

/// The share of the bound that the rounding of one scale track may take.
const SHARE_OF_SCALE: f32 = 0.1;

/// How far nodes reach.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// How much larger a node's space is than the model's, and its parent's.
    sizes: Vec<f32>,
    pub(crate) above: Vec<f32>,
    /// Metres from each node to its shell.
    pub(crate) radii: Vec<f32>,
    /// Metres from each node to the farthest that it moves, by way of the bones.
    pub(crate) metres: Vec<f32>,
}

impl Reach {
    pub(crate) fn new(scene: &Scene, samples: &Samples, shells: &[f32]) -> Self {
        let nodes = scene.skeleton().nodes();
        let most = |node: usize, value: fn(&Transform) -> f32| {
            samples.node(node).iter().map(value).fold(0.0, f32::max)
        };
        // Shears of a chain make good for each other more often than they add up: each counts for its own node alone.
        let (mut scales, mut sizes, mut above) = (Vec::<f32>::new(), Vec::<f32>::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            let shear = node.shear.map_or(1.0, |shear| {
                shear.x_axis.length().max(shear.y_axis.length()).max(shear.z_axis.length())
            });
            let parent = node.parent.map(|parent| parent.index());
            above.push(parent.map_or(1.0, |parent| sizes[parent]).max(1e-20));
            let most = most(index, |local| local.scale.abs().max_element());
            scales.push(parent.map_or(1.0, |parent| scales[parent]) * most);
            sizes.push(scales[index] * shear.max(1.0));
        }
        let radii: Vec<f32> = shells.iter().zip(&sizes).map(|(shell, size)| shell * size).collect();
        let mut metres = radii.clone();
        for (index, node) in nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let bone = most(index, |local| local.translation.length()) * above[index];
                metres[parent.index()] = metres[parent.index()].max(bone + metres[index]);
            }
        }
        Self { sizes, above, radii, metres }
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
    let nodes = scene.skeleton().nodes().iter().enumerate();
    let tracks = nodes.map(|(node, Node { rest, .. })| {
        let locals = samples.node(node);
        let (above, metres) = (reach.above[node], reach.metres[node].max(1e-20));
        let own = (metres / reach.sizes[node].max(1e-20)).max(1e-20) * above;
        let places = locals.iter().map(|local| local.translation);
        let scales = locals.iter().map(|local| local.scale);
        NodeTracks {
            rotation: rotation(locals, rest.rotation, still / metres),
            translation: vector(places, rest.translation, still / above, bound / above),
            scale: vector(scales, rest.scale, still / own, SHARE_OF_SCALE * bound / own),
        }
    });
    tracks.collect()
}

fn vector(
    mut values: impl Iterator<Item = Vec3> + Clone,
    rest: Vec3,
    still: f32,
    size: f32,
) -> VectorTrack {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut from_rest = 0.0_f32;
    for value in values.clone() {
        (low, high) = (low.min(value), high.max(value));
        from_rest = from_rest.max(value.distance(rest));
    }
    match low.distance(high) {
        _ if from_rest <= still => VectorTrack::Fixed(rest),
        0.0 => VectorTrack::Fixed(values.next().unwrap_or(rest)),
        range if 0.5 * range <= still => VectorTrack::Fixed(low.midpoint(high)),
        _ => VectorTrack::Moving { frame: low.midpoint(high), code: code(size) },
    }
}

/// `still` is an angle.
fn rotation(locals: &[Transform], rest: Quat, still: f32) -> RotationTrack {
    let rotations = locals.iter().map(|local| local.rotation);
    let off = |from: Quat| rotations.clone().fold(0.0, |most: f32, to| most.max(angle(from, to)));
    if off(rest) <= still {
        return RotationTrack::Fixed(rest);
    }
    let sum = rotations.clone().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, next| sum + next);
    let middle = if sum.length() > 1e-3 { sum.normalize() } else { locals[0].rotation };
    for fixed in [locals[0].rotation, middle] {
        if off(fixed) <= still {
            return RotationTrack::Fixed(fixed);
        }
    }
    RotationTrack::Moving { frame: Basis::new(rotations), code: 0 }
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
