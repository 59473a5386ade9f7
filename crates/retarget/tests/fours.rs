//! Who stands on four legs is told from who stands on two.

mod common;

use common::{Variant, hanging, ossi, t_pose};
use glam::Quat;
use sinew_retarget::JointMap;

/// Ossi on hands and feet: the hips tip the body over, and legs and arms hang from it.
fn on_all_fours(name: &str) -> Quat {
    let quarter = 90_f32.to_radians();
    match name {
        "hips" => Quat::from_rotation_x(quarter),
        "thigh.L" | "thigh.R" => Quat::from_rotation_x(-quarter),
        "upper_arm.L" => Quat::from_rotation_z(-quarter / 2.0) * Quat::from_rotation_x(-quarter),
        "upper_arm.R" => Quat::from_rotation_z(quarter / 2.0) * Quat::from_rotation_x(-quarter),
        _ => Quat::IDENTITY,
    }
}

#[test]
fn an_animal_on_four_legs_is_not_taken_for_a_person() {
    // Forelegs as long as the hind legs.
    let length = |name: &str| {
        if name.starts_with("forearm") || name.starts_with("hand") { 1.6 } else { 1.0 }
    };
    let fox = Variant { rest: on_all_fours, length, ..Variant::default() }.scene();
    let error = JointMap::find(ossi(), &fox).expect_err("four legs").to_string();
    assert!(error.starts_with("the character: expected a body that stands on two legs"), "{error}");
    let error = JointMap::find(&fox, ossi()).expect_err("four legs").to_string();
    assert!(error.starts_with("the clip's skeleton: "), "{error}");
    assert!(JointMap::find(&fox, &fox).is_ok(), "one animal moves as another");
    // Hands as low as the feet alone make no animal.
    let length = |name: &str| {
        if name.starts_with("forearm") || name.starts_with("hand") { 2.2 } else { 1.0 }
    };
    let ape = Variant { rest: hanging, length, ..Variant::default() }.scene();
    assert!(JointMap::find(ossi(), &ape).is_ok());
    for rest in [t_pose, hanging] {
        let person = Variant { rest, ..Variant::default() }.scene();
        assert!(JointMap::find(ossi(), &person).is_ok());
    }
}
