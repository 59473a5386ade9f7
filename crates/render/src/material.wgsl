// A surface's own values and images. The twin of upload/material.rs.

struct Material {
    base_color: vec4<f32>,
    // rgb with strength; w: alpha cutoff
    emissive: vec4<f32>,
    // Metallic, roughness, normal scale, occlusion strength.
    factors: vec4<f32>,
    // x: alpha mode, y: 1 when unlit
    flags: vec4<u32>,
    // For each map, two: a matrix, then an offset and the set of coordinates.
    uv: array<vec4<f32>, 10>,
}

// Which maps any material of the scene has; the rest is never read.
override MAPS: u32 = 0u;
override MASK: bool = false;

const MAP_BASE = 0u;
const MAP_METALLIC_ROUGHNESS = 1u;
const MAP_NORMAL = 2u;
const MAP_OCCLUSION = 3u;
const MAP_EMISSIVE = 4u;

@group(3) @binding(0) var<uniform> material: Material;
@group(3) @binding(1) var base_map: texture_2d<f32>;
@group(3) @binding(2) var base_sampler: sampler;
@group(3) @binding(3) var metallic_roughness_map: texture_2d<f32>;
@group(3) @binding(4) var metallic_roughness_sampler: sampler;
@group(3) @binding(5) var normal_map: texture_2d<f32>;
@group(3) @binding(6) var normal_sampler: sampler;
@group(3) @binding(7) var occlusion_map: texture_2d<f32>;
@group(3) @binding(8) var occlusion_sampler: sampler;
@group(3) @binding(9) var emissive_map: texture_2d<f32>;
@group(3) @binding(10) var emissive_sampler: sampler;

fn has(map: u32) -> bool {
    return (MAPS & (1u << map)) != 0u;
}

fn uv_of(map: u32, uv: vec4<f32>) -> vec2<f32> {
    let matrix = material.uv[2u * map];
    let rest = material.uv[2u * map + 1u];
    let own = select(uv.xy, uv.zw, rest.z > 0.5);
    return vec2(dot(matrix.xy, own), dot(matrix.zw, own)) + rest.xy;
}

fn base_color(uv: vec4<f32>, color: vec4<f32>) -> vec4<f32> {
    var base = material.base_color * color;
    if has(MAP_BASE) {
        base *= textureSample(base_map, base_sampler, uv_of(MAP_BASE, uv));
    }
    return base;
}
