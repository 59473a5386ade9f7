//! A plan carried out, frame by frame and joint by joint, from the root down.
//!
//! Each joint is told where its parent really came out, and aims at where it itself should be: what
//! one joint is off, the next makes good, so that errors do not add up along a limb.

use std::ops::Range;

use sinew_scene::Transform;
use sinew_scene::glam::{Affine3A, Quat, Vec4};

use crate::block::Rows;
use crate::ground::Ground;
use crate::group::Kind;
use crate::plan::{Channel, Plan};

/// One joint in one frame, as it comes back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) local: Transform,
    /// What stands in the file for the local rotation, where that moves.
    pub(crate) stored: Vec4,
    turn: Quat,
    pub(crate) model: Affine3A,
}

/// Exact frames in place of packed ones.
pub(crate) fn exact(ground: &Ground<'_>, plan: &Plan, frames: Range<usize>) -> Rows {
    let (count, source) = (ground.parents.len(), ground.source);
    let cell = |at: usize| {
        let local = source.locals[at];
        let stored = match &plan.rotations[at % count] {
            Channel::Moving(track) => track.exact(local.rotation).stored,
            _ => Vec4::ZERO,
        };
        Cell { local, stored, turn: source.turns[at], model: source.models[at] }
    };
    let cells = (frames.start * count..frames.end * count).map(cell).collect();
    Rows { frames, cells }
}

/// The joints that a change touches, parents before children.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) joints: Vec<usize>,
    /// Where in that list a joint stands.
    pub(crate) place: Vec<Option<usize>>,
}

impl Branch {
    /// A joint and everything below it.
    pub(crate) fn new(ground: &Ground<'_>, root: usize) -> Self {
        let mut place: Vec<Option<usize>> = vec![None; ground.parents.len()];
        let mut joints = Vec::new();
        for (joint, parent) in ground.parents.iter().enumerate() {
            let under = parent.is_some_and(|parent| place[parent.index()].is_some());
            if joint == root || under {
                place[joint] = Some(joints.len());
                joints.push(joint);
            }
        }
        Self { joints, place }
    }

    pub(crate) fn all(joints: usize) -> Self {
        Self { joints: (0..joints).collect(), place: (0..joints).map(Some).collect() }
    }
}

/// What comes back in some frames, for the branch alone. `known` has the others of the same frames.
pub(crate) fn rows(
    ground: &Ground<'_>,
    plan: &Plan,
    branch: &Branch,
    known: &[Cell],
    frames: Range<usize>,
) -> Rows {
    let mut cells = Vec::with_capacity(frames.len() * branch.joints.len());
    let known = known.chunks(ground.parents.len()).chain(std::iter::repeat(&[][..]));
    for (frame, known) in frames.clone().zip(known) {
        one(ground, plan, branch, known, frame, &mut cells, |_, _, _| {});
    }
    Rows { frames, cells }
}

