//! A tail that swings after its owner, alike at 30 and 240 frames a second.
//!
//! ```sh
//! cargo run --example motion_springs                                    # numbers
//! cargo run --example motion_springs --features render -- springs.png   # and an image
//! ```
//!
//! Ossi has no tail, so one of six joints is hung on the hips. A [`SpringChain`] remembers where its tips were in the
//! world; its state is a row of numbers, so a snapshot can keep it.

#[cfg(feature = "render")]
mod studio;

use std::error::Error;

use sinew::glam::{Affine3A, Vec3};
use sinew::motion::{Collider, SpringChain};
use sinew::scene::Node;
use sinew::{Actor, JointId, Scene, Transform};

/// Ossi with a tail; the last joint is only its tip.
fn ossi_with_a_tail() -> Result<(Scene, [JointId; 7]), Box<dyn Error>> {
    let mut parts = sinew::ossi().into_parts();
    let mut parent = parts.nodes.iter().position(|node| node.name == "hips").ok_or("no hips")?;
    let mut tail = [JointId::new(0); 7];
    for (index, joint) in tail.iter_mut().enumerate() {
        let at = match index {
            0 => Vec3::new(0.0, 0.0, -0.13),
            1 => Vec3::new(0.0, 0.03, -0.12),
            _ => Vec3::new(0.0, -0.05, -0.11),
        };
        let rest = Transform::from_translation(at);
        parts.nodes.push(Node::new(format!("tail{index}"), Some(JointId::new(parent)), rest));
        parent = parts.nodes.len() - 1;
        *joint = JointId::new(parent);
    }
    Ok((Scene::new(parts)?, tail))
}

fn tail_of(actor: &Actor, tail: &[JointId; 7]) -> Result<SpringChain, Box<dyn Error>> {
    let skeleton = actor.scene().skeleton();
    let mut chain = SpringChain::new(skeleton, tail[0], tail[6])?;
    (chain.frequency, chain.damping, chain.gravity) = (4.0, 0.4, Vec3::Y * -4.0);
    chain.radius = 0.03;
    Ok(chain)
}

/// Ossi is off to the side in half a second, and stops.
fn dash(time: f32) -> Affine3A {
    let way = (time / 0.5).clamp(0.0, 1.0);
    Affine3A::from_translation(Vec3::X * (0.8 * way * way * (3.0 - 2.0 * way) - 0.4))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (scene, tail) = ossi_with_a_tail()?;
    let scene = std::sync::Arc::new(scene);
    let legs: Vec<Collider> = ["thigh.L", "thigh.R"]
        .iter()
        .filter_map(|name| scene.skeleton().find(name))
        .map(|joint| Collider { to: Vec3::Y * -0.4, ..Collider::sphere(joint, Vec3::ZERO, 0.09) })
        .collect();

    let play = |rate: usize, seconds: f32| -> Result<(Actor, [Vec3; 7]), Box<dyn Error>> {
        let mut actor = Actor::new(scene.clone());
        actor.play("idle")?;
        let mut chain = tail_of(&actor, &tail)?;
        for frame in 0..=(seconds * rate as f32).round() as usize {
            let world = dash(frame as f32 / rate as f32);
            let step = if frame == 0 { 0.0 } else { 1.0 / rate as f32 };
            actor.place(world);
            actor.advance_with(step, |pose, skeleton| {
                chain.apply(pose, skeleton, &world, &legs, step);
            });
        }
        let model = |joint: JointId| actor.pose().model_from_joint()[joint.index()].translation;
        let places =
            tail.map(|joint| actor.world_from_model().transform_point3(model(joint).into()));
        Ok((actor, places))
    };

    for seconds in [0.2, 0.4, 0.6, 1.0, 3.0] {
        let [slow, fast] = [play(30, seconds)?.1[6], play(240, seconds)?.1[6]];
        println!(
            "{seconds:.1} s  tip at 30 fps {slow:+.3}, at 240 fps {fast:+.3}: {:.1} mm apart",
            1000.0 * slow.distance(fast)
        );
        assert!(slow.distance(fast) < 0.04, "frame rates differ by {}", slow.distance(fast));
    }

    #[cfg(feature = "render")]
    if let Some(path) = std::env::args().nth(1) {
        let (actor, _) = play(60, 0.0)?;
        let mut studio =
            studio::Studio::new(&actor, Vec3::new(0.6, 1.8, -4.4), Vec3::new(0.1, 0.9, 0.0))?;
        for (seconds, shift) in [(0.25, -0.9), (0.45, 0.0), (0.6, 1.0)] {
            let (mut actor, places) = play(60, seconds)?;
            // Side by side, to be seen.
            let aside = Vec3::X * shift - Vec3::from(actor.world_from_model().translation);
            actor.place(Affine3A::from_translation(Vec3::X * shift));
            studio.add(&actor);
            for (index, pair) in places.windows(2).enumerate() {
                studio.frame.overlay.bones.push(sinew::render::Bone::new(
                    pair[0] + aside,
                    pair[1] + aside,
                    if index % 2 == 0 { studio::RED } else { studio::BLUE },
                ));
            }
        }
        studio.save(&path)?;
    }
    Ok(())
}
