//! Fewer influences per vertex, and what that costs.
//!
//! In:  a scene, and how many influences a vertex may have.
//! Out: a scene whose vertices keep their largest, made to sum to one; and how far any vertex is off for it, in all clips.

use rayon::prelude::*;
use sinew_deform::{Binding, Vertices, deform, palette};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::Affine3A;
use sinew_scene::{Clip, Geometry, Influence, Influences, InstanceId, Primitive, Scene};

use crate::EditError;

/// Times of each clip at which vertices are compared.
const LOOKS: usize = 24;

/// What limiting influences did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct InfluenceLoss {
    /// How many vertices had more.
    pub vertices: usize,
    /// How many influences the fullest had.
    pub most: usize,
    /// The farthest that any vertex is off in any clip, in metres.
    pub farthest: f32,
}

/// Keeps the largest `most` influences of every vertex.
///
/// # Errors
/// When `most` is zero.
pub fn limit_influences(scene: Scene, most: usize) -> Result<(Scene, InfluenceLoss), EditError> {
    if most == 0 {
        let (what, expected) = ("influences", "at least one");
        return Err(EditError::Number { what, expected, found: 0.0 });
    }
    let over = |primitive: &Primitive| {
        primitive.influences.iter().filter(|influences| influences.len() > most).count()
    };
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices = primitives().map(over).sum();
    if vertices == 0 {
        return Ok((scene, InfluenceLoss::default()));
    }
    let fullest = primitives().map(|primitive| primitive.influences.most()).max().unwrap_or(0);
    let limited: Vec<Vec<Influences>> = scene
        .meshes
        .iter()
        .map(|mesh| mesh.primitives.iter().map(|it| limit(&it.influences, most)).collect())
        .collect();
    let farthest = farthest(&scene, &limited);
    let mut parts = scene.into_parts();
    for (mesh, limited) in parts.meshes.iter_mut().zip(limited) {
        for (primitive, influences) in mesh.primitives.iter_mut().zip(limited) {
            primitive.influences = influences;
        }
    }
    Ok((Scene::new(parts)?, InfluenceLoss { vertices, most: fullest, farthest }))
}

fn limit(influences: &Influences, most: usize) -> Influences {
    let mut limited = Influences::with_capacity(influences.len(), most);
    for of_vertex in influences.iter() {
        if of_vertex.len() <= most {
            limited.push_exact(of_vertex.iter().copied());
            continue;
        }
        let mut sorted: Vec<Influence> = of_vertex.to_vec();
        // Of equal ones the first stays.
        sorted.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        limited.push(sorted.into_iter().take(most));
    }
    limited
}

/// How far limited influences put any vertex off, in any clip.
fn farthest(scene: &Scene, limited: &[Vec<Influences>]) -> f32 {
    let clips = scene.clips.par_iter().map(|clip| {
        let times = (0..LOOKS).map(|look| clip.duration * look as f32 / (LOOKS - 1) as f32);
        of_clip(scene, limited, Some(clip), times)
    });
    let rest = of_clip(scene, limited, None, std::iter::once(0.0));
    clips.reduce(|| rest, f32::max)
}

fn of_clip(
    scene: &Scene,
    limited: &[Vec<Influences>],
    clip: Option<&Clip>,
    times: impl Iterator<Item = f32>,
) -> f32 {
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let mut worst = 0.0_f32;
    for time in times {
        if let Some(clip) = clip {
            sample(clip, time, &mut cursor, &mut pose);
        }
        pose.to_model(scene.skeleton());
        worst = worst.max(of_pose(scene, limited, &pose));
    }
    worst
}