/// One frame, at the end of `cells`; `known` has the joints outside of the branch. `tell` hears of each moving track's whole steps.
pub(crate) fn one(
    ground: &Ground<'_>,
    plan: &Plan,
    branch: &Branch,
    known: &[Cell],
    frame: usize,
    cells: &mut Vec<Cell>,
    mut tell: impl FnMut(usize, Kind, [i32; 4]),
) {
    let (count, from) = (ground.parents.len(), cells.len());
    for &joint in &branch.joints {
        let at = frame * count + joint;
        let exact = ground.source.locals[at];
        let parent = ground.parents[joint].map(|parent| match branch.place[parent.index()] {
            Some(place) => cells[from + place],
            None => known[parent.index()],
        });
        let rest = ground.rests[joint];
        let mut stored = Vec4::ZERO;
        let rotation = match &plan.rotations[joint] {
            Channel::Rest => rest.rotation,
            Channel::Constant(value) => *value,
            Channel::Moving(track) => {
                let aim = match parent {
                    Some(parent) if ground.mend => {
                        parent.turn.conjugate() * ground.source.turns[at]
                    }
                    _ => exact.rotation,
                };
                let (steps, value) = track.rotation(aim, exact.rotation);
                let kind = match track.form {
                    crate::plan::Form::Spin => Kind::Spin,
                    _ => Kind::Turn,
                };
                tell(joint, kind, steps);
                stored = value.stored;
                value.turn
            }
        };
        let translation = match &plan.translations[joint] {
            Channel::Rest => rest.translation,
            Channel::Constant(value) => *value,
            Channel::Moving(track) => {
                let aim = match parent {
                    Some(parent) if ground.mend => {
                        let there = ground.source.models[at].translation;
                        parent.model.inverse().transform_point3a(there).into()
                    }
                    _ => exact.translation,
                };
                let (steps, value) = track.vector(aim);
                tell(joint, Kind::Translation, steps);
                value
            }
        };
        let scale = match &plan.scales[joint] {
            Channel::Rest => rest.scale,
            Channel::Constant(value) => *value,
            Channel::Moving(track) => {
                let (steps, value) = track.vector(exact.scale);
                tell(joint, Kind::Scale, steps);
                value
            }
        };
        let local = Transform { translation, rotation, scale };
        let matrix = ground.matrix(joint, local);
        cells.push(match parent {
            Some(parent) => Cell {
                local,
                stored,
                turn: (parent.turn * rotation).normalize(),
                model: parent.model * matrix,
            },
            None => Cell { local, stored, turn: rotation, model: matrix },
        });
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts};

    use super::*;
    use crate::clock::Clock;
    use crate::source::{Source, Truth, key_times};
    use crate::step::code;

    /// Joints 20 cm apart in a row, all turning; every step is 0.02, which is up to 0.035 rad.
    #[test]
    fn a_joint_makes_good_what_its_parents_are_off() {
        let times: Vec<f32> = (0..20).map(|key| key as f32 / 30.0).collect();
        let rotations = (0..10).map(|joint| {
            let turn = |key: usize| {
                let at = key as f32 * 0.37 + joint as f32;
                Quat::from_rotation_x(0.5 * at.sin())
                    * Quat::from_rotation_z(0.3 * (1.3 * at).cos())
            };
            let values = (0..20).map(turn).collect();
            let curve = Curve::new(times.clone(), values, Interpolation::Linear);
            sinew_scene::Track { joint: JointId::new(joint), curve: curve.expect("20 keys") }
        });
        let clip =
            Clip { duration: 19.0 / 30.0, rotations: rotations.collect(), ..Clip::default() };
        let out = Transform::from_translation(Vec3::Y * 0.2);
        let parent = |joint: usize| joint.checked_sub(1).map(JointId::new);
        let nodes = (0..10).map(|joint| Node::new("", parent(joint), out)).collect();
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a row");
        let keys = key_times(&clip);
        let truth = Truth::new(&scene, &clip, &keys).expect("finite");
        let source = Source::new(&scene, &clip, &keys, Clock::even(30.0, 0, clip.duration));
        let shells = [0.1; 10];
        let ground = Ground::new(&scene, &truth, &source, &shells);
        let mut plan = Plan::new(&scene, &clip, &ground, 1e-4);
        plan.tracks_mut().for_each(|(_, track)| track.code = code(0.02));
        let step = crate::step::step(code(0.02));
        let rows = rows(&ground, &plan, &Branch::all(10), &[], 0..source.clock.frames);
        for frame in 0..source.clock.frames {
            for (joint, cell) in rows.row(frame).iter().enumerate() {
                let off = cell.turn.angle_between(source.turns[frame * 10 + joint]);
                // Half a step in three numbers, twice that as an angle, and a little for the fourth.
                assert!(off < 1.1 * 3.0_f32.sqrt() * step, "joint {joint}: {off} rad");
            }
        }
    }
}
