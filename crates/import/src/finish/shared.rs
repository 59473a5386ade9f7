//! Geometries that several primitives share are worked on once.
//!
//! In:  meshes as an importer made them. Out: the same, but one primitive alone has each shared geometry, and the
//! others have none until [`Shared::give_back`] hands them what became of it.
//!
//! Primitives of one geometry part where the steps between make different things of it: where normals are
//! missing, which are made for a mesh as a whole, and where tangents are made from different texture coordinates.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_scene::{Geometry, Mesh, Primitive, SceneParts};

use super::{mend, tangents};

/// A primitive, by the numbers of its mesh and of itself.
type At = (usize, usize);

/// Those that lent their geometry, each with the one that has it.
pub(super) struct Shared(Vec<(At, At)>);

/// Primitives of one kind become the same.
#[derive(PartialEq, Eq, Hash)]
struct Kind {
    geometry: *const Geometry,
    uv_set: Option<usize>,
    /// For normals: the number of its mesh among those with other geometries, and its own in it.
    in_mesh: Option<At>,
}

impl Shared {
    pub(super) fn take_out(parts: &mut SceneParts) -> Self {
        let empty = Arc::default();
        let (mut first, mut lists) = (HashMap::new(), HashMap::new());
        let mut lent = Vec::new();
        for (mesh_at, mesh) in parts.meshes.iter().enumerate() {
            let mut list = None;
            let shared = |one: &Primitive| Arc::strong_count(&one.geometry) > 1;
            for (at, primitive) in mesh.primitives.iter().enumerate().filter(|one| shared(one.1)) {
                let in_mesh = mend::lacks_normals(primitive).then(|| {
                    let next = lists.len();
                    (*list.get_or_insert_with(|| *lists.entry(pointers(mesh)).or_insert(next)), at)
                });
                let kind = Kind {
                    geometry: Arc::as_ptr(&primitive.geometry),
                    uv_set: tangents::mapped_set(primitive, &parts.materials),
                    in_mesh,
                };
                let holder = *first.entry(kind).or_insert((mesh_at, at));
                if holder != (mesh_at, at) {
                    lent.push(((mesh_at, at), holder));
                }
            }
        }
        for &((mesh, at), _) in &lent {
            parts.meshes[mesh].primitives[at].geometry = Arc::clone(&empty);
        }
        Self(lent)
    }

    pub(super) fn give_back(self, parts: &mut SceneParts) {
        for ((mesh, at), (of_mesh, of)) in self.0 {
            let geometry = Arc::clone(&parts.meshes[of_mesh].primitives[of].geometry);
            parts.meshes[mesh].primitives[at].geometry = geometry;
        }
    }
}

fn pointers(mesh: &Mesh) -> Vec<*const Geometry> {
    mesh.primitives.iter().map(|one| Arc::as_ptr(&one.geometry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::WorldFromFile;
    use crate::budget::Budget;
    use crate::note::Notes;
    use crate::open::{Context, Raw};
    use crate::{NoFiles, Options};
    use glam::Vec3;
    use sinew_scene::Scene;

    /// Two triangles with a fold between them.
    fn folded(normals: Vec<Vec3>) -> Arc<Geometry> {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.0, 0.5, 0.5)];
        let indices = vec![0, 1, 2, 0, 2, 3];
        Arc::new(Geometry { positions, normals, indices, ..Geometry::default() })
    }

    fn flat() -> Arc<Geometry> {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::NEG_Y];
        Arc::new(Geometry { positions, indices: vec![0, 2, 1], ..Geometry::default() })
    }

    fn finished(meshes: Vec<Vec<&Arc<Geometry>>>) -> Scene {
        let primitive =
            |one: &Arc<Geometry>| Primitive { geometry: Arc::clone(one), ..Primitive::default() };
        let mesh = |all: Vec<&Arc<Geometry>>| Mesh {
            primitives: all.into_iter().map(primitive).collect(),
            ..Mesh::default()
        };
        let meshes = meshes.into_iter().map(mesh).collect();
        let parts = SceneParts { meshes, ..SceneParts::default() };
        let mut context = Context {
            files: &NoFiles,
            options: &Options::default(),
            notes: Notes::default(),
            budget: Budget::for_file(0),
            extensions: Vec::new(),
            missing: Default::default(),
        };
        let raw = Raw { usual_crease: 3.0, ..Raw::new(parts, WorldFromFile::SAME) };
        super::super::finish(raw, &mut context).expect("good parts")
    }

    fn is_one(scene: &Scene, one: At, other: At) -> bool {
        let geometry = |(mesh, at): At| &scene.meshes[mesh].primitives[at].geometry;
        Arc::ptr_eq(geometry(one), geometry(other))
    }

    #[test]
    fn what_is_shared_stays_so_when_its_normals_are_mended() {
        let shape = folded(vec![Vec3::Z * 2.0; 4]);
        let scene = finished(vec![vec![&shape, &shape], vec![&shape]]);
        assert!(is_one(&scene, (0, 0), (0, 1)) && is_one(&scene, (0, 0), (1, 0)));
        assert_eq!(scene.meshes[1].primitives[0].normals, [Vec3::Z; 4]);
    }

    #[test]
    fn normals_are_made_once_for_meshes_that_are_alike() {
        let (shape, other) = (folded(Vec::new()), flat());
        let scene = finished(vec![vec![&shape, &other], vec![&shape], vec![&shape, &other]]);
        assert!(is_one(&scene, (0, 0), (2, 0)) && is_one(&scene, (0, 1), (2, 1)));
        // In the second mesh nothing lies beside the fold that would bend its normals.
        assert!(!is_one(&scene, (0, 0), (1, 0)));
        let alone = finished(vec![vec![&folded(Vec::new())]]);
        assert_eq!(scene.meshes[1], alone.meshes[0]);
        assert_ne!(scene.meshes[0].primitives[0].normals, alone.meshes[0].primitives[0].normals);
    }
}
