//! Tracks that stay at rest, where other clips move the same.
//!
//! In:  the clips of a scene, and the same clips thinned, in the same order.
//! Out: a clip that drove something at rest, which another clip takes elsewhere, has one key there with the rest value.
//!
//! Sinew starts every pose from rest. Engines that set only what a clip has would leave a joint as the clip before left it.

use std::collections::HashSet;
use std::hash::Hash;

use sinew_scene::{
    Clip, Curve, Interpolation, JointId, PropertyTrack, Rows, Scene, Track, WeightTrack,
};

/// Puts those keys into `thin`, the clips of `scene` with fewer keys, as [`reduce_all`](crate::reduce_all) does. For clips that
/// were thinned on their own.
///
/// ```
/// use sinew_edit::{ReduceOptions, SkinPoints, keep_at_rest, reduce};
/// let ossi = sinew_ossi::ossi();
/// let points = SkinPoints::new(&ossi);
/// let options = ReduceOptions::default();
/// let thin = |clip| reduce(&ossi, &points, clip, &options).clip;
/// let mut clips: Vec<_> = ossi.clips.iter().map(thin).collect();
/// let tracks = clips[0].track_count();
/// keep_at_rest(&ossi, &mut clips.iter_mut().collect::<Vec<_>>());
/// assert!(clips[0].track_count() > tracks);
/// ```
pub fn keep_at_rest(scene: &Scene, thin: &mut [&mut Clip]) {
    let rest = |joint: JointId| scene[joint].rest;
    keep(
        scene,
        thin,
        |clip| &clip.translations,
        |clip| &mut clip.translations,
        |track| track.joint,
        |track| {
            let curve = Curve::constant(rest(track.joint).translation);
            Some(Track { joint: track.joint, curve })
        },
    );
    keep(
        scene,
        thin,
        |clip| &clip.rotations,
        |clip| &mut clip.rotations,
        |track| track.joint,
        |track| {
            let curve = Curve::constant(rest(track.joint).rotation);
            Some(Track { joint: track.joint, curve })
        },
    );
    keep(
        scene,
        thin,
        |clip| &clip.scales,
        |clip| &mut clip.scales,
        |track| track.joint,
        |track| {
            let curve = Curve::constant(rest(track.joint).scale);
            Some(Track { joint: track.joint, curve })
        },
    );
    keep(
        scene,
        thin,
        |clip| &clip.weights,
        |clip| &mut clip.weights,
        |track| track.instance,
        |track| {
            let rows = held(&scene[track.instance].weights)?;
            Some(WeightTrack { instance: track.instance, rows })
        },
    );
    keep(
        scene,
        thin,
        |clip| &clip.properties,
        |clip| &mut clip.properties,
        |track| track.property,
        |track| {
            let rows = held(&scene[track.property].rest[..track.rows.width()])?;
            Some(PropertyTrack { property: track.property, rows })
        },
    );
}

/// These numbers all the time.
fn held(row: &[f32]) -> Option<Rows> {
    Rows::new([0.0], row.to_vec(), row.len(), Interpolation::Step).ok()
}

/// The same for tracks of one kind.
fn keep<T, K: Hash + Eq>(
    scene: &Scene,
    thin: &mut [&mut Clip],
    tracks: impl Fn(&Clip) -> &Vec<T>,
    tracks_mut: impl Fn(&mut Clip) -> &mut Vec<T>,
    target: impl Fn(&T) -> K,
    at_rest: impl Fn(&T) -> Option<T>,
) {
    let moved: HashSet<K> = thin.iter().flat_map(|thin| tracks(thin)).map(&target).collect();
    for (clip, thin) in scene.clips.iter().zip(thin) {
        let thin = tracks_mut(thin);
        let mut known: HashSet<K> = thin.iter().map(&target).collect();
        let left_out = tracks(clip).iter().filter(|track| {
            let target = target(track);
            moved.contains(&target) && known.insert(target)
        });
        thin.extend(left_out.filter_map(&at_rest));
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{Node, SceneParts, Transform};

    use super::super::{ReduceOptions, reduce_all};
    use super::*;

    #[test]
    fn what_one_clip_moves_has_a_key_at_rest_in_clips_that_had_it_there() {
        let key = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        let turn = |joint, to: f32| {
            let curve = Curve::new([0.0, 1.0], vec![key(0.0), key(to)], Interpolation::Linear);
            Track { joint: JointId::new(joint), curve: curve.expect("two keys, two values") }
        };
        let clip = |name: &str, rotations| Clip {
            name: name.into(),
            duration: 1.0,
            rotations,
            ..Clip::default()
        };
        // The second joint waves in one clip alone, the third in none.
        let clips = vec![
            clip("wave", vec![turn(0, 20.0), turn(1, 30.0), turn(2, 0.0)]),
            clip("walk", vec![turn(0, 40.0), turn(1, 0.0), turn(2, 0.0)]),
            clip("nod", vec![turn(0, 10.0)]),
        ];
        let node = |name: &str, parent: Option<usize>| {
            let rest = Transform { translation: Vec3::Y, ..Transform::IDENTITY };
            Node::new(name, parent.map(JointId::new), rest)
        };
        let nodes = vec![
            node("hip", None),
            node("arm", Some(0)),
            node("hand", Some(1)),
            node("tip", Some(2)),
        ];
        let scene = Scene::new(SceneParts { nodes, clips, ..SceneParts::default() });
        let scene = scene.expect("a chain of four");
        let reduced =
            reduce_all(&scene, &ReduceOptions { error: 1e-3, ..ReduceOptions::default() });
        let rotations: Vec<Vec<(usize, usize)>> = reduced
            .iter()
            .map(|reduced| {
                let tracks = reduced.clip.rotations.iter();
                tracks.map(|track| (track.joint.index(), track.curve.times().len())).collect()
            })
            .collect();
        // Joint and keys. "nod" never had the second joint: whether that is meant is not ours to say.
        assert_eq!(rotations, [vec![(0, 2), (1, 2)], vec![(0, 2), (1, 1)], vec![(0, 2)]]);
        assert_eq!(reduced[1].clip.rotations[1].curve.values(), [Quat::IDENTITY]);
    }
}
