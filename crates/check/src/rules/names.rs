//! Names that things are found by: `names`, `name-reserved`, `unbound`.

use std::collections::{BTreeMap, HashMap};

use sinew_import::{Format, NoteCode};
use sinew_scene::{ClipId, JointId};

use crate::engine::Engine;
use crate::facts::Facts;
use crate::finding::counted;
use crate::table::{NAME_RESERVED, NAMES, UNBOUND};
use crate::{Finding, Measured, Place, Severity};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    shared(facts, found);
    reserved(facts, found);
    unbound(facts, found);
}

/// Joints of skins and nodes that clips drive: what is found by name.
fn looked_for<'a>(facts: &'a Facts<'_>) -> impl Iterator<Item = JointId> + 'a {
    let ids = facts.scene.skeleton().ids();
    ids.filter(|joint| facts.is_joint[joint.index()] || facts.is_animated[joint.index()])
}

fn shared(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let skeleton = facts.scene.skeleton();
    let mut by_name: BTreeMap<&str, Vec<JointId>> = BTreeMap::new();
    for joint in looked_for(facts) {
        by_name.entry(&skeleton.node(joint).name).or_default().push(joint);
    }
    if let Some(unnamed) = by_name.remove("") {
        let message = format!("{} no name", counted(unnamed.len(), "joint has", "joints have"));
        let measured = Measured::count(unnamed.len(), "joints", 0);
        let finding = Finding::new(NAMES, Place::joint(unnamed[0]), measured, message);
        // glTF binds by number; one alone is not mistaken for another; an engine that was chosen may bind by name.
        let by_name = facts.model.format != Format::Gltf || facts.engine.is_some();
        let several = unnamed.len() > 1 && by_name;
        let severity = if several { Severity::Warning } else { Severity::Info };
        found.push(finding.severity(severity).times(unnamed.len()));
    }
    by_name.retain(|_, joints| joints.len() > 1);
    let Some((name, joints)) = by_name.iter().max_by_key(|(_, joints)| joints.len()) else {
        return;
    };
    let message = format!(
        "{} shared, {:?} by {} joints",
        counted(by_name.len(), "name is", "names are"),
        name,
        joints.len()
    );
    let measured = Measured::count(by_name.len(), "names", 0);
    found
        .push(Finding::new(NAMES, Place::joint(joints[1]), measured, message).times(by_name.len()));
}

fn reserved(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let engines: Vec<Engine> = match facts.engine {
        Some(profile) => vec![profile.engine],
        None => Engine::ALL.to_vec(),
    };
    let skeleton = facts.scene.skeleton();
    let tops = facts.tops();
    for engine in engines {
        let profile = engine.profile();
        let taken = |joint: &JointId| {
            let name = &skeleton.node(*joint).name;
            let whole = profile.reserved_names.iter().any(|taken| taken.eq_ignore_ascii_case(name));
            // Signs are in half of all files; they matter to those who have chosen the engine.
            let signs = facts.engine.is_some()
                && name.contains(|sign| profile.reserved_signs.contains(sign));
            whole
                || signs
                || (engine == Engine::Three && is_name_of_root(facts, tops[joint.index()], *joint))
        };
        let changed: Vec<JointId> = looked_for(facts).filter(taken).collect();
        let Some(&first) = changed.first() else { continue };
        let message = format!(
            "{} a name that {} changes or takes for something else: {:?}",
            counted(changed.len(), "joint has", "joints have"),
            profile.title,
            skeleton.node(first).name
        );
        let measured = Measured::count(changed.len(), "joints", 0);
        found.push(
            Finding::new(NAME_RESERVED, Place::joint(first), measured, message)
                .times(changed.len()),
        );
    }
}

/// three.js binds a track of the root's own name to the root.
fn is_name_of_root(facts: &Facts<'_>, top: JointId, joint: JointId) -> bool {
    let skeleton = facts.scene.skeleton();
    let name = &skeleton.node(joint).name;
    joint != top && !name.is_empty() && skeleton.node(top).name == *name
}

/// A name without a prefix such as `mixamorig1:`.
fn bare(name: &str) -> &str {
    name.rsplit([':', '|']).next().unwrap_or(name)
}

fn unbound(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.notes(NoteCode::Unbound) {
        let measured = Measured::count(note.count, "tracks", 0);
        let place = Place::file(note.place.to_string());
        found.push(Finding::new(UNBOUND, place, measured, note.text.clone()).times(note.count));
    }
    // A clip that drives joints of another skeleton of the same names.
    let skeleton = facts.scene.skeleton();
    let mut weighted: HashMap<&str, JointId> = HashMap::new();
    for joint in skeleton.ids().filter(|joint| facts.is_weighted[joint.index()]) {
        weighted.insert(bare(&skeleton.node(joint).name), joint);
    }
    for (at, clip) in facts.scene.clips.iter().enumerate() {
        let mut driven: Vec<JointId> = clip.rotations.iter().map(|track| track.joint).collect();
        driven.sort_unstable();
        driven.dedup();
        let lost: Vec<JointId> = driven
            .iter()
            .copied()
            .filter(|joint| {
                let other = weighted.get(bare(&skeleton.node(*joint).name));
                let moves = facts.is_joint[joint.index()] || facts.reach[joint.index()] > 0.0;
                !moves && other.is_some_and(|other| driven.binary_search(other).is_err())
            })
            .collect();
        let Some(&first) = lost.first() else { continue };
        let name = &skeleton.node(first).name;
        let twin = weighted.get(bare(name)).map_or("", |twin| &skeleton.node(*twin).name);
        let message = format!(
            "{} of {} driven joints move nothing; {name:?} is likely meant for {twin:?}",
            lost.len(),
            driven.len()
        );
        let place = Place::clip(ClipId::new(at)).on(first);
        let measured = Measured::count(lost.len(), "joints", 0);
        found.push(Finding::new(UNBOUND, place, measured, message).times(lost.len()));
    }
}
