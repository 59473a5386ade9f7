//! Up to eight tracks that stand in one block of a pose, and what they drive.

/// What a group's tracks are, and how many numbers each frame has of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Rotations near enough to a middle one: three numbers, the fourth follows.
    Turn = 0,
    /// Rotations that go all the way round: four numbers.
    Spin = 1,
    Translation = 2,
    Scale = 3,
    /// Morph weights.
    Weight = 4,
    /// Numbers of driven values, four a value.
    Property = 5,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Turn, Self::Spin, Self::Translation, Self::Scale, Self::Weight, Self::Property];

    /// Numbers of a track in a frame.
    pub(crate) fn components(self) -> usize {
        match self {
            Self::Spin => 4,
            Self::Turn | Self::Translation | Self::Scale => 3,
            Self::Weight | Self::Property => 1,
        }
    }

    /// Bytes of a track that hold for all frames: step and base, and two turns or an origin.
    pub(crate) fn fixed(self) -> usize {
        2 + match self {
            Self::Turn => 8,
            Self::Spin => 0,
            Self::Translation | Self::Scale => 12,
            Self::Weight | Self::Property => 4,
        }
    }
}

/// Which block, what of it, and which of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) block: u16,
    pub(crate) kind: Kind,
    pub(crate) mask: u8,
}

/// Bytes of a group in the file.
pub(crate) const GROUP: usize = 4;

impl Group {
    pub(crate) fn tracks(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// One of each track, in its lane; `none` in lanes without.
    pub(crate) fn spread<T: Copy>(self, tracks: &[T], none: T) -> [T; 8] {
        let mut lanes = [none; 8];
        let held = (0..8).filter(|lane| self.mask >> lane & 1 == 1);
        for (lane, track) in held.zip(tracks) {
            lanes[lane] = *track;
        }
        lanes
    }

    pub(crate) fn write(self) -> [u8; GROUP] {
        let [low, high] = self.block.to_le_bytes();
        [low, high, self.kind as u8, self.mask]
    }

    pub(crate) fn read(bytes: [u8; GROUP]) -> Option<Self> {
        let [low, high, kind, mask] = bytes;
        let kind = *Kind::ALL.get(usize::from(kind))?;
        Some(Self { block: u16::from_le_bytes([low, high]), kind, mask })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_finds_its_track() {
        let group = Group { block: 0, kind: Kind::Turn, mask: 0b1010_0110 };
        assert_eq!(group.spread(&[1, 2, 3, 4, 5], 0), [0, 1, 2, 0, 0, 3, 0, 4]);
    }
}
