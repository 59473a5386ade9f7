//! The built-in rig: the arm of a lamp, made by code, for examples, tests and a first look.
//!
//! Out: a scene with a smooth skin over three joints, a morph target ("bulge", a bellows below the
//! elbow) and two clips: "wave" (loops) and "flex" (drives the morph target too).
//!
//! The arm stands along +Y: its foot on the floor, elbow at 0.6 m, wrist at 1.2 m, and a lamp to 1.5 m.

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use sinew_scene::{
    Clip, Curve, Influence, Influences, Instance, InstanceId, Interpolation, JointId, Material,
    MaterialId, Mesh, MeshId, MorphTarget, Node, Primitive, Rows, Scene, SceneParts, Skin, SkinId,
    SkinMethod, Track, Transform, WeightTrack,
};

const ELBOW: f32 = 0.6;
const WRIST: f32 = 1.2;
const TIP: f32 = 1.5;
const RINGS: usize = 60;
const SIDES: usize = 24;

/// The built-in rig.
///
/// ```
/// let scene = sinew_ossi::demo();
/// assert_eq!(scene.clips[0].name, "wave");
/// ```
///
/// # Panics
/// Never: what it is made of is fixed and tested.
#[must_use]
pub fn demo() -> Scene {
    Scene::new(parts()).expect("the built-in rig is a good scene")
}

fn parts() -> SceneParts {
    let joint = |index: usize| Some(JointId::new(index));
    let up = |height: f32| Transform::from_translation(Vec3::Y * height);
    SceneParts {
        nodes: vec![
            Node::new("arm", None, Transform::IDENTITY),
            Node::new("shoulder", joint(0), Transform::IDENTITY),
            Node::new("elbow", joint(1), up(ELBOW)),
            Node::new("wrist", joint(2), up(WRIST - ELBOW)),
        ],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: vec![0.0],
        }],
        meshes: vec![Mesh {
            name: "arm".into(),
            primitives: vec![arm()],
            morph_names: vec!["bulge".into()],
        }],
        skins: vec![Skin {
            name: "arm".into(),
            joints: vec![JointId::new(1), JointId::new(2), JointId::new(3)],
            joint_from_mesh: [0.0, ELBOW, WRIST]
                .map(|height| Affine3A::from_translation(Vec3::NEG_Y * height))
                .to_vec(),
            method: SkinMethod::Linear,
        }],
        clips: vec![wave(), flex()],
        materials: vec![Material {
            name: "enamel".into(),
            base_color: Vec4::ONE,
            metallic: 0.0,
            roughness: 0.4,
            ..Material::default()
        }],
        ..SceneParts::default()
    }
}

/// Where the lamp's glass begins.
const GLASS: f32 = 1.435;

