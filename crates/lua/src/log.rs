//! Bone matrices in the form of the engine course's log.

use std::fmt::Write;

use sinew::glam::Affine3A;

/// The sixteen numbers of a matrix, column by column.
pub(crate) fn columns(matrix: Affine3A) -> [f32; 16] {
    sinew::glam::Mat4::from(matrix).to_cols_array()
}

/// `Bone bone_matrix:mat4x4:` and its four columns, each in brackets on a line.
pub(crate) fn bone(name: &str, model_from_bone: Affine3A) -> String {
    let mut text = format!("{name} bone_matrix:mat4x4:");
    let numbers = columns(model_from_bone).map(plain);
    for (index, column) in numbers.as_chunks::<4>().0.iter().enumerate() {
        let [x, y, z, w] = column;
        let end = if index < 3 { "," } else { "" };
        let _ = write!(text, "\n({x:.6}, {y:.6}, {z:.6}, {w:.6}){end}");
    }
    text
}

/// Without the sign of a zero, and of what six decimals show as zero.
fn plain(number: f32) -> f32 {
    if number.abs() < 5e-7 { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Vec3;

    #[test]
    fn a_matrix_is_logged_column_by_column_with_six_decimals() {
        let turned = Affine3A::from_rotation_z(-30_f32.to_radians());
        let matrix = Affine3A::from_translation(Vec3::new(1.0, 3_f32.sqrt(), -1e-9)) * turned;
        let expected = "Bone bone_matrix:mat4x4:\n(0.866025, -0.500000, 0.000000, 0.000000),\n\
             (0.500000, 0.866025, 0.000000, 0.000000),\n(0.000000, 0.000000, 1.000000, 0.000000),\n\
             (1.000000, 1.732051, 0.000000, 1.000000)";
        assert_eq!(bone("Bone", matrix), expected);
    }
}
