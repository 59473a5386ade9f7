//! Shaders handed to a device: as WGSL, or as GLSL where the device is our own on WebGL2.

use crate::shaders::{Shader, Vertices};

/// A shader, for materials with these images and layers, and these vertices.
pub(crate) type Kind = (Shader, u32, u32, Vertices);

/// A shader on a device.
pub(crate) fn module(
    device: &wgpu::Device,
    (shader, maps, layers, vertices): Kind,
) -> wgpu::ShaderModule {
    #[cfg(own_webgl)]
    if only_own(device) {
        return crate::glsl::module(device, shader, maps, layers);
    }
    wgsl(device, shader.source(maps, layers, vertices))
}

/// Whether there is no other device, which spares a page the other texts; else whether this one is ours.
#[cfg(own_webgl)]
fn only_own(device: &wgpu::Device) -> bool {
    !cfg!(any(feature = "webgpu", feature = "webgl")) || sinew_webgl::is_own(device)
}

fn wgsl(device: &wgpu::Device, source: String) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}
