//! The character that motion is measured on: 67 joints, 14 deep, with a walk like captured motion.
//!
//! Made by code: hips, a spine of four, neck and head, arms with five fingers of four joints, legs
//! with toes. Every joint turns at 30 keys a second, none of them quite evenly.

use std::f32::consts::TAU;
use std::sync::Arc;

use sinew::glam::{EulerRot, Quat, Vec3};
use sinew::scene::{Clip, Curve, Interpolation, Node, SceneParts, Track};
use sinew::{JointId, Scene, Transform};

/// How many joints it has.
pub(crate) const JOINTS: usize = 67;
const RATE: f32 = 30.0;
/// Steps a second of the walk, each side.
const CYCLE: f32 = 1.333;

/// The character, with a walk of 1.33 s and the same walk on and on for 15 s.
pub(crate) fn character() -> Scene {
    let mut nodes = Vec::new();
    let mut add = |name: String, parent: Option<JointId>, at: [f32; 3]| {
        nodes.push(Node::new(name, parent, Transform::from_translation(Vec3::from(at))));
        Some(JointId::new(nodes.len() - 1))
    };
    let root = add("root".into(), None, [0.0; 3]);
    let hips = add("hips".into(), root, [0.0, 0.95, 0.0]);
    let mut chest = hips;
    for index in 1..=4 {
        chest = add(format!("spine{index}"), chest, [0.0, 0.12, 0.0]);
    }
    let neck = add("neck".into(), chest, [0.0, 0.1, 0.0]);
    let head = add("head".into(), neck, [0.0, 0.1, 0.02]);
    add("head_end".into(), head, [0.0, 0.2, 0.0]);
    for (side, x) in [("L", 1.0_f32), ("R", -1.0)] {
        let clavicle = add(format!("clavicle.{side}"), chest, [0.03 * x, 0.05, 0.0]);
        let arm = add(format!("arm.{side}"), clavicle, [0.15 * x, 0.0, 0.0]);
        let forearm = add(format!("forearm.{side}"), arm, [0.28 * x, 0.0, -0.02]);
        let hand = add(format!("hand.{side}"), forearm, [0.25 * x, 0.0, 0.02]);
        for finger in 0..5 {
            let mut parent = hand;
            for bone in 0..4 {
                let at = if bone == 0 { 0.02 * (finger as f32 - 2.0) } else { 0.0 };
                let name = format!("finger{finger}{bone}.{side}");
                parent = add(name, parent, [0.03 * x, 0.0, at]);
            }
        }
        let thigh = add(format!("thigh.{side}"), hips, [0.1 * x, -0.05, 0.0]);
        let shin = add(format!("shin.{side}"), thigh, [0.0, -0.42, 0.02]);
        let foot = add(format!("foot.{side}"), shin, [0.0, -0.4, -0.02]);
        let toes = add(format!("toes.{side}"), foot, [0.0, -0.07, 0.15]);
        add(format!("toes_end.{side}"), toes, [0.0, 0.0, 0.06]);
    }
    let clips = vec![walk(nodes.len(), CYCLE), walk(nodes.len(), 15.0)];
    // It is made by the code above, and a test sees that it is whole.
    Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).unwrap_or_default()
}

fn walk(joints: usize, seconds: f32) -> Clip {
    let times: Arc<[f32]> = (0..=(seconds * RATE) as usize).map(|key| key as f32 / RATE).collect();
    let wave = |joint: usize, axis: usize, time: f32| {
        let phase = (joint * 7 + axis * 3) as f32;
        let size = 0.05 + 0.3 / (1.0 + (joint % 13) as f32);
        let beat = TAU * time / CYCLE;
        size * ((beat + phase).sin() + 0.3 * (2.0 * beat + 1.7 * phase).sin())
    };
    let rotation = |joint: usize, time: f32| {
        let [x, y, z] = [0, 1, 2].map(|axis| wave(joint, axis, time));
        Quat::from_euler(EulerRot::XYZ, x, 0.4 * y, 0.4 * z)
    };
    let rotations = (0..joints).filter_map(|joint| {
        let values = times.iter().map(|&time| rotation(joint, time)).collect();
        let curve = Curve::new(times.clone(), values, Interpolation::Linear).ok()?;
        Some(Track { joint: JointId::new(joint), curve })
    });
    let moves = |joint: usize| {
        let place = |time: f32| Vec3::new(0.02, 0.95, 0.0) + Vec3::Y * 0.03 * wave(3, 1, time);
        let values = times.iter().map(|&time| place(time)).collect();
        let curve = Curve::new(times.clone(), values, Interpolation::Linear).ok()?;
        Some(Track { joint: JointId::new(joint), curve })
    };
    Clip {
        name: format!("walk of {seconds} s"),
        duration: seconds,
        rotations: rotations.collect(),
        translations: moves(1).into_iter().collect(),
        ..Clip::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_has_67_joints_and_is_14_deep() {
        let scene = character();
        let skeleton = scene.skeleton();
        assert_eq!(skeleton.len(), JOINTS);
        let depth = |joint: JointId| {
            std::iter::successors(Some(joint), |joint| skeleton.node(*joint).parent).count()
        };
        assert_eq!(skeleton.ids().map(depth).max(), Some(14));
        assert_eq!(scene.clips.len(), 2);
        assert_eq!(scene.clips[0].rotations.len(), 67);
    }
}
