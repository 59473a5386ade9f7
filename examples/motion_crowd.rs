//! Twenty thousand characters in one array, posed by all cores; those far away with less care.
//!
//! ```sh
//! cargo run --example motion_crowd
//! ```
//!
//! Sampled clips are clips made ready for this: even frames, nothing remembered between two times. Each character is
//! sixteen bytes of what it does, and the matrices of its joints, ready for a shader.

use sinew::crowd::{CharacterState, Crowd, Detail};
use sinew::motion::SampledClip;

fn main() {
    let scene = sinew::ossi();
    // Within a tenth of a millimetre of the clips.
    let sampled_clips: Vec<SampledClip> =
        scene.clips.iter().map(|clip| SampledClip::new(&scene, clip, 0.000_1)).collect();
    for (clip, sampled) in scene.clips.iter().zip(&sampled_clips) {
        let (rate, kilobytes) = (sampled.rate(), sampled.bytes() / 1024);
        println!(
            "{:<8} {rate:>3} frames a second, {kilobytes:>3} KB, off by {:.3} mm",
            clip.name,
            sampled.error() * 1e3
        );
    }
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips);
    crowd.resize(20_000);
    println!(
        "{} characters of {} joints, {} bytes each",
        crowd.len(),
        scene.skeleton().len(),
        crowd.bytes_each()
    );

    // Everyone somewhere between two clips, at a time and a pace of their own.
    for (index, part) in crowd.states_mut().iter_mut().enumerate() {
        let clip = (index % 2) as u16;
        let time = index as f32 * 0.013;
        *part = CharacterState {
            clips: [clip, 1 - clip],
            times: [time % 1.0; 2],
            weight: (index % 5) as f32 * 0.1,
        };
    }
    for (index, pace) in crowd.paces_mut().iter_mut().enumerate() {
        *pace = 0.8 + 0.4 * (index % 7) as f32 / 7.0;
    }

    // The first hundred are near; who is far is posed every second frame, fingers left alone.
    crowd.set_details(&[Detail::FULL, Detail { every: 2, reach: 0.1 }]);
    crowd.levels_mut()[100..].fill(1);
    let error = crowd.error_of(1, 1.0 / 60.0);
    // The most at any time: a walk that starts over jumps back, and who is late has not jumped yet.
    println!("far away, skin may be off by {error:.1} m for a frame");

    for _ in 0..6 {
        crowd.advance(1.0 / 60.0);
        crowd.pose();
    }
    let Some(head) = scene.skeleton().find("head") else { return };
    for character in [0, 99, 19_999] {
        let place = crowd.model_from_joint(character, head).translation;
        println!("the head of {character:>5} is {:.2} m up", place.y);
        assert!(place.y > 0.5 && place.y < 2.5);
    }
}
