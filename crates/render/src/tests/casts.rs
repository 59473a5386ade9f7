//! Whose shadow falls: holes let light through, skins cast it from where their joints took them.

use glam::{Affine3A, Vec3, Vec4};
use sinew_scene::{
    AlphaMode, Image, ImageData, ImageId, Influence, Influences, JointId, Material, Node,
    Primitive, Sampler, Scene, Skin, SkinId, Texture, TextureId, TextureUse, Transform,
    UvTransform,
};

use super::stage::{chalk, dark_frame, draw, gpu, parts, shoot, square, within};
use crate::{Frame, Light, Renderer, RestPose};

const LEAST_LIT: Vec4 = Vec4::new(0.25, 0.25, 0.25, 1.0);
const MOST_DARK: Vec4 = Vec4::new(0.01, 0.01, 0.01, 1.0);

/// Light that comes from the left: a metre before the wall, shadows fall half a metre to the right.
fn slanted() -> Frame {
    let mut frame = dark_frame();
    frame.lights.push(Light::directional(Vec3::new(0.5, 0.0, -1.0), Vec3::ONE, 3.0));
    frame
}

fn lid() -> Primitive {
    let mut lid = square();
    lid.positions.iter_mut().for_each(|p| *p *= 0.3);
    lid
}

/// A wall, and a lid a metre before it, at the left: its shadow skin_bounds from -0.3 to 0.3.
fn wall_and(lid: Primitive, material: Material) -> sinew_scene::SceneParts {
    parts(vec![
        (square(), chalk(Vec3::splat(0.5)), Vec3::ZERO),
        (lid, material, Vec3::new(-0.5, 0.0, 1.0)),
    ])
}

#[test]
fn a_masked_image_casts_the_shadow_of_what_is_left_of_it() {
    let mut masked = Material { alpha_mode: AlphaMode::Mask, ..chalk(Vec3::ONE) };
    masked.base_color_texture = Some(TextureUse {
        texture: TextureId::new(0),
        uv_set: 0,
        transform: UvTransform::default(),
    });
    let mut parts = wall_and(lid(), masked);
    let nearest = sinew_scene::Filter::Nearest;
    let sampler = Sampler { magnify: nearest, minify: nearest, ..Sampler::default() };
    parts.textures = vec![Texture { name: String::new(), image: Some(ImageId::new(0)), sampler }];
    let rgba = [[255, 255, 255, 0], [255; 4]].concat().into();
    let data = ImageData::Pixels { width: 2, height: 1, rgba };
    parts.images = vec![Image { name: "half".into(), data }];
    let image = draw(&mut slanted(), &Scene::new(parts).expect("a good scene"));
    within(
        "masked-shadow",
        &image,
        &[(-0.12, 0.0, LEAST_LIT, Vec4::ONE), (0.15, 0.0, Vec4::W, MOST_DARK)],
    );
}

#[test]
fn masked_vertex_colours_cast_as_they_are_drawn() {
    let mut half = lid();
    half.colors = vec![[0.0, 1.0, 1.0, 0.0].map(|alpha| Vec4::new(1.0, 1.0, 1.0, alpha)).to_vec()];
    let masked = Material { alpha_mode: AlphaMode::Mask, alpha_cutoff: 0.5, ..chalk(Vec3::ONE) };
    let parts = wall_and(half, masked);
    let image = draw(&mut slanted(), &Scene::new(parts).expect("a good scene"));
    within(
        "masked-colour-shadow",
        &image,
        &[(-0.12, 0.0, LEAST_LIT, Vec4::ONE), (0.15, 0.0, Vec4::W, MOST_DARK)],
    );
}

#[test]
fn a_skin_casts_its_shadow_from_its_pose_and_not_from_its_rest() {
    let mut thing = lid();
    let mut influences = Influences::default();
    for _ in 0..4 {
        influences.push([Influence { joint: 0, weight: 1.0 }]);
    }
    thing.influences = influences;
    let mut parts = wall_and(thing, chalk(Vec3::ONE));
    parts.nodes.push(Node::new("joint", None, Transform::IDENTITY));
    let place = Affine3A::from_translation(Vec3::new(-0.5, 0.0, 1.0));
    parts.skins.push(Skin {
        joints: vec![JointId::new(2)],
        joint_from_mesh: vec![place],
        ..Skin::default()
    });
    parts.instances[1].skin = Some(SkinId::new(0));
    let scene = Scene::new(parts).expect("a good scene");
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut joints = still.model_from_joint().to_vec();
    joints[2] = Affine3A::from_translation(Vec3::Y * 0.6);
    let mut frame = slanted();
    let mut posed = still.view(Affine3A::IDENTITY);
    posed.model_from_joint = &joints;
    frame.add(&model, &posed);
    let image = shoot(&mut renderer, &mut frame);
    within(
        "skinned-shadow",
        &image,
        &[(0.1, 0.0, LEAST_LIT, Vec4::ONE), (0.1, 0.6, Vec4::W, MOST_DARK)],
    );
}
