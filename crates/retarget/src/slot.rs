//! The parts of a body, by names of our own: what two skeletons are compared by.
//!
//! A slot holds a joint, or a chain of joints where bodies differ in number: spine, neck, fingers.

use std::fmt;

/// A side of the body, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// At +X of a body that looks along +Z.
    Left,
    /// The other.
    Right,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// +1 for the left, where X grows; -1 for the right.
    #[must_use]
    pub(crate) fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BodyPart {
    /// On the floor, where root motion is kept apart from the hips.
    Root,
    Hips,
    /// A chain, from above the hips to what carries the shoulders.
    Spine,
    /// A chain, from above the shoulders to below the head.
    Neck,
    Head,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
    Thigh,
    Shin,
    Foot,
    Toes,
}

impl BodyPart {
    /// The five fingers, each a chain from the palm.
    pub const FINGERS: [Self; 5] =
        [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];

    /// Whether it may have any number of joints.
    #[must_use]
    pub fn is_chain(self) -> bool {
        matches!(self, Self::Spine | Self::Neck) || Self::FINGERS.contains(&self)
    }

    /// Whether there is one on each side.
    #[must_use]
    pub fn has_sides(self) -> bool {
        !matches!(self, Self::Root | Self::Hips | Self::Spine | Self::Neck | Self::Head)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Hips => "hips",
            Self::Spine => "spine",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Clavicle => "clavicle",
            Self::UpperArm => "upper_arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Thumb => "thumb",
            Self::Index => "index",
            Self::Middle => "middle",
            Self::Ring => "ring",
            Self::Little => "little",
            Self::Thigh => "thigh",
            Self::Shin => "shin",
            Self::Foot => "foot",
            Self::Toes => "toes",
        }
    }
}

const PARTS: [BodyPart; 18] = [
    BodyPart::Root,
    BodyPart::Hips,
    BodyPart::Spine,
    BodyPart::Neck,
    BodyPart::Head,
    BodyPart::Clavicle,
    BodyPart::UpperArm,
    BodyPart::Forearm,
    BodyPart::Hand,
    BodyPart::Thumb,
    BodyPart::Index,
    BodyPart::Middle,
    BodyPart::Ring,
    BodyPart::Little,
    BodyPart::Thigh,
    BodyPart::Shin,
    BodyPart::Foot,
    BodyPart::Toes,
];

/// A part on its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// `None` in the middle of the body.
    pub side: Option<Side>,
    /// Which part.
    pub part: BodyPart,
}

impl Slot {
    /// In the middle of the body.
    #[must_use]
    pub const fn middle(part: BodyPart) -> Self {
        Self { side: None, part }
    }

    /// On a side.
    #[must_use]
    pub const fn of(side: Side, part: BodyPart) -> Self {
        Self { side: Some(side), part }
    }

    /// Every slot there is, the middle of the body first.
    pub fn all() -> impl Iterator<Item = Self> {
        let middle = PARTS.iter().filter(|part| !part.has_sides()).map(|&part| Self::middle(part));
        let of = |side| {
            let parts = PARTS.iter().filter(|part| part.has_sides());
            parts.map(move |&part| Self::of(side, part))
        };
        middle.chain(of(Side::Left)).chain(of(Side::Right))
    }

    /// The slot that is written so in a map file.
    ///
    /// ```
    /// use sinew_retarget::{BodyPart, Side, Slot};
    /// assert_eq!(Slot::named("left_upper_arm"), Some(Slot::of(Side::Left, BodyPart::UpperArm)));
    /// assert_eq!(Slot::named("tail"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|slot| slot.to_string() == name)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            None => "",
            Some(Side::Left) => "left_",
            Some(Side::Right) => "right_",
        };
        f.pad(&format!("{side}{}", self.part.word()))
    }
}
