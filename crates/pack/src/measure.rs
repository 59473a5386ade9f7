//! How far off the skin is: every joint's shell, at every measured time, against the exact clip.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Scene, Transform};

use crate::arc::Bend;
use crate::chain::{Branch, Cell};
use crate::plan::{Channel, Form, Plan, Track};
use crate::source::{Source, Truth};
use crate::sphere::above;
use crate::window::{Place, Window};

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

    /// The error of a joint's shell where it came out at `found`, if it is above `known`.
    fn above(&self, joint: usize, time: usize, found: &Affine3A, known: f32) -> Option<f32> {
        let exact = &self.truth.models[time * self.parents.len() + joint];
        above(exact, found, self.shells[joint], known)
    }

    /// Where among the frames a measured time is.
    fn place(&self, time: usize) -> Place {
        let Source { rate, duration, frames, .. } = *self.source;
        Place::new(self.truth.times[time], rate, duration, frames)
    }
}

/// Model matrices of a branch at every measured time, and the largest error of them.
pub(crate) struct Measured {
    /// Time after time.
    pub(crate) models: Vec<Vec<Affine3A>>,
    /// The largest of each time; zero where it was not worth knowing.
    pub(crate) errors: Vec<f32>,
    pub(crate) worst: Worst,
}

/// Measures the branch's frames; `known` has the model matrices of the other joints. Stops early, with
/// `None`, once the error is above `limit`.
pub(crate) fn measure(
    ground: &Ground<'_>,
    plan: &Plan,
    branch: &Branch,
    rows: &[Vec<Cell>],
    known: &[Affine3A],
    limit: f32,
) -> Option<Measured> {
    let over = AtomicBool::new(false);
    let found: Vec<_> = (0..ground.truth.times.len())
        .into_par_iter()
        .map(|time| {
            if over.load(Ordering::Relaxed) {
                return (Vec::new(), Worst::default());
            }
            let between = Between::new(ground, time, rows);
            let mut models: Vec<Affine3A> = Vec::with_capacity(branch.joints.len());
            let mut worst = Worst::default();
            for (place, &joint) in branch.joints.iter().enumerate() {
                let matrix = ground.matrix(joint, between.local(plan, place, joint));
                let model = match ground.parents[joint] {
                    None => matrix,
                    Some(parent) => match branch.place[parent.index()] {
                        Some(place) => models[place] * matrix,
                        None => known[time * ground.parents.len() + parent.index()] * matrix,
                    },
                };
                // Most are known to be smaller than the limit or the largest so far without being known.
                let known = if limit.is_finite() { limit } else { worst.error };
                if let Some(error) = ground.above(joint, time, &model, known) {
                    worst = worst.larger(Worst { error, joint });
                }
                models.push(model);
            }
            if worst.error > limit {
                over.store(true, Ordering::Relaxed);
            }
            (models, worst)
        })
        .collect();
    let worst = found.iter().fold(Worst::default(), |worst, (_, other)| worst.larger(*other));
    let errors = found.iter().map(|(_, worst)| worst.error).collect();
    (worst.error <= limit).then(|| Measured {
        models: found.into_iter().map(|(models, _)| models).collect(),
        errors,
        worst,
    })
}

/// The frames that a time lies between.
enum Between<'a> {
    Straight { rows: [&'a [Cell]; 2], fraction: f32 },
    Smooth { rows: [&'a [Cell]; 4], window: Window },
}

impl<'a> Between<'a> {
    fn new(ground: &Ground<'_>, time: usize, rows: &'a [Vec<Cell>]) -> Self {
        let (place, frames) = (ground.place(time), ground.source.frames);
        if ground.source.smooth {
            let window = Window::new(place, frames);
            let rows = [0, 1, 2, 3].map(|step| &rows[window.start + step][..]);
            return Self::Smooth { rows, window };
        }
        let rows = [place.first, place.second(frames)].map(|frame| &rows[frame][..]);
        Self::Straight { rows, fraction: place.fraction }
    }

    /// A joint, as the sampler does it; `place` is where it stands in a row.
    fn local(&self, plan: &Plan, place: usize, joint: usize) -> Transform {
        match self {
            Self::Straight { rows: [from, to], fraction } => {
                straight(plan, &from[place], &to[place], *fraction, joint)
            }
            Self::Smooth { rows, window } => {
                smooth(plan, rows.map(|row| &row[place]), window, joint)
            }
        }
    }
}

/// Whether a joint's rotation, translation and scale hold until the next frame.
fn holds(plan: &Plan, joint: usize) -> [bool; 3] {
    fn held<V>(channel: &Channel<V>) -> bool {
        matches!(channel, Channel::Moving(track) if track.holds)
    }
    [held(&plan.rotations[joint]), held(&plan.translations[joint]), held(&plan.scales[joint])]
}

fn straight(plan: &Plan, from: &Cell, to: &Cell, fraction: f32, joint: usize) -> Transform {
    let holds = holds(plan, joint);
    let share = |holds: bool| if holds { 0.0 } else { fraction };
    // A spin's numbers are mixed as they are stored, not quite of unit length.
    let [a, b] = match &plan.rotations[joint] {
        Channel::Moving(Track { form: Form::Spin, .. }) => [from.stored, to.stored],
        _ => [from, to].map(|cell| cell.local.rotation.into()),
    };
    let dot = a.dot(b);
    let bent = Bend::new(share(holds[0])).bent(dot.abs());
    let mixed = a * (1.0 - bent) + b * if dot < 0.0 { -bent } else { bent };
    let turn = Quat::from_vec4(mixed);
    let short = turn.length_squared() < 1e-12;
    let (a, b) = (from.local, to.local);
    Transform {
        translation: a.translation.lerp(b.translation, share(holds[1])),
        rotation: if short { Quat::IDENTITY } else { turn.normalize() },
        scale: a.scale.lerp(b.scale, share(holds[2])),
    }
}

fn smooth(plan: &Plan, cells: [&Cell; 4], window: &Window, joint: usize) -> Transform {
    let shares = |track: &Track| if track.holds { window.holding() } else { window.shares };
    let vector = |channel: &Channel<Vec3>, value: fn(&Cell) -> Vec3| match channel {
        Channel::Moving(track) => {
            shares(track).iter().zip(cells).map(|(share, cell)| value(cell) * *share).sum()
        }
        _ => value(cells[0]),
    };
    let rotation = match &plan.rotations[joint] {
        Channel::Moving(track) => {
            let parts = shares(track).into_iter().zip(cells);
            track.mixed(parts.map(|(share, cell)| cell.stored * share).sum())
        }
        _ => cells[0].local.rotation,
    };
    Transform {
        translation: vector(&plan.translations[joint], |cell| cell.local.translation),
        rotation,
        scale: vector(&plan.scales[joint], |cell| cell.local.scale),
    }
}
