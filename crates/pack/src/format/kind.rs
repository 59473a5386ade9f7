//! The kinds of moving tracks, and how their groups of eight lie in a file.

/// What a track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A rotation near a middle one: three numbers, the fourth follows from them.
    Rotation,
    /// A rotation that goes all round: its four numbers.
    FullRotation,
    Translation,
    Scale,
    Weight,
    Property,
}

impl Kind {
    pub(crate) const COUNT: usize = 6;
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Rotation,
        Self::FullRotation,
        Self::Translation,
        Self::Scale,
        Self::Weight,
        Self::Property,
    ];

    /// How many numbers a track has in a frame.
    pub(crate) const fn components(self) -> usize {
        match self {
            Self::Rotation | Self::Translation | Self::Scale => 3,
            Self::FullRotation => 4,
            Self::Weight | Self::Property => 1,
        }
    }

    /// Bytes that a track has for all frames: what it drives (2), step code, base shift, and its *left* and
    /// *right* rotations or its origin.
    pub(crate) const fn track_bytes(self) -> usize {
        4 + match self {
            Self::Rotation => 8,
            Self::FullRotation => 0,
            Self::Translation | Self::Scale => 12,
            Self::Weight | Self::Property => 4,
        }
    }
}

/// How many tracks each group has: eight, and what is left over.
#[inline]
pub(crate) fn group_sizes(tracks: usize) -> impl Iterator<Item = usize> + Clone {
    (0..tracks.div_ceil(8)).map(move |group| (tracks - 8 * group).min(8))
}
