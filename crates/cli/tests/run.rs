//! `sinew run`: scripts without a window: what they print, what they draw, and how they fail.
#![cfg(feature = "lua")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sinew-run-{}-{count}", std::process::id()));
        std::fs::create_dir_all(path.join("animation")).expect("a folder");
        Self(path)
    }

    fn with(script: &str) -> Self {
        let folder = Self::new();
        folder.write("script.lua", script.as_bytes());
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("a file");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect(name)
    }

    /// Runs the folder's script, from the folder.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sinew"))
            .args(["run", "script.lua"])
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("sinew starts")
    }

    fn good(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn fails(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        for words in words {
            assert!(message.contains(words), "{arguments:?}: {words} in {message}");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Turned about Z from Y to X, two metres up in its parent or not; column by column.
fn turned(degrees: f32) -> [f32; 16] {
    let (sin, cos) = (-degrees).to_radians().sin_cos();
    [cos, sin, 0.0, 0.0, -sin, cos, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// The course's two bones: 30 and 60 degrees at frame 20 of 40, and back.
fn two_bones() -> Vec<u8> {
    let mut file = b"skeleton_anim".to_vec();
    let number = |file: &mut Vec<u8>, number: u16| file.extend(number.to_le_bytes());
    let floats = |file: &mut Vec<u8>, numbers: [f32; 16]| {
        numbers.iter().for_each(|number| file.extend(number.to_le_bytes()));
    };
    number(&mut file, 2);
    for name in ["Bone", "Bone.001"] {
        number(&mut file, name.len() as u16);
        file.extend(name.as_bytes());
    }
    [1, 1, 0].into_iter().for_each(|count| number(&mut file, count));
    let mut up = turned(0.0);
    floats(&mut file, up);
    up[13] = 2.0;
    floats(&mut file, up);
    number(&mut file, 40);
    for frame in 1..=40_i16 {
        let share =
            if frame <= 20 { f32::from(frame - 1) / 19.0 } else { f32::from(40 - frame) / 20.0 };
        floats(&mut file, turned(30.0 * share));
        floats(&mut file, turned(60.0 * share));
    }
    file
}

const LOGIN_SCENE: &str = r#"
LoginScene = {}
function LoginScene:Awake()
    self.animation_clip_=AnimationClip()
    self.animation_clip_:LoadFromFile("animation/export.skeleton_anim")
    self.animation_clip_:Play()
end
function LoginScene:Update()
    self.animation_clip_:Update()
end
"#;

fn pixels(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut rgba).expect("pixels");
    rgba.truncate(info.buffer_size());
    (info.width, info.height, rgba)
}

#[test]
fn the_courses_clip_is_logged_as_the_course_shows_it() {
    let folder = Folder::with(LOGIN_SCENE);
    folder.write("animation/export.skeleton_anim", &two_bones());
    let printed = folder.good(&["--frames", "60", "--log"]);
    let expected = "\ncurrent_frame_index:19\n\
        Bone bone_matrix:mat4x4:\n\
        (0.866025, -0.500000, 0.000000, 0.000000),\n\
        (0.500000, 0.866025, 0.000000, 0.000000),\n\
        (0.000000, 0.000000, 1.000000, 0.000000),\n\
        (0.000000, 0.000000, 0.000000, 1.000000)\n\
        Bone.001 bone_matrix:mat4x4:\n\
        (0.000000, -1.000000, 0.000000, 0.000000),\n\
        (1.000000, 0.000000, 0.000000, 0.000000),\n\
        (0.000000, 0.000000, 1.000000, 0.000000),\n\
        (1.000000, 1.732051, 0.000000, 1.000000)\n\
        current_frame_index:20\n";
    assert!(printed.contains(expected), "{printed}");
    assert_eq!(printed.matches("current_frame_index:").count(), 40);
}

#[test]
fn an_image_shows_the_last_frame_and_lines_stay_out_of_it() {
    let script = "function Awake() sinew.actor('demo'):play('wave') sinew.background('#204080') end \
        function Update(dt) print(sinew.frame(), string.format('%.3f', dt)) end";
    let folder = Folder::with(script);
    let printed =
        folder.good(&["--frames", "3", "--fps", "10", "--size", "96x64", "-o", "out.png"]);
    assert_eq!(printed, "0\t0.000\n1\t0.100\n2\t0.100\n");
    let (width, height, rgba) = pixels(&folder.read("out.png"));
    assert_eq!((width, height), (96, 64));
    assert_eq!(rgba[..3], [0x20, 0x40, 0x80], "the background");
    let seen = rgba.chunks_exact(4).filter(|pixel| pixel[..3] != [0x20, 0x40, 0x80]).count();
    assert!(seen > 200, "something stands there: {seen}");
    // The same to standard output: lines go to standard error.
    let piped = folder.run(&["--frames", "3", "--fps", "10", "--size", "96x64", "-o", "-"]);
    assert_eq!(piped.stdout, folder.read("out.png"));
    assert!(String::from_utf8_lossy(&piped.stderr).starts_with("0\t0.000\n"));
}

#[test]
fn films_have_every_frame() {
    let folder = Folder::with("sinew.actor('demo'):play('wave') function Update() end");
    let size = ["--size", "48x32"];
    folder.good(&[&["--frames", "4", "-o", "out.apng"], &size[..]].concat());
    let apng = folder.read("out.apng");
    let control = apng.windows(4).position(|four| four == b"acTL").expect("an animation");
    assert_eq!(apng[control + 4..control + 8], [0, 0, 0, 4]);
    folder.good(&[&["--frames", "4", "-o", "out.gif"], &size[..]].concat());
    assert!(folder.read("out.gif").starts_with(b"GIF89a"));
    folder.good(&[&["--frames", "4", "-o", "out.mp4"], &size[..]].concat());
    assert_eq!(&folder.read("out.mp4")[4..8], b"ftyp");
}

#[test]
fn bones_without_a_surface_are_drawn() {
    let folder = Folder::with(LOGIN_SCENE);
    folder.write("animation/export.skeleton_anim", &two_bones());
    folder.good(&["--frames", "25", "--size", "96x96", "-o", "out.png"]);
    let (_, _, rgba) = pixels(&folder.read("out.png"));
    let first = rgba[..3].to_vec();
    let other = rgba.chunks_exact(4).filter(|pixel| pixel[..3] != first[..]).count();
    assert!(other > 100, "{other}");
}

#[test]
fn what_fails_names_file_line_and_calls_and_ends_with_1() {
    let script = "local function go()\n  error('oh no')\nend\nfunction Update()\n  go()\nend";
    let folder = Folder::with(script);
    let calls = "script.lua:5: in function 'Update'";
    folder.fails(&["--frames", "2"], 1, &["sinew: script.lua:2: oh no\nstack traceback:", calls]);
    folder.write("script.lua", b"x = = 1");
    folder.fails(&["--frames", "2"], 1, &["sinew: script.lua:1: unexpected symbol near '='"]);
    folder.write("script.lua", b"function Awake()\n  while true do end\nend");
    folder.fails(&["--frames", "2"], 1, &["script.lua:2: stopped after 100000000 instructions"]);
    folder.write("script.lua", b"function Awake()\n  local s = ('x'):rep(10 * 2^30 // 1)\nend");
    folder.fails(
        &["--frames", "2"],
        1,
        &["script.lua:2: not enough memory: a script may use 128 MiB"],
    );
    folder.write("script.lua", b"sinew.open('none.glb')");
    folder.fails(
        &["--frames", "2"],
        1,
        &["script.lua:1: cannot read \"none.glb\": there is no such file"],
    );
    folder.write("script.lua", b"function Awake() end");
    folder.fails(&["--frames", "1", "-o", "none/out.png"], 1, &["there is no folder none"]);
    assert!(!folder.0.join("none").exists());
    std::fs::remove_file(folder.0.join("script.lua")).expect("removed");
    folder.fails(&["--frames", "2"], 1, &["cannot read script.lua: there is no such file"]);
}

#[test]
fn wrong_usage_ends_with_2_and_no_screen_with_1() {
    let folder = Folder::with("function Awake() end");
    folder.fails(&["-o", "out.png"], 2, &["--frames"]);
    folder.fails(&["--frames", "0"], 2, &["0 is not in"]);
    folder.fails(&["--frames", "2", "-o", "out.txt"], 2, &["expected .png, .apng, .gif or .mp4"]);
    folder.fails(&["--frames", "2", "-o", "out.gif", "--fps", "60"], 2, &["at most 50 frames"]);
    folder.fails(&["--frames", "30000", "-o", "out.gif"], 2, &["at most 20000"]);
    #[cfg(all(feature = "view", target_os = "linux"))]
    folder.fails(&[], 1, &["there is no screen", "--frames"]);
}
