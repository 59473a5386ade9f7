//! What changed from one frame to the next: a rectangle around it.

/// A part of an image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// The smallest part that holds every difference; one pixel where there is none. Pixels have `bytes` bytes.
pub(super) fn changed(before: &[u8], now: &[u8], width: usize, bytes: usize) -> Part {
    let wide = width * bytes;
    let rows = || before.chunks_exact(wide).zip(now.chunks_exact(wide));
    let differs = |(a, b): (&[u8], &[u8])| a != b;
    let Some(top) = rows().position(differs) else {
        return Part { left: 0, top: 0, width: 1, height: 1 };
    };
    let bottom = rows().rposition(differs).unwrap_or(top);
    let (mut left, mut right) = (width, 0);
    for (a, b) in rows().take(bottom + 1).skip(top) {
        let pixels = || a.chunks_exact(bytes).zip(b.chunks_exact(bytes));
        left = left.min(pixels().position(differs).unwrap_or(width));
        right = right.max(pixels().rposition(differs).unwrap_or(0));
    }
    Part { left, top, width: right + 1 - left, height: bottom + 1 - top }
}

/// The pixels of a part.
pub(super) fn cut(image: &[u8], width: usize, bytes: usize, part: Part) -> Vec<u8> {
    let mut cut = Vec::with_capacity(part.width * part.height * bytes);
    for row in part.top..part.top + part.height {
        let start = (row * width + part.left) * bytes;
        cut.extend_from_slice(&image[start..start + part.width * bytes]);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_holds_every_difference_and_no_more() {
        let before = [0; 20];
        let mut now = before;
        // Five wide, four high: differences at (3, 1) and (1, 2).
        now[8] = 1;
        now[11] = 1;
        let part = changed(&before, &now, 5, 1);
        assert_eq!(part, Part { left: 1, top: 1, width: 3, height: 2 });
        assert_eq!(cut(&now, 5, 1, part), [0, 0, 1, 1, 0, 0]);
        assert_eq!(changed(&now, &now, 5, 1), Part { left: 0, top: 0, width: 1, height: 1 });
    }
}
