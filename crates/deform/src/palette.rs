//! The palette: one matrix per joint of a skin, ready for vertices in mesh space.
//!
//! In:  each node's matrix in the model (or the world).
//! Out: `model_from_mesh` for each joint of the skin. The node of the mesh has no influence.

use sinew_scene::Skin;
use sinew_scene::glam::Affine3A;

/// Writes `model_from_joint · joint_from_mesh` for each joint of `skin`.
///
/// # Panics
/// When `model_from_mesh` is not as long as the skin's list of joints.
pub fn palette(skin: &Skin, model_from_joint: &[Affine3A], model_from_mesh: &mut [Affine3A]) {
    assert_eq!(model_from_mesh.len(), skin.joints.len(), "one matrix per joint of the skin");
    let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
    for (out, (joint, joint_from_mesh)) in model_from_mesh.iter_mut().zip(pairs) {
        *out = model_from_joint[joint.index()] * *joint_from_mesh;
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::JointId;
    use sinew_scene::glam::Vec3;

    use super::*;

    #[test]
    fn a_vertex_goes_to_its_joint_first_and_then_with_it() {
        let skin = Skin {
            joints: vec![JointId::new(0)],
            joint_from_mesh: vec![Affine3A::from_translation(Vec3::NEG_X)],
            ..Skin::default()
        };
        let quarter = Affine3A::from_rotation_z(90_f32.to_radians());
        let mut found = [Affine3A::IDENTITY];
        palette(&skin, &[quarter], &mut found);
        // Two metres out in the mesh is one metre from the joint, and rotates with it.
        let point = found[0].transform_point3(Vec3::X * 2.0);
        assert!(point.abs_diff_eq(Vec3::Y, 1e-6), "{point}");
    }

    #[test]
    fn joints_are_in_the_skins_order_and_two_skins_may_bind_one_joint_differently() {
        let model_from_joint = [
            Affine3A::from_translation(Vec3::X),
            Affine3A::from_translation(Vec3::Y),
            Affine3A::from_translation(Vec3::Z),
        ];
        let skin = |shift: f32| Skin {
            joints: vec![JointId::new(2), JointId::new(0)],
            joint_from_mesh: vec![Affine3A::from_translation(Vec3::NEG_Y * shift); 2],
            ..Skin::default()
        };
        let mut found = [Affine3A::IDENTITY; 2];
        palette(&skin(1.0), &model_from_joint, &mut found);
        assert_eq!(Vec3::from(found[0].translation), Vec3::new(0.0, -1.0, 1.0));
        assert_eq!(Vec3::from(found[1].translation), Vec3::new(1.0, -1.0, 0.0));
        palette(&skin(3.0), &model_from_joint, &mut found);
        assert_eq!(Vec3::from(found[1].translation), Vec3::new(1.0, -3.0, 0.0));
    }
}
