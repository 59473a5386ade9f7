//! What goes wrong is told, not suffered.

use glam::{Affine3A, Vec3, Vec4};

use super::stage::{dark_frame, gpu, paint, scene, square};
use crate::{Gpu, RenderError, Renderer, RestPose, Target};

#[test]
fn an_image_of_20_000_pixels_is_refused_with_the_limit() {
    let limit = gpu().longest_side();
    let error = Target::new(&gpu(), 20_000, 100).expect_err("too large");
    assert_eq!(error, RenderError::TargetTooLarge { width: 20_000, height: 100, limit });
    assert!(error.to_string().contains("20000 × 100"), "{error}");
}

#[test]
fn a_target_without_a_pixel_is_left_alone_and_can_grow_again() {
    let mut renderer = Renderer::new(&gpu());
    let mut target = Target::new(&gpu(), 64, 64).expect("a target");
    target.resize(&gpu(), 0, 64).expect("folded away");
    assert!(target.view().is_none());
    let stats = renderer.draw(&mut dark_frame(), &target).expect("nothing to do");
    assert_eq!(stats.draws, 0);
    assert!(target.read(&gpu()).expect("nothing to read").rgba.is_empty());
    target.resize(&gpu(), 8, 8).expect("back again");
    renderer.draw(&mut dark_frame(), &target).expect("draws");
    assert_eq!(target.read(&gpu()).expect("reads").rgba.len(), 256);
}

#[test]
fn a_scene_without_meshes_is_an_empty_image() {
    let scene = scene(vec![]);
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let mut frame = dark_frame();
    frame.lights.push(crate::Light::default());
    frame.add(&model, &RestPose::new(&scene).view(Affine3A::IDENTITY));
    let target = Target::new(&gpu(), 8, 8).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    assert!(target.read(&gpu()).expect("reads").rgba.chunks(4).all(|p| p == [0, 0, 0, 255]));
}

#[test]
fn a_lost_device_is_an_error_everywhere_and_never_a_panic() {
    let gpu = Gpu::headless().expect("a driver");
    let mut renderer = Renderer::new(&gpu);
    let scene = scene(vec![(square(), paint(Vec4::ONE), Vec3::ZERO)]);
    let model = renderer.upload(&scene).expect("uploads");
    let target = Target::new(&gpu, 8, 8).expect("a target");
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::Poll);
    let mut frame = dark_frame();
    frame.add(&model, &RestPose::new(&scene).view(Affine3A::IDENTITY));
    let lost = |result: Result<(), RenderError>| assert!(result.is_err(), "{result:?}");
    lost(renderer.draw(&mut frame, &target).map(drop));
    lost(target.read(&gpu).map(drop));
    lost(renderer.upload(&scene).map(drop));
    lost(Target::new(&gpu, 16, 16).map(drop));
}

#[test]
fn the_missing_drivers_message_says_what_to_install() {
    assert!(RenderError::NoDriver.to_string().contains("mesa-vulkan-drivers"));
}

#[test]
fn a_cache_of_pipelines_is_kept_and_a_torn_one_does_no_harm() {
    let gpu = gpu();
    let scene = scene(vec![(square(), paint(Vec4::ONE), Vec3::ZERO)]);
    let image = |bytes: Option<&[u8]>| {
        let mut renderer = Renderer::with_cache(&gpu, bytes);
        let model = renderer.upload(&scene).expect("uploads");
        let mut frame = dark_frame();
        frame.add(&model, &RestPose::new(&scene).view(Affine3A::IDENTITY));
        (super::stage::shoot(&mut renderer, &mut frame), renderer.cache())
    };
    let (first, bytes) = image(None);
    assert_eq!(image(bytes.as_deref()).0, first);
    assert_eq!(image(Some(b"torn")).0, first);
}

#[test]
fn the_gpus_time_is_told_where_it_can_tell() {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    assert_eq!(renderer.timings().expect("nobody measures"), None);
    if !renderer.measure() {
        return;
    }
    let target = Target::new(&gpu, 64, 64).expect("a target");
    let mut frame = dark_frame();
    frame.overlay.line(Vec3::ZERO, Vec3::X, Vec4::ONE);
    for _ in 0..2 {
        renderer.draw(&mut frame, &target).expect("draws");
        let times = renderer.timings().expect("reads").expect("measured");
        assert!(times.main > 0.0 && times.main < 60_000.0 && times.overlay > 0.0, "{times:?}");
        assert_eq!(times.shadow, 0.0);
    }
}

#[test]
fn an_image_shown_in_a_window_has_the_colours_it_was_drawn_with() {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    let scene = scene(vec![(square(), paint(Vec4::new(0.2, 0.4, 0.6, 1.0)), Vec3::ZERO)]);
    let model = renderer.upload(&scene).expect("uploads");
    let mut frame = dark_frame();
    frame.add(&model, &RestPose::new(&scene).view(Affine3A::IDENTITY));
    let target = Target::new(&gpu, 16, 16).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    let drawn = target.read(&gpu).expect("reads").pixel(8, 8);
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb] {
        let window = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let mut blit = crate::Blit::new(&gpu, format);
        blit.take(&gpu, &target);
        let view = window.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        blit.draw(&mut encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        }));
        gpu.queue.submit([encoder.finish()]);
        let shown = crate::readback::read_texture(&gpu, &window, 4).expect("reads");
        let middle = &shown[(8 * 16 + 8) * 4..][..4];
        let close = middle.iter().zip(drawn).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(close, "{format:?}: {middle:?} for {drawn:?}");
    }
}
