//! Clips of another file, by names where those bind well, or else retargeted from body to body.
//!
//! In:  a model, and another file with clips.
//! Out: the model with the clips added, and notes on how they were made to fit.
//!
//! Names that bind keep every key as filed; only where they do not, or where they bind joints that are built
//! along other axes or to another size, are the two skeletons compared as bodies.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use sinew_import::{ErrorKind, Format, ImportError, Imported, NameFit, Note, Place};
use sinew_retarget::{JointMap, Options, Quality};
use sinew_scene::{Scene, Skeleton};

use crate::stance::arms_apart;

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

/// How a clip of another file was made to fit a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClipFit {
    /// It is the model's own, as filed.
    Own,
    /// Bound by joint names, with every key as filed.
    Names {
        /// How many of the joints that the file's clips move were found.
        bound: usize,
        /// How many there are.
        animated: usize,
    },
    /// Retargeted from another skeleton.
    Retargeted {
        /// How good it is, in numbers.
        quality: Box<Quality>,
        /// Why names did not do.
        reason: String,
    },
    /// A packed clip, made for this very skeleton.
    Packed {
        /// The most that a point of its joints' shells is off, in metres.
        error: f32,
    },
}

impl fmt::Display for ClipFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("the model's own"),
            Self::Names { bound, animated } => {
                write!(f, "bound by name, {bound} of {animated} animated joints")
            }
            Self::Retargeted { quality, reason } => write!(
                f,
                "retargeted, since {reason}: {} joints follow; bones point {:.1}° off on average, feet slide {:.1} cm/s",
                quality.joints,
                quality.mean_direction,
                100.0 * quality.slide.mean
            ),
            Self::Packed { error } => write!(f, "packed, within {:.3} mm", 1000.0 * error),
        }
    }
}

/// Adds the clips of `from` to `model`; says how each new clip was made to fit, in order.
///
/// # Errors
/// When `from` has no clip, nothing fits, or the map cannot be used.
pub(crate) fn attach(
    model: Imported,
    from: Imported,
    fit: Fit<'_>,
) -> Result<(Imported, Vec<ClipFit>), ImportError> {
    let by_number = (model.format, from.format) == (Format::SkeletonMesh, Format::SkeletonAnim);
    if matches!(fit, Fit::Names) || by_number || from.scene.clips.is_empty() {
        return by_names(model, from);
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
    let why = misfit(&names, from.scene.skeleton(), model.scene.skeleton())
        .or_else(|| other_stance(&from.scene, &model.scene));
    let Some(why) = why else {
        return by_names(model, from);
    };
    match JointMap::find(&from.scene, &model.scene) {
        Ok(map) => match retarget(model, &from, &map, &why) {
            Ok(model) => Ok(model),
            Err((model, _)) => by_names(*model, from),
        },
        Err(bodies) => by_names(model, from).map_err(|mut error| {
            error.message = format!("{}; nor can they be retargeted: {bodies}", error.message);
            error
        }),
    }
}

fn by_names(model: Imported, from: Imported) -> Result<(Imported, Vec<ClipFit>), ImportError> {
    let names = sinew_import::fit_names(&from.scene, &model.scene);
    let bound = names.pairs.len();
    let fit = ClipFit::Names { bound, animated: bound + names.lacking };
    let known = model.scene.clips.len();
    let model = sinew_import::attach(model, from)?;
    let added = model.scene.clips.len() - known;
    Ok((model, vec![fit; added]))
}

fn in_map(error: sinew_retarget::RetargetError) -> ImportError {
    match error {
        sinew_retarget::RetargetError::Map { line, message } => ImportError {
            kind: ErrorKind::Malformed,
            file: None,
            place: Place::Line(line),
            message,
        },
        other => ImportError {
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

/// Arms of two figures may differ by so much, in degrees, before a clip of one looks wrong on the other.
const ARMS: f32 = 15.0;

/// Whether the arms of the two are modelled in other stances: an A-pose and a T-pose.
fn other_stance(from: &Scene, to: &Scene) -> Option<String> {
    let apart = arms_apart(from, to).filter(|apart| *apart > ARMS)?;
    Some(format!("the arms of the two are modelled {apart:.0}° apart"))
}

/// Retargets every clip; gives the model back where none can be.
fn retarget(
    model: Imported,
    from: &Imported,
    map: &JointMap,
    why: &str,
) -> Result<(Imported, Vec<ClipFit>), (Box<Imported>, ImportError)> {
    let mut taken: HashSet<String> =
        model.scene.clips.iter().map(|clip| clip.name.clone()).collect();
    let mut clips = Vec::new();
    let mut fits = Vec::new();
    let mut notes = model.notes.clone();
    let mut failed = None;
    for clip in &from.scene.clips {
        match sinew_retarget::retarget(clip, &from.scene, &model.scene, map, &Options::default()) {
            Ok(made) => {
                let mut clip = made.clip;
                clip.name = sinew_import::free_name(&clip.name, &from.name, &taken);
                taken.insert(clip.name.clone());
                notes.push(note(&clip.name, &describe(&made.quality, map, why)));
                let quality = Box::new(made.quality);
                fits.push(ClipFit::Retargeted { quality, reason: why.to_owned() });
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
        Ok(scene) => Ok((Imported { scene, notes, ..model }, fits)),
        Err(error) => Err((Box::new(model), error.into())),
    }
}

fn note(clip: &str, text: &str) -> Note {
    Note::new(Place::Part(format!("clip \"{clip}\"")), text)
}

fn describe(quality: &Quality, map: &JointMap, why: &str) -> String {
    format!(
        "retargeted, since {why}: {} joints follow {} parts of the body, at {:.2} times the size; feet slide {:.1} cm/s (in the clip {:.1})",
        quality.joints,
        map.shared().count(),
        quality.hip_ratio,
        100.0 * quality.slide.mean,
        100.0 * quality.source_slide.mean,
    )
}
