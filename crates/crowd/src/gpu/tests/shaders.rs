//! Every shader is good WGSL, needs nothing beyond plain compute, and lays out structs as Rust does.

use std::mem::offset_of;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use crate::gpu::chains::Chain;
use crate::gpu::kernels::MAX_BUFFERS;
use crate::gpu::plan::BranchMemory;
use crate::gpu::sampled_clips::Head;

const MEMORIES: [BranchMemory; 2] = [BranchMemory::Workgroup, BranchMemory::Device];

fn checked(memory: BranchMemory) -> (naga::Module, ModuleInfo) {
    let source = memory.source();
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{memory:?}: {}", error.emit_to_string(&source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{memory:?}: {}", error.emit_to_string(&source)));
    (module, info)
}

#[test]
fn every_shader_can_be_said_in_spir_v_without_any_capability() {
    for memory in MEMORIES {
        let (module, info) = checked(memory);
        assert_eq!(module.entry_points.len(), 1);
        let stage = (naga::ShaderStage::Compute, "all");
        let constants = naga::back::PipelineConstants::default();
        let (module, info) = naga::back::pipeline_constants::process_overrides(
            &module,
            &info,
            Some(stage),
            &constants,
        )
        .unwrap_or_else(|error| panic!("{memory:?}: {error}"));
        naga::back::spv::write_vec(&module, &info, &naga::back::spv::Options::default(), None)
            .unwrap_or_else(|error| panic!("{memory:?}: {error}"));
    }
}

#[test]
fn every_shader_binds_what_it_uses_and_no_more_than_webgpu_grants() {
    for memory in MEMORIES {
        let (module, info) = checked(memory);
        let used = info.get_entry_point(0);
        let mut found: Vec<u32> = module
            .global_variables
            .iter()
            .filter(|(handle, _)| !used[*handle].is_empty())
            .filter_map(|(_, variable)| Some(variable.binding?.binding))
            .collect();
        found.sort_unstable();
        assert_eq!(found, memory.bindings(), "{memory:?}");
        assert!(memory.bindings().len() as u32 <= MAX_BUFFERS && MAX_BUFFERS <= 8, "{memory:?}");
    }
}

/// Names and offsets of a struct's members, and its size, as naga sees them.
fn members(memory: BranchMemory, name: &str) -> (Vec<(String, usize)>, usize) {
    let (module, _) = checked(memory);
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    let (_, ty) = found.unwrap_or_else(|| panic!("there is no struct {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else {
        panic!("{name} is no struct")
    };
    let member = |member: &naga::StructMember| {
        (member.name.clone().unwrap_or_default(), member.offset as usize)
    };
    (members.iter().map(member).collect(), *span as usize)
}

macro_rules! same {
    ($name:literal, $type:ty, [$($member:ident),*]) => {
        let rust = (vec![$((stringify!($member).to_owned(), offset_of!($type, $member))),*], size_of::<$type>());
        for memory in MEMORIES {
            assert_eq!(members(memory, $name), rust, "{}", $name);
        }
    };
}

#[test]
fn structs_lie_the_same_in_rust_and_in_wgsl() {
    same!("SampledClip", Head, [duration, rate, hurry, last, tracks, frames, wide]);
    same!("Chain", Chain, [branch, first, end]);
    // Parts are written as four words, matrices as twelve.
    assert_eq!(
        members(BranchMemory::Workgroup, "CharacterState").1,
        size_of::<crate::CharacterState>()
    );
    assert_eq!(members(BranchMemory::Workgroup, "Rows").1, size_of::<[[f32; 4]; 3]>());
    let names = ["sampled_clips", "first_time", "second_time", "share"];
    let words = names.iter().zip([0, 4, 8, 12]).map(|(name, at)| ((*name).to_owned(), at));
    assert_eq!(members(BranchMemory::Workgroup, "CharacterState").0, words.collect::<Vec<_>>());
}
