//! The fourth step: joint matrices go to the GPU, and the image is drawn, without a window.
//!
//! In:  meshes, skins, morph weights, cameras and lights as they are, and a [`Screen`] in the world.
//! Out: the image in the screen's target.
//!
//! A model is uploaded when it is first seen, once for all copies, and dropped when nobody has its scene any more.

mod models;
mod screen;

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use sinew::Bounds;
use sinew::glam::Affine3A;
use sinew::render::{
    Camera as RenderCamera, Floor, FramePalette, Light as RenderLight, MeshInstance, View,
};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{Camera, JointMatrices, Light, Mesh, MorphWeights, Skin, WorldTransform};
pub use screen::Screen;

/// The camera's vertical angle where no camera is on: that of a short portrait lens.
const FOV: f32 = 0.55;

type Meshes<'w, 's> =
    Query<'w, 's, (Entity, &'static Mesh, &'static WorldTransform, Option<&'static MorphWeights>)>;
type Skins<'w, 's> = Query<'w, 's, (&'static Skin, &'static JointMatrices)>;

pub(crate) fn draw(
    screen: Option<ResMut<'_, Screen>>,
    meshes: Meshes<'_, '_>,
    skins: Skins<'_, '_>,
    cameras: Query<'_, '_, (Entity, &Camera, &WorldTransform)>,
    lights: Query<'_, '_, (Entity, &Light, &WorldTransform)>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    diagnostics.render.clear();
    let Some(screen) = screen else { return };
    let screen = screen.into_inner();
    screen.begin();
    let bounds = fill(screen, &meshes, &skins, &mut diagnostics.render);
    screen.frame.camera =
        match cameras.iter().filter(|(_, c, _)| c.on).min_by_key(|c| c.0.index_u32()) {
            Some((_, camera, world)) => render_camera(camera, world.0),
            None => {
                let aspect = screen.target().aspect();
                RenderCamera::frame(bounds, View::ThreeQuarter.direction(), FOV, aspect)
            }
        };
    let mut shining: Vec<_> = lights.iter().filter(|(_, light, _)| light.on).collect();
    shining.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    let shining = shining.into_iter().map(|(_, light, world)| render_light(light, world.0));
    screen.frame.lights.extend(shining);
    if screen.surroundings.floor.is_none() {
        screen.frame.floor = Floor::under(bounds);
    }
    if let Err(error) = screen.finish() {
        diagnostics.render.push(Diagnostic::Render(error));
    }
}

/// Puts every mesh into the frame; gives a box around all.
fn fill(
    screen: &mut Screen,
    meshes: &Meshes<'_, '_>,
    skins: &Skins<'_, '_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Bounds {
    let mut palettes: EntityHashMap<FramePalette> = EntityHashMap::default();
    let mut all = Bounds::EMPTY;
    let mut weights = Vec::new();
    let Screen { models, frame, renderer, .. } = screen;
    for (entity, mesh, node, own_weights) in meshes {
        let (index, count) = (mesh.mesh.index(), mesh.scene.meshes.len());
        let Some(shape) = mesh.scene.meshes.get(index) else {
            diagnostics.push(Diagnostic::MissingMesh { mesh: entity, index, count });
            continue;
        };
        let model = match models.get(renderer, &mesh.scene) {
            Ok(model) => model,
            Err(error) => {
                let diagnostic = Diagnostic::Render(error);
                if !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
                continue;
            }
        };
        let skinned = match mesh.skin {
            None => None,
            Some(skin) => match skins.get(skin) {
                Ok(skinned) => Some((skin, skinned)),
                Err(_) => {
                    diagnostics.push(Diagnostic::LostSkin { mesh: entity, skin });
                    continue;
                }
            },
        };
        let has = skinned.map_or(0, |(_, (_, matrices))| matrices.node_from_mesh.len());
        let needs = model.joints_needed(index);
        if skinned.is_some() && needs > has {
            diagnostics.push(Diagnostic::ShortSkin { mesh: entity, needs, has });
            continue;
        }
        weights.clear();
        weights.extend(own_weights.map_or(&[][..], |weights| &weights.0));
        let expected = shape.morph_count();
        if own_weights.is_some() && weights.len() != expected {
            let found = weights.len();
            diagnostics.push(Diagnostic::WrongWeights { mesh: entity, expected, found });
        }
        weights.resize(expected, 0.0);
        // What is not a finite number counts as zero.
        weights.iter_mut().filter(|weight| !weight.is_finite()).for_each(|weight| *weight = 0.0);
        let palette = skinned.map(|(entity, (skin, matrices))| {
            *palettes.entry(entity).or_insert_with(|| {
                frame.add_palette(skin.source().method, matrices.world_from_mesh())
            })
        });
        let bounds =
            model.bounds(index, skinned.map(|(_, (_, matrices))| matrices), node.0, &weights);
        all = all.union(bounds);
        let bounds = (!bounds.is_empty()).then_some(bounds);
        let instance = MeshInstance {
            mesh: mesh.mesh,
            world_from_node: node.0,
            palette,
            weights: &weights,
            bounds,
        };
        frame.add_mesh(model.uploaded(), &instance);
    }
    all
}

fn render_camera(camera: &Camera, world_from_node: Affine3A) -> RenderCamera {
    let here = sinew::scene::Camera {
        name: String::new(),
        joint: sinew::JointId::new(0),
        projection: camera.projection,
    };
    RenderCamera::from_scene(&here, world_from_node)
}

fn render_light(light: &Light, world_from_node: Affine3A) -> RenderLight {
    let here = sinew::scene::Light {
        name: String::new(),
        joint: sinew::JointId::new(0),
        kind: light.kind,
        color: light.color,
        intensity: light.intensity,
        range: light.range,
    };
    RenderLight::from_scene(&here, world_from_node)
}
