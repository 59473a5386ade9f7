//! Where a scene file puts a thing: position, rotation and scale to a matrix.

use glam::{Affine3A, EulerRot, Quat, Vec3};

use super::file::{Scale, Triple};

pub(super) fn vector(triple: Triple) -> Vec3 {
    Vec3::from_array(triple.map(|number| number.0))
}

/// Scaled, then turned about X, Y and Z in this order (degrees), then moved. `None` when a scale is 0.
pub(super) fn place(
    position: Option<Triple>,
    rotation: Option<Triple>,
    scale: Option<Scale>,
) -> Option<Affine3A> {
    let scale = match scale {
        None => Vec3::ONE,
        Some(Scale::Even(even)) => Vec3::splat(even.0),
        Some(Scale::Each(each)) => vector(each),
    };
    let angles = rotation.map_or(Vec3::ZERO, vector) * std::f32::consts::PI / 180.0;
    let rotation = Quat::from_euler(EulerRot::XYZEx, angles.x, angles.y, angles.z);
    let position = position.map_or(Vec3::ZERO, vector);
    let whole = scale.cmpne(Vec3::ZERO).all();
    whole.then(|| Affine3A::from_scale_rotation_translation(scale, rotation, position))
}

#[cfg(test)]
mod tests {
    use super::super::number::Finite;
    use super::*;

    #[test]
    fn a_thing_is_scaled_then_turned_about_x_y_z_then_moved() {
        let triple = |x, y, z| Some([Finite(x), Finite(y), Finite(z)]);
        let matrix =
            place(triple(10.0, 0.0, 0.0), triple(90.0, 90.0, 0.0), Some(Scale::Even(Finite(2.0))))
                .expect("a matrix");
        // Y doubled is 2 Y; a quarter about X makes it 2 Z; a quarter about Y makes that 2 X.
        let point = matrix.transform_point3(Vec3::Y);
        assert!(point.abs_diff_eq(Vec3::new(12.0, 0.0, 0.0), 1e-5), "{point}");
        assert!(place(None, None, Some(Scale::Even(Finite(0.0)))).is_none());
    }
}
