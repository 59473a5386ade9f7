//! What only a desktop has: a window of the system.

pub(crate) mod show;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use eframe::egui::ViewportBuilder;

use crate::app::App;
use crate::device::configuration;
use crate::system::lost::Lost;
use crate::system::remember;
use crate::{Options, ViewerError};

/// The smallest window that has room for everything.
const SMALLEST: [f32; 2] = [480.0, 320.0];
/// A side beyond this is more than graphics devices draw.
const LARGEST: f32 = 8192.0;

/// Opens the viewer and comes back when its window is closed.
///
/// # Errors
/// When there is no screen, or no graphics device.
pub fn run(options: Options) -> Result<(), ViewerError> {
    let lost = Lost::default();
    quiet_when(&lost);
    let shown = catch_unwind(AssertUnwindSafe(|| show(options, lost.clone())));
    match (lost.open(), shown) {
        (Some(open), _) => Err(ViewerError::DeviceLost(open)),
        (None, Ok(shown)) => shown,
        (None, Err(panic)) => resume_unwind(panic),
    }
}

/// egui panics where its device is gone; that says nothing to a reader.
fn quiet_when(lost: &Lost) {
    let lost = lost.clone();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if lost.open().is_none() {
            usual(info);
        }
    }));
}

fn show(options: Options, lost: Lost) -> Result<(), ViewerError> {
    let kept = if options.remember { remember::read() } else { remember::Kept::default() };
    let size = options.size.unwrap_or(kept.window).map(|side| side.min(LARGEST));
    let viewport = ViewportBuilder::default()
        .with_title("Sinew")
        .with_app_id("sinew")
        .with_inner_size(size)
        .with_min_inner_size(SMALLEST)
        .with_drag_and_drop(true);
    let native = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: configuration(),
        persist_window: false,
        ..eframe::NativeOptions::default()
    };
    let make: eframe::AppCreator<'_> = Box::new(move |context| {
        let app = App::new(context, options, kept, lost);
        app.map(|app| Box::new(app) as Box<dyn eframe::App>).map_err(Into::into)
    });
    eframe::run_native("Sinew", native, make).map_err(|error| window_error(&error))
}

/// Why there is no window.
fn window_error(error: &eframe::Error) -> ViewerError {
    let why = error.to_string();
    // What the system says is the end of it; before that are places in source code.
    let last = why.rsplit(": ").next().unwrap_or(&why).to_owned();
    match error {
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => ViewerError::NoDisplay(last),
        _ => ViewerError::Window(last),
    }
}
