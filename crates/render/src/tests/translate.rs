//! Every shader is good WGSL, and can be said in what other back ends speak.

use naga::back::{glsl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use crate::shaders::{Shader, Vertices};

fn checked(shader: Shader) -> (naga::Module, ModuleInfo) {
    let source = shader.source(u32::MAX, u32::MAX, Vertices::AtRest);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{shader:?}: {}", error.emit_to_string(&source)));
    // No capability beyond the plain ones: what WebGL2 has.
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{shader:?}: {}", error.emit_to_string(&source)));
    (module, info)
}

#[test]
fn every_shader_is_valid_without_any_capability() {
    for shader in Shader::ALL {
        checked(shader);
    }
}

#[test]
fn no_shader_needs_storage_buffers_or_more_than_four_groups() {
    for shader in Shader::ALL {
        let (module, _) = checked(shader);
        for (_, variable) in module.global_variables.iter() {
            let storage = matches!(variable.space, naga::AddressSpace::Storage { .. });
            assert!(!storage, "{shader:?}: {:?}", variable.name);
            assert!(variable.binding.is_none_or(|binding| binding.group < 4), "{shader:?}");
        }
        assert!(module.entry_points.iter().all(|e| e.stage != naga::ShaderStage::Compute));
    }
}

#[test]
fn every_shader_can_be_said_in_the_glsl_of_webgl2() {
    for shader in Shader::ALL {
        let (module, info) = checked(shader);
        for entry in &module.entry_points {
            let constants = naga::back::PipelineConstants::default();
            let (module, info) = naga::back::pipeline_constants::process_overrides(
                &module,
                &info,
                Some((entry.stage, &entry.name)),
                &constants,
            )
            .unwrap_or_else(|error| panic!("{shader:?}: {error}"));
            let options =
                glsl::Options { version: glsl::Version::new_gles(300), ..glsl::Options::default() };
            let pipeline = glsl::PipelineOptions {
                shader_stage: entry.stage,
                entry_point: entry.name.clone(),
                multiview: None,
            };
            let mut text = String::new();
            let policies = naga::proc::BoundsCheckPolicies::default();
            glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
                .and_then(|mut writer| writer.write().map(drop))
                .unwrap_or_else(|error| panic!("{shader:?} {}: {error}", entry.name));
            assert!(text.contains("#version 300 es"), "{shader:?}");
        }
    }
}

#[test]
fn every_shader_can_be_said_in_spir_v() {
    for shader in Shader::ALL {
        let (module, info) = checked(shader);
        let constants = naga::back::PipelineConstants::default();
        let (module, info) =
            naga::back::pipeline_constants::process_overrides(&module, &info, None, &constants)
                .unwrap_or_else(|error| panic!("{shader:?}: {error}"));
        spv::write_vec(&module, &info, &spv::Options::default(), None)
            .unwrap_or_else(|error| panic!("{shader:?}: {error}"));
    }
}

#[test]
fn shaders_of_skinned_vertices_are_valid_and_can_be_said_in_spir_v() {
    let kinds = [Shader::Mesh, Shader::Shadow, Shader::Mirror, Shader::Wire];
    let sources = kinds.map(|shader| shader.source(u32::MAX, u32::MAX, Vertices::Skinned));
    for source in sources.into_iter().chain([crate::shaders::skin_source()]) {
        let module = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        let constants = naga::back::PipelineConstants::default();
        let (module, info) =
            naga::back::pipeline_constants::process_overrides(&module, &info, None, &constants)
                .expect("constants");
        spv::write_vec(&module, &info, &spv::Options::default(), None).expect("SPIR-V");
    }
}
