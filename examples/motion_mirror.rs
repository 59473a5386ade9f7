//! Left for right: a wave with the other hand, and a clip that is mirrored key for key.
//!
//! ```sh
//! cargo run --example motion_mirror                                   # numbers
//! cargo run --example motion_mirror --features render -- mirror.png   # and an image
//! ```
//!
//! [`Mirror::of`] finds who is whose counterpart by name (`hand.L`, `LeftHand`, `hand_l` …) and checks it by place. It
//! compares with the rest pose in model space, so left and right bones may have any axes of their own.

#[cfg(feature = "render")]
mod studio;

use std::error::Error;

use sinew::glam::Vec3;
use sinew::scene::Clip;
use sinew::{Actor, Mirror, Scene};

fn place(actor: &Actor, name: &str) -> Vec3 {
    let joint = actor.scene().skeleton().find(name).map_or(0, |joint| joint.index());
    actor.pose().model_from_joint()[joint].translation.into()
}

/// Ossi with one more clip: the wave, mirrored.
fn with_other_hand() -> Result<(Scene, Mirror), Box<dyn Error>> {
    let ossi = sinew::ossi();
    let mirror = Mirror::of(&ossi);
    let wave = ossi.clip("wave").ok_or("Ossi does not wave")?;
    let other =
        Clip { name: "wave with the other hand".into(), ..mirror.clip(ossi.skeleton(), wave) };
    let mut parts = ossi.into_parts();
    parts.clips.push(other);
    Ok((Scene::new(parts)?, mirror))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (scene, mirror) = with_other_hand()?;
    let plane = mirror.plane();
    println!(
        "{} pairs, mirrored in the plane {} · x = {:.4}",
        mirror.pairs().iter().count(),
        plane.normal(),
        plane.offset()
    );
    for (left, right) in mirror.pairs().iter().take(4) {
        println!(
            "  {} and {}",
            scene.skeleton().node(left).name,
            scene.skeleton().node(right).name
        );
    }
    assert!(mirror.doubts().is_empty(), "{:?}", mirror.doubts());

    let mut actor = Actor::new(scene);
    for time in [0.3, 0.8, 1.3] {
        actor.play("wave")?;
        actor.seek(time);
        let hands = [place(&actor, "hand.L"), place(&actor, "hand.R")];
        // A pose at a time …
        actor.modify(|pose, skeleton| mirror.apply(pose, skeleton));
        let posed = [place(&actor, "hand.L"), place(&actor, "hand.R")];
        // … or the whole clip, once.
        actor.play("wave with the other hand")?;
        actor.seek(time);
        let played = [place(&actor, "hand.L"), place(&actor, "hand.R")];
        println!(
            "{time} s  hands {:.2} {:.2}  mirrored {:.2} {:.2}",
            hands[0], hands[1], posed[0], posed[1]
        );
        for index in 0..2 {
            let across = hands[1 - index] * Vec3::new(-1.0, 1.0, 1.0);
            assert!(posed[index].distance(across) < 1e-4, "{} {across}", posed[index]);
            assert!(posed[index].distance(played[index]) < 1e-4);
        }
    }

    #[cfg(feature = "render")]
    if let Some(path) = std::env::args().nth(1) {
        use sinew::glam::Affine3A;
        let mut studio =
            studio::Studio::new(&actor, Vec3::new(0.0, 1.4, 4.6), Vec3::new(0.0, 0.95, 0.0))?;
        for (clip, aside) in [("wave", -0.75), ("wave with the other hand", 0.75)] {
            actor.play(clip)?;
            actor.seek(0.8);
            actor.place(Affine3A::from_translation(Vec3::X * aside));
            studio.add(&actor);
        }
        studio.line(Vec3::ZERO, Vec3::Y * 2.0, studio::BLUE);
        studio.save(&path)?;
    }
    Ok(())
}
