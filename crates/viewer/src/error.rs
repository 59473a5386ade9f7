//! Why there is no window.

use std::fmt;

/// Why the viewer could not run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewerError {
    /// No screen to open a window on.
    NoDisplay(String),
    /// The window or its graphics device could not be made.
    Window(String),
    /// The graphics device was lost, and the window with it; what was open can be opened anew.
    DeviceLost(crate::Open),
}

impl fmt::Display for ViewerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(why) => write!(
                f,
                "there is no screen to open a window on ({why}); `sinew render` makes images without one"
            ),
            Self::DeviceLost(_) => f.write_str(
                "the graphics device was lost: its driver was reset, or it was unplugged; look for a newer driver, or \
                 try WGPU_BACKEND=gl",
            ),
            Self::Window(why) => write!(
                f,
                "cannot open a window: {why} (on Debian and Ubuntu the package mesa-vulkan-drivers has a \
                 software driver)"
            ),
        }
    }
}

impl std::error::Error for ViewerError {}
