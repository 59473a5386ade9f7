//! Small files with hand-worked numbers.

use glam::{Quat, Vec3};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, Imported, NoFiles, Options, read};

/// Two joints with the same three angles in two orders; the second one's name has a space and a
/// colon, its keywords are in lower case and its braces share lines.
const TWO_ORDERS: &str = "HIERARCHY\r\nROOT Hips\r\n{\r\n\tOFFSET 1 2 3\r\n\
    \tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r\n\
    \tjoint left: hand {\r\n offset 0 10 0 channels 3 Yrotation Xrotation Zrotation\r\n\
    End Site\r\n{\r\nOFFSET 0 5 0\r\n} }\r\n}\r\n\
    MOTION\r\nFrames:\t2\r\nFrame Time: 0.5\r\n\
    0 0 0 0 0 0 0 0 0\r\n7 8 9 90 90 0 90 90\r\n 0\r\n";

/// In metres, so that numbers are as filed.
fn good(text: &str) -> Imported {
    let metres = Options { unit: Some(1.0), ..Options::default() };
    metres.read(text.as_bytes(), &NoFiles).expect("a good file")
}

/// 165 and 5 units from the hips up; the root's own place does not count.
#[test]
fn the_unit_follows_from_the_size_unless_the_caller_says_it() {
    let text = TWO_ORDERS.replace("offset 0 10 0", "offset 0 165 0");
    let guessed = read(text.as_bytes(), &NoFiles).expect("a good file");
    let height = |imported: &Imported| imported.scene.skeleton().nodes()[1].rest.translation.y;
    assert_eq!(height(&guessed), 1.65);
    assert_eq!(guessed.scene.clips[0].translations[0].curve.values()[1].x, 0.07);
    assert_eq!(
        guessed.notes[0].to_string(),
        "the file does not say its unit: its skeleton is 170 units large, taken as centimetres (HIERARCHY)"
    );
    let there = guessed.scene.file_from_world.transform_point3(Vec3::Y);
    assert!(there.abs_diff_eq(100.0 * Vec3::Y, 1e-4), "{there}");
    let inches = Options { unit: Some(0.0254), ..Options::default() };
    let said = inches.read(text.as_bytes(), &NoFiles).expect("a good file");
    assert_eq!((height(&said), said.notes.len()), (165.0 * 0.0254, 0));
    for unit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let bad = Options { unit: Some(unit), ..Options::default() };
        let error = bad.read(text.as_bytes(), &NoFiles).expect_err("no unit");
        assert!(error.to_string().starts_with("expected a unit above zero"), "{error}");
    }
}

#[test]
fn channels_rotate_in_their_own_order() {
    let imported = good(TWO_ORDERS);
    assert_eq!(imported.format, Format::Bvh);
    assert_eq!(imported.notes, []);
    let nodes = imported.scene.skeleton().nodes();
    let names: Vec<_> = nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["Hips", "left: hand", "left: hand_End"]);
    assert_eq!(nodes[1].parent.map(|parent| parent.index()), Some(0));
    assert_eq!(nodes[2].parent.map(|parent| parent.index()), Some(1));
    assert_eq!(nodes[0].rest.translation, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(nodes[2].rest.translation, Vec3::new(0.0, 5.0, 0.0));
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.duration, clip.name.as_str()), (0.5, "motion"));
    let rotated = |track: usize, v: Vec3| clip.rotations[track].curve.values()[1] * v;
    // Z·X on the vector Y: X takes it to Z, where the rotation about Z keeps it.
    assert!(rotated(0, Vec3::Y).abs_diff_eq(Vec3::Z, 1e-6), "{}", rotated(0, Vec3::Y));
    // Y·X on the vector Y: X takes it to Z, and Y takes that to X.
    assert!(rotated(1, Vec3::Y).abs_diff_eq(Vec3::X, 1e-6), "{}", rotated(1, Vec3::Y));
}

#[test]
fn position_channels_replace_the_offset() {
    let imported = good(TWO_ORDERS);
    let clip = &imported.scene.clips[0];
    assert_eq!(clip.translations.len(), 1);
    assert_eq!(clip.translations[0].curve.values(), [Vec3::ZERO, Vec3::new(7.0, 8.0, 9.0)]);
}

#[test]
fn a_lone_position_channel_keeps_the_rest_of_the_offset() {
    let text = "HIERARCHY ROOT a { OFFSET 1 2 3 CHANNELS 2 Yposition Yposition }
        MOTION Frames: 2\nFrame Time: 1\n4 5\n4 6";
    let imported = good(text);
    let curve = &imported.scene.clips[0].translations[0].curve;
    assert_eq!(curve.values(), [Vec3::new(1.0, 5.0, 3.0), Vec3::new(1.0, 6.0, 3.0)]);
}

