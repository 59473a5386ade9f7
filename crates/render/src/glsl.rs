//! Shaders in GLSL, for WebGL2: put together from the parts that `build.rs` has translated.

use crate::maps;
use crate::shaders::Shader;

// `PARTS`: texts that shaders share. `STAGES`: for each shader its stages: name, what it reads, the numbers of its parts.
include!(concat!(env!("OUT_DIR"), "/glsl.rs"));

/// A shader for a device of `sinew-webgl`, for materials with these images and layers.
#[allow(unsafe_code)]
pub(crate) fn module(
    device: &wgpu::Device,
    shader: Shader,
    maps: u32,
    layers: u32,
) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        glsl: Some(source(shader, maps, layers).into()),
        ..Default::default()
    };
    // SAFETY: the device is WebGL2, where a browser checks every shader and every place that one reads.
    unsafe { device.create_shader_module_passthrough(descriptor) }
}

/// As `sinew-webgl` takes it: what is defined for all stages, then each stage with what it reads.
fn source(shader: Shader, maps: u32, layers: u32) -> String {
    let mut text = String::new();
    if shader.reads_materials() {
        for slot in maps::slots(maps) {
            text += &format!("#define MAP{slot}\n");
        }
        for (name, is_there) in maps::layers(layers) {
            text += &format!("#define HAS_{name} {}\n", u8::from(is_there));
        }
    }
    let place = Shader::ALL.iter().position(|one| *one == shader);
    for (entry, reads, parts) in place.map_or(&[][..], |place| STAGES[place]) {
        text += "\u{1}";
        text += entry;
        text += "\n";
        text += reads;
        text += "\n";
        for part in *parts {
            text += PARTS[usize::from(*part)];
        }
    }
    text
}
