//! `sinew render`: images, sheets and films on any driver, the software one included.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("sinew-render-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a name in Unicode").to_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sinew(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .arg("render")
        .args(arguments)
        .output()
        .expect("sinew starts")
}

fn good(arguments: &[&str]) -> Output {
    let output = sinew(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn fails(arguments: &[&str], code: i32, words: &str) {
    let output = sinew(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.contains(words), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty());
}

/// Width, height and RGBA pixels, of the first frame.
struct Pixels {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Pixels {
    fn read(bytes: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut rgba).expect("pixels");
        assert_eq!(info.color_type, png::ColorType::Rgba);
        rgba.truncate(info.buffer_size());
        Self { width: info.width as usize, height: info.height as usize, rgba }
    }

    fn open(path: impl AsRef<Path>) -> Self {
        Self::read(&std::fs::read(path).expect("a file"))
    }

    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        std::array::from_fn(|channel| self.rgba[(y * self.width + x) * 4 + channel])
    }

    fn cell(&self, column: usize, row: usize, width: usize, height: usize) -> Vec<u8> {
        let rows = row * height..(row + 1) * height;
        rows.flat_map(|y| (column * width..(column + 1) * width).flat_map(move |x| self.at(x, y)))
            .collect()
    }

    fn colors(&self) -> usize {
        self.rgba.chunks_exact(4).collect::<std::collections::HashSet<_>>().len()
    }

    /// How many pixels are not as the corner.
    fn drawn(&self) -> usize {
        self.rgba.chunks_exact(4).filter(|pixel| *pixel != self.at(0, 0)).count()
    }
}

#[test]
fn an_image_has_the_size_asked_for_and_something_in_it() {
    let folder = Folder::new();
    let out = folder.file("größe and space.png");
    good(&["demo", "-o", &out, "--size", "90x60"]);
    let image = Pixels::open(&out);
    assert_eq!((image.width, image.height), (90, 60));
    assert!(image.colors() > 50, "{} colours", image.colors());
    assert_eq!(folder.names(), ["größe and space.png"], "nothing else is left");
}

#[test]
fn a_transparent_image_is_clear_in_its_corners_and_opaque_in_its_middle() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    good(&[
        "demo",
        "-o",
        &out,
        "--size",
        "64x64",
        "--background",
        "transparent",
        "--camera",
        "front",
        "--clip",
        "none",
    ]);
    let image = Pixels::open(&out);
    for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63)] {
        assert_eq!(image.at(x, y)[3], 0, "({x}, {y})");
    }
    assert_eq!(image.at(32, 32)[3], 255);
}

#[test]
fn a_background_is_exactly_the_colour_asked_for() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    good(&["demo", "-o", &out, "--size", "32x32", "--background", "#336699"]);
    assert_eq!(Pixels::open(&out).at(0, 0), [0x33, 0x66, 0x99, 255]);
}

#[test]
fn a_sheet_has_its_cells_and_they_differ() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    good(&["demo", "-o", &out, "--size", "40x30", "--sheet", "3x2"]);
    let sheet = Pixels::open(&out);
    assert_eq!((sheet.width, sheet.height), (120, 60));
    let cells: Vec<Vec<u8>> = (0..6).map(|cell| sheet.cell(cell % 3, cell / 3, 40, 30)).collect();
    for (index, cell) in cells.iter().enumerate() {
        assert!(!cells[..index].contains(cell), "cell {index} is like one before");
    }
}

#[test]
fn a_turntable_sheet_shows_a_still_thing_from_all_sides() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    good(&[
        "demo",
        "-o",
        &out,
        "--size",
        "40x40",
        "--sheet",
        "4x1",
        "--turntable",
        "--clip",
        "none",
    ]);
    let sheet = Pixels::open(&out);
    assert_ne!(sheet.cell(0, 0, 40, 40), sheet.cell(1, 0, 40, 40));
    assert_ne!(sheet.cell(0, 0, 40, 40), sheet.cell(2, 0, 40, 40));
}

