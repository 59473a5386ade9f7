//! What is drawn over a stage: bones, axes, names, paths, boxes, normals, weights.

use sinew::glam::{Affine3A, Vec4};
use sinew::render::{BoneStyle, Frame};
use sinew::stage::{Member, Stage, Trail, walker};
use sinew::{InstanceId, JointId, Scene, Vertices};

use super::args::Show;
use crate::fault::Fault;

/// Finds the joints of `weights:…` and has their members show them.
pub(crate) fn choose(show: &[Show], stage: &mut Stage) -> Result<(), Fault> {
    for what in show {
        if let Show::Path(Some(wanted)) = what {
            let known = |member: &Member| joint(member.actor.scene(), wanted).is_some();
            if !stage.members.iter().any(known) {
                return Err(no_joint(wanted));
            }
        }
        let Show::Weights(wanted) = what else { continue };
        let mut found = false;
        for member in stage.members.iter_mut().filter(|member| !member.scenery) {
            member.heat = joint(member.actor.scene(), wanted);
            found |= member.heat.is_some();
        }
        if !found {
            return Err(no_joint(wanted));
        }
    }
    Ok(())
}

fn no_joint(wanted: &str) -> Fault {
    Fault::Work(format!("--show: there is no joint \"{wanted}\"; sinew info lists them"))
}

fn joint(scene: &Scene, wanted: &str) -> Option<JointId> {
    let skeleton = scene.skeleton();
    let by_number =
        || wanted.parse().ok().filter(|index| *index < skeleton.len()).map(JointId::new);
    skeleton.find(wanted).or_else(by_number)
}

/// Adds to a filled frame what is drawn over everyone. `size` is that of the whole, in metres.
pub(crate) fn draw(show: &[Show], stage: &Stage, size: f32, frame: &mut Frame) {
    frame.wireframe = show.contains(&Show::Wireframe);
    let chosen = show.iter().any(|what| matches!(what, Show::Weights(_)));
    for member in stage.members.iter().filter(|member| !member.scenery) {
        if show.contains(&Show::Skeleton) {
            skeleton(member, chosen, frame);
        }
        if show.contains(&Show::Axes) {
            axes(member, size * 0.03, frame);
        }
        if show.contains(&Show::Names) {
            names(member, frame);
        }
        for what in show {
            if let Show::Path(wanted) = what {
                path(member, wanted.as_deref(), frame);
            }
        }
        if show.contains(&Show::Bounds) {
            frame.overlay.bounds(member.bounds(), Vec4::new(0.95, 0.65, 0.10, 1.0));
        }
        if show.contains(&Show::Normals) {
            normals(member, size * 0.015, frame);
        }
    }
}

fn world(member: &Member) -> Vec<Affine3A> {
    let world = member.actor.world_from_model();
    member.actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect()
}

fn skeleton(member: &Member, chosen: bool, frame: &mut Frame) {
    let scene = member.actor.scene();
    let chosen = member.heat.filter(|_| chosen);
    let style = BoneStyle { shown: &member.bones, chosen, ..BoneStyle::default() };
    frame.overlay.skeleton(scene.skeleton(), &world(member), &style);
}

fn axes(member: &Member, length: f32, frame: &mut Frame) {
    for (joint, _) in world(member).iter().zip(&member.bones).filter(|(_, shown)| **shown) {
        frame.overlay.axes(*joint, length);
    }
}

fn names(member: &Member, frame: &mut Frame) {
    let style = BoneStyle { shown: &member.bones, chosen: member.heat, ..BoneStyle::default() };
    frame.overlay.names(member.actor.scene().skeleton(), &world(member), &style);
}

/// The way of a joint through the member's clip, on the floor of the frame.
fn path(member: &Member, wanted: Option<&str>, frame: &mut Frame) {
    let scene = member.actor.scene();
    let playing = member.actor.clip().filter(|_| member.actor.graph().is_none());
    let same = |clip: &sinew::Clip| playing.is_some_and(|playing| std::ptr::eq(clip, playing));
    let Some(clip) = scene.clips.iter().position(same) else { return };
    let found = match wanted {
        Some(wanted) => joint(scene, wanted),
        None => walker(scene, clip),
    };
    let Some(found) = found else { return };
    let bounds = member.bounds();
    let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
    let place = member.actor.world_from_model();
    let now = (place * member.actor.pose().model_from_joint()[found.index()]).translation;
    let trail = Trail::of_clip(scene, clip, found);
    trail.draw(place, frame.floor.height, size, Some(now.into()), &mut frame.overlay);
}

fn normals(member: &Member, length: f32, frame: &mut Frame) {
    let mut vertices = Vertices::default();
    let scene = member.actor.scene();
    for (index, instance) in scene.instances.iter().enumerate() {
        for primitive in 0..scene.meshes[instance.mesh.index()].primitives.len() {
            member.actor.skin(InstanceId::new(index), primitive, &mut vertices);
            frame.overlay.normals(&vertices, length);
        }
    }
}
