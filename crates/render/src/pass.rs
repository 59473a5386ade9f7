//! The passes of a frame, one file each, and what they share.
//!
//! Order: shadow map; then in one pass sky, solid surfaces, floor, see-through surfaces, edges, lines and
//! bones in front of surfaces; then, where there are any, lines and bones behind surfaces, fainter.

pub(crate) mod blit;
pub(crate) mod bones;
pub(crate) mod lines;
pub(crate) mod mesh;
pub(crate) mod shadow;
mod stream;

pub(crate) use stream::Stream;

use crate::pipelines::Pipelines;
use crate::upload::Layouts;

/// What a pass draws with.
#[derive(Debug)]
pub(crate) struct Brush<'a, 'e> {
    pub(crate) pass: &'a mut wgpu::RenderPass<'e>,
    pub(crate) pipelines: &'a mut Pipelines,
    pub(crate) layouts: &'a Layouts,
    pub(crate) samples: u32,
    pub(crate) tone: u8,
    pub(crate) fog: bool,
    /// Whether surfaces are drawn with as little as looks right.
    pub(crate) plain: bool,
    /// Whether one light from afar is all there is.
    pub(crate) sun: bool,
    /// Whether the target is shown as sRGB and is not told so.
    pub(crate) encoded: bool,
    /// Draw calls so far.
    pub(crate) draws: u32,
}

impl Brush<'_, '_> {
    pub(crate) fn set(&mut self, key: crate::pipelines::Key) {
        let key = if key.shader.reads_air() {
            crate::pipelines::Key { tone: self.tone, fog: self.fog, ..key }
        } else {
            key
        };
        self.pass.set_pipeline(&self.pipelines.get(self.layouts, key));
    }
}
