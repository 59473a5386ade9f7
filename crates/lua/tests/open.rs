//! `sinew.open` with the clips of other files: packed, and of other bodies.

mod common;

use common::{Folder, run_in};
use sinew::glam::Vec3;
use sinew_lua::Limits;

fn numbers(line: &str) -> Vec<f32> {
    line.split_whitespace().map(|word| word.parse().expect(line)).collect()
}

#[test]
fn a_scene_takes_a_packed_clip_of_its_own_and_no_other() {
    let demo = sinew::demo();
    let options = sinew::pack::Options { error: 0.01, ..Default::default() };
    let (packed, _) =
        sinew::pack::pack(&demo, &demo.clips[0], &options, &|_| {}).expect("it packs");
    let folder = Folder::new();
    folder.write("wave.bin", packed.bytes());
    let run =
        |text: &str| run_in(&folder, &format!("function Awake() {text} end"), Limits::default(), 0);
    let lines = run("local clips = sinew.open('demo', 'wave.bin'):clips() print(clips[#clips])");
    assert_eq!(lines.expect("it fits"), ["wave (2)"]);
    for (text, expected) in [
        ("sinew.open('ossi', 'wave.bin')", "packed against another skeleton"),
        ("sinew.open('wave.bin')", "a packed clip, which needs the model it was packed from"),
    ] {
        let error = run(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// A body of half the size with joints of other names, in a T-pose; within half a second its left arm comes down.
fn other_body() -> String {
    let tree = [
        ("ROOT Hips", [0.0, 45.0, 0.0], 0),
        ("JOINT Spine", [0.0, 8.0, 0.0], 1),
        ("JOINT Chest", [0.0, 10.0, 0.0], 2),
        ("JOINT Neck", [0.0, 10.0, 0.0], 3),
        ("JOINT Head", [0.0, 5.0, 0.0], 4),
        ("JOINT LeftShoulder", [2.0, 9.0, 0.0], 3),
        ("JOINT LeftArm", [6.0, 0.0, 0.0], 4),
        ("JOINT LeftForeArm", [13.0, 0.0, 0.0], 5),
        ("JOINT LeftHand", [12.0, 0.0, 0.0], 6),
        ("JOINT RightShoulder", [-2.0, 9.0, 0.0], 3),
        ("JOINT RightArm", [-6.0, 0.0, 0.0], 4),
        ("JOINT RightForeArm", [-13.0, 0.0, 0.0], 5),
        ("JOINT RightHand", [-12.0, 0.0, 0.0], 6),
        ("JOINT LeftUpLeg", [4.0, 0.0, 0.0], 1),
        ("JOINT LeftLeg", [0.0, -21.0, 0.0], 2),
        ("JOINT LeftFoot", [0.0, -20.0, 0.0], 3),
        ("JOINT LeftToeBase", [0.0, -3.0, 7.0], 4),
        ("JOINT RightUpLeg", [-4.0, 0.0, 0.0], 1),
        ("JOINT RightLeg", [0.0, -21.0, 0.0], 2),
        ("JOINT RightFoot", [0.0, -20.0, 0.0], 3),
        ("JOINT RightToeBase", [0.0, -3.0, 7.0], 4),
    ];
    let mut text = String::from("HIERARCHY\n");
    for (index, (name, [x, y, z], depth)) in tree.iter().enumerate() {
        text += &format!("{name}\n{{\nOFFSET {x} {y} {z}\n");
        text += "CHANNELS 3 Zrotation Xrotation Yrotation\n";
        let next = tree.get(index + 1).map_or(0, |(_, _, depth)| *depth);
        if next <= *depth {
            text += "End Site\n{\nOFFSET 0 2 0\n}\n";
            text += &"}\n".repeat(depth + 1 - next);
        }
    }
    text += "MOTION\nFrames: 13\nFrame Time: 0.0416667\n";
    for frame in 0..13 {
        for (name, ..) in &tree {
            let angle = if name.ends_with("LeftArm") { -7.5 * f64::from(frame) } else { 0.0 };
            text += &format!("{angle} 0 0 ");
        }
        text += "\n";
    }
    text
}

#[test]
fn clips_of_another_body_are_retargeted_and_the_scene_says_so() {
    let folder = Folder::new();
    folder.write("lower.bvh", other_body());
    let text = r#"
        function Awake()
            local scene = sinew.open("ossi", "lower.bvh")
            local clips = scene:clips()
            local file, fit = scene:source(#clips)
            print(file, fit)
            print(scene:source("walk"))
            print(#scene:notes() > 0)
            actor = sinew.actor(scene)
            actor:play(#clips)
        end
        function Update() print(actor:joint("hand.L"):position()) end
    "#;
    let lines = run_in(&folder, text, Limits::default(), 13).expect("a good script");
    assert!(lines[0].starts_with("lower.bvh\tretargeted, since "), "{}", lines[0]);
    assert_eq!(lines[1], "ossi\tthe model's own");
    let hand = |line: usize| Vec3::from_slice(&numbers(&lines[line]));
    let down = hand(3).y - hand(15).y;
    assert!(
        down > 0.25,
        "the arm is lowered by a right angle, and the hand comes down by {down} m"
    );
}
