//! How far off the skin is: every joint's shell, at measured times, against the exact clip.

use std::ops::Range;

use sinew_scene::Transform;
use sinew_scene::glam::{Affine3A, Quat, Vec3};

use crate::Course;
use crate::arc::Bend;
use crate::block::{Known, Rows};
use crate::chain::{Branch, Cell};
use crate::clock::Place;
use crate::ground::{Ground, Worst};
use crate::plan::{Channel, Form, Plan, Track};
use crate::window::Window;

/// Which errors matter, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// What is smaller counts as none.
    pub(crate) floor: f32,
    /// What is larger ends it.
    pub(crate) limit: f32,
}

/// Model matrices of a branch at measured times, and the largest error of them.
pub(crate) struct Measured {
    /// Time after time.
    pub(crate) models: Vec<Affine3A>,
    /// The largest of each time.
    pub(crate) errors: Vec<Worst>,
    pub(crate) worst: Worst,
}

/// Measures a branch in a block; `known` has the model matrices of the other joints. `None` once the error is above
/// the limit.
pub(crate) fn measure(
    ground: &Ground<'_>,
    plan: &Plan,
    branch: &Branch,
    rows: &Rows,
    times: Range<usize>,
    known: &Known,
    look: Look,
) -> Option<Measured> {
    let (count, width) = (ground.parents.len(), branch.joints.len());
    let mut models: Vec<Affine3A> = Vec::with_capacity(times.len() * width);
    let mut errors = Vec::with_capacity(times.len());
    let mut all = Worst::default();
    for (row, time) in times.enumerate() {
        let (place, from) = (ground.places[time], models.len());
        let between = Between::new(ground, place, rows);
        let mut worst = Worst::default();
        for (at, &joint) in branch.joints.iter().enumerate() {
            let model = if place.fraction == 0.0 {
                rows.row(place.first)[at].model
            } else {
                let matrix = ground.matrix(joint, between.local(plan, at, joint));
                match ground.parents[joint] {
                    None => matrix,
                    Some(parent) => match branch.place[parent.index()] {
                        Some(place) => models[from + place] * matrix,
                        None => known.models[row * count + parent.index()] * matrix,
                    },
                }
            };
            // Most are known to be no larger than what is known already without being known.
            if let Some(error) = ground.above(joint, time, &model, look.floor.max(worst.error)) {
                worst = Worst { error, joint };
                if error > look.limit {
                    return None;
                }
            }
            models.push(model);
        }
        errors.push(worst);
        all = all.larger(worst);
    }
    Some(Measured { models, errors, worst: all })
}

/// The frames that a time lies between.
enum Between<'a> {
    Straight { rows: [&'a [Cell]; 2], fraction: f32 },
    Cubic { rows: [&'a [Cell]; 4], window: Window },
}

impl<'a> Between<'a> {
    fn new(ground: &Ground<'_>, place: Place, rows: &'a Rows) -> Self {
        let frames = ground.source.clock.frames;
        let course = ground.source.course;
        if course == Course::Straight {
            let rows = [place.first, place.second(frames)].map(|frame| rows.row(frame));
            return Self::Straight { rows, fraction: place.fraction };
        }
        let window = Window::new(place, frames, course);
        let rows = [0, 1, 2, 3].map(|step| rows.row(window.start + step));
        Self::Cubic { rows, window }
    }

    /// A joint, as the sampler does it; `place` is where it stands in a row.
    fn local(&self, plan: &Plan, place: usize, joint: usize) -> Transform {
        match self {
            Self::Straight { rows: [from, to], fraction } => {
                straight(plan, &from[place], &to[place], *fraction, joint)
            }
            Self::Cubic { rows, window } => cubic(plan, rows.map(|row| &row[place]), window, joint),
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

fn cubic(plan: &Plan, cells: [&Cell; 4], window: &Window, joint: usize) -> Transform {
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
