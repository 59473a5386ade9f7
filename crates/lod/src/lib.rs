//! Levels of detail of skinned meshes: fewer triangles between the vertices that are there.
//!
//! In:  a mesh, and poses that it takes.
//! Out: levels, each with about half of the triangles of the one before, and its error in all of those poses.
//!
//! Edges collapse onto one of their ends (M. Garland and P. Heckbert, "Surface simplification using quadric error metrics", 1997), so no
//! vertex is invented: weights sum to one as before, and texture coordinates and morph targets are those of the file.
//! Borders and seams of a mesh collapse along themselves only.
//!
//! ```
//! # use sinew_scene::{Mesh, Geometry, Primitive};
//! # use glam::Vec3;
//! // A flat sheet of 32 by 32 squares is two triangles, and nothing is lost.
//! let side = 33;
//! let positions = (0..side * side).map(|i| Vec3::new((i % side) as f32, (i / side) as f32, 0.0)).collect();
//! let square = |i: u32| [i, i + 1, i + side + 1, i, i + side + 1, i + side];
//! let corners = (0..side * side).filter(|i| i % side < side - 1 && i / side < side - 1);
//! let sheet = Primitive::from(Geometry { positions, indices: corners.flat_map(square).collect(), ..Geometry::default() });
//! let levels = sinew_lod::levels(&Mesh { primitives: vec![sheet], ..Mesh::default() }, &[]);
//! let last = levels.last().unwrap();
//! assert!(last.triangles() < 40 && last.error < 1e-3);
//! ```

mod closest;
mod collapse;
mod corners;
mod measure;
mod poses;
mod quadric;

#[cfg(test)]
mod tests;

pub use poses::Pose;

use collapse::Collapse;
use corners::Corners;
use sinew_scene::Mesh;

/// The most levels beside the mesh itself.
pub const MAX_LEVELS: usize = 8;
/// A level with fewer triangles than this has no coarser one.
const FEWEST_TRIANGLES: usize = 48;
/// A level that has not lost this share of the triangles before it is not worth its memory.
const LEAST_GAIN: f32 = 0.8;

/// A mesh with fewer triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Of each primitive: indices of its own vertices. Lines and points are as they were.
    pub primitives: Vec<Vec<u32>>,
    /// How far its surface is from the mesh's at most, in any of the poses it was made for, in units of the space that they lead to. Measured
    /// at all vertices of the mesh and at the middles of the level's triangles and edges, with a tenth added for what lies between.
    pub error: f32,
    triangles: usize,
}

impl Level {
    /// How many triangles all primitives have.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.triangles
    }
}

/// The levels of a mesh, from fine to coarse; their errors never fall. The first of the poses is that at rest. Without any, the mesh is taken as
/// it is.
#[must_use]
pub fn levels(mesh: &Mesh, poses: &[Pose]) -> Vec<Level> {
    let at_rest = [Pose::default()];
    let corners = Corners::new(mesh, if poses.is_empty() { &at_rest } else { poses });
    let mut collapse = Collapse::new(&corners);
    let mut levels: Vec<Level> = Vec::new();
    let mut before = corners.triangles.len();
    while levels.len() < MAX_LEVELS && before >= FEWEST_TRIANGLES {
        collapse.reduce_to(before / 2);
        let left = collapse.triangles();
        if left.is_empty() || left.len() as f32 > before as f32 * LEAST_GAIN {
            break;
        }
        before = left.len();
        let error = 1.1 * measure::error(&corners, &left, &collapse.stand_ins());
        let error = levels.last().map_or(error, |last| error.max(last.error));
        let primitives = corners.indices(mesh, &left);
        levels.push(Level { primitives, error, triangles: left.len() });
    }
    levels
}
