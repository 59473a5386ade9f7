//! Text of two bytes a letter, as some programs on Windows save it.
//!
//! In:  the bytes of a text file.
//! Out: the same in UTF-8, when a mark (or the `<` of an XML file) says that they are UTF-16.

use std::borrow::Cow;

use crate::{ImportError, Place};

/// The text of a file that is UTF-16; `None` when it is not.
pub(crate) fn decode(bytes: &[u8]) -> Option<Result<String, ImportError>> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Some(wide(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Some(wide(rest, u16::from_be_bytes)),
        [b'<', 0, ..] => Some(wide(bytes, u16::from_le_bytes)),
        [0, b'<', ..] => Some(wide(bytes, u16::from_be_bytes)),
        _ => None,
    }
}

/// The bytes as they are, or in UTF-8 when they are UTF-16.
#[cfg_attr(
    not(any(feature = "md5", feature = "bvh", feature = "obj")),
    allow(dead_code, reason = "for readers of plain text")
)]
pub(crate) fn narrowed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ImportError> {
    match decode(bytes) {
        Some(text) => Ok(Cow::Owned(text?.into_bytes())),
        None => Ok(Cow::Borrowed(bytes)),
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, ImportError> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().map_err(|error| {
        let found = error.unpaired_surrogate();
        ImportError::malformed(
            Place::Whole,
            format!("expected UTF-16 text, found the lone surrogate {found:#06x}"),
        )
    })
}

#[cfg(all(test, feature = "obj"))]
mod tests {
    use crate::{NoFiles, read};

    #[test]
    fn a_model_in_utf_16_is_the_same_as_in_utf_8() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        let marked = format!("\u{feff}{text}");
        let units = || marked.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        let plain = read(text.as_bytes(), &NoFiles).expect("a triangle").scene;
        for bytes in [little, big] {
            let scene = read(&bytes, &NoFiles).expect("a triangle").scene;
            let positions =
                |scene: &sinew_scene::Scene| scene.meshes[0].primitives[0].positions.clone();
            assert_eq!(positions(&scene), positions(&plain));
        }
        let broken = read(b"\xff\xfev\0 \0\x00\xd8\n\0", &NoFiles).expect_err("half a letter");
        assert!(broken.to_string().contains("lone surrogate"), "{broken}");
    }
}
