//! Influences whose weights fit in one byte each, where that moves the skin by little.
//!
//! In:  a scene, and how far its skin may be off.
//! Out: the same with the weights of a primitive as 255ths, where no vertex is farther off than that in the poses of its clips.
//!
//! Which weights of a vertex are rounded up and which down is chosen by where that moves it least. A scene without clips has nothing to be measured by, so its joints are bent.

use rayon::prelude::*;
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
/// Vertices that are rounded together.
const CHUNK: usize = 1_024;

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
    let (done, found) = find_byte_weights(scene, error);
    for (mesh, primitive, influences) in found {
        parts.meshes[mesh].primitives[primitive].influences = influences;
    }
    done
}

/// What [`byte_weights`] does, without doing it: influences with the numbers of the mesh and the primitive that they are for.
#[must_use]
pub fn find_byte_weights(
    scene: &Scene,
    error: f32,
) -> (ByteWeights, Vec<(usize, usize, Influences)>) {
    let bent = scene.clips.is_empty();
    let poses = if bent { bent_poses(scene) } else { clip_poses(scene) };
    let allowed = if bent { BENT_TIMES * error } else { error };
    let mut done = ByteWeights::default();
    let mut all = Vec::new();
    for (mesh, shape) in scene.meshes.iter().enumerate() {
        let Some(palettes) = palettes(scene, MeshId::new(mesh), &poses) else { continue };
        for (at, primitive) in shape.primitives.iter().enumerate() {
            let Some((rounded, farthest)) = rounded(primitive, &palettes, allowed) else {
                continue;
            };
            done.vertices += rounded.len();
            let known = if bent { &mut done.farthest_bent } else { &mut done.farthest };
            *known = known.max(farthest);
            all.push((mesh, at, rounded));
        }
    }
    (done, all)
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
    let vertices: Vec<usize> = (0..influences.len()).collect();
    let rows: Option<Vec<(Vec<Influence>, f32)>> = vertices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut rounder = Rounder::default();
            let mut rounded = Vec::with_capacity(4 * chunk.len());
            let mut farthest = 0.0_f32;
            for &vertex in chunk {
                let of_vertex = influences.of(vertex);
                let off = rounder.vertex(of_vertex, primitive.positions[vertex], palettes)?;
                farthest = farthest.max(off);
                if farthest > allowed || !off.is_finite() {
                    return None;
                }
                let bytes = of_vertex.iter().zip(&rounder.wholes);
                rounded.extend(
                    bytes.map(|(it, &whole)| Influence { weight: whole as f32 / WHOLE, ..*it }),
                );
            }
            Some((rounded, farthest))
        })
        .collect();
    let rows = rows?;
    let mut made = Influences::with_capacity(influences.len(), influences.most());
    let mut all = rows.iter().flat_map(|(rounded, _)| rounded).copied();
    for of_vertex in influences.iter() {
        made.push_exact(all.by_ref().take(of_vertex.len()));
    }
    Some((made, rows.iter().map(|(_, farthest)| *farthest).fold(0.0, f32::max)))
}

/// Finds the bytes of one vertex after another, in memory that is used again.
#[derive(Default)]
struct Rounder {
    /// What it found last.
    wholes: Vec<u32>,
    shares: Vec<f32>,
    tried: Vec<u32>,
    /// Where each joint takes the vertex, pose by pose.
    places: Vec<Vec3A>,
}

impl Rounder {
    /// The bytes that sum to 255 and move the vertex least; how far that is. Nothing for weights that are no shares.
    fn vertex(
        &mut self,
        of_vertex: &[Influence],
        position: Vec3,
        palettes: &[Vec<Affine3A>],
    ) -> Option<f32> {
        let sum: f32 = of_vertex.iter().map(|it| it.weight).sum();
        if of_vertex.iter().any(|it| it.weight < 0.0) || !(0.5..2.0).contains(&sum) {
            return None;
        }
        self.wholes.clear();
        // Weights that are bytes already move nothing.
        let is_byte = |it: &Influence| (it.weight * WHOLE).round() / WHOLE == it.weight;
        if sum == 1.0 && of_vertex.iter().all(is_byte) {
            self.wholes.extend(of_vertex.iter().map(|it| (it.weight * WHOLE).round() as u32));
            if self.wholes.iter().sum::<u32>() == WHOLE as u32 {
                return Some(0.0);
            }
        }
        self.places.clear();
        for matrices in palettes {
            let place = |it: &Influence| {
                matrices[it.joint as usize].transform_point3a(Vec3A::from(position))
            };
            self.places.extend(of_vertex.iter().map(place));
        }
        Some(self.nearest(of_vertex, sum))
    }

    fn nearest(&mut self, of_vertex: &[Influence], sum: f32) -> f32 {
        let count = of_vertex.len();
        self.shares.clear();
        self.shares.extend(of_vertex.iter().map(|it| it.weight / sum * WHOLE));
        let floors: u32 = self.shares.iter().map(|share| share.floor() as u32).sum();
        let missing = (WHOLE as u32).saturating_sub(floors) as usize;
        let mut best = f32::INFINITY;
        if count <= MAX_CHOSEN && missing <= count {
            for up in (0..1_usize << count).filter(|up| up.count_ones() as usize == missing) {
                self.tried.clear();
                let shares = self.shares.iter().enumerate();
                self.tried
                    .extend(shares.map(|(at, share)| share.floor() as u32 + (up >> at & 1) as u32));
                let off = off(of_vertex, sum, &self.tried, &self.places, best);
                if off < best {
                    best = off;
                    std::mem::swap(&mut self.wholes, &mut self.tried);
                }
            }
        }
        if best.is_finite() {
            return best.sqrt();
        }
        self.wholes = crate::round::rounded(&self.shares, WHOLE as u32);
        off(of_vertex, sum, &self.wholes, &self.places, f32::INFINITY).sqrt()
    }
}

/// The square of how far these bytes move a vertex at most; or no less than `enough`.
fn off(of_vertex: &[Influence], sum: f32, wholes: &[u32], places: &[Vec3A], enough: f32) -> f32 {
    let mut more = [0.0_f32; MAX_CHOSEN];
    let few = of_vertex.len() <= MAX_CHOSEN;
    if few {
        for (more, (it, whole)) in more.iter_mut().zip(of_vertex.iter().zip(wholes)) {
            *more = *whole as f32 / WHOLE - it.weight / sum;
        }
    }
    let mut most = 0.0_f32;
    for places in places.chunks_exact(of_vertex.len().max(1)) {
        let moved = if few {
            let parts = more.iter().zip(places);
            parts.fold(Vec3A::ZERO, |moved, (more, place)| moved + *more * *place)
        } else {
            let parts = of_vertex.iter().zip(wholes).zip(places);
            parts.fold(Vec3A::ZERO, |moved, ((it, whole), place)| {
                moved + (*whole as f32 / WHOLE - it.weight / sum) * *place
            })
        };
        most = most.max(moved.length_squared());
        if most >= enough {
            break;
        }
    }
    most
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
        let mut rounder = Rounder { places: places.into(), ..Rounder::default() };
        let off = rounder.nearest(&of_vertex, 1.0);
        let wholes = rounder.wholes;
        assert_eq!(wholes.iter().sum::<u32>(), 255);
        assert!((wholes[2] as f32 / WHOLE - 0.2483).abs() < 0.002, "{wholes:?}");
        assert!((off - (wholes[2] as f32 / WHOLE - 0.2483).abs()).abs() < 1e-6, "{off}");
    }
}
