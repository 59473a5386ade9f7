//! What cannot be done is said in a sentence.

use sinew_motion::SampledClip;
use sinew_render::Gpu;
use sinew_scene::{JointId, Skin};

use super::stage::{Chance, gpu, parts, sampled_clips, scene};
use crate::gpu::{BranchMemory, Crowd, CrowdError, Output, Tuning};

/// A device with other limits than it has.
fn limited(change: impl Fn(&mut wgpu::Limits)) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()));
    let adapter = adapter.expect("a driver");
    let mut descriptor = Gpu::descriptor(&adapter);
    change(&mut descriptor.required_limits);
    let (device, queue) =
        pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    Gpu::from_parts(device, queue).watched()
}

#[test]
fn a_device_without_compute_is_told_so_by_name() {
    let gpu = limited(|limits| *limits = wgpu::Limits::downlevel_webgl2_defaults());
    let scene = scene(&mut Chance(1), 7);
    let error = Crowd::new(&gpu, scene.skeleton(), Output::Joints, &sampled_clips(&scene))
        .expect_err("no compute");
    assert_eq!(error, CrowdError::NoCompute { device: gpu.name() });
    let text = error.to_string();
    assert!(text.contains(&gpu.name()) && text.contains("WebGL2 has none"), "{text}");
}

#[test]
fn a_small_binding_holds_few_characters_and_chunks_hold_all_of_them() {
    let mut chance = Chance(2);
    let scene = scene(&mut chance, 67);
    let (sampled_clips, parts) = (sampled_clips(&scene), parts(&mut chance, 1200));
    // 4 MiB hold 1304 palettes of 67 matrices, 1 MiB holds 326.
    let gpu_small = limited(|limits| limits.max_storage_buffer_binding_size = 1 << 20);
    let places: Vec<_> = parts.iter().map(|_| chance.place()).collect();
    for memory in [BranchMemory::Workgroup, BranchMemory::Device] {
        let tuning = Tuning { branch_memory: Some(memory), ..Tuning::default() };
        let on = |gpu: &Gpu| {
            let mut crowd =
                Crowd::tuned(gpu, scene.skeleton(), Output::Joints, &sampled_clips, tuning)
                    .expect("a crowd");
            crowd.write(&parts).expect("writes");
            crowd.place(&places).expect("places");
            crowd.run().expect("runs");
            (crowd.palettes().buffers.len(), crowd.read().expect("reads"))
        };
        let ((one, expected), (four, found)) = (on(&gpu()), on(&gpu_small));
        assert_eq!((one, four), (1, 4));
        assert!(found == expected, "{memory:?}: chunks are not the whole");
    }
}

#[test]
fn more_groups_than_fit_in_a_row_are_folded() {
    let mut chance = Chance(4);
    let scene = scene(&mut chance, 1);
    let (sampled_clips, parts) = (sampled_clips(&scene), parts(&mut chance, 500));
    let narrow = limited(|limits| limits.max_compute_workgroups_per_dimension = 30);
    let tuning = Tuning { together: Some(1), ..Tuning::default() };
    let on = |gpu: &Gpu| {
        let mut crowd = Crowd::tuned(gpu, scene.skeleton(), Output::Joints, &sampled_clips, tuning)
            .expect("a crowd");
        crowd.write(&parts).expect("writes");
        crowd.run().expect("runs");
        crowd.read().expect("reads")
    };
    assert!(on(&narrow) == on(&gpu()));
}

#[test]
fn a_skeleton_that_no_workgroup_holds_goes_the_far_way() {
    let mut chance = Chance(6);
    let scene = scene(&mut chance, 300);
    let small = limited(|limits| limits.max_compute_workgroup_storage_size = 1000);
    let crowd = Crowd::new(&small, scene.skeleton(), Output::Joints, &sampled_clips(&scene))
        .expect("a crowd");
    assert_eq!(crowd.branch_memory(), BranchMemory::Device);
    let crowd = Crowd::new(&gpu(), scene.skeleton(), Output::Joints, &sampled_clips(&scene))
        .expect("a crowd");
    assert_eq!(crowd.branch_memory(), BranchMemory::Workgroup);
}

#[test]
fn parts_that_do_not_fit_each_other_are_refused() {
    let [small, large] = [7, 67].map(|joints| scene(&mut Chance(1), joints));
    let gpu = gpu();
    let skin = Skin { joints: vec![JointId::new(9)], ..large.skins[0].clone() };
    let error = |output: Output<'_>, sampled_clips: &[SampledClip]| {
        Crowd::new(&gpu, small.skeleton(), output, sampled_clips).expect_err("does not fit")
    };
    assert_eq!(error(Output::Joints, &[]), CrowdError::NoClips);
    let mixed = [sampled_clips(&small), sampled_clips(&large)].concat();
    let other = error(Output::Joints, &mixed);
    assert_eq!(other, CrowdError::OtherSkeleton { sampled: 3, joints: 67, expected: 7 });
    assert_eq!(
        other.to_string(),
        "sampled clip 3 is for 67 joints, and the crowd's skeleton has 7"
    );
    let empty = Skin::default();
    assert_eq!(error(Output::Skin(&empty), &sampled_clips(&small)), CrowdError::NoJoints);
    let lost = CrowdError::JointNotFound { joint: 9, joints: 7 };
    assert_eq!(error(Output::Skin(&skin), &sampled_clips(&small)), lost);
    let none = scene(&mut Chance(1), 0);
    let nothing =
        Crowd::new(&gpu, none.skeleton(), Output::Joints, &sampled_clips(&none)).map(drop);
    assert_eq!(nothing, Err(CrowdError::NoJoints));
}

#[test]
fn sampled_clips_beyond_a_binding_are_refused_with_the_limit() {
    let scene = scene(&mut Chance(1), 67);
    let tiny = limited(|limits| limits.max_storage_buffer_binding_size = 20_000);
    let error = Crowd::new(&tiny, scene.skeleton(), Output::Joints, &sampled_clips(&scene))
        .expect_err("too large");
    assert!(error.to_string().contains("frames of sampled clips take"), "{error}");
}

#[test]
fn a_lost_device_is_an_error_and_no_panic() {
    let gpu = limited(|_| {});
    let scene = scene(&mut Chance(1), 7);
    let mut crowd = Crowd::new(&gpu, scene.skeleton(), Output::Joints, &sampled_clips(&scene))
        .expect("a crowd");
    crowd.write(&parts(&mut Chance(1), 9)).expect("writes");
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::Poll);
    assert!(crowd.write(&parts(&mut Chance(1), 20)).is_err());
    assert!(crowd.run().is_err() && crowd.read().is_err());
    assert!(Crowd::new(&gpu, scene.skeleton(), Output::Joints, &sampled_clips(&scene)).is_err());
}
