//! The device that all tags of a page share, and the one canvas that it draws on.
//!
//! In:  a canvas that no page shows, and a viewer.
//! Out: the viewer's image on that canvas, for the page to take as a bitmap.
//!
//! No tag's own canvas is ever bound to a device, so a lost device is replaced by opening another engine.

use sinew::render::wgpu;
use sinew::render::{Blit, Gpu, Renderer, Target};
use wasm_bindgen::prelude::*;

use crate::Viewer;
use crate::screen::{FORMAT, Screen};

/// Sizes of images that are kept ready: those of a page's tags, mostly one.
const MAX_TARGETS: usize = 3;
/// The longest side of an image that half of the usual shadow map is fine enough for, in pixels: as `sinew render` has it.
const SMALL: u32 = 800;

/// A device with what is needed to draw.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    gpu: Gpu,
    screen: Screen,
    renderer: Renderer,
    /// The last used is the last, and what is shown.
    targets: Vec<Target>,
    /// What a plain image goes straight onto the canvas by; gone when it is not needed any more.
    onto: Option<Target>,
    /// Made when first needed: a first image does without.
    blit: Option<Blit>,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a device on a canvas: `webgpu` or `webgl`. Take a new canvas for each try.
    ///
    /// # Errors
    /// When the browser gives none.
    pub async fn open(
        canvas: web_sys::OffscreenCanvas,
        backend: String,
    ) -> Result<Engine, JsError> {
        let (gpu, screen) = Screen::open(canvas, &backend).await?;
        let renderer = Renderer::new(&gpu);
        let engine = Self { gpu, screen, renderer, targets: Vec::new(), onto: None, blit: None };
        engine.gpu.health().check()?;
        Ok(engine)
    }

    /// `webgpu` or `webgl`.
    #[wasm_bindgen(getter)]
    pub fn backend(&self) -> String {
        self.screen.backend().to_owned()
    }

    /// Whether the device was lost: everything has to be opened and uploaded anew.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> bool {
        matches!(self.gpu.health().check(), Err(sinew::render::RenderError::DeviceLost(_)))
    }

    /// Ends the device as if it were lost: for tests.
    #[wasm_bindgen(js_name = loseDevice)]
    pub fn lose_device(&self) {
        self.gpu.device.destroy();
    }

    /// Has the driver translate what a viewer's first image needs, while the page decodes its images.
    pub fn prepare(&mut self, viewer: &mut Viewer) {
        viewer.prepare(&mut self.renderer);
    }

    /// Puts a viewer's model on the GPU; gives what could not be shown as filed.
    ///
    /// # Errors
    /// When the device cannot hold it.
    pub fn upload(&self, viewer: &mut Viewer) -> Result<Vec<String>, JsError> {
        Ok(viewer.upload(&self.renderer)?)
    }

    /// Draws a viewer on the canvas, in this many pixels, with this much care: 0 plainly, 1 as windows do, 2 as images do.
    ///
    /// # Errors
    /// When the device refuses, or is lost.
    pub fn draw(
        &mut self,
        viewer: &mut Viewer,
        width: u32,
        height: u32,
        care: u32,
    ) -> Result<(), JsError> {
        self.gpu.health().check()?;
        let limit = self.gpu.longest_side();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        let frame = viewer.frame(&self.gpu, width as f32 / height as f32, care);
        if width.max(height) <= SMALL {
            frame.shadows.map_size = 1024;
        }
        if self.renderer.fits_onto(frame) {
            let shown = self.screen.next(&self.gpu, (width, height))?;
            let target = match &mut self.onto {
                Some(known) => {
                    known.move_onto(&self.gpu, shown.texture())?;
                    known
                }
                none => none.insert(Target::onto(&self.gpu, shown.texture())?),
            };
            self.renderer.draw(frame, target)?;
            shown.present(&self.gpu);
        } else {
            self.onto = None;
            self.use_target(width, height)?;
            if let (Some(target), Some(blit)) = (self.targets.last(), &self.blit) {
                self.renderer.draw(frame, target)?;
                show(&self.gpu, &mut self.screen, (width, height), blit)?;
            }
        }
        self.gpu.health().check()?;
        Ok(())
    }

    /// Gives back the memory of images that are not shown now.
    pub fn trim(&mut self) {
        self.targets.clear();
    }

    fn use_target(&mut self, width: u32, height: u32) -> Result<(), JsError> {
        let known = self.targets.iter().position(|target| target.size() == (width, height));
        if known.is_some_and(|index| index + 1 == self.targets.len()) {
            return Ok(());
        }
        let target = match known {
            Some(index) => self.targets.remove(index),
            None => {
                if self.targets.len() == MAX_TARGETS {
                    self.targets.remove(0);
                }
                Target::new(&self.gpu, width, height)?
            }
        };
        let blit = self.blit.get_or_insert_with(|| Blit::new(&self.gpu, FORMAT));
        blit.take(&self.gpu, &target);
        self.targets.push(target);
        Ok(())
    }
}

/// The finished image onto the canvas.
fn show(gpu: &Gpu, screen: &mut Screen, size: (u32, u32), blit: &Blit) -> Result<(), JsError> {
    let shown = screen.next(gpu, size)?;
    let view = shown.texture().create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("canvas"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        blit.draw(&mut pass);
    }
    gpu.queue.submit([encoder.finish()]);
    shown.present(gpu);
    Ok(())
}
