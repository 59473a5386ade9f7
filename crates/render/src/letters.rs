//! Letters as strokes, for names in images: our own, drawn on a grid, one width of line.
//!
//! In:  a character.
//! Out: its strokes on a grid of six units from the foot line to the head of a capital.
//!
//! A point is two characters: its x as a digit, its y as a letter, `c` on the foot line, `g` the top of an `x`, `i`
//! that of an `X`, `a` the lowest. Points without a space between them are one stroke.

/// Height of a capital, in units.
pub(crate) const CAPITAL: f32 = 6.0;
/// Between two letters, in units.
const GAP: f32 = 2.0;
const SPACE: f32 = 3.0;
/// What stands for a character that we have no strokes for.
const UNKNOWN: &str = "0c0i4i4c0c";

/// The characters from `!` to `~`.
const STROKES: [&str; 94] = [
    "0c0d 0e0i",                        // !
    "0h0i 2h2i",                        // "
    "1c1i 3c3i 0e4e 0g4g",              // #
    "4h3i1i0h0g1f3f4e4d3c1c0d 2b2i",    // $
    "0c4i 0i1i1h0h0i 3c4c4d3d3c",       // %
    "4c1h1i2i3h0e0d1c2c4e",             // &
    "0h0i",                             // '
    "1i0g0e1c",                         // (
    "0i1g1e0c",                         // )
    "2d2h 0e4g 0g4e",                   // *
    "0e4e 2c2g",                        // +
    "1d1c0b",                           // ,
    "0e2e",                             // -
    "0c0d",                             // .
    "0b3i",                             // /
    "1c0d0h1i2i3h3d2c1c",               // 0
    "0h1i1c 0c2c",                      // 1
    "0h1i2i3h3g0c3c",                   // 2
    "0h1i2i3h3g2f3e3d2c1c0d 1f2f",      // 3
    "2c2i0e3e",                         // 4
    "3i0i0f2f3e3d2c0c",                 // 5
    "3h2i1i0h0d1c2c3d3e2f0f",           // 6
    "0i3i1c",                           // 7
    "1f0g0h1i2i3h3g2f1f0e0d1c2c3d3e2f", // 8
    "0d1c2c3d3h2i1i0h0g1f3f",           // 9
    "0c0d 0f0g",                        // :
    "1f1g 1d1c0b",                      // ;
    "3g0e3c",                           // <
    "0d3d 0f3f",                        // =
    "0g3e0c",                           // >
    "0h1i2i3h3g1f1e 1c1d",              // ?
    "4d3c1c0d0h1i3i4h4e2e2g4g",         // @
    "0c2i4c 1e3e",                      // A
    "0c0i3i4h4g3f0f 3f4e4d3c0c",        // B
    "4h3i1i0h0d1c3c4d",                 // C
    "0c0i2i4g4e2c0c",                   // D
    "4c0c0i4i 0f3f",                    // E
    "0c0i4i 0f3f",                      // F
    "4h3i1i0h0d1c3c4d4f2f",             // G
    "0c0i 4c4i 0f4f",                   // H
    "0c2c 1c1i 0i2i",                   // I
    "0d1c2c3d3i",                       // J
    "0c0i 4i0e 1f4c",                   // K
    "0i0c3c",                           // L
    "0c0i2e4i4c",                       // M
    "0c0i4c4i",                         // N
    "1c0d0h1i3i4h4d3c1c",               // O
    "0c0i3i4h4g3f0f",                   // P
    "1c0d0h1i3i4h4d3c1c 2e4c",          // Q
    "0c0i3i4h4g3f0f 2f4c",              // R
    "4h3i1i0h0g1f3f4e4d3c1c0d",         // S
    "0i4i 2i2c",                        // T
    "0i0d1c3c4d4i",                     // U
    "0i2c4i",                           // V
    "0i1c3g5c6i",                       // W
    "0c4i 0i4c",                        // X
    "0i2f4i 2f2c",                      // Y
    "0i4i0c4c",                         // Z
    "1i0i0b1b",                         // [
    "0i3b",                             // \
    "0i1i1b0b",                         // ]
    "0g2i4g",                           // ^
    "0b4b",                             // _
    "0i1h",                             // `
    "3g3c 3d2c1c0d0f1g2g3f",            // a
    "0i0c 0f1g2g3f3d2c1c0d",            // b
    "3f2g1g0f0d1c2c3d",                 // c
    "3i3c 3d2c1c0d0f1g2g3f",            // d
    "0e3e3f2g1g0f0d1c2c3d",             // e
    "3i2i1h1c 0g2g",                    // f
    "3g3b2a1a0b 3d2c1c0d0f1g2g3f",      // g
    "0i0c 0f1g2g3f3c",                  // h
    "0c0g 0h0i",                        // i
    "1g1b0a 1h1i",                      // j
    "0i0c 3g0d 1e3c",                   // k
    "0i0d1c",                           // l
    "0c0g 0f1g2g3f3c 3f4g5g6f6c",       // m
    "0c0g 0f1g2g3f3c",                  // n
    "1c0d0f1g2g3f3d2c1c",               // o
    "0g0a 0f1g2g3f3d2c1c0d",            // p
    "3g3a 3d2c1c0d0f1g2g3f",            // q
    "0c0g 0f1g2g",                      // r
    "3g1g0f1e2e3d2c0c",                 // s
    "1i1d2c3c 0g3g",                    // t
    "0g0d1c2c3d 3g3c",                  // u
    "0g2c4g",                           // v
    "0g1c3g5c6g",                       // w
    "0c3g 0g3c",                        // x
    "0g2c 4g1a0a",                      // y
    "0g3g0c3c",                         // z
    "2i1h1g0f1e1d2c",                   // {
    "0b0i",                             // |
    "0i1h1g2f1e1d0c",                   // }
    "0e1f3e4f",                         // ~
];

