//! Everything larger or smaller by one factor, baked into all data.
//!
//! In:  the parts of a scene, and a factor.
//! Out: parts whose every length is that many times as long; no node gets a scale of its own.
//!
//! Light of points and spots grows with the square of the factor, so that surfaces stay as bright.

use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{Clip, LightKind, Projection, Property, SceneParts};

use crate::EditError;

/// Makes everything `factor` times as large.
///
/// # Errors
/// When the factor is not above zero and finite.
pub fn scale(parts: &mut SceneParts, factor: f32) -> Result<(), EditError> {
    if !(factor > 0.0 && factor.is_finite()) {
        let (what, expected) = ("scale", "a number above zero");
        return Err(EditError::Number { what, expected, found: factor });
    }
    parts.nodes.iter_mut().for_each(|node| node.rest.translation *= factor);
    let primitives = parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    for primitive in primitives {
        primitive.positions.iter_mut().for_each(|position| *position *= factor);
        let morphs = primitive.morphs.iter_mut().flat_map(|morph| &mut morph.positions);
        morphs.for_each(|change| *change *= factor);
    }
    let binds = parts.skins.iter_mut().flat_map(|skin| &mut skin.joint_from_mesh);
    binds.for_each(|bind| bind.translation *= factor);
    lights_and_cameras(parts, factor);
    let sizes: Vec<f32> =
        parts.properties.iter().map(|entry| size(parts, entry.property, factor)).collect();
    for (entry, size) in parts.properties.iter_mut().zip(&sizes) {
        entry.rest.iter_mut().for_each(|number| *number *= size);
    }
    parts.clips.iter_mut().for_each(|clip| scale_clip(clip, factor, &sizes));
    parts.file_from_world *= Affine3A::from_scale(Vec3::splat(1.0 / factor));
    Ok(())
}

fn lights_and_cameras(parts: &mut SceneParts, factor: f32) {
    for light in &mut parts.lights {
        if let Some(range) = &mut light.range {
            *range *= factor;
        }
        if light.kind != LightKind::Directional {
            light.intensity *= factor * factor;
        }
    }
    for camera in &mut parts.cameras {
        match &mut camera.projection {
            Projection::Perspective { near, far, .. } => {
                *near *= factor;
                if let Some(far) = far {
                    *far *= factor;
                }
            }
            Projection::Orthographic { half_width, half_height, near, far } => {
                [half_width, half_height, near, far].into_iter().for_each(|size| *size *= factor);
            }
        }
    }
}

/// By how much a driven value grows.
fn size(parts: &SceneParts, property: Property, factor: f32) -> f32 {
    match property {
        Property::LightRange(_)
        | Property::Near(_)
        | Property::Far(_)
        | Property::HalfWidth(_)
        | Property::HalfHeight(_) => factor,
        Property::LightIntensity(light)
            if parts.lights[light.index()].kind != LightKind::Directional =>
        {
            factor * factor
        }
        _ => 1.0,
    }
}

fn scale_clip(clip: &mut Clip, factor: f32, sizes: &[f32]) {
    for track in &mut clip.translations {
        track.curve.values_mut().iter_mut().for_each(|value| *value *= factor);
    }
    for track in &mut clip.properties {
        let size = sizes[track.property.index()];
        track.rows.values_mut().iter_mut().for_each(|number| *number *= size);
    }
}

#[cfg(test)]
mod tests {
    use sinew_deform::{Binding, Vertices, deform, palette};
    use sinew_motion::{Cursor, Pose, sample};
    use sinew_scene::Scene;

    use super::*;

    /// Every vertex of a scene at a time of its first clip.
    fn vertices(scene: &Scene, time: f32) -> Vec<Vec3> {
        let mut pose = Pose::new(scene);
        sample(&scene.clips[0], time, &mut Cursor::new(), &mut pose);
        pose.to_model(scene.skeleton());
        let (mut all, mut out) = (Vec::new(), Vertices::default());
        for (at, instance) in scene.instances.iter().enumerate() {
            let node = pose.model_from_joint()[instance.joint.index()];
            let mut matrices = Vec::new();
            let binding = match instance.skin.map(|skin| &scene[skin]) {
                None => Binding::Rigid(node),
                Some(skin) => {
                    matrices.resize(skin.joints.len(), Affine3A::IDENTITY);
                    palette(skin, pose.model_from_joint(), &mut matrices);
                    Binding::Skinned {
                        method: skin.method,
                        model_from_mesh: &matrices,
                        without_influence: node,
                    }
                }
            };
            for primitive in &scene[instance.mesh].primitives {
                let weights = pose.weights(sinew_scene::InstanceId::new(at));
                deform(primitive, weights, binding, &mut out);
                all.extend_from_slice(&out.positions);
            }
        }
        all
    }

    #[test]
    fn every_vertex_is_twice_as_far_out_in_every_pose() {
        let ossi = sinew_ossi::ossi();
        let before = vertices(&ossi, 0.3);
        let mut parts = ossi.into_parts();
        scale(&mut parts, 2.0).expect("a factor");
        let after = vertices(&Scene::new(parts).expect("still a scene"), 0.3);
        assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            assert!((*before * 2.0).abs_diff_eq(*after, 1e-5), "{before} {after}");
        }
    }

    #[test]
    fn a_lamp_twice_as_far_away_is_four_times_as_strong() {
        use sinew_scene::{JointId, Light, Node, Transform};
        let lamp = Light {
            name: "lamp".into(),
            joint: JointId::new(0),
            kind: LightKind::Point,
            color: Vec3::ONE,
            intensity: 10.0,
            range: Some(3.0),
        };
        let place = Transform::from_translation(Vec3::Y);
        let nodes = vec![Node::new("lamp", None, place)];
        let mut parts = SceneParts { nodes, lights: vec![lamp], ..SceneParts::default() };
        scale(&mut parts, 2.0).expect("a factor");
        assert_eq!((parts.lights[0].intensity, parts.lights[0].range), (40.0, Some(6.0)));
        assert_eq!(parts.nodes[0].rest.translation, 2.0 * Vec3::Y);
        assert_eq!(parts.file_from_world.transform_point3(2.0 * Vec3::Y), Vec3::Y);
    }

    #[test]
    fn no_factor_is_zero_below_zero_or_no_number() {
        for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(scale(&mut SceneParts::default(), factor).is_err(), "{factor}");
        }
    }
}
