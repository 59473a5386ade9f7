//! Bones, lines, grids, edges and heat, as they are seen.

use glam::{Affine3A, Vec3, Vec4};
use sinew_deform::{Bounds, Vertices};
use sinew_scene::{
    Influence, Influences, JointId, Node, Primitive, Scene, SceneParts, Skin, SkinId, Transform,
};

use super::stage::{at, dark_frame, draw, expect, gpu, paint, parts, scene, shoot, square};
use crate::{BoneStyle, Camera, Floor, Frame, Renderer, RestPose};

const GREY: Vec4 = Vec4::new(0.05, 0.05, 0.05, 1.0);

fn chain() -> Scene {
    let joint = |index: usize| Some(JointId::new(index));
    let up = Transform::from_translation(Vec3::Y * 0.8);
    Scene::new(SceneParts {
        nodes: vec![
            Node::new("root", None, Transform::from_translation(Vec3::Y * -0.8)),
            Node::new("middle", joint(0), up),
            Node::new("tip", joint(1), up),
        ],
        ..SceneParts::default()
    })
    .expect("a good scene")
}

fn with_bones(frame: &mut Frame, skeleton: &Scene) {
    let still = RestPose::new(skeleton);
    let style = BoneStyle { chosen: Some(JointId::new(1)), ..BoneStyle::default() };
    frame.overlay.skeleton(skeleton.skeleton(), still.model_from_joint(), &style);
}

#[test]
fn a_skeleton_is_seen_also_without_a_mesh_and_its_chosen_joint_glows() {
    let skeleton = chain();
    let mut frame = dark_frame();
    with_bones(&mut frame, &skeleton);
    let image = draw(&mut frame, &skeleton);
    let (blue, orange) = (at(&image, 0.02, -0.6), at(&image, 0.02, 0.2));
    assert!(blue.z > 0.15 && blue.z > 2.0 * blue.x, "{blue}");
    assert!(orange.x > 0.2 && orange.z < orange.x * 0.3, "{orange}");
    assert!(at(&image, 0.5, 0.0).x < 0.01, "nothing beside it");
}

#[test]
fn bones_are_seen_through_a_mesh_but_fainter_than_before_it() {
    let skeleton = chain();
    let brightness = |wall: f32| {
        let mut frame = dark_frame();
        with_bones(&mut frame, &skeleton);
        let wall = scene(vec![(square(), paint(GREY), Vec3::Z * wall)]);
        at(&draw(&mut frame, &wall), 0.02, 0.2)
    };
    let (before, behind) = (brightness(-1.0), brightness(1.0));
    assert!(before.x > behind.x + 0.05, "{before} and {behind}");
    assert!(behind.x > GREY.x + 0.03, "seen through the wall: {behind}");
}

#[test]
fn a_box_and_axes_are_drawn_where_they_are() {
    let mut frame = dark_frame();
    let half = Vec3::splat(0.5);
    frame.overlay.bounds(Bounds { min: -half, max: half }, Vec4::ONE);
    frame.overlay.axes(Affine3A::IDENTITY, 0.4);
    let image = draw(&mut frame, &scene(vec![]));
    let found = |x: f32, y: f32| at(&image, x, y);
    assert!(found(0.5, 0.2).y > 0.3 || found(0.49, 0.2).y > 0.3, "the box's right edge");
    let (x, y) = (found(0.2, 0.005), found(0.005, 0.2));
    assert!(x.x > 0.3 && x.y < 0.2, "x is red: {x}");
    assert!(y.y > 0.3 && y.x < 0.4, "y is green: {y}");
}

#[test]
fn a_name_is_written_beside_its_joint_and_over_what_hides_it() {
    let skeleton = chain();
    let still = RestPose::new(&skeleton);
    let wall = scene(vec![(square(), paint(GREY), Vec3::Z)]);
    let mut frame = dark_frame();
    let style = BoneStyle { chosen: Some(JointId::new(1)), ..BoneStyle::default() };
    frame.overlay.names(skeleton.skeleton(), still.model_from_joint(), &style);
    assert_eq!(frame.overlay.labels.len(), 3);
    let image = draw(&mut frame, &wall);
    // "middle" stands right of the image's middle: letters eight pixels high, in the colour of what is chosen.
    let (x, y) = (image.width / 2, image.height / 2);
    let pixels = || (x + 6..x + 40).flat_map(|x| (y - 5..y + 6).map(move |y| (x, y)));
    let orange = pixels().map(|(x, y)| image.pixel(x, y)).filter(|p| p[0] > 150 && p[2] < 120);
    assert!(orange.clone().count() > 30, "{}", orange.count());
    let dark = pixels().map(|(x, y)| image.pixel(x, y)).filter(|p| p[0] < 45).count();
    assert!(dark > 60, "a plate behind the letters: {dark}");
    let left = (x - 30..x - 4).map(|x| image.pixel(x, y));
    assert!(left.clone().all(|p| p == image.pixel(4, y)), "nothing on its left");
}

