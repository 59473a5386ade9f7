//! Root motion: the clip carries the character, as far at 10 frames a second as at 240.
//!
//! ```sh
//! cargo run --example motion_root
//! ```

use sinew::motion::RootMode;
use sinew::{Actor, JointId, RootMotionPolicy};

/// Where Ossi is after walking, running and walking on, for six seconds.
fn walk(rate: u32) -> f32 {
    let mut actor = Actor::new(sinew::ossi());
    let root = actor.scene().skeleton().find("root");
    actor.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Apply);
    actor.play("walk").expect("Ossi walks");
    for tick in 0..6 * rate {
        if tick == 2 * rate {
            actor.fade_to("run", 0.5).expect("Ossi runs");
        }
        if tick == 4 * rate {
            actor.fade_to("walk", 0.5).expect("Ossi walks");
        }
        actor.advance(1.0 / rate as f32);
        // The pose stays in its place, and the character moves in the world.
        let root = actor.pose().local(root.unwrap_or(JointId::new(0)));
        assert!(root.translation.z.abs() < 1e-4, "in place: {root:?}");
    }
    actor.world_from_model().translation.z
}

fn main() {
    // Two seconds at 1.4 m/s, two at 3.2, two at 1.4; each fade is half in time and half out.
    let expected = 1.4 * 2.0 + 3.2 * 2.0 + 1.4 * 2.0;
    for rate in [10, 24, 60, 240] {
        let way = walk(rate);
        println!("{rate:3} frames a second: {way:.3} m");
        assert!((way - expected).abs() < 0.01, "expected {expected} m");
    }
}
