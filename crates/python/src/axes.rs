//! Axes and units of the caller's choice: which way is up, which way a body faces, how long a unit is.
//!
//! In:  `up`, `forward` and `unit` as the caller names them.
//! Out: a change of basis, for transforms in either direction.
//!
//! Sinew's own space is Y up, facing Z, in metres. Every transform is changed alike, local or not, so that
//! model transforms are still the products of local ones.

use pyo3::prelude::*;
use sinew::Transform;
use sinew::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use crate::error::bad;

/// A change of basis and unit, from Sinew's to the caller's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axes {
    rotation: Quat,
    matrix: Mat3A,
    scale: f32,
}

/// A length's unit: a name, or metres.
#[derive(FromPyObject)]
pub(crate) enum Unit {
    Name(String),
    Metres(f32),
}

impl Axes {
    /// What the caller chose; `None` where that is Sinew's own.
    pub(crate) fn new(up: &str, forward: Option<&str>, unit: &Unit) -> PyResult<Option<Self>> {
        let usual = match up {
            "y" => "z",
            "z" => "-y",
            other => return Err(bad(format!("up: expected \"y\" or \"z\", found \"{other}\""))),
        };
        let up = axis("up", up)?;
        let forward = axis("forward", forward.unwrap_or(usual))?;
        if up.dot(forward) != 0.0 {
            return Err(bad("forward: expected an axis across up, found the same axis"));
        }
        let matrix = Mat3A::from_cols(up.cross(forward), up, forward);
        let axes = Self { rotation: Quat::from_mat3a(&matrix), matrix, scale: 1.0 / metres(unit)? };
        let own = axes.matrix == Mat3A::IDENTITY && axes.scale == 1.0;
        Ok((!own).then_some(axes))
    }

    /// The way back.
    pub(crate) fn inverse(self) -> Self {
        Self {
            rotation: self.rotation.inverse(),
            matrix: self.matrix.transpose(),
            scale: 1.0 / self.scale,
        }
    }

    /// A vector or a place.
    pub(crate) fn vector(&self, vector: Vec3) -> Vec3 {
        Vec3::from(self.matrix * Vec3A::from(vector)) * self.scale
    }

    /// A direction, whatever the unit.
    pub(crate) fn direction(&self, vector: Vec3) -> Vec3 {
        Vec3::from(self.matrix * Vec3A::from(vector))
    }

    /// A transform in these axes.
    pub(crate) fn transform(&self, transform: Transform) -> Transform {
        let across = Mat3A::from_cols(
            self.matrix.x_axis.abs(),
            self.matrix.y_axis.abs(),
            self.matrix.z_axis.abs(),
        );
        Transform {
            translation: self.vector(transform.translation),
            rotation: self.rotation * transform.rotation * self.rotation.inverse(),
            scale: Vec3::from(across * Vec3A::from(transform.scale)),
        }
    }

    /// A matrix in these axes.
    pub(crate) fn matrix(&self, matrix: Affine3A) -> Affine3A {
        Affine3A {
            matrix3: self.matrix * matrix.matrix3 * self.matrix.transpose(),
            translation: self.matrix * matrix.translation * self.scale,
        }
    }
}

fn axis(what: &str, name: &str) -> PyResult<Vec3A> {
    let (sign, letter) = match name.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, name.strip_prefix('+').unwrap_or(name)),
    };
    let axis = match letter {
        "x" => Vec3A::X,
        "y" => Vec3A::Y,
        "z" => Vec3A::Z,
        _ => return Err(bad(format!("{what}: expected x, y, z, -x, -y or -z, found \"{name}\""))),
    };
    Ok(sign * axis)
}

fn metres(unit: &Unit) -> PyResult<f32> {
    let metres = match unit {
        Unit::Metres(metres) => *metres,
        Unit::Name(name) => match name.as_str() {
            "m" => 1.0,
            "cm" => 0.01,
            "mm" => 0.001,
            "in" => 0.0254,
            _ => {
                return Err(bad(format!(
                    "unit: expected \"m\", \"cm\", \"mm\", \"in\" or a number of metres, found \"{name}\""
                )));
            }
        },
    };
    if metres.is_finite() && metres > 0.0 {
        Ok(metres)
    } else {
        Err(bad(format!("unit: expected a number of metres above 0, found {metres}")))
    }
}
