//! Rust and WGSL lay out the same structs the same way.

use std::mem::offset_of;

use crate::globals::{Globals, LightUniform};
use crate::shaders::Shader;
use crate::upload::MaterialUniform;

/// Names and offsets of a struct's members, and its size, as naga sees them.
fn members(shader: Shader, name: &str) -> (Vec<(String, usize)>, usize) {
    let module = naga::front::wgsl::parse_str(&shader.source(u32::MAX, u32::MAX)).expect("parses");
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    let (_, ty) = found.unwrap_or_else(|| panic!("{shader:?} has no struct {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else {
        panic!("{name} is no struct")
    };
    let member = |member: &naga::StructMember| {
        (member.name.clone().unwrap_or_default(), member.offset as usize)
    };
    (members.iter().map(member).collect(), *span as usize)
}

macro_rules! same {
    ($shader:expr, $name:literal, $type:ty, [$($member:ident),* $(,)?]) => {
        let rust = (vec![$((stringify!($member).to_owned(), offset_of!($type, $member))),*], size_of::<$type>());
        assert_eq!(members($shader, $name), rust, "{} in {:?}", $name, $shader);
    };
}

#[test]
fn uniforms_lie_the_same_in_rust_and_in_wgsl() {
    for shader in [Shader::Mesh, Shader::Floor, Shader::Sky] {
        same!(shader, "Light", LightUniform, [position, direction, color, cone]);
        same!(
            shader,
            "Globals",
            Globals,
            [
                clip_from_world,
                shadow_from_world,
                eye,
                forward,
                right,
                up,
                viewport,
                fog_color,
                fog,
                zenith,
                horizon,
                ground,
                sun,
                sun_color,
                ambient,
                environment,
                environment_turn,
                shadow,
                shadow_soft,
                counts,
                floor,
                floor_color,
                floor_middle,
                harmonics,
                lights,
            ]
        );
    }
    for shader in [Shader::Mesh, Shader::Shadow] {
        same!(
            shader,
            "Material",
            MaterialUniform,
            [
                base_color,
                emissive,
                factors,
                flags,
                specular,
                clearcoat,
                sheen,
                transmission,
                absorption,
                diffuse_transmission,
                iridescence,
                anisotropy,
                uv,
            ]
        );
    }
}

#[test]
fn uniforms_fit_in_what_webgl2_guarantees() {
    assert!(size_of::<Globals>() <= 16 << 10, "{}", size_of::<Globals>());
    assert!(size_of::<MaterialUniform>() <= 16 << 10);
    assert!(size_of::<crate::upload::Vertex>() <= 255);
    assert!(size_of::<crate::frame::Row>() <= 255);
}

#[test]
fn vertex_attributes_lie_where_their_formats_say() {
    use crate::upload::Vertex;
    let offsets = Vertex::ATTRIBUTES.map(|attribute| attribute.offset as usize);
    let expected = [
        offset_of!(Vertex, position),
        offset_of!(Vertex, normal),
        offset_of!(Vertex, tangent),
        offset_of!(Vertex, uv),
        offset_of!(Vertex, color),
        offset_of!(Vertex, ranges),
    ];
    assert_eq!(offsets, expected);
}
