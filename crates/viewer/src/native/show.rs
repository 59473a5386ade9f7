//! A plain window without panels, on whatever draws itself frame by frame.
//!
//! In:  something that draws into a target, and seconds as they pass. Out: what a person sees, until either has enough.

use std::fmt;
use std::ops::ControlFlow;

use eframe::egui::{self, Key, ViewportBuilder, ViewportCommand};
use sinew::render::{Gpu, Target, wgpu};

use super::window_error;
use crate::ViewerError;
use crate::composite::Shown;
use crate::device::configuration;

/// A longer pause between two frames does not make time jump.
const LONGEST_STEP: f32 = 0.25;

/// Something that draws itself, frame by frame.
pub trait Drawn {
    /// Draws the next frame, some seconds after the one before: 0 at first. A break closes the window.
    fn draw(&mut self, seconds: f64, target: &Target) -> ControlFlow<()>;
}

/// Opens a window on what `make` makes with the window's device, and comes back when it is closed. Esc closes it.
///
/// # Errors
/// When there is no screen, or no graphics device.
pub fn show<'a>(
    title: &str,
    size: [f32; 2],
    make: impl FnOnce(Gpu) -> Box<dyn Drawn + 'a> + 'a,
) -> Result<(), ViewerError> {
    let viewport = ViewportBuilder::default()
        .with_title(title)
        .with_app_id("sinew")
        .with_inner_size(size)
        .with_min_inner_size([64.0, 64.0]);
    let native = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: configuration(),
        persist_window: false,
        ..eframe::NativeOptions::default()
    };
    let make: eframe::AppCreator<'a> = Box::new(move |context| {
        let shared = context.wgpu_render_state.as_ref();
        let shared = shared.ok_or("the window has no graphics device")?;
        let gpu = Gpu::from_parts(shared.device.clone(), shared.queue.clone()).watched();
        let window = Window {
            shown: Shown::new(&gpu, shared.target_format),
            target: Target::new(&gpu, 0, 0)?,
            slow: gpu.device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            begun: false,
            drawn: make(gpu.clone()),
            gpu,
        };
        Ok(Box::new(window) as Box<dyn eframe::App>)
    });
    eframe::run_native(title, native, make).map_err(|error| window_error(&error))
}

struct Window<'a> {
    gpu: Gpu,
    shown: Shown,
    target: Target,
    /// A processor draws: edges stay rough, so that it can keep up.
    slow: bool,
    begun: bool,
    drawn: Box<dyn Drawn + 'a>,
}

impl fmt::Debug for Window<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Window<'_> {
    fn fit(&mut self, width: u32, height: u32) -> Result<(), sinew::render::RenderError> {
        let limit = self.gpu.longest_side();
        let width = width.min(limit);
        let height = height.min(limit);
        if self.target.size() != (width, height) {
            self.target = if self.slow {
                Target::plain(&self.gpu, width, height)?
            } else {
                Target::new(&self.gpu, width, height)?
            };
            self.shown.take(&self.gpu, &self.target);
        }
        Ok(())
    }
}

impl eframe::App for Window<'_> {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let (escape, passed) =
            context.input(|input| (input.key_pressed(Key::Escape), input.unstable_dt));
        let rect = context.content_rect();
        let pixels = rect.size() * context.pixels_per_point();
        let fitted = self.fit(pixels.x.round().max(0.0) as u32, pixels.y.round().max(0.0) as u32);
        let seconds = if self.begun { f64::from(passed.min(LONGEST_STEP)) } else { 0.0 };
        self.begun = true;
        let goes_on = fitted.is_ok() && self.drawn.draw(seconds, &self.target).is_continue();
        if escape || !goes_on {
            context.send_viewport_cmd(ViewportCommand::Close);
            return;
        }
        let shown = self.shown.clone();
        ui.painter().add(eframe::egui_wgpu::Callback::new_paint_callback(rect, shown));
        context.request_repaint();
    }
}
