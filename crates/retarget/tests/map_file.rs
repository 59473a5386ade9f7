//! The joint map as a file: written, read back, changed by hand, and wrong in every way.

mod common;

use common::{Variant, mixamo, ossi};
use sinew_retarget::{BodyPart, JointMap, RetargetError, Slot};
use sinew_scene::Scene;

fn map() -> (Scene, JointMap, String) {
    let to = Variant { rename: mixamo, ..Variant::default() }.scene();
    let map = JointMap::find(ossi(), &to).expect("both have bodies");
    let text = map.to_text(ossi(), &to);
    (to, map, text)
}

#[test]
fn a_map_is_read_back_as_it_was_written() {
    let (to, map, text) = map();
    let read = JointMap::from_text(&text, ossi(), &to).expect("our own file");
    for slot in Slot::all() {
        assert_eq!(read.from.joints(slot), map.from.joints(slot), "{slot}");
        assert_eq!(read.to.joints(slot), map.to.joints(slot), "{slot}");
    }
    let thigh = r#"left_thigh = { from = "thigh.L", to = "mixamorig:LeftUpLeg" }  # by name and shape, 0.98"#;
    assert!(text.contains(thigh), "{text}");
    let spine = r#"spine = { from = ["spine", "chest", "upper_chest"], to = ["#;
    assert!(text.contains(spine), "{text}");
}

#[test]
fn a_name_that_two_joints_have_is_written_with_its_number() {
    let twins =
        |name: &str| if name.starts_with("shin") { "shin".to_owned() } else { name.to_owned() };
    let to = Variant { rename: twins, ..Variant::default() }.scene();
    let map = JointMap::find(ossi(), &to).expect("both have bodies");
    let text = map.to_text(ossi(), &to);
    let shin = to.skeleton().find("shin").expect("a shin").index();
    assert!(text.contains(&format!("\"shin#{shin}\"")), "{text}");
    let read = JointMap::from_text(&text, ossi(), &to).expect("our own file");
    assert_eq!(
        read.to.joint(Slot::named("left_shin").expect("a slot")).map(|id| id.index()),
        Some(shin)
    );
}

#[test]
fn a_part_that_is_left_out_is_not_mapped() {
    let (to, _, text) = map();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("head")).collect();
    let read = JointMap::from_text(&lines.join("\n"), ossi(), &to).expect("a head is not needed");
    assert_eq!(read.from.joint(Slot::middle(BodyPart::Head)), None);
}

/// The text with one line in place of that of a part, and the line's number.
fn with(text: &str, part: &str, line: &str) -> (String, usize) {
    let start = format!("{part} = ");
    let at = text.lines().position(|known| known.starts_with(&start)).expect("the part is there");
    let lines = text.lines().map(|known| if known.starts_with(&start) { line } else { known });
    (lines.collect::<Vec<_>>().join("\n"), at + 1)
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let (to, _, text) = map();
    let cases = [
        (
            "left_shin",
            r#"left_shin = { from = "shin.L", to = "LeftLeg" }"#,
            "there is no joint \"LeftLeg\"; the nearest is \"mixamorig:LeftLeg\"",
        ),
        ("left_shin", r#"left_shin = { from = "shinn.L" }"#, "there is no joint \"shinn.L\""),
        ("left_shin", r#"left_shine = { from = "shin.L" }"#, "there is no part \"left_shine\""),
        (
            "left_shin",
            r#"left_shin = { form = "shin.L" }"#,
            "expected \"from\" or \"to\", found \"form\"",
        ),
        ("left_shin", r#"left_shin = "shin.L""#, "expected left_shin = {"),
        ("left_shin", r#"left_shin = { from = ["shin.L"] }"#, "left_shin is one joint"),
        ("left_shin", r#"left_shin = { from = 3 }"#, "expected a joint's name"),
        ("left_shin", r#"left_shin = { from = "thigh.L" }"#, "is left_thigh already"),
        (
            "spine",
            r#"spine = { from = ["chest", "spine"], to = ["mixamorig:Spine"] }"#,
            "does not hang below \"chest\"",
        ),
        ("spine", r#"spine = { from = ["chest", "chest"] }"#, "in the list twice"),
        ("left_shin", r#"left_shin = = 3"#, ""),
    ];
    for (part, line, told) in cases {
        let (text, number) = with(&text, part, line);
        let Err(RetargetError::Map { line: found, message }) =
            JointMap::from_text(&text, ossi(), &to)
        else {
            panic!("{line} is wrong");
        };
        assert!(message.contains(told), "{line}: {message}");
        assert_eq!(found, number, "{line}: {message}");
    }
}

#[test]
fn a_shin_above_its_thigh_and_a_map_without_legs_are_refused() {
    let (to, _, text) = map();
    let (text, _) = with(
        &text,
        "left_thigh",
        r#"left_thigh = { from = "shin.L", to = "mixamorig:LeftUpLeg" }"#,
    );
    let (wrong, number) =
        with(&text, "left_shin", r#"left_shin = { from = "thigh.L", to = "mixamorig:LeftLeg" }"#);
    let error = JointMap::from_text(&wrong, ossi(), &to).expect_err("a circle");
    assert!(
        error.to_string().starts_with(&format!("line {number}: left_shin is \"thigh.L\"")),
        "{error}"
    );
    let error =
        JointMap::from_text("hips = { from = \"hips\", to = \"mixamorig:Hips\" }", ossi(), &to);
    let message = error.expect_err("no legs").to_string();
    assert!(message.contains("names no left_thigh for \"from\""), "{message}");
    assert!(JointMap::from_text("", ossi(), &to).is_err());
}
