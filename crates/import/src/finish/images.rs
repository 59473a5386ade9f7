//! Unpacks the images of a scene to pixels.
//!
//! In:  images as filed.
//! Out: pixels; what cannot be unpacked stays as filed, with a note.

use sinew_scene::SceneParts;

use crate::note::Notes;

#[cfg(feature = "images")]
pub(super) fn decode_all(parts: &mut SceneParts, notes: &mut Notes) {
    use crate::Place;
    use crate::image::decode;
    use sinew_scene::ImageData;

    for (at, image) in parts.images.iter_mut().enumerate() {
        let ImageData::Encoded { bytes, .. } = &image.data else { continue };
        match decode(bytes) {
            Ok(pixels) => {
                let (width, height) = (pixels.width, pixels.height);
                image.data = ImageData::Pixels { width, height, rgba: pixels.rgba.into() };
            }
            Err(text) => {
                notes.add_as(
                    crate::NoteCode::ImageUnreadable,
                    Place::part(format!("images[{at}]")),
                    text,
                );
            }
        }
    }
}

#[cfg(not(feature = "images"))]
pub(super) fn decode_all(parts: &mut SceneParts, notes: &mut Notes) {
    if !parts.images.is_empty() {
        let text = "images stay packed: this build of Sinew does not unpack them";
        notes.add(crate::Place::part("images"), text);
    }
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;
    use sinew_scene::{Image, ImageData};

    #[test]
    fn an_image_is_unpacked_and_a_broken_one_stays_with_a_note() {
        // One red pixel as an uncompressed 24-bit TGA: a header of 18 bytes, then blue, green, red.
        let tga = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20, 0, 0, 255];
        let image = |bytes: &[u8]| Image {
            name: String::new(),
            data: ImageData::Encoded { media_type: String::new(), bytes: bytes.into() },
        };
        let images = vec![image(&tga), image(b"no image at all")];
        let broken = images[1].clone();
        let mut parts = SceneParts { images, ..SceneParts::default() };
        let mut notes = Notes::default();
        decode_all(&mut parts, &mut notes);
        let rgba = [255, 0, 0, 255][..].into();
        assert_eq!(parts.images[0].data, ImageData::Pixels { width: 1, height: 1, rgba });
        assert_eq!(parts.images[1], broken);
        assert_eq!(notes.into_vec().len(), 1);
    }
}
