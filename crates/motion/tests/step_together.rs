//! Clips in step, and the weights of blend spaces.

use proptest::prelude::*;
use sinew_motion::{BlendSpace, BlendSpaceError, SyncGroup, SyncMember};
use sinew_scene::Marker;
use sinew_scene::glam::Vec2;

fn feet(left: f32, right: f32) -> Vec<Marker> {
    let mut markers = vec![Marker::new("left", left), Marker::new("right", right)];
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers
}

const FEET: [&str; 2] = ["left", "right"];

#[test]
fn by_marks_feet_strike_together_though_steps_are_uneven() {
    // Left foot at 0 s and right at 0.6 s of 1 s; right at 0.1 s and left at 0.3 s of 0.5 s.
    let (walk, run) = (feet(0.0, 0.6), feet(0.3, 0.1));
    let members =
        [SyncMember { duration: 1.0, markers: &walk }, SyncMember { duration: 0.5, markers: &run }];
    let mut sync = SyncGroup::new(&members, &FEET, true).expect("both have both feet");
    assert_eq!((sync.time(0), sync.time(1)), (0.0, 0.3));
    // From left to right: 0.6 s and 0.3 s, so with equal weights 0.45 s. A third of it:
    sync.advance(0.15, &[(1.0, 1.0), (1.0, 1.0)]);
    assert!((sync.time(0) - 0.2).abs() < 1e-6 && (sync.time(1) - 0.4).abs() < 1e-6);
    sync.advance(0.3, &[(1.0, 1.0), (1.0, 1.0)]);
    assert!((sync.time(0) - 0.6).abs() < 1e-6 && (sync.time(1) - 0.1).abs() < 1e-6);
    let passed: Vec<_> = sync.step(1).markers(&run).map(|marker| marker.name.clone()).collect();
    assert_eq!(passed, ["right"]);
}

#[test]
fn a_clip_of_two_cycles_goes_in_step_with_a_clip_of_one() {
    let twice = [
        Marker::new("left", 0.0),
        Marker::new("right", 0.5),
        Marker::new("left", 1.0),
        Marker::new("right", 1.5),
    ];
    let once = feet(0.0, 0.5);
    let members = [
        SyncMember { duration: 2.0, markers: &twice },
        SyncMember { duration: 1.0, markers: &once },
    ];
    let mut sync = SyncGroup::new(&members, &FEET, true).expect("the markers are in turn");
    sync.advance(1.25, &[(1.0, 1.0), (3.0, 1.0)]);
    assert_eq!((sync.time(0), sync.time(1)), (1.25, 0.25));
    sync.advance(1.0, &[(1.0, 1.0), (3.0, 1.0)]);
    assert_eq!((sync.time(0), sync.time(1)), (0.25, 0.25));
    assert_eq!(sync.step(0).progress().loops, 1);
}

#[test]
fn clips_that_cannot_go_in_step_are_refused_with_what_is_missing() {
    let (walk, bare) = (feet(0.0, 0.5), [Marker::new("left", 0.0)]);
    let members = [
        SyncMember { duration: 1.0, markers: &walk },
        SyncMember { duration: 1.0, markers: &bare },
    ];
    let error = SyncGroup::new(&members, &FEET, true).expect_err("a foot is missing");
    assert_eq!(
        (error.member, &error.message[..]),
        (1, "expected a marker \"right\" on the clip, found none")
    );
    let twice = [Marker::new("left", 0.0), Marker::new("left", 0.2), Marker::new("right", 0.5)];
    let error = SyncGroup::new(&[SyncMember { duration: 1.0, markers: &twice }], &FEET, true);
    assert!(error.expect_err("left twice").message.contains("in turn"));
    assert!(SyncGroup::new(&members[..1], &FEET, false).is_err());
}

#[test]
fn clips_that_play_once_end_together() {
    let members = [1.0, 2.0].map(|duration| SyncMember { duration, markers: &[] });
    let mut sync = SyncGroup::new(&members, &[], false).expect("no markers are needed");
    sync.advance(9.0, &[(1.0, 1.0), (1.0, 1.0)]);
    assert_eq!((sync.time(0), sync.time(1)), (1.0, 2.0));
    assert!(sync.step(0).progress().ended);
    sync.advance(9.0, &[(1.0, 1.0), (1.0, 1.0)]);
    assert!(!sync.step(0).progress().ended);
}

#[test]
fn a_beat_goes_on_over_the_end_of_the_clip() {
    let markers = [Marker::new("left", 0.2)];
    let member = SyncMember { duration: 1.0, markers: &markers };
    let mut sync = SyncGroup::new(&[member], &["left"], true).expect("one foot");
    assert_eq!(sync.time(0), 0.2);
    // From 0.2 s to 0.2 s of the next pass is a second.
    for (step, time) in [(0.5, 0.7), (0.4, 0.1), (0.4, 0.5), (-0.4, 0.1), (-0.4, 0.7)] {
        sync.advance(step, &[(1.0, 1.0)]);
        assert!((sync.time(0) - time).abs() < 1e-6, "{} is not {time}", sync.time(0));
    }
}

