//! What a clip does between the times at which it was taken.
//!
//! In:  the clip as filed, and what was packed of its samples.
//! Out: how far any node is from where the clip itself has it, in metres.
//!
//! The error of a packed clip counts from what was packed. Who takes samples loses what is between them before, and
//! is told how much that is.

use sinew::motion::{Cursor, Pose, sample};
use sinew::pack::Packed;
use sinew::{Clip, Scene};

/// Looks in a second, and in all.
const LOOKS: (f32, usize) = (1000.0, 20_000);

pub(crate) fn off_between<B: AsRef<[u8]>>(scene: &Scene, clip: &Clip, packed: &Packed<B>) -> f32 {
    let looks = ((clip.duration * LOOKS.0).ceil() as usize).clamp(1, LOOKS.1);
    let [mut exact, mut found] = [0; 2].map(|_| Pose::new(scene));
    let (mut cursor, mut worst) = (Cursor::new(), 0.0_f32);
    for look in 0..=looks {
        let time = clip.duration * look as f32 / looks as f32;
        sample(clip, time, &mut cursor, &mut exact);
        packed.sample(time, &mut found);
        exact.to_model(scene.skeleton());
        found.to_model(scene.skeleton());
        for (a, b) in exact.model_from_joint().iter().zip(found.model_from_joint()) {
            worst = worst.max(a.translation.distance(b.translation));
        }
    }
    worst
}
