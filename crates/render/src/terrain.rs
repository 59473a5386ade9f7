//! Ground from a height function: plain scene data, for any room.

use glam::{Vec2, Vec3};
use sinew_scene::{Geometry, Mesh};

/// A square of `size` metres about the origin, `cells` on a side, as high as `height(x, z)` says. Texture
/// coordinates run from 0 to 1 across it; normals are those of the function, not of the triangles.
///
/// ```
/// let hill = sinew_render::terrain(40.0, 64, |x, z| 2.0 - 0.01 * (x * x + z * z));
/// assert_eq!(hill.primitives[0].positions.len(), 65 * 65);
/// ```
#[must_use]
pub fn terrain(size: f32, cells: u32, height: impl Fn(f32, f32) -> f32) -> Mesh {
    let cells = cells.max(1);
    let cell = size / cells as f32;
    let mut primitive = Geometry::default();
    let mut uvs = Vec::new();
    for row in 0..=cells {
        for column in 0..=cells {
            let uv = Vec2::new(column as f32, row as f32) / cells as f32;
            let (x, z) = ((uv.x - 0.5) * size, (uv.y - 0.5) * size);
            let step = cell * 0.5;
            let slope_x = (height(x + step, z) - height(x - step, z)) / cell;
            let slope_z = (height(x, z + step) - height(x, z - step)) / cell;
            primitive.positions.push(Vec3::new(x, height(x, z), z));
            primitive.normals.push(Vec3::new(-slope_x, 1.0, -slope_z).normalize_or(Vec3::Y));
            uvs.push(uv);
        }
    }
    for row in 0..cells {
        for column in 0..cells {
            let corner = row * (cells + 1) + column;
            let (right, below) = (corner + 1, corner + cells + 1);
            primitive.indices.extend([corner, below, right, right, below, below + 1]);
        }
    }
    primitive.uvs = vec![uvs];
    Mesh { name: "terrain".into(), primitives: vec![primitive.into()], morph_names: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_of_one_leans_its_normals_by_45_degrees_and_faces_up() {
        let mesh = terrain(10.0, 4, |x, _| x);
        let ground = &mesh.primitives[0];
        let expected = Vec3::new(-1.0, 1.0, 0.0).normalize();
        assert!(ground.normals.iter().all(|normal| normal.abs_diff_eq(expected, 1e-5)));
        for corner in ground.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|index| ground.positions[corner[index] as usize]);
            assert!((b - a).cross(c - a).dot(expected) > 0.0, "counter-clockwise from above");
        }
    }
}
