//! The GPU puts joints where the processor puts them.
//!
//! Both read the same bits at the same frames. What differs is rounding: a reciprocal root of two units in the last
//! place, products that are fused or not, another order of sums. A turn sampled and blended is off by
//! some 5e-7; each level of the tree adds what its own turn is off and six roundings of 6e-8, of the size of the
//! numbers that it carries. 1e-6 of the largest number for each level, and for three more: sampling, blending
//! and the inverse bind.

use sinew_scene::glam::Affine3A;
use sinew_scene::{JointId, Scene, Skin};

use super::stage::{Chance, expected, gpu, levels, parts, sampled_clips, scene};
use crate::gpu::{BranchMemory, Crowd, Output, Tuning};

const MEMORIES: [BranchMemory; 2] = [BranchMemory::Workgroup, BranchMemory::Device];

fn numbers(matrices: &[Affine3A]) -> impl Iterator<Item = f32> {
    matrices.iter().flat_map(|matrix| matrix.to_cols_array())
}

fn largest(matrices: &[Affine3A]) -> f32 {
    numbers(matrices).map(f32::abs).fold(1.0, f32::max)
}

/// Asserts that two lists differ by rounding alone; `size` is the largest number in between.
fn assert_near(found: &[Affine3A], expected: &[Affine3A], levels: usize, size: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let bound = 1e-6 * size * (levels + 3) as f32;
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (a, b) = (found.to_cols_array(), expected.to_cols_array());
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(
            apart <= bound,
            "{what}, matrix {at}: off by {apart} of {bound}\n{found}\n{expected}"
        );
    }
}

fn run(
    scene: &Scene,
    output: Output<'_>,
    parts: &[crate::CharacterState],
    memory: BranchMemory,
) -> Vec<Affine3A> {
    let tuning = Tuning { branch_memory: Some(memory), ..Tuning::default() };
    let mut crowd = Crowd::tuned(&gpu(), scene.skeleton(), output, &sampled_clips(scene), tuning)
        .expect("a crowd");
    assert_eq!(crowd.branch_memory(), memory);
    crowd.write(parts).expect("writes");
    crowd.run().expect("runs");
    crowd.read().expect("reads")
}

#[test]
fn a_single_clip_is_enough() {
    let mut chance = Chance(5);
    let scene = scene(&mut chance, 9);
    let (parts, sampled_clips) = (parts(&mut chance, 12), &sampled_clips(&scene)[..1]);
    let mut crowd =
        Crowd::new(&gpu(), scene.skeleton(), Output::Joints, sampled_clips).expect("a crowd");
    crowd.write(&parts).expect("writes");
    crowd.run().expect("runs");
    let (found, expected) =
        (crowd.read().expect("reads"), expected(&scene, sampled_clips, &parts).concat());
    assert_near(&found, &expected, levels(&scene), largest(&expected), "one sampled");
}

#[test]
fn joints_stand_where_the_processor_puts_them_the_near_way_and_the_far() {
    for joints in [1, 7, 67, 300] {
        let mut chance = Chance(joints as u32);
        let scene = scene(&mut chance, joints);
        let parts = parts(&mut chance, 200);
        let expected = expected(&scene, &sampled_clips(&scene), &parts);
        for memory in MEMORIES {
            let found = run(&scene, Output::Joints, &parts, memory);
            for (who, expected) in expected.iter().enumerate() {
                let what = format!("{memory:?}, {joints} joints, {who}: {:?}", parts[who]);
                let found = &found[who * joints..][..joints];
                assert_near(found, expected, levels(&scene), largest(expected), &what);
            }
        }
    }
}

#[test]
fn palettes_are_times_the_inverse_bind_in_the_skins_order() {
    let mut chance = Chance(5);
    let scene = scene(&mut chance, 67);
    let (skin, parts) = (&scene.skins[0], parts(&mut chance, 33));
    let models = expected(&scene, &sampled_clips(&scene), &parts);
    for memory in MEMORIES {
        let found = run(&scene, Output::Skin(skin), &parts, memory);
        for (who, model) in models.iter().enumerate() {
            let binds = skin.joints.iter().zip(&skin.joint_from_mesh);
            let expected: Vec<_> =
                binds.map(|(joint, bind)| model[joint.index()] * *bind).collect();
            let size = largest(model) * largest(&skin.joint_from_mesh);
            let found = &found[who * 67..][..67];
            assert_near(found, &expected, levels(&scene), size, &format!("{memory:?}, {who}"));
        }
    }
}

