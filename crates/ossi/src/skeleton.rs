//! Ossi's skeleton: 53 nodes, of which 52 bend the skin.
//!
//! Out: nodes, parents before children, and where each stands in the model at rest.
//!
//! Every joint's rest rotation is the identity, so a joint's own axes are the model's: X to the
//! character's left, Y up, Z forward. The arms rest 45° below the horizontal; legs stand straight.
//! `root` is on the floor between the feet and carries the root motion of a clip alone.

use std::f32::consts::FRAC_PI_4;

use glam::{Quat, Vec3};
use sinew_scene::{JointId, Node, Transform};

pub(super) const ROOT: usize = 0;
pub(super) const HIPS: usize = 1;
pub(super) const SPINE: usize = 2;
pub(super) const CHEST: usize = 3;
pub(super) const UPPER_CHEST: usize = 4;
pub(super) const NECK: usize = 5;
pub(super) const HEAD: usize = 6;

// Of one side; see `on`.
pub(super) const CLAVICLE: usize = 0;
pub(super) const UPPER_ARM: usize = 1;
pub(super) const FOREARM: usize = 2;
pub(super) const HAND: usize = 3;
/// The first of fifteen: thumb, index, middle, ring, little, three joints each.
pub(super) const FINGERS: usize = 4;
pub(super) const THIGH: usize = 19;
pub(super) const SHIN: usize = 20;
pub(super) const FOOT: usize = 21;
pub(super) const TOES: usize = 22;

const MIDDLE: usize = 7;
const SIDE: usize = 23;
pub(super) const COUNT: usize = MIDDLE + 2 * SIDE;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

pub(super) const SIDES: [Side; 2] = [Side::Left, Side::Right];

impl Side {
    /// A place on the left, on this side.
    pub(super) fn place(self, left: Vec3) -> Vec3 {
        match self {
            Self::Left => left,
            Self::Right => Vec3::new(-left.x, left.y, left.z),
        }
    }

    /// A turn on the left, on this side.
    pub(super) fn turn(self, left: Quat) -> Quat {
        match self {
            Self::Left => left,
            Self::Right => Quat::from_xyzw(left.x, -left.y, -left.z, left.w),
        }
    }
}

/// A joint of one side, such as `on(Side::Left, HAND)`.
pub(super) fn on(side: Side, joint: usize) -> usize {
    MIDDLE + joint + if side == Side::Right { SIDE } else { 0 }
}

/// A joint of a finger (0 is the thumb), counted from the palm.
pub(super) fn finger(side: Side, finger: usize, joint: usize) -> usize {
    on(side, FINGERS + 3 * finger + joint)
}

/// Turns the left arm of the rest pose so that it hangs straight down, the palm to the thigh.
pub(super) fn hang() -> Quat {
    Quat::from_rotation_z(-FRAC_PI_4)
}

const UPPER_ARM_LENGTH: f32 = 0.275;
const FOREARM_LENGTH: f32 = 0.25;
const SHOULDER: Vec3 = Vec3::new(0.172, 1.405, -0.014);

/// Where a finger begins in a hanging left hand, seen from the wrist, which way it points, and
/// the lengths of its bones. -Y is along the hand, +Z to the thumb, -X out of the palm.
pub(super) struct Finger {
    pub(super) base: Vec3,
    pub(super) along: Vec3,
    pub(super) lengths: [f32; 3],
    pub(super) radii: [f32; 4],
}

pub(super) const FINGER: [Finger; 5] = [
    Finger {
        base: Vec3::new(-0.008, -0.030, 0.026),
        along: Vec3::new(-0.26, -0.67, 0.70),
        lengths: [0.040, 0.033, 0.025],
        radii: [0.0135, 0.0112, 0.0102, 0.0088],
    },
    Finger {
        base: Vec3::new(0.0, -0.090, 0.0345),
        along: Vec3::new(0.0, -0.990, 0.14),
        lengths: [0.041, 0.026, 0.020],
        radii: [0.0086, 0.0081, 0.0076, 0.0067],
    },
    Finger {
        base: Vec3::new(0.001, -0.094, 0.0118),
        along: Vec3::new(0.0, -0.999, 0.04),
        lengths: [0.045, 0.029, 0.021],
        radii: [0.0088, 0.0083, 0.0077, 0.0068],
    },
    Finger {
        base: Vec3::new(0.0, -0.089, -0.0115),
        along: Vec3::new(0.0, -0.9975, -0.07),
        lengths: [0.042, 0.026, 0.020],
        radii: [0.0085, 0.0080, 0.0075, 0.0066],
    },
    Finger {
        base: Vec3::new(-0.002, -0.080, -0.0340),
        along: Vec3::new(0.0, -0.982, -0.19),
        lengths: [0.033, 0.021, 0.018],
        radii: [0.0078, 0.0073, 0.0068, 0.0062],
    },
];

/// Where a place in a hanging left hand (seen from the wrist) is in the rest pose.
pub(super) fn in_hand(hanging: Vec3) -> Vec3 {
    let along = hang().inverse() * Vec3::NEG_Y;
    SHOULDER + along * (UPPER_ARM_LENGTH + FOREARM_LENGTH) + hang().inverse() * hanging
}

