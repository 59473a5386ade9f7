//! Corners of faces: `7`, `7/8`, `7//9` or `7/8/9`, counted from one, or back from the last.

use crate::text::Text;

/// Which position, texture coordinate and normal a corner has; -1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) position: i64,
    pub(super) uv: i64,
    pub(super) normal: i64,
}

/// What a number counts in; kept apart from -1 so that it is never mistaken for none.
const WRONG: i64 = i64::MAX;

impl Corner {
    /// The next corner on this line; `None` when there is none. `counts` holds how many positions,
    /// texture coordinates and normals have come so far.
    pub(super) fn read(text: &mut Text<'_>, counts: [usize; 3]) -> Option<Self> {
        let mut found = [-1; 3];
        text.skip_space();
        // `/8` has a texture coordinate and no position.
        if text.peek() != Some(b'/') {
            found[0] = absolute(text.integer()?, counts[0]);
        }
        for (index, count) in found.iter_mut().zip(counts).skip(1) {
            if text.peek() != Some(b'/') {
                break;
            }
            text.skip(1);
            // `7//9` and `7/` leave a place empty.
            if text.peek().is_some_and(|byte| byte > b' ' && byte != b'/') {
                *index = text.integer().map_or(WRONG, |filed| absolute(filed, count));
            }
        }
        let [position, uv, normal] = found;
        Some(Self { position, uv, normal })
    }
}

fn absolute(filed: i64, count: usize) -> i64 {
    match filed {
        1.. => filed - 1,
        0 => WRONG,
        back => match i64::try_from(count).unwrap_or(0).saturating_add(back) {
            index @ 0.. => index,
            _ => WRONG,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(line: &str) -> Vec<[i64; 3]> {
        let mut text = Text::new(line.as_bytes());
        let next = || Corner::read(&mut text, [10, 20, 30]);
        std::iter::from_fn(next).map(|c| [c.position, c.uv, c.normal]).collect()
    }

    #[test]
    fn every_form_of_a_corner_is_read() {
        assert_eq!(
            corners("1 2/3 4//5 6/7/8 9/ -1/-20/-30 # end"),
            [[0, -1, -1], [1, 2, -1], [3, -1, 4], [5, 6, 7], [8, -1, -1], [9, 0, 0]]
        );
    }

    #[test]
    fn a_corner_may_lack_its_position() {
        assert_eq!(corners("/5 1 //6 /"), [[-1, 4, -1], [0, -1, -1], [-1, -1, 5], [-1, -1, -1]]);
    }

    #[test]
    fn zero_and_too_far_back_are_wrong_not_missing() {
        assert_eq!(corners("0 -11/1/-31"), [[WRONG, -1, -1], [WRONG, 0, WRONG]]);
    }
}
