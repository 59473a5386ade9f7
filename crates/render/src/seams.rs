//! Cube maps without seams, where OpenGL has to be asked for them.
//!
//! In:  a device. Out: the same; on desktop OpenGL a cube map is read across the edges of its faces, as on every other back end.
//!
//! Vulkan, Metal, Direct3D, WebGPU and OpenGL ES always do that. wgpu takes desktop OpenGL where there is one and leaves its switch off: the
//! blurred levels of an environment are a few texels wide, and up to 8 of 255 were off in four of a thousand pixels.

/// Reads cube maps across their edges.
#[allow(unsafe_code)]
#[cfg(any(target_os = "linux", target_os = "windows", target_os = "freebsd"))]
pub(crate) fn close(device: &wgpu::Device) {
    use glow::HasContext;
    if device.adapter_info().backend != wgpu::Backend::Gl {
        return;
    }
    // SAFETY: the device is only borrowed, and lives on.
    let Some(device) = (unsafe { device.as_hal::<wgpu::hal::api::Gles>() }) else { return };
    let gl = device.context().lock();
    if gl.version().is_embedded {
        return;
    }
    // SAFETY: the context is current while it is locked; the switch is part of OpenGL 3.2, and wgpu never touches it.
    unsafe { gl.enable(glow::TEXTURE_CUBE_MAP_SEAMLESS) };
}

/// Reads cube maps across their edges: always so here.
#[cfg(not(any(target_os = "linux", target_os = "windows", target_os = "freebsd")))]
pub(crate) fn close(_device: &wgpu::Device) {}
