//! What the file said and the reader mended or does not know: `required`, `joint-index`, `two-tracks`, `key-order`,
//! `two-parents`, `take`, `reader`.

use sinew_import::{Format, Note, NoteCode};
use sinew_scene::ClipId;

use crate::engine::Engine;
use crate::facts::Facts;
use crate::finding::counted;
use crate::rule::Rule;
use crate::table::{JOINT_INDEX, KEY_ORDER, READER, REQUIRED, TAKE, TWO_PARENTS, TWO_TRACKS};
use crate::{Finding, Measured, Place, Severity};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    required(facts, found);
    if facts.model.format == Format::Gltf {
        equal_times(facts, found);
    }
    for note in &facts.model.notes {
        if let Some(rule) = rule_of(note.code) {
            found.push(of_note(rule, note));
        }
    }
}

/// Keys at the time of the one before: glTF wants times to rise, and a program that divides by the time between
/// two keys gets no number.
fn equal_times(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for (at, clip) in facts.scene.clips.iter().enumerate() {
        let pairs = clip.all_times().flat_map(|times| times.windows(2));
        let mut equal = pairs.filter(|pair| pair[0] >= pair[1]).map(|pair| pair[1]);
        let Some(first) = equal.next() else { continue };
        let count = equal.count() + 1;
        let message =
            format!("{} at the time of the one before", counted(count, "key is", "keys are"));
        let place = Place::clip(ClipId::new(at)).at(first);
        let finding = Finding::new(KEY_ORDER, place, Measured::count(count, "keys", 0), message);
        found.push(finding.severity(Severity::Warning).times(count));
    }
}

/// The rule that a note is a finding of as it is. Others are looked at by the rules they belong to.
fn rule_of(code: NoteCode) -> Option<&'static Rule> {
    match code {
        NoteCode::JointOutOfRange | NoteCode::WeightsIncomplete => Some(JOINT_INDEX),
        NoteCode::DuplicateTarget => Some(TWO_TRACKS),
        NoteCode::KeyOrder | NoteCode::KeyCount => Some(KEY_ORDER),
        NoteCode::TwoParents | NoteCode::NodeMatrix => Some(TWO_PARENTS),
        NoteCode::TakeWithoutSpan => Some(TAKE),
        NoteCode::Other | NoteCode::NothingToDraw => Some(READER),
        _ => None,
    }
}

fn of_note(rule: &'static Rule, note: &Note) -> Finding {
    let place = match note.place {
        sinew_import::Place::Whole => Place::whole(),
        ref place => Place::file(place.to_string()),
    };
    let measured = Measured::count(note.count, "times", 0);
    Finding::new(rule, place, measured, note.text.clone()).times(note.count)
}

fn required(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let place = || Place::file("extensionsRequired");
    for note in facts.details(NoteCode::ExtensionRequired) {
        let name = note.text.as_str();
        if let Some(engine) = facts.engine {
            if engine.reads(name) {
                continue;
            }
            let (how, severity) = match engine.setup_for(name) {
                Some(setup) => {
                    (format!("{} reads it with {setup}", engine.title), Severity::Warning)
                }
                None => (format!("{} does not read it", engine.title), Severity::Error),
            };
            let message = format!("the file requires {name}; {how}");
            let finding =
                Finding::new(REQUIRED, place(), Measured::count(1, "extensions", 0), message);
            found.push(finding.severity(severity));
            continue;
        }
        let lacking: Vec<&str> = Engine::ALL
            .into_iter()
            .map(Engine::profile)
            .filter(|profile| !profile.reads(name))
            .map(|profile| profile.title)
            .collect();
        if lacking.is_empty() {
            continue;
        }
        let message = format!(
            "the file requires {name}, which {} does not read as installed",
            lacking.join(", ")
        );
        let measured = Measured::count(lacking.len(), "engines", 0);
        found.push(Finding::new(REQUIRED, place(), measured, message));
    }
}
