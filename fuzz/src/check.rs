//! What must hold of everything that can be read: poses and vertices are finite, and what is written is read again.

use sinew::export::{BvhOptions, FbxOptions, GltfOptions, bvh, fbx, glb, skeleton_anim};
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
                    assert!(large || out.positions.iter().all(|point| point.is_finite()), "a vertex is not finite");
                }
            }
        }
    }
}

/// Import, sample, skin, export in every format, import again.
pub fn whole_path(bytes: &[u8]) {
    let Ok(imported) = sinew::import::read(bytes, &NoFiles) else { return };
    let scene = imported.scene;
    if scene.skeleton().len() <= 256 && scene.clips.iter().all(|clip| clip.duration <= 60.0) {
        write(&scene);
    }
    play(scene);
}

/// What a writer makes of a scene must be read again.
fn write(scene: &Scene) {
    if let Ok(written) = glb(scene, &GltfOptions::default()) {
        let again = import(Format::Gltf, &written.bytes);
        assert!(again.is_some_and(|again| again.clips.len() <= scene.clips.len()), "a GLB that was written cannot be read");
    }
    if let Ok(written) = fbx(scene, &FbxOptions::default()) {
        assert!(import(Format::Fbx, &written.bytes).is_some(), "an FBX that was written cannot be read");
    }
    for clip in scene.clips.iter().take(1) {
        if let Ok(written) = skeleton_anim(scene, clip) {
            assert!(import(Format::SkeletonAnim, &written).is_some(), "a .skeleton_anim that was written cannot be read");
        }
        if let Ok(written) = bvh(scene, clip, &BvhOptions::default()) {
            assert!(import(Format::Bvh, &written.bytes).is_some(), "a BVH that was written cannot be read");
        }
    }
}
