//! A script in Lua: it opens characters, plays clips, has heads look at a lamp that goes round, and draws it all.
//!
//! ![Two friends look at a lamp](../docs/examples/05_script.png)
//!
//! ```sh
//! cargo run --example 05_script -- script.png
//! cargo run --example 05_script -- script.png my_script.lua 60
//! ```
//!
//! The course's engine calls `Awake` once and `Update` in every frame of a scene written in Lua. So does this: the script is
//! examples/scripts/dance.lua, and docs/lua.md has all that it can call. The sandbox gives it neither files outside of its
//! folder nor a loop without an end. `sinew run` does the same in a window, and writes films.

use std::error::Error;
use std::path::Path;

use sinew::render::{Gpu, Image, Renderer, Target};
use sinew_lua::{Options, Painter, Script};

/// How long a frame takes, in seconds.
const FRAME_SECONDS: f64 = 1.0 / 30.0;

/// The last of `frames` frames of a script.
pub(crate) fn last_frame(
    script: &Path,
    frames: u32,
    (width, height): (u32, u32),
) -> Result<Image, Box<dyn Error>> {
    let mut script = Script::open(script, &Options::default())?;
    script.awake()?;
    for frame in 0..frames {
        script.update(if frame == 0 { 0.0 } else { FRAME_SECONDS })?;
    }
    let gpu = Gpu::headless()?;
    let mut painter = Painter::new(Renderer::new(&gpu));
    let target = Target::new(&gpu, width, height)?;
    painter.draw(&script, &target)?;
    Ok(target.read(&gpu)?)
}

#[allow(dead_code)] // A test makes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().unwrap_or_else(|| "05_script.png".into());
    let script = arguments.next().unwrap_or_else(|| "examples/scripts/dance.lua".into());
    let frames = arguments.next().map_or(Ok(45), |frames| frames.parse())?;
    let Image { width, height, rgba } = last_frame(Path::new(&script), frames, (640, 400))?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
