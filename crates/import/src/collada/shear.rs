//! Matrices that are sheared over time, as two nodes: the outer turns and scales, the inner turns.
//!
//! In:  any matrix.
//! Out: outer · inner = the matrix, exactly: its singular value decomposition U Σ Vᵀ, with U Σ for
//! the outer and Vᵀ for the inner. Numbers that are driven one by one make matrices that are
//! sheared between keys even where they are pure turns at them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::trs::Trs;

/// What of a shear may stay, as a part of the largest scale squared.
const NOTHING: f64 = 1e-7;

/// Splits a matrix. `basis` says which of the many V is wanted where several would do, so that
/// neighbours in time have neighbours here.
pub(super) fn split(matrix: DAffine3, basis: DMat3) -> (Trs, DQuat) {
    let v = straight_basis(matrix, basis);
    let turned = DAffine3 { matrix3: matrix.matrix3 * v, translation: matrix.translation };
    let inner = DQuat::from_mat3(&v.transpose()).normalize();
    (Trs::nearest(turned).0, if inner.is_finite() { inner } else { DQuat::IDENTITY })
}

/// The turn nearest to `basis` whose axes the matrix keeps at right angles: Jacobi's iteration on
/// Mᵀ M, which begins at `basis`.
pub(super) fn straight_basis(matrix: DAffine3, mut basis: DMat3) -> DMat3 {
    let m = matrix.matrix3;
    for _ in 0..12 {
        let mut done = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (m * basis.col(p), m * basis.col(q));
            let (pp, qq, pq) = (a.dot(a), b.dot(b), a.dot(b));
            if pq.abs() <= NOTHING * pp.max(qq).max(f64::MIN_POSITIVE) {
                continue;
            }
            done = false;
            let slope = (qq - pp) / (2.0 * pq);
            let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let (x, y): (DVec3, DVec3) = (basis.col(p), basis.col(q));
            *basis.col_mut(p) = x * cosine - y * sine;
            *basis.col_mut(q) = x * sine + y * cosine;
        }
        if done {
            break;
        }
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_times_inner_is_the_matrix() {
        let shear =
            DMat3::from_cols(DVec3::X, DVec3::new(0.5, 2.0, 0.1), DVec3::new(0.0, 0.7, -1.0));
        let matrix = DAffine3::from_mat3_translation(shear, DVec3::new(1.0, 2.0, 3.0));
        let (outer, inner) = split(matrix, DMat3::IDENTITY);
        let whole = outer.to_affine() * DAffine3::from_quat(inner);
        assert!(whole.abs_diff_eq(matrix, 1e-6), "{whole:?}");
    }

    #[test]
    fn what_is_not_sheared_keeps_the_basis_it_is_given() {
        let turn = DAffine3::from_rotation_y(1.0);
        let basis = DMat3::from_rotation_z(0.3);
        assert_eq!(straight_basis(turn, basis), basis);
    }

    #[test]
    fn halfway_between_two_turns_there_is_a_shear_that_is_kept() {
        let turns =
            [DMat3::from_rotation_x(0.2), DMat3::from_axis_angle(DVec3::ONE.normalize(), 1.5)];
        let matrix = DAffine3::from_mat3((turns[0] + turns[1]) * 0.5);
        assert!(Trs::nearest(matrix).1 > 1e-2);
        let (outer, inner) = split(matrix, DMat3::IDENTITY);
        assert!((outer.to_affine() * DAffine3::from_quat(inner)).abs_diff_eq(matrix, 1e-6));
    }
}
