//! A scene turned as a whole, so that another axis points up.
//!
//! In:  the parts of a scene, Y up.
//! Out: the same with every root turned; what is below comes with it.

use sinew_scene::SceneParts;
use sinew_scene::glam::{Affine3A, Quat};

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As in Sinew and in glTF.
    #[default]
    Y,
    /// As in Blender, 3ds Max and Unreal: what was up along Y is up along Z, and what came towards +Z goes to -Y.
    Z,
}

/// Turns a scene that has Y up so that `up` does.
///
/// A turned root has its clips turned with it: its keys are those of the turned node.
pub fn turn_up(parts: &mut SceneParts, up: Up) {
    if up == Up::Y {
        return;
    }
    let turn_by = Quat::from_rotation_x(90_f32.to_radians());
    turn(parts, turn_by);
    parts.file_from_world *= Affine3A::from_quat(turn_by.conjugate());
}

/// Turns a scene as a whole, with its clips: every root about the origin.
pub fn turn(parts: &mut SceneParts, turn: Quat) {
    let is_root: Vec<bool> = parts.nodes.iter().map(|node| node.parent.is_none()).collect();
    for node in parts.nodes.iter_mut().filter(|node| node.parent.is_none()) {
        node.rest.translation = turn * node.rest.translation;
        node.rest.rotation = (turn * node.rest.rotation).normalize();
    }
    for clip in &mut parts.clips {
        for track in clip.translations.iter_mut().filter(|track| is_root[track.joint.index()]) {
            track.curve.values_mut().iter_mut().for_each(|value| *value = turn * *value);
        }
        for track in clip.rotations.iter_mut().filter(|track| is_root[track.joint.index()]) {
            let each = track.curve.interpolation().values_per_key();
            for (at, value) in track.curve.values_mut().iter_mut().enumerate() {
                let turned = turn * *value;
                *value = if at % each == each / 2 { turned.normalize() } else { turned };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_motion::{Cursor, Pose, sample};
    use sinew_scene::Scene;
    use sinew_scene::glam::Vec3;

    use super::*;

    #[test]
    fn every_node_is_where_it_was_turned_by_a_quarter_about_x() {
        let ossi = sinew_ossi::ossi();
        let mut parts = ossi.clone().into_parts();
        turn_up(&mut parts, Up::Z);
        let turned = Scene::new(parts).expect("still a scene");
        let turn = Affine3A::from_rotation_x(90_f32.to_radians());
        let poses = [&ossi, &turned].map(|scene| {
            let mut pose = Pose::new(scene);
            sample(&scene.clips[0], 0.4, &mut Cursor::new(), &mut pose);
            pose.to_model(scene.skeleton());
            pose
        });
        let pairs = poses[0].model_from_joint().iter().zip(poses[1].model_from_joint());
        for (before, after) in pairs {
            assert!((turn * *before).abs_diff_eq(*after, 1e-5), "{before} {after}");
        }
        assert!((turn.transform_point3(Vec3::Y)).abs_diff_eq(Vec3::Z, 1e-6));
    }
}
