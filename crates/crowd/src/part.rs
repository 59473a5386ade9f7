//! What one character of a crowd does: sixteen bytes.

/// Two sampled clips, their times, and how much of the second.
///
/// ```
/// use sinew_crowd::Playing;
/// let walking = Playing::new(0, 0.5);
/// assert_eq!(walking.weight, 0.0);
/// let turning_to_a_run = Playing { sampled_clips: [0, 1], times: [0.5, 0.25], weight: 0.3 };
/// assert_eq!(size_of_val(&turning_to_a_run), 16);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Playing {
    /// Which two of the crowd's sampled clips; numbers past the last are the last.
    pub sampled_clips: [u16; 2],
    /// Seconds into each; outside, the ends hold.
    pub times: [f32; 2],
    /// From 0, the first alone, to 1, the second alone; what is outside or not a number is clamped to 0 or 1.
    pub weight: f32,
}

impl Playing {
    /// One sampled clip alone.
    #[must_use]
    pub fn new(sampled: u16, time: f32) -> Self {
        Self { sampled_clips: [sampled; 2], times: [time; 2], weight: 0.0 }
    }

    /// The weight, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_from_none_to_all() {
        let share = |weight| Playing { weight, ..Playing::default() }.share();
        assert_eq!([share(-1.0), share(f32::NAN), share(0.01), share(9.0)], [0.0, 0.0, 0.01, 1.0]);
    }
}
