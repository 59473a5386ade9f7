//! What a script has built, as pixels.
//!
//! In:  a [`Script`] after its update, and a target. Out: an image in the target.
//!
//! What comes onto the stage later is uploaded when it is first drawn.

use sinew::glam::{Affine3A, Vec4};
use sinew::render::{BoneStyle, Floor, Frame, Gpu, RenderError, Renderer, Target};
use sinew::stage::{Member, Stage};

use crate::Script;
use crate::world::Show;

/// Draws scripts.
#[derive(Debug)]
pub struct Painter {
    renderer: Renderer,
    frame: Option<Frame>,
}

impl Painter {
    /// With a renderer of its own.
    #[must_use]
    pub fn new(renderer: Renderer) -> Self {
        Self { renderer, frame: None }
    }

    /// The device that draws.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        self.renderer.gpu()
    }

    /// The renderer that draws.
    #[must_use]
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Draws the stage as it is now.
    ///
    /// # Errors
    /// When the device cannot hold what is on the stage, or is lost.
    pub fn draw(&mut self, script: &Script, target: &Target) -> Result<(), RenderError> {
        let camera = script.camera(target.aspect());
        let shows = script.shows();
        let mut stage = script.stage();
        stage.upload_new(&self.renderer)?;
        stage.dress(self.renderer.gpu());
        let frame = self.frame.get_or_insert_with(|| Frame::new(camera));
        stage.surroundings.apply(frame);
        frame.camera = camera;
        let bounds = stage.bounds();
        if stage.surroundings.floor.is_none() {
            let ground = stage.members.iter().any(|member| member.scenery);
            let floor = stage.surroundings.floor_under(bounds);
            let height = floor.height.min(0.0);
            let reflection = if ground { 0.0 } else { floor.reflection };
            frame.floor = Floor { shadow: floor.shadow && !ground, height, reflection, ..floor };
        }
        frame.floor.grid |= shows.grid;
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
        frame.shadows.reach = frame.shadows.reach.max(size * 2.0);
        stage.fill(frame);
        over(shows, &stage, size, frame);
        self.renderer.draw(frame, target)?;
        Ok(())
    }
}

/// Bones, axes and boxes over the actors.
fn over(shows: Show, stage: &Stage, size: f32, frame: &mut Frame) {
    frame.wireframe = shows.wireframe;
    for member in stage.members.iter().filter(|member| !member.scenery && member.shown) {
        if shows.skeleton {
            let style = BoneStyle { shown: &member.bones, ..BoneStyle::default() };
            frame.overlay.skeleton(member.actor.scene().skeleton(), &world(member), &style);
        }
        if shows.axes {
            for (joint, _) in world(member).iter().zip(&member.bones).filter(|(_, shown)| **shown) {
                frame.overlay.axes(*joint, size * 0.03);
            }
        }
        if shows.bounds {
            frame.overlay.bounds(member.bounds(), Vec4::new(0.95, 0.65, 0.10, 1.0));
        }
    }
}

fn world(member: &Member) -> Vec<Affine3A> {
    let world = member.actor.world_from_model();
    member.actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect()
}
