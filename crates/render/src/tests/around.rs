//! What surrounds things: six images, light from everywhere, hills.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use sinew_scene::Material;

use super::stage::{chalk, dark_frame, draw, expect, parts, scene, square, within};
use crate::{Background, Camera, CubeImage, Environment, Lens, Light, terrain};

const MAGENTA: Vec3 = Vec3::new(0.5, 0.0, 0.5);
const CYAN: Vec3 = Vec3::new(0.0, 0.5, 0.5);

/// Six faces of 8 × 8 pixels, by their number and place.
fn cube(color: impl Fn(usize, usize, usize) -> Vec3) -> Environment {
    let face = |face: usize| (0..64).map(|at| color(face, at % 8, at / 8)).collect();
    Environment::Cube(Arc::new(CubeImage { size: 8, faces: std::array::from_fn(face) }))
}

fn colors(face: usize) -> Vec3 {
    let half = |x: u8, y: u8, z: u8| Vec3::new(x.into(), y.into(), z.into()) * 0.5;
    [half(1, 0, 0), half(0, 1, 0), half(0, 0, 1), half(1, 1, 0), CYAN, MAGENTA][face]
}

#[test]
fn each_face_of_a_cube_map_is_seen_in_its_own_direction() {
    let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    for (face, axis) in axes.into_iter().enumerate() {
        let mut frame = dark_frame();
        frame.camera = Camera::look_at(Vec3::ZERO, axis, 80_f32.to_radians());
        frame.environment = cube(|face, _, _| colors(face));
        frame.background = Background::Sky(1.0);
        let image = draw(&mut frame, &scene(vec![]));
        let color = colors(face).extend(1.0);
        let places = [(0.0, 0.0, color), (0.8, 0.8, color), (-0.8, -0.8, color)];
        expect(&format!("cube-{face}"), &image, &places, 0.03);
    }
}

#[test]
fn a_cube_maps_faces_are_turned_as_graphics_libraries_turn_them() {
    // The face -Z runs from +x to -x and from +y to -y (OpenGL 4.6, table 8.19), so its first column is
    // seen on the right by who looks along -Z, and its first row above.
    let mut frame = dark_frame();
    frame.camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 80_f32.to_radians());
    frame.environment = cube(|_, column, row| {
        Vec3::new(if column < 4 { 0.5 } else { 0.0 }, if row < 4 { 0.5 } else { 0.0 }, 0.0)
    });
    frame.background = Background::Sky(1.0);
    let image = draw(&mut frame, &scene(vec![]));
    let color = |x: f32, y: f32| Vec4::new(x, y, 0.0, 1.0);
    let places = [
        (0.5, 0.5, color(0.5, 0.5)),
        (-0.5, 0.5, color(0.0, 0.5)),
        (0.5, -0.5, color(0.5, 0.0)),
        (-0.5, -0.5, color(0.0, 0.0)),
    ];
    expect("cube-turned", &image, &places, 0.03);
}

#[test]
fn a_mirror_shows_the_face_behind_who_looks_and_chalk_is_lit_by_the_face_before_it() {
    let mut frame = dark_frame();
    frame.environment = cube(|face, _, _| colors(face));
    let mirror = Material { metallic: 1.0, roughness: 0.0, ..chalk(Vec3::ONE) };
    let image = draw(&mut frame, &scene(vec![(square(), mirror, Vec3::ZERO)]));
    expect("mirror", &image, &[(0.0, 0.0, CYAN.extend(1.0))], 0.04);

    // Only +Z shines, with 1: from the middle of a cube a face takes 0.554 of all that falls on what looks at it.
    let mut frame = dark_frame();
    frame.environment = cube(|face, _, _| if face == 4 { Vec3::X } else { Vec3::ZERO });
    let image = draw(&mut frame, &scene(vec![(square(), chalk(Vec3::splat(0.5)), Vec3::ZERO)]));
    let (least, most) = (Vec4::new(0.24, 0.0, 0.0, 1.0), Vec4::new(0.34, 0.01, 0.01, 1.0));
    within("cube-light", &image, &[(0.0, 0.0, least, most)]);
    let mut frame = dark_frame();
    frame.environment = cube(|face, _, _| if face == 5 { Vec3::X } else { Vec3::ZERO });
    let image = draw(&mut frame, &scene(vec![(square(), chalk(Vec3::splat(0.5)), Vec3::ZERO)]));
    within("cube-behind", &image, &[(0.0, 0.0, Vec4::W, Vec4::new(0.03, 0.01, 0.01, 1.0))]);
}

#[test]
fn ambient_light_falls_on_everything_alike() {
    let mut frame = dark_frame();
    frame.ambient = Vec3::new(0.6, 0.2, 0.0);
    let mut turned = square();
    turned.normals.fill(Vec3::new(0.8, 0.0, 0.6));
    turned.positions.iter_mut().for_each(|p| p.x = p.x * 0.5 + 0.5);
    let things = vec![
        (square(), chalk(Vec3::splat(0.5)), Vec3::NEG_Z),
        (turned, chalk(Vec3::splat(0.5)), Vec3::ZERO),
    ];
    let image = draw(&mut frame, &scene(things));
    let light = Vec4::new(0.3, 0.1, 0.0, 1.0);
    expect("ambient", &image, &[(-0.5, 0.0, light), (0.5, 0.0, light)], 0.02);
}

#[test]
fn a_valley_is_lit_on_the_side_that_faces_the_light() {
    let mut frame = dark_frame();
    frame.camera = Camera {
        position: Vec3::Y * 10.0,
        up: Vec3::NEG_Z,
        lens: Lens::Orthographic { half_height: 1.0 },
        ..frame.camera
    };
    frame.shadows.on = false;
    frame.lights.push(Light::directional(Vec3::NEG_X, Vec3::ONE, 3.0));
    let mut parts = parts(vec![(square(), chalk(Vec3::splat(0.5)), Vec3::ZERO)]);
    parts.meshes[0] = terrain(2.0, 16, |x, _| x.abs());
    parts.meshes[0].primitives[0].material = Some(sinew_scene::MaterialId::new(0));
    let valley = sinew_scene::Scene::new(parts).expect("a good scene");
    let image = draw(&mut frame, &valley);
    // 45° to the light: 0.5 · 3 / π · cos 45° = 0.34, less 0.04 by the tone curve.
    let (dark, light) = (Vec4::W, Vec4::new(0.30, 0.30, 0.30, 1.0));
    expect("valley", &image, &[(-0.5, 0.3, light), (0.5, 0.3, dark)], 0.03);
}
