//! Morph targets: `morphs`.

use sinew_import::NoteCode;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{ClipId, InstanceId};

use crate::facts::Facts;
use crate::finding::counted;
use crate::table::MORPHS;
use crate::{Finding, Measured, Place, Severity};

/// So many can be on at once in engines that keep them in vertex attributes.
const AT_ONCE: usize = 8;
/// A weight from here on is seen.
const ON: f32 = 1e-3;
const MOMENTS: usize = 32;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    unnamed(facts, found);
    for note in facts.notes(NoteCode::MorphCount) {
        let place = Place::file(note.place.to_string());
        let measured = Measured::count(note.count, "places", 0);
        found.push(Finding::new(MORPHS, place, measured, note.text.clone()).times(note.count));
    }
    let limit = facts.engine.and_then(|engine| engine.morphs);
    for (at, instance) in facts.scene.instances.iter().enumerate() {
        let count = facts.scene[instance.mesh].morph_count();
        let Some(limit) = limit.filter(|limit| count > *limit) else { continue };
        let message = format!("the mesh has {count} morph targets; expected {limit} at most");
        let measured = Measured::count(count, "targets", limit);
        found.push(Finding::new(MORPHS, Place::instance(InstanceId::new(at)), measured, message));
    }
    at_once(facts, found);
}

fn unnamed(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut seen = Vec::new();
    for (at, instance) in facts.scene.instances.iter().enumerate() {
        let mesh = &facts.scene[instance.mesh];
        let unnamed = mesh.morph_names.iter().filter(|name| name.is_empty()).count();
        if unnamed == 0 || seen.contains(&instance.mesh) {
            continue;
        }
        seen.push(instance.mesh);
        let message = format!(
            "{unnamed} of {} no name",
            counted(mesh.morph_count(), "morph target has", "morph targets have")
        );
        let place = Place::instance(InstanceId::new(at));
        let finding = Finding::new(MORPHS, place, Measured::count(unnamed, "targets", 0), message);
        // A single one is found by its number as well.
        let severity = if unnamed > 2 { Severity::Warning } else { Severity::Info };
        found.push(finding.severity(severity).times(unnamed));
    }
}

fn at_once(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    if facts.scene.weight_count() <= AT_ONCE {
        return;
    }
    let mut pose = Pose::new(facts.scene);
    for (at, clip) in
        facts.scene.clips.iter().enumerate().filter(|(_, clip)| !clip.weights.is_empty())
    {
        let mut worst = (0, 0.0, InstanceId::new(0));
        let mut cursor = Cursor::new();
        for moment in 0..MOMENTS {
            let time = clip.duration * moment as f32 / (MOMENTS - 1) as f32;
            sample(clip, time, &mut cursor, &mut pose);
            for track in &clip.weights {
                let on =
                    pose.weights(track.instance).iter().filter(|weight| weight.abs() > ON).count();
                if on > worst.0 {
                    worst = (on, time, track.instance);
                }
            }
        }
        let (on, time, instance) = worst;
        if on <= AT_ONCE {
            continue;
        }
        let message = format!("{on} morph targets are on at once; some engines take {AT_ONCE}");
        let mut place = Place::clip(ClipId::new(at)).at(time);
        place.instance = Some(instance);
        let finding = Finding::new(MORPHS, place, Measured::count(on, "targets", AT_ONCE), message);
        found.push(finding.severity(Severity::Info));
    }
}
