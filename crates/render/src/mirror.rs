//! What the floor mirrors: a small image of everyone upside down, for reflection.wgsl to blur.
//!
//! In:  the size of the image.
//! Out: what is drawn into, half as large on each side, and what binds it.

use crate::target::DEPTH;
use crate::upload::Layouts;

/// Plain numbers: what is seen of it is faint, and many places of it are read.
pub(crate) const MIRROR_COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The image of the mirror.
#[derive(Debug)]
pub(crate) struct Mirror {
    pub(crate) color: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
    /// For who draws the reflection.
    pub(crate) group: wgpu::BindGroup,
    size: [u32; 2],
}

impl Mirror {
    /// The one for images of this size; made anew where another size was known.
    pub(crate) fn fitting<'a>(
        known: &'a mut Option<Self>,
        device: &wgpu::Device,
        layouts: &Layouts,
        size: [u32; 2],
    ) -> &'a Self {
        let size = size.map(|side| side.div_ceil(2).max(1));
        if known.as_ref().is_some_and(|mirror| mirror.size != size) {
            *known = None;
        }
        known.get_or_insert_with(|| Self::new(device, layouts, size))
    }

    fn new(device: &wgpu::Device, layouts: &Layouts, size: [u32; 2]) -> Self {
        let view = |format, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("mirror"),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let color = view(MIRROR_COLOR, wgpu::TextureUsages::TEXTURE_BINDING);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mirrored"),
            layout: &layouts.mirrored,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&color),
            }],
        });
        Self { depth: view(DEPTH, wgpu::TextureUsages::empty()), color, group, size }
    }
}
