//! A device to draw with, with or without a window.
//!
//! In:  nothing, or a device that a window system has made already.
//! Out: device and queue, and a [`Health`] that remembers when the device was lost.

use std::sync::{Arc, Mutex, PoisonError};

use crate::RenderError;
use crate::seams;

/// A device and its queue. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Makes things.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    health: Health,
}

/// Whether a device still works: the first trouble it reported that nobody has asked for yet.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<Mutex<Option<RenderError>>>);

impl Health {
    /// Listens to a device from now on; takes the place of whoever listened before.
    #[must_use]
    pub fn watch(device: &wgpu::Device) -> Self {
        let health = Self::default();
        let lost = health.clone();
        device.set_device_lost_callback(move |_, why| lost.report(RenderError::DeviceLost(why)));
        let refused = health.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            refused.report(RenderError::Refused(error.to_string()));
        }));
        health
    }

    fn report(&self, error: RenderError) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = |error: &RenderError| matches!(error, RenderError::DeviceLost(_));
        if first.is_none() || (lost(&error) && !first.as_ref().is_some_and(lost)) {
            *first = Some(error);
        }
    }

    /// # Errors
    /// What the device reported first since the last time; loss before anything else, and for good.
    pub fn check(&self) -> Result<(), RenderError> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            None => Ok(()),
            Some(RenderError::DeviceLost(why)) => Err(RenderError::DeviceLost(why.clone())),
            Some(_) => first.take().map_or(Ok(()), Err),
        }
    }
}

/// Features that are used where there are.
fn wanted() -> wgpu::Features {
    wgpu::Features::PIPELINE_CACHE | wgpu::Features::TIMESTAMP_QUERY
}

impl Gpu {
    /// A device that somebody else made. Nobody listens to its errors; see [`Gpu::watched`].
    #[must_use]
    pub fn from_parts(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        seams::close(&device);
        Self { device, queue, health: Health::default() }
    }

    /// The same, with its errors and its loss heard by us instead of ending the program.
    #[must_use]
    pub fn watched(self) -> Self {
        Self { health: Health::watch(&self.device), ..self }
    }

    /// What a device for this adapter should be asked for: all that is useful and there, as much of every limit as there is.
    #[must_use]
    pub fn descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_features: adapter.features() & wanted(),
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..wgpu::DeviceDescriptor::default()
        }
    }

    /// A device without a window: hardware where there is, else a software driver. The environment
    /// variable `WGPU_BACKEND` (`vulkan`, `gl`, `metal`, `dx12`) chooses.
    ///
    /// # Errors
    /// When there is no driver, or it gives no device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn headless() -> Result<Self, RenderError> {
        pollster::block_on(Self::open())
    }

    /// As [`headless`](Self::headless), where waiting is not possible.
    ///
    /// # Errors
    /// When there is no driver, or it gives no device.
    pub async fn open() -> Result<Self, RenderError> {
        let chosen = wgpu::Backends::from_env();
        // GL is loaded only where nothing better is found: opening every driver takes time.
        let first = chosen.unwrap_or(wgpu::Backends::PRIMARY);
        let adapter = match adapter(first).await {
            Some(adapter) => adapter,
            None if chosen.is_none() => {
                adapter(wgpu::Backends::GL).await.ok_or(RenderError::NoDriver)?
            }
            None => return Err(RenderError::NoDriver),
        };
        let (device, queue) = adapter
            .request_device(&Self::descriptor(&adapter))
            .await
            .map_err(|error| RenderError::NoDevice(error.to_string()))?;
        Ok(Self::from_parts(device, queue).watched())
    }

    /// A device that draws on a canvas of a web page, and the canvas as a surface. A canvas that was tried with one
    /// back end cannot be used with another: take a new one for each try.
    ///
    /// # Errors
    /// When the browser has no such back end, or it gives no adapter, device or context.
    #[cfg(all(target_arch = "wasm32", any(feature = "webgpu", feature = "webgl")))]
    pub async fn open_on(
        canvas: wgpu::SurfaceTarget<'static>,
        backends: wgpu::Backends,
    ) -> Result<(Self, wgpu::Surface<'static>), RenderError> {
        let refused = |error: &dyn std::fmt::Display| RenderError::NoDevice(error.to_string());
        let instance = instance(backends);
        let surface = instance.create_surface(canvas).map_err(|error| refused(&error))?;
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter =
            instance.request_adapter(&options).await.map_err(|_| RenderError::NoDriver)?;
        let (device, queue) = adapter
            .request_device(&Self::descriptor(&adapter))
            .await
            .map_err(|error| refused(&error))?;
        Ok((Self::from_parts(device, queue).watched(), surface))
    }

    /// A device of WebGL2 that draws on a canvas of a web page, without wgpu's own back end; and the canvas.
    ///
    /// # Errors
    /// When the browser gives no WebGL2.
    #[cfg(own_webgl)]
    pub fn open_webgl(
        canvas: web_sys::OffscreenCanvas,
    ) -> Result<(Self, sinew_webgl::Canvas), RenderError> {
        let (device, queue, canvas) = sinew_webgl::open(canvas).map_err(RenderError::NoDevice)?;
        Ok((Self::from_parts(device, queue).watched(), canvas))
    }

    /// Whether the device still works.
    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Waits until all work handed over so far is done.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), RenderError> {
        let done = self.device.poll(wgpu::PollType::wait_indefinitely());
        done.map_err(|error| RenderError::DeviceLost(error.to_string()))?;
        self.health.check()
    }

    /// A buffer's bytes, once the GPU is done with it; one that can be mapped for reading.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_buffer(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
        let bytes = crate::readback::map(self, buffer)?;
        buffer.unmap();
        Ok(bytes)
    }

    /// The device in words: its name and driver.
    #[must_use]
    pub fn name(&self) -> String {
        let info = self.device.adapter_info();
        format!("{} ({}, {})", info.name, info.backend, info.driver)
    }

    /// The longest side of a texture.
    #[must_use]
    pub fn longest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }
}

fn instance(backends: wgpu::Backends) -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

async fn adapter(backends: wgpu::Backends) -> Option<wgpu::Adapter> {
    let instance = instance(backends);
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    instance.request_adapter(&options).await.ok()
}
