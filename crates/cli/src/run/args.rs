//! What a person may ask of `sinew run`.

use std::path::PathBuf;

use crate::render::args::{Kind, Size, above_zero};

/// For the end of its help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  sinew run dance.lua                               in a window
  sinew run dance.lua --frames 90 -o dance.mp4      three seconds as a film; .gif and .apng too
  sinew run dance.lua --frames 1 -o dance.png       its first frame; --frames N shows the Nth
  sinew run login_scene.lua --frames 40 --log       each bone's matrix, frame by frame

A script reads files in or below its own folder, and nothing else. docs/lua.md has all that it can call.";

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The script: `Awake` is called once, `Update(dt)` in every frame.
    #[arg(value_name = "SCRIPT.lua")]
    pub(crate) script: PathBuf,
    /// Run so many frames, without a window.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) frames: Option<u32>,
    /// Where to draw them: `.apng`, `.gif` or `.mp4` has all frames, `.png` the last; `-` for standard output.
    #[arg(short, long, value_name = "OUT", requires = "frames")]
    pub(crate) out: Option<PathBuf>,
    /// What to write where the name does not tell.
    #[arg(long, value_enum, requires = "out")]
    pub(crate) format: Option<Kind>,
    /// Width and height in pixels; 640x480 without it, 1280x800 in a window.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub(crate) size: Option<Size>,
    /// Frames a second without a window: 30, or 25 for a GIF.
    #[arg(long, value_parser = above_zero, requires = "frames")]
    pub(crate) fps: Option<f64>,
    /// Print each bone's matrix in every frame.
    #[arg(long)]
    pub(crate) log: bool,
}
