//! The floor mirrors who stands on it: near the feet most, and nobody else.

use glam::{Vec3, Vec4};
use sinew_scene::Scene;

use super::stage::{dark_frame, draw, paint, scene, square, within};
use crate::{Floor, Frame, Image};

/// A red square of two metres that stands on the floor, seen from a little above; the image is four metres high.
fn shown(floor: Floor) -> Image {
    let mut frame = slanted();
    frame.floor = floor;
    draw(&mut frame, &red_square(1.0))
}

fn red_square(middle: f32) -> Scene {
    scene(vec![(square(), paint(Vec4::new(1.0, 0.0, 0.0, 1.0)), Vec3::Y * middle)])
}

fn slanted() -> Frame {
    let mut frame = dark_frame();
    frame.camera.position = Vec3::new(0.0, 2.0, 10.0);
    frame.camera.lens = crate::Lens::Orthographic { half_height: 2.0 };
    frame
}

/// Reflections end two metres above it.
const MIRROR: Floor = Floor { radius: 36.0, reflection: 1.0, ..Floor::NONE };

fn red(from: f32, to: f32) -> (Vec4, Vec4) {
    (Vec4::new(from, 0.0, 0.0, 1.0), Vec4::new(to, 0.001, 0.001, 1.0))
}

#[test]
fn a_floor_mirrors_who_stands_on_it_and_less_of_what_is_higher() {
    // The camera's slant is 11.3°, for which Fresnel is 0.44. 0.2 m above the floor 0.81 of that are left,
    // 1.22 m above it 0.15.
    let [near, high, none] = [red(0.30, 0.39), red(0.045, 0.085), red(0.0, 0.0)];
    let image = shown(MIRROR);
    let at = |x: f32, y: f32, (least, most): (Vec4, Vec4)| (x, y, least, most);
    let places = [at(0.0, -0.1, near), at(0.0, -0.6, high), at(0.9, -0.1, none)];
    within("mirrored", &image, &places);
    let half = shown(Floor { reflection: 0.5, ..MIRROR });
    within("half mirrored", &half, &[at(0.0, -0.1, red(0.15, 0.195))]);
    let plain = shown(Floor { reflection: 0.0, ..MIRROR });
    within("not mirrored", &plain, &[at(0.0, -0.1, none), at(0.0, -0.6, none)]);
}

#[test]
fn what_is_below_the_floor_or_high_above_it_is_not_mirrored() {
    // Half a metre is the limit here: one square begins 0.7 m above the floor, the other ends 0.5 m below. A black one beside the
    // image stands on it, so that there is something to mirror.
    for (middle, place) in [(1.7, -0.5), (-1.5, 0.5)] {
        let mut frame = slanted();
        frame.floor = Floor { radius: 9.0, ..MIRROR };
        let [red_paint, black] = [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::W].map(paint);
        let beside = Vec3::new(4.0, 1.0, 0.0);
        let things = vec![(square(), red_paint, Vec3::Y * middle), (square(), black, beside)];
        let image = draw(&mut frame, &scene(things));
        let (least, most) = red(0.0, 0.0);
        within("not on the floor", &image, &[(0.0, place, least, most)]);
    }
}
