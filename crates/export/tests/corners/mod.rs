//! Two scenes against each other, corner by corner of every polygon, in the rest pose and at moments of their clips.

use glam::{Affine3A, Vec3};
use sinew_deform::{Binding, Vertices, deform, palette};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, InstanceId, JointId, Scene, Topology};

/// How far apart two scenes are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Apart {
    /// The farthest that two corners are from each other, in metres.
    pub(crate) worst: f32,
    /// The size of the first scene, in metres.
    pub(crate) size: f32,
}

impl Apart {
    pub(crate) fn relative(self) -> f32 {
        self.worst / self.size.max(1e-6)
    }
}

pub(crate) fn posed(scene: &Scene, clip: Option<&Clip>, time: f32) -> Pose {
    let mut pose = Pose::new(scene);
    if let Some(clip) = clip {
        sample(clip, time, &mut Cursor::new(), &mut pose);
        pose.to_model(scene.skeleton());
    }
    pose
}

/// The corners of an instance's polygons, material after material, triangles before lines before points.
pub(crate) fn corners(scene: &Scene, pose: &Pose, id: InstanceId) -> Vec<Vec3> {
    let instance = &scene[id];
    let node = pose.model_from_joint()[instance.joint.index()];
    let mesh = &scene[instance.mesh];
    let mut matrices = Vec::new();
    if let Some(skin) = instance.skin {
        matrices.resize(scene[skin].joints.len(), Affine3A::IDENTITY);
        palette(&scene[skin], pose.model_from_joint(), &mut matrices);
    }
    let mut slots = Vec::new();
    for part in mesh.primitives.iter().filter(|part| !part.indices.is_empty()) {
        if !slots.contains(&part.material) {
            slots.push(part.material);
        }
    }
    let mut all = Vec::new();
    for slot in slots {
        for topology in [Topology::Triangles, Topology::Lines, Topology::Points] {
            let parts = mesh.primitives.iter();
            for part in parts.filter(|part| part.material == slot && part.topology == topology) {
                let binding = match instance.skin {
                    Some(skin) => Binding::Skinned {
                        method: scene[skin].method,
                        model_from_mesh: &matrices,
                        without_influence: node,
                    },
                    None => Binding::Rigid(node),
                };
                let mut out = Vertices::default();
                deform(part, pose.weights(id), binding, &mut out);
                all.extend(part.indices.iter().map(|&at| out.positions[at as usize]));
            }
        }
    }
    all
}

fn all_corners(scene: &Scene, pose: &Pose) -> Vec<Vec<Vec3>> {
    let ids = (0..scene.instances.len()).map(InstanceId::new);
    let all = ids.map(|id| corners(scene, pose, id));
    all.collect()
}

fn worst(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Which instance of the second scene is which of the first: as many corners, and nearest at rest.
pub(crate) fn pairs(one: &Scene, other: &Scene) -> Result<Vec<(usize, usize)>, String> {
    let [a, b] = [one, other].map(|scene| all_corners(scene, &Pose::new(scene)));
    let mut free: Vec<usize> = (0..b.len()).collect();
    let mut pairs = Vec::new();
    for (at, corners) in a.iter().enumerate().filter(|(_, corners)| !corners.is_empty()) {
        let fits = free.iter().enumerate().filter(|(_, to)| b[**to].len() == corners.len());
        let best = fits
            .min_by(|(_, x), (_, y)| worst(corners, &b[**x]).total_cmp(&worst(corners, &b[**y])));
        let Some((place, _)) = best else {
            let counts: Vec<usize> = free.iter().map(|&to| b[to].len()).collect();
            return Err(format!("no mesh with {} corners, but {counts:?}", corners.len()));
        };
        pairs.push((at, free.remove(place)));
    }
    Ok(pairs)
}

/// Compares two scenes in a pose each.
pub(crate) fn apart(
    one: (&Scene, &Pose),
    other: (&Scene, &Pose),
    pairs: &[(usize, usize)],
) -> Apart {
    let mut found = Apart::default();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &(a, b) in pairs {
        let a = corners(one.0, one.1, InstanceId::new(a));
        let b = corners(other.0, other.1, InstanceId::new(b));
        found.worst = found.worst.max(worst(&a, &b));
        for point in a {
            low = low.min(point);
            high = high.max(point);
        }
    }
    // Scenes that draw nothing are compared by their joints.
    for (a, b) in joints(one.0, other.0).into_iter().filter(|_| pairs.is_empty()) {
        let place =
            |pose: &Pose, at: JointId| Vec3::from(pose.model_from_joint()[at.index()].translation);
        let (here, there) = (place(one.1, a), place(other.1, b));
        found.worst = found.worst.max(here.distance(there));
        low = low.min(here);
        high = high.max(here);
    }
    found.size = (high - low).length();
    found
}

/// Nodes of one name, the first with the first.
fn joints(one: &Scene, other: &Scene) -> Vec<(JointId, JointId)> {
    let mut free: Vec<JointId> = other.skeleton().ids().collect();
    let ids = one.skeleton().ids();
    let same = ids.filter_map(|id| {
        let place = free.iter().position(|found| other[*found].name == one[id].name)?;
        Some((id, free.remove(place)))
    });
    same.collect()
}

/// The worst over the rest pose and `moments` of every clip, clips paired by their order.
pub(crate) fn compare(one: &Scene, other: &Scene, moments: usize) -> Result<Apart, String> {
    let pairs = pairs(one, other)?;
    let mut most = apart((one, &Pose::new(one)), (other, &Pose::new(other)), &pairs);
    if one.clips.len() != other.clips.len() {
        return Err(format!("{} clips, then {}", one.clips.len(), other.clips.len()));
    }
    for (a, b) in one.clips.iter().zip(&other.clips) {
        for moment in 0..moments {
            // Moments that are no keys of anything, and the end.
            let time = a.duration * ((moment as f32 + 0.37) / (moments as f32 - 0.63)).min(1.0);
            let poses = [posed(one, Some(a), time), posed(other, Some(b), time)];
            let found = apart((one, &poses[0]), (other, &poses[1]), &pairs);
            if found.worst > most.worst {
                most = found;
            }
        }
    }
    Ok(most)
}
