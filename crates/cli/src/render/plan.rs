//! What is to be drawn: which moments, how large, into what kind of file.
//!
//! In:  what the person asked for, and how long the longest clip is.
//! Out: a [`Plan`]; every contradiction is found here, before any work.

use std::f32::consts::TAU;
use std::path::Path;

use super::args::{Kind, Render, Size};
use crate::fault::Fault;

/// Most pixels of one image: with its samples and depth that is about 2.5 GB.
const MOST_PIXELS: u64 = 1 << 26;
/// Most frames of a moving image.
pub(crate) const MOST_FRAMES: f64 = 20_000.0;
/// A turn around something that does not move, and the least that any turn takes, in seconds.
const TURN: f64 = 4.0;

/// One moment of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// In seconds.
    pub(crate) time: f64,
    /// How far the camera has gone around, in radians.
    pub(crate) turn: f32,
}

/// What kind of image it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Still,
    /// Columns and rows.
    Sheet(Size),
    /// Frames a second.
    Film(f64),
}

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    /// Of one image, or one cell of a sheet.
    pub(crate) size: Size,
    pub(crate) form: Form,
    pub(crate) moments: Vec<Moment>,
}

/// The kind of file by what was said, or else by its name.
pub(crate) fn kind(format: Option<Kind>, out: &Path) -> Result<Kind, Fault> {
    if let Some(kind) = format {
        return Ok(kind);
    }
    if out == Path::new("-") {
        return Ok(Kind::Png);
    }
    let extension = out.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("png") => Ok(Kind::Png),
        Some("apng") => Ok(Kind::Apng),
        Some("gif") => Ok(Kind::Gif),
        Some("mp4") => Ok(Kind::Mp4),
        _ => Err(Fault::Usage(format!(
            "cannot tell from the name \"{}\" what to write: expected .png, .apng, .gif or .mp4, or --format",
            out.display()
        ))),
    }
}

/// Works out every moment; `duration` is that of the longest clip.
pub(crate) fn plan(args: &Render, kind: Kind, duration: f64) -> Result<Plan, Fault> {
    let form = form(args, kind)?;
    let usual = if matches!(form, Form::Sheet(_)) { (320, 320) } else { (640, 480) };
    let size = args.size.unwrap_or(Size { width: usual.0, height: usual.1 });
    let size = fitted(size, kind);
    let side = args.supersample;
    let drawn =
        Size { width: size.width.saturating_mul(side), height: size.height.saturating_mul(side) };
    check_size(drawn, Form::Still)?;
    check_size(size, form)?;
    let span = args.seconds.unwrap_or_else(|| span(args, duration));
    let start = args.at.unwrap_or(0.0);
    let count = match form {
        Form::Still => 1,
        Form::Sheet(grid) => grid.width as usize * grid.height as usize,
        Form::Film(fps) => frames(span, fps)?,
    };
    // A whole clip is stretched to whole frames, so that its loop closes.
    let step = match form {
        Form::Film(fps) if args.seconds.is_some() => 1.0 / fps,
        _ => span / count as f64,
    };
    let whole_turn = if args.turntable { TAU } else { 0.0 };
    let moment = |index: usize| Moment {
        time: start + step * index as f64,
        turn: whole_turn * index as f32 / count as f32,
    };
    Ok(Plan { kind, size, form, moments: (0..count).map(moment).collect() })
}

fn form(args: &Render, kind: Kind) -> Result<Form, Fault> {
    let usage = |message: &str| Err(Fault::Usage(message.into()));
    let grid = Size { width: 4, height: 2 };
    match (kind, args.sheet) {
        (Kind::Png, Some(sheet)) => Ok(Form::Sheet(sheet)),
        (Kind::Png, None) if args.turntable => Ok(Form::Sheet(grid)),
        (Kind::Png, None) if args.seconds.is_some() || args.fps.is_some() => {
            usage("--seconds and --fps need a moving image (.apng, .gif, .mp4) or a --sheet")
        }
        (Kind::Png, None) => Ok(Form::Still),
        (_, Some(_)) => usage("--sheet is one image: expected a .png"),
        (kind, None) => rate(args.fps, kind).map(Form::Film),
    }
}

/// Frames a second, as asked for or as is usual.
pub(crate) fn rate(asked: Option<f64>, kind: Kind) -> Result<f64, Fault> {
    let usage = |message: &str| Err(Fault::Usage(message.into()));
    let usual = if kind == Kind::Gif { 25.0 } else { 30.0 };
    match (kind, asked.unwrap_or(usual)) {
        (Kind::Gif, fps) if fps > 50.0 => usage("--fps: a GIF shows at most 50 frames a second"),
        (_, fps) if fps > 240.0 => usage("--fps: expected at most 240 frames a second"),
        (_, fps) => Ok(fps),
    }
}

/// How long the whole takes where nobody said: once through, or as often as a turn needs.
fn span(args: &Render, duration: f64) -> f64 {
    match args.turntable {
        false => duration,
        true if duration > 0.0 => duration * (TURN / duration).ceil().max(1.0),
        true => TURN,
    }
}

fn frames(span: f64, fps: f64) -> Result<usize, Fault> {
    let count = (span * fps).round().max(1.0);
    if count > MOST_FRAMES {
        let message = format!(
            "{span} seconds are {count} frames, and {MOST_FRAMES} are the most: expected fewer --seconds or --fps"
        );
        return Err(Fault::Usage(message));
    }
    Ok(count as usize)
}

/// H.264 keeps colour for two by two pixels.
pub(crate) fn fitted(size: Size, kind: Kind) -> Size {
    let even = |side: u32| if kind == Kind::Mp4 { (side & !1).max(2) } else { side };
    Size { width: even(size.width), height: even(size.height) }
}

pub(crate) fn check_size(size: Size, form: Form) -> Result<(), Fault> {
    let grid = if let Form::Sheet(grid) = form { grid } else { Size { width: 1, height: 1 } };
    let sides = [
        u64::from(size.width) * u64::from(grid.width),
        u64::from(size.height) * u64::from(grid.height),
    ];
    if sides[0].saturating_mul(sides[1]) > MOST_PIXELS {
        return Err(Fault::Usage(format!(
            "an image of {} × {} pixels is too large: expected at most {MOST_PIXELS} in all (8192 × 8192)",
            sides[0], sides[1]
        )));
    }
    Ok(())
}
