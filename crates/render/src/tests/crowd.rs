//! Many characters: one draw, each in its own pose; who is not in the image is not drawn.

use glam::{Affine3A, Vec3, Vec4};

use super::stage::{at, dark_frame, gpu, paint, scene, shoot, square};
use crate::frame::{Batches, Sight};
use crate::{Renderer, RestPose, Target};

fn small() -> sinew_scene::Scene {
    let mut thing = square();
    thing.positions.iter_mut().for_each(|p| *p *= 0.2);
    scene(vec![(thing, paint(Vec4::ONE), Vec3::ZERO)])
}

fn at_place(x: f32, y: f32) -> Affine3A {
    Affine3A::from_translation(Vec3::new(x, y, 0.0))
}

#[test]
fn many_of_one_mesh_are_one_draw_and_each_stands_in_its_own_place() {
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    for (x, y) in [(-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
        frame.add(&model, &still.view(at_place(x, y)));
    }
    let target = Target::new(&gpu(), 96, 96).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    assert_eq!((stats.seen, stats.culled, stats.draws), (3, 0, 1));
    let image = target.read(&gpu()).expect("reads");
    let lit =
        [(-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)].map(|(x, y)| at(&image, x, y).x > 0.9);
    assert_eq!(lit, [true, true, true, false]);
}

#[test]
fn who_is_not_in_the_image_is_not_drawn() {
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    for x in [0.0, 1.1, 3.0, -30.0] {
        frame.add(&model, &still.view(at_place(x, 0.0)));
    }
    let target = Target::new(&gpu(), 96, 96).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    assert_eq!((stats.seen, stats.culled), (2, 2));
}

#[test]
fn a_frame_is_used_again_for_others() {
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    frame.add(&model, &still.view(at_place(-0.5, 0.0)));
    shoot(&mut renderer, &mut frame);
    frame.clear();
    assert!(frame.is_empty());
    frame.add(&model, &still.view(at_place(0.5, 0.0)));
    let image = shoot(&mut renderer, &mut frame);
    assert!(at(&image, -0.5, 0.0).x < 0.01 && at(&image, 0.5, 0.0).x > 0.9);
}

#[test]
fn two_thousand_stand_in_more_rows_of_texels_than_one() {
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    for _ in 0..2000 {
        frame.add(&model, &still.view(at_place(0.5, 0.5)));
    }
    frame.add(&model, &still.view(at_place(-0.5, -0.5)));
    let image = shoot(&mut renderer, &mut frame);
    assert!(at(&image, -0.5, -0.5).x > 0.9, "the last one is where it belongs");
}

#[test]
fn a_frame_like_the_last_one_allocates_nothing() {
    let scene = small();
    let renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    let mut batches = Batches::default();
    let mut sight = Sight::default();
    let mut fill = |frame: &mut crate::Frame| {
        frame.clear();
        for step in 0..100 {
            frame.add(&model, &still.view(at_place(step as f32 * 0.1 - 5.0, 0.0)));
        }
        sight.look(frame, (96, 96));
        sight.rank(frame, None, &[]);
        batches.fill(frame, &sight, 1 << 20);
    };
    fill(&mut frame);
    let measured = allocation_counter::measure(|| fill(&mut frame));
    assert_eq!(measured.count_total, 0);
}

#[test]
fn drawing_a_thousand_allocates_no_more_than_drawing_ten() {
    // What the graphics library allocates for a frame's commands is its own; none of it is for a character.
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let target = Target::new(&gpu(), 8, 8).expect("a target");
    let mut frame = dark_frame();
    let mut count = |many: u32| {
        let mut lap = || {
            frame.clear();
            for step in 0..many {
                frame.add(&model, &still.view(at_place(step as f32 * 0.001 - 0.5, 0.0)));
            }
            renderer.draw(&mut frame, &target).expect("draws");
            gpu().wait().expect("waits");
        };
        (0..3).for_each(|_| lap());
        (0..5).map(|_| allocation_counter::measure(&mut lap).count_total).min()
    };
    let (ten, thousand) = (count(10), count(1000));
    assert!(
        ten.is_some_and(|ten| thousand.is_some_and(|thousand| thousand <= ten + 4)),
        "{ten:?} and {thousand:?}"
    );
}

#[test]
fn memory_of_vertices_is_bounded_and_the_rest_is_skinned_by_each_pass() {
    let scene = small();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut frame = dark_frame();
    for step in 0..100 {
        frame.add(&model, &still.view(at_place(step as f32 * 0.01 - 0.5, 0.0)));
    }
    let mut sight = Sight::default();
    sight.look(&frame, (96, 96));
    sight.rank(&frame, None, &[]);
    let mut batches = Batches::default();
    // A hundred squares with four corners.
    for (room, fits) in [(0, false), (399, false), (400, true)] {
        batches.fill(&frame, &sight, room);
        assert_eq!(batches.skinned_vertices, if fits { 400 } else { 0 });
        assert!(batches.list.iter().all(|batch| batch.skinned == fits));
    }
    shoot(&mut renderer, &mut frame);
}
