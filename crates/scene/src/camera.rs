//! Cameras, each carried by a node and looking along the node's -Z with +Y up.

use crate::JointId;

/// A camera under a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// As the file has it; may be empty.
    pub name: String,
    /// The node that carries it.
    pub joint: JointId,
    /// How it sees.
    pub projection: Projection,
}

/// How a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// What is far is small.
    Perspective {
        /// The whole vertical angle, in radians.
        fov_y: f32,
        /// Width over height; `None` takes the window's.
        aspect: Option<f32>,
        /// Nearest distance drawn, in metres.
        near: f32,
        /// Farthest distance drawn; `None` draws to infinity.
        far: Option<f32>,
    },
    /// What is far is as large as what is near.
    Orthographic {
        /// Half the width seen, in metres.
        half_width: f32,
        /// Half the height seen, in metres.
        half_height: f32,
        /// Nearest distance drawn, in metres.
        near: f32,
        /// Farthest distance drawn, in metres.
        far: f32,
    },
}
