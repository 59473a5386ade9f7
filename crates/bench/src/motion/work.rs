//! What is measured: each operation of the motion room on one character.

mod graph;
pub(crate) mod ik;
mod pose;
mod retarget;
mod time;

use std::time::Duration;

use sinew::glam::Vec3;
use sinew::motion::{Cursor, Pose, sample};
use sinew::{JointId, Scene};

use super::Row;
use super::character::{self, character};
use super::stopwatch::best;

/// A frame of 60 a second.
pub(crate) const FRAME: f32 = 1.0 / 60.0;

/// Measures everything, about `budget` for each row.
pub(super) fn measure(budget: Duration) -> Vec<Row> {
    let scene = character();
    let mut bench = Bench::new(How::Time(budget), None);
    pose::sampling(&mut bench, &scene);
    pose::blending(&mut bench, &scene);
    time::playing(&mut bench, &scene);
    time::carrying(&mut bench, &scene);
    graph::graph(&mut bench, &scene);
    graph::states(&mut bench, &scene);
    ik::limbs(&mut bench, &scene);
    ik::chains(&mut bench, &scene);
    ik::bodies(&mut bench, &scene);
    retarget::retargeting(&mut bench);
    bench.rows
}

/// What to do with a piece of work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// Time it, for about so long.
    Time(Duration),
    /// Call it so often, for somebody else to count instructions.
    Calls(u32),
}

/// Takes pieces of work and keeps what they cost.
pub(crate) struct Bench {
    how: How,
    /// Rows of other names are passed over.
    only: Option<String>,
    joints: f64,
    pub(crate) rows: Vec<Row>,
}

impl Bench {
    pub(crate) fn new(how: How, only: Option<String>) -> Self {
        Self { how, only, joints: character::JOINTS as f64, rows: Vec::new() }
    }

    /// Work on all joints, told per joint.
    pub(crate) fn per_joint(&mut self, name: &'static str, work: impl FnMut()) {
        self.part(name, "joint", self.joints, work);
    }

    /// Work told as a whole.
    pub(crate) fn whole(&mut self, name: &'static str, per: &'static str, work: impl FnMut()) {
        self.part(name, per, 1.0, work);
    }

    /// Work on many of something, told for one of them.
    pub(crate) fn part(
        &mut self,
        name: &'static str,
        per: &'static str,
        of: f64,
        mut work: impl FnMut(),
    ) {
        if !self.wants(name) {
            return;
        }
        let ns = match self.how {
            How::Time(budget) => best(budget, work) / of,
            How::Calls(calls) => {
                (0..calls).for_each(|_| work());
                0.0
            }
        };
        self.rows.push(Row::new(name, per, ns, of));
    }

    /// A number that is known without measuring, told in a unit of its own; nothing where instructions are counted.
    pub(crate) fn known(&mut self, name: &'static str, unit: &'static str, number: f64) {
        if self.wants(name) && !self.counts() {
            self.rows.push(Row::new(name, unit, number, 1.0));
        }
    }

    /// Whether instructions are counted: of many like each other, a few will do, and all take minutes.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.how, How::Calls(_))
    }

    /// Whether a row is asked for: what it needs may take long to make.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == name)
    }
}

/// Times that jump about, the same in every run.
pub(crate) fn dice() -> impl FnMut() -> f32 {
    let mut seed = 1_u32;
    move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    }
}

/// Places around a joint, a little further from each other than a frame would bring them.
fn targets(around: Vec3) -> impl FnMut() -> Vec3 {
    let mut dice = dice();
    let places: [Vec3; 64] =
        std::array::from_fn(|_| around + 0.2 * (Vec3::new(dice(), dice(), dice()) - 0.5));
    let mut at = 0;
    move || {
        at = (at + 1) % places.len();
        places[at]
    }
}

/// The character in the middle of a step.
pub(crate) fn posed(scene: &Scene) -> Pose {
    let mut pose = Pose::new(scene);
    sample(&scene.clips[0], 0.4, &mut Cursor::new(), &mut pose);
    pose.to_model(scene.skeleton());
    pose
}

fn joint(scene: &Scene, name: &str) -> JointId {
    // Every name is one of the character's; the first joint would only be slower to notice.
    scene.skeleton().find(name).unwrap_or(JointId::new(0))
}

fn place(pose: &Pose, joint: JointId) -> Vec3 {
    pose.model_from_joint()[joint.index()].translation.into()
}
