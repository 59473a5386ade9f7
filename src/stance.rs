//! Whether two figures that share joint names hold their arms alike where all joints are at the same rotations.
//!
//! In:  two scenes. Out: by how many degrees their arms differ, at most.
//!
//! Keys are rotations of a joint in its parent. Bound by name they put a bone of the model where they put that of the clip's own
//! figure, if both have it along the same axes of its joint. A figure modelled with its arms down (an A-pose) and one with its arms out (a
//! T-pose), both with joints that are not rotated at rest, have not: the clip then looks added to the wrong pose.

use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::Scene;
use sinew_scene::glam::Vec3;

/// By how many degrees the arms of two figures differ, seen from their shoulders; `None` where one has no arms.
pub(crate) fn arms_apart(from: &Scene, to: &Scene) -> Option<f32> {
    let bodies = [Body::find(from).ok()?, Body::find(to).ok()?];
    let angles = Side::BOTH.into_iter().filter_map(|side| {
        let [a, b] = [0, 1].map(|at| arm([from, to][at], &bodies[at], side));
        let angle = a?.angle_between(b?).to_degrees();
        angle.is_finite().then_some(angle)
    });
    angles.max_by(f32::total_cmp)
}

/// Where the forearm begins, seen from the upper arm.
fn arm(scene: &Scene, body: &Body, side: Side) -> Option<Vec3> {
    let [upper, fore] =
        [BodyPart::UpperArm, BodyPart::Forearm].map(|part| body.joint(Slot::of(side, part)));
    let node = scene.skeleton().node(fore?);
    let arm = node.rest.translation;
    (node.parent == upper && arm.length() > 1e-5).then_some(arm)
}

#[cfg(test)]
mod tests {
    use sinew_import::Imported;
    use sinew_motion::{Cursor, Pose, sample};
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{Clip, Scene};

    use super::*;
    use crate::attach::{ClipFit, Fit, attach};

    /// Ossi as if modelled with the arms down by so many degrees, with joints rotated at rest as they are.
    fn modelled(degrees: f32) -> Scene {
        let mut parts = sinew_ossi::ossi().into_parts();
        parts.clips.clear();
        let ossi = sinew_ossi::ossi();
        let body = Body::find(&ossi).expect("Ossi has a body");
        for (side, sign) in [(Side::Left, -1.0), (Side::Right, 1.0)] {
            let upper = body.joint(Slot::of(side, BodyPart::UpperArm)).expect("an arm");
            let rest = Pose::new(&ossi);
            let model = rest.model_from_joint()[upper.index()].to_scale_rotation_translation().1;
            let down = Quat::from_rotation_z(sign * degrees.to_radians());
            let within = model.inverse() * down * model;
            let children = parts.nodes.iter_mut().filter(|node| node.parent == Some(upper));
            for child in children {
                child.rest.translation = within * child.rest.translation;
                child.rest.rotation = (within * child.rest.rotation).normalize();
            }
        }
        Scene::new(parts).expect("a figure")
    }

    /// Where the right arm points in a clip, over time.
    fn arms(scene: &Scene, clip: &Clip) -> Vec<Vec3> {
        let body = Body::find(scene).expect("a body");
        let [upper, fore] = [BodyPart::UpperArm, BodyPart::Forearm]
            .map(|part| body.joint(Slot::of(Side::Right, part)).expect("an arm").index());
        let mut pose = Pose::new(scene);
        let at = |look: usize| {
            sample(clip, clip.duration * look as f32 / 8.0, &mut Cursor::new(), &mut pose);
            pose.to_model(scene.skeleton());
            let model = pose.model_from_joint();
            Vec3::from(model[fore].translation - model[upper].translation).normalize()
        };
        (0..8).map(at).collect()
    }

    fn with_walk(to: Scene, fit: Fit<'_>) -> (Scene, Clip, ClipFit) {
        let mut parts = sinew_ossi::ossi().into_parts();
        parts.clips.retain(|clip| clip.name == "walk");
        let from = Imported::from(Scene::new(parts).expect("Ossi walks"));
        let (model, mut fits) = attach(Imported::from(to), from, fit).expect("it fits");
        let clip = model.scene.clips[0].clone();
        (model.scene, clip, fits.remove(0))
    }

    #[test]
    fn a_clip_of_a_t_pose_is_retargeted_to_a_figure_modelled_in_an_a_pose() {
        let ossi = sinew_ossi::ossi();
        let walk = ossi.clip("walk").expect("Ossi walks");
        let wanted = arms(&ossi, walk);
        let off = |fit: Fit<'_>| {
            let (scene, clip, how) = with_walk(modelled(40.0), fit);
            let found = arms(&scene, &clip);
            let angles = found.iter().zip(&wanted).map(|(a, b)| a.angle_between(*b).to_degrees());
            (angles.fold(0.0, f32::max), how)
        };
        let (by_names, _) = off(Fit::Names);
        assert!((by_names - 40.0).abs() < 1.0, "{by_names}");
        let (fitted, how) = off(Fit::Best);
        assert!(matches!(&how, ClipFit::Retargeted { reason, .. } if reason.contains("arms")), "{how}");
        assert!(fitted < 5.0, "{fitted}");
    }

    #[test]
    fn arms_that_differ_by_ten_degrees_keep_their_keys() {
        let apart = arms_apart(&sinew_ossi::ossi(), &modelled(10.0)).expect("two with arms");
        assert!((apart - 10.0).abs() < 0.1, "{apart}");
        let (_, _, how) = with_walk(modelled(10.0), Fit::Best);
        assert!(matches!(how, ClipFit::Names { .. }), "{how}");
    }
}
