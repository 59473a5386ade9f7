//! The list of Ossi's parts: where flesh is, how thick, and how it melts into its neighbours.
//!
//! Out: the left half and the middle, torso first, so that limbs melt into it. Metres.

use glam::{Quat, Vec3};

use super::body::{Form, Limb, Part};
use super::skeleton::{
    CLAVICLE, FINGER, FOOT, FOREARM, HAND, SHIN, Side, THIGH, TOES, UPPER_ARM, in_hand, on, places,
};

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

fn part(form: Form, melt: f32, limb: Limb) -> Part {
    Part { form, melt, both: false, limb }
}

/// In the middle: or on both sides of it, near enough to be felt on the other.
fn both(form: Form, melt: f32, limb: Limb) -> Part {
    Part { form, melt, both: true, limb }
}

fn cone(a: Vec3, b: Vec3, ra: f32, rb: f32) -> Form {
    Form::cone(a, b, ra, rb)
}

fn egg(center: Vec3, radii: Vec3) -> Form {
    Form::egg(center, radii, Quat::IDENTITY)
}

/// An ellipsoid whose top leans forward by `lean` degrees.
fn leaning(center: Vec3, radii: Vec3, lean: f32) -> Form {
    Form::egg(center, radii, Quat::from_rotation_x(lean.to_radians()))
}

pub(super) fn parts() -> Vec<Part> {
    let mut parts = torso();
    parts.extend(jacket());
    parts.extend(head());
    parts.extend(leg());
    parts.extend(foot());
    parts.extend(arm());
    parts.extend(hand());
    parts
}

fn torso() -> Vec<Part> {
    use Limb::Torso;
    let shoulder = places()[on(Side::Left, UPPER_ARM)];
    let clavicle = places()[on(Side::Left, CLAVICLE)];
    vec![
        // Ribs, waist, pelvis.
        part(leaning(v(0.0, 1.265, -0.006), v(0.140, 0.185, 0.104), -6.0), 0.02, Torso),
        part(egg(v(0.0, 1.085, 0.006), v(0.112, 0.15, 0.082)), 0.07, Torso),
        part(leaning(v(0.0, 0.965, -0.004), v(0.140, 0.098, 0.098), 8.0), 0.06, Torso),
        // The yoke of the shoulders, and the slope from the neck.
        both(
            cone(v(0.03, 1.385, -0.02), shoulder + v(-0.02, -0.004, 0.0), 0.062, 0.050),
            0.05,
            Limb::Arm,
        ),
        both(cone(v(0.025, 1.465, -0.03), v(0.125, 1.425, -0.026), 0.036, 0.030), 0.05, Limb::Arm),
        // Chest and shoulder blades.
        both(egg(clavicle + v(0.042, -0.088, 0.052), v(0.074, 0.058, 0.036)), 0.045, Torso),
        both(egg(v(0.075, 1.315, -0.075), v(0.062, 0.085, 0.035)), 0.05, Torso),
        // Seat.
        both(egg(v(0.068, 0.915, -0.050), v(0.074, 0.082, 0.066)), 0.04, Torso),
    ]
}

/// What is worn over the trunk: a blouson that puffs over the belt, and a neckerchief.
fn jacket() -> Vec<Part> {
    use Limb::Torso;
    vec![
        part(egg(v(0.0, 1.062, 0.004), v(0.143, 0.058, 0.108)), 0.03, Torso),
        part(leaning(v(0.0, 1.466, -0.014), v(0.104, 0.034, 0.102), 18.0), 0.012, Torso),
        part(leaning(v(0.0, 1.505, -0.008), v(0.088, 0.026, 0.086), 18.0), 0.010, Torso),
        // A knot, and two short ends.
        part(egg(v(0.0, 1.434, 0.098), v(0.022, 0.020, 0.018)), 0.008, Torso),
        both(cone(v(0.010, 1.425, 0.100), v(0.036, 1.372, 0.112), 0.013, 0.020), 0.006, Torso),
    ]
}

fn head() -> Vec<Part> {
    use Limb::Torso;
    vec![
        // A knitted cap with a rolled brim and a pompom.
        part(egg(v(0.0, 1.704, -0.014), v(0.106, 0.088, 0.114)), 0.01, Torso),
        part(leaning(v(0.0, 1.694, -0.008), v(0.116, 0.028, 0.125), -12.0), 0.008, Torso),
        part(egg(v(0.0, 1.811, -0.024), v(0.041, 0.038, 0.041)), 0.006, Torso),
        part(cone(v(0.0, 1.43, -0.022), v(0.0, 1.56, -0.002), 0.054, 0.046), 0.04, Torso),
        part(egg(v(0.0, 1.656, -0.002), v(0.094, 0.100, 0.106)), 0.03, Torso),
        part(leaning(v(0.0, 1.590, 0.022), v(0.073, 0.066, 0.074), -12.0), 0.05, Torso),
        part(egg(v(0.093, 1.628, -0.006), v(0.012, 0.025, 0.019)), 0.010, Torso),
        // A button of a nose.
        part(egg(v(0.0, 1.622, 0.108), v(0.0145, 0.0125, 0.0135)), 0.012, Torso),
    ]
}

