//! How good a retargeted clip is, in figures.

use std::fmt;

use crate::slot::Slot;

/// How fast feet slide while they stand, in metres a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slide {
    /// On average over all contact.
    pub mean: f32,
    /// At the worst moment.
    pub worst: f32,
}

/// How good a retargeted clip is, measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quality {
    /// The character's legs over those of the clip's skeleton: also the ratio of their hip heights.
    pub hip_ratio: f32,
    /// The character's leg, in metres.
    pub leg: f32,
    /// In the clip, at the character's size.
    pub source_slide: Slide,
    /// On the character, before feet are planted.
    pub plain_slide: Slide,
    /// In the result.
    pub slide: Slide,
    /// The share of time that a foot stands, from 0 to 1.
    pub contact: f32,
    /// How fast the ground moves under a character that walks in place, in metres a second; else 0.
    pub ground_speed: f32,
    /// The most that an arm's or leg's bone points away from the clip's, in degrees.
    pub worst_direction: f32,
    /// Which bone that is, and when in seconds.
    pub worst_bone: Option<(Slot, f32)>,
    /// The same on average.
    pub mean_direction: f32,
    /// How far a joint is at worst half-way between two keys from where it belongs, in metres; looked at where most happens,
    /// and not where the clip goes on elsewhere from one frame to the next.
    pub key_error: f32,
    /// How many keys each track has.
    pub keys: usize,
    /// How many moments of the clip have keys.
    pub source_keys: usize,
    /// How many joints of the character follow.
    pub joints: usize,
    /// Tracks of the clip that nothing on the character follows.
    pub tracks_left_out: usize,
    /// The clip loops, and its seam was kept closed.
    pub comes_round: bool,
    /// Names call left what is right: in the clip's skeleton, in the character.
    pub sides_swapped: [bool; 2],
    /// Whether a standing pose was found: in the clip's file, in the character. Without, twists are guessed.
    pub stands: [bool; 2],
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "hip height ratio   {:.3}", self.hip_ratio)?;
        let cm = |slide: Slide| {
            format!("{:.1} cm/s (worst {:.1})", 100.0 * slide.mean, 100.0 * slide.worst)
        };
        if self.contact > 0.0 {
            writeln!(f, "feet stand         {:.0}% of the time", 100.0 * self.contact)?;
            writeln!(f, "foot slide, clip   {}", cm(self.source_slide))?;
            writeln!(f, "foot slide, plain  {}", cm(self.plain_slide))?;
            writeln!(f, "foot slide, result {}", cm(self.slide))?;
        } else {
            writeln!(f, "feet stand         never: nothing to plant")?;
        }
        if self.ground_speed > 0.0 {
            writeln!(f, "in place           the ground moves at {:.2} m/s", self.ground_speed)?;
        }
        write!(f, "bone directions    {:.1}° off on average", self.mean_direction)?;
        match self.worst_bone {
            Some((slot, time)) => {
                writeln!(f, ", at worst {:.1}° ({slot}, {time:.2} s)", self.worst_direction)?;
            }
            None => writeln!(f)?,
        }
        writeln!(
            f,
            "keys               {} per joint, at worst {:.2} mm off between them",
            self.keys,
            1000.0 * self.key_error
        )?;
        write!(
            f,
            "joints             {} follow, {} tracks left out",
            self.joints, self.tracks_left_out
        )
    }
}