#[test]
fn a_gif_has_its_frames_and_their_time() {
    let folder = Folder::new();
    let out = folder.file("a.gif");
    good(&["demo", "-o", &out, "--size", "48x36", "--seconds", "0.5", "--fps", "15"]);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(std::fs::File::open(&out).expect("a file")).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), (48, 36));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
    }
    // Half a second of 15 frames a second is 7.5, rounded to 8; 100 / 15 hundredths each: 7 7 6 7 6 7 7 6.
    assert_eq!(delays.len(), 8);
    assert_eq!(delays.iter().sum::<u16>(), 53);
}

#[test]
fn an_apng_has_its_frames_and_their_time() {
    let folder = Folder::new();
    let out = folder.file("a.apng");
    good(&[
        "demo",
        "-o",
        &out,
        "--size",
        "48x36",
        "--seconds",
        "0.4",
        "--fps",
        "10",
        "--background",
        "transparent",
    ]);
    let decoder =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&out).expect("a file")));
    let mut reader = decoder.read_info().expect("an APNG");
    let control = *reader.info().animation_control().expect("an animation");
    assert_eq!((control.num_frames, control.num_plays), (4, 0));
    let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
    for _ in 0..4 {
        reader.next_frame(&mut buffer).expect("a frame");
        let frame = reader.info().frame_control().expect("a frame's control");
        assert_eq!((frame.delay_num, frame.delay_den), (1, 10));
    }
}

#[cfg(feature = "mp4")]
#[test]
fn an_mp4_holds_frames_that_a_decoder_reads() {
    let folder = Folder::new();
    let out = folder.file("a.mp4");
    good(&["demo", "-o", &out, "--size", "65x48", "--seconds", "0.2", "--fps", "20"]);
    let bytes = std::fs::read(&out).expect("a file");
    assert_eq!(&bytes[4..8], b"ftyp");
    let find = |name: &[u8]| bytes.windows(4).position(|four| four == name).expect("a box");
    let word =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let sizes = find(b"stsz");
    assert_eq!(word(sizes + 12), 4, "four frames");
    // Odd sides are made even.
    let avc = bytes.windows(8).position(|eight| eight == b"avc1\0\0\0\0").expect("an entry");
    assert_eq!((word(avc + 28) >> 16, word(avc + 28) & 0xffff), (64, 48));
    let avcc = find(b"avcC");
    let length = usize::from(u16::from_be_bytes([bytes[avcc + 10], bytes[avcc + 11]]));
    let sequence = &bytes[avcc + 12..avcc + 12 + length];
    let after = avcc + 12 + length + 1;
    let length = usize::from(u16::from_be_bytes([bytes[after], bytes[after + 1]]));
    let image = &bytes[after + 2..after + 2 + length];
    let mut stream = Vec::new();
    let mut decoder = openh264::decoder::Decoder::new().expect("a decoder");
    for unit in [sequence, image] {
        stream.extend_from_slice(&[0, 0, 0, 1]);
        stream.extend_from_slice(unit);
    }
    let mut at = word(find(b"stco") + 12) as usize;
    let mut seen = 0;
    while at < bytes.len() {
        let size = word(at) as usize;
        stream.extend_from_slice(&[0, 0, 0, 1]);
        stream.extend_from_slice(&bytes[at + 4..at + 4 + size]);
        at += 4 + size;
        if let Some(frame) = decoder.decode(&stream).expect("a frame") {
            use openh264::formats::YUVSource;
            assert_eq!(frame.dimensions(), (64, 48));
            seen += 1;
        }
        stream.clear();
    }
    assert!(seen >= 3, "{seen} frames");
}

