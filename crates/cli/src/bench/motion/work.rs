//! What is measured: each operation of the motion room on one character.

use std::hint::black_box;
use std::time::Duration;

use sinew::glam::{Affine3A, Vec3};
use sinew::graph::{Graph, Node, Parameter, Plan, Playback, Point};
use sinew::ik::{Aim, Ccd, Fabrik, Gaze, LookAt, Pole, TwoBone};
use sinew::motion::{
    Cursor, Feet, Ground, Layer, Mask, MaskPart, Pose, SpringChain, add, blend, sample,
};
use sinew::{JointId, Mirror, Scene, Socket, Transform};

use super::Row;
use super::character::character;
use super::stopwatch::best;

/// A frame of 60 a second.
const FRAME: f32 = 1.0 / 60.0;

/// Measures everything, about `budget` for each row.
pub(super) fn measure(budget: Duration) -> Vec<Row> {
    let scene = character();
    let mut bench = Bench { budget, joints: scene.skeleton().len() as f64, rows: Vec::new() };
    sampling(&mut bench, &scene);
    blending(&mut bench, &scene);
    graph(&mut bench, &scene);
    limbs(&mut bench, &scene);
    chains(&mut bench, &scene);
    bodies(&mut bench, &scene);
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

fn sampling(bench: &mut Bench, scene: &Scene) {
    let (walk, long) = (&scene.clips[0], &scene.clips[1]);
    let (mut pose, mut cursor, mut time) = (Pose::new(scene), Cursor::new(), 0.0);
    bench.per_joint("sample", || {
        time = (time + FRAME) % walk.duration;
        sample(walk, black_box(time), &mut cursor, &mut pose);
    });
    let mut roll = dice();
    bench.per_joint("seek", || {
        sample(walk, black_box(roll() * walk.duration), &mut cursor, &mut pose);
    });
    let mut roll = dice();
    bench.per_joint("seek_15_s", || {
        sample(long, black_box(roll() * long.duration), &mut cursor, &mut pose);
    });
    bench.per_joint("to_model", || black_box(&mut pose).to_model(scene.skeleton()));
}

/// Two clips in step in a blend space, and a third over the upper body.
fn graph(bench: &mut Bench, scene: &Scene) {
    let [walk, long] = [0, 1].map(|at| scene.clips[at].name.clone());
    let point = |at: f32, node: &str| Point { at: vec![at], node: node.into() };
    let gait = Node::BlendSpace {
        by: vec!["speed".into()],
        points: vec![point(0.0, "walk"), point(1.0, "other")],
        in_step: true,
    };
    let body = Node::Layer {
        base: "gait".into(),
        over: "over".into(),
        weight: 0.8.into(),
        mask: vec![MaskPart::new("spine2")],
    };
    let nodes = [
        ("walk", Node::clip(&walk)),
        ("other", Node::clip(&walk)),
        ("over", Node::clip(&long)),
        ("gait", gait),
        ("body", body),
    ];
    let graph = Graph {
        output: "body".into(),
        parameters: [("speed".to_owned(), Parameter::Float(0.5))].into(),
        nodes: nodes.map(|(name, node)| (name.to_owned(), node)).into(),
        ..Graph::default()
    };
    let Ok(plan) = Plan::new(&graph, scene.clone()) else { return };
    let mut playback = Playback::new(plan);
    bench.whole("graph", "character", || {
        playback.advance(black_box(FRAME));
    });
}

fn blending(bench: &mut Bench, scene: &Scene) {
    let (walk, skeleton) = (&scene.clips[0], scene.skeleton());
    let (one, mut other, mut out) = (posed(scene), Pose::new(scene), Pose::new(scene));
    sample(walk, 1.0, &mut Cursor::new(), &mut other);
    bench.per_joint("blend", || {
        blend([Layer::new(&one, 0.3), Layer::new(&other, black_box(0.7))], &mut out);
    });
    let Ok(mask) = Mask::new(scene, &[MaskPart::new("spine2")]) else { return };
    bench.per_joint("blend_masked", || {
        let above = Layer { mask: Some(&mask), ..Layer::new(&other, black_box(0.7)) };
        blend([Layer::new(&one, 0.3), above], &mut out);
    });
    let reference = Pose::new(scene);
    bench.per_joint("add", || {
        out.locals_mut().copy_from_slice(one.locals());
        add(&mut out, &other, &reference, black_box(0.5), None);
    });
    let (mut first, mut second, mut time) = (Cursor::new(), Cursor::new(), 0.0);
    let mut one = one;
    // Two clips that play, mixed, and where every joint stands then.
    bench.whole("character", "character", || {
        time = (time + FRAME) % walk.duration;
        sample(walk, black_box(time), &mut first, &mut one);
        sample(walk, black_box(walk.duration - time), &mut second, &mut other);
        blend([Layer::new(&one, 0.3), Layer::new(&other, 0.7)], &mut out);
        out.to_model(skeleton);
    });
}

fn limbs(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let mut pose = posed(scene);
    let (hand, head) = (joint(scene, "hand.L"), joint(scene, "head"));
    let Some(arm) = TwoBone::new(skeleton, hand) else { return };
    let arm = TwoBone { pole: Pole::Toward(Vec3::new(0.0, -1.0, -0.3)), ..arm };
    let mut target = targets(place(&pose, joint(scene, "forearm.L")));
    bench.whole("two_bone_ik", "call", || {
        black_box(arm.solve(&pose, skeleton, black_box(target())));
    });
    let aim = Aim::new(head, Vec3::Z);
    let mut ahead = targets(place(&pose, head) + Vec3::Z);
    bench.whole("aim_ik", "call", || {
        black_box(aim.solve(&pose, skeleton, black_box(ahead())));
    });
    // With all that hangs below brought up to date: 24 joints of an arm, 2 of a head.
    bench.whole("two_bone_ik_applied", "call", || {
        black_box(arm.apply(&mut pose, skeleton, target()));
    });
    bench.whole("aim_ik_applied", "call", || {
        black_box(aim.apply(&mut pose, skeleton, ahead()));
    });
    let joints = ["spine4", "neck", "head"].map(|name| joint(scene, name));
    let Some(look) = LookAt::new(&joints, Vec3::Z, Vec3::Y) else { return };
    let mut gaze = Gaze::new();
    let before = posed(scene);
    bench.whole("look_at", "call", || {
        pose.locals_mut().copy_from_slice(before.locals());
        pose.to_model_from(skeleton, joints[0]);
        black_box(look.apply(&mut pose, skeleton, Some(ahead()), &mut gaze, FRAME));
    });
}

fn chains(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let mut pose = posed(scene);
    let (first, end) = (joint(scene, "spine1"), joint(scene, "head"));
    let mut target = targets(place(&pose, end) - 0.1 * Vec3::Y);
    if let Some(mut fabrik) = Fabrik::new(skeleton, first, end) {
        bench.whole("fabrik", "call", || {
            black_box(fabrik.apply(&mut pose, skeleton, target()));
        });
    }
    if let Some(ccd) = Ccd::new(skeleton, first, end) {
        bench.whole("ccd", "call", || {
            black_box(ccd.apply(&mut pose, skeleton, target()));
        });
    }
    let (first, last) = (joint(scene, "finger00.R"), joint(scene, "finger03.R"));
    if let Some(mut spring) = SpringChain::new(skeleton, first, last) {
        let before = posed(scene);
        let (mut pose, mut time) = (before.clone(), 0.0_f32);
        let springs = spring.joints().len() as f64;
        let ns = best(bench.budget, || {
            time += FRAME;
            pose.locals_mut().copy_from_slice(before.locals());
            pose.to_model_from(skeleton, first);
            let world = Affine3A::from_translation(Vec3::X * 0.3 * (time % 1.0));
            spring.apply(&mut pose, skeleton, &world, &[], FRAME);
        });
        bench.rows.push(Row::new("spring", "joint", ns / springs));
    }
}

fn bodies(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let before = posed(scene);
    let mut pose = before.clone();
    let ankles = ["foot.L", "foot.R"].map(|name| joint(scene, name));
    if let Some(mut feet) = Feet::new(skeleton, joint(scene, "hips"), &ankles) {
        let mut roll = dice();
        bench.whole("foot", "foot", || {
            pose.locals_mut().copy_from_slice(before.locals());
            pose.to_model(skeleton);
            let slope = roll() - 0.5;
            feet.apply(&mut pose, skeleton, FRAME, |at| {
                Some(Ground { height: slope * at.x, normal: Vec3::new(-slope, 1.0, 0.0) })
            });
        });
        if let Some(row) = bench.rows.last_mut() {
            row.ns /= 2.0;
        }
    }
    let mirror = Mirror::new(skeleton);
    bench.per_joint("mirror", || mirror.apply_locals(black_box(&mut pose).locals_mut()));
    let socket = Socket::new(joint(scene, "hand.R"), Transform::from_translation(Vec3::Y));
    bench.whole("socket", "call", || {
        black_box(socket.model_from_socket(black_box(&pose)));
    });
}
