//! What can go wrong, in one sentence each.

use std::fmt;

use crate::format::header::VERSION;

/// Why a clip could not be packed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PackError {
    /// There is nothing that a clip could move.
    NoJoints,
    /// The bound is not a length above zero.
    Bound(f32),
    /// The clip gives something that is no number.
    NotFinite {
        /// Which clip.
        clip: String,
        /// At which second.
        time: f32,
        /// Of what: a node, a morph weight, a driven value, or the clip's length.
        what: String,
    },
    /// So long, and of so many nodes, that it would not fit in memory.
    TooLong {
        /// How long it is.
        seconds: f32,
        /// How many nodes there are.
        joints: usize,
    },
    /// More frames, joints or values than the form can count.
    TooLarge(&'static str),
    /// No number of bits keeps the bound.
    OutOfReach {
        /// Metres that were asked for.
        asked: f32,
        /// Metres that were reached.
        reached: f32,
        /// The node that is off by as much.
        joint: String,
        /// How far from the origin the clip takes anything, in metres.
        span: f32,
    },
}

/// Metres from which on a file is more likely in centimetres.
const GIANT: f32 = 20.0;

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJoints => write!(f, "the scene has no node that a clip could move"),
            Self::Bound(bound) => {
                write!(f, "expected an error above zero, found {} mm", bound * 1000.0)
            }
            Self::NotFinite { clip, time, what } => {
                write!(f, "clip {clip:?} is not finite at {time} s: expected numbers for {what}")
            }
            Self::TooLong { seconds, joints } => write!(
                f,
                "{seconds} s of {joints} nodes are too long to pack at once: cut the clip into shorter ones"
            ),
            Self::TooLarge(what) => write!(f, "{what}"),
            Self::OutOfReach { asked, reached, joint, span } => {
                // As it was written: 0.1, not what single precision makes of it.
                let fine = if *asked < 1e-6 { 1e12 } else { 1e7 };
                let asked = (f64::from(*asked) * fine).round() / (fine * 1e-3);
                write!(f, "an error of {asked} mm is out of reach: ")?;
                write!(f, "the best is {:.4} mm, at node {joint:?}; ", reached * 1000.0)?;
                let digits = if *span < 10.0 { 2 } else { 0 };
                write!(f, "the clip goes {span:.digits$} m far from the origin, and ")?;
                write!(f, "single precision rounds there by {:.5} mm", span * 6e-5)?;
                if *span < GIANT {
                    return Ok(());
                }
                write!(f, ": if the file is in centimetres, ask for 100 times the error")
            }
        }
    }
}

impl std::error::Error for PackError {}

/// Why bytes are no packed clip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// They begin otherwise.
    NotPacked,
    /// They are of an earlier version of the format.
    Older {
        /// The version found.
        found: u16,
    },
    /// A later version of Sinew wrote them.
    Newer {
        /// The version found.
        found: u16,
    },
    /// They end too early, or go on.
    Length {
        /// Bytes that the file speaks of.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// They were altered since they were written.
    Checksum,
    /// A part says something that cannot be.
    Broken {
        /// Where, in bytes from the start.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPacked => {
                write!(f, "not a packed clip: expected it to begin with \"sinewc\"")
            }
            Self::Older { found } => write!(
                f,
                "a packed clip of version {found}, which an earlier Sinew wrote: expected {VERSION}; \
                 pack it again from its model (sinew pack MODEL -o OUT)"
            ),
            Self::Newer { found } => write!(
                f,
                "a packed clip of version {found}, which a later Sinew wrote: expected {VERSION}"
            ),
            Self::Length { expected, found } => {
                write!(f, "a packed clip of {expected} bytes, of which {found} are here")
            }
            Self::Checksum => {
                write!(f, "a packed clip that was altered: its checksum does not fit")
            }
            Self::Broken { at, expected } => {
                write!(f, "a broken packed clip: expected {expected} at byte {at}")
            }
        }
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_as_it_was_written_and_a_man_is_not_taken_for_centimetres() {
        let error = |asked, span| {
            PackError::OutOfReach { asked, reached: 0.000_25, joint: "toe".into(), span }
                .to_string()
        };
        let told = error(0.000_1, 180.0);
        let start = "an error of 0.1 mm is out of reach: the best is 0.2500 mm, at node \"toe\"; ";
        assert!(told.starts_with(start) && told.ends_with("ask for 100 times the error"), "{told}");
        assert!(told.contains("the clip goes 180 m far"), "{told}");
        let told = error(1e-10, 0.4);
        assert!(told.starts_with("an error of 0.0000001 mm is out of reach"), "{told}");
        assert!(told.contains("the clip goes 0.40 m far"), "{told}");
        assert!(told.ends_with("single precision rounds there by 0.00002 mm"), "{told}");
    }

    #[test]
    fn an_earlier_file_says_how_to_be_made_anew() {
        let told = ReadError::Older { found: 2 }.to_string();
        assert!(
            told.contains("version 2") && told.ends_with("(sinew pack MODEL -o OUT)"),
            "{told}"
        );
    }
}
