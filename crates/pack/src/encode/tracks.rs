//! What becomes of each track: left out, kept once, or kept at every frame, rounded to whole steps.
//!
//! In:  samples, and how far off a track may be that is kept once, in metres.
//! Out: a [`NodeTracks`] for every node, the steps of its moving tracks still to be found.
//!
//! A node is rounded to what puts it where it should be in the model, so that what its parent is off it makes good.

use sinew_scene::glam::{Quat, Vec3, Vec3A};
use sinew_scene::{Node, Scene, Transform};

use super::basis::Basis;
use super::samples::Samples;
use crate::format::code::{code, step};

/// A translation or scale: whole steps from an origin, or always there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VectorTrack {
    pub(crate) origin: Vec3,
    /// Of the step; none of what does not move.
    pub(crate) code: Option<u8>,
}

impl VectorTrack {
    /// Whole steps from the origin to what is nearest to a value.
    #[inline]
    pub(crate) fn steps(&self, value: Vec3) -> Vec3 {
        self.code.map_or(Vec3::ZERO, |code| ((value - self.origin) / step(code)).round())
    }

    #[inline]
    pub(crate) fn value(&self, steps: Vec3) -> Vec3 {
        self.code.map_or(self.origin, |code| self.origin + steps * step(code))
    }
}

/// A rotation: three numbers in a basis, or always this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RotationTrack {
    pub(crate) fixed: Quat,
    pub(crate) basis: Basis,
    pub(crate) code: Option<u8>,
}

/// A node: where it hangs, and its tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeTracks {
    pub(crate) node: usize,
    pub(crate) parent: Option<usize>,
    /// Metres to its shell, and the size of its parent's space.
    pub(crate) radius: f32,
    pub(crate) above: f32,
    pub(crate) rotation: RotationTrack,
    pub(crate) translation: VectorTrack,
    pub(crate) scale: VectorTrack,
}

/// Where a node came out: its rotation in the model, and how far its position is off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    rotation: [f32; 4],
    off: Vec3,
}

impl State {
    pub(crate) const EXACT: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], off: Vec3::ZERO };
}

/// A node at a frame: where it comes out, how far its shell is off, and whole steps of its rotation and translation.
pub(crate) struct Rounded {
    pub(crate) state: State,
    pub(crate) error: f32,
    pub(crate) steps: [Vec3; 2],
}

impl NodeTracks {
    /// Rounds the node at a frame, under its parent as it came out.
    #[inline]
    pub(crate) fn round(&self, samples: &Samples, frame: usize, states: &[State]) -> Rounded {
        let Samples { locals, rotations, positions, .. } = samples;
        let at = self.node * samples.frames() + frame;
        let local = locals[at];
        let (parent, exact_above, place_above) = match self.parent {
            Some(parent) => {
                let at = parent * samples.frames() + frame;
                (states[at], rotations[at], positions[at])
            }
            None => (State::EXACT, Quat::IDENTITY, Vec3::ZERO),
        };
        let (parent_rotation, parent_off) =
            (Quat::from_array(parent.rotation), Vec3A::from(parent.off));
        // What the parent's error does to the way from it to here.
        let bone = Vec3A::from(positions[at] - place_above);
        let turned = parent_rotation * exact_above.conjugate();
        let translation = self.translation;
        let place = translation.code.map_or(Vec3::ZERO, |_| {
            let aim = exact_above.conjugate() * (turned.conjugate() * (bone - parent_off) - bone);
            translation.steps(local.translation + Vec3::from(aim) / self.above)
        });
        let moved = translation.value(place) - local.translation;
        let moved = exact_above * Vec3A::from(moved) * self.above;
        let off = parent_off + turned * (bone + moved) - bone;
        let RotationTrack { fixed, basis, code } = self.rotation;
        let (rotation, turn) = match code {
            None => (parent_rotation * fixed, Vec3A::ZERO),
            Some(code) => {
                let aim = parent_rotation.conjugate() * rotations[at];
                let steps = (basis.stored(aim) / step(code)).round();
                (parent_rotation * basis.rotation(steps * step(code)), steps)
            }
        };
        Rounded {
            state: State { rotation: rotation.to_array(), off: off.into() },
            error: off.length() + self.radius * angle(rotation, rotations[at]),
            steps: [turn.into(), place],
        }
    }
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
    /// Metres from each node to what it moves directly: its shell, and the nodes below.
    pub(crate) levers: Vec<f32>,
    /// Metres from each node to the farthest that it moves, by way of the bones.
    pub(crate) metres: Vec<f32>,
}

