//! The built-in models, all made by code: Ossi, a character; the small place where Ossi lives; and a demo rig.
//!
//! Out: [`ossi`], a traveller of 1.75 m (1.85 m with the pompom of the cap), 53 nodes, one smooth skin and six clips; and
//! [`ossi_place`], soft ground with stones and trees. Metres, Y up, facing +Z, on the floor y = 0.
//!
//! The way: `skeleton` → `body` (a signed distance) → `surface` (its mesh) → `weights` and `paint`
//! → `clips`.

mod body;
mod cells;
mod clips;
mod demo;
mod paint;
mod parts;
mod place;
mod skeleton;
mod surface;
mod swatches;
mod weights;

pub use demo::demo;
pub use place::ossi_place;

use glam::Affine3A;
use sinew_scene::{
    Geometry, Instance, JointId, MaterialId, Mesh, MeshId, Primitive, Scene, SceneParts, Skin,
    SkinId, SkinMethod,
};

/// The built-in character.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// assert!(ossi.clip("walk").is_some());
/// assert!(ossi.skeleton().find("hand.L").is_some());
/// ```
#[must_use]
pub fn ossi() -> Scene {
    // What it is made of is fixed, and a test sees that it is a good scene.
    Scene::new(parts()).unwrap_or_default()
}

fn parts() -> SceneParts {
    SceneParts {
        nodes: skeleton::nodes(),
        instances: vec![Instance {
            joint: JointId::new(skeleton::ROOT),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: Vec::new(),
        }],
        meshes: vec![Mesh {
            name: "ossi".into(),
            primitives: vec![primitive()],
            morph_names: Vec::new(),
        }],
        skins: vec![skin()],
        clips: clips::clips(),
        materials: vec![swatches::material()],
        textures: swatches::textures(),
        images: swatches::images(),
        ..SceneParts::default()
    }
}

/// Every joint but the root, bound as it stands at rest.
fn skin() -> Skin {
    let places = skeleton::places();
    Skin {
        name: "ossi".into(),
        joints: (skeleton::HIPS..skeleton::COUNT).map(JointId::new).collect(),
        joint_from_mesh: places[skeleton::HIPS..]
            .iter()
            .map(|&place| Affine3A::from_translation(-place))
            .collect(),
        method: SkinMethod::Linear,
    }
}

fn primitive() -> Primitive {
    let body = body::Body::new();
    let skin = surface::surface(&body);
    let influences = weights::weights(&body, &skin);
    let painted = paint::paint(&body, &skin, &influences);
    Primitive {
        material: Some(MaterialId::new(0)),
        ..Primitive::from(Geometry {
            indices: painted.indices,
            positions: painted.positions,
            normals: painted.normals,
            uvs: vec![painted.uvs],
            colors: vec![painted.colors],
            influences: painted.influences,
            ..Geometry::default()
        })
    }
}
