//! Clips from other files: a walk for a model that came without one.
//!
//! In:  a model, and another file with clips, both imported.
//! Out: the model with the clips added, bound by the names of joints.
//!
//! The model's tree, rest pose and skins stay as they are; only tracks come from the other file. A
//! clip never brings joints along, so clips cannot disturb each other.

mod bind;
mod compare;
mod names;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use sinew_scene::{Scene, Skeleton};

use bind::{Binding, driven_joints, first_few};
pub use bind::{NameFit, bind, fit_names};

use crate::note::Notes;
use crate::{ErrorKind, Format, ImportError, Imported, Place};

/// Adds the clips of `from` to `model`, bound to its joints by name as [`bind`] does.
///
/// A clip whose name is taken gets a number, `walk (2)`; one without a name gets that of its file.
/// What does not fit is reported in the notes: joints the model lacks, and where the two skeletons rest
/// otherwise. A `.mesh` takes a `.skeleton_anim` so, whose joints have numbers instead of names.
///
/// ```no_run
/// let model = sinew_import::open("hero.fbx")?;
/// let walk = sinew_import::open("walk.fbx")?;
/// let hero = sinew_import::attach(model, walk)?;
/// assert!(hero.scene.clip("walk").is_some());
/// # Ok::<(), sinew_import::ImportError>(())
/// ```
///
/// # Errors
/// When `from` has no clip, or no joint of the model has the name of one that its clips move.
pub fn attach(model: Imported, from: Imported) -> Result<Imported, ImportError> {
    if from.scene.clips.is_empty() {
        let text = "expected a file with clips to attach, found one without";
        return Err(ImportError::new(ErrorKind::Missing, Place::Whole, text));
    }
    #[cfg(feature = "skeleton_anim")]
    if (model.format, from.format) == (Format::SkeletonMesh, Format::SkeletonAnim)
        && crate::skeleton_anim::attach::waits_for_bones(&model.scene)
    {
        return by_number(model, from);
    }
    by_name(model, &from)
}

/// A `.mesh` knows its bones by their numbers alone, until its first `.skeleton_anim`.
#[cfg(feature = "skeleton_anim")]
fn by_number(model: Imported, from: Imported) -> Result<Imported, ImportError> {
    let mut notes = Notes::from(model.notes);
    let (parts, bones) = (model.scene.into_parts(), from.scene.into_parts());
    let parts = crate::skeleton_anim::attach::join(parts, bones, &mut notes);
    Ok(Imported { scene: Scene::new(parts)?, notes: notes.into_vec(), ..model })
}

fn by_name(model: Imported, from: &Imported) -> Result<Imported, ImportError> {
    let mut notes = Notes::from(model.notes);
    let binding = Binding::new(&from.scene.clips, &from.scene, &model.scene);
    if binding.is_empty() {
        return Err(nothing_fits(&from.scene, &model.scene));
    }
    binding.tell_lacking(&mut notes);
    // An .md5anim has no rest pose: its base frame is whatever makes the other frames short.
    if from.format != Format::Md5Anim {
        binding.tell_rest(&mut notes);
    }
    let mut taken: HashSet<String> =
        model.scene.clips.iter().map(|clip| clip.name.clone()).collect();
    let mut clips = Vec::with_capacity(from.scene.clips.len());
    for clip in &from.scene.clips {
        let mut bound = binding.clip(clip, &mut notes);
        if bound.track_count() == 0 {
            let place = Place::part(format!("clip \"{}\"", clip.name));
            notes.add(place, "a clip is left out: it drives nothing that the model has");
            continue;
        }
        bound.name = free_name(&clip.name, &from.name, &taken);
        taken.insert(bound.name.clone());
        clips.push(bound);
    }
    let mut parts = model.scene.into_parts();
    parts.clips.extend(clips);
    Ok(Imported { scene: Scene::new(parts)?, notes: notes.into_vec(), ..model })
}

/// `wanted`, or else the file's name; with a number where a clip has it already.
#[must_use]
pub fn free_name(wanted: &str, file: &str, taken: &HashSet<String>) -> String {
    let wanted = [wanted, file, "clip"].into_iter().find(|name| !name.is_empty()).unwrap_or("clip");
    if !taken.contains(wanted) {
        return wanted.to_owned();
    }
    (2..=taken.len() + 2)
        .map(|number| format!("{wanted} ({number})"))
        .find(|name| !taken.contains(name))
        .unwrap_or_default()
}

fn nothing_fits(from: &Scene, to: &Scene) -> ImportError {
    let driven = driven_joints(&from.clips);
    let sought = driven.iter().map(|&joint| &from.skeleton().node(joint).name[..]);
    let text = format!(
        "the clips fit nothing in the model: they move {}, the model has {}",
        or_nothing(first_few(sought)),
        or_nothing(first_few(joint_names(to.skeleton(), to)))
    );
    ImportError::new(ErrorKind::Missing, Place::Whole, text)
}

fn or_nothing(names: String) -> String {
    if names.is_empty() { "no nodes".into() } else { names }
}

/// The joints of skins, or all nodes where there is no skin.
fn joint_names<'a>(skeleton: &'a Skeleton, scene: &Scene) -> Vec<&'a str> {
    match scene.skins.first() {
        Some(skin) => skin.joints.iter().map(|&joint| &skeleton.node(joint).name[..]).collect(),
        None => skeleton.nodes().iter().map(|node| &node.name[..]).collect(),
    }
}
