//! Markers are reported exactly once per pass, however time is cut, in every mode and direction.

mod common;

use proptest::prelude::*;
use sinew_motion::{LoopMode, Player};
use sinew_scene::{Clip, Marker, Scene, SceneParts};

/// Times are counted in 64ths of a second, so that every sum is exact.
const TICK: f32 = 1.0 / 64.0;

fn markers(ticks: &[i32]) -> Vec<Marker> {
    ticks.iter().map(|tick| Marker::new(tick.to_string(), *tick as f32 * TICK)).collect()
}

fn passed(player: &mut Player, seconds: f32, markers: &[Marker]) -> Vec<String> {
    player.step(seconds).markers(markers).map(|marker| marker.name.clone()).collect()
}

#[test]
fn a_loop_reports_its_start_its_end_and_what_is_between() {
    let all = markers(&[0, 32, 64]);
    let mut player = Player::new(1.0, LoopMode::Loop);
    assert_eq!(passed(&mut player, 0.25, &all), ["0"]);
    assert_eq!(passed(&mut player, 0.25, &all), ["32"]);
    assert_eq!(passed(&mut player, 0.25, &all), [""; 0]);
    assert_eq!(passed(&mut player, 0.25, &all), ["64"]);
    assert_eq!(passed(&mut player, 0.25, &all), ["0"]);
    assert_eq!(passed(&mut player, 2.0, &all), ["32", "64", "0", "32", "64", "0"]);
}

#[test]
fn reverse_reports_in_reverse() {
    let all = markers(&[0, 16, 48]);
    let mut player = Player::new(1.0, LoopMode::Loop);
    player.set_speed(-1.0);
    player.seek(0.5);
    assert_eq!(passed(&mut player, 0.25, &all), ["16"]);
    assert_eq!(passed(&mut player, 0.75, &all), ["0", "48"]);
    player.set_speed(1.0);
    assert_eq!(passed(&mut player, 0.25, &all), ["48"]);
}

#[test]
fn a_seek_passes_nothing_on_its_way_and_starts_at_its_place() {
    let all = markers(&[16, 32, 48]);
    let mut player = Player::new(1.0, LoopMode::Loop);
    player.seek(0.5);
    assert_eq!(passed(&mut player, 0.1, &all), ["32"]);
    player.seek(0.6);
    assert_eq!(passed(&mut player, 0.1, &all), [""; 0]);
}

#[test]
fn a_clip_that_plays_once_reports_its_end_once() {
    let all = markers(&[0, 64]);
    let mut player = Player::new(1.0, LoopMode::Once);
    assert_eq!(passed(&mut player, 9.0, &all), ["0", "64"]);
    assert_eq!(passed(&mut player, 9.0, &all), [""; 0]);
    player.resume();
    assert_eq!(passed(&mut player, 0.5, &all), ["0"]);
}

#[test]
fn a_ping_pong_reports_its_ends_once_each_turn() {
    let all = markers(&[0, 32, 64]);
    let mut player = Player::new(1.0, LoopMode::PingPong);
    assert_eq!(passed(&mut player, 1.0, &all), ["0", "32", "64"]);
    assert_eq!(passed(&mut player, 1.0, &all), ["32", "0"]);
    assert_eq!(passed(&mut player, 2.5, &all), ["32", "64", "32", "0", "32"]);
}

#[test]
fn no_step_hangs_or_fails() {
    let all = markers(&[0, 0, 64]);
    for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
        for step in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e9, -1e9, 0.0] {
            let mut player = Player::new(1.0, mode);
            let count = player.step(step).markers(&all).count();
            assert!(count <= 3 * 1024, "{mode:?} {step}: {count}");
            let mut player = Player::new(0.0, mode);
            assert!(player.step(step).markers(&markers(&[0])).count() <= 1);
        }
    }
    let mut player = Player::new(1.0, LoopMode::Loop);
    assert_eq!(player.step(1e9).markers(&markers(&[32])).count(), 1024);
}

#[test]
fn a_mark_outside_its_clip_or_out_of_order_is_refused() {
    let scene = |ticks: &[i32]| {
        let clip = Clip { duration: 1.0, markers: markers(ticks), ..Clip::default() };
        Scene::new(SceneParts { clips: vec![clip], ..SceneParts::default() })
    };
    assert!(scene(&[0, 32, 32, 64]).is_ok());
    let error = scene(&[0, 65]).expect_err("after the end");
    assert_eq!(
        error.to_string(),
        "clips[0].markers[1]: expected a time from 0 to 1 s, found 1.015625"
    );
    assert!(scene(&[32, 16]).is_err());
}

/// The same tick by tick, with nothing clever in it.
struct Slow {
    ticks: i32,
    length: i32,
    mode: LoopMode,
    /// Of a ping-pong: the place on the way out and back.
    round: i32,
    fresh: bool,
    out: Vec<i32>,
}

impl Slow {
    fn tick(&mut self, way: i32) {
        if std::mem::take(&mut self.fresh) {
            self.out.push(self.ticks);
        }
        let next = self.ticks + way;
        match self.mode {
            LoopMode::Once if next < 0 || next > self.length => {}
            LoopMode::Once => self.arrive(next),
            LoopMode::Loop if next < 0 => {
                self.arrive(self.length);
                self.arrive(self.length - 1);
            }
            LoopMode::Loop if next > self.length => {
                self.arrive(0);
                self.arrive(1);
            }
            LoopMode::Loop => self.arrive(next),
            LoopMode::PingPong => {
                self.round = (self.round + way).rem_euclid(2 * self.length);
                self.arrive(self.length - (self.length - self.round).abs());
            }
        }
    }

    fn arrive(&mut self, at: i32) {
        self.ticks = at;
        self.out.push(at);
    }
}

proptest! {
    #[test]
    fn each_mark_is_reported_exactly_once_per_pass_however_time_is_cut(
        length in 2_i32..40,
        places in prop::collection::vec(0.0_f32..=1.0, 0..6),
        start in 0.0_f32..=1.0,
        steps in prop::collection::vec(-90_i32..120, 1..30),
        mode in prop_oneof![Just(LoopMode::Once), Just(LoopMode::Loop), Just(LoopMode::PingPong)],
    ) {
        let at = |place: f32| (place * length as f32).round() as i32;
        let mut ticks: Vec<i32> = places.into_iter().map(at).collect();
        ticks.sort_unstable();
        let all = markers(&ticks);
        let mut player = Player::new(length as f32 * TICK, mode);
        player.seek(at(start) as f32 * TICK);
        let mut slow = Slow { ticks: at(start), length, mode, round: at(start), fresh: true, out: vec![] };
        for step in steps {
            slow.out.clear();
            let stopped = !player.is_playing();
            let found = passed(&mut player, step as f32 * TICK, &all);
            if stopped {
                prop_assert!(found.is_empty());
                continue;
            }
            for _ in 0..step.abs() {
                slow.tick(step.signum());
            }
            let expected: Vec<String> = slow.out.iter().flat_map(|place| {
                let many = ticks.iter().filter(|tick| *tick == place).count();
                std::iter::repeat_n(place.to_string(), many)
            }).collect();
            prop_assert_eq!(found, expected, "step {}", step);
        }
    }
}
