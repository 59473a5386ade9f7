//! What was asked for, done to a model: a scene that is to be written as it is.
//!
//! In:  an open model, and what the person asked for.
//! Out: the scene that the result is measured against, and sentences on what was done.

use sinew::edit::{self, ClipChoice, Closed, Resized, SkinPoints};
use sinew::{Clip, JointId, Scene};

use super::args::Convert;
use crate::fault::Fault;

/// Metres at the skin below which nothing moves.
const STILL: f32 = 1e-4;

/// The scene as it was asked for. Sentences go to `said`.
pub(super) fn shaped(
    scene: Scene,
    args: &Convert,
    choices: &[ClipChoice],
    limits: Limits,
    said: &mut Vec<String>,
) -> Result<Scene, Fault> {
    let mut scene = scene;
    if !choices.is_empty() {
        let clips = edit::choose(&scene.clips, choices).map_err(work)?;
        scene = with_clips(scene, clips)?;
    }
    if args.trim || args.shift || args.close || args.in_place {
        let clips = edited_clips(&scene, args, said)?;
        scene = with_clips(scene, clips)?;
    }
    if let Some(most) = limits.influences {
        let (limited, loss) = edit::limit_influences(scene, most).map_err(work)?;
        scene = limited;
        if loss.vertices > 0 {
            said.push(format!(
                "{} of up to {} influences now have {most}: the farthest is {:.3} mm off",
                counted(loss.vertices, "vertex", "vertices"),
                loss.most,
                loss.farthest * 1e3
            ));
        }
    }
    let mut parts = scene.into_parts();
    if let Some(factor) = args.scale {
        edit::scale(&mut parts, factor).map_err(work)?;
    }
    edit::turn_up(&mut parts, args.up());
    if !args.exact {
        if !args.keep().attributes {
            said.extend(edit::prune_attributes(&mut parts));
        }
        edit::weld_vertices(&mut parts);
    }
    if let Some(longest) = limits.image_side {
        shrink(&mut parts.images, longest, said);
    }
    Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))
}

/// What a person or an engine sets limits to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) influences: Option<usize>,
    pub(super) image_side: Option<u32>,
}

fn work(error: edit::EditError) -> Fault {
    Fault::Work(error.to_string())
}

/// A count with its noun in the right number.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn with_clips(scene: Scene, clips: Vec<Clip>) -> Result<Scene, Fault> {
    let mut parts = scene.into_parts();
    parts.clips = clips;
    Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))
}

fn edited_clips(scene: &Scene, args: &Convert, said: &mut Vec<String>) -> Result<Vec<Clip>, Fault> {
    let points = SkinPoints::new(scene);
    let named = args.root.as_deref().map(|name| {
        scene
            .skeleton()
            .find(name)
            .ok_or_else(|| Fault::Usage(format!("--root {name:?}: no node has that name")))
    });
    let named = named.transpose()?;
    scene.clips.iter().map(|clip| edited(scene, &points, clip, named, args, said)).collect()
}

fn edited(
    scene: &Scene,
    points: &SkinPoints,
    clip: &Clip,
    root: Option<JointId>,
    args: &Convert,
    said: &mut Vec<String>,
) -> Result<Clip, Fault> {
    let mut clip = clip.clone();
    let name = clip.name.clone();
    if args.shift {
        let (shifted, by) = edit::shift_start(&clip);
        if by > 0.0 {
            said.push(format!("clip {name:?}: {by:.3} s before its first key are taken off"));
        }
        clip = shifted;
    }
    if args.trim {
        let (trimmed, [start, end]) = edit::trim(scene, points, &clip, STILL);
        if start + end > 0.0 {
            said.push(format!("clip {name:?}: {start:.3} s at its start and {end:.3} s at its end are still and taken off"));
        }
        clip = trimmed;
    }
    let root = root.or_else(|| edit::root_joint(scene, &clip));
    if args.in_place {
        match root {
            Some(root) => clip = edit::in_place(scene, &clip, root),
            None => said.push(format!("clip {name:?} moves no root: it is in place already")),
        }
    }
    if args.close {
        let (closed, how) = edit::close_loop(scene, points, &clip, root);
        clip = closed;
        match how {
            Closed::Frame { gap, seconds } => said.push(format!(
                "clip {name:?}: its ends were {:.2} mm apart; it is {seconds:.3} s longer and ends as it starts",
                gap * 1e3
            )),
            Closed::Blended { gap, seconds } => said.push(format!(
                "clip {name:?}: its ends were {:.2} mm apart; its last {seconds:.3} s lead back to its start",
                gap * 1e3
            )),
            _ => {}
        }
    }
    Ok(clip)
}

fn shrink(images: &mut [sinew::scene::Image], longest: u32, said: &mut Vec<String>) {
    let decode = |bytes: &[u8]| {
        let pixels = sinew::import::image::decode(bytes)?;
        Ok((pixels.width, pixels.height, pixels.rgba))
    };
    let made = edit::shrink_images(images, longest, &decode);
    for (image, made) in images.iter().zip(made) {
        match made {
            Resized::Smaller { from, to } => said.push(format!(
                "image {:?}: {} × {} is now {} × {}",
                image.name, from.0, from.1, to.0, to.1
            )),
            Resized::Failed(why) => {
                said.push(format!("image {:?} stays as it is: {why}", image.name));
            }
            _ => {}
        }
    }
}