/// Where each joint of the left side stands at rest, in metres.
fn left(joint: usize) -> Vec3 {
    let along = hang().inverse() * Vec3::NEG_Y;
    match joint {
        CLAVICLE => Vec3::new(0.022, 1.415, 0.012),
        UPPER_ARM => SHOULDER,
        FOREARM => SHOULDER + along * UPPER_ARM_LENGTH,
        HAND => in_hand(Vec3::ZERO),
        THIGH => Vec3::new(0.090, 0.925, 0.0),
        SHIN => Vec3::new(0.096, 0.500, 0.010),
        FOOT => Vec3::new(0.100, 0.085, -0.020),
        TOES => Vec3::new(0.108, 0.024, 0.112),
        _ => {
            let (finger, at) = ((joint - FINGERS) / 3, (joint - FINGERS) % 3);
            let shape = &FINGER[finger.min(4)];
            let reach: f32 = shape.lengths[..at].iter().sum();
            in_hand(shape.base + shape.along.normalize() * reach)
        }
    }
}

/// Where each joint stands in the model at rest, in metres.
pub(super) fn places() -> [Vec3; COUNT] {
    let mut places = [Vec3::ZERO; COUNT];
    places[HIPS] = Vec3::new(0.0, 0.965, 0.0);
    places[SPINE] = Vec3::new(0.0, 1.055, 0.004);
    places[CHEST] = Vec3::new(0.0, 1.165, 0.0);
    places[UPPER_CHEST] = Vec3::new(0.0, 1.290, -0.008);
    places[NECK] = Vec3::new(0.0, 1.455, -0.018);
    places[HEAD] = Vec3::new(0.0, 1.545, -0.004);
    for side in SIDES {
        for joint in 0..SIDE {
            places[on(side, joint)] = side.place(left(joint));
        }
    }
    places
}

/// The joint that each joint hangs on.
pub(super) fn parent(joint: usize) -> Option<usize> {
    if joint < MIDDLE {
        return joint.checked_sub(1);
    }
    let side = if joint < MIDDLE + SIDE { Side::Left } else { Side::Right };
    let of_side = (joint - MIDDLE) % SIDE;
    Some(match of_side {
        CLAVICLE => UPPER_CHEST,
        THIGH => HIPS,
        first if (FINGERS..THIGH).contains(&first) && (first - FINGERS).is_multiple_of(3) => {
            on(side, HAND)
        }
        _ => joint - 1,
    })
}

/// Such as `upper_arm.L` or `index.2.R`.
fn name(joint: usize) -> String {
    const NAMES: [&str; MIDDLE] = ["root", "hips", "spine", "chest", "upper_chest", "neck", "head"];
    const FINGER_NAMES: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];
    if let Some(name) = NAMES.get(joint) {
        return (*name).into();
    }
    let side = if joint < MIDDLE + SIDE { "L" } else { "R" };
    let plain = match (joint - MIDDLE) % SIDE {
        CLAVICLE => "clavicle",
        UPPER_ARM => "upper_arm",
        FOREARM => "forearm",
        HAND => "hand",
        THIGH => "thigh",
        SHIN => "shin",
        FOOT => "foot",
        TOES => "toes",
        of => {
            let (finger, at) = ((of - FINGERS) / 3, (of - FINGERS) % 3 + 1);
            return format!("{}.{at}.{side}", FINGER_NAMES[finger.min(4)]);
        }
    };
    format!("{plain}.{side}")
}

/// The nodes of the scene.
pub(super) fn nodes() -> Vec<Node> {
    let places = places();
    let node = |joint: usize| {
        let parent = parent(joint);
        let from = parent.map_or(Vec3::ZERO, |parent| places[parent]);
        let rest = Transform::from_translation(places[joint] - from);
        Node::new(name(joint), parent.map(JointId::new), rest)
    };
    (0..COUNT).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_left_is_at_plus_x_and_the_right_mirrors_it() {
        let (nodes, places) = (nodes(), places());
        for (joint, node) in nodes.iter().enumerate() {
            let Some(stem) = node.name.strip_suffix(".L") else { continue };
            let other = nodes.iter().position(|other| other.name == format!("{stem}.R"));
            let mirrored = places[other.expect("every left joint has a right one")];
            assert!(places[joint].x > 0.0, "{} is at {}", node.name, places[joint]);
            assert_eq!(mirrored, Vec3::new(-1.0, 1.0, 1.0) * places[joint], "{}", node.name);
        }
    }

    #[test]
    fn fifty_three_nodes_have_names_of_their_own_and_hang_on_what_they_should() {
        let nodes = nodes();
        let parent_of = |name: &str| {
            let node = nodes.iter().find(|node| node.name == name).expect("it is there");
            nodes[node.parent.expect("it has one").index()].name.clone()
        };
        assert_eq!(nodes.len(), 53);
        let names: std::collections::BTreeSet<_> = nodes.iter().map(|node| &node.name).collect();
        assert_eq!(names.len(), 53);
        assert_eq!(parent_of("thigh.R"), "hips");
        assert_eq!(parent_of("clavicle.R"), "upper_chest");
        assert_eq!(parent_of("ring.1.L"), "hand.L");
        assert_eq!(parent_of("little.3.R"), "little.2.R");
        assert_eq!(parent_of("toes.L"), "foot.L");
    }

    #[test]
    fn an_arm_rests_at_45_degrees_and_hangs_with_the_thumb_to_the_front() {
        let places = places();
        let left = |joint: usize| places[on(Side::Left, joint)];
        let arm = left(HAND) - left(UPPER_ARM);
        // 0.275 m of upper arm and 0.25 m of forearm, over the square root of two.
        assert!(arm.abs_diff_eq(Vec3::new(0.371_23, -0.371_23, 0.0), 1e-4), "{arm}");
        let down = hang() * arm;
        assert!(down.abs_diff_eq(Vec3::NEG_Y * 0.525, 1e-5), "{down}");
        let thumb = hang() * (left(FINGERS + 2) - left(HAND));
        assert!(thumb.z > 0.05 && thumb.x < 0.0, "{thumb}");
    }
}