/// From U+00C0: letters with marks, without them.
const PLAIN: &[u8; 64] = b"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYPsaaaaaaaceeeeiiiidnooooo/ouuuuypy";

fn strokes(character: char) -> &'static str {
    let code = match character as u32 {
        code @ 0xc0..=0xff => u32::from(PLAIN[(code - 0xc0) as usize]),
        code => code,
    };
    match code {
        0x21..=0x7e => STROKES[(code - 0x21) as usize],
        0..=0x20 | 0xa0 => "",
        _ => UNKNOWN,
    }
}

/// How far the next letter is, in units.
fn advance(strokes: &str) -> f32 {
    match strokes.bytes().filter(u8::is_ascii_digit).max() {
        Some(widest) => f32::from(widest - b'0') + GAP,
        None => SPACE,
    }
}

/// How wide a text is, in units.
pub(crate) fn width(text: &str) -> f32 {
    (text.chars().map(|character| advance(strokes(character))).sum::<f32>() - GAP).max(0.0)
}

/// Every straight piece of a text: from and to, in units from where its foot line begins, y up.
pub(crate) fn pieces(text: &str, mut draw: impl FnMut([f32; 2], [f32; 2])) {
    let mut left = 0.0;
    for character in text.chars() {
        let strokes = strokes(character);
        for stroke in strokes.split(' ') {
            let mut last = None;
            for point in stroke.as_bytes().chunks_exact(2) {
                let here =
                    [left + f32::from(point[0] - b'0'), f32::from(point[1]) - f32::from(b'c')];
                if let Some(last) = last {
                    draw(last, here);
                }
                last = Some(here);
            }
        }
        left += advance(strokes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_stays_on_its_grid_and_has_a_stroke() {
        for character in '!'..='~' {
            let mut count = 0;
            pieces(&character.to_string(), |from, to| {
                count += 1;
                for [x, y] in [from, to] {
                    assert!((0.0..=6.0).contains(&x) && (-2.0..=6.0).contains(&y), "{character}");
                }
                assert_ne!(from, to, "{character}");
            });
            assert!(count > 0, "{character}");
        }
    }

    #[test]
    fn no_two_letters_look_the_same() {
        for (index, strokes) in STROKES.iter().enumerate() {
            assert!(!STROKES[index + 1..].contains(strokes), "{strokes}");
        }
    }

    #[test]
    fn a_text_is_as_wide_as_its_letters_and_their_gaps() {
        // L is 3 wide, I is 2; a gap of 2 between them.
        assert_eq!(width("LI"), 7.0);
        assert_eq!(width(""), 0.0);
        assert_eq!(width("L I"), 10.0);
    }

    #[test]
    fn a_mark_on_a_letter_is_left_out_and_a_strange_sign_is_a_box() {
        assert_eq!(
            (strokes('é'), strokes('Ø'), strokes('ß')),
            (strokes('e'), strokes('O'), strokes('s'))
        );
        assert_eq!(strokes('手'), UNKNOWN);
        assert_eq!(strokes('\u{7f}'), UNKNOWN);
    }
}
