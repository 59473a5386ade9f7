//! How a transform is written as numbers, and read back.
//!
//! In:  transforms or matrices, and a form by name.
//! Out: rows of float32. Every form begins with the translation but `matrix`, which is 4 × 4, row by row.

use sinew::Transform;
use sinew::glam::{Affine3A, EulerRot, Mat3A, Mat4, Quat, Vec3, Vec3A};

use crate::error::bad;
use pyo3::prelude::*;

/// A form of transforms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// Translation, quaternion x y z w.
    Quat,
    /// Translation, quaternion x y z w, scale.
    Trs,
    /// 4 × 4, for column vectors.
    Matrix,
    /// Translation, then the first two columns of the rotation matrix.
    SixD,
    /// Translation, then angles in radians, in the order of their names.
    Euler(EulerRot),
    /// Translation, then axis times angle in radians.
    AxisAngle,
}

impl Form {
    pub(crate) fn named(form: &str, order: &str) -> PyResult<Self> {
        Ok(match form {
            "quat" => Self::Quat,
            "trs" => Self::Trs,
            "matrix" => Self::Matrix,
            "6d" => Self::SixD,
            "euler" => Self::Euler(euler_order(order)?),
            "axis_angle" => Self::AxisAngle,
            other => {
                return Err(bad(format!(
                    "form: expected \"quat\", \"trs\", \"matrix\", \"6d\", \"euler\" or \"axis_angle\", found \"{other}\""
                )));
            }
        })
    }

    /// How many numbers a transform takes.
    pub(crate) fn width(self) -> usize {
        self.shape().iter().product()
    }

    /// The last axes of an array of transforms.
    pub(crate) fn shape(self) -> &'static [usize] {
        match self {
            Self::Quat => &[7],
            Self::Trs => &[10],
            Self::Matrix => &[4, 4],
            Self::SixD => &[9],
            Self::Euler(_) | Self::AxisAngle => &[6],
        }
    }

    /// Writes a local transform; `out` is as wide as the form.
    #[inline]
    pub(crate) fn write(self, transform: Transform, out: &mut [f32]) {
        if self == Self::Matrix {
            return out[..16].copy_from_slice(&by_rows(transform.to_affine()));
        }
        out[..3].copy_from_slice(&transform.translation.to_array());
        self.write_rotation(transform.rotation, &mut out[3..]);
        if self == Self::Trs {
            out[7..10].copy_from_slice(&transform.scale.to_array());
        }
    }

    /// Writes a matrix; what is no rotation and scale in it is only in the form `matrix`.
    #[inline]
    pub(crate) fn write_affine(self, matrix: Affine3A, out: &mut [f32]) {
        if self == Self::Matrix {
            return out[..16].copy_from_slice(&by_rows(matrix));
        }
        self.write(taken_apart(matrix), out);
    }

    #[inline]
    fn write_rotation(self, rotation: Quat, out: &mut [f32]) {
        match self {
            Self::Quat | Self::Trs => out[..4].copy_from_slice(&rotation.to_array()),
            Self::Matrix => {}
            Self::SixD => {
                let matrix = Mat3A::from_quat(rotation);
                out[..3].copy_from_slice(&matrix.x_axis.to_array());
                out[3..6].copy_from_slice(&matrix.y_axis.to_array());
            }
            Self::Euler(order) => {
                let (a, b, c) = rotation.to_euler(order);
                out[..3].copy_from_slice(&[a, b, c]);
            }
            Self::AxisAngle => {
                let short = if rotation.w < 0.0 { -rotation } else { rotation };
                out[..3].copy_from_slice(&short.to_scaled_axis().to_array());
            }
        }
    }

    /// Reads a transform; `numbers` is as wide as the form and finite.
    pub(crate) fn read(self, numbers: &[f32]) -> Result<Transform, String> {
        let three = |at: usize| Vec3::from_slice(&numbers[at..at + 3]);
        let rotation = match self {
            Self::Quat | Self::Trs => unit(Quat::from_slice(&numbers[3..7]))?,
            Self::Matrix => return read_matrix(numbers),
            Self::SixD => six_d(three(3), three(6))?,
            Self::Euler(order) => Quat::from_euler(order, numbers[3], numbers[4], numbers[5]),
            Self::AxisAngle => Quat::from_scaled_axis(three(3)),
        };
        let scale = if self == Self::Trs { three(7) } else { Vec3::ONE };
        Ok(Transform { translation: three(0), rotation, scale })
    }
}

