//! A playing character allocates nothing per frame.

use allocation_counter::measure;
use sinew::{Actor, ClipId, InstanceId, LoopMode, Transition, Vertices};

#[test]
fn a_frame_allocates_nothing() {
    let mut actor = Actor::new(sinew::demo());
    let mut vertices = Vertices::default();
    actor.skin(InstanceId::new(0), 0, &mut vertices);
    let counted = measure(|| {
        for clip in 0..actor.scene().clips.len() {
            actor.start(ClipId::new(clip), Transition::Cut);
            for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
                actor.set_loop_mode(mode);
                for step in 0..200 {
                    actor.advance(if step % 7 == 0 { -0.3 } else { 0.017 });
                    actor.seek(step as f32 * 0.01);
                    actor.skin(InstanceId::new(0), 0, &mut vertices);
                    assert!(!actor.bounds().is_empty());
                }
            }
        }
        actor.stop();
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
