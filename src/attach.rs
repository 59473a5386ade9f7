//! Clips of another file, by names where those bind well, or else retargeted from body to body.
//!
//! In:  a model, and another file with clips.
//! Out: the model with the clips added, and notes on how they were made to fit.
//!
//! Names that bind keep every key as filed; only where they do not, or where they bind joints that are built
//! along other axes or to another size, are the two skeletons compared as bodies.

use std::collections::HashSet;
use std::path::Path;

use sinew_import::{Error, ErrorKind, Format, Imported, NameFit, Note, Place};
use sinew_retarget::{JointMap, Options, Quality};
use sinew_scene::{Scene, Skeleton};

/// How clips of another file are made to fit a model.
#[derive(Clone, Copy, Debug, Default)]
pub enum Fit<'a> {
    /// By names where they bind well, else retargeted.
    #[default]
    Best,
    /// By names alone.
    Names,
    /// Retargeted by this map: its text, and the file it is from.
    Map(&'a str, &'a Path),
}

/// Adds the clips of `from` to `model`.
///
/// ```no_run
/// let model = sinew::open("hero.fbx")?;
/// let walk = sinew::open("walk.bvh")?;
/// let hero = sinew::attach(model, walk, sinew::Fit::Best)?;
/// # Ok::<(), sinew::Error>(())
/// ```
///
/// # Errors
/// When `from` has no clip, nothing fits, or the map cannot be used.
pub fn attach(model: Imported, from: Imported, fit: Fit<'_>) -> Result<Imported, Error> {
    let by_number = (model.format, from.format) == (Format::SkeletonMesh, Format::SkeletonAnim);
    if matches!(fit, Fit::Names) || by_number || from.scene.clips.is_empty() {
        return sinew_import::attach(model, from);
    }
    if let Fit::Map(text, file) = fit {
        let map = JointMap::from_text(text, &from.scene, &model.scene).map_err(|error| {
            let mut error = in_map(error);
            error.file = Some(file.to_owned());
            error
        })?;
        return retarget(model, &from, &map, "as the map says").map_err(|(_, error)| error);
    }
    let names = sinew_import::fit_names(&from.scene, &model.scene);
    let Some(why) = misfit(&names, from.scene.skeleton(), model.scene.skeleton()) else {
        return sinew_import::attach(model, from);
    };
    match JointMap::find(&from.scene, &model.scene) {
        Ok(map) => match retarget(model, &from, &map, &why) {
            Ok(model) => Ok(model),
            Err((model, _)) => sinew_import::attach(*model, from),
        },
        Err(bodies) => sinew_import::attach(model, from).map_err(|mut error| {
            error.message = format!("{}; nor can they be retargeted: {bodies}", error.message);
            error
        }),
    }
}

fn in_map(error: sinew_retarget::Error) -> Error {
    match error {
        sinew_retarget::Error::Map { line, message } => {
            Error { kind: ErrorKind::Malformed, file: None, place: Place::Line(line), message }
        }
        other => Error {
            kind: ErrorKind::Missing,
            file: None,
            place: Place::Whole,
            message: other.to_string(),
        },
    }
}

/// Why names do not bind well; `None` where they do.
fn misfit(names: &NameFit, from: &Skeleton, to: &Skeleton) -> Option<String> {
    let (bound, all) = (names.pairs.len(), names.pairs.len() + names.lacking);
    if all == 0 {
        return None;
    }
    if bound * 2 < all {
        return Some(format!("names bind only {bound} of {all} animated joints"));
    }
    // The same bone points the same way in its parent's axes, and is about as long, or it is another's.
    let partner: std::collections::HashMap<_, _> = names.pairs.iter().copied().collect();
    let (mut seen, mut turned, mut ratios) = (0, 0, Vec::new());
    for &(a, b) in &names.pairs {
        let parents = (from.node(a).parent, to.node(b).parent);
        let (Some(above), Some(other)) = parents else { continue };
        let (one, two) = (from.node(a).rest.translation, to.node(b).rest.translation);
        if partner.get(&above) != Some(&other) || one.length() < 1e-5 || two.length() < 1e-5 {
            continue;
        }
        seen += 1;
        turned += usize::from(one.angle_between(two) > 30_f32.to_radians());
        ratios.push(two.length() / one.length());
    }
    if seen < 4 {
        return None;
    }
    if turned * 4 > seen {
        return Some(format!("{turned} of {seen} bones of one name lie along other axes"));
    }
    ratios.sort_by(f32::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    (!(0.6..1.67).contains(&ratio)).then(|| format!("the model is {ratio:.2} times as large"))
}

/// Retargets every clip; gives the model back where none can be.
fn retarget(
    model: Imported,
    from: &Imported,
    map: &JointMap,
    why: &str,
) -> Result<Imported, (Box<Imported>, Error)> {
    let mut taken: HashSet<String> =
        model.scene.clips.iter().map(|clip| clip.name.clone()).collect();
    let (mut clips, mut notes, mut failed) = (Vec::new(), model.notes.clone(), None);
    for clip in &from.scene.clips {
        match sinew_retarget::retarget(clip, &from.scene, &model.scene, map, &Options::default()) {
            Ok(made) => {
                let mut clip = made.clip;
                clip.name = sinew_import::free_name(&clip.name, &from.name, &taken);
                taken.insert(clip.name.clone());
                notes.push(note(&clip.name, &told(&made.quality, map, why)));
                clips.push(clip);
            }
            Err(error) => {
                notes.push(note(&clip.name, &format!("a clip is left out: {error}")));
                failed.get_or_insert(error);
            }
        }
    }
    if let (true, Some(error)) = (clips.is_empty(), failed) {
        return Err((Box::new(model), in_map(error)));
    }
    let mut parts = model.scene.clone().into_parts();
    parts.clips.extend(clips);
    match Scene::new(parts) {
        Ok(scene) => Ok(Imported { scene, notes, ..model }),
        Err(error) => Err((Box::new(model), error.into())),
    }
}

fn note(clip: &str, text: &str) -> Note {
    Note { place: Place::Part(format!("clip \"{clip}\"")), text: text.to_owned(), count: 1 }
}

fn told(quality: &Quality, map: &JointMap, why: &str) -> String {
    format!(
        "retargeted, since {why}: {} joints follow {} parts of the body, at {:.2} times the size; feet slide {:.1} cm/s (in the clip {:.1})",
        quality.joints,
        map.shared().count(),
        quality.hip_ratio,
        100.0 * quality.slide.mean,
        100.0 * quality.source_slide.mean,
    )
}
