//! Walks of many made bodies onto many others: proportions, rest poses, orders of angles, frame rates, where the root
//! motion is, and paths whose headings pass half a turn.
//!
//! `cargo test -p sinew-retarget --test many_bodies -- --nocapture` prints a line for each, and the spread of all.

mod common;

use std::f32::consts::PI;

use common::walker::Walker;
use common::{Variant, hanging, mixamo, odd_axes, t_pose};
use glam::{EulerRot, Quat, Vec3};
use sinew_retarget::{JointMap, Options, Quality, retarget};
use sinew_scene::Scene;

/// How many pairs of bodies are tried.
const PAIRS: u32 = 60;

/// Numbers that look like chance and are always the same.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 8
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.next() as usize % choices.len()]
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next() as f32 / (1 << 24) as f32)
    }
}

type Rest = fn(&str) -> Quat;

const RESTS: [(&str, Rest); 6] = [
    ("T", |_| Quat::IDENTITY),
    ("A", |name| arms_down(name, 0.8)),
    ("arms down", |name| arms_down(name, 1.5)),
    ("legs apart", |name| match name {
        "LeftUpLeg" | "LeftLeg" => Quat::from_rotation_z(0.35),
        "RightUpLeg" | "RightLeg" => Quat::from_rotation_z(-0.35),
        _ => Quat::IDENTITY,
    }),
    ("all along X", along_x),
    ("faces aside", |_| Quat::from_rotation_y(1.7)),
];

/// Every bone along X: no pose that anybody could hold.
fn along_x(name: &str) -> Quat {
    let way = match name.trim_start_matches("Left").trim_start_matches("Right") {
        "UpLeg" | "Leg" => Vec3::NEG_Y,
        "Foot" | "ToeBase" => Vec3::Z,
        "Shoulder" | "Arm" | "ForeArm" | "Hand" if name.starts_with("Left") => Vec3::X,
        "Shoulder" | "Arm" | "ForeArm" | "Hand" => return Quat::from_rotation_y(PI),
        _ => Vec3::Y,
    };
    Quat::from_rotation_arc(way, Vec3::X)
}

fn arms_down(name: &str, angle: f32) -> Quat {
    match name {
        "LeftArm" | "LeftForeArm" | "LeftHand" => Quat::from_rotation_z(-angle),
        "RightArm" | "RightForeArm" | "RightHand" => Quat::from_rotation_z(angle),
        _ => Quat::IDENTITY,
    }
}

type Path = fn(f32) -> (f32, f32);

/// Metres a second and heading at a time.
const PATHS: [(&str, Path); 7] = [
    ("straight back", |_| (1.2, PI)),
    ("circle", |time| (1.0, 0.9 * time)),
    ("other circle", |time| (1.0, PI - 0.9 * time)),
    ("eight", |time| (1.1, 2.6 * (0.8 * time).sin() + PI)),
    ("about", |time| (if time > 3.0 && time < 4.5 { 0.2 } else { 1.1 }, PI * turned(time, 1.5))),
    ("on the spot", |time| (0.0, 1.6 * time)),
    ("slow", |time| (0.25, PI * (0.5 * time).sin())),
];

fn turned(time: f32, seconds: f32) -> f32 {
    ((time - 3.0) / seconds).clamp(0.0, 1.0)
}

const ORDERS: [EulerRot; 6] =
    [EulerRot::ZXY, EulerRot::XYZ, EulerRot::YXZ, EulerRot::ZYX, EulerRot::XZY, EulerRot::YZX];

/// Bodies to walk with, and what they are.
fn targets() -> Vec<(&'static str, Scene)> {
    let long_legs = |name: &str| if leg(name) { 1.25 } else { 1.0 };
    let short_legs = |name: &str| if leg(name) { 0.75 } else { 1.0 };
    let long_arms =
        |name: &str| if name.contains("arm") || name.contains("hand") { 1.3 } else { 1.0 };
    let plain = || Variant { rename: mixamo, ..Variant::default() };
    vec![
        ("A", plain().scene()),
        ("T, odd axes", Variant { rest: t_pose, axes: odd_axes, ..plain() }.scene()),
        ("hanging", Variant { rest: hanging, ..plain() }.scene()),
        ("long legs", Variant { length: long_legs, rest: t_pose, ..plain() }.scene()),
        ("short legs", Variant { length: short_legs, axes: odd_axes, ..plain() }.scene()),
        ("long arms", Variant { length: long_arms, rest: t_pose, ..plain() }.scene()),
    ]
}