#[test]
fn what_never_changes_has_one_key() {
    let text = TWO_ORDERS.replace("7 8 9 90 90 0", "0 0 0 90 90 0");
    let clip = &good(&text).scene.clips[0];
    assert_eq!(clip.translations[0].curve.values(), [Vec3::ZERO]);
    assert_eq!(clip.rotations[0].curve.values().len(), 2);
}

#[test]
fn a_wrong_frame_count_is_mended_and_reported() {
    let more = good(&TWO_ORDERS.replace("Frames:\t2", "Frames: 5"));
    assert_eq!(more.scene.clips[0].duration, 0.5);
    assert_eq!(more.notes[0].text, "expected 5 frames, found 2: 2 used");
    let fewer = good(&TWO_ORDERS.replace("Frames:\t2", "FRAMES: 1"));
    assert_eq!(fewer.scene.clips[0].duration, 0.0);
    assert_eq!(fewer.notes[0].text, "expected 1 frame, found 2: 1 used");
    let cut = good(&TWO_ORDERS.replace("90 90\r\n 0", "90 90"));
    assert_eq!(cut.scene.clips[0].duration, 0.0);
    assert_eq!(cut.notes[0].text, "a last row with 8 of 9 numbers is left out");
}

#[test]
fn no_frames_make_an_empty_clip_and_no_motion_makes_none() {
    let (head, _) = TWO_ORDERS.split_once("0 0 0 0").expect("frames");
    let imported = good(&head.replace("Frames:\t2", "Frames: 0"));
    assert_eq!((imported.scene.clips.len(), imported.scene.clips[0].track_count()), (1, 0));
    let (head, _) = TWO_ORDERS.split_once("MOTION").expect("a motion");
    let imported = good(head);
    assert!(imported.scene.clips.is_empty());
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn several_roots_and_joints_of_one_name_are_kept() {
    let text = "HIERARCHY ROOT 骨\n{ OFFSET 0 0 0 } ROOT 骨\n{ OFFSET 1 0 0 CHANNELS 0 }\n\
        MOTION\nFrames: 0\nFrame Time: 0.1\n";
    let imported = good(text);
    let nodes = imported.scene.skeleton().nodes();
    assert!(nodes.iter().all(|node| node.name == "骨" && node.parent.is_none()));
    assert_eq!(nodes.len(), 2);
}

#[test]
fn numbers_that_are_not_finite_become_zero() {
    let imported = good(&TWO_ORDERS.replace("7 8 9", "nan 1e40 9"));
    let moved = imported.scene.clips[0].translations[0].curve.values()[1];
    assert_eq!(moved, Vec3::new(0.0, 0.0, 9.0));
    assert_eq!(imported.notes[0].text, "2 numbers are not finite: taken as zero");
}

#[test]
fn a_frame_without_length_takes_a_thirtieth_of_a_second() {
    let imported = good(&TWO_ORDERS.replace("Time: 0.5", "Time: 0"));
    assert_eq!(imported.scene.clips[0].duration, 1.0 / 30.0);
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn a_large_angle_is_the_same_rotation() {
    let imported = good(&TWO_ORDERS.replace("7 8 9 90 90 0", "7 8 9 7290 0 0"));
    let found = imported.scene.clips[0].rotations[0].curve.values()[1];
    let expected = Quat::from_rotation_z(90_f32.to_radians());
    assert!(found.dot(expected).abs() > 1.0 - 1e-6, "{found}");
}

#[test]
fn an_open_brace_is_an_error_with_a_line() {
    let (head, _) = TWO_ORDERS.split_once("} }").expect("braces");
    let error = read(head.as_bytes(), &NoFiles).expect_err("it is cut");
    assert_eq!(error.kind, ErrorKind::Truncated);
    assert_eq!(
        error.to_string(),
        "expected } after left: hand_End, found the end of the file (line 11)"
    );
}

#[test]
fn deep_nesting_neither_overflows_nor_fills_memory() {
    let deep = "JOINT a { OFFSET 0 1 0 ".repeat(100_000);
    let text = format!("HIERARCHY {}{}", deep.replacen("JOINT", "ROOT", 1), "}".repeat(100_000));
    assert_eq!(good(&text).scene.skeleton().len(), 100_000);
    let ends = format!("HIERARCHY ROOT a {{ {}", "End Site {".repeat(200_000));
    let error = Options::default().read_as(Format::Bvh, ends.as_bytes(), &NoFiles);
    assert_eq!(error.expect_err("names grow").kind, ErrorKind::TooLarge);
}

#[test]
fn damaged_files_are_survived() {
    survives_damage(Format::Bvh, TWO_ORDERS.as_bytes(), &NoFiles);
}
