//! What a viewer is started with.

use std::path::PathBuf;

/// What a viewer is started with; the default shows the built-in character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Models; files of clips alone are added to the first.
    pub files: Vec<PathBuf>,
    /// Files whose clips are added to the first model.
    pub anims: Vec<PathBuf>,
    /// The joint map to retarget those clips by; without one, names and shapes decide.
    pub map: Option<PathBuf>,
    /// Graphs (.toml, .ron, .json) for the first model to play; the last one counts.
    pub graphs: Vec<PathBuf>,
    /// A model that the first one is compared with.
    pub diff: Option<PathBuf>,
    /// Folders outside of a model's own that it may read companions from.
    pub allow: Vec<PathBuf>,
    /// Keep window size and switches between runs.
    pub remember: bool,
    /// Width and height of the window in points; `None` takes what was kept, or 1280 by 800.
    pub size: Option<[f32; 2]>,
    /// Gives the graphics device up after this many seconds: to see what happens then.
    #[doc(hidden)]
    pub lose_after: Option<f32>,
    /// The graphics device of the window before this one was lost, which is reported.
    pub after_loss: bool,
}

/// What is open in a viewer, so that another may open it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Models.
    pub files: Vec<PathBuf>,
    /// Files whose clips are added to the first.
    pub anims: Vec<PathBuf>,
    /// The joint map that those clips are retargeted by.
    pub map: Option<PathBuf>,
    /// The graph that the first model plays.
    pub graphs: Vec<PathBuf>,
}