fn euler_order(order: &str) -> PyResult<EulerRot> {
    Ok(match order {
        "xyz" => EulerRot::XYZ,
        "xzy" => EulerRot::XZY,
        "yxz" => EulerRot::YXZ,
        "yzx" => EulerRot::YZX,
        "zxy" => EulerRot::ZXY,
        "zyx" => EulerRot::ZYX,
        other => {
            let known = "\"xyz\", \"xzy\", \"yxz\", \"yzx\", \"zxy\" or \"zyx\"";
            return Err(bad(format!("order: expected {known}, found \"{other}\"")));
        }
    })
}

/// A matrix as numpy has it: row by row.
#[inline]
pub(crate) fn by_rows(matrix: Affine3A) -> [f32; 16] {
    Mat4::from(matrix).transpose().to_cols_array()
}

/// Translation, rotation and scale that come nearest; a mirrored matrix has a negative scale along x.
#[inline]
fn taken_apart(matrix: Affine3A) -> Transform {
    let Mat3A { x_axis, y_axis, z_axis } = matrix.matrix3;
    let mirrored = matrix.matrix3.determinant() < 0.0;
    let sign = if mirrored { -1.0 } else { 1.0 };
    let scale = Vec3::new(sign * x_axis.length(), y_axis.length(), z_axis.length());
    let along = |axis: Vec3A, length: f32, other: Vec3A| {
        if length == 0.0 { other } else { axis / length }
    };
    let x = along(x_axis, scale.x, Vec3A::X);
    // A sheared frame has no rotation of its own: y and z are set upright on x.
    let y = along(y_axis, scale.y, Vec3A::Y);
    let y = (y - x * x.dot(y)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    let rotation = Quat::from_mat3a(&Mat3A::from_cols(x, y, x.cross(y))).normalize();
    Transform { translation: matrix.translation.into(), rotation, scale }
}

fn unit(rotation: Quat) -> Result<Quat, String> {
    let length = rotation.length();
    if (length - 1.0).abs() < 1e-2 {
        Ok(rotation * (1.0 / length))
    } else {
        Err(format!("expected a unit quaternion, found one of length {length}"))
    }
}

/// The nearest rotation, by Gram and Schmidt.
fn six_d(x: Vec3, y: Vec3) -> Result<Quat, String> {
    let across = |x: Vec3| (y - x * x.dot(y)).try_normalize();
    match x.try_normalize().and_then(|x| Some((x, across(x)?))) {
        Some((x, y)) => {
            let matrix = Mat3A::from_cols(x.into(), y.into(), x.cross(y).into());
            Ok(Quat::from_mat3a(&matrix).normalize())
        }
        None => Err(format!("expected two columns of a rotation, found {x} and {y}")),
    }
}

fn read_matrix(numbers: &[f32]) -> Result<Transform, String> {
    let column = |at: usize| Vec3A::new(numbers[at], numbers[4 + at], numbers[8 + at]);
    if numbers[12..16] != [0.0, 0.0, 0.0, 1.0] {
        return Err(format!("expected a last row of 0 0 0 1, found {:?}", &numbers[12..16]));
    }
    let matrix = Affine3A {
        matrix3: Mat3A::from_cols(column(0), column(1), column(2)),
        translation: column(3),
    };
    Ok(taken_apart(matrix))
}
