//! What can go wrong, in one sentence each.

use std::fmt;

use crate::format::header::VERSION;

/// Why a clip could not be packed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PackError {
    /// Nothing that can be packed, as the sentence says: of nothing, not finite, too long, or a bound that is none.
    Unfit(String),
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
        let (asked, reached, joint, span) = match self {
            Self::Unfit(why) => return f.write_str(why),
            Self::OutOfReach { asked, reached, joint, span } => (*asked, *reached, joint, *span),
        };
        // As it was written: 0.1, not what single precision makes of it.
        let fine = if asked < 1e-6 { 1e12 } else { 1e7 };
        let asked = (f64::from(asked) * fine).round() / (fine * 1e-3);
        write!(f, "an error of {asked} mm is out of reach: ")?;
        write!(f, "the best is {:.4} mm, at node {joint:?}; ", reached * 1000.0)?;
        let digits = if span < 10.0 { 2 } else { 0 };
        write!(f, "the clip goes {span:.digits$} m far from the origin, and ")?;
        write!(f, "single precision rounds there by {:.5} mm", span * 6e-5)?;
        if span < GIANT {
            return Ok(());
        }
        write!(f, ": if the file is in centimetres, ask for 100 times the error")
    }
}

impl std::error::Error for PackError {}

/// Why bytes are no packed clip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// They begin otherwise.
    NotPacked,
    /// They are of another version of the format, this one.
    Version(u16),
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
            Self::Version(found) => {
                let again = "; pack it again from its model (sinew pack MODEL -o OUT)";
                let later = ("a later", "");
                let (who, again) = if *found < VERSION { ("an earlier", again) } else { later };
                write!(f, "a packed clip of version {found}, which {who} Sinew wrote: ")?;
                write!(f, "expected {VERSION}{again}")
            }
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
