//! What the images of the motion examples have in common: one model, several moments of it, and
//! markers in the air.

use std::error::Error;

use sinew::Actor;
use sinew::glam::{Vec3, Vec4};
use sinew::render::{Bone, Camera, Frame, Gpu, GpuScene, Image, Renderer, Target};
use sinew::stage::{Surroundings, Theme};

#[allow(dead_code)] // Each example uses some of them.
pub(crate) const RED: Vec4 = Vec4::new(0.9, 0.12, 0.05, 1.0);
#[allow(dead_code)]
pub(crate) const BLUE: Vec4 = Vec4::new(0.05, 0.3, 0.9, 1.0);

pub(crate) struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    model: GpuScene,
    pub(crate) frame: Frame,
}

#[allow(dead_code)] // Each example uses some of it.
impl Studio {
    /// Looks at `target` from `position`.
    pub(crate) fn new(actor: &Actor, position: Vec3, target: Vec3) -> Result<Self, Box<dyn Error>> {
        let gpu = Gpu::headless()?;
        let renderer = Renderer::new(&gpu);
        let model = renderer.upload(actor.scene())?;
        let mut frame = Frame::new(Camera::look_at(position, target, 0.5));
        let mut around = Surroundings::studio(Theme::Dark);
        around.face_camera(&frame.camera);
        around.apply(&mut frame);
        frame.floor = around.floor_under(actor.bounds());
        frame.floor.height = 0.0;
        Ok(Self { gpu, renderer, model, frame })
    }

    /// The actor as it is now.
    pub(crate) fn add(&mut self, actor: &Actor) {
        self.frame.add(&self.model, &actor.view());
    }

    pub(crate) fn ball(&mut self, at: Vec3, radius: f32, color: Vec4) {
        self.frame.overlay.balls.push(Bone::ball(at, radius, color));
    }

    pub(crate) fn line(&mut self, from: Vec3, to: Vec3, color: Vec4) {
        self.frame.overlay.line(from, to, color);
    }

    pub(crate) fn save(&mut self, path: &str) -> Result<(), Box<dyn Error>> {
        let target = Target::new(&self.gpu, 480, 300)?;
        self.renderer.draw(&mut self.frame, &target)?;
        let Image { width, height, rgba } = target.read(&self.gpu)?;
        image::save_buffer(path, &rgba, width, height, image::ColorType::Rgba8)?;
        println!("{path}");
        Ok(())
    }
}
