//! How far a packed clip is off at the skin itself: every vertex, with its real weights and morphs.
//!
//! In:  a scene, one of its clips, and the packed one.
//! Out: the largest distance of a vertex, over times that lie between frames.
//!
//! Packing bounds the error of every joint's shell. A linearly skinned vertex is a mean of where its joints take it,
//! so it is off by no more; this measures it.

use std::sync::Arc;

use glam::Vec3;
use sinew_motion::{Cursor, sample};
use sinew_pack::Packed;
use sinew_scene::{Clip, InstanceId, Scene};

use crate::{Actor, Vertices};

/// The share of a step by which times are moved, so that they lie on no even frames.
const ODD: f32 = 0.381_966;

/// The largest error of any vertex at `moments` times, in metres. `None` where the scene has no vertex, or the
/// clip was packed against another skeleton.
///
/// ```
/// # use std::sync::Arc;
/// use sinew::pack::{Options, pack};
/// let scene = Arc::new(sinew::demo());
/// let options = Options { error: 0.001, ..Options::default() };
/// let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).unwrap();
/// let skin = sinew::off_at_skin(&scene, &scene.clips[0], &packed, 50).unwrap();
/// assert!(skin <= report.loss);
/// ```
#[must_use]
pub fn off_at_skin<B: AsRef<[u8]>>(
    scene: &Arc<Scene>,
    clip: &Clip,
    packed: &Packed<B>,
    moments: usize,
) -> Option<f32> {
    let vertices = |mesh: &sinew_scene::Mesh| {
        mesh.primitives.iter().any(|primitive| !primitive.positions.is_empty())
    };
    let drawn = |at: usize| vertices(&scene.meshes[scene.instances[at].mesh.index()]);
    if !packed.fits(scene) || !(0..scene.instances.len()).any(drawn) {
        return None;
    }
    let (mut actor, mut cursor) = (Actor::new(Arc::clone(scene)), Cursor::new());
    let (mut exact, mut worst) = (Vec::new(), 0.0);
    for step in 0..moments {
        let time = clip.duration * (step as f32 + ODD) / moments as f32;
        actor.modify(|pose, skeleton| {
            sample(clip, time, &mut cursor, pose);
            pose.to_model(skeleton);
        });
        points(&actor, &mut exact, |known, point| known.push(point));
        actor.modify(|pose, skeleton| {
            packed.sample(time, pose);
            pose.to_model(skeleton);
        });
        let mut at = exact.drain(..);
        points(&actor, &mut worst, |worst: &mut f32, point| {
            *worst = at.next().map_or(*worst, |exact: Vec3| worst.max(exact.distance(point)));
        });
    }
    Some(worst)
}

/// Every vertex of every instance, as it is now.
fn points<T>(actor: &Actor, into: &mut T, mut take: impl FnMut(&mut T, Vec3)) {
    let mut out = Vertices::default();
    for (at, instance) in actor.scene().instances.iter().enumerate() {
        let mesh = &actor.scene().meshes[instance.mesh.index()];
        for primitive in 0..mesh.primitives.len() {
            actor.skin(InstanceId::new(at), primitive, &mut out);
            out.positions.iter().for_each(|&point| take(into, point));
        }
    }
}
