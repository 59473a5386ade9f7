//! Straight lines, a strip of four corners each.

use std::ops::Range;

use super::{Brush, Stream};
use crate::overlay::Line;
use crate::pipelines::Key;
use crate::shaders::Shader;

/// Draws some of the lines; `over` draws them fainter, for what surfaces hide.
pub(crate) fn draw(brush: &mut Brush<'_, '_>, lines: &Stream, some: Range<usize>, over: bool) {
    if some.is_empty() {
        return;
    }
    brush.set(Key { over, ..Key::new(Shader::Lines, brush.samples) });
    brush.pass.set_vertex_buffer(0, lines.from::<Line>(some.start as u32));
    brush.pass.draw(0..4, 0..some.len() as u32);
    brush.draws += 1;
}
