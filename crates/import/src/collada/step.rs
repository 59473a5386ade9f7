//! One transform element of a node: `<translate>`, `<rotate>`, `<scale>`, `<matrix>`, `<lookat>`, `<skew>`.
//!
//! In:  the element.
//! Out: its numbers, and its matrix for these or any other numbers that an animation gives it.
//! Everything is worked out in double precision; matrices in the file are row by row.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::xml::{self, ElementId, Tag, Xml};
use crate::ImportError;
use crate::note::Notes;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Translate,
    /// An axis and degrees about it.
    Rotate,
    Scale,
    Matrix,
    /// Camera position, what is looked at, up.
    LookAt,
    /// Degrees, the axis rotated away from, the axis slid along.
    Skew,
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        match word {
            "translate" => Some(Self::Translate),
            "rotate" => Some(Self::Rotate),
            "scale" => Some(Self::Scale),
            "matrix" => Some(Self::Matrix),
            "lookat" => Some(Self::LookAt),
            "skew" => Some(Self::Skew),
            _ => None,
        }
    }

    pub(super) fn width(self) -> usize {
        match self {
            Self::Translate | Self::Scale => 3,
            Self::Rotate => 4,
            Self::Matrix => 16,
            Self::LookAt => 9,
            Self::Skew => 7,
        }
    }
}

/// The numbers of a step; the first [`Kind::width`] count.
pub(super) type Values = [f64; 16];

/// A transform element.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Which element it is, as animations speak of it; none for what was folded from several.
    pub(super) tag: Option<ElementId>,
    pub(super) kind: Kind,
    pub(super) rest: Values,
}

/// The transform elements of a node, in order. One with too few numbers is left out with a note.
pub(super) fn read(
    xml: &Xml<'_>,
    node: Tag<'_>,
    notes: &mut Notes,
) -> Result<Vec<Step>, ImportError> {
    let mut steps = Vec::new();
    for tag in node.children() {
        let Some(kind) = Kind::of(xml::name(tag)) else { continue };
        let found = xml.floats(tag, notes)?;
        if found.len() < kind.width() {
            let text = format!("a <{}> with too few numbers is left out", xml::name(tag));
            notes.add(xml.place(tag), text);
            continue;
        }
        let mut rest = [0.0; 16];
        for (to, from) in rest.iter_mut().zip(&found) {
            *to = f64::from(*from);
        }
        steps.push(Step { tag: Some(tag.id()), kind, rest });
    }
    Ok(steps)
}

impl Step {
    pub(super) fn of(kind: Kind, numbers: &[f64]) -> Self {
        let mut rest = [0.0; 16];
        for (to, from) in rest.iter_mut().zip(numbers) {
            *to = *from;
        }
        Self { tag: None, kind, rest }
    }

    /// A rotation that no animation changes, as an axis and degrees.
    pub(super) fn rotate(rotation: DQuat) -> Self {
        let (axis, angle) = rotation.to_axis_angle();
        Self::of(Kind::Rotate, &[axis.x, axis.y, axis.z, angle.to_degrees()])
    }
}

/// The first three numbers.
pub(super) fn vector(values: &Values) -> DVec3 {
    DVec3::new(values[0], values[1], values[2])
}

/// The rotation of a `<rotate>`.
pub(super) fn rotation(values: &Values) -> DQuat {
    match vector(values).try_normalize() {
        Some(axis) => DQuat::from_axis_angle(axis, values[3].to_radians()),
        None => DQuat::IDENTITY,
    }
}

/// The matrix of a step with these numbers. The bottom row of a matrix is always 0 0 0 1.
pub(super) fn matrix(kind: Kind, values: &Values) -> DAffine3 {
    let v = values;
    match kind {
        Kind::Translate => DAffine3::from_translation(vector(v)),
        Kind::Rotate => DAffine3::from_quat(rotation(v)),
        Kind::Scale => DAffine3::from_scale(vector(v)),
        Kind::Matrix => DAffine3::from_cols(
            DVec3::new(v[0], v[4], v[8]),
            DVec3::new(v[1], v[5], v[9]),
            DVec3::new(v[2], v[6], v[10]),
            DVec3::new(v[3], v[7], v[11]),
        ),
        Kind::LookAt => look_at(v),
        Kind::Skew => skew(v),
    }
}

/// At the camera position; -Z points at what is looked at.
fn look_at(v: &Values) -> DAffine3 {
    let position = vector(v);
    let back = (position - DVec3::new(v[3], v[4], v[5])).normalize_or(DVec3::Z);
    let up = DVec3::new(v[6], v[7], v[8]);
    let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
    DAffine3::from_mat3_translation(DMat3::from_cols(right, back.cross(right), back), position)
}

/// Slides along one axis in proportion to the height along the other, as RenderMan's RiSkew.
fn skew(v: &Values) -> DAffine3 {
    let away = DVec3::new(v[1], v[2], v[3]).normalize_or_zero();
    let along = DVec3::new(v[4], v[5], v[6]).normalize_or_zero();
    let slope = v[0].to_radians().tan().clamp(-1e6, 1e6);
    let slid = |axis: DVec3| axis + along * (slope * away.dot(axis));
    DAffine3::from_mat3(DMat3::from_cols(slid(DVec3::X), slid(DVec3::Y), slid(DVec3::Z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: Kind, numbers: &[f64], point: DVec3) -> DVec3 {
        matrix(kind, &Step::of(kind, numbers).rest).transform_point3(point)
    }

    #[test]
    fn a_matrix_is_written_row_by_row() {
        let numbers: Vec<f64> = (1..=16).map(f64::from).collect();
        assert_eq!(at(Kind::Matrix, &numbers, DVec3::ZERO), DVec3::new(4.0, 8.0, 12.0));
        assert_eq!(at(Kind::Matrix, &numbers, DVec3::X), DVec3::new(5.0, 13.0, 21.0));
    }

    #[test]
    fn a_look_at_stands_at_the_eye_and_looks_along_minus_z() {
        let numbers = [1.0, 2.0, 3.0, 11.0, 2.0, 3.0, 0.0, 1.0, 0.0];
        assert_eq!(at(Kind::LookAt, &numbers, DVec3::ZERO), DVec3::new(1.0, 2.0, 3.0));
        let found = at(Kind::LookAt, &numbers, DVec3::NEG_Z);
        assert!(found.abs_diff_eq(DVec3::new(2.0, 2.0, 3.0), 1e-12), "{found}");
        let found = at(Kind::LookAt, &numbers, DVec3::Y);
        assert!(found.abs_diff_eq(DVec3::new(1.0, 3.0, 3.0), 1e-12), "{found}");
    }

    #[test]
    fn a_skew_of_45_degrees_slides_by_the_height() {
        let found =
            at(Kind::Skew, &[45.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0], DVec3::new(0.0, 2.0, 5.0));
        assert!(found.abs_diff_eq(DVec3::new(2.0, 2.0, 5.0), 1e-12), "{found}");
    }
}
