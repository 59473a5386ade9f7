//! A crowd on the processor has the same bits on every machine: one set of constants holds on all of them.
//!
//! Run on x86-64, 64-bit ARM and WebAssembly with and without vector instructions (`tools/paths_test`).

#[path = "../../../tests/bits/mod.rs"]
mod bits;

use bits::{Made, Sum};
use sinew_crowd::{CharacterState, Crowd, Detail, LocalsOfEight, ModelsOfEight, to_model_of_eight};
use sinew_motion::{SampledClip, set_deterministic};
use sinew_scene::glam::{Mat3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 41;

/// A tree that forks, scaled here and there, one node sheared; two clips.
fn scene() -> Scene {
    set_deterministic(true);
    let mut made = Made::new(21);
    let node = |at: usize| {
        let parent = at.checked_sub(1).map(|last| JointId::new(last - last % 3));
        let scale = if at % 9 == 4 { Vec3::ONE + made.vector(0.2) } else { Vec3::ONE };
        let rest = Transform { translation: made.vector(0.3), rotation: made.rotation(), scale };
        let shear =
            (at == 5).then(|| Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
        Node { shear, ..Node::new("", parent, rest) }
    };
    let nodes = (0..JOINTS).map(node).collect();
    let clips = vec![clip(&mut made, 20), clip(&mut made, 33)];
    Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("the parts fit")
}

/// Most joints turn; the root walks.
fn clip(made: &mut Made, keys: usize) -> Clip {
    let times: std::sync::Arc<[f32]> = (0..keys).map(|key| key as f32 / 32.0).collect();
    let rotations = (0..JOINTS).filter(|joint| joint % 5 != 4).map(|joint| {
        let mut rotation = made.rotation();
        let mut next = || {
            rotation = made.rotation_near(rotation, 0.1);
            rotation
        };
        let values: Vec<Quat> = (0..keys).map(|_| next()).collect();
        let curve = Curve::new(times.clone(), values, Interpolation::Linear).expect("keys");
        Track { joint: JointId::new(joint), curve }
    });
    let rotations = rotations.collect();
    let places = (0..keys).map(|_| made.vector(0.5)).collect();
    let curve = Curve::new(times.clone(), places, Interpolation::Linear).expect("keys");
    let translations = vec![Track { joint: JointId::new(0), curve }];
    Clip { duration: times[keys - 1], rotations, translations, ..Clip::default() }
}

#[test]
fn a_crowd_is_posed_with_the_same_bits() {
    let scene = scene();
    let sampled_clips =
        scene.clips.iter().map(|clip| SampledClip::at_rate(&scene, clip, 32.0)).collect();
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips);
    // More than one thread poses, where there are threads.
    crowd.resize(131);
    let mut made = Made::new(22);
    for part in crowd.states_mut() {
        let mut part_of = |end: f32| (made.number() + 1.0) * 0.5 * end;
        let times = [part_of(0.7), part_of(1.1)];
        *part = CharacterState { clips: [0, 1], times, weight: part_of(1.4) - 0.2 };
    }
    crowd.set_details(&[Detail::FULL, Detail { every: 2, reach: 0.3 }]);
    crowd.levels_mut()[64..].fill(1);
    let mut sum = Sum::new();
    for _ in 0..6 {
        crowd.advance(1.0 / 60.0);
        crowd.pose();
        sum.add(crowd.models().as_flattened().as_flattened());
    }
    sum.check("crowd", 0x2686_d211_f9ab_cd98);
}

#[test]
fn eight_characters_stand_in_the_model_with_the_same_bits() {
    let (scene, mut made) = (scene(), Made::new(23));
    let mut local = || -> LocalsOfEight {
        let mut local = LocalsOfEight::default();
        for lane in 0..8 {
            let (place, rotation) = (made.vector(0.3), made.rotation());
            let scale = Vec3::ONE + made.vector(0.2);
            let numbers =
                place.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
            local.0.iter_mut().zip(numbers).for_each(|(row, number)| row[lane] = number);
        }
        local
    };
    let locals: Vec<_> = (0..JOINTS).map(|_| local()).collect();
    let mut models = vec![ModelsOfEight::default(); JOINTS];
    to_model_of_eight(scene.skeleton(), &locals, &mut models);
    let mut sum = Sum::new();
    for model in &models {
        sum.add(model.0.as_flattened().as_flattened());
    }
    sum.check("to_model_of_eight", 0x6830_e4f8_60cf_6022);
}
