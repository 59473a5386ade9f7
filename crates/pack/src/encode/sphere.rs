//! How far the farthest-moved point of a sphere moves: the error of a joint's shell.
//!
//! In:  how a joint's matrix is off, and the shell's radius.
//! Out: the largest distance between where a point of the sphere should be and where it is, never
//! too small, and too large by less than a millionth.
//!
//! With `A = MᵀM` and `b = Mᵀt`, the square is the largest `pᵀAp + 2bᵀp + tᵀt` over unit `p`. For any
//! `λ` above `A`'s largest eigenvalue, `λ + bᵀ(λ - A)⁻¹b + tᵀt` is no smaller (Lagrange's dual), and the
//! least of these is the answer: the trust-region problem of Moré and Sorensen (1983).

use sinew_scene::glam::{DAffine3, DMat3, DVec3};

/// The error of a shell in metres, if it is above `known`. Most are not, and cost little.
pub(crate) fn above(exact: &DAffine3, found: &DAffine3, radius: f64, known: f64) -> Option<f64> {
    let moved = found.translation - exact.translation;
    let turned = (found.matrix3 - exact.matrix3) * radius;
    // No factor is larger than the root of the squares' sum.
    if moved.length() + squares(turned).sqrt() <= known {
        return None;
    }
    // Nor than the eighth root of the eighth powers' sum, which is 9 % above the true factor of a rotation.
    let square = turned.transpose() * turned;
    if moved.length() + squares(square * square).sqrt().sqrt().sqrt() <= known {
        return None;
    }
    Some(farthest(moved, turned)).filter(|error| *error > known)
}

/// The most that a matrix lengthens anything.
pub(crate) fn stretch(matrix: DMat3) -> f64 {
    farthest(DVec3::ZERO, matrix)
}

fn squares(matrix: DMat3) -> f64 {
    matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared()
}

/// The most that a point of the unit sphere moves, each by `moved + turned · p`.
fn farthest(moved: DVec3, turned: DMat3) -> f64 {
    let (values, axes) = eigen(turned.transpose() * turned);
    let along = axes.transpose() * (turned.transpose() * moved);
    let (values, along) = (values.to_array(), along.to_array());
    let top = values.into_iter().fold(0.0, f64::max);
    let gaps = values.map(|value| top - value);
    // The answer's λ lies above the largest eigenvalue by `above`, between these two.
    let own = gaps.iter().zip(along).filter(|(gap, _)| **gap == 0.0);
    let mut low = own.map(|(_, b)| b * b).sum::<f64>().sqrt();
    let mut high = along.iter().map(|b| b * b).sum::<f64>().sqrt();
    let least = 1e-7 * (top + high) + 1e-300;
    (low, high) = (low.max(least), high.max(least));
    let length = |above: f64| {
        let parts = gaps.iter().zip(along).map(|(gap, b)| b / (gap + above));
        parts.map(|part| part * part).sum::<f64>()
    };
    for _ in 0..40 {
        if high - low <= 1e-7 * (top + high) {
            break;
        }
        let middle = 0.5 * (low + high);
        if length(middle) > 1.0 { low = middle } else { high = middle }
    }
    let parts = gaps.iter().zip(along).map(|(gap, b)| b * b / (gap + high));
    let square = top + high + parts.sum::<f64>() + moved.length_squared();
    square.sqrt()
}

/// Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's method; the vectors are a
/// rotation's columns.
pub(crate) fn eigen(mut matrix: DMat3) -> (DVec3, DMat3) {
    let mut axes = DMat3::IDENTITY;
    let small = 1e-14 * (matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z).abs();
    for _ in 0..12 {
        let mut still = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            if off.abs() <= small {
                continue;
            }
            still = false;
            let angle = 0.5 * (2.0 * off).atan2(matrix.col(q)[q] - matrix.col(p)[p]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            matrix = turn.transpose() * matrix * turn;
            axes *= turn;
        }
        if still {
            break;
        }
    }
    (DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z), axes)
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::DQuat;

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 2e-6, "{found}, expected {expected}");
        assert!(found >= expected * (1.0 - 1e-7), "{found} is less than {expected}");
    }

    #[test]
    fn a_turn_moves_the_points_across_its_axis_by_its_chord() {
        // 60° about z: a point at 0.1 m across the axis moves by its chord, 2 · 0.1 · sin 30° = 0.1 m.
        let turned = DMat3::from_rotation_z(60_f64.to_radians()) - DMat3::IDENTITY;
        near(farthest(DVec3::ZERO, turned * 0.1), 0.1);
        // And 0.3 m along x on top: the point whose chord points there moves by both.
        near(farthest(0.3 * DVec3::X, turned * 0.1), 0.4);
        // 0.3 m along the axis stands at right angles to every chord.
        near(farthest(0.3 * DVec3::Z, turned * 0.1), 0.1_f64.hypot(0.3));
    }

    #[test]
    fn a_diagonal_point_counts_although_no_axis_shows_it() {
        // About (1, 1, 1) every axis' end moves by √⅔ of what a point across the axis does.
        let axis = DVec3::ONE.normalize();
        let turned = DMat3::from_quat(DQuat::from_axis_angle(axis, 0.01)) - DMat3::IDENTITY;
        near(farthest(DVec3::ZERO, turned * 1.0), 2.0 * 0.005_f64.sin());
    }

    #[test]
    fn a_shift_alone_and_a_stretch_alone() {
        near(farthest(DVec3::new(3.0, 0.0, 4.0), DMat3::ZERO * 0.1), 5.0);
        let stretch = DMat3::from_diagonal(DVec3::new(0.1, 0.2, -0.3));
        near(farthest(DVec3::ZERO, stretch * 2.0), 0.6);
        // The point at (0, 0, ±2) moves by 0.6; with 0.05 in y added it is best to lean over a little:
        // p = (0, b / (λ - 0.16), …), where the gap to the next is 0.36 - 0.16 = 0.2, and b = 0.4 · 0.05.
        near(
            farthest(0.05 * DVec3::Y, stretch * 2.0),
            (0.36 + 0.02 * 0.02 / 0.2 + 0.0025_f64).sqrt(),
        );
        assert!(farthest(DVec3::ZERO, DMat3::ZERO * 1.0) < 1e-20);
    }

    /// Any matrix of a few hundred, against a thousand points: never below, and no more than what
    /// a thousand points miss.
    #[test]
    fn no_point_of_the_sphere_moves_farther() {
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 23) - 1.0
        };
        for round in 0..300 {
            let mut vector = || DVec3::new(random(), random(), random());
            let shift = vector() * [0.0, 0.1, 1.0, 10.0][round % 4];
            let matrix = if round % 2 == 0 {
                let [a, b] = [vector(), vector()];
                DMat3::from_rotation_x(a.x) * DMat3::from_rotation_y(a.y)
                    - DMat3::from_rotation_z(b.x)
            } else {
                DMat3::from_cols(vector(), vector(), vector())
            };
            let turned = matrix * 0.5;
            let mut most = 0.0_f64;
            for _ in 0..1000 {
                let point = vector().normalize();
                most = most.max((shift + turned * point).length());
            }
            let found = farthest(shift, turned);
            assert!(
                found >= most && found < 1.03 * most,
                "{found}, {most} by points: {shift} {turned}"
            );
            let moved = DAffine3 { matrix3: turned, translation: shift };
            let above = |known: f64| above(&DAffine3::ZERO, &moved, 1.0, known);
            assert_eq!((above(found * 1.000_01), above(found * 0.999_99)), (None, Some(found)));
        }
    }
}