#[test]
fn an_exact_camera_sees_what_it_looks_at() {
    let folder = Folder::new();
    let (at, away) = (folder.file("at.png"), folder.file("away.png"));
    let common =
        ["demo", "--size", "64x64", "--background", "transparent", "--eye", "0,1,6", "--fov", "40"];
    good(&[&common[..], &["-o", &at, "--look-at", "0,1,0"]].concat());
    good(&[&common[..], &["-o", &away, "--look-at", "0,1,12"]].concat());
    assert!(Pixels::open(&at).drawn() > 20);
    assert_eq!(Pixels::open(&away).drawn(), 0);
}

#[test]
fn time_changes_the_image_and_stops_at_the_clips_end() {
    let folder = Folder::new();
    let image = |name: &str, at: &str| {
        let out = folder.file(name);
        good(&["demo", "-o", &out, "--size", "40x40", "--clip", "0", "--at", at]);
        Pixels::open(out).rgba
    };
    let (first, middle, end, after) =
        (image("a.png", "0"), image("b.png", "0.4"), image("c.png", "99"), image("d.png", "100"));
    assert_ne!(first, middle);
    assert_eq!(end, after);
}

#[test]
fn everything_that_can_be_shown_changes_the_image() {
    let folder = Folder::new();
    let image = |name: &str, show: &[&str]| {
        let out = folder.file(name);
        // The camera stays, whatever is shown.
        let position = ["--eye", "0,1,3", "--look-at", "0,0.7,0"];
        good(&[&["demo", "-o", &out, "--size", "64x64"], &position[..], show].concat());
        Pixels::open(out).rgba
    };
    let plain = image("plain.png", &[]);
    for what in ["skeleton", "axes", "names", "wireframe", "normals", "bounds", "grid", "weights:1"]
    {
        assert_ne!(plain, image("shown.png", &["--show", what]), "{what}");
    }
}

#[test]
fn a_scene_file_opens_like_a_model() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scenes/walk.toml");
    good(&[scene, "-o", &out, "--size", "96x72"]);
    let image = Pixels::open(&out);
    assert!(image.colors() > 500, "{} colours", image.colors());
    // Sky is blue above, ground is not.
    let [red, _, blue, _] = image.at(48, 0);
    assert!(blue > red, "sky");
    let [_, green, blue, _] = image.at(90, 70);
    assert!(green > blue, "grass");
}

#[test]
fn a_portrait_is_of_the_head_and_a_joint_that_is_not_there_is_named() {
    let folder = Folder::new();
    let image = |camera: &str| {
        let out = folder.file("a.png");
        let size = ["--size", "64x64", "--background", "transparent"];
        good(&[&["ossi", "-o", &out, "--clip", "none", "--camera", camera], &size[..]].concat());
        Pixels::open(&out)
    };
    let (full, portrait) = (image("front"), image("front,portrait"));
    // Somebody who stands is tall; a head with shoulders fills more of the image.
    assert!(portrait.drawn() > 2 * full.drawn(), "{} {}", portrait.drawn(), full.drawn());
    let out = folder.file("b.png");
    fails(&["ossi", "-o", &out, "--camera", "joint:tail"], 1, "no joint \"tail\"");
    fails(&["demo", "-o", &out, "--camera", "portrait"], 1, "no head");
    fails(&["demo", "-o", &out, "--camera", "sideways"], 2, "joint:NAME");
    fails(&["demo", "-o", &out, "--follow", "feet"], 2, "auto, hips or none");
}

#[test]
fn a_pass_is_numbers_in_png_and_exr() {
    let folder = Folder::new();
    let (exr, png) = (folder.file("a.exr"), folder.file("a.png"));
    good(&["demo", "-o", &exr, "--size", "8x6", "--pass", "depth"]);
    let bytes = std::fs::read(&exr).expect("a file");
    assert_eq!(bytes[..4], [0x76, 0x2f, 0x31, 0x01]);
    // The last row: 8 floats, of which the last is nothing at all.
    let last = f32::from_le_bytes(bytes[bytes.len() - 4..].try_into().expect("four bytes"));
    assert!(last.is_infinite(), "{last}");
    good(&["demo", "-o", &png, "--size", "8x6", "--pass", "weights:elbow"]);
    fails(&["demo", "-o", &png, "--pass", "weights:tail"], 1, "\"tail\"");
    fails(&["demo", "-o", &exr], 2, "--pass");
    fails(&["demo", "-o", &png, "--pass", "colour"], 2, "weights:JOINT");
}

