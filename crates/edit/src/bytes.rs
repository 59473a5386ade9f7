//! Influences whose weights fit in one byte each, where that moves the skin by little.
//!
//! In:  a scene, and how far its skin may be off.
//! Out: the same with the weights of a primitive as 255ths, where no vertex is farther off than that in the poses of its clips.
//!
//! Which weights of a vertex are rounded up and which down is chosen by where that moves it least. A scene without clips has nothing to be measured by, so its joints are bent.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{Clip, Influence, Influences, MeshId, Primitive, Scene, SceneParts, SkinMethod};

/// Poses of all clips together in which vertices are looked at.
const MAX_POSES: usize = 64;
const POSES_OF_A_CLIP: usize = 24;
/// How far each joint is bent where there are no clips, in radians, and how many times the bound may be passed there.
const BENT: f32 = 0.5;
const BENT_TIMES: f32 = 20.0;
/// Of a vertex with more influences than these the nearest bytes are taken.
const MAX_CHOSEN: usize = 4;
const WHOLE: f32 = 255.0;

/// What rounding weights to bytes did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ByteWeights {
    /// Vertices whose weights are bytes now.
    pub vertices: usize,
    /// The farthest that one of them is off in the clips, in metres.
    pub farthest: f32,
    /// The same with every joint bent by 0.5 radians, where there are no clips.
    pub farthest_bent: f32,
}

/// Rounds weights to 255ths in every primitive whose skin stays within `error` metres of where it was, or within twenty times that with
/// all joints bent where the scene has no clips.
pub fn byte_weights(scene: &Scene, parts: &mut SceneParts, error: f32) -> ByteWeights {
    let bent = scene.clips.is_empty();
    let poses = if bent { bent_poses(scene) } else { clip_poses(scene) };
    let allowed = if bent { BENT_TIMES * error } else { error };
    let mut done = ByteWeights::default();
    for mesh in 0..scene.meshes.len() {
        let Some(palettes) = palettes(scene, MeshId::new(mesh), &poses) else { continue };
        for primitive in &mut parts.meshes[mesh].primitives {
            let Some((rounded, farthest)) = rounded(primitive, &palettes, allowed) else {
                continue;
            };
            done.vertices += rounded.len();
            let known = if bent { &mut done.farthest_bent } else { &mut done.farthest };
            *known = known.max(farthest);
            primitive.influences = rounded;
        }
    }
    done
}

/// Poses spread over all clips.
fn clip_poses(scene: &Scene) -> Vec<Pose> {
    let each = (MAX_POSES / scene.clips.len()).clamp(1, POSES_OF_A_CLIP);
    let of_clip = |clip: &Clip| -> Vec<Pose> {
        let mut cursor = Cursor::new();
        (0..each)
            .map(|look| {
                let mut pose = Pose::new(scene);
                let time = clip.duration * (look as f32 + 0.5) / each as f32;
                sample(clip, time, &mut cursor, &mut pose);
                pose.to_model(scene.skeleton());
                pose
            })
            .collect()
    };
    scene.clips.iter().flat_map(of_clip).collect()
}

/// Every joint bent about one axis after the other.
fn bent_poses(scene: &Scene) -> Vec<Pose> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let bent = |axis: Vec3| {
        let mut pose = Pose::new(scene);
        for joint in scene.skeleton().ids() {
            let mut local = pose.local(joint);
            local.rotation *= Quat::from_axis_angle(axis, BENT);
            pose.set_local(joint, local);
        }
        pose.to_model(scene.skeleton());
        pose
    };
    axes.map(bent).into()
}

