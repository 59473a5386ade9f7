//! What is bound for programs: buffers, textures and samplers, by their places.

use std::rc::Rc;

use wgpu::custom::{BindGroupInterface, BindGroupLayoutInterface};

use crate::buffer::{Buffer, Memory};
use crate::context::Context;
use crate::texture::{Filter, Image, Sampler, View};

/// What bindings of a group take an offset when they are bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout(Rc<Vec<u32>>);

impl Layout {
    pub(crate) fn new(descriptor: &wgpu::BindGroupLayoutDescriptor<'_>) -> Self {
        let is_moving = |entry: &&wgpu::BindGroupLayoutEntry| {
            matches!(entry.ty, wgpu::BindingType::Buffer { has_dynamic_offset: true, .. })
        };
        Self(Rc::new(
            descriptor.entries.iter().filter(is_moving).map(|entry| entry.binding).collect(),
        ))
    }
}

impl BindGroupLayoutInterface for Layout {}

/// Things bound together.
#[derive(Clone, Debug)]
pub(crate) struct Group(pub(crate) Rc<Bound>);

#[derive(Debug)]
pub(crate) struct Bound {
    entries: Vec<(u32, Resource)>,
    moving: Layout,
}

#[derive(Clone, Debug)]
pub(crate) enum Resource {
    /// With offset and size.
    Buffer(Rc<Memory>, u32, u32),
    Texture(Rc<Image>),
    Sampler(Rc<Filter>),
}

impl Group {
    pub(crate) fn new(context: &Context, descriptor: &wgpu::BindGroupDescriptor<'_>) -> Self {
        let mut entries = Vec::with_capacity(descriptor.entries.len());
        for entry in descriptor.entries {
            match resource(&entry.resource) {
                Some(resource) => entries.push((entry.binding, resource)),
                None => context.refuse("WebGL2: expected a buffer, a texture or a sampler to bind"),
            }
        }
        let moving = descriptor.layout.as_custom::<Layout>().cloned().unwrap_or_default();
        Self(Rc::new(Bound { entries, moving }))
    }
}

fn resource(of: &wgpu::BindingResource<'_>) -> Option<Resource> {
    match of {
        wgpu::BindingResource::Buffer(bound) => {
            let memory = Rc::clone(&bound.buffer.as_custom::<Buffer>()?.0);
            let offset = bound.offset as u32;
            let size = bound.size.map_or(memory.size - offset, |size| size.get() as u32);
            Some(Resource::Buffer(memory, offset, size))
        }
        wgpu::BindingResource::TextureView(view) => {
            Some(Resource::Texture(Rc::clone(&view.as_custom::<View>()?.0)))
        }
        wgpu::BindingResource::Sampler(sampler) => {
            Some(Resource::Sampler(Rc::clone(&sampler.as_custom::<Sampler>()?.0)))
        }
        _ => None,
    }
}

impl Bound {
    pub(crate) fn get(&self, binding: u32) -> Option<&Resource> {
        self.entries.iter().find(|(at, _)| *at == binding).map(|(_, resource)| resource)
    }

    /// What is added to a binding's offset, of those given when the group was bound.
    pub(crate) fn offset(&self, binding: u32, offsets: &[u32]) -> u32 {
        let place = self.moving.0.iter().position(|moving| *moving == binding);
        place.and_then(|place| offsets.get(place)).copied().unwrap_or_default()
    }
}

impl BindGroupInterface for Group {}
