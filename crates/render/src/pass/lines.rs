//! Straight lines, a strip of four corners each.

use super::{Brush, Stream};
use crate::overlay::Line;
use crate::pipelines::Key;
use crate::shaders::Shader;

/// Draws `count` lines; `over` draws them fainter, for what surfaces hide.
pub(crate) fn draw(brush: &mut Brush<'_, '_>, lines: &Stream, count: usize, over: bool) {
    if count == 0 {
        return;
    }
    brush.set(Key { over, ..Key::new(Shader::Lines, brush.samples) });
    brush.pass.set_vertex_buffer(0, lines.from::<Line>(0));
    brush.pass.draw(0..4, 0..count as u32);
    brush.draws += 1;
}
