//! Images drawn and encoded here, whole, cut and damaged.

use super::{Pixels, decode, media_type, size};
use ::image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use std::io::Cursor;

fn drawn() -> RgbaImage {
    RgbaImage::from_fn(7, 5, |x, y| Rgba([x as u8 * 30, y as u8 * 50, 90, 255 - x as u8]))
}

fn encoded(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::from(drawn());
    let image = match format {
        ImageFormat::Jpeg => image.into_rgb8().into(),
        _ => image,
    };
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A KTX2 file with one level, a format descriptor and no key and value data.
fn ktx2(
    format: u32,
    color_model: u32,
    scheme: u32,
    (width, height): (u32, u32),
    level: &[u8],
) -> Vec<u8> {
    let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    let descriptor = 104;
    for field in [format, 1, width, height, 0, 0, 1, 1, scheme, descriptor, 44, 0, 0] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend([0; 16]);
    let length = level.len() as u64;
    for field in [u64::from(descriptor) + 44, length, length] {
        bytes.extend(field.to_le_bytes());
    }
    // Total size, vendor, version and block size; model, primaries and sRGB transfer; 4 × 4 texels;
    // bytes in the planes; one sample, whose channel 3 is RGBA for UASTC.
    for word in [
        44,
        0,
        2 | 40 << 16,
        color_model | 1 << 8 | 2 << 16,
        3 | 3 << 8,
        16,
        0,
        3 << 24 | 127 << 16,
        0,
        0,
        u32::MAX,
    ] {
        bytes.extend(word.to_le_bytes());
    }
    assert_eq!(bytes.len(), descriptor as usize + 44);
    bytes.extend(level);
    bytes
}

/// A UASTC block of one colour: five bits of mode, then the four channels.
fn solid([r, g, b, a]: [u8; 4]) -> [u8; 16] {
    let color = u128::from(u32::from_le_bytes([r, g, b, a]));
    (0x17 | color << 5).to_le_bytes()
}

fn uastc() -> Vec<u8> {
    let blocks = [solid([10, 20, 30, 40]), solid([200, 100, 50, 255])];
    ktx2(0, 166, 0, (7, 3), blocks.as_flattened())
}

#[test]
fn lossless_images_come_back_whole() {
    for (format, name) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::WebP, "image/webp"),
        (ImageFormat::Tga, "image/x-tga"),
        (ImageFormat::Bmp, "image/bmp"),
    ] {
        let bytes = encoded(format);
        assert_eq!(media_type(&bytes), Some(name));
        assert_eq!(size(&bytes), Some((7, 5)), "{name}");
        let expected = Pixels { width: 7, height: 5, rgba: drawn().into_raw() };
        assert_eq!(decode(&bytes), Ok(expected), "{name}");
    }
}

#[test]
fn a_jpeg_comes_back_nearly() {
    let bytes = encoded(ImageFormat::Jpeg);
    assert_eq!(media_type(&bytes), Some("image/jpeg"));
    assert_eq!(size(&bytes), Some((7, 5)));
    let pixels = decode(&bytes).unwrap();
    assert_eq!((pixels.width, pixels.height), (7, 5));
    for (found, drawn) in pixels.rgba.as_chunks::<4>().0.iter().zip(drawn().pixels()) {
        assert!(found[0].abs_diff(drawn[0]) < 60, "{found:?}, not {drawn:?}");
        assert_eq!(found[3], 255);
    }
}

