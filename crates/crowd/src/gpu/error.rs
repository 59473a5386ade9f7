//! What can keep a crowd off a GPU.

use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrowdError {
    /// The device has no compute shaders, as WebGL2 has none.
    NoCompute {
        /// Its name.
        device: String,
    },
    /// A crowd that has nothing to play.
    NoClips,
    /// More sampled clips than 16 bits can number.
    TooManyClips(usize),
    /// A skeleton without a joint, or a skin or scene for which there is no matrix to write.
    NoJoints,
    /// A sampled clip of another skeleton.
    OtherSkeleton {
        /// Which of the sampled clips.
        sampled: usize,
        /// How many joints it is for.
        joints: usize,
        /// How many the crowd has.
        expected: usize,
    },
    /// A skin that names a joint which the skeleton does not have.
    JointNotFound {
        /// The joint's number.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// More than the device can bind at once.
    TooLarge {
        /// What it is about.
        what: &'static str,
        /// What it would take.
        bytes: u64,
        /// What there can be.
        limit: u64,
    },
    /// The device is lost or refused.
    Gpu(sinew_render::RenderError),
}

impl From<sinew_render::RenderError> for CrowdError {
    fn from(error: sinew_render::RenderError) -> Self {
        Self::Gpu(error)
    }
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompute { device } => write!(
                f,
                "{device} has no compute shaders, which a crowd on the GPU needs; WebGL2 has none, WebGPU, \
                 Vulkan, Metal and DX12 do. Crowds on the processor need no GPU"
            ),
            Self::NoClips => f.write_str("a crowd needs at least one sampled clip to play"),
            Self::TooManyClips(sampled_clips) => {
                write!(f, "a crowd has at most 65536 sampled clips; found {sampled_clips}")
            }
            Self::NoJoints => {
                f.write_str("a crowd of a skeleton or skin without joints has nothing to do")
            }
            Self::OtherSkeleton { sampled, joints, expected } => write!(
                f,
                "sampled clip {sampled} is for {joints} joints, and the crowd's skeleton has {expected}"
            ),
            Self::JointNotFound { joint, joints } => {
                write!(f, "the skin names joint {joint} of a skeleton that has {joints}")
            }
            Self::TooLarge { what, bytes, limit } => {
                write!(
                    f,
                    "{what} take {bytes} bytes, and this device binds at most {limit} at once"
                )
            }
            Self::Gpu(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CrowdError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Gpu(error) => Some(error),
            _ => None,
        }
    }
}
