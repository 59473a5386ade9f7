//! Light, shadow, fog and sky, as they are seen.

use glam::{Vec3, Vec4};

use super::stage::{at, chalk, dark_frame, draw, expect, headlight, paint, scene, square};
use crate::{Background, Camera, Environment, Equirect, Fog, Light, Sky};

const WHITE: Vec3 = Vec3::splat(0.5);

/// What the tone curve makes of grey light: below its shoulder it takes 0.04 away.
fn shown(light: f32) -> f32 {
    light - 0.04
}

#[test]
fn chalk_under_a_light_from_the_eye_has_its_own_colour() {
    let mut frame = dark_frame();
    frame.lights.push(headlight());
    frame.shadows.on = false;
    let image = draw(&mut frame, &scene(vec![(square(), chalk(WHITE), Vec3::ZERO)]));
    // Diffuse 0.5 · (1 - 0.04), and a faint gloss: 0.04 · GGX(1) / 4 · π = 0.01.
    let light = shown(0.5 * 0.96 + 0.01);
    expect("chalk", &image, &[(0.0, 0.0, Vec3::splat(light).extend(1.0))], 0.012);
}

#[test]
fn exposure_multiplies_light_and_unlit_paint_ignores_it() {
    let mut frame = dark_frame();
    frame.lights.push(headlight());
    frame.shadows.on = false;
    frame.exposure = 0.5;
    let small = |x: f32| {
        let mut half = square();
        half.positions.iter_mut().for_each(|p| *p *= 0.4);
        (half, Vec3::new(x, 0.0, 0.0))
    };
    let (lit, left) = small(-0.5);
    let (plain, right) = small(0.5);
    let things =
        vec![(lit, chalk(WHITE), left), (plain, paint(Vec4::new(0.2, 0.4, 0.6, 1.0)), right)];
    let image = draw(&mut frame, &scene(things));
    let light = Vec3::splat(shown(0.5 * 0.49)).extend(1.0);
    let places = [(-0.5, 0.0, light), (0.5, 0.0, Vec4::new(0.2, 0.4, 0.6, 1.0))];
    expect("exposure", &image, &places, 0.012);
}

#[test]
fn a_point_light_falls_with_the_square_of_the_distance_and_ends_at_its_range() {
    let brightness = |away: f32, range: Option<f32>| {
        let mut frame = dark_frame();
        let mut light = Light::point(Vec3::Z * away, Vec3::ONE, 2.0);
        light.range = range;
        frame.lights.push(light);
        let image = draw(&mut frame, &scene(vec![(square(), chalk(WHITE), Vec3::ZERO)]));
        at(&image, 0.0, 0.0).x + 0.04
    };
    let (near, far) = (brightness(1.0, None), brightness(2.0, None));
    assert!((near / far - 4.0).abs() < 0.6, "{near} and {far}");
    assert!(brightness(2.0, Some(1.5)) < 0.05);
}

#[test]
fn a_spot_lights_its_cone_alone() {
    let mut frame = dark_frame();
    frame.lights.push(Light::spot(2.0 * Vec3::Z, Vec3::NEG_Z, [0.15, 0.2], 6.0));
    let image = draw(&mut frame, &scene(vec![(square(), chalk(WHITE), Vec3::ZERO)]));
    assert!(at(&image, 0.0, 0.0).x > 0.15);
    assert!(at(&image, 0.9, 0.0).x < 0.001);
}