#[test]
fn sixteen_bits_and_grey_become_eight_bits_of_rgba() {
    let grey = ::image::ImageBuffer::from_fn(2, 1, |x, _| ::image::Luma([x as u16 * 0x8080]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageLuma16(grey).write_to(&mut bytes, ImageFormat::Png).unwrap();
    let pixels = decode(bytes.get_ref()).unwrap();
    assert_eq!(pixels.rgba, [0, 0, 0, 255, 128, 128, 128, 255]);
}

#[test]
fn a_uastc_texture_gives_its_blocks() {
    let bytes = uastc();
    assert_eq!(media_type(&bytes), Some("image/ktx2"));
    assert_eq!(size(&bytes), Some((7, 3)));
    let row = [[10, 20, 30, 40]; 4].into_iter().chain([[200, 100, 50, 255]; 3]);
    let row: Vec<u8> = row.flatten().collect();
    assert_eq!(decode(&bytes).unwrap().rgba, row.repeat(3));
}

#[test]
fn plain_textures_give_their_channels_in_order() {
    for (format, stored, rgba) in [
        (43, vec![1, 2, 3, 4], [1, 2, 3, 4]),
        (50, vec![1, 2, 3, 4], [3, 2, 1, 4]),
        (23, vec![1, 2, 3], [1, 2, 3, 255]),
        (30, vec![1, 2, 3], [3, 2, 1, 255]),
        (16, vec![1, 2], [1, 2, 0, 255]),
        (9, vec![1], [1, 0, 0, 255]),
    ] {
        let bytes = ktx2(format, 1, 0, (2, 2), &stored.repeat(4));
        assert_eq!(decode(&bytes).unwrap().rgba, rgba.repeat(4), "format {format}");
    }
}

#[test]
fn textures_that_are_not_read_say_why() {
    for (bytes, why) in [
        (ktx2(97, 1, 0, (1, 1), &[0; 8]), "format 97"),
        (ktx2(37, 1, 2, (1, 1), &[0; 4]), "scheme 2"),
        (ktx2(37, 1, 0, (2, 1), &[0; 4]), "8 bytes, found 4"),
        (ktx2(0, 166, 2, (4, 4), &[0; 17]), "16 bytes"),
        (ktx2(0, 166, 3, (4, 4), &[0; 16]), "scheme 3"),
        (ktx2(0, 166, 0, (40000, 4), &[0; 16]), "40000"),
        (ktx2(0, 7, 0, (4, 4), &[0; 16]), "Basis"),
    ] {
        let error = decode(&bytes).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    let mut cube = uastc();
    cube[36] = 6;
    assert!(decode(&cube).unwrap_err().contains("faceCount"));
    assert!(decode(b"GIF89a\x02\0\x01\0").unwrap_err().contains("gif"));
    assert!(decode(b"hello").unwrap_err().contains("no known kind"));
}

#[test]
fn headers_are_read_without_the_rest() {
    let mut dds = b"DDS ".to_vec();
    dds.extend([124, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0]);
    let mut extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
    extended.extend([0xff, 0x03, 0, 0xff, 0x01, 0]);
    let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x20\x40\x10\x00";
    let old_bmp = b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x0c\0\0\0\x05\0\x06\0";
    let top_down = b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0\x05\0\0\0\xfa\xff\xff\xff";
    // A comment, fill bytes, then the frame header.
    let jpeg = b"\xff\xd8\xff\xfe\0\x04hi\xff\xff\xff\xc2\0\x0b\x08\x01\x02\x03\x04";
    for (bytes, name, expected) in [
        (&b"GIF89a\x02\0\x01\x01"[..], "image/gif", (2, 257)),
        (&dds, "image/vnd-ms.dds", (9, 3)),
        (&extended, "image/webp", (1024, 512)),
        (lossy, "image/webp", (32, 16)),
        (old_bmp, "image/bmp", (5, 6)),
        (top_down, "image/bmp", (5, 6)),
        (jpeg, "image/jpeg", (0x304, 0x102)),
    ] {
        assert_eq!((media_type(bytes), size(bytes)), (Some(name), Some(expected)));
    }
    for bytes in [
        &b""[..],
        b"BM",
        b"#?RADIANCE\n# an image of light\n",
        b"{\"asset\": {\"version\": \"2.0\"}}",
    ] {
        assert_eq!((media_type(bytes), size(bytes)), (None, None));
    }
}

#[test]
fn a_small_file_cannot_ask_for_a_large_image() {
    let mut png = encoded(ImageFormat::Png);
    for (width, height) in [(16_385_u32, 1_u32), (1, 16_385), (8193, 8192), (u32::MAX, u32::MAX)] {
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let error = decode(&png).unwrap_err();
        assert!(error.contains("at most 16384"), "{error}");
    }
}

fn samples() -> Vec<Vec<u8>> {
    use ImageFormat::{Bmp, Jpeg, Png, Tga, WebP};
    let mut samples: Vec<Vec<u8>> = [Png, Jpeg, WebP, Tga, Bmp].map(encoded).into();
    samples.push(uastc());
    samples.push(ktx2(37, 1, 0, (2, 2), &[9; 16]));
    samples
}

#[test]
fn every_prefix_is_an_error_or_a_whole_image() {
    for sample in samples() {
        for end in 0..sample.len() {
            assert_whole(&sample[..end]);
        }
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    for sample in samples() {
        for _ in 0..3000 {
            let mut bytes = sample.clone();
            for _ in 0..=below(3) {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            // Sizes near the limit are tried above; here they would only cost time.
            if size(&bytes).is_none_or(|(width, height)| width.saturating_mul(height) < 1 << 20) {
                assert_whole(&bytes);
            }
        }
    }
}

fn assert_whole(bytes: &[u8]) {
    if let Ok(pixels) = decode(bytes) {
        let length = pixels.width as usize * pixels.height as usize * 4;
        assert_eq!(pixels.rgba.len(), length);
    }
}