impl Reach {
    pub(crate) fn new(scene: &Scene, samples: &Samples, shells: &[f32]) -> Self {
        let nodes = scene.skeleton().nodes();
        // Shears of a chain make good for each other more often than they add up: each counts for its own node alone.
        let (mut scales, mut sizes, mut above) = (Vec::<f32>::new(), Vec::<f32>::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            let shear = node.shear.map_or(1.0, |shear| {
                shear.x_axis.length().max(shear.y_axis.length()).max(shear.z_axis.length())
            });
            let parent = node.parent.map(|parent| parent.index());
            above.push(parent.map_or(1.0, |parent| sizes[parent]).max(1e-20));
            let own = samples.node(index).iter().map(|local| local.scale.abs().max_element());
            scales.push(parent.map_or(1.0, |parent| scales[parent]) * most(own));
            sizes.push(scales[index] * shear.max(1.0));
        }
        let radii: Vec<f32> = shells.iter().zip(&sizes).map(|(shell, size)| shell * size).collect();
        let (mut levers, mut metres) = (radii.clone(), radii.clone());
        for (index, node) in nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let lengths = samples.node(index).iter().map(|local| local.translation.length());
                let bone = most(lengths) * above[index];
                levers[parent.index()] = levers[parent.index()].max(bone);
                metres[parent.index()] = metres[parent.index()].max(bone + metres[index]);
            }
        }
        Self { sizes, above, radii, levers, metres }
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
    let tracks = nodes.map(|(node, Node { parent, rest, .. })| {
        let locals = samples.node(node);
        let (above, metres) = (reach.above[node], reach.metres[node].max(1e-20));
        let own = (metres / reach.sizes[node].max(1e-20)).max(1e-20) * above;
        let places = locals.iter().map(|local| local.translation);
        let scales = locals.iter().map(|local| local.scale);
        NodeTracks {
            node,
            parent: parent.map(|parent| parent.index()),
            radius: reach.radii[node],
            above,
            rotation: rotation(locals, rest.rotation, still / metres),
            translation: vector(places, rest.translation, still / above, bound / above),
            scale: vector(scales, rest.scale, still / own, SHARE_OF_SCALE * bound / own),
        }
    });
    tracks.collect()
}

/// `size` is that of the steps where it moves.
fn vector(
    values: impl Iterator<Item = Vec3> + Clone,
    rest: Vec3,
    still: f32,
    size: f32,
) -> VectorTrack {
    let (low, high) = (values.clone().reduce(Vec3::min), values.clone().reduce(Vec3::max));
    let middle = low.unwrap_or(rest).midpoint(high.unwrap_or(rest));
    let off = |from: Vec3| most(values.clone().map(|value| value.distance(from)));
    let fixed = [rest, middle].into_iter().find(|fixed| off(*fixed) <= still);
    let code = if fixed.is_none() { Some(code(size)) } else { None };
    VectorTrack { origin: fixed.unwrap_or(middle), code }
}

/// `still` is an angle.
fn rotation(locals: &[Transform], rest: Quat, still: f32) -> RotationTrack {
    let rotations = locals.iter().map(|local| local.rotation);
    let off = |from: Quat| most(rotations.clone().map(|to| angle(from, to)));
    let sum = rotations.clone().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, next| sum + next);
    let middle = if sum.length() > 1e-3 { sum.normalize() } else { rest };
    let fixed = [rest, locals[0].rotation, middle].into_iter().find(|fixed| off(*fixed) <= still);
    match fixed {
        Some(fixed) => RotationTrack { fixed, basis: Basis::default(), code: None },
        None => RotationTrack { fixed: middle, basis: Basis::new(rotations), code: Some(0) },
    }
}

/// Twice the sine of half the angle between two rotations, for small angles.
#[inline]
pub(crate) fn angle(a: Quat, b: Quat) -> f32 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    2.0 * (a - b).length()
}

/// The largest of some numbers, none of which is below zero.
pub(crate) fn most(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, f32::max)
}
