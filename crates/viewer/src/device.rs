//! What the window's device is asked for.

use std::sync::Arc;

use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};

/// A device with what the renderer wants.
pub(crate) fn configuration() -> WgpuConfiguration {
    let mut configuration = WgpuConfiguration::default();
    if let WgpuSetup::CreateNew(WgpuSetupCreateNew { device_descriptor, .. }) =
        &mut configuration.wgpu_setup
    {
        *device_descriptor = Arc::new(sinew::render::Gpu::descriptor);
    }
    configuration
}
