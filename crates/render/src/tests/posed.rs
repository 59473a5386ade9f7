//! Characters in their poses: several of one mesh in one draw, hidden ones, smooth edges.

use glam::{Affine3A, Vec3, Vec4};
use sinew_scene::{
    Influence, Influences, JointId, Node, Scene, Skin, SkinId, SkinMethod, Transform,
};

use super::stage::{dark_frame, draw, expect, gpu, paint, parts, scene, shoot, square};
use crate::{Renderer, RestPose, Target};

const WHITE: Vec4 = Vec4::ONE;
const RED: Vec4 = Vec4::new(1.0, 0.0, 0.0, 1.0);

fn small() -> sinew_scene::Primitive {
    let mut thing = square();
    thing.positions.iter_mut().for_each(|p| *p *= 0.2);
    thing
}

/// A small square that one joint carries.
fn puppet() -> Scene {
    let mut thing = small();
    let mut influences = Influences::default();
    for _ in 0..4 {
        influences.push([Influence { joint: 0, weight: 1.0 }]);
    }
    thing.influences = influences;
    let mut parts = parts(vec![(thing, paint(WHITE), Vec3::ZERO)]);
    parts.nodes.push(Node::new("joint", None, Transform::IDENTITY));
    parts.skins.push(Skin {
        joints: vec![JointId::new(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY],
        method: SkinMethod::Linear,
        ..Skin::default()
    });
    parts.instances[0].skin = Some(SkinId::new(0));
    Scene::new(parts).expect("a good scene")
}

#[test]
fn characters_of_one_mesh_stand_each_in_its_own_pose_beside_what_never_moves() {
    let (puppet, stone) = (puppet(), scene(vec![(small(), paint(RED), Vec3::ZERO)]));
    let mut renderer = Renderer::new(&gpu());
    let moving = renderer.upload(&puppet).expect("uploads");
    let fixed = renderer.upload(&stone).expect("uploads");
    let still = RestPose::new(&puppet);
    let poses = [(-0.6, 0.5), (0.6, 0.5), (0.0, -0.5)].map(|(x, y)| {
        let mut joints = still.model_from_joint().to_vec();
        joints[1] = Affine3A::from_translation(Vec3::new(x, y, 0.0));
        joints
    });
    let mut frame = dark_frame();
    for joints in &poses {
        let mut posed = still.view(Affine3A::IDENTITY);
        (posed.model_from_joint, posed.bounds) = (joints, None);
        frame.add(&moving, &posed);
    }
    frame.add(&fixed, &RestPose::new(&stone).view(Affine3A::IDENTITY));
    let target = Target::new(&gpu(), 96, 96).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    assert_eq!(stats.draws, 2, "one for all puppets, one for the stone");
    let places = [(-0.6, 0.5, WHITE), (0.6, 0.5, WHITE), (0.0, -0.5, WHITE), (0.0, 0.0, RED)];
    expect("poses", &target.read(&gpu()).expect("reads"), &places, 0.01);
}

#[test]
fn what_is_hidden_is_neither_drawn_nor_casts_nor_takes_room() {
    let things = scene(vec![
        (small(), paint(RED), Vec3::NEG_X * 0.5),
        (small(), paint(WHITE), Vec3::X * 0.5),
    ]);
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&things).expect("uploads");
    let still = RestPose::new(&things);
    let mut frame = dark_frame();
    let mut posed = still.view(Affine3A::IDENTITY);
    posed.hidden = &[true, false];
    frame.add(&model, &posed);
    let image = shoot(&mut renderer, &mut frame);
    expect("hidden", &image, &[(-0.5, 0.0, Vec4::W), (0.5, 0.0, WHITE)], 0.01);

    frame.clear();
    posed.hidden = &[true, true];
    frame.add(&model, &posed);
    let target = Target::new(&gpu(), 96, 96).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    assert_eq!((stats.seen, stats.culled, stats.draws), (0, 1, 0));
}

#[test]
fn edges_are_smooth_with_four_samples_and_steps_without() {
    let mut slanted = square();
    // One corner pulled in: its edges run across the pixels.
    slanted.positions[2] = Vec3::new(0.3, 0.9, 0.0);
    let things = scene(vec![(slanted, paint(WHITE), Vec3::ZERO)]);
    let between = |target: &Target| {
        let mut renderer = Renderer::new(&gpu());
        let model = renderer.upload(&things).expect("uploads");
        let mut frame = dark_frame();
        frame.add(&model, &RestPose::new(&things).view(Affine3A::IDENTITY));
        renderer.draw(&mut frame, target).expect("draws");
        let image = target.read(&gpu()).expect("reads");
        image.rgba.chunks(4).filter(|pixel| (20..235).contains(&pixel[0])).count()
    };
    let smooth = between(&Target::new(&gpu(), 96, 96).expect("a target"));
    let plain = between(&Target::plain(&gpu(), 96, 96).expect("a target"));
    assert!(smooth > 60 && plain == 0, "{smooth} pixels between, and {plain} without samples");
    // The half-covered pixel of a straight edge in the middle of a pixel has half the light.
    let mut half = square();
    half.positions.iter_mut().for_each(|p| p.x = if p.x > 0.0 { 0.5 / 48.0 } else { -1.0 });
    let image = draw(&mut dark_frame(), &scene(vec![(half, paint(WHITE), Vec3::ZERO)]));
    expect("half-covered", &image, &[(0.001, 0.0, Vec4::new(0.5, 0.5, 0.5, 1.0))], 0.02);
}
