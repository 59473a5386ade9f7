//! Why two models cannot be compared.

use std::fmt;

/// Why two models cannot be compared.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompareError {
    /// A clip that was asked for is in neither of the places it should be.
    ClipNotFound {
        /// `A` or `B`.
        model: char,
        /// As it was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A joint that was mapped is not there.
    JointNotFound {
        /// `A` or `B`.
        model: char,
        /// As it was asked for.
        name: String,
    },
    /// Not one joint or vertex of A has a counterpart in B.
    NothingInCommon {
        /// How many joints each has.
        joints: [usize; 2],
    },
    /// A rate at which nothing can be sampled.
    Rate(f64),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClipNotFound { model, name, known } if known.is_empty() => {
                write!(f, "there is no clip {name:?} in {model}: it has no clips")
            }
            Self::ClipNotFound { model, name, known } => {
                write!(f, "there is no clip {name:?} in {model}: expected one of {known:?}")
            }
            Self::JointNotFound { model, name } => {
                write!(f, "there is no joint {name:?} in {model}, which the map names")
            }
            Self::NothingInCommon { joints: [a, b] } => write!(
                f,
                "nothing to compare: none of the {a} joints of A has the name of one of the {b} of B, and not both have meshes; expected a joint map"
            ),
            Self::Rate(rate) => {
                write!(f, "cannot sample at {rate} Hz: expected a rate above 0 and up to 10000")
            }
        }
    }
}

impl std::error::Error for CompareError {}
