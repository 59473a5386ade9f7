//! Skeletons and clips of chance, the same every time; and what the processor makes of them.

use std::sync::OnceLock;

use sinew_motion::{Layer, Pose, SampledClip, blend};
use sinew_render::Gpu;
use sinew_scene::glam::{Affine3A, EulerRot, Mat3A, Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Skin, Track, Transform,
};

use crate::CharacterState;

/// One device for all tests.
pub(super) fn gpu() -> Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::headless().expect("a graphics driver, such as mesa-vulkan-drivers"))
        .clone()
}

/// Numbers from -1 to 1 that look like chance and are the same every time.
pub(super) struct Chance(pub(super) u32);

impl Chance {
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    pub(super) fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * end as f32) as usize % end
    }

    fn rotation(&mut self) -> Quat {
        // Far enough that quaternions of one turn come with either sign.
        let [x, y, z] = (2.5 * self.vec3()).to_array();
        Quat::from_euler(EulerRot::XYZ, x, y, z)
    }

    pub(super) fn place(&mut self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation(), self.vec3() * 3.0)
    }
}

/// A tree of joints, some scaled or sheared, and three clips of different lengths: joints that turn, and some that
/// move, scale, or hold from key to key. All joints are of one skin.
pub(super) fn scene(chance: &mut Chance, joints: usize) -> Scene {
    let node = |at: usize, chance: &mut Chance| {
        // Mostly the one before, so that chains are long.
        let parent = match at {
            0 => None,
            _ if at % 41 == 40 => None,
            _ if chance.next() < 0.4 => Some(at - 1),
            _ => Some(chance.below(at)),
        };
        let scale = if at % 5 == 1 { Vec3::ONE + 0.2 * chance.vec3() } else { Vec3::ONE };
        let rest =
            Transform { translation: 0.3 * chance.vec3(), rotation: chance.rotation(), scale };
        let shear = (at % 13 == 3)
            .then(|| Mat3A::from_cols_array(&[1.0, 0.0, 0.1, 0.3, 1.0, 0.0, 0.0, -0.2, 1.0]));
        Node { shear, ..Node::new("", parent.map(JointId::new), rest) }
    };
    let nodes = (0..joints).map(|at| node(at, chance)).collect();
    let skin = Skin {
        joints: (0..joints).rev().map(JointId::new).collect(),
        joint_from_mesh: (0..joints).map(|_| chance.place()).collect(),
        ..Skin::default()
    };
    let clips = [2.0, 0.71, 0.0].map(|seconds| clip(chance, joints, seconds)).to_vec();
    let parts = SceneParts { nodes, clips, skins: vec![skin], ..SceneParts::default() };
    Scene::new(parts).expect("a scene of chance")
}

fn clip(chance: &mut Chance, joints: usize, seconds: f32) -> Clip {
    let mut times: Vec<f32> =
        (0..=(seconds * 10.0) as usize).map(|key| key as f32 / 10.0).collect();
    if times.last().is_some_and(|last| *last < seconds) {
        times.push(seconds);
    }
    let mut clip = Clip { duration: seconds, ..Clip::default() };
    for joint in 0..joints {
        let id = JointId::new(joint);
        let how = if joint % 11 == 4 { Interpolation::Step } else { Interpolation::Linear };
        let rotations = times.iter().map(|_| chance.rotation()).collect();
        // A block of eight that stands still, and single joints.
        if joint % 32 / 8 != 1 && joint % 6 != 5 {
            let curve = Curve::new(times.clone(), rotations, how).expect("keys");
            clip.rotations.push(Track { joint: id, curve });
        }
        let vectors = |of: &mut dyn FnMut() -> Vec3| {
            let values = times.iter().map(|_| of()).collect();
            Track { joint: id, curve: Curve::new(times.clone(), values, how).expect("keys") }
        };
        if joint % 7 == 0 {
            clip.translations.push(vectors(&mut || 0.5 * chance.vec3()));
        }
        if joint % 9 == 4 {
            clip.scales.push(vectors(&mut || Vec3::ONE + 0.2 * chance.vec3()));
        }
    }
    clip
}

/// A sampled clip for each clip, at different rates.
pub(super) fn sampled_clips(scene: &Scene) -> Vec<SampledClip> {
    let rates = [30.0, 24.0, 10.0];
    scene
        .clips
        .iter()
        .zip(rates)
        .map(|(clip, rate)| SampledClip::at_rate(scene, clip, rate))
        .collect()
}

/// Parts of chance, and those that are easily got wrong.
pub(super) fn parts(chance: &mut Chance, count: usize) -> Vec<CharacterState> {
    let odd = [
        CharacterState { clips: [0, 1], times: [0.5, 0.3], weight: 0.0 },
        CharacterState { clips: [0, 1], times: [0.5, 0.3], weight: 1.0 },
        CharacterState { clips: [0, 1], times: [0.5, 0.3], weight: f32::NAN },
        CharacterState { clips: [1, 0], times: [0.5, 0.3], weight: -3.0 },
        CharacterState { clips: [1, 0], times: [0.5, 0.3], weight: f32::INFINITY },
        CharacterState { clips: [0, 1], times: [f32::NAN, f32::INFINITY], weight: 0.5 },
        CharacterState { clips: [0, 1], times: [-5.0, 99.0], weight: 0.4 },
        // At the end, whose last frame comes early; and past the last sampled clip.
        CharacterState { clips: [1, 1], times: [0.71, 0.7], weight: 0.3 },
        CharacterState { clips: [1, 1], times: [0.709, 0.709_5], weight: 0.3 },
        CharacterState { clips: [9, 65_535], times: [0.1, 0.0], weight: 0.3 },
    ];
    let any = |chance: &mut Chance| CharacterState {
        clips: [0, 1].map(|_| chance.below(3) as u16),
        times: [0, 1].map(|_| 1.2 + 1.5 * chance.next()),
        weight: 0.5 + 0.6 * chance.next(),
    };
    odd.into_iter().chain(std::iter::repeat_with(|| any(chance))).take(count).collect()
}

/// What the processor makes of it: where each joint of each character stands in the model.
pub(super) fn expected(
    scene: &Scene,
    sampled_clips: &[SampledClip],
    parts: &[CharacterState],
) -> Vec<Vec<Affine3A>> {
    let mut poses = [Pose::new(scene), Pose::new(scene), Pose::new(scene)];
    let [first, second, out] = &mut poses;
    let mut one = |part: &CharacterState| {
        let [a, b] = part
            .clips
            .map(|sampled| &sampled_clips[usize::from(sampled).min(sampled_clips.len() - 1)]);
        a.sample(part.times[0], first);
        b.sample(part.times[1], second);
        let share = part.clamped_weight();
        blend([Layer::new(first, 1.0 - share), Layer::new(second, share)], out);
        out.to_model(scene.skeleton());
        out.model_from_joint().to_vec()
    };
    parts.iter().map(&mut one).collect()
}

/// The most levels that a joint has above it, itself counted.
pub(super) fn levels(scene: &Scene) -> usize {
    let skeleton = scene.skeleton();
    let up = |joint| std::iter::successors(Some(joint), |joint| skeleton.node(*joint).parent);
    skeleton.ids().map(|joint| up(joint).count()).max().unwrap_or(0)
}
