//! A primitive's vertices in a pose: morphed, then carried by their node or bent by their skin.

use sinew_lanes::one::cross;
use sinew_scene::glam::{Affine3A, Mat3A, Vec3, Vec4};
use sinew_scene::{Primitive, SkinMethod};

use crate::skin::LEAST_SQUARE;
use crate::{dual, linear, morph};

/// A primitive's vertices in a pose. Made once, written over every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertices {
    /// In the space of the matrices that moved them.
    pub positions: Vec<Vec3>,
    /// Unit length; empty when the primitive has none.
    pub normals: Vec<Vec3>,
    /// Unit length, square to the normal, with the bitangent's side in `w`; empty when the primitive has none.
    pub tangents: Vec<Vec4>,
}

/// What deforms a primitive's vertices.
#[derive(Clone, Copy, Debug)]
pub enum Binding<'a> {
    /// Its node alone.
    Rigid(Affine3A),
    /// A skin.
    Skinned {
        /// How influences are added up.
        method: SkinMethod,
        /// One matrix per joint of the skin.
        model_from_mesh: &'a [Affine3A],
        /// What carries a vertex that no joint influences: the node's own matrix. It stays put.
        without_influence: Affine3A,
    },
}

/// Writes the primitive's vertices, morphed and moved, into `out`.
///
/// # Panics
/// When there is not one weight per morph target, or the palette lacks a joint.
pub fn deform(primitive: &Primitive, weights: &[f32], binding: Binding<'_>, out: &mut Vertices) {
    morph::morph(primitive, weights, out);
    match binding {
        Binding::Rigid(matrix) => move_all(out, |_| matrix),
        Binding::Skinned { without_influence, .. } if primitive.influences.is_empty() => {
            move_all(out, |_| without_influence);
        }
        Binding::Skinned { method, model_from_mesh, without_influence } => {
            let mut influences = primitive.influences.iter();
            move_all(out, |vertex| match influences.next() {
                None | Some([]) => without_influence,
                Some(influences) => match method {
                    SkinMethod::Linear => linear::blend(influences, model_from_mesh),
                    SkinMethod::DualQuaternion => dual::blend(influences, model_from_mesh),
                    SkinMethod::Blended => {
                        let share = primitive.dual_weights.get(vertex).copied().unwrap_or(0.0);
                        let straight = linear::blend(influences, model_from_mesh);
                        mix(straight, dual::blend(influences, model_from_mesh), share)
                    }
                },
            });
        }
    }
}

fn mix(a: Affine3A, b: Affine3A, share: f32) -> Affine3A {
    Affine3A {
        matrix3: a.matrix3 * (1.0 - share) + b.matrix3 * share,
        translation: a.translation * (1.0 - share) + b.translation * share,
    }
}

/// Moves every vertex by its own matrix; `matrix_of` is asked once for each, in order.
#[inline]
fn move_all(out: &mut Vertices, mut matrix_of: impl FnMut(usize) -> Affine3A) {
    let mut normals = out.normals.iter_mut();
    let mut tangents = out.tangents.iter_mut();
    for (vertex, position) in out.positions.iter_mut().enumerate() {
        let matrix = matrix_of(vertex);
        *position = matrix.transform_point3(*position);
        let Some(normal) = normals.next() else { continue };
        let (cofactor, side) = normal_matrix(matrix.matrix3);
        *normal = (cofactor * *normal).normalize_or(Vec3::Y);
        let Some(tangent) = tangents.next() else { continue };
        let along = matrix.matrix3 * tangent.truncate();
        // The normal and the tangent bend differently; square them again.
        let lean = normal.dot(along);
        let square = along - *normal * lean;
        let is_rounding = square.length_squared() <= LEAST_SQUARE * lean * lean;
        let square = if is_rounding { Vec3::ZERO } else { square };
        let unit = square.normalize_or(normal.any_orthonormal_vector());
        *tangent = unit.extend(tangent.w * side);
    }
}

/// What normals go by, and whether the matrix mirrors (-1) or not (1).
///
/// The inverse transpose but for a positive factor: the cofactors, which exist even when the
/// matrix is flat, with the sign of the determinant so that outward stays outward.
#[inline]
fn normal_matrix(matrix: Mat3A) -> (Mat3A, f32) {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let yz = cross(y, z);
    let side = if x.dot(yz) < 0.0 { -1.0 } else { 1.0 };
    (Mat3A::from_cols(yz * side, cross(z, x) * side, cross(x, y) * side), side)
}

#[cfg(test)]
mod tests {
    use sinew_scene::Geometry;
    use sinew_scene::{Influence, Influences};

    use super::*;

    /// One vertex at (1, 1, 0) on a surface that leans 45° in x and y.
    fn leaning(of_vertex: &[Influence]) -> Primitive {
        let mut influences = Influences::default();
        influences.push(of_vertex.iter().copied());
        Primitive::from(Geometry {
            positions: vec![Vec3::new(1.0, 1.0, 0.0)],
            normals: vec![Vec3::new(1.0, 1.0, 0.0).normalize()],
            tangents: vec![Vec3::new(1.0, -1.0, 0.0).normalize().extend(1.0)],
            influences,
            ..Geometry::default()
        })
    }