#[test]
fn an_open_shutter_smears_what_moves_and_themes_differ() {
    let folder = Folder::new();
    let image = |more: &[&str]| {
        let out = folder.file("a.png");
        good(&[&["demo", "-o", &out, "--size", "48x48", "--at", "0.25"], more].concat());
        Pixels::open(&out).rgba
    };
    let sharp = image(&[]);
    assert_eq!(sharp, image(&["--shutter", "0"]));
    assert_ne!(sharp, image(&["--shutter", "360", "--samples", "4"]));
    assert_ne!(sharp, image(&["--theme", "light"]));
    assert_ne!(sharp, image(&["--supersample", "2"]));
    let out = folder.file("b.png");
    fails(&["demo", "-o", &out, "--theme", "sepia"], 2, "dark or light");
    fails(&["demo", "-o", &out, "--shutter", "400"], 2, "0 to 360");
}

#[test]
fn shadows_are_as_dark_as_asked_for() {
    let folder = Folder::new();
    // From one place, so that the frame does not depend on the shadow.
    let image = |more: &[&str]| {
        let out = folder.file("a.png");
        let camera = ["--eye", "0,2,3", "--look-at", "0,0.4,0", "--reflection", "0"];
        good(&[&["demo", "-o", &out, "--size", "64x64"], camera.as_slice(), more].concat());
        Pixels::open(&out).rgba
    };
    let sum = |rgba: &[u8]| rgba.iter().map(|value| u64::from(*value)).sum::<u64>();
    let none = image(&["--shadows", "0"]);
    let half = image(&["--shadows", "0.5"]);
    let full = image(&["--shadows", "1"]);
    assert!(sum(&none) > sum(&half) && sum(&half) > sum(&full));
    let scene = folder.file("scene.toml");
    std::fs::write(&scene, "shadows = 0\n[[model]]\nfile = \"demo\"\n").expect("a file");
    let out = folder.file("b.png");
    good(&[&scene, "-o", &out, "--size", "32x32"]);
    let off = Pixels::open(&out).rgba;
    good(&[&scene, "-o", &out, "--size", "32x32", "--shadows", "1"]);
    assert_ne!(off, Pixels::open(&out).rgba);
    fails(&["demo", "-o", &out, "--shadows", "2"], 2, "from 0 to 1");
}

