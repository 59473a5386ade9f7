//! What is made equal before anything is measured.
//!
//! In:  both models at the same moment.
//! Out: the matrix that B is moved by.
//!
//! The root of a character is compared by its motion from rest, so that roots whose axes lie otherwise still align.

use sinew_scene::JointId;
use sinew_scene::glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::options::{Alignment, Placement};
use crate::posed::Posed;

/// Moves B to A.
#[derive(Clone, Debug)]
pub(crate) struct Aligner {
    placement: Placement,
    pub(crate) scale: f64,
    root: Option<(JointId, JointId)>,
    /// How each root is rotated at rest.
    rest: [DQuat; 2],
    /// What turns B about Y to face as A does, by their joints at rest.
    heading: DQuat,
    /// For [`Placement::Start`]: what B is moved by from its first moment on.
    start: DAffine3,
}

impl Aligner {
    /// From both models at rest.
    pub(crate) fn new(
        options: Alignment,
        root: Option<(JointId, JointId)>,
        pairs: &[(JointId, JointId)],
        [a, b]: [&Posed<'_>; 2],
    ) -> Self {
        let scale = if options.scale { ratio(pairs, a, b) } else { 1.0 };
        let rest = root.map_or([DQuat::IDENTITY; 2], |(of_a, of_b)| {
            [rotation(&a.joints()[of_a.index()]), rotation(&b.joints()[of_b.index()])]
        });
        let placement = options.placement;
        let heading = heading(root, pairs, a, b);
        Self { placement, scale, root, rest, heading, start: DAffine3::IDENTITY }
    }

    /// For clips whose first poses are these.
    pub(crate) fn starting(&self, a: &Posed<'_>, b: &Posed<'_>) -> Self {
        let mut found = self.clone();
        if let (Placement::Start, Some((of_a, of_b))) = (self.placement, self.root) {
            let roots = [a.joints()[of_a.index()], b.joints()[of_b.index()]];
            found.start = self.onto(roots, Placement::Start);
        }
        found
    }

    /// What B is moved by.
    pub(crate) fn matrix(&self, a: &Posed<'_>, b: &Posed<'_>) -> DAffine3 {
        let scale = DAffine3::from_scale(DVec3::splat(self.scale));
        match (self.placement, self.root) {
            (Placement::Root, Some((of_a, of_b))) => {
                let roots = [a.joints()[of_a.index()], b.joints()[of_b.index()]];
                self.onto(roots, Placement::Root) * scale
            }
            (Placement::Start, _) => self.start * scale,
            _ => scale,
        }
    }

    /// What brings the scaled root of B to that of A: wholly, or over the floor and about Y.
    fn onto(&self, [a, b]: [DAffine3; 2], placement: Placement) -> DAffine3 {
        let from_rest =
            |matrix: &DAffine3, side: usize| rotation(matrix) * self.rest[side].inverse();
        let rotation = from_rest(&a, 0) * self.heading * from_rest(&b, 1).inverse();
        let place = self.scale * b.translation;
        let floor = placement == Placement::Start;
        let rotation = if floor { about_y(rotation) } else { rotation.normalize() };
        let mut translation = a.translation - rotation * place;
        if floor {
            translation.y = 0.0;
        }
        DAffine3::from_rotation_translation(rotation, translation)
    }
}

/// How much larger A is: by how far its joints at rest are from their middle.
fn ratio(pairs: &[(JointId, JointId)], a: &Posed<'_>, b: &Posed<'_>) -> f64 {
    let spread = |places: Vec<DVec3>| {
        let middle = places.iter().sum::<DVec3>() / places.len().max(1) as f64;
        places.iter().map(|place| place.distance_squared(middle)).sum::<f64>().sqrt()
    };
    let of_a = spread(pairs.iter().map(|pair| a.joints()[pair.0.index()].translation).collect());
    let of_b = spread(pairs.iter().map(|pair| b.joints()[pair.1.index()].translation).collect());
    let ratio = of_a / of_b;
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

/// What turns B about Y to face as A does: the rotation that brings its joints nearest to those of A, seen from the root.
fn heading(
    root: Option<(JointId, JointId)>,
    pairs: &[(JointId, JointId)],
    a: &Posed<'_>,
    b: &Posed<'_>,
) -> DQuat {
    let Some(root) = root else { return DQuat::IDENTITY };
    let place = |posed: &Posed<'_>, joint: JointId| posed.joints()[joint.index()].translation;
    let (mut along, mut across) = (0.0, 0.0);
    for pair in pairs {
        let of_a = place(a, pair.0) - place(a, root.0);
        let of_b = place(b, pair.1) - place(b, root.1);
        along += of_b.x * of_a.x + of_b.z * of_a.z;
        across += of_b.z * of_a.x - of_b.x * of_a.z;
    }
    let angle = f64::atan2(across, along);
    // Joints one above the other face nowhere; and what faces the same way is not to be turned by rounding.
    let known = along.abs().max(across.abs()) > 1e-9;
    if known && angle.abs() > 1e-4 { DQuat::from_rotation_y(angle) } else { DQuat::IDENTITY }
}

/// The rotation of a matrix, without its scale, shear and mirroring.
pub(crate) fn rotation(matrix: &DAffine3) -> DQuat {
    let DMat3 { x_axis, y_axis, .. } = matrix.matrix3;
    let side = if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let x = x_axis.normalize_or_zero() * side;
    let along = y_axis * side;
    let y = (along - x * x.dot(along)).normalize_or_zero();
    let found = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
    // What is scaled to nothing has no rotation.
    if x == DVec3::ZERO || y == DVec3::ZERO || !found.is_finite() {
        return DQuat::IDENTITY;
    }
    found.normalize()
}

/// Degrees from one rotation to another.
pub(crate) fn degrees_between(a: DQuat, b: DQuat) -> f64 {
    let apart = a.inverse() * b;
    2.0 * apart.xyz().length().atan2(apart.w.abs()).to_degrees()
}

/// The part of a rotation that is about Y.
fn about_y(rotation: DQuat) -> DQuat {
    let twist = DQuat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
    if twist.length() > 1e-9 { twist.normalize() } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_found_under_scale_and_mirrors() {
        let made = DQuat::from_rotation_y(0.7) * DQuat::from_rotation_x(-1.2);
        for scale in [DVec3::new(2.0, 3.0, 0.5), DVec3::splat(-1.0)] {
            let matrix = DAffine3::from_scale_rotation_translation(scale, made, DVec3::ONE);
            assert!(degrees_between(rotation(&matrix), made) < 1e-6, "{scale}");
        }
        assert_eq!(rotation(&DAffine3::from_scale(DVec3::ZERO)), DQuat::IDENTITY);
    }

    #[test]
    fn a_thousandth_of_a_degree_is_not_lost() {
        let small = DQuat::from_rotation_z(0.001_f64.to_radians());
        assert!((degrees_between(DQuat::IDENTITY, small) - 0.001).abs() < 1e-9);
        assert!((degrees_between(DQuat::IDENTITY, -small) - 0.001).abs() < 1e-9);
    }
}