#[test]
fn a_joint_that_a_skin_names_thrice_has_three_matrices_and_one_that_it_does_not_has_none() {
    let mut chance = Chance(8);
    let scene = scene(&mut chance, 7);
    let joints = [5, 2, 5, 0, 5].map(JointId::new).to_vec();
    let joint_from_mesh: Vec<_> = joints.iter().map(|_| chance.place()).collect();
    let skin = Skin { joints, joint_from_mesh, ..Skin::default() };
    let parts = parts(&mut chance, 9);
    let models = expected(&scene, &sampled_clips(&scene), &parts);
    for memory in MEMORIES {
        let found = run(&scene, Output::Skin(&skin), &parts, memory);
        for (model, found) in models.iter().zip(found.chunks(5)) {
            let binds = skin.joints.iter().zip(&skin.joint_from_mesh);
            let expected: Vec<_> =
                binds.map(|(joint, bind)| model[joint.index()] * *bind).collect();
            let size = largest(model) * largest(&skin.joint_from_mesh);
            assert_near(found, &expected, levels(&scene), size, &format!("{memory:?}"));
        }
    }
}

#[test]
fn who_is_placed_stands_there_and_a_crowd_may_grow_and_shrink() {
    let mut chance = Chance(9);
    let scene = scene(&mut chance, 67);
    let sampled_clips = sampled_clips(&scene);
    for memory in MEMORIES {
        let tuning = Tuning { branch_memory: Some(memory), ..Tuning::default() };
        let mut crowd =
            Crowd::tuned(&gpu(), scene.skeleton(), Output::Joints, &sampled_clips, tuning)
                .expect("a crowd");
        for count in [3, 40, 39, 12, 0, 25] {
            let parts = parts(&mut chance, count);
            let models = expected(&scene, &sampled_clips, &parts);
            let places: Vec<_> = parts.iter().map(|_| chance.place()).collect();
            crowd.write(&parts).expect("writes");
            for placed in [false, true] {
                if placed {
                    crowd.place(&places).expect("places");
                }
                crowd.run().expect("runs");
                let found = crowd.read().expect("reads");
                assert_eq!(found.len(), count * 67);
                for (who, model) in models.iter().enumerate() {
                    let place = if placed { places[who] } else { Affine3A::IDENTITY };
                    let expected: Vec<_> = model.iter().map(|matrix| place * *matrix).collect();
                    let size = largest(model).max(largest(&expected));
                    let what = format!("{memory:?}, {who} of {count}, {placed}");
                    let found = &found[who * 67..][..67];
                    assert_near(found, &expected, levels(&scene) + 1, size, &what);
                }
            }
        }
    }
}

#[test]
fn any_number_of_threads_and_of_characters_to_a_group_gives_the_same() {
    let mut chance = Chance(3);
    let scene = scene(&mut chance, 7);
    let (sampled_clips, parts) = (sampled_clips(&scene), parts(&mut chance, 50));
    let with = |memory, threads, together| {
        let tuning = Tuning {
            branch_memory: Some(memory),
            threads: Some(threads),
            together: Some(together),
        };
        let mut crowd =
            Crowd::tuned(&gpu(), scene.skeleton(), Output::Joints, &sampled_clips, tuning)
                .expect("a crowd");
        assert_eq!(crowd.workgroup_size(), (threads, together));
        crowd.write(&parts).expect("writes");
        crowd.run().expect("runs");
        crowd.read().expect("reads")
    };
    let expected = with(BranchMemory::Workgroup, 64, 1);
    for memory in MEMORIES {
        for (threads, together) in [(1, 3), (32, 7), (64, 50), (256, 11)] {
            assert_eq!(
                with(memory, threads, together),
                expected,
                "{memory:?}, {threads}, {together}"
            );
        }
    }
}
