//! Ground to stand on, made by code.
//!
//! Every shape is level and at height 0 near the origin, where the actors are.

use glam::{Affine3A, Vec3};
use sinew_scene::{
    Instance, JointId, Material, MaterialId, Mesh, MeshId, Node, Scene, SceneParts, Transform,
};

use super::Color;

/// How ground rises away from the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Not at all.
    Flat,
    /// Round hills.
    #[default]
    Hills,
    /// Long ridges.
    Dunes,
}

/// Ground to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How it rises.
    pub shape: Shape,
    /// Of a side, in metres.
    pub size: f32,
    /// Of the highest places, in metres, about.
    pub height: f32,
    /// Of its surface.
    pub color: Color,
}

impl Default for Ground {
    fn default() -> Self {
        Self { shape: Shape::Hills, size: 120.0, height: 4.0, color: Color::srgb(0x7d_8a5c) }
    }
}

/// Cells on a side: fine enough for the waves below.
const CELLS: u32 = 160;
/// Ground is level up to here, in metres from the origin…
const LEVEL: f32 = 3.0;
/// … and as high as it gets from here.
const FULL: f32 = 24.0;

impl Ground {
    /// Its height at a place, in metres.
    #[must_use]
    pub fn height_at(&self, x: f32, z: f32) -> f32 {
        let away = ((x.hypot(z) - LEVEL) / (FULL - LEVEL)).clamp(0.0, 1.0);
        let rise = away * away * (3.0 - 2.0 * away);
        rise * self.height * self.wave(x, z)
    }

    /// From about -0.3 to 1.
    fn wave(&self, x: f32, z: f32) -> f32 {
        match self.shape {
            Shape::Flat => 0.0,
            Shape::Hills => {
                let wide = (x * 0.13 + 0.7).sin() * (z * 0.11 - 0.4).cos();
                let small = (x * 0.31 + z * 0.17).sin() * (z * 0.29 - x * 0.07).cos();
                0.35 + 0.5 * wide + 0.15 * small
            }
            Shape::Dunes => {
                let along = x * 0.22 + 1.7 * (z * 0.06).sin();
                let ridge = 1.0 - along.sin().abs();
                0.9 * ridge * ridge + 0.1 * (z * 0.23).sin()
            }
        }
    }

    /// Itself as a scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut mesh = sinew_render::terrain(self.size, CELLS, |x, z| self.height_at(x, z));
        self.paint(&mut mesh);
        let material = Material {
            name: "ground".into(),
            metallic: 0.0,
            roughness: 0.95,
            ..Material::default()
        };
        let parts = SceneParts {
            nodes: vec![Node::new("ground", None, Transform::IDENTITY)],
            instances: vec![Instance {
                joint: JointId::new(0),
                mesh: MeshId::new(0),
                skin: None,
                weights: Vec::new(),
            }],
            meshes: vec![mesh],
            materials: vec![material],
            file_from_world: Affine3A::IDENTITY,
            ..SceneParts::default()
        };
        // What it is made of is fixed, and a test sees that it is a good scene.
        Scene::new(parts).unwrap_or_default()
    }

    /// Vertex colours that differ a little from place to place, so that a plain does not look empty.
    fn paint(&self, mesh: &mut Mesh) {
        for primitive in &mut mesh.primitives {
            let shade = |p: &Vec3| {
                let patches =
                    (p.x * 0.9 + (p.z * 0.7).sin()).sin() * (p.z * 0.8 - (p.x * 0.5).cos()).cos();
                let steep = 0.04 * p.y;
                (self.color.0 * (1.0 + 0.10 * patches + steep)).extend(1.0)
            };
            primitive.colors = vec![primitive.positions.iter().map(shade).collect()];
            primitive.material = Some(MaterialId::new(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_is_level_where_the_actors_are_and_rises_further_out() {
        for shape in [Shape::Flat, Shape::Hills, Shape::Dunes] {
            let ground = Ground { shape, ..Ground::default() };
            assert_eq!(ground.height_at(2.0, -2.0), 0.0, "{shape:?}");
            let highest = (0..400)
                .map(|step| {
                    ground
                        .height_at((step % 20) as f32 * 6.0 - 57.0, (step / 20) as f32 * 6.0 - 57.0)
                })
                .fold(f32::MIN, f32::max);
            let expected = if shape == Shape::Flat { 0.0..=0.0 } else { 2.0..=4.4 };
            assert!(expected.contains(&highest), "{shape:?}: {highest}");
        }
    }

    #[test]
    fn ground_is_a_good_scene() {
        let scene = Ground::default().scene();
        assert_eq!(scene.meshes[0].primitives[0].positions.len(), 161 * 161);
    }
}
