//! From one clip to another: by a fade, or by inertialization, which does not play the old clip any more.
//!
//! ```sh
//! cargo run --example motion_crossfade
//! ```
//!
//! Prints how high the left hand is while Ossi goes from walking to running, frame by frame, three ways. A cut jumps;
//! a fade and a glide do not.

use sinew::Actor;

const TICK: f32 = 1.0 / 60.0;

/// How high the left hand is, in metres.
fn hand(actor: &Actor) -> f32 {
    let hand = actor.scene().skeleton().find("hand.L").expect("Ossi has hands");
    actor.pose().model_from_joint()[hand.index()].translation.y
}

/// The heights of 40 frames, with the change after ten, and how far that frame moved the hand.
fn heights(change: impl Fn(&mut Actor)) -> (Vec<f32>, f32) {
    let mut actor = Actor::new(sinew::ossi());
    actor.play("walk").expect("Ossi walks");
    let mut heights = Vec::new();
    for tick in 0..40 {
        if tick == 10 {
            change(&mut actor);
        }
        actor.advance(TICK);
        heights.push(hand(&actor));
    }
    let jump = (heights[10] - heights[9]).abs();
    (heights, jump)
}

fn main() {
    let cut = heights(|actor| actor.play("run").expect("Ossi runs"));
    let fade = heights(|actor| actor.fade_to("run", 0.3).expect("Ossi runs"));
    let glide = heights(|actor| actor.inertialize_to("run", 0.3).expect("Ossi runs"));
    println!("frame   cut  fade  glide   (height of the left hand, m)");
    for at in (0..40).step_by(3) {
        println!("{at:5} {:5.2} {:5.2}  {:5.2}", cut.0[at], fade.0[at], glide.0[at]);
    }
    for (name, (_, jump)) in [("cut", &cut), ("fade", &fade), ("glide", &glide)] {
        println!("{name:5} moves the hand by {:.1} cm in the frame of the change", 100.0 * jump);
    }
    assert!(fade.1 < 0.2 * cut.1 && glide.1 < 0.2 * cut.1, "neither jumps as the cut does");
}
