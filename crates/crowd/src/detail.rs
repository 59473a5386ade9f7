//! Levels of detail: less work for characters that are far away.

use sinew_motion::LANES;

use crate::bones::Bones;

/// How much is done for a character.
///
/// Eight neighbours of the crowd share the finest detail among them, so sort characters by distance
/// now and then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Posed once in so many calls of [`Crowd::pose`](crate::Crowd::pose), the others in rotation; between, the pose is
    /// kept. Zero counts as one.
    pub every: u32,
    /// Joints from which no bone reaches as far, in metres, are left at rest, where eight in a row are.
    pub reach: f32,
}

impl Detail {
    /// Every joint of every frame.
    pub const FULL: Self = Self { every: 1, reach: 0.0 };
}

impl Default for Detail {
    fn default() -> Self {
        Self::FULL
    }
}

/// Which blocks of eight joints move.
pub(crate) fn moving(detail: &Detail, bones: &Bones) -> Vec<bool> {
    let far = |reach: &[f32]| reach.iter().any(|&far| far >= detail.reach);
    bones.reach.chunks(LANES).map(far).collect()
}
