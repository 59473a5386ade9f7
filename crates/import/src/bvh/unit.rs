//! What one unit of a BVH file is: nothing in the file says it, but the size of its skeleton does.
//!
//! In:  the joints, and what the caller says about the unit.
//! Out: metres in one unit. Bodies are between half a metre and four metres; the usual unit that
//! makes the skeleton so is taken, with a note, and one unit is a metre where none does.

use glam::Vec3;

use super::hierarchy::Joint;
use crate::Place;
use crate::note::Notes;
use crate::open::Context;

/// A unit that files are written in.
struct Unit {
    name: &'static str,
    metres: f32,
    /// How large a skeleton makes it likely, in metres.
    likely: [f32; 2],
}

/// Anyone from a dog to a horse; no file in metres needs a note.
const BODY: [f32; 2] = [0.5, 3.0];
/// A person with arms held out or hanging.
const PERSON: [f32; 2] = [1.2, 2.2];

/// In order: the first that makes the skeleton likely.
const UNITS: [Unit; 7] = [
    Unit { name: "metres", metres: 1.0, likely: [0.4, 4.0] },
    Unit { name: "centimetres", metres: 0.01, likely: PERSON },
    Unit { name: "inches", metres: 0.0254, likely: PERSON },
    // Carnegie Mellon's captures, of which there are thousands: 0.45 of these are an inch.
    Unit { name: "units of 56.4 mm", metres: 0.0254 / 0.45, likely: PERSON },
    Unit { name: "centimetres", metres: 0.01, likely: BODY },
    Unit { name: "inches", metres: 0.0254, likely: BODY },
    Unit { name: "millimetres", metres: 0.001, likely: BODY },
];

/// Metres in one of the file's units.
pub(super) fn metres(joints: &[Joint], context: &mut Context<'_>) -> f32 {
    match context.options.unit {
        Some(unit) => unit,
        None => guess(size(joints), &mut context.notes),
    }
}

fn guess(size: f32, notes: &mut Notes) -> f32 {
    let likely = |unit: &&Unit| {
        let [least, most] = unit.likely;
        (least..=most).contains(&(size * unit.metres))
    };
    let found = UNITS.iter().find(likely);
    if size > 0.0 && found.is_none_or(|unit| unit.metres != 1.0) {
        let taken = found.map_or("metres, for want of a better", |unit| unit.name);
        let note = format!(
            "the file does not say its unit: its skeleton is {size} units large, taken as {taken}"
        );
        notes.add(Place::part("HIERARCHY"), note);
    }
    found.map_or(1.0, |unit| unit.metres)
}

/// The longest side of the box around all joints as their offsets put them.
fn size(joints: &[Joint]) -> f32 {
    let mut places: Vec<Vec3> = Vec::with_capacity(joints.len());
    for joint in joints {
        let parent = joint.parent.map_or(Vec3::ZERO, |parent| places[parent]);
        // Where a root is, is no part of how large it is.
        let offset = if joint.parent.is_some() { joint.offset } else { Vec3::ZERO };
        places.push(parent + offset);
    }
    let least = places.iter().copied().fold(Vec3::ZERO, Vec3::min);
    let most = places.iter().copied().fold(Vec3::ZERO, Vec3::max);
    let size = (most - least).max_element();
    if size.is_finite() { size } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_comes_out_as_large_as_a_person() {
        for (size, metres, name) in [
            (1.8, 1.0, ""),
            (3.6, 1.0, ""),
            (178.0, 0.01, "centimetres"),
            (70.0, 0.0254, "inches"),
            (31.0, 0.0254 / 0.45, "units of 56.4 mm"),
            (1780.0, 0.001, "millimetres"),
            // A child, a dog and a horse.
            (100.0, 0.01, "centimetres"),
            (44.0, 0.0254, "inches"),
            (280.0, 0.01, "centimetres"),
            // A dragon may be what it says.
            (15.0, 1.0, "metres, for want of a better"),
            (1e6, 1.0, "metres, for want of a better"),
            (0.0, 1.0, ""),
        ] {
            let mut notes = Notes::default();
            assert_eq!(guess(size, &mut notes), metres, "{size}");
            let notes = notes.into_vec();
            match name {
                "" => assert_eq!(notes, []),
                name => assert!(notes[0].text.ends_with(&format!("taken as {name}")), "{notes:?}"),
            }
        }
    }
}
