//! The joints of a chain, and why there is none.
//!
//! In:  a skeleton and the first and last joint of a chain.
//! Out: all joints between them, or an [`IkError`] that names the joints.

use std::fmt;

use sinew_scene::{JointId, Skeleton};

/// Why joints cannot be a limb or a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IkError {
    /// No joint was given.
    NoJoints,
    /// A limb needs a parent and a grandparent above its end.
    TooFewParents {
        /// The name of the limb's end.
        end: String,
        /// How many joints are above it: 0 or 1.
        found: usize,
    },
    /// The last joint of a chain is not a descendant of its first.
    NotBelow {
        /// The name of the chain's first joint.
        first: String,
        /// The name of the chain's last joint.
        end: String,
    },
}

impl fmt::Display for IkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJoints => f.write_str("expected at least one joint, found none"),
            Self::TooFewParents { end, found: 0 } => {
                write!(f, "expected two joints above \"{end}\", found none: it has no parent")
            }
            Self::TooFewParents { end, found } => {
                write!(f, "expected two joints above \"{end}\", found {found}")
            }
            Self::NotBelow { first, end } if first == end => {
                write!(f, "expected a joint below \"{first}\", found \"{end}\" itself")
            }
            Self::NotBelow { first, end } => {
                write!(f, "expected a joint below \"{first}\", found \"{end}\", which is not")
            }
        }
    }
}

impl std::error::Error for IkError {}

/// The parent and the grandparent of a limb's end.
pub(super) fn limb(skeleton: &Skeleton, end: JointId) -> Result<[JointId; 2], IkError> {
    let too_few =
        |found| IkError::TooFewParents { end: skeleton.node(end).name.to_string(), found };
    let middle = skeleton.node(end).parent.ok_or_else(|| too_few(0))?;
    let upper = skeleton.node(middle).parent.ok_or_else(|| too_few(1))?;
    Ok([upper, middle])
}

/// From `first` down to `end`, both included and at least two.
pub(crate) fn path(
    skeleton: &Skeleton,
    first: JointId,
    end: JointId,
) -> Result<Vec<JointId>, IkError> {
    let name = |joint: JointId| skeleton.node(joint).name.to_string();
    let not_below = || IkError::NotBelow { first: name(first), end: name(end) };
    let mut joints = vec![end];
    let mut joint = end;
    while joint != first {
        joint = skeleton.node(joint).parent.ok_or_else(not_below)?;
        joints.push(joint);
    }
    joints.reverse();
    if joints.len() > 1 { Ok(joints) } else { Err(not_below()) }
}
