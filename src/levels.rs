//! Levels of detail of a scene's meshes, for the poses of its own clips.
//!
//! In:  a scene.
//! Out: a list of levels for each of its meshes, for [`UploadOptions::levels`](sinew_render::UploadOptions::levels); errors in metres.

use std::sync::Arc;

use sinew_lod::{Level, Pose};
use sinew_scene::{ClipId, InstanceId, Scene};

use crate::{Actor, Transition};

/// Poses that levels are made for, at most, beside the rest pose.
const MAX_POSES: usize = 12;
/// Of one clip.
const POSES_OF_CLIP: usize = 4;
/// Morph targets that are tried alone, at most.
const MAX_MORPHS: usize = 8;

/// The levels of each mesh of a scene, made so that they look right at rest and in poses of its clips.
///
/// ```
/// # let scene = std::sync::Arc::new(sinew::demo());
/// let levels = sinew::levels(&scene);
/// assert_eq!(levels.len(), scene.meshes.len());
/// ```
#[must_use]
pub fn levels(scene: &Arc<Scene>) -> Vec<Vec<Level>> {
    let mut actor = Actor::new(Arc::clone(scene));
    let mut poses = vec![Vec::new(); scene.meshes.len()];
    add(&actor, &mut poses, None);
    // Evenly over all clips, and then over their times.
    let clips = scene.clips.len().min(MAX_POSES);
    for index in 0..clips {
        actor.start(ClipId::new(index * scene.clips.len() / clips), Transition::Cut);
        let count = (MAX_POSES / clips).clamp(1, POSES_OF_CLIP);
        for step in 0..count {
            actor.seek(actor.duration() * (step as f32 + 0.5) / count as f32);
            actor.update();
            add(&actor, &mut poses, None);
        }
    }
    let rest = Actor::new(Arc::clone(scene));
    let morphs = scene.meshes.iter().map(|mesh| mesh.morph_count()).max().unwrap_or(0);
    (0..morphs.min(MAX_MORPHS)).for_each(|target| add(&rest, &mut poses, Some(target)));
    scene.meshes.iter().zip(&poses).map(|(mesh, poses)| sinew_lod::levels(mesh, poses)).collect()
}

/// The pose of each mesh's first instance; with a morph target alone, where one is named.
fn add(actor: &Actor, poses: &mut [Vec<Pose>], morph: Option<usize>) {
    let scene = actor.scene();
    let view = actor.view();
    for (mesh, poses) in poses.iter_mut().enumerate() {
        let own = scene.instances.iter().position(|instance| instance.mesh.index() == mesh);
        let Some(index) = own else { continue };
        let instance = &scene.instances[index];
        let mut weights = view.weights[scene.weight_range(InstanceId::new(index))].to_vec();
        if let Some(target) = morph {
            if target >= weights.len() {
                continue;
            }
            weights.fill(0.0);
            weights[target] = 1.0;
        }
        let palette = instance.skin.map_or(&[][..], |skin| actor.palette(skin.index()));
        let node = view.model_from_joint[instance.joint.index()];
        poses.push(Pose { palette: palette.to_vec(), node, weights });
    }
}
