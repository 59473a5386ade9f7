//! The engine course's `AnimationClip`: its own two-bone clip, made by code, with the numbers of its log.

mod common;

use common::{Folder, listening, run_in};
use sinew::glam::{Mat4, Vec3};
use sinew_lua::{Limits, Script};

/// The course's clip: `Bone.001` stands two above `Bone`; up to frame 20 of 40 both turn, to 30 and 60 degrees, and then back.
fn two_bones() -> Vec<u8> {
    let mut file = b"skeleton_anim".to_vec();
    let number = |file: &mut Vec<u8>, number: u16| file.extend(number.to_le_bytes());
    let matrix = |file: &mut Vec<u8>, matrix: Mat4| {
        matrix.to_cols_array().iter().for_each(|float| file.extend(float.to_le_bytes()));
    };
    number(&mut file, 2);
    for name in ["Bone", "Bone.001"] {
        number(&mut file, name.len() as u16);
        file.extend(name.as_bytes());
    }
    // Children: the first has the second.
    [1, 1, 0].into_iter().for_each(|count| number(&mut file, count));
    matrix(&mut file, Mat4::IDENTITY);
    matrix(&mut file, Mat4::from_translation(Vec3::new(0.0, 2.0, 0.0)));
    number(&mut file, 40);
    for frame in 1..=40_i16 {
        let share =
            if frame <= 20 { f32::from(frame - 1) / 19.0 } else { f32::from(40 - frame) / 20.0 };
        // About Z from Y to X is a negative angle.
        matrix(&mut file, Mat4::from_rotation_z(-(30.0 * share).to_radians()));
        matrix(&mut file, Mat4::from_rotation_z(-(60.0 * share).to_radians()));
    }
    file
}

/// As the course writes it, line by line.
const LOGIN_SCENE: &str = r#"
LoginScene = {
    animation_clip_
}

function LoginScene:Awake()
    self.animation_clip_=AnimationClip()
    self.animation_clip_:LoadFromFile("animation/export.skeleton_anim")
    self.animation_clip_:Play()
end

function LoginScene:Update()
    --print("LoginScene:Update")
    self.animation_clip_:Update()
end
"#;

fn login_scene() -> Folder {
    let folder = Folder::new();
    folder.write("animation/export.skeleton_anim", two_bones());
    folder
}

/// The log of so many frames of so many a second.
fn log(frames: u32, rate: f64) -> Vec<String> {
    let folder = login_scene();
    let path = folder.write("login_scene.lua", LOGIN_SCENE);
    let (options, lines) = listening(Limits::default(), true);
    let mut script = Script::open(path, &options).expect("a script");
    script.awake().expect("awake");
    for frame in 0..frames {
        script.update(if frame == 0 { 0.0 } else { 1.0 / rate }).expect("an update");
    }
    drop(script);
    lines.take()
}

const FRAME_20: [&str; 3] = [
    "current_frame_index:19",
    "Bone bone_matrix:mat4x4:\n\
     (0.866025, -0.500000, 0.000000, 0.000000),\n\
     (0.500000, 0.866025, 0.000000, 0.000000),\n\
     (0.000000, 0.000000, 1.000000, 0.000000),\n\
     (0.000000, 0.000000, 0.000000, 1.000000)",
    "Bone.001 bone_matrix:mat4x4:\n\
     (0.000000, -1.000000, 0.000000, 0.000000),\n\
     (1.000000, 0.000000, 0.000000, 0.000000),\n\
     (0.000000, 0.000000, 1.000000, 0.000000),\n\
     (1.000000, 1.732051, 0.000000, 1.000000)",
];

#[test]
fn frame_20_of_the_courses_clip_is_logged_as_the_course_shows_it() {
    for rate in [24.0, 30.0, 60.0] {
        let lines = log((rate * 1.7) as u32, rate);
        let at = lines.iter().position(|line| line == FRAME_20[0]).expect("frame 20");
        assert_eq!(lines[at..at + 3], FRAME_20, "at {rate} frames a second");
    }
}

