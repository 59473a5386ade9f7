//! Clips that walk away, played on the spot.
//!
//! In:  a scene.
//! Out: the same, with clips that end where they began over the floor.
//!
//! A crowd plays its sampled clips over and over, so who walks away would jump back at every start. What a clip carries its
//! topmost walking joint over the floor, from its first moment to its last, is taken out at an even pace.

use sinew::glam::{Affine3A, Vec3};
use sinew::scene::{Interpolation, SceneError};
use sinew::stage::walker;
use sinew::{JointId, Scene};

/// Less than this share of the skeleton's size is no walk.
const STILL: f32 = 1e-3;

/// The pace that a track of a clip has too much.
struct Walk {
    clip: usize,
    track: usize,
    /// Metres of the joint's parent a second.
    pace: Vec3,
}

/// Gives the scene, and how many clips were changed.
pub(crate) fn hold(scene: Scene) -> Result<(Scene, usize), SceneError> {
    let walks: Vec<Walk> = (0..scene.clips.len()).filter_map(|at| walk(&scene, at)).collect();
    if walks.is_empty() {
        return Ok((scene, 0));
    }
    let mut parts = scene.into_parts();
    for Walk { clip, track, pace } in &walks {
        let curve = &mut parts.clips[*clip].translations[*track].curve;
        let (each, times) = (curve.interpolation().values_per_key(), curve.times().clone());
        for (values, time) in curve.values_mut().chunks_mut(each).zip(times.iter()) {
            take(values, *pace, *time);
        }
    }
    Ok((Scene::new(parts)?, walks.len()))
}

fn walk(scene: &Scene, at: usize) -> Option<Walk> {
    let clip = &scene.clips[at];
    let duration = clip.duration;
    if clip.translations.is_empty() || duration <= 0.0 {
        return None;
    }
    let joint = walker(scene, at)?;
    let model_from_parent = above(scene, at, joint)?;
    let track = clip.translations.iter().rposition(|track| track.joint == joint)?;
    let curve = &clip.translations[track].curve;
    let each = curve.interpolation().values_per_key();
    let value = |key: usize| curve.values().get(key * each + each / 2).copied();
    let root_motion = value(curve.times().len() - 1)? - value(0)?;
    let over_floor = model_from_parent.transform_vector3(root_motion).with_y(0.0);
    let away = model_from_parent.inverse().transform_vector3(over_floor);
    let size = scene.skeleton().nodes().iter().map(|node| node.rest.translation.length());
    let size = model_from_parent.matrix3.determinant().abs().cbrt() * size.fold(0.0, f32::max);
    let walks = over_floor.length() > STILL * size && away.is_finite();
    let holds = curve.interpolation() == Interpolation::Step;
    (walks && !holds).then(|| Walk { clip: at, track, pace: away / duration })
}

/// Takes an even pace out of a key: its value, or tangent, value and tangent.
fn take(values: &mut [Vec3], pace: Vec3, seconds: f32) {
    match values {
        [value] => *value -= pace * seconds,
        [before, value, after] => {
            *before -= pace;
            *value -= pace * seconds;
            *after -= pace;
        }
        _ => {}
    }
}

/// Where the joint's parent stands; `None` where the clip moves that, too.
fn above(scene: &Scene, clip: usize, joint: JointId) -> Option<Affine3A> {
    let (skeleton, clip) = (scene.skeleton(), &scene.clips[clip]);
    let mut model_from_parent = Affine3A::IDENTITY;
    let mut next = skeleton.parents()[joint.index()];
    while let Some(parent) = next {
        let turned = clip.rotations.iter().any(|track| track.joint == parent);
        if turned || clip.scales.iter().any(|track| track.joint == parent) {
            return None;
        }
        model_from_parent = skeleton.node(parent).parent_from_node() * model_from_parent;
        next = skeleton.parents()[parent.index()];
    }
    Some(model_from_parent)
}

#[cfg(test)]
mod tests {
    use sinew::motion::{Cursor, Pose, sample};

    use super::*;

    #[test]
    fn ossi_walks_on_the_spot_and_stands_and_jumps_as_before() {
        let before = sinew::ossi();
        let (after, held) = hold(sinew::ossi()).expect("a scene");
        assert!(held >= 2, "{held}");
        let root = JointId::new(0);
        let place = |scene: &Scene, name: &str, share: f32| {
            let clip = scene.clips.iter().find(|clip| clip.name == name).expect(name);
            let mut pose = Pose::new(scene);
            sample(clip, clip.duration * share, &mut Cursor::new(), &mut pose);
            pose.to_model(scene.skeleton());
            let walker = scene.skeleton().find("root").unwrap_or(root);
            Vec3::from(pose.model_from_joint()[walker.index()].translation)
        };
        // 1.4 metres in a second.
        assert!((place(&before, "walk", 1.0) - place(&before, "walk", 0.0)).length() > 1.3);
        for share in [0.0, 0.25, 0.5, 1.0] {
            let gone = place(&after, "walk", share) - place(&after, "walk", 0.0);
            assert!(gone.with_y(0.0).length() < 0.02, "{share}: {gone}");
            let (then, now) = (place(&before, "idle", share), place(&after, "idle", share));
            assert!(then.distance(now) < 1e-3, "{share}: {then} {now}");
        }
    }
}
