//! Light from all sides: nothing is lost, nothing is made, and what stands close hides it.

use glam::{Vec3, Vec4};
use sinew_scene::{Material, Primitive};

use super::stage::{at, chalk, dark_frame, draw, expect, scene, square};
use crate::{Environment, Frame, Occlusion, Tone};

/// In light of 1 from all sides, measured as it is.
fn furnace() -> Frame {
    let mut frame = dark_frame();
    frame.environment = Environment::from_equirect(4, 2, &[1.0; 24]).expect("whole");
    frame.tone = Tone::None;
    frame
}

/// A ball of half a metre about the origin.
fn ball() -> Primitive {
    let (columns, rows) = (32_u32, 16_u32);
    let mut ball = Primitive::default();
    for index in 0..(columns + 1) * (rows + 1) {
        let around = (index % (columns + 1)) as f32 / columns as f32 * std::f32::consts::TAU;
        let down = (index / (columns + 1)) as f32 / rows as f32 * std::f32::consts::PI;
        let normal = Vec3::new(down.sin() * around.cos(), down.cos(), -down.sin() * around.sin());
        ball.positions.push(normal * 0.5);
        ball.normals.push(normal);
    }
    for row in 0..rows {
        for column in 0..columns {
            let first = row * (columns + 1) + column;
            let below = first + columns + 1;
            ball.indices.extend([first, below, first + 1, first + 1, below, below + 1]);
        }
    }
    ball
}

#[test]
fn white_metal_in_white_light_is_white_at_every_roughness() {
    for roughness in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let metal = Material { metallic: 1.0, roughness, ..Material::default() };
        let image = draw(&mut furnace(), &scene(vec![(ball(), metal, Vec3::ZERO)]));
        for (x, y) in [(0.0, 0.0), (0.3, 0.2), (-0.1, 0.45)] {
            let light = at(&image, x, y).x;
            assert!((0.97..=1.0).contains(&light), "{roughness} at {x}, {y}: {light}");
        }
    }
}

#[test]
fn what_is_no_metal_neither_loses_nor_makes_light() {
    for roughness in [0.1, 0.5, 1.0] {
        let white = Material { roughness, ..chalk(Vec3::ONE) };
        let image = draw(&mut furnace(), &scene(vec![(ball(), white, Vec3::ZERO)]));
        expect("white", &image, &[(0.1, 0.2, Vec4::ONE), (0.4, 0.1, Vec4::ONE)], 0.04);
    }
}

#[test]
fn an_environment_is_turned_about_the_vertical() {
    // Red along +X (the middle of the image), dark elsewhere; a mirror that faces +Z sees what is at +Z.
    let mut pixels = vec![0.0; 64 * 32 * 3];
    for index in 0..64 * 32 {
        if (24..40).contains(&(index % 64)) {
            pixels[index * 3] = 0.5;
        }
    }
    let mirror = Material { metallic: 1.0, roughness: 0.0, ..Material::default() };
    let red = |rotation: f32| {
        let mut frame = furnace();
        frame.environment = Environment::from_equirect(64, 32, &pixels).expect("whole");
        frame.environment_rotation = rotation;
        let image = draw(&mut frame, &scene(vec![(square(), mirror.clone(), Vec3::ZERO)]));
        at(&image, 0.0, 0.0).x
    };
    assert!(red(0.0) < 0.02);
    // A turn of -90° about Y brings +X to +Z.
    assert!((red(-std::f32::consts::FRAC_PI_2) - 0.5).abs() < 0.02);
}

#[test]
fn a_roof_hides_the_light_of_what_is_under_it() {
    let light = |occlusion: Occlusion| {
        let mut frame = furnace();
        frame.occlusion = occlusion;
        // A wall that faces the camera, and a board that stands out of it above its middle.
        let mut board = square();
        for place in &mut board.positions {
            *place = Vec3::new(place.x, 0.0, place.y + 1.0) * 0.5;
        }
        board.normals = vec![Vec3::Y; 4];
        let board_paint = Material { double_sided: true, ..chalk(Vec3::splat(0.3)) };
        let things = vec![
            (square(), chalk(Vec3::splat(0.5)), Vec3::ZERO),
            (board, board_paint, Vec3::new(0.0, 0.2, 0.0)),
        ];
        let image = draw(&mut frame, &scene(things));
        [at(&image, 0.0, 0.1).x, at(&image, 0.0, -0.9).x]
    };
    let [under, below] = light(Occlusion::OFF);
    assert!((under - below).abs() < 0.01, "{under} and {below}");
    for kind in [Occlusion::DRAFT, Occlusion::NORMAL] {
        let [under, below] = light(kind);
        assert!(under < 0.8 * below, "{kind:?}: {under} and {below}");
        assert!(below > 0.4, "{below}");
    }
}
