// A surface's own values. The twin of upload/material.rs. Its images follow, as maps.rs writes them: one function for each,
// `read_base` and so on, which gives white where no material of the scene has such an image.

struct Material {
    base_color: vec4<f32>,
    // rgb with strength; w: alpha cutoff
    emissive: vec4<f32>,
    // Metallic, roughness, normal scale, occlusion strength.
    factors: vec4<f32>,
    // x: alpha mode, y: 1 when unlit
    flags: vec4<u32>,
    // rgb: colour of what is reflected at right angles; w: strength
    specular: vec4<f32>,
    // Strength, roughness, normal scale.
    clearcoat: vec4<f32>,
    // rgb: colour; w: roughness
    sheen: vec4<f32>,
    // Strength, thickness, dispersion, index of refraction.
    transmission: vec4<f32>,
    // rgb: what a metre absorbs, as exponents
    absorption: vec4<f32>,
    // rgb: colour; w: strength
    diffuse_transmission: vec4<f32>,
    // Strength, index of refraction, least and greatest thickness in nanometres.
    iridescence: vec4<f32>,
    // Strength, cosine and sine of the direction.
    anisotropy: vec4<f32>,
    // For each map, two: a matrix, then an offset and the set of coordinates.
    uv: array<vec4<f32>, 38>,
}

override MASK: bool = false;

@group(3) @binding(0) var<uniform> material: Material;

fn uv_of(map: u32, uv: vec4<f32>) -> vec2<f32> {
    let matrix = material.uv[2u * map];
    let rest = material.uv[2u * map + 1u];
    let own = select(uv.xy, uv.zw, rest.z > 0.5);
    return vec2(dot(matrix.xy, own), dot(matrix.zw, own)) + rest.xy;
}
