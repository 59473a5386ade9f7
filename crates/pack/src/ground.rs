//! What an error is measured on: the exact clip, the frames, and every joint's shell.

use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};
use sinew_scene::{JointId, Scene, Transform};

use crate::clock::Place;
use crate::source::{Source, Truth};
use crate::sphere::above;

/// What an error is measured on.
pub(crate) struct Ground<'a> {
    pub(crate) parents: &'a [Option<JointId>],
    pub(crate) rests: Vec<Transform>,
    shears: Vec<Option<Mat3A>>,
    pub(crate) truth: &'a Truth,
    /// Where among the frames each measured time is.
    pub(crate) places: Vec<Place>,
    pub(crate) source: &'a Source,
    pub(crate) shells: &'a [f32],
    /// How far a joint's turn reaches, in metres of the model: to what no other moving joint can make good, and in all.
    pub(crate) near: Vec<f32>,
    pub(crate) far: Vec<f32>,
    /// How many metres of the model are in one of a joint's parent, at most.
    pub(crate) sizes: Vec<f32>,
    /// Whether children make good what their parents are off: not where scales are uneven.
    pub(crate) mend: bool,
}

/// The largest error, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worst {
    pub(crate) error: f32,
    pub(crate) joint: usize,
}

impl Worst {
    pub(crate) fn larger(self, other: Self) -> Self {
        if other.error > self.error { other } else { self }
    }

    pub(crate) fn smaller(self, other: Self) -> Self {
        if other.error < self.error { other } else { self }
    }
}

impl<'a> Ground<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        truth: &'a Truth,
        source: &'a Source,
        shells: &'a [f32],
    ) -> Self {
        let skeleton = scene.skeleton();
        let even = |local: &Transform| {
            let scale = local.scale;
            scale.min_element() > 0.0 && scale.max_element() < 1.001 * scale.min_element()
        };
        let nodes = skeleton.nodes();
        let place = |&time: &f32| source.clock.place(time);
        let mut ground = Self {
            parents: skeleton.parents(),
            rests: nodes.iter().map(|node| node.rest).collect(),
            shears: nodes.iter().map(|node| node.shear).collect(),
            truth,
            places: truth.times.iter().map(place).collect(),
            source,
            shells,
            near: Vec::new(),
            far: Vec::new(),
            sizes: Vec::new(),
            mend: skeleton.sheared().is_empty() && source.locals.iter().all(even),
        };
        let sizes = ground.model_sizes();
        (ground.near, ground.far) = ground.reaches(&sizes);
        let outer = |parent: &Option<JointId>| parent.map_or(1.0, |parent| sizes[parent.index()]);
        ground.sizes = ground.parents.iter().map(outer).collect();
        ground
    }

    /// How many metres of the model are in one of each joint, at most.
    fn model_sizes(&self) -> Vec<f32> {
        let mut sizes = vec![0.0_f32; self.parents.len()];
        for models in self.source.models.chunks(sizes.len()) {
            for (size, model) in sizes.iter_mut().zip(models) {
                let Mat3A { x_axis, y_axis, z_axis } = model.matrix3;
                *size = [x_axis, y_axis, z_axis]
                    .iter()
                    .fold(*size, |most, axis| most.max(axis.length()));
            }
        }
        sizes
    }

    fn reaches(&self, sizes: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let count = self.parents.len();
        let shells = self.shells.iter().zip(sizes).map(|(shell, size)| shell * size);
        let mut near: Vec<f32> = shells.collect();
        let mut far = near.clone();
        for joint in (0..count).rev() {
            let Some(parent) = self.parents[joint] else { continue };
            let mut rows = self.source.locals.iter().skip(joint).step_by(count);
            let first = self.source.locals[joint];
            let turns =
                rows.clone().any(|local| local.rotation.dot(first.rotation).abs() < 0.999_999);
            let out = rows.by_ref().map(|local| local.translation.length()).fold(0.0, f32::max);
            let out = out * sizes[parent.index()];
            let mended = self.mend && turns;
            let on = if mended { out } else { out + near[joint] };
            near[parent.index()] = near[parent.index()].max(on);
            far[parent.index()] = far[parent.index()].max(out + far[joint]);
        }
        (near, far)
    }

    pub(crate) fn matrix(&self, joint: usize, local: Transform) -> Affine3A {
        match self.shears[joint] {
            None => local.to_affine(),
            Some(matrix3) => local.to_affine() * Affine3A { matrix3, translation: Vec3A::ZERO },
        }
    }

    /// The error of a joint's shell where it came out at `found`, if it is above `known`.
    pub(crate) fn above(
        &self,
        joint: usize,
        time: usize,
        found: &Affine3A,
        known: f32,
    ) -> Option<f32> {
        let exact = &self.truth.models[time * self.parents.len() + joint];
        above(exact, found, self.shells[joint], known)
    }
}
