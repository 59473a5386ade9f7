//! The kinds of tracks, and how their groups of eight lie in a file.

/// What a track drives, and whether it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Rotation,
    Translation,
    Scale,
    Weight,
    Property,
    /// A rotation, translation or scale that is the same at all frames.
    ConstantRotation,
    ConstantTranslation,
    ConstantScale,
}

impl Kind {
    pub(crate) const COUNT: usize = 8;
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Rotation,
        Self::Translation,
        Self::Scale,
        Self::Weight,
        Self::Property,
        Self::ConstantRotation,
        Self::ConstantTranslation,
        Self::ConstantScale,
    ];

    /// How many numbers a track has in a frame.
    pub(crate) const fn numbers(self) -> usize {
        match self {
            Self::Rotation | Self::Translation | Self::Scale => 3,
            Self::Weight | Self::Property => 1,
            _ => 0,
        }
    }

    /// Bytes of each number that a track has for all frames: its origin or constant, or *left* and *right*.
    pub(crate) const fn own_number_bytes(self) -> usize {
        if matches!(self, Self::Rotation) { 1 } else { 4 }
    }

    /// Bytes of a track before these: what it drives, and where it moves a step code and a base shift.
    pub(crate) const fn own_at(self) -> usize {
        if self.numbers() > 0 { 4 } else { 2 }
    }

    /// Bytes that a track has for all frames.
    pub(crate) const fn track_bytes(self) -> usize {
        self.own_at()
            + match self {
                Self::Rotation => 8,
                Self::Weight | Self::Property => 4,
                _ => 12,
            }
    }
}