    fn skinned(primitive: &Primitive, method: SkinMethod, palette: &[Affine3A]) -> Vertices {
        let mut out = Vertices::default();
        let without_influence = Affine3A::from_translation(10.0 * Vec3::Z);
        let binding = Binding::Skinned { method, model_from_mesh: palette, without_influence };
        deform(primitive, &[], binding, &mut out);
        out
    }

    fn influence(joint: u32, weight: f32) -> Influence {
        Influence { joint, weight }
    }

    #[test]
    fn five_joints_pull_as_their_weights_say() {
        let palette: Vec<_> =
            (0..5).map(|step| Affine3A::from_translation(Vec3::X * step as f32)).collect();
        let influences: Vec<_> = (0..5).map(|joint| influence(joint, 0.2)).collect();
        let found = skinned(&leaning(&influences), SkinMethod::Linear, &palette);
        assert!(found.positions[0].abs_diff_eq(Vec3::new(3.0, 1.0, 0.0), 1e-6));
    }

    #[test]
    fn a_vertex_without_influences_stays_put_with_its_node() {
        let palette = [Affine3A::from_translation(Vec3::X)];
        let found = skinned(&leaning(&[]), SkinMethod::Linear, &palette);
        assert_eq!(found.positions[0], Vec3::new(1.0, 1.0, 10.0));
    }

    #[test]
    fn a_normal_stands_square_on_a_surface_that_is_stretched() {
        let stretch = [Affine3A::from_scale(Vec3::new(2.0, 1.0, 1.0))];
        let found = skinned(&leaning(&[influence(0, 1.0)]), SkinMethod::Linear, &stretch);
        // The surface runs along (2, -1, 0) now, so its normal is (1, 2, 0).
        let expected = Vec3::new(1.0, 2.0, 0.0).normalize();
        assert!(found.normals[0].abs_diff_eq(expected, 1e-6), "{}", found.normals[0]);
        assert!(found.normals[0].dot(found.tangents[0].truncate()).abs() < 1e-6);
        assert_eq!(found.tangents[0].w, 1.0);
    }

    #[test]
    fn a_tangent_that_leans_is_made_square_to_its_normal() {
        let mut primitive = leaning(&[influence(0, 1.0)]);
        primitive.tangents = vec![Vec3::X.extend(1.0)];
        let found = skinned(&primitive, SkinMethod::Linear, &[Affine3A::IDENTITY]);
        let expected = Vec3::new(1.0, -1.0, 0.0).normalize();
        assert!(found.tangents[0].truncate().abs_diff_eq(expected, 1e-6), "{}", found.tangents[0]);
    }

    #[test]
    fn a_mirror_keeps_normals_outward_and_turns_the_bitangent_over() {
        let mirror = [Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0))];
        let found = skinned(&leaning(&[influence(0, 1.0)]), SkinMethod::Linear, &mirror);
        let expected = Vec3::new(-1.0, 1.0, 0.0).normalize();
        assert!(found.normals[0].abs_diff_eq(expected, 1e-6), "{}", found.normals[0]);
        assert_eq!(found.tangents[0].w, -1.0);
    }

    #[test]
    fn a_normal_survives_a_joint_that_is_scaled_flat() {
        let flat = [Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0))];
        let found = skinned(&leaning(&[influence(0, 1.0)]), SkinMethod::Linear, &flat);
        assert!(found.normals[0].abs_diff_eq(Vec3::Y, 1e-6), "{}", found.normals[0]);
    }

    #[test]
    fn a_blended_skin_lies_between_linear_and_dual() {
        let twist = [Affine3A::IDENTITY, Affine3A::from_rotation_y(std::f32::consts::PI)];
        let mut primitive = leaning(&[influence(0, 0.5), influence(1, 0.5)]);
        primitive.dual_weights = vec![0.25];
        let straight = skinned(&primitive, SkinMethod::Linear, &twist).positions[0];
        let screw = skinned(&primitive, SkinMethod::DualQuaternion, &twist).positions[0];
        let found = skinned(&primitive, SkinMethod::Blended, &twist).positions[0];
        assert!(found.abs_diff_eq(straight.lerp(screw, 0.25), 1e-6), "{found}");
    }

    #[test]
    fn the_same_output_is_used_again_without_growing() {
        let palette = [Affine3A::IDENTITY];
        let primitive = leaning(&[influence(0, 1.0)]);
        let mut out = Vertices::default();
        let binding = Binding::Skinned {
            method: SkinMethod::Linear,
            model_from_mesh: &palette,
            without_influence: Affine3A::IDENTITY,
        };
        deform(&primitive, &[], binding, &mut out);
        let once = out.clone();
        deform(&primitive, &[], binding, &mut out);
        assert_eq!(out, once);
    }
}
