//! A clip of one skeleton drives another: Ossi's walk on a child with other names, other axes and shorter legs.
//!
//! `cargo run --example motion_retarget` prints the joint map and how good the result is.

use std::error::Error;

use sinew::glam::{Quat, Vec3};
use sinew::retarget::{JointMap, Options, retarget};
use sinew::scene::{Node, SceneParts};
use sinew::{Actor, Scene, Transform};

/// Ossi's bones two thirds as long, under Unreal's names, every joint's own axes turned.
fn child(ossi: &Scene) -> Result<Scene, Box<dyn Error>> {
    let nodes = ossi.skeleton().nodes();
    let turned = Quat::from_rotation_x(-0.5) * Quat::from_rotation_z(1.2);
    let made = nodes.iter().map(|node| {
        // The parent's axes are turned too, but for the root's, which has no parent.
        let above = if node.parent.is_some() { turned } else { Quat::IDENTITY };
        let rest = Transform {
            translation: above.inverse() * (node.rest.translation * 0.66),
            rotation: above.inverse() * turned,
            scale: Vec3::ONE,
        };
        Node::new(unreal(&node.name), node.parent, rest)
    });
    Ok(Scene::new(SceneParts { nodes: made.collect(), ..SceneParts::default() })?)
}

/// `upper_arm.L` is `upperarm_l` there.
fn unreal(name: &str) -> String {
    let name = match name {
        "hips" => "pelvis".to_owned(),
        "spine" => "spine_01".to_owned(),
        "chest" => "spine_02".to_owned(),
        "upper_chest" => "spine_03".to_owned(),
        other => other.replace("upper_arm", "upperarm").replace("forearm", "lowerarm"),
    };
    let name = name.replace("shin", "calf").replace("toes", "ball").replace("little", "pinky");
    name.replace('.', "_").to_lowercase()
}

fn main() -> Result<(), Box<dyn Error>> {
    let ossi = sinew::ossi();
    let child = child(&ossi)?;

    // Which joint is which: found by names and shape, or read from a file that a person has changed.
    let map = JointMap::find(&ossi, &child)?;
    let text = map.to_text(&ossi, &child);
    let map = JointMap::from_text(&text, &ossi, &child)?;
    println!("{text}");

    let walk = ossi.clip("walk").ok_or("Ossi walks")?;
    let made = retarget(walk, &ossi, &child, &map, &Options::default())?;
    println!("{}", made.quality);

    // The result is a clip like any other.
    let mut parts = child.into_parts();
    parts.clips = vec![made.clip];
    let mut actor = Actor::new(Scene::new(parts)?);
    actor.play("walk")?;
    for frame in 0..5 {
        actor.seek(0.25 * frame as f32);
        let hips = actor.scene().skeleton().find("pelvis").ok_or("it has a pelvis")?;
        let place = actor.pose().model_from_joint()[hips.index()].translation;
        println!(
            "{:.2} s: the pelvis is at {:.2}, {:.2}, {:.2}",
            0.25 * frame as f32,
            place.x,
            place.y,
            place.z
        );
    }
    assert!(made.quality.slide.mean < 0.01, "feet slide less than a centimetre a second");
    Ok(())
}
