//! How far off the skin is: every joint's shell, at every measured time, against the exact clip.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};
use sinew_scene::{JointId, Scene, Transform};

use crate::chain::{Branch, Cell};
use crate::plan::{Channel, Plan};
use crate::source::{Source, Truth};

/// What an error is measured on.
pub(crate) struct Ground<'a> {
    pub(crate) parents: &'a [Option<JointId>],
    pub(crate) rests: Vec<Transform>,
    shears: Vec<Option<Mat3A>>,
    pub(crate) truth: &'a Truth,
    pub(crate) source: &'a Source,
    pub(crate) shells: &'a [f32],
    /// How far a joint's turn reaches: to what no other moving joint can make good, and in all.
    pub(crate) near: Vec<f32>,
    pub(crate) far: Vec<f32>,
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
        let mut ground = Self {
            parents: skeleton.parents(),
            rests: nodes.iter().map(|node| node.rest).collect(),
            shears: nodes.iter().map(|node| node.shear).collect(),
            truth,
            source,
            shells,
            near: Vec::new(),
            far: Vec::new(),
            mend: skeleton.sheared().is_empty() && source.locals.iter().all(even),
        };
        (ground.near, ground.far) = ground.reaches();
        ground
    }

    fn reaches(&self) -> (Vec<f32>, Vec<f32>) {
        let count = self.parents.len();
        let (mut near, mut far) = (self.shells.to_vec(), self.shells.to_vec());
        for joint in (0..count).rev() {
            let Some(parent) = self.parents[joint] else { continue };
            let mut rows = self.source.locals.iter().skip(joint).step_by(count);
            let first = self.source.locals[joint];
            let turns =
                rows.clone().any(|local| local.rotation.dot(first.rotation).abs() < 0.999_999);
            let out = rows.by_ref().map(|local| local.translation.length()).fold(0.0, f32::max);
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

    /// The shell's error where a joint came out at `found`.
    pub(crate) fn error(&self, joint: usize, time: usize, found: &Affine3A) -> f32 {
        let exact = &self.truth.models[time * self.parents.len() + joint];
        let shell = self.shells[joint];
        let moved = found.translation - exact.translation;
        let turned = found.matrix3 - exact.matrix3;
        let ends = [turned.x_axis, turned.y_axis, turned.z_axis];
        let most = ends.map(|axis| (moved + axis * shell).length_squared());
        most.into_iter().fold(0.0, f32::max).sqrt()
    }

    /// The frames on both sides of a measured time.
    fn between(&self, time: usize) -> (usize, usize, f32) {
        let last = self.source.frames - 1;
        let at = (self.truth.times[time] * self.source.rate).clamp(0.0, last as f32);
        let nearest = (at + 0.5) as u32 as f32;
        let at = if (at - nearest).abs() <= 3e-7 * at + 1e-6 { nearest } else { at };
        let first = (at as usize).min(last);
        (first, (first + 1).min(last), at - first as f32)
    }
}

/// Model matrices of a branch at every measured time, and the largest error of them.
pub(crate) struct Measured {
    /// Time after time.
    pub(crate) models: Vec<Vec<Affine3A>>,
    pub(crate) worst: Worst,
}

/// Measures the branch's frames; `known` has the model matrices of the other joints. Stops early, with
/// `None`, once the error is above `limit`.
pub(crate) fn measure(
    ground: &Ground<'_>,
    plan: Option<&Plan>,
    branch: &Branch,
    rows: &[Vec<Cell>],
    known: &[Affine3A],
    limit: f32,
) -> Option<Measured> {
    let over = AtomicBool::new(false);
    let local = |place: usize, first: usize, second: usize, fraction: f32| {
        let joint = branch.joints[place];
        let (a, b) = (rows[first][place].local, rows[second][place].local);
        between(a, b, fraction, plan.map_or([false; 3], |plan| holds(plan, joint)))
    };
    let found: Vec<_> = (0..ground.truth.times.len())
        .into_par_iter()
        .map(|time| {
            if over.load(Ordering::Relaxed) {
                return (Vec::new(), Worst::default());
            }
            let (first, second, fraction) = ground.between(time);
            let mut models: Vec<Affine3A> = Vec::with_capacity(branch.joints.len());
            let mut worst = Worst::default();
            for (place, &joint) in branch.joints.iter().enumerate() {
                let matrix = ground.matrix(joint, local(place, first, second, fraction));
                let model = match ground.parents[joint] {
                    None => matrix,
                    Some(parent) => match branch.place[parent.index()] {
                        Some(place) => models[place] * matrix,
                        None => known[time * ground.parents.len() + parent.index()] * matrix,
                    },
                };
                let error = ground.error(joint, time, &model);
                worst = worst.larger(Worst { error, joint });
                models.push(model);
            }
            if worst.error > limit {
                over.store(true, Ordering::Relaxed);
            }
            (models, worst)
        })
        .collect();
    let worst = found.iter().fold(Worst::default(), |worst, (_, other)| worst.larger(*other));
    (worst.error <= limit)
        .then(|| Measured { models: found.into_iter().map(|(models, _)| models).collect(), worst })
}

/// Whether a joint's rotation, translation and scale hold until the next frame.
fn holds(plan: &Plan, joint: usize) -> [bool; 3] {
    fn held<V>(channel: &Channel<V>) -> bool {
        matches!(channel, Channel::Moving(track) if track.holds)
    }
    [held(&plan.rotations[joint]), held(&plan.translations[joint]), held(&plan.scales[joint])]
}

/// As the sampler does it.
fn between(a: Transform, b: Transform, fraction: f32, holds: [bool; 3]) -> Transform {
    let share = |holds: bool| if holds { 0.0 } else { fraction };
    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let turn = a.rotation * (1.0 - share(holds[0])) + near * share(holds[0]);
    Transform {
        translation: a.translation.lerp(b.translation, share(holds[1])),
        rotation: turn.normalize(),
        scale: a.scale.lerp(b.scale, share(holds[2])),
    }
}