#[test]
fn the_speed_of_a_group_is_the_mean_of_its_members() {
    let members = [1.0, 1.0].map(|duration| SyncMember { duration, markers: &[] });
    let mut sync = SyncGroup::new(&members, &[], true).expect("no markers are needed");
    // (3 · 2 + 1 · 0.4) / 4 = 1.6 seconds a second.
    sync.advance(0.25, &[(3.0, 2.0), (1.0, 0.4)]);
    assert!((sync.time(0) - 0.4).abs() < 1e-6, "{}", sync.time(0));
    sync.advance(0.25, &[(3.0, f32::NAN), (1.0, f32::INFINITY)]);
    assert!((sync.time(0) - 0.4).abs() < 1e-6, "{}", sync.time(0));
}

#[test]
fn clips_of_many_marks_meet_after_their_least_common_multiple() {
    let markers = |count: u16| -> Vec<Marker> {
        (0..count).map(|at| Marker::new("tick", f32::from(at) / f32::from(count))).collect()
    };
    let meet = |a: u16, b: u16| {
        let (a, b) = (markers(a), markers(b));
        let members = [&a, &b].map(|markers| SyncMember { duration: 1.0, markers });
        SyncGroup::new(&members, &["tick"], true).map_err(|error| error.message)
    };
    assert!(meet(300, 600).is_ok());
    let message = meet(300, 301).expect_err("they meet too late");
    assert_eq!(message, "expected fewer markers: the clips meet again after 90300");
}

#[test]
fn a_mark_where_a_step_ends_is_not_told_again_by_the_next() {
    let walk = feet(0.0, 0.5);
    let mut sync =
        SyncGroup::new(&[SyncMember { duration: 1.0, markers: &walk }], &[], true).expect("one");
    let mut told = |seconds: f32| -> Vec<String> {
        sync.advance(seconds, &[(1.0, 1.0)]);
        sync.step(0).markers(&walk).map(|marker| marker.name.clone()).collect()
    };
    assert_eq!(told(0.5), ["left", "right"]);
    assert_eq!(told(0.25), [""; 0]);
    assert_eq!(told(0.5), ["left"]);
}

