//! Pictures of rules on rotations: an arm where its keys lead it, and where a fault does.

use sinew::glam::{Mat3, Quat, Vec3};

use super::half::{Extra, Half, Plot, below, bend, node, ossi};

pub(super) fn halves(code: &str) -> Option<[Half; 2]> {
    let turned = |degrees: f32| arm(degrees).ring("hand.L");
    Some(match code {
        "quat-sign" => [
            arm(30.0).words("half-way between two keys"),
            turned(-150.0).words("the same, the long way round"),
        ],
        "rotation-180" => [
            arm(60.0).words("half of 175 degrees, upwards"),
            turned(-115.0).words("half of 185 degrees, downwards"),
        ],
        "quat-unit" => [arm(20.0), swollen(1.5).words("length 1.5 instead of 1")],
        "spike" => {
            let plot = |degrees: f32| {
                let flung = |at: usize| if at == 6 { degrees } else { 0.0 };
                let wave = |at: usize| 0.2 + 0.1 * (at as f32 * 0.5).sin() + flung(at);
                Plot::of([0.0, 1.0], (0..13).map(wave)).keys()
            };
            [
                arm(10.0).with(Extra::Plot(plot(0.0))),
                turned(85.0).with(Extra::Plot(plot(0.7).mark(0.5, 0.91))).words("for one frame"),
            ]
        }
        "nan" => [
            Half::rest(|_| ()),
            Half::rest(|parts| parts.nodes[node("head")].rest.scale = Vec3::splat(1e-7))
                .ring("head")
                .words("scaled by zero"),
        ],
        _ => return None,
    })
}

/// The left arm raised by an angle in degrees.
fn arm(degrees: f32) -> Half {
    Half::rest(|parts| bend(parts, "upper_arm.L", Vec3::Z, degrees))
}

/// The left arm raised by a quaternion of another length, as the usual formula makes a matrix of it.
fn swollen(length: f32) -> Half {
    let arm = below("upper_arm.L");
    let quat = Quat::from_rotation_z(20_f32.to_radians());
    let wrong = unnormalised(quat * length);
    let shoulder = place("upper_arm.L");
    let put = |place: Vec3| shoulder + wrong * (place - shoulder);
    let half = Half::placed("", 0.0, |vertex, _| {
        let share = vertex.share(|at| arm.contains(&at));
        vertex.right.lerp(put(vertex.right), share)
    });
    half.with(Extra::RingAt(put(place("hand.L"))))
}

/// Where a joint is at rest; no node of the character is turned there.
fn place(joint: &str) -> Vec3 {
    let mut at = Some(node(joint));
    let mut sum = Vec3::ZERO;
    while let Some(index) = at {
        sum += ossi().nodes[index].rest.translation;
        at = ossi().nodes[index].parent.map(sinew::JointId::index);
    }
    sum
}

/// The matrix of a quaternion by the formula that holds for unit length.
fn unnormalised(quat: Quat) -> Mat3 {
    let [x, y, z, w] = quat.to_array();
    Mat3::from_cols(
        Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)),
        Vec3::new(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)),
        Vec3::new(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
}