fn leg() -> Vec<Part> {
    use Limb::Leg;
    let places = places();
    let [hip, knee, ankle] = [THIGH, SHIN, FOOT].map(|joint| places[on(Side::Left, joint)]);
    vec![
        both(cone(hip + v(0.0, -0.02, -0.004), knee + v(0.0, 0.02, 0.0), 0.084, 0.050), 0.05, Leg),
        both(cone(v(0.098, 0.80, 0.018), v(0.098, 0.64, 0.020), 0.074, 0.058), 0.04, Leg),
        part(egg(knee + v(0.0, 0.0, 0.012), v(0.044, 0.052, 0.042)), 0.04, Leg),
        part(cone(knee, ankle + v(0.0, 0.01, 0.0), 0.044, 0.030), 0.03, Leg),
        part(cone(v(0.101, 0.405, -0.022), v(0.099, 0.270, -0.018), 0.047, 0.042), 0.05, Leg),
        // Trousers that fall straight, and end in a roll above the boots.
        part(
            cone(knee + v(0.0, -0.10, -0.008), ankle + v(0.0, 0.13, 0.006), 0.049, 0.052),
            0.03,
            Leg,
        ),
        part(egg(ankle + v(0.0, 0.098, 0.006), v(0.062, 0.020, 0.064)), 0.008, Leg),
    ]
}

fn foot() -> Vec<Part> {
    use Limb::Leg;
    let places = places();
    let [ankle, ball] = [FOOT, TOES].map(|joint| places[on(Side::Left, joint)]);
    vec![
        // Boots: a shaft, a heel, a broad toe.
        part(
            cone(ankle + v(0.0, 0.055, 0.004), ankle + v(0.0, -0.02, 0.004), 0.046, 0.046),
            0.02,
            Leg,
        ),
        part(egg(v(0.100, 0.0455, -0.036), v(0.045, 0.058, 0.050)), 0.03, Leg),
        part(
            cone(ankle + v(0.0, -0.020, 0.006), ball + v(-0.004, 0.010, -0.01), 0.044, 0.038),
            0.04,
            Leg,
        ),
        part(egg(ball + v(0.0, 0.0065, 0.0), v(0.052, 0.036, 0.056)), 0.03, Leg),
        part(egg(ball + v(0.001, 0.010, 0.044), v(0.050, 0.036, 0.052)), 0.02, Leg),
    ]
}

fn arm() -> Vec<Part> {
    use Limb::Arm;
    let places = places();
    let [shoulder, elbow, wrist] =
        [UPPER_ARM, FOREARM, HAND].map(|joint| places[on(Side::Left, joint)]);
    let along = |from: Vec3, to: Vec3, share: f32| from.lerp(to, share);
    let back = v(0.0, 0.0, -0.010);
    vec![
        part(egg(along(shoulder, elbow, 0.05), v(0.052, 0.056, 0.054)), 0.045, Arm),
        part(cone(along(shoulder, elbow, 0.1), elbow, 0.048, 0.037), 0.03, Arm),
        part(
            cone(
                along(shoulder, elbow, 0.38) - back,
                along(shoulder, elbow, 0.66) - back,
                0.040,
                0.038,
            ),
            0.03,
            Arm,
        ),
        part(cone(elbow, wrist, 0.036, 0.0255), 0.02, Arm),
        part(cone(along(elbow, wrist, 0.12), along(elbow, wrist, 0.80), 0.042, 0.038), 0.04, Arm),
        // A gathered cuff.
        part(cone(along(elbow, wrist, 0.84), along(elbow, wrist, 0.95), 0.040, 0.036), 0.010, Arm),
    ]
}

fn hand() -> Vec<Part> {
    let mut parts = Vec::new();
    // The palm: a fan of cones from the wrist to the knuckles.
    for finger in &FINGER[1..] {
        let root = in_hand(v(0.002, -0.018, finger.base.z * 0.42));
        let knuckle = in_hand(finger.base + v(0.001, 0.006, 0.0));
        parts.push(part(cone(root, knuckle, 0.0165, 0.0118), 0.016, Limb::Arm));
    }
    let thumb = &FINGER[0];
    let root = in_hand(v(-0.003, -0.018, 0.010));
    parts.push(part(cone(root, in_hand(thumb.base), 0.0165, 0.0155), 0.016, Limb::Arm));
    for (at, finger) in FINGER.iter().enumerate() {
        let along = finger.along.normalize();
        let mut from = finger.base;
        for bone in 0..3 {
            let last = bone == 2;
            // The last bone ends in a ball, whose top is the fingertip.
            let length = finger.lengths[bone] - if last { finger.radii[3] * 0.6 } else { 0.0 };
            let to = from + along * length;
            let form = cone(in_hand(from), in_hand(to), finger.radii[bone], finger.radii[bone + 1]);
            parts.push(part(form, if bone == 0 { 0.007 } else { 0.004 }, Limb::Finger(at)));
            from = to;
        }
    }
    parts
}