fn of_pose(scene: &Scene, limited: &[Vec<Influences>], pose: &Pose) -> f32 {
    let mut worst = 0.0_f32;
    let [mut before, mut after] = [(); 2].map(|()| Vertices::default());
    for (at, instance) in scene.instances.iter().enumerate() {
        let Some(skin) = instance.skin.map(|skin| &scene[skin]) else { continue };
        let mut matrices = vec![Affine3A::IDENTITY; skin.joints.len()];
        palette(skin, pose.model_from_joint(), &mut matrices);
        let binding = Binding::Skinned {
            method: skin.method,
            model_from_mesh: &matrices,
            without_influence: pose.model_from_joint()[instance.joint.index()],
        };
        let weights = pose.weights(InstanceId::new(at));
        let mesh = &scene[instance.mesh];
        for (primitive, influences) in mesh.primitives.iter().zip(&limited[instance.mesh.index()]) {
            // Only vertices that lost something, without what positions do not need.
            let lost: Vec<usize> = (0..primitive.influences.len())
                .filter(|&vertex| {
                    primitive.influences.of(vertex).len() > influences.of(vertex).len()
                })
                .collect();
            if lost.is_empty() {
                continue;
            }
            deform(&part(primitive, &primitive.influences, &lost), weights, binding, &mut before);
            deform(&part(primitive, influences, &lost), weights, binding, &mut after);
            let pairs = before.positions.iter().zip(&after.positions);
            worst = pairs.map(|(a, b)| a.distance(*b)).fold(worst, f32::max);
        }
    }
    worst
}

/// Some vertices of a primitive, their positions alone.
fn part(primitive: &Primitive, influences: &Influences, vertices: &[usize]) -> Primitive {
    let mut part = Geometry {
        positions: vertices.iter().map(|&vertex| primitive.positions[vertex]).collect(),
        ..Geometry::default()
    };
    for &vertex in vertices {
        part.influences.push_exact(influences.of(vertex).iter().copied());
    }
    if !primitive.dual_weights.is_empty() {
        part.dual_weights = vertices.iter().map(|&vertex| primitive.dual_weights[vertex]).collect();
    }
    for morph in &primitive.morphs {
        let positions = vertices.iter().filter_map(|&vertex| morph.positions.get(vertex).copied());
        part.morphs.push(sinew_scene::MorphTarget {
            positions: positions.collect(),
            ..Default::default()
        });
    }
    part.into()
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{
        Curve, Instance, Interpolation, JointId, Mesh, MeshId, Node, SceneParts, Skin, SkinId,
        Track, Transform,
    };

    use super::*;

    #[test]
    fn the_largest_stay_sum_to_one_and_what_is_lost_is_measured_in_motion() {
        // Three joints; the clip lifts the third by 1 m, which has a fifth of the vertex.
        let mut influences = Influences::default();
        let influence = |joint, weight| Influence { joint, weight };
        influences.push([influence(0, 0.3), influence(1, 0.5), influence(2, 0.2)]);
        let primitive = Primitive::from(Geometry {
            positions: vec![Vec3::X],
            influences,
            ..Geometry::default()
        });
        let node = || Node::new("", None, Transform::IDENTITY);
        let values = vec![Vec3::ZERO, Vec3::Y];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Linear).expect("two keys");
        let translations = vec![Track { joint: JointId::new(2), curve }];
        let scene = Scene::new(SceneParts {
            nodes: vec![node(), node(), node()],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![Instance {
                joint: JointId::new(0),
                mesh: MeshId::new(0),
                skin: Some(SkinId::new(0)),
                weights: Vec::new(),
            }],
            skins: vec![Skin {
                joints: [0, 1, 2].map(JointId::new).into(),
                joint_from_mesh: vec![Affine3A::IDENTITY; 3],
                ..Skin::default()
            }],
            clips: vec![Clip { duration: 1.0, translations, ..Clip::default() }],
            ..SceneParts::default()
        });
        let (scene, loss) = limit_influences(scene.expect("the parts fit"), 2).expect("two");
        let left = scene.meshes[0].primitives[0].influences.of(0);
        assert_eq!(left, [influence(1, 0.625), influence(0, 0.375)]);
        assert_eq!((loss.vertices, loss.most), (1, 3));
        assert!((loss.farthest - 0.2).abs() < 1e-6, "{}", loss.farthest);
        let (same, loss) = limit_influences(scene.clone(), 4).expect("four");
        assert_eq!((same, loss), (scene, InfluenceLoss::default()));
    }
}
