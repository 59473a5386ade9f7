//! What one character of a crowd plays: sixteen bytes.
//!
//! In:  two sampled clips, their times and the weight of the second.
//! Out: the record that crowds on the processor and on a GPU read.

/// Two sampled clips, their times, and how much of the second: all that a [`Crowd`](crate::Crowd) knows of a character's
/// motion.
///
/// ```
/// use sinew_crowd::CharacterState;
/// let walking = CharacterState::new(0, 0.5);
/// assert_eq!(walking.weight, 0.0);
/// let starting_to_run = CharacterState { clips: [0, 1], times: [0.5, 0.25], weight: 0.3 };
/// assert_eq!(size_of_val(&starting_to_run), 16);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct CharacterState {
    /// Which two of the crowd's sampled clips; numbers past the last are the last.
    pub clips: [u16; 2],
    /// Seconds into each; outside, the ends hold.
    pub times: [f32; 2],
    /// From 0, the first alone, to 1, the second alone; what is outside or not a number is clamped to 0 or 1.
    pub weight: f32,
}

impl CharacterState {
    /// One sampled clip alone.
    #[must_use]
    pub fn new(clip: u16, time: f32) -> Self {
        Self { clips: [clip; 2], times: [time; 2], weight: 0.0 }
    }

    /// The weight, from 0 to 1.
    #[must_use]
    pub fn clamped_weight(&self) -> f32 {
        if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_from_none_to_all() {
        let clamped =
            |weight| CharacterState { weight, ..CharacterState::default() }.clamped_weight();
        assert_eq!(
            [clamped(-1.0), clamped(f32::NAN), clamped(0.01), clamped(9.0)],
            [0.0, 0.0, 0.01, 1.0]
        );
    }
}
