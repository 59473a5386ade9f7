//! The steps every format's parts go through to become a scene.
//!
//! In:  parts in the file's own space, as an importer found them.
//! Out: a checked scene in Sinew's space.
//!
//! A step that is not asked for, or has nothing to do, costs nothing. Normals come before tangents,
//! which need them; joining comes after both, when vertices have all their attributes; baking copies, so
//! it comes after joining.

mod angle;
#[cfg(feature = "prepare")]
mod bake;
mod bodiless;
mod buckets;
pub(crate) mod hash;
mod images;
#[cfg(feature = "prepare")]
mod join;
mod mend;
mod morph_normals;
mod normals;
mod shared;
mod tangent_space;
mod tangents;
pub(crate) mod triangulate;
mod vertices;
#[cfg(feature = "prepare")]
mod weights;

use sinew_scene::Scene;
#[cfg(feature = "prepare")]
use sinew_scene::SceneParts;

use self::shared::Shared;
#[cfg(feature = "prepare")]
use crate::Options;
use crate::axes;
#[cfg(feature = "prepare")]
use crate::note::Notes;
use crate::open::{Context, Raw};
use crate::options::Normals;
use crate::{ImportError, parallel};

pub(crate) fn finish(raw: Raw, context: &mut Context<'_>) -> Result<Scene, ImportError> {
    let Context { options, notes, .. } = context;
    #[cfg(feature = "prepare")]
    let budget = &mut context.budget;
    let mut parts = raw.parts;
    let shared = Shared::take_out(&mut parts);
    mend::mend(&mut parts, notes);
    bodiless::note(&parts, notes);
    axes::to_world(&mut parts, raw.world_from_file);
    let crease = match options.normals {
        Normals::Keep => None,
        Normals::Usual => Some(raw.usual_crease),
        Normals::Crease(angle) => Some(angle),
    };
    if let Some(angle) = crease {
        let meshes = parts.meshes.iter_mut().collect();
        parallel::map(meshes, |mesh| normals::work(mesh), |mesh| normals::make(mesh, angle));
    }
    tangents::make_all(&mut parts, options.tangents, notes);
    #[cfg(feature = "prepare")]
    prepare(&mut parts, options, notes);
    shared.give_back(&mut parts);
    #[cfg(feature = "prepare")]
    if options.bake_static {
        bake::bake(&mut parts, budget, notes);
    }
    if options.decode_images {
        images::decode_all(&mut parts, notes);
    }
    Ok(Scene::new(parts)?)
}

/// What was asked for beyond reading, but for baking.
#[cfg(feature = "prepare")]
fn prepare(parts: &mut SceneParts, options: &Options, notes: &mut Notes) {
    if let Some(most) = options.max_influences {
        weights::limit(parts, most, notes);
    }
    if options.join_vertices {
        let primitives = parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        primitives.for_each(|primitive| join::join(primitive));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::WorldFromFile;
    use crate::budget::Budget;
    use crate::note::Notes;
    use crate::{NoFiles, Options, Tangents};
    use glam::{Vec2, Vec3, Vec4};
    use sinew_scene::{
        Geometry, Influence, Instance, JointId, Mesh, MeshId, MorphTarget, Node, Primitive,
        SceneParts, Topology, Transform,
    };

    fn finish_with(options: &Options, parts: SceneParts) -> Result<Scene, ImportError> {
        let mut context = Context {
            files: &NoFiles,
            options,
            notes: Notes::default(),
            budget: Budget::for_file(0),
            extensions: Vec::new(),
            missing: Default::default(),
        };
        finish(Raw::new(parts, WorldFromFile::SAME), &mut context)
    }

    fn everything() -> Options {
        Options {
            tangents: Tangents::Everywhere,
            join_vertices: true,
            max_influences: Some(2),
            bake_static: true,
            decode_images: true,
            ..Options::default()
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % limit
        }

        fn number(&mut self) -> f32 {
            let odd = [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1e20];
            match self.below(100) {
                at if at < odd.len() => odd[at],
                at if at < 50 => self.below(3) as f32,
                _ => self.below(1000) as f32 / 500.0 - 1.0,
            }
        }

        fn list<V>(&mut self, count: usize, mut make: impl FnMut(&mut Self) -> V) -> Vec<V> {
            let count = match self.below(20) {
                0 => count + 1,
                1..=6 => 0,
                _ => count,
            };
            (0..count).map(|_| make(self)).collect()
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.number(), self.number(), self.number())
        }

        fn primitive(&mut self) -> Primitive {
            let count = 1 + self.below(12);
            let faces = self.below(12);
            let beyond = usize::from(self.below(20) == 0);
            let mut primitive = Primitive::from(Geometry {
                topology: [Topology::Triangles, Topology::Lines][usize::from(self.below(9) == 0)],
                indices: (0..faces * 3).map(|_| self.below(count + beyond) as u32).collect(),
                positions: (0..count).map(|_| self.vector()).collect(),
                normals: self.list(count, Self::vector),
                tangents: self.list(count, |random| random.vector().extend(random.number())),
                uvs: vec![self.list(count, |random| Vec2::new(random.number(), random.number()))],
                colors: vec![self.list(count, |_| Vec4::ONE)],
                morphs: vec![MorphTarget {
                    positions: self.list(count, Self::vector),
                    normals: self.list(count, Self::vector),
                    tangents: self.list(count, Self::vector),
                }],
                ..Geometry::default()
            });
            for _ in 0..self.list(count, |_| ()).len() {
                let influences: Vec<_> = (0..self.below(5))
                    .map(|joint| Influence { joint: joint as u32, weight: self.number() })
                    .collect();
                primitive.influences.push(influences);
            }
            primitive
        }
    }

    #[test]
    fn whatever_an_importer_leaves_becomes_a_scene_or_an_error() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut scenes = 0;
        for _ in 0..4000 {
            let mesh = Mesh {
                primitives: vec![random.primitive()],
                morph_names: vec!["m".into()],
                ..Mesh::default()
            };
            let place = |joint: usize| Instance {
                joint: JointId::new(joint),
                mesh: MeshId::new(0),
                skin: None,
                weights: vec![0.0],
            };
            let scale = Vec3::new(random.number(), -1.0, 1.0);
            let parts = SceneParts {
                nodes: vec![Node::new("", None, Transform { scale, ..Transform::IDENTITY })],
                meshes: vec![mesh],
                instances: vec![place(0), place(usize::from(random.below(20) == 0))],
                ..SceneParts::default()
            };
            scenes += usize::from(finish_with(&everything(), parts).is_ok());
        }
        assert!(scenes > 50, "{scenes} of 4000 are a scene");
    }

    #[test]
    fn a_finished_file_is_handed_on_as_it_is() {
        let primitive = Primitive::from(Geometry {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            uvs: vec![vec![Vec2::ZERO; 3]],
            indices: vec![0, 1, 2],
            ..Geometry::default()
        });
        let meshes = vec![Mesh { primitives: vec![primitive], ..Mesh::default() }];
        let parts = SceneParts { meshes, ..SceneParts::default() };
        let scene = finish_with(&Options::default(), parts.clone()).expect("good parts");
        assert_eq!(scene.into_parts(), parts);
    }
}