fn leg(name: &str) -> bool {
    name.contains("shin") || name.contains("foot")
}

/// Somebody by chance, and in words.
fn somebody(chance: &mut Chance) -> (Walker, String) {
    let (rest_name, rest) = chance.one_of(&RESTS);
    let (path_name, path) = chance.one_of(&PATHS);
    let order = chance.one_of(&ORDERS);
    let rate = chance.one_of(&[30.0, 60.0, 120.0]);
    let size = chance.between(0.6, 1.3);
    let thigh = size * chance.between(36.0, 50.0);
    let root = chance.next().is_multiple_of(2);
    let walker = Walker {
        thigh,
        shin: size * 83.0 - thigh,
        hip: size * chance.between(7.0, 12.0),
        ankle: size * chance.between(6.0, 11.0),
        ball: size * chance.between(10.0, 16.0),
        rest,
        order,
        rate,
        path,
        // Short legs take short steps: nobody walks in splits.
        step: size * chance.between(0.45, 0.75),
        lift: size * chance.between(5.0, 12.0),
        toes: !chance.next().is_multiple_of(4),
        starts_at_rest: chance.next().is_multiple_of(4),
        root,
        ..Walker::default()
    };
    let words = format!(
        "{path_name}, rests {rest_name}, {order:?}, {rate} Hz, thigh {thigh:.0} of {:.0}, ankle {:.0}, ball {:.0}, step {:.2} s{}{}{}",
        size * 83.0,
        walker.ankle,
        walker.ball,
        walker.step,
        if walker.toes { "" } else { ", no toes" },
        if walker.starts_at_rest { ", starts at rest" } else { "" },
        if root { ", root" } else { "" },
    );
    (walker, words)
}

fn walked(walker: &Walker, to: &Scene) -> Quality {
    let file = walker.bvh();
    let from = sinew_import::read(file.as_bytes(), &sinew_import::NoFiles).expect("a file").scene;
    let map = JointMap::find(&from, to).expect("both have bodies");
    retarget(&from.clips[0], &from, to, &map, &Options::default()).expect("it moves").quality
}

#[test]
fn no_body_is_far_off_in_its_bones_or_between_its_keys() {
    let mut chance = Chance(7);
    let targets = targets();
    let pairs = std::env::var("PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(PAIRS);
    let mut all: Vec<[f32; 4]> = Vec::new();
    let mut bad = Vec::new();
    for _ in 0..pairs {
        let (walker, words) = somebody(&mut chance);
        let (name, to) = &targets[chance.next() as usize % targets.len()];
        let quality = walked(&walker, to);
        let (mean, worst) = (quality.mean_direction, quality.worst_direction);
        let (keys, slide) = (1000.0 * quality.key_error, 100.0 * quality.slide.mean);
        let line = format!(
            "{mean:5.2}° {worst:5.1}° {keys:5.2} mm {slide:5.2} cm/s: {words}; onto {name} ({})",
            quality.worst_bone.map_or(String::new(), |(slot, time)| format!("{slot}, {time:.2} s")),
        );
        println!("{line}");
        if mean > 3.0 || worst > 20.0 || keys > 25.0 || slide > 0.5 {
            bad.push(line);
        }
        all.push([mean, worst, keys, slide]);
    }
    for (at, what) in ["mean, °", "worst, °", "keys, mm", "slide, cm/s"].iter().enumerate() {
        let mut figures: Vec<f32> = all.iter().map(|row| row[at]).collect();
        figures.sort_by(f32::total_cmp);
        let share = |share: f32| figures[(share * (figures.len() - 1) as f32) as usize];
        println!(
            "{what}: median {:.2}, of ten nine {:.2}, most {:.2}",
            share(0.5),
            share(0.9),
            share(1.0)
        );
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
