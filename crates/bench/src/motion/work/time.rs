//! Time that passes: playheads, markers, fades, phases, and the way that a root goes.

use std::hint::black_box;

use sinew::Scene;
use sinew::glam::Vec2;
use sinew::motion::{
    BlendSpace, Ease, Fade, LoopMode, Player, Root, RootMode, SyncGroup, SyncMember,
};
use sinew::scene::Marker;

use super::{Bench, FRAME, dice, joint, posed};

/// Playheads and what they pass, fades, and who is where in a blend space.
pub(super) fn playing(bench: &mut Bench, scene: &Scene) {
    let duration = scene.clips[0].duration;
    let mut player = Player::new(duration, LoopMode::Loop);
    bench.whole("player", "call", || {
        black_box(player.advance(black_box(FRAME)));
    });
    let markers: Vec<Marker> =
        (0..8_u8).map(|at| Marker::new("step", f32::from(at) * duration / 8.0)).collect();
    bench.whole("events", "call", || {
        black_box(player.step(black_box(FRAME)).markers(&markers).count());
    });
    let mut fade = Fade::new(0.3, Ease::Smooth);
    bench.whole("fade", "call", || {
        if fade.is_done() {
            fade = Fade::new(0.3, Ease::Smooth);
        }
        black_box((fade.mean(FRAME), fade.advance(black_box(FRAME))));
    });
    let around = [[0.0, 0.0], [0.0, 1.4], [0.0, 3.2], [-1.4, 0.0], [1.4, 0.0], [0.0, -1.0]];
    let Ok(space) = BlendSpace::new(&around.map(Vec2::from)) else { return };
    let (mut roll, mut weights) = (dice(), [0.0; 6]);
    bench.whole("blend_space", "call", || {
        let at = 3.0 * (Vec2::new(roll(), roll()) - 0.5);
        space.weights(black_box(at), &mut weights);
    });
    let feet = |seconds: f32| [Marker::new("left", 0.0), Marker::new("right", seconds / 2.0)];
    let (walk, run) = (feet(duration), feet(0.7));
    let members =
        [SyncMember { duration, markers: &walk }, SyncMember { duration: 0.7, markers: &run }];
    let Ok(mut sync) = SyncGroup::new(&members, &["left", "right"], true) else { return };
    bench.whole("sync", "call", || {
        sync.advance(black_box(FRAME), &[(0.4, 1.0), (0.6, 1.0)]);
        black_box((sync.time(0), sync.time(1)));
    });
}

/// The way that a step of a clip goes, and the pose without it.
pub(super) fn carrying(bench: &mut Bench, scene: &Scene) {
    let walk = &scene.clips[0];
    let root = Root::new(scene, joint(scene, "hips"), RootMode::Floor);
    let tracks = root.tracks(walk);
    let mut player = Player::new(walk.duration, LoopMode::Loop);
    bench.whole("root_motion", "call", || {
        let step = player.step(black_box(FRAME));
        black_box(root.delta(walk, &tracks, &step));
    });
    let mut pose = posed(scene);
    bench.whole("root_hold", "call", || root.hold(black_box(&mut pose)));
}
