//! `sinew view`: the desktop viewer.

use crate::args::View;
use crate::fault::Fault;

/// Opens the viewer; back when its window is closed.
#[cfg(feature = "view")]
pub(crate) fn run(view: &View) -> Result<(), Fault> {
    let size = view.size.as_deref().map(parse).transpose()?;
    let options = sinew_viewer::Options {
        files: view.files.clone(),
        anims: view.anim.clone(),
        remember: !view.fresh,
        size,
        lose_after: view.lose_device,
    };
    sinew_viewer::run(options).map_err(|error| Fault::Work(error.to_string()))
}

#[cfg(not(feature = "view"))]
pub(crate) fn run(view: &View) -> Result<(), Fault> {
    view.size.as_deref().map(parse).transpose()?;
    let _ = (&view.files, &view.anim, view.fresh, view.lose_device);
    let text =
        "this build of sinew has no viewer; build it with the feature `view` (it is on by default)";
    Err(Fault::Work(text.into()))
}

/// `1280x800`.
fn parse(size: &str) -> Result<[f32; 2], Fault> {
    let sides = size.split_once(['x', '×']).and_then(|(width, height)| {
        Some([width.trim().parse::<u16>().ok()?, height.trim().parse::<u16>().ok()?])
    });
    match sides {
        Some([width, height]) if width >= 64 && height >= 64 => {
            Ok([f32::from(width), f32::from(height)])
        }
        _ => Err(Fault::Usage(format!(
            "expected a size such as 1280x800, from 64x64 up, found \"{size}\""
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_numbers_with_an_x() {
        assert!(matches!(parse("1280x800"), Ok([1280.0, 800.0])));
        for wrong in ["1280", "x", "-3x9", "1e9x1e9", "0x0", ""] {
            assert!(matches!(parse(wrong), Err(Fault::Usage(_))), "{wrong}");
        }
    }
}