#[test]
fn every_frame_is_logged_once_and_none_after_the_last() {
    // 90 frames at 24 a second go well beyond the clip's 40.
    let lines = log(90, 24.0);
    let heads: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("current_frame")).collect();
    let expected: Vec<String> =
        (0..40).map(|frame| format!("current_frame_index:{frame}")).collect();
    assert_eq!(heads, expected.iter().collect::<Vec<_>>());
    assert_eq!(lines.len(), 3 * 40);
}

#[test]
fn a_clip_plays_stops_and_plays_again_from_the_start() {
    let text = r#"
        local clip = AnimationClip()
        function Awake()
            print(clip:duration())
            clip:LoadFromFile("animation/export.skeleton_anim")
            print(clip:duration(), clip:FrameCount(), clip:CurrentFrame(), clip:IsPlaying())
            clip:Update()
            print(clip:CurrentFrame(), table.concat(clip:BoneNames(), " "))
            clip:Play()
        end
        function Update()
            clip:Update()
            print(sinew.frame(), clip:CurrentFrame())
            if sinew.frame() == 1 then clip:Stop() end
            if sinew.frame() == 3 then clip:Play() end
        end
    "#;
    let lines = run_in(&login_scene(), text, Limits::default(), 6).expect("a good script");
    // 40 frames of a 24th of a second.
    assert_eq!(lines[0], "0.0");
    assert_eq!(
        lines[1],
        format!("{:.14}\t40\tnil\tfalse", 40.0 / 24.0)
            .replace("1.66666666666667", "1.6666666666667")
    );
    assert_eq!(lines[2], "nil\tBone Bone.001");
    // Stopped after frame 1, started anew at frame 3, whose own update has been.
    assert_eq!(lines[3..], ["0\t0", "1\t1", "2\t1", "3\t1", "4\t1", "5\t2"]);
}

#[test]
fn a_script_reads_the_matrices_of_the_frame_that_plays() {
    let text = r#"
        local clip = AnimationClip()
        function Awake() clip:LoadFromFile("animation/export.skeleton_anim") clip:Play() end
        function Update()
            clip:Update()
            if clip:CurrentFrame() ~= 19 then return end
            local second, all = clip:BoneMatrix("Bone.001"), clip:BoneMatrices()
            print(string.format("%.4f %.4f %.4f", second[13], second[14], second[2]), #all, #all[1])
            print(all[2][14] == second[14], clip:BoneMatrix(2)[14] == second[14])
        end
    "#;
    let lines = run_in(&login_scene(), text, Limits::default(), 20).expect("a good script");
    // Half the chord of 30 degrees on a radius of 2: x = 2 sin 30 = 1, y = 2 cos 30 = 1.7321.
    assert_eq!(lines, ["1.0000 1.7321 -1.0000\t2\t16", "true\ttrue"]);
}

#[test]
fn a_wrong_file_or_a_missing_one_or_none_is_an_error_with_a_place() {
    let folder = login_scene();
    folder.write("cut.skeleton_anim", &two_bones()[..100]);
    folder.write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (call, expected) in [
        (
            ":LoadFromFile('none.skeleton_anim')",
            "cannot read \"none.skeleton_anim\": there is no such file",
        ),
        (":LoadFromFile('cut.skeleton_anim')", "cannot read \"cut.skeleton_anim\": "),
        (":LoadFromFile('box.obj')", "expected a .skeleton_anim, found obj"),
        (":LoadFromFile()", "expected the name of a file, found nil"),
        (":LoadFromFile({})", "expected the name of a file, found table"),
        (":Play()", "call LoadFromFile first"),
        (":Update()", "call LoadFromFile first"),
        (":BoneMatrix('x')", "call LoadFromFile first"),
        (".Play()", "bad "),
        (".Play(sinew)", "bad "),
    ] {
        let text = format!("function Awake()\n  local clip = AnimationClip()\n  clip{call}\nend");
        let error = run_in(&folder, &text, Limits::default(), 0).expect_err(call);
        assert!(error.message.contains("script.lua:3: "), "{call}: {error}");
        assert!(error.message.contains(expected), "{call}: {error}");
        assert!(error.traceback.contains("in function 'Awake'"), "{call}: {error}");
    }
}
