//! A joint map as a small TOML file, one line for each part of the body, for people to read and change.

use std::fmt::Write;

use sinew_scene::{JointId, Scene, Skeleton};

use crate::map::JointMap;
use crate::slot::Slot;

const HEAD: &str = "\
# Joint map: for each part of the body, its joint in the clip's skeleton (from) and in the character (to).
# A list is a chain, from the body outward; the two may differ in length. A part with one joint alone stays at rest.
# A name that several joints have is written with the joint's number: \"Head#14\".
";

impl JointMap {
    /// The map as a file, to be read back by [`from_text`](Self::from_text).
    #[must_use]
    pub fn to_text(&self, from: &Scene, to: &Scene) -> String {
        let mut text = HEAD.to_owned();
        for slot in Slot::all() {
            let (own, other) = (self.from.joints(slot), self.to.joints(slot));
            let part = |word: &str, joints: &[JointId], scene: &Scene| {
                (!joints.is_empty())
                    .then(|| format!("{word} = {}", names(slot, joints, scene.skeleton())))
            };
            let parts: Vec<String> =
                [part("from", own, from), part("to", other, to)].into_iter().flatten().collect();
            if !parts.is_empty() {
                let _ =
                    writeln!(text, "{slot} = {{ {} }}  # {}", parts.join(", "), self.comment(slot));
            }
        }
        text
    }

    fn comment(&self, slot: Slot) -> String {
        match (self.from.why(slot), self.to.why(slot)) {
            (Some(a), Some(b)) if a == b => format!("{}, {:.2}", a.words(), a.confidence()),
            (Some(a), Some(b)) => {
                let least = a.confidence().min(b.confidence());
                format!("{} and {}, {least:.2}", a.words(), b.words())
            }
            (Some(_), None) => "the character has none".to_owned(),
            _ => "the clip has none".to_owned(),
        }
    }
}

/// A joint's name; with its number where the name alone does not tell.
fn name(joint: JointId, skeleton: &Skeleton) -> String {
    let name = &skeleton.node(joint).name;
    let several = skeleton.nodes().iter().filter(|node| node.name == *name).count() > 1;
    let told =
        if several || name.is_empty() { format!("{name}#{}", joint.index()) } else { name.clone() };
    toml_text(&told)
}

fn toml_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn names(slot: Slot, joints: &[JointId], skeleton: &Skeleton) -> String {
    let all: Vec<String> = joints.iter().map(|&joint| name(joint, skeleton)).collect();
    if slot.part.is_chain() { format!("[{}]", all.join(", ")) } else { all.concat() }
}
