//! What is measured: each operation of the motion room on one character.

mod graph;
mod ik;
mod pose;
mod time;

use std::time::Duration;

use sinew::glam::Vec3;
use sinew::motion::{Cursor, Pose, sample};
use sinew::{JointId, Scene};

use super::Row;
use super::character::character;
use super::stopwatch::best;

/// A frame of 60 a second.
const FRAME: f32 = 1.0 / 60.0;

/// Measures everything, about `budget` for each row.
pub(super) fn measure(budget: Duration) -> Vec<Row> {
    let scene = character();
    let mut bench = Bench { budget, joints: scene.skeleton().len() as f64, rows: Vec::new() };
    pose::sampling(&mut bench, &scene);
    pose::blending(&mut bench, &scene);
    time::playing(&mut bench, &scene);
    time::carrying(&mut bench, &scene);
    graph::graph(&mut bench, &scene);
    graph::states(&mut bench, &scene);
    ik::limbs(&mut bench, &scene);
    ik::chains(&mut bench, &scene);
    ik::bodies(&mut bench, &scene);
    bench.rows
}

struct Bench {
    budget: Duration,
    joints: f64,
    rows: Vec<Row>,
}

impl Bench {
    /// Work on all joints, told per joint.
    fn per_joint(&mut self, name: &'static str, work: impl FnMut()) {
        let ns = best(self.budget, work) / self.joints;
        self.rows.push(Row::new(name, "joint", ns));
    }

    /// Work told as a whole.
    fn whole(&mut self, name: &'static str, per: &'static str, work: impl FnMut()) {
        let ns = best(self.budget, work);
        self.rows.push(Row::new(name, per, ns));
    }
}

/// Times that jump about, the same in every run.
fn dice() -> impl FnMut() -> f32 {
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
fn posed(scene: &Scene) -> Pose {
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