#[test]
fn a_skeleton_without_a_mesh_is_drawn_as_a_solid_body() {
    let folder = Folder::new();
    let (bvh, out) = (folder.file("arm.bvh"), folder.file("a.png"));
    let text = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n JOINT Chest\n {\n  OFFSET 0 50 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 40 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n45 0 0 45 0 0\n";
    std::fs::write(&bvh, text).expect("a file");
    good(&[&bvh, "-o", &out, "--size", "64x64", "--background", "transparent"]);
    assert!(Pixels::open(&out).drawn() > 30);
}

#[test]
fn standard_output_takes_a_image() {
    let output = good(&["demo", "-o", "-", "--size", "20x20"]);
    assert_eq!(Pixels::read(&output.stdout).width, 20);
    let output =
        good(&["demo", "-o", "-", "--format", "gif", "--size", "20x20", "--seconds", "0.1"]);
    assert!(output.stdout.starts_with(b"GIF89a"));
}

#[test]
fn wrong_usage_is_exit_code_2_and_says_what_was_expected() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    let gif = folder.file("a.gif");
    fails(&["demo", "-o", &out, "--size", "0x480"], 2, "expected neither number to be 0");
    fails(&["demo", "-o", &out, "--size", "big"], 2, "like 640x480");
    fails(&["demo", "-o", &gif, "--seconds", "0"], 2, "above 0");
    fails(&["demo", "-o", &gif, "--fps", "60"], 2, "at most 50");
    fails(&["demo", "-o", &gif, "--seconds", "1e9"], 2, "frames");
    fails(&["demo", "-o", &out, "--seconds", "2"], 2, "moving image");
    fails(&["demo", "-o", &gif, "--sheet", "2x2"], 2, "expected a .png");
    fails(&["demo", "-o", "image.bmp"], 2, ".png, .apng, .gif or .mp4");
    fails(&["demo", "-o", &out, "--size", "20000x20000"], 2, "too large");
    fails(&["demo", "-o", &out, "--eye", "1,2,3"], 2, "--look-at");
    fails(&["demo", "-o", &out, "--eye", "1,2,3", "--look-at", "1,2,3"], 2, "two places");
    fails(&["demo", "-o", &out, "--show", "bones"], 2, "skeleton");
    fails(&["demo", "-o", &out, "--background", "reddish"], 2, "#rrggbb");
    fails(
        &["demo", "-o", &folder.file("a.mp4"), "--background", "transparent"],
        2,
        "no transparency",
    );
    assert!(folder.names().is_empty());
}

#[test]
fn work_that_fails_is_exit_code_1_and_leaves_nothing() {
    let folder = Folder::new();
    let out = folder.file("a.png");
    fails(&["nobody.glb", "-o", &out], 1, "there is no such file");
    fails(&["demo", "-o", &out, "--clip", "fly"], 1, "there is no clip \"fly\"");
    fails(&["demo", "-o", &out, "--show", "weights:Tail"], 1, "there is no joint \"Tail\"");
    fails(&["demo", "-o", &folder.file("no/such/a.png")], 1, "there is no folder");
    fails(&["demo", "-o", &out, "--camera", "own"], 1, "no camera");
    // A side beyond any device, though few pixels in all.
    fails(&["demo", "-o", &out, "--size", "200000x1"], 1, "too large for this device");
    assert!(folder.names().is_empty());
}

#[test]
fn only_a_plain_file_is_overwritten() {
    let folder = Folder::new();
    let (out, taken) = (folder.file("a.png"), folder.file("b.png"));
    std::fs::write(&out, "old").expect("a file");
    std::fs::create_dir(&taken).expect("a folder");
    good(&["demo", "-o", &out, "--size", "16x16"]);
    assert_eq!(Pixels::open(&out).width, 16);
    fails(&["demo", "-o", &taken], 1, "no plain file");
    assert_eq!(folder.names(), ["a.png", "b.png"]);
}

#[test]
fn a_file_of_clips_alone_says_that_it_shows_nothing() {
    let folder = Folder::new();
    let (clips, out) = (folder.file("clips.bvh"), folder.file("out.png"));
    let channels = "CHANNELS 3 Zrotation Xrotation Yrotation";
    let motion = "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 9 0 0 9 0\n";
    let joints = format!(
        "HIERARCHY\nROOT hips\n{{\nOFFSET 0 0 0\n{channels}\nJOINT knee\n{{\nOFFSET 0 0 0\n{channels}\n\
         End Site\n{{\nOFFSET 0 0 0\n}}\n}}\n}}\n{motion}"
    );
    std::fs::write(&clips, joints).expect("a file");
    let output = good(&[&clips, "-o", &out, "--size", "32x32"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let sentence =
        "note: all joints are at one point: the file has motion for a character of another file";
    assert!(message.starts_with(sentence), "{message}");
    assert!(good(&["-q", &clips, "-o", &out, "--size", "32x32"]).stderr.is_empty());
}
