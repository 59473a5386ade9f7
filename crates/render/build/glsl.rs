//! From WGSL to GLSL ES 3.00: each shader once, with everything that a material may have.
//!
//! What is chosen when a pipeline is made stays open in the text: override constants, layers and images of materials become names that are
//! defined before the text (`#define`), so that few texts stand for all variants.

use std::collections::BTreeSet;
use std::path::Path;

use naga::back::glsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::parts::{Names, Parts, flags};
use crate::shaders::{Shader, Vertices};

/// Writes `glsl.rs` into the folder for what is built.
pub(crate) fn write() {
    let mut parts = Parts::default();
    let mut stages = String::new();
    for shader in Shader::ALL {
        stages += "    &[";
        for (entry, reads, numbers) in translate(shader, &mut parts) {
            stages += &format!("({entry:?}, {reads:?}, &{numbers:?}), ");
        }
        stages += "],\n";
    }
    let texts: String = parts.texts.iter().map(|text| format!("    {text:?},\n")).collect();
    let code = format!(
        "const PARTS: &[&str] = &[\n{texts}];\n\
         const STAGES: &[&[(&str, &str, &[u16])]] = &[\n{stages}];\n"
    );
    let folder = std::env::var("OUT_DIR").expect("cargo says where to write");
    std::fs::write(Path::new(&folder).join("glsl.rs"), code).expect("a file can be written");
}

/// The stages of a shader: entry point, what it reads, its parts.
pub(crate) fn translate(shader: Shader, parts: &mut Parts) -> Vec<(String, String, Vec<u16>)> {
    let source = shader.source(u32::MAX, u32::MAX, Vertices::AtRest);
    let (source, flags) = flags(&source);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{shader:?}: {}", error.emit_to_string(&source)));
    // What is chosen later looks like a variable here, and not like the same everywhere: that it is was checked with the text as it is.
    let flags_of_check = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let info = Validator::new(flags_of_check, Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{shader:?}: {}", error.emit_to_string(&source)));
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        writer_flags: glsl::WriterFlags::ADJUST_COORDINATE_SPACE
            | glsl::WriterFlags::FORCE_POINT_SIZE,
        ..glsl::Options::default()
    };
    let mut stages = Vec::new();
    for entry in &module.entry_points {
        let pipeline = glsl::PipelineOptions {
            shader_stage: entry.stage,
            entry_point: entry.name.clone(),
            multiview: None,
        };
        let mut text = String::new();
        let policies = naga::proc::BoundsCheckPolicies::default();
        let found = glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
            .and_then(|mut writer| writer.write())
            .unwrap_or_else(|error| panic!("{shader:?} {}: {error}", entry.name));
        let (names, reads) = names(&module, &found);
        stages.push((entry.name.clone(), reads, parts.add(&text, &names, &flags)));
    }
    stages
}

/// Names that tell where a block or a texture is bound, and the line of all of them.
fn names(module: &naga::Module, found: &glsl::ReflectionInfo) -> (Names, String) {
    let place = |handle: naga::Handle<naga::GlobalVariable>| {
        let at = module.global_variables[handle].binding.expect("what is bound has a place");
        (at.group, at.binding)
    };
    let mut names = Names::default();
    let mut words = BTreeSet::new();
    for (handle, name) in &found.uniforms {
        let (group, binding) = place(*handle);
        names.insert(name.clone(), format!("B{group}_{binding}"));
        words.insert(format!("u{group}.{binding}"));
    }
    for (name, texture) in &found.texture_mapping {
        let (group, binding) = place(texture.texture);
        names.insert(name.clone(), format!("T{group}_{binding}"));
        let sampler = texture.sampler.map(place);
        let sampler =
            sampler.map_or(String::new(), |(group, binding)| format!(".{group}.{binding}"));
        words.insert(format!("t{group}.{binding}{sampler}"));
    }
    (names, words.into_iter().collect::<Vec<_>>().join(" "))
}