proptest! {
    #[test]
    fn in_step_means_the_same_part_of_a_beat_whatever_happens(
        durations in prop::collection::vec(0.1_f32..3.0, 1..4),
        rights in prop::collection::vec(0.1_f32..0.9, 4),
        steps in prop::collection::vec(
            (prop_oneof![4 => -2.0_f32..2.0, 1 => prop::num::f32::ANY], prop::collection::vec(0.0_f32..1.0, 4)), 1..20),
    ) {
        let markers: Vec<_> = durations.iter().zip(&rights).map(|(d, right)| feet(0.0, d * right)).collect();
        let members: Vec<_> = durations.iter().zip(&markers)
            .map(|(&duration, markers)| SyncMember { duration, markers }).collect();
        let mut sync = SyncGroup::new(&members, &FEET, true).expect("feet");
        for (seconds, weights) in steps {
            let pairs: Vec<_> = weights.iter().take(durations.len()).map(|&weight| (weight, 1.0)).collect();
            sync.advance(seconds, &pairs);
            let parts: Vec<f32> = (0..durations.len()).map(|at| {
                let (time, right) = (sync.time(at), durations[at] * rights[at]);
                prop_assert!((0.0..=durations[at]).contains(&time));
                Ok(if time < right { time / right } else { 1.0 + (time - right) / (durations[at] - right) })
            }).collect::<Result<_, TestCaseError>>()?;
            for part in &parts {
                let apart = (part - parts[0]).abs();
                prop_assert!(apart.min(2.0 - apart) < 1e-4, "{parts:?}");
            }
        }
    }

    #[test]
    fn the_phase_and_the_marks_do_not_depend_on_the_step(
        cuts in prop::collection::vec(1_u32..200, 1..30), weight in 0.0_f32..1.0,
    ) {
        let (walk, run) = (feet(0.0, 0.5), feet(0.25, 0.0));
        let members = [SyncMember { duration: 1.0, markers: &walk }, SyncMember { duration: 0.5, markers: &run }];
        let pairs = [(weight, 1.0), (1.0 - weight, 1.0)];
        let mut cut = SyncGroup::new(&members, &FEET, true).expect("feet");
        let mut whole = cut.clone();
        let mut count = 0;
        for ticks in &cuts {
            cut.advance(*ticks as f32 / 256.0, &pairs);
            count += cut.step(0).markers(&walk).count();
        }
        let ticks: u32 = cuts.iter().sum();
        whole.advance(ticks as f32 / 256.0, &pairs);
        let apart = (whole.time(0) - cut.time(0)).abs();
        prop_assert!(apart.min(1.0 - apart) < 1e-4, "{} {}", whole.time(0), cut.time(0));
        // At the very edge of a beat, rounding may put one of them on the other side.
        let least = whole.step(0).markers(&walk).count().abs_diff(count);
        let edge = (2.0 * whole.time(0)).fract();
        prop_assert!(least == 0 || (least == 1 && !(1e-4..1.0 - 1e-4).contains(&edge)));
    }

    #[test]
    fn weights_of_a_space_are_never_below_zero_and_sum_to_one(
        points in prop::collection::vec((-5_i32..5, -5_i32..5), 1..20),
        x in prop_oneof![4 => -9.0_f32..9.0, 1 => prop::num::f32::ANY],
        y in prop_oneof![4 => -9.0_f32..9.0, 1 => prop::num::f32::ANY],
    ) {
        let points: Vec<_> = points.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32 * 0.01)).collect();
        let space = BlendSpace::new(&points).expect("finite points");
        let mut weights = vec![0.0; points.len()];
        space.weights(Vec2::new(x, y), &mut weights);
        prop_assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
        prop_assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{weights:?}");
        // At a point its own weight, shared with those at the same place.
        space.weights(points[0], &mut weights);
        let own: f32 = weights.iter().zip(&points).filter(|(_, at)| **at == points[0]).map(|(w, _)| w).sum();
        prop_assert!((own - 1.0).abs() < 1e-4, "{weights:?}");
    }

    #[test]
    fn within_its_hull_a_space_gives_back_the_place_and_never_jumps(
        points in prop::collection::vec((-5_i32..5, -5_i32..5), 3..20),
        x in -6.0_f32..6.0, y in -6.0_f32..6.0,
    ) {
        // Both axes of the same extent, so that distances count alike on both.
        let corners = [(-5, -5), (5, 5)];
        let points: Vec<_> =
            points.iter().chain(&corners).map(|&(x, y)| Vec2::new(x as f32, y as f32)).collect();
        let space = BlendSpace::new(&points).expect("finite points");
        let (mut here, mut near) = (vec![0.0; points.len()], vec![0.0; points.len()]);
        space.weights(Vec2::new(x, y), &mut here);
        space.weights(Vec2::new(x + 1e-4, y), &mut near);
        let place = |weights: &[f32]| -> Vec2 { points.iter().zip(weights).map(|(p, w)| *p * *w).sum() };
        // Outside, the nearest place on the hull: never further from any point than we are.
        for point in &points {
            let found = place(&here);
            prop_assert!(found.distance(*point) <= Vec2::new(x, y).distance(*point) + 1e-3);
        }
        let jump: f32 = here.iter().zip(&near).map(|(a, b)| (a - b).abs()).sum();
        prop_assert!(jump < 0.05, "{here:?} {near:?}");
    }
}

#[test]
fn a_plane_of_four_clips_is_worked_out_by_hand() {
    // Idle in the middle, walk ahead, and steps to both sides.
    let points = [(0.0, 0.0), (0.0, 2.0), (-1.0, 0.0), (1.0, 0.0)].map(Vec2::from);
    let space = BlendSpace::new(&points).expect("four points");
    let mut weights = [0.0; 4];
    space.weights(Vec2::new(0.25, 1.0), &mut weights);
    assert_eq!(weights, [0.25, 0.5, 0.0, 0.25]);
    // Below the line of the sides: the nearest place on it.
    space.weights(Vec2::new(0.5, -3.0), &mut weights);
    assert_eq!(weights, [0.5, 0.0, 0.0, 0.5]);
}

#[test]
fn both_axes_of_a_plane_count_alike() {
    // 128 units wide and 1 high: as if it were a square cut in half. Its far corner is in the middle of the cut.
    let points = [(0.0, 0.0), (128.0, 0.0), (0.0, 1.0)].map(Vec2::from);
    let mut weights = [0.0; 3];
    BlendSpace::new(&points).expect("three points").weights(Vec2::new(128.0, 1.0), &mut weights);
    assert_eq!(weights, [0.0, 0.5, 0.5]);
}

#[test]
fn bad_points_are_refused_and_odd_ones_are_not() {
    assert_eq!(BlendSpace::new(&[]).unwrap_err(), BlendSpaceError::Empty);
    assert_eq!(BlendSpace::line(&[0.0, f32::NAN]).unwrap_err(), BlendSpaceError::NotFinite(1));
    assert_eq!(BlendSpace::line(&[0.0; 300]).unwrap_err(), BlendSpaceError::Many(300));
    let twice = BlendSpace::line(&[1.0, 1.0, 2.0]).expect("twice at one place");
    let mut weights = [0.0; 3];
    twice.weights(Vec2::new(1.25, 0.0), &mut weights);
    assert_eq!(weights, [0.375, 0.375, 0.25]);
    let single = BlendSpace::line(&[7.0]).expect("one point");
    single.weights(Vec2::NAN, &mut weights[..1]);
    assert_eq!(weights[0], 1.0);
}
