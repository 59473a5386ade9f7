//! Why a primitive cannot be skinned eight vertices at a time.

use std::fmt;

use sinew_scene::Primitive;

/// A primitive that does not fit its skin, or that only [`deform`](crate::deform) takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkinError {
    /// A vertex is influenced by a joint that the skin does not have.
    JointOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The number of the joint that influences it.
        joint: u32,
        /// How many joints the skin has.
        joints: usize,
    },
    /// A list that is neither empty nor one entry per vertex.
    Length {
        /// Which list.
        list: &'static str,
        /// How many entries it has.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// There are tangents, which are made perpendicular to normals, but no normals.
    TangentsWithoutNormals,
    /// Eight vertices side by side are influenced by more joints than a byte can number.
    TooManyJoints {
        /// The first of the eight.
        vertex: usize,
    },
}

impl fmt::Display for SkinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JointOutOfRange { vertex, joint, joints } => {
                write!(f, "vertex {vertex} is influenced by joint {joint}; the skin has {joints}")
            }
            Self::Length { list, found, vertices } => {
                write!(f, "{list}: expected {vertices}, one per vertex, or none; found {found}")
            }
            Self::TangentsWithoutNormals => write!(f, "there are tangents but no normals"),
            Self::TooManyJoints { vertex } => write!(
                f,
                "the eight vertices from {vertex} on are influenced by more than 256 different joints"
            ),
        }
    }
}

impl std::error::Error for SkinError {}

/// Whether every list has one entry per vertex and every joint is one of the skin's.
pub(super) fn check(primitive: &Primitive, joints: usize) -> Result<(), SkinError> {
    let vertices = primitive.positions.len();
    let optional = |list, found| match found {
        0 => Ok(()),
        _ if found == vertices => Ok(()),
        _ => Err(SkinError::Length { list, found, vertices }),
    };
    optional("normals", primitive.normals.len())?;
    optional("tangents", primitive.tangents.len())?;
    optional("influences", primitive.influences.len())?;
    for morph in &primitive.morphs {
        optional("positions of a morph target", morph.positions.len())?;
        optional("normals of a morph target", morph.normals.len())?;
        optional("tangents of a morph target", morph.tangents.len())?;
    }
    if primitive.normals.is_empty() && !primitive.tangents.is_empty() {
        return Err(SkinError::TangentsWithoutNormals);
    }
    for (vertex, influences) in primitive.influences.iter().enumerate() {
        if let Some(influence) =
            influences.iter().find(|influence| influence.joint as usize >= joints)
        {
            return Err(SkinError::JointOutOfRange { vertex, joint: influence.joint, joints });
        }
    }
    Ok(())
}