#[test]
fn edges_are_darker_than_the_surface() {
    let mut frame = dark_frame();
    frame.wireframe = true;
    let image = draw(&mut frame, &scene(vec![(square(), paint(Vec4::ONE), Vec3::ZERO)]));
    // The diagonal runs from the lower left to the upper right.
    let on = (0..20).map(|step| at(&image, -0.5 + step as f32 * 0.05, -0.5 + step as f32 * 0.05).x);
    let darkest = on.fold(1.0, f32::min);
    assert!(darkest < 0.7, "{darkest}");
    assert!(at(&image, 0.5, -0.5).x > 0.95);
}

#[test]
fn normals_stand_out_of_their_vertices() {
    let vertices =
        Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::X], tangents: Vec::new() };
    let mut frame = dark_frame();
    frame.overlay.normals(&vertices, 0.5);
    let image = draw(&mut frame, &scene(vec![]));
    assert!(at(&image, 0.25, 0.005).z > 0.2);
    assert!(at(&image, 0.75, 0.005).z < 0.01);
}

#[test]
fn a_floor_has_lines_and_takes_shadows() {
    let mut frame = dark_frame();
    frame.background = crate::Background::Color(Vec3::splat(0.5));
    frame.camera = Camera::look_at(Vec3::new(0.0, 8.0, 0.01), Vec3::ZERO, 0.25);
    frame.lights.push(crate::Light::directional(Vec3::NEG_Y, Vec3::ONE, 1.0));
    frame.floor = Floor { cell: 1.0, ..Floor::default() };
    let mut lid = square();
    lid.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.0, -p.y) * 0.4);
    lid.normals.fill(Vec3::Y);
    let things = scene(vec![(lid, paint(Vec4::new(1.0, 0.0, 0.0, 1.0)), Vec3::new(0.0, 1.0, 0.5))]);
    let image = draw(&mut frame, &things);
    let open = at(&image, 0.7, 0.6).x;
    assert!((open - 0.5).abs() < 0.02, "{open}");
    // The lid hides most of its shadow; above it in the image the shadow would be nearer to the middle.
    assert!(at(&image, 0.0, -0.45).x > 0.9, "the lid itself");
    let row = (0..96).map(|x| image.pixel(x, 20)[2]);
    assert!(row.clone().max().unwrap_or(0) > row.min().unwrap_or(0) + 10, "lines of the grid");
}

fn warm() -> Scene {
    let mut thing: Primitive = square();
    let mut influences = Influences::default();
    for weight in [0.0, 1.0, 1.0, 0.0] {
        influences
            .push([Influence { joint: 0, weight: 1.0 - weight }, Influence { joint: 1, weight }]);
    }
    thing.influences = influences;
    let mut parts = parts(vec![(thing, paint(Vec4::ONE), Vec3::ZERO)]);
    parts.nodes.push(Node::new("other", None, Transform::IDENTITY));
    parts.skins.push(Skin {
        joints: vec![JointId::new(0), JointId::new(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY; 2],
        ..Skin::default()
    });
    parts.instances[0].skin = Some(SkinId::new(0));
    Scene::new(parts).expect("a good scene")
}

#[test]
fn the_heat_map_runs_from_cold_blue_over_green_to_hot_red() {
    let scene = warm();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let mut frame = dark_frame();
    let still = RestPose::new(&scene);
    let mut posed = still.view(Affine3A::IDENTITY);
    posed.heat = Some(JointId::new(1));
    frame.add(&model, &posed);
    let image = shoot(&mut renderer, &mut frame);
    let [cold, middle, hot] = [-0.95, 0.0, 0.97].map(|x| at(&image, x, 0.0));
    assert!(cold.z > cold.x && cold.z > cold.y, "cold is blue: {cold}");
    assert!(middle.y > 0.5 && middle.x < 0.2, "half is green: {middle}");
    assert!(hot.x > 0.7 && hot.y < 0.1, "hot is red: {hot}");
}

#[test]
fn heat_of_one_character_leaves_others_alone() {
    let scene = warm();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let mut frame = dark_frame();
    let still = RestPose::new(&scene);
    let shift = |y: f32| Affine3A::from_translation(Vec3::Y * y);
    let mut hot = still.view(shift(1.0));
    hot.heat = Some(JointId::new(1));
    frame.add(&model, &hot);
    frame.add(&model, &still.view(shift(-1.0)));
    let image = shoot(&mut renderer, &mut frame);
    expect("one-hot", &image, &[(0.5, -0.5, Vec4::ONE)], 0.01);
    assert!(at(&image, 0.0, 0.5).x < 0.3);
}