#[test]
fn a_thing_in_the_light_darkens_what_is_behind_it_and_not_itself() {
    let mut frame = dark_frame();
    frame.lights.push(Light::directional(Vec3::new(0.5, 0.0, -1.0), Vec3::ONE, 3.0));
    let mut near = square();
    near.positions.iter_mut().for_each(|p| *p *= 0.3);
    // A metre in front of the wall: its shadow falls half a metre to the right.
    let things = vec![
        (square(), chalk(WHITE), Vec3::ZERO),
        (near, chalk(Vec3::splat(0.8)), Vec3::new(-0.5, 0.0, 1.0)),
    ];
    let image = draw(&mut frame, &scene(things));
    let (lit, shaded) = (at(&image, 0.8, 0.8).x, at(&image, 0.05, 0.0).x);
    assert!(lit > 0.2, "{lit}");
    assert!(shaded < 0.01, "{shaded}");
    assert!(at(&image, -0.5, 0.0).x > 0.4, "the caster is lit, without acne");
    for step in 0..20 {
        let x = -0.9 + step as f32 * 0.09;
        let found = at(&image, x, 0.8).x;
        assert!((found - lit).abs() < 0.02, "no acne on the wall at {x}: {found}");
    }
}

#[test]
fn fog_hides_the_far_more_than_the_near_and_ends_in_its_own_colour() {
    let color = Vec3::new(0.1, 0.2, 0.6);
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    // The wall is ten metres from the camera.
    let fogs = [
        (Fog::Linear { color, start: 5.0, end: 15.0 }, 0.5),
        (Fog::Linear { color, start: 1.0, end: 9.0 }, 0.0),
        (Fog::Exponential { color, density: 0.1 }, (-1_f32).exp()),
        (Fog::ExponentialSquared { color, density: 0.05 }, (-0.25_f32).exp()),
    ];
    for (fog, clear) in fogs {
        let mut frame = dark_frame();
        frame.fog = fog;
        let image = draw(&mut frame, &scene(vec![(square(), paint(red), Vec3::ZERO)]));
        let expected = color.lerp(red.truncate(), clear).extend(1.0);
        expect("fog", &image, &[(0.0, 0.0, expected)], 0.01);
    }
}

#[test]
fn the_sky_is_its_zenith_above_and_its_ground_below_and_lights_chalk() {
    let sky = Sky {
        zenith: Vec3::new(0.0, 0.0, 0.5),
        horizon: Vec3::new(0.3, 0.3, 0.3),
        ground: Vec3::new(0.0, 0.4, 0.0),
        sun_color: Vec3::ZERO,
        ..Sky::default()
    };
    let mut frame = dark_frame();
    frame.camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 2.6);
    frame.environment = Environment::Sky(sky);
    frame.background = Background::Sky(1.0);
    let image = draw(&mut frame, &scene(vec![]));
    let (above, below) = (at(&image, 0.0, 0.95), at(&image, 0.0, -0.95));
    assert!(above.z > 0.3 && above.y < 0.1, "{above}");
    assert!(below.y > 0.25 && below.z < 0.1, "{below}");

    let mut frame = dark_frame();
    frame.environment =
        Environment::Sky(Sky { zenith: Vec3::ONE, horizon: Vec3::ONE, ground: Vec3::ONE, ..sky });
    let image = draw(&mut frame, &scene(vec![(square(), chalk(WHITE), Vec3::ZERO)]));
    let found = at(&image, 0.0, 0.0).x;
    assert!((found - shown(0.5)).abs() < 0.05, "half of an even white sky: {found}");
}

#[test]
fn an_image_all_around_is_seen_behind_everything() {
    let mut pixels = vec![Vec3::new(0.5, 0.0, 0.0); 64 * 32];
    pixels[64 * 16..].fill(Vec3::new(0.0, 0.0, 0.5));
    let image = Equirect { width: 64, height: 32, pixels };
    let mut frame = dark_frame();
    frame.camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 1.5);
    frame.environment = Environment::Equirect(std::sync::Arc::new(image));
    frame.background = Background::Sky(1.0);
    let image = draw(&mut frame, &scene(vec![]));
    let (above, below) = (at(&image, 0.0, 0.8), at(&image, 0.0, -0.8));
    assert!(above.x > 0.35 && above.z < 0.05, "{above}");
    assert!(below.z > 0.35 && below.x < 0.05, "{below}");
}