/// How thick the arm is at a height: a foot, two rods with knuckles between, a shade that opens, and its glass.
fn radius(height: f32) -> f32 {
    let bump = |center: f32, width: f32| (-((height - center) / width).powi(4)).exp();
    let smooth = |from: f32, to: f32| {
        let t = ((height - from) / (to - from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let rod = 0.024 + 0.105 * bump(0.0, 0.055) + 0.012 * bump(0.33, 0.16);
    let knuckles = 0.026 * bump(ELBOW, 0.045) + 0.022 * bump(WRIST, 0.042);
    let shade = 0.115 * smooth(1.25, GLASS);
    let glass = ((TIP - height) / (TIP - GLASS)).clamp(0.0, 1.0);
    (rod + knuckles + shade) * (1.0 - (1.0 - glass).powi(2)).sqrt()
}

/// Linear: enamel, dark knuckles, a red shade, and glass.
fn color(height: f32) -> Vec4 {
    let near = |joint: f32| (height - joint).abs() < 0.05;
    let rgb = match () {
        () if height > GLASS + 0.01 => Vec3::new(0.95, 0.83, 0.58),
        () if height > WRIST + 0.05 => Vec3::new(0.78, 0.095, 0.040),
        () if near(ELBOW) || near(WRIST) || near(0.0) => Vec3::new(0.030, 0.032, 0.040),
        () => Vec3::new(0.020, 0.145, 0.170),
    };
    rgb.extend(1.0)
}

fn arm() -> Primitive {
    let mut primitive = Primitive { material: Some(MaterialId::new(0)), ..Primitive::default() };
    let (mut uvs, mut colors, mut bulge) = (Vec::new(), Vec::new(), Vec::new());
    let mut influences = Influences::default();
    for ring in 0..=RINGS {
        let along = ring as f32 / RINGS as f32;
        let height = TIP * along;
        let slope = (radius(height + 1e-3) - radius(height - 1e-3)) / 2e-3;
        for side in 0..=SIDES {
            let around = side as f32 / SIDES as f32;
            let (sin, cos) = (around * std::f32::consts::TAU).sin_cos();
            let out = Vec3::new(cos, 0.0, sin);
            primitive.positions.push(out * radius(height) + Vec3::Y * height);
            let normal = Vec3::new(cos, -slope.clamp(-20.0, 20.0), sin).normalize_or(Vec3::Y);
            primitive.normals.push(if ring == RINGS { Vec3::Y } else { normal });
            uvs.push(Vec2::new(1.0 - around, 1.0 - along));
            colors.push(color(height));
            let bellows = (-((height - 0.35) / 0.12).powi(2)).exp() * sin.max(0.0);
            bulge.push(out * (0.05 * bellows));
            influences.push(of_ring(height));
        }
    }
    primitive.indices = indices();
    primitive.uvs = vec![uvs];
    primitive.colors = vec![colors];
    primitive.influences = influences;
    primitive.morphs = vec![MorphTarget { positions: bulge, ..MorphTarget::default() }];
    primitive
}

/// Weights change smoothly within 10 cm of a joint.
fn of_ring(height: f32) -> [Influence; 3] {
    let past = |joint: f32| {
        let t = ((height - joint) / 0.2 + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let (elbow, wrist) = (past(ELBOW), past(WRIST));
    let weight_of = |joint: u32, weight: f32| Influence { joint, weight: weight.max(0.0) };
    [weight_of(0, 1.0 - elbow), weight_of(1, elbow - wrist), weight_of(2, wrist)]
}

fn indices() -> Vec<u32> {
    let row = SIDES as u32 + 1;
    let mut indices = Vec::with_capacity(RINGS * SIDES * 6);
    for ring in 0..RINGS as u32 {
        for side in 0..SIDES as u32 {
            let at = ring * row + side;
            indices.extend([at, at + row, at + 1, at + 1, at + row, at + row + 1]);
        }
    }
    indices
}

fn turns(joint: usize, keys: &[(f32, Quat)]) -> Option<Track<Quat>> {
    let (times, values): (Vec<f32>, Vec<Quat>) = keys.iter().copied().unzip();
    let curve = Curve::new(times, values, Interpolation::Linear).ok()?;
    Some(Track { joint: JointId::new(joint), curve })
}

fn about_z(degrees: f32) -> Quat {
    Quat::from_rotation_z(degrees.to_radians())
}

/// Two seconds: up, and a hand that goes left and right. The last key equals the first.
fn wave() -> Clip {
    let elbow = [(0.0, -25.0), (0.5, 30.0), (1.0, -25.0), (1.5, 30.0), (2.0, -25.0)];
    let wrist = [(0.0, 20.0), (0.6, -30.0), (1.1, 20.0), (1.6, -30.0), (2.0, 20.0)];
    let shoulder = [(0.0, -10.0), (1.0, 5.0), (2.0, -10.0)];
    let track = |joint: usize, keys: &[(f32, f32)]| {
        let keys: Vec<_> = keys.iter().map(|&(time, angle)| (time, about_z(angle))).collect();
        turns(joint, &keys)
    };
    Clip {
        name: "wave".into(),
        duration: 2.0,
        rotations: [track(1, &shoulder), track(2, &elbow), track(3, &wrist)]
            .into_iter()
            .flatten()
            .collect(),
        ..Clip::default()
    }
}

/// One and a half seconds: the elbow bends and the bellows swells.
fn flex() -> Clip {
    let bend = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let elbow = turns(2, &[(0.0, bend(0.0)), (0.7, bend(115.0)), (1.5, bend(0.0))]);
    let rows = Rows::new(vec![0.0, 0.7, 1.5], vec![0.0, 1.0, 0.0], 1, Interpolation::Linear);
    let weights = rows.map(|rows| WeightTrack { instance: InstanceId::new(0), rows });
    Clip {
        name: "flex".into(),
        duration: 1.5,
        rotations: elbow.into_iter().collect(),
        weights: weights.into_iter().collect(),
        ..Clip::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_is_closed_over_its_joints_and_faces_outward() {
        let scene = demo();
        let primitive = &scene.meshes[0].primitives[0];
        for triangle in primitive.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
            let normal = (b - a).cross(c - a);
            let middle = (a + b + c) / 3.0;
            let out = Vec3::new(middle.x, 0.0, middle.z);
            assert!(normal.length() < 1e-9 || normal.dot(out) > 0.0, "{triangle:?} faces inward");
        }
        assert!(primitive.influences.iter().all(|of_ring| !of_ring.is_empty()));
    }

    #[test]
    fn both_clips_end_as_they_begin() {
        for clip in &demo().clips {
            for track in &clip.rotations {
                let keys = track.curve.values();
                assert!(keys[0].abs_diff_eq(keys[keys.len() - 1], 1e-6), "{}", clip.name);
            }
            assert_eq!(clip.last_key(), clip.duration);
        }
    }
}