/// Where the joints of every skin that a mesh is drawn with are in each pose; nothing for a mesh without a skin, or with one that does not
/// add up linearly.
fn palettes(scene: &Scene, mesh: MeshId, poses: &[Pose]) -> Option<Vec<Vec<Affine3A>>> {
    let mut all = Vec::new();
    for instance in scene.instances.iter().filter(|instance| instance.mesh == mesh) {
        let skin = &scene[instance.skin?];
        if skin.method != SkinMethod::Linear {
            return None;
        }
        for pose in poses {
            let mut matrices = vec![Affine3A::IDENTITY; skin.joints.len()];
            sinew_deform::palette(skin, pose.model_from_joint(), &mut matrices);
            all.push(matrices);
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The influences as 255ths with the farthest that a vertex is off; nothing where that is more than allowed, or where they are that already.
fn rounded(
    primitive: &Primitive,
    palettes: &[Vec<Affine3A>],
    allowed: f32,
) -> Option<(Influences, f32)> {
    let influences = &primitive.influences;
    let is_byte = |it: &Influence| (it.weight * WHOLE).round() / WHOLE == it.weight;
    if influences.is_empty() || influences.all().iter().all(is_byte) {
        return None;
    }
    let mut rounded = Influences::with_capacity(influences.len(), influences.most());
    let mut farthest = 0.0_f32;
    let mut places = Vec::new();
    for (position, of_vertex) in primitive.positions.iter().zip(influences.iter()) {
        let sum: f32 = of_vertex.iter().map(|it| it.weight).sum();
        if of_vertex.iter().any(|it| it.weight < 0.0) || !(0.5..2.0).contains(&sum) {
            return None;
        }
        places.clear();
        for matrices in palettes {
            let place = |it: &Influence| {
                matrices[it.joint as usize].transform_point3a(Vec3A::from(*position))
            };
            places.extend(of_vertex.iter().map(place));
        }
        let (wholes, off) = nearest(of_vertex, sum, &places);
        farthest = farthest.max(off);
        if farthest > allowed || !off.is_finite() {
            return None;
        }
        let bytes = of_vertex.iter().zip(wholes);
        rounded.push_exact(
            bytes.map(|(it, whole)| Influence { joint: it.joint, weight: whole as f32 / WHOLE }),
        );
    }
    Some((rounded, farthest))
}

/// The bytes of one vertex that sum to 255 and move it least, and how far that is. `places` are where each of its joints takes it,
/// pose by pose.
fn nearest(of_vertex: &[Influence], sum: f32, places: &[Vec3A]) -> (Vec<u32>, f32) {
    let count = of_vertex.len();
    let shares: Vec<f32> = of_vertex.iter().map(|it| it.weight / sum * WHOLE).collect();
    let floors: Vec<u32> = shares.iter().map(|share| share.floor() as u32).collect();
    let missing = (WHOLE as u32).saturating_sub(floors.iter().sum()) as usize;
    let with = |up: usize| -> Vec<u32> {
        floors.iter().enumerate().map(|(at, floor)| floor + (up >> at & 1) as u32).collect()
    };
    let off = |wholes: &[u32]| -> f32 {
        let of_pose = |places: &[Vec3A]| {
            let parts = of_vertex.iter().zip(wholes).zip(places);
            let moved = parts.fold(Vec3A::ZERO, |moved, ((it, whole), place)| {
                moved + (*whole as f32 / WHOLE - it.weight / sum) * *place
            });
            moved.length_squared()
        };
        places.chunks(count).map(of_pose).fold(0.0, f32::max).sqrt()
    };
    if count <= MAX_CHOSEN && missing <= count {
        let ups = (0..1_usize << count).filter(|up| up.count_ones() as usize == missing);
        let measured = ups.map(with).map(|wholes| (off(&wholes), wholes));
        if let Some((off, wholes)) = measured.min_by(|a, b| a.0.total_cmp(&b.0)) {
            return (wholes, off);
        }
    }
    let wholes = crate::round::rounded(&shares, WHOLE as u32);
    let off = off(&wholes);
    (wholes, off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_only_within_the_bound_and_sum_to_the_whole() {
        let ossi = sinew_ossi::ossi();
        let mut parts = ossi.clone().into_parts();
        let none = byte_weights(&ossi, &mut parts, 1e-7);
        assert_eq!((none.vertices, &parts), (0, &ossi.clone().into_parts()));
        let done = byte_weights(&ossi, &mut parts, 0.01);
        assert!(done.vertices > 0 && done.farthest > 1e-5 && done.farthest < 0.01, "{done:?}");
        let primitives = parts.meshes.iter().flat_map(|mesh| &mesh.primitives);
        for of_vertex in primitives.flat_map(|primitive| primitive.influences.iter()) {
            let wholes = of_vertex.iter().map(|it| (it.weight * WHOLE).round() as u32);
            assert_eq!(wholes.sum::<u32>(), 255, "{of_vertex:?}");
        }
    }

    #[test]
    fn without_clips_all_joints_are_bent() {
        let mut parts = sinew_ossi::ossi().into_parts();
        parts.clips.clear();
        let still = Scene::new(parts.clone()).expect("Ossi without clips");
        let none = byte_weights(&still, &mut parts, 1e-8);
        assert_eq!(none.vertices, 0);
        let done = byte_weights(&still, &mut parts, 1e-3);
        assert!(done.vertices > 0 && done.farthest == 0.0, "{done:?}");
        assert!(done.farthest_bent > 1e-5, "{done:?}");
    }

    #[test]
    fn what_is_rounded_up_is_what_moves_the_vertex_least() {
        // Three joints: two take the vertex to the same place, the third a metre off.
        let weights = [0.4012, 0.3505, 0.2483];
        let of_vertex = [0, 1, 2].map(|at| Influence { joint: at, weight: weights[at as usize] });
        let places = [Vec3A::ZERO, Vec3A::ZERO, Vec3A::X];
        let (wholes, off) = nearest(&of_vertex, 1.0, &places);
        assert_eq!(wholes.iter().sum::<u32>(), 255);
        assert!((wholes[2] as f32 / WHOLE - 0.2483).abs() < 0.002, "{wholes:?}");
        assert!((off - (wholes[2] as f32 / WHOLE - 0.2483).abs()).abs() < 1e-6, "{off}");
    }
}
