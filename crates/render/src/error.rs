//! What can go wrong between a scene and its image.

use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// No graphics driver, hardware or software, was found.
    NoDriver,
    /// A driver was found, but it gave no device.
    NoDevice(String),
    /// The device went away: unplugged, reset, or out of memory.
    DeviceLost(String),
    /// An image with a side beyond what the device can draw.
    TargetTooLarge {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// The device's longest side.
        limit: u32,
    },
    /// A mesh or crowd with more data than a texture of this device can hold.
    TooMuchData {
        /// What it is about.
        what: &'static str,
        /// How many texels it would take.
        texels: usize,
        /// How many there can be.
        limit: usize,
    },
    /// The device refused a call. A mistake of ours, or memory has run out.
    Refused(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver => f.write_str(
                "no graphics driver was found; install one (on Debian and Ubuntu the software driver is the \
                 package mesa-vulkan-drivers)",
            ),
            Self::NoDevice(why) => write!(f, "the graphics driver gives no device: {why}"),
            Self::DeviceLost(why) => write!(f, "the graphics device was lost: {why}"),
            Self::TargetTooLarge { width, height, limit } => write!(
                f,
                "an image of {width} × {height} pixels is too large for this device, which draws at most \
                 {limit} on a side"
            ),
            Self::TooMuchData { what, texels, limit } => write!(
                f,
                "{what} take {texels} texels, and a texture of this device holds {limit}"
            ),
            Self::Refused(why) => write!(f, "the graphics device refused: {why}"),
        }
    }
}

impl std::error::Error for RenderError {}
