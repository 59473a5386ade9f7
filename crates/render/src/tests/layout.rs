//! Rust and WGSL lay out the same structs the same way.

use std::mem::offset_of;

use crate::globals::{Globals, LightUniform};
use crate::occlusion::{DirectionUniform, OcclusionUniform};
use crate::shaders::{Shader, Vertices};
use crate::upload::MaterialUniform;

/// Names and offsets of a struct's members, and its size, as naga sees them.
fn members(shader: Shader, name: &str) -> (Vec<(String, usize)>, usize) {
    let module = naga::front::wgsl::parse_str(&shader.source(u32::MAX, u32::MAX, Vertices::AtRest))
        .expect("parses");
    members_of(&module, name)
}

fn members_of(module: &naga::Module, name: &str) -> (Vec<(String, usize)>, usize) {
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
    ($shader:expr, $name:literal, $type:ty, [$($member:ident),* $(,)?]) => {
        let rust = (vec![$((stringify!($member).to_owned(), offset_of!($type, $member))),*], size_of::<$type>());
        assert_eq!(members($shader, $name), rust, "{} in {:?}", $name, $shader);
    };
}

#[test]
fn uniforms_lie_the_same_in_rust_and_in_wgsl() {
    for shader in [Shader::Mesh, Shader::Floor, Shader::Reflection, Shader::Sky] {
        same!(shader, "Light", LightUniform, [position, direction, color, cone]);
        same!(
            shader,
            "Globals",
            Globals,
            [
                clip_from_world,
                shadow_from_world,
                camera_position,
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
                backdrop_middle,
                backdrop_edge,
                harmonics,
                lights,
            ]
        );
    }
    same!(
        Shader::Mesh,
        "Direction",
        DirectionUniform,
        [towards, light_rg, light_b, behind_rg, behind_b, scale]
    );
    same!(Shader::Mesh, "Occlusion", OcclusionUniform, [sphere, sizes, directions]);
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

#[test]
fn rows_and_vertices_lie_the_same_for_the_compute_shader() {
    use crate::frame::Row;
    use crate::upload::Vertex;
    let source = crate::shaders::skin_source();
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
    let row = [offset_of!(Row, pose), offset_of!(Row, modes), offset_of!(Row, skinned)];
    let (members, size) = members_of(&module, "Row");
    assert_eq!(([members[0].1, members[4].1, members[6].1], size), (row, size_of::<Row>()));
    let vertex = [
        ("position".to_owned(), offset_of!(Vertex, position)),
        ("normal".to_owned(), offset_of!(Vertex, normal)),
        ("tangent".to_owned(), offset_of!(Vertex, tangent)),
        ("uv".to_owned(), offset_of!(Vertex, uv)),
        ("color".to_owned(), offset_of!(Vertex, color)),
        ("ranges".to_owned(), offset_of!(Vertex, ranges)),
        ("rest".to_owned(), offset_of!(Vertex, rest)),
    ];
    assert_eq!(members_of(&module, "Packed"), (vertex.to_vec(), size_of::<Vertex>()));
}
