//! Lights, each carried by a node and shining along the node's -Z.

use glam::Vec3;

use crate::JointId;

/// What shape of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From infinitely far; intensity in lux.
    Directional,
    /// From a point to all sides; intensity in candela.
    Point,
    /// From a point in a cone; intensity in candela.
    Spot {
        /// Half the angle of full light, in radians.
        inner: f32,
        /// Half the angle where light ends, in radians.
        outer: f32,
    },
}

/// A light under a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// As the file has it; may be empty.
    pub name: String,
    /// The node that carries it.
    pub joint: JointId,
    /// Its shape.
    pub kind: LightKind,
    /// Linear.
    pub color: Vec3,
    /// In lux or candela.
    pub intensity: f32,
    /// In metres; `None` reaches everywhere.
    pub range: Option<f32>,
}
