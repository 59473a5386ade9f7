//! `sinew view`: the desktop viewer.

#[cfg(feature = "view")]
use std::path::PathBuf;

use crate::args::View;
use crate::fault::Fault;

/// Opens the viewer; back when its window is closed.
#[cfg(feature = "view")]
pub(crate) fn run(view: &View) -> Result<(), Fault> {
    let size = view.size.as_deref().map(parse).transpose()?;
    let options = sinew_viewer::Options {
        files: models_first(&view.files)?,
        anims: view.anim.clone(),
        map: view.map.clone(),
        graphs: view.graph.iter().cloned().collect(),
        diff: view.diff.clone(),
        allow: view.allow.clone(),
        remember: !view.fresh,
        size,
        lose_after: view.lose_device,
        after_loss: view.lost > 0,
    };
    match sinew_viewer::run(options) {
        Ok(()) => Ok(()),
        Err(sinew_viewer::ViewerError::DeviceLost(open)) if view.lost < MOST_LOST => {
            again(view, &open)
        }
        Err(error) => Err(Fault::Work(error.to_string())),
    }
}

/// Packed clips after the models, for the first of which they are.
#[cfg(feature = "view")]
fn models_first(files: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let (mut models, mut clips) = (Vec::new(), Vec::new());
    for file in files {
        let into = if sinew::open_packed(file)?.is_some() { &mut clips } else { &mut models };
        into.push(file.clone());
    }
    match clips.first() {
        Some(clip) if models.is_empty() => Err(crate::model::no_model(clip)),
        _ => Ok([models, clips].concat()),
    }
}

/// How often a window is opened anew when the graphics device is lost.
#[cfg(feature = "view")]
const MOST_LOST: u8 = 3;

/// Starts the program again on the same files: drivers and window systems hold what a process cannot give back.
#[cfg(feature = "view")]
fn again(view: &View, open: &sinew_viewer::Open) -> Result<(), Fault> {
    let cannot = |error: std::io::Error| Fault::Work(format!("cannot start anew: {error}"));
    let mut program = std::process::Command::new(std::env::current_exe().map_err(cannot)?);
    program.arg("view").arg("--lost").arg((view.lost + 1).to_string());
    let sinew_viewer::Open { files, anims, map, graphs } = open;
    for (option, files) in [("--anim", anims), ("--graph", graphs)] {
        for file in files {
            program.arg(option).arg(file);
        }
    }
    if let (Some(map), false) = (map, anims.is_empty()) {
        program.arg("--map").arg(map);
    }
    if let Some(size) = &view.size {
        program.arg("--size").arg(size);
    }
    for folder in &view.allow {
        program.arg("--allow").arg(folder);
    }
    if view.fresh {
        program.arg("--fresh");
    }
    program.arg("--").args(files);
    #[cfg(unix)]
    return Err(cannot(std::os::unix::process::CommandExt::exec(&mut program)));
    #[cfg(not(unix))]
    match program.status().map_err(cannot)?.success() {
        true => Ok(()),
        false => Err(Fault::Work("the viewer that was started anew has failed".into())),
    }
}

#[cfg(not(feature = "view"))]
pub(crate) fn run(view: &View) -> Result<(), Fault> {
    view.size.as_deref().map(parse).transpose()?;
    let _ = (
        &view.files,
        &view.anim,
        &view.map,
        &view.graph,
        &view.diff,
        &view.allow,
        view.fresh,
        view.lose_device,
        view.lost,
    );
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
