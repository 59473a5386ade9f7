//! From scenes and palettes to pixels, on wgpu, without a window.
//!
//! In:  a [`Scene`](sinew_scene::Scene) uploaded once as a [`GpuScene`]; each frame, where its joints stand.
//! Out: an image in a [`Target`]: for a window to show, or read back.
//!
//! One set of shaders runs on Vulkan, Metal, DX12, GL, WebGPU and WebGL2: no storage buffers, at most four bind groups. Where there
//! is compute, vertices are put in their poses once for all passes. Palettes and morph weights of all characters travel in one texture, once a frame.
//!
//! ```no_run
//! use sinew_render::{Camera, Frame, Gpu, Renderer, RestPose, Target, View};
//! # let scene = sinew::demo();
//! # let actor = sinew::Actor::new(scene.clone());
//! let gpu = Gpu::headless()?;
//! let mut renderer = Renderer::new(&gpu);
//! let model = renderer.upload(&scene)?;
//! let target = Target::new(&gpu, 640, 480)?;
//! let bounds = actor.bounds();
//! let camera = Camera::frame(bounds, View::ThreeQuarter.direction(), 35_f32.to_radians(), target.aspect());
//! let mut frame = Frame::new(camera);
//! frame.add(&model, &RestPose::new(&scene).view(Default::default()));
//! renderer.draw(&mut frame, &target)?;
//! let image = target.read(&gpu)?;
//! assert_eq!(image.rgba.len(), 640 * 480 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// For `shaders.rs`, which the build script has too.
const IS_BUILD_SCRIPT: bool = false;

mod camera;
mod dfg;
mod environment;
mod error;
mod floor;
mod frame;
mod frustum;
mod globals;
#[cfg(own_webgl)]
mod glsl;
mod gpu;
mod labels;
mod letters;
mod light;
mod maps;
mod mirror;
mod module;
mod occlusion;
mod overlay;
mod pass;
#[cfg(not(target_arch = "wasm32"))]
mod pass_timer;
mod pipeline_cache;
mod pipelines;
mod readback;
mod renderer;
mod seams;
mod shaders;
mod skin;
#[cfg(not(target_arch = "wasm32"))]
mod staging;
mod surroundings;
mod target;
mod terrain;
mod texels;
mod timing;
mod upload;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod wgsl;

pub use camera::{Camera, Lens, View};
pub use environment::{Background, CubeImage, Environment, Equirect, Fog, Keep, Sky, Tone};
pub use error::RenderError;
pub use frame::{
    ActorView, CrowdInstance, Floor, Frame, FramePalette, GpuPalettes, MeshInstance, RestPose,
    Shadows,
};
pub use frustum::Frustum;
pub use gpu::{Gpu, Health};
pub use labels::Labels;
pub use light::Light;
pub use occlusion::Occlusion;
pub use overlay::{Bone, BoneStyle, Line, Overlay};
pub use pass::blit::Blit;
#[cfg(not(target_arch = "wasm32"))]
pub use pass_timer::{PassTimer, Repeat};
pub use readback::{Image, PendingImage};
pub use renderer::{Renderer, Stats};
#[cfg(own_webgl)]
pub use sinew_webgl::Canvas;
pub use target::Target;
pub use terrain::terrain;
pub use timing::Timings;
pub use upload::{Decode, GpuScene, MissingImages, UploadOptions, Uploader};
pub use wgpu;
