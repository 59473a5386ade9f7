//! Footsteps: markers on clips, told exactly once, also while one clip fades into another.
//!
//! ```sh
//! cargo run --example motion_events
//! ```
//!
//! Ossi's walk and run are marked where the heels strike. Files without markers get them by
//! `Clip::markers`, or by a graph's `markers`.

use sinew::scene::Marker;
use sinew::{Actor, Scene};

fn main() {
    let mut parts = sinew::ossi().into_parts();
    let jump = parts.clips.iter_mut().find(|clip| clip.name == "jump").expect("Ossi jumps");
    jump.markers = vec![Marker::new("off the floor", 0.6), Marker::new("on the floor", 1.1)];
    let mut actor = Actor::new(Scene::new(parts).expect("markers within the clip"));

    actor.play("walk").expect("Ossi walks");
    let (mut time, mut steps) = (0.0, 0);
    for tick in 0..=180 {
        if tick == 60 {
            actor.fade_to("run", 0.3).expect("Ossi runs");
        }
        if tick == 110 {
            actor.fade_to("jump", 0.2).expect("Ossi jumps");
        }
        let seconds = 1.0 / 60.0;
        actor.advance(seconds);
        time += seconds;
        for event in actor.events() {
            // A sound would be played as loud as the weight.
            println!("{time:5.2} s  {:13} weight {:.2}", event.name, event.weight);
            steps += usize::from(event.name.ends_with("foot"));
        }
    }
    // However long a frame is, nothing is lost: ten seconds of walking at once.
    actor.play("walk").expect("Ossi walks");
    actor.advance(10.0);
    let heard = actor.events().count();
    println!("ten seconds of walking in one frame: {heard} steps");
    assert!(steps >= 5 && heard == 20);
}
