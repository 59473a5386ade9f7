//! Hand-made files of both kinds, and files that are broken.

use super::{HdrError, decode};

fn radiance(size: &str, pixels: &[u8]) -> Vec<u8> {
    let header = format!("#?RADIANCE\n# by hand\nFORMAT=32-bit_rle_rgbe\n\n{size}\n");
    [header.as_bytes(), pixels].concat()
}

#[test]
fn flat_pixels_are_mantissas_times_their_exponent() {
    // 128 · 2^(129 - 136) = 1, 64 · 2^(130 - 136) = 1, and an exponent of 0 is black.
    let file = radiance("-Y 1 +X 3", &[128, 64, 0, 129, 64, 64, 64, 130, 9, 9, 9, 0]);
    let image = decode(&file).expect("reads");
    assert_eq!((image.width, image.height), (3, 1));
    assert_eq!(image.rgb, [1.0, 0.5, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn old_runs_repeat_the_pixel_before() {
    let file = radiance("-Y 1 +X 5", &[128, 0, 0, 129, 1, 1, 1, 3, 0, 128, 0, 129]);
    let image = decode(&file).expect("reads");
    let red: Vec<f32> = image.rgb.iter().step_by(3).copied().collect();
    assert_eq!(red, [1.0, 1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn new_runs_are_one_channel_after_the_other() {
    let mut line = vec![2, 2, 0, 8];
    line.extend([136, 128]); // red: eight times 128
    line.extend([8, 0, 1, 2, 3, 4, 5, 6, 7]); // green: eight plain
    line.extend([132, 0, 132, 128]); // blue: four, then four
    line.extend([136, 129]);
    let image = decode(&radiance("-Y 1 +X 8", &line)).expect("reads");
    assert_eq!(image.rgb[..3], [1.0, 0.0, 0.0]);
    assert_eq!(image.rgb[21..], [1.0, 7.0 / 128.0, 1.0]);
}

#[test]
fn rows_that_run_upwards_are_turned_over() {
    let file = radiance("+Y 2 +X 1", &[128, 0, 0, 129, 0, 128, 0, 129]);
    assert_eq!(decode(&file).expect("reads").rgb, [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
}

/// An EXR of 2 × 2 pixels with half floats, compressed as `code` says.
fn exr(code: u8, blocks: &[(i32, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        out.extend([name.as_bytes(), &[0], kind.as_bytes(), &[0]].concat());
        out.extend((value.len() as i32).to_le_bytes());
        out.extend(value);
    };
    let mut channels = Vec::new();
    for name in *b"BGR" {
        channels.extend([name, 0]);
        channels.extend([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
    channels.push(0);
    attribute("channels", "chlist", &channels);
    attribute("compression", "compression", &[code]);
    let window: Vec<u8> = [0_i32, 0, 1, 1].iter().flat_map(|value| value.to_le_bytes()).collect();
    attribute("dataWindow", "box2i", &window);
    out.push(0);
    let mut offset = out.len() + blocks.len() * 8;
    for (_, data) in blocks {
        out.extend((offset as u64).to_le_bytes());
        offset += 8 + data.len();
    }
    for (line, data) in blocks {
        out.extend(line.to_le_bytes());
        out.extend((data.len() as i32).to_le_bytes());
        out.extend(data);
    }
    out
}

/// Blue, green and red of two pixels of one line: 0x3c00 is 1, 0x3800 is a half, 0x4000 is 2.
fn line(red: [u16; 2]) -> Vec<u8> {
    let all = [[0, 0x3800], [0x3c00, 0x3c00], red];
    all.iter().flatten().flat_map(|value| value.to_le_bytes()).collect()
}

const EXPECTED: [f32; 12] = [2.0, 1.0, 0.0, 1.0, 1.0, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0, 0.5];

/// Even bytes before odd ones, each as the difference from the one before, plus 128.
fn predicted(raw: &[u8]) -> Vec<u8> {
    let split: Vec<u8> =
        raw.iter().step_by(2).chain(raw.iter().skip(1).step_by(2)).copied().collect();
    let mut before = None;
    let step = |byte: &u8| {
        let value = before.map_or(*byte, |before: u8| byte.wrapping_sub(before).wrapping_add(128));
        before = Some(*byte);
        value
    };
    split.iter().map(step).collect()
}

#[test]
fn an_exr_without_compression_has_its_colours_by_name() {
    let file = exr(0, &[(0, line([0x4000, 0x3c00])), (1, line([0x3800, 0]))]);
    assert_eq!(decode(&file).expect("reads").rgb, EXPECTED);
}

#[test]
fn an_exr_with_zip_unpacks_sixteen_lines_at_a_time() {
    let raw = [line([0x4000, 0x3c00]), line([0x3800, 0])].concat();
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&predicted(&raw), 9);
    // Repeated, so that it is not by chance as long as what is not packed.
    assert_ne!(packed.len(), raw.len());
    assert_eq!(decode(&exr(3, &[(0, packed)])).expect("reads").rgb, EXPECTED);
}

#[test]
fn an_exr_with_runs_unpacks_line_by_line() {
    let pack = |raw: Vec<u8>| {
        let mut out = Vec::new();
        for byte in predicted(&raw) {
            out.extend([0, byte]);
        }
        out
    };
    let blocks = [(0, pack(line([0x4000, 0x3c00]))), (1, pack(line([0x3800, 0])))];
    assert_eq!(decode(&exr(1, &blocks)).expect("reads").rgb, EXPECTED);
}

#[test]
fn an_exr_of_another_compression_is_refused_by_name() {
    let HdrError { message, .. } = decode(&exr(8, &[])).expect_err("DWAA");
    assert!(message.ends_with("found DWAA"), "{message}");
}

/// What `piz_half.exr` (24 × 40, two blocks) and `piz_float.exr` (21 × 35) hold; the Academy's library wrote them.
fn painted(width: u32, height: u32, fine: f32) -> Vec<f32> {
    let mut rgb = Vec::new();
    for y in 0..height {
        for x in 0..width {
            rgb.push(((x * 7 + y * 13) % 64) as f32 / 8.0);
            rgb.push(((x * x + y * 3) % 1009) as f32 * 0.25 + (x % 4) as f32 * fine);
            rgb.push(if (x / 8 + y / 8) % 2 == 0 { 0.5 } else { 2.0 });
        }
    }
    rgb
}

const PIZ_HALF: &[u8] = include_bytes!("piz_half.exr");
const PIZ_FLOAT: &[u8] = include_bytes!("piz_float.exr");

#[test]
fn an_exr_with_wavelets_has_every_pixel_as_it_was() {
    let half = decode(PIZ_HALF).expect("reads");
    assert_eq!((half.width, half.height), (24, 40));
    assert!(half.rgb == painted(24, 40, 0.0), "halves");
    let float = decode(PIZ_FLOAT).expect("reads");
    assert!(float.rgb == painted(21, 35, 1.0 / 65536.0), "floats");
}

#[test]
fn an_exr_with_wavelets_that_was_changed_is_an_error_or_another_image() {
    let mut file = PIZ_HALF.to_vec();
    for at in (300..file.len()).step_by(7) {
        let before = file[at];
        for value in [0, 0xff, before ^ 0x10] {
            file[at] = value;
            if let Ok(image) = decode(&file) {
                assert_eq!(image.rgb.len(), 24 * 40 * 3);
            }
        }
        file[at] = before;
    }
}

#[test]
fn every_prefix_is_an_error_with_its_place() {
    let mut runs = vec![2, 2, 0, 8, 136, 128, 136, 0, 136, 0, 136, 129];
    runs.extend(runs.clone());
    let files = [
        radiance("-Y 2 +X 8", &runs),
        exr(0, &[(0, line([0x4000, 0x3c00])), (1, line([0x3800, 0]))]),
        PIZ_HALF.to_vec(),
    ];
    for file in files {
        decode(&file).expect("the whole file reads");
        for end in 0..file.len() {
            let error = decode(&file[..end]).expect_err("cut short");
            assert!(error.offset <= end, "{error} of {end}");
        }
    }
}

#[test]
fn a_tall_exr_without_its_lines_is_refused_before_one_is_read() {
    // Ten thousand lines, with the two blocks of a small image: the first is found, the others are not.
    let mut file = exr(0, &[(0, line([0x4000, 0x3c00])), (1, line([0x3800, 0]))]);
    let window = file.windows(5).position(|bytes| bytes == b"box2i").expect("a window") + 10;
    file[window + 12..window + 16].copy_from_slice(&9_999_i32.to_le_bytes());
    let error = decode(&file).expect_err("cut short");
    assert!(error.message.contains("2 × 10000"), "{error}");
}

#[test]
fn an_exr_of_more_channels_than_anybody_draws_is_refused() {
    let mut file = exr(1, &[]);
    let start = file.windows(6).position(|bytes| bytes == b"chlist").expect("channels") + 7;
    let (head, rest) = file.split_at(start);
    let old =
        usize::try_from(i32::from_le_bytes(rest[..4].try_into().expect("four"))).expect("a size");
    let one = [&b"Z\0"[..], &[1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]].concat();
    let many = [one.repeat(1000), rest[4..4 + old].to_vec()].concat();
    file = [head, &(many.len() as i32).to_le_bytes()[..], &many, &rest[4 + old..]].concat();
    let error = decode(&file).expect_err("too many");
    assert!(error.message.contains("at most 64 channels"), "{error}");
}

#[test]
fn a_size_that_nobody_has_is_refused_before_memory_is_taken() {
    let error = decode(&radiance("-Y 99999 +X 99999", &[])).expect_err("too large");
    assert!(error.message.contains("99999 × 99999"), "{error}");
    decode(&radiance("-Y 4096 +X 8192", &[0; 64])).expect_err("cut short");
    let error = decode(&radiance("+X 2 -Y 2", &[0; 64])).expect_err("columns first");
    assert!(error.message.contains("-Y 256 +X 512"), "{error}");
}
