//! Clips of a figure in one stance on another that was modelled in another.

use sinew::glam::{Quat, Vec3};
use sinew::motion::{Cursor, Pose, sample};
use sinew::retarget::{Body, BodyPart, Side, Slot};
use sinew::{Clip, ClipFit, Fit, Imported, Model, Scene};

/// Ossi as if modelled with the arms down by so many degrees, with joints rotated at rest as they are.
fn modelled(degrees: f32) -> Scene {
    let mut parts = sinew::ossi().into_parts();
    parts.clips.clear();
    let ossi = sinew::ossi();
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
    // Bound as it is modelled.
    let rest = Pose::new(&Scene::new(parts.clone()).expect("a figure"));
    for skin in &mut parts.skins {
        for (joint, bind) in skin.joints.iter().zip(&mut skin.joint_from_mesh) {
            *bind = rest.model_from_joint()[joint.index()].inverse();
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

fn with_walk(to: Scene, fit: Fit<'_>) -> (Model, ClipFit) {
    let mut parts = sinew::ossi().into_parts();
    parts.clips.retain(|clip| clip.name == "walk");
    let from = Model::from(Imported::from(Scene::new(parts).expect("Ossi walks")));
    let mut model = Model::from(Imported::from(to));
    model.add_model("walk", from, fit).expect("it fits");
    let how = model.clips[0].fit.clone();
    (model, how)
}

#[test]
fn a_clip_of_a_t_pose_is_retargeted_to_a_figure_modelled_in_an_a_pose() {
    let ossi = sinew::ossi();
    let walk = ossi.clip("walk").expect("Ossi walks");
    let wanted = arms(&ossi, walk);
    let off = |fit: Fit<'_>| {
        let (model, how) = with_walk(modelled(40.0), fit);
        let found = arms(&model.scene, &model.scene.clips[0]);
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
    let (_, how) = with_walk(modelled(10.0), Fit::Best);
    assert!(matches!(how, ClipFit::Names { .. }), "{how}");
}
