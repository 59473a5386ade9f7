//! `.skeleton_anim`: bones and a matrix for each in every frame, in one of two layouts.
//!
//! Nothing in the file names its layout; it is the one that uses up the file to the last byte.

use sinew_scene::{Clip, SceneParts, Skin, Track};

use super::chain::{Bones, NodesOf, Poses};
use super::file::{File, MATRIX};
use crate::files::own_stem;
use crate::keys::{curve, frame_times};
use crate::open::Context;
use crate::tree::parents_first;
use crate::{ImportError, Place};

/// What Blender's own rate is, and the course's player.
const USUAL_RATE: usize = 24;

/// A file, recognised but not yet read in full.
struct Found<'a> {
    clip: Option<String>,
    rate: usize,
    names: Vec<String>,
    /// Layout A: where bones are in their parents, and the children of each.
    tree: Option<(&'a [u8], Vec<Vec<usize>>)>,
    frame_count: usize,
    frames: &'a [u8],
}

pub(super) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    let mut file = File::new(bytes);
    file.magic(b"skeleton_anim")?;
    match (layout_a(file.clone()), layout_b(file)) {
        (Ok(found), _) | (_, Ok(found)) => build(&found, context),
        // What got further is what the file was meant to be.
        (Err(a), Err(b)) => {
            let far = |error: &ImportError| match error.place {
                Place::Byte(at) => at,
                _ => 0,
            };
            Err(if far(&b) > far(&a) { b } else { a })
        }
    }
}

/// Names, children, T-pose, frames of offsets: what the course's Blender script writes.
fn layout_a(mut file: File<'_>) -> Result<Found<'_>, ImportError> {
    let count = file.number()?;
    let names = names(&mut file, count)?;
    let mut children = Vec::with_capacity(count);
    for _ in 0..count {
        let links = file.number()?;
        let own: Vec<usize> = (0..links).map(|_| file.number()).collect::<Result<_, _>>()?;
        if let Some(child) = own.iter().find(|&&child| child >= count) {
            let text = format!("expected a child below {count}, found {child}");
            return Err(ImportError::out_of_range(file.place(), text));
        }
        children.push(own);
    }
    let t_pose = file.matrices(1, count)?;
    let frame_count = file.number()?;
    let frames = file.matrices(frame_count, count)?;
    at_end(&file)?;
    let tree = Some((t_pose, children));
    Ok(Found { clip: None, rate: USUAL_RATE, names, tree, frame_count, frames })
}

/// Clip name, frames, rate, names, frames of finished matrices: what its FBX reader writes.
fn layout_b(mut file: File<'_>) -> Result<Found<'_>, ImportError> {
    let clip = Some(file.name()?);
    let frame_count = file.number()?;
    let rate = file.number()?;
    let count = file.number()?;
    let names = names(&mut file, count)?;
    let frames = file.matrices(frame_count, count)?;
    at_end(&file)?;
    Ok(Found { clip, rate, names, tree: None, frame_count, frames })
}

fn names(file: &mut File<'_>, count: usize) -> Result<Vec<String>, ImportError> {
    if count > file.left() / 2 {
        let text = format!("expected {count} bones, found too little left of the file");
        return Err(ImportError::truncated(file.place(), text));
    }
    (0..count).map(|_| file.name()).collect()
}

fn at_end(file: &File<'_>) -> Result<(), ImportError> {
    match file.left() {
        0 => Ok(()),
        left => {
            let text = format!("expected the end of the file, found {left} more bytes");
            Err(ImportError::malformed(file.place(), text))
        }
    }
}

fn build(found: &Found<'_>, context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    let parents = match &found.tree {
        Some((_, children)) => parents_of(children, context),
        None => vec![None; found.names.len()],
    };
    let Some(order) = parents_first(&parents) else {
        let text = "expected bones that form a tree, found one that is its own ancestor";
        return Err(ImportError::malformed(Place::part("children"), text));
    };
    let t_pose = found.tree.as_ref().map(|(t_pose, _)| *t_pose);
    let mut bones = Bones::new(parents, order, t_pose, found.frames);
    let (nodes, nodes_of) = bones.nodes(&found.names);
    let skin = Skin {
        name: "bones".into(),
        joints: nodes_of.iter().map(|nodes| nodes.bone).collect(),
        joint_from_mesh: bones.joint_from_mesh(),
        ..Skin::default()
    };
    let clip = clip(found, &mut bones, &nodes_of, context)?;
    bones.report(context);
    let clips = vec![clip];
    Ok(SceneParts { nodes, skins: vec![skin], clips, ..SceneParts::default() })
}

/// Of two bones that claim a child, the first has it.
fn parents_of(children: &[Vec<usize>], context: &mut Context<'_>) -> Vec<Option<usize>> {
    let mut parents = vec![None; children.len()];
    for (bone, own) in children.iter().enumerate() {
        for &child in own {
            match &mut parents[child] {
                parent @ None => *parent = Some(bone),
                Some(_) => {
                    let note = "a bone has two parents: the first is taken";
                    context.notes.add(Place::part(format!("bone {child}")), note);
                }
            }
        }
    }
    parents
}

fn clip(
    found: &Found<'_>,
    bones: &mut Bones,
    nodes_of: &[NodesOf],
    context: &mut Context<'_>,
) -> Result<Clip, ImportError> {
    let stem = || own_stem(context.files).unwrap_or("anim").to_owned();
    let name = found.clip.clone().filter(|name| !name.is_empty()).unwrap_or_else(stem);
    let count = nodes_of.len();
    if found.frame_count == 0 || count == 0 {
        context.notes.add(Place::Whole, "the file has no frames: the clip is empty");
        return Ok(Clip { name, ..Clip::default() });
    }
    let rate = if found.rate == 0 {
        context.notes.add(Place::Whole, "expected a frame rate, found 0: 24 is used");
        USUAL_RATE
    } else {
        found.rate
    };
    let place = Place::part("frames");
    #[allow(clippy::cast_precision_loss, reason = "a sixteen-bit number")]
    let times = frame_times(found.frame_count, 1.0 / rate as f64, &place)?;
    let duration = times.last().copied().unwrap_or_default();
    let mut clip = Clip { name, duration, ..Clip::default() };
    let mut poses = Poses::new(count, found.frame_count);
    for frame in found.frames.chunks_exact(count * MATRIX) {
        bones.add_frame(frame, &mut poses);
    }
    for (bone, keys) in poses.into_bones().enumerate() {
        let NodesOf { outer: joint, bone: inner } = nodes_of[bone];
        let scales = curve(&times, keys.scales, &place)?;
        clip.translations.push(Track { joint, curve: curve(&times, keys.translations, &place)? });
        clip.rotations.push(Track { joint, curve: curve(&times, keys.rotations, &place)? });
        // Most bones never change their size.
        if scales.values() != [bones.rest_scale(bone)] {
            clip.scales.push(Track { joint, curve: scales });
        }
        if inner != joint {
            let curve = curve(&times, keys.inner, &place)?;
            clip.rotations.push(Track { joint: inner, curve });
        }
    }
    Ok(clip)
}
