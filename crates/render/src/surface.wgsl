// A surface where it is seen, and what its roughness and colour send back.

struct Surface {
    world: vec3<f32>,
    // Where in the image, in pixels.
    pixel: vec2<f32>,
    normal: vec3<f32>,
    // Of the mesh, without bumps.
    mesh_normal: vec3<f32>,
    // The triangle's own side, for shadows.
    flat_normal: vec3<f32>,
    to_eye: vec3<f32>,
    diffuse: vec3<f32>,
    // Reflected at right angles, and at grazing ones.
    facing: vec3<f32>,
    grazing: f32,
    roughness: f32,
    occlusion: f32,
    // Along the stretched highlight; w: how much it is stretched
    stretch: vec4<f32>,
    coat: f32,
    coat_roughness: f32,
    coat_normal: vec3<f32>,
    sheen: vec3<f32>,
    sheen_roughness: f32,
    // Light from behind: colour and share.
    through: vec4<f32>,
    // A thin film: strength and thickness in nanometres.
    film: vec2<f32>,
    // Glass: strength and thickness in metres.
    glass: vec2<f32>,
}

@group(1) @binding(6) var dfg_map: texture_2d<f32>;

// Scale and offset of what is reflected at right angles; then what cloth sends back. The twin of dfg.rs.
fn dfg(n_v: f32, roughness: f32) -> vec3<f32> {
    return textureSampleLevel(dfg_map, environment_sampler, vec2(n_v, roughness), 0.0).rgb;
}

struct Gloss {
    // Reflected once, and more than once.
    single: vec3<f32>,
    multiple: vec3<f32>,
}

// What is reflected in all, with what bounces between facets; C. Fdez-Agüera, "A multiple-scattering microfacet model for
// real-time image-based lighting" (2019).
fn gloss(facing: vec3<f32>, grazing: f32, roughness: f32, n_v: f32) -> Gloss {
    let both = dfg(n_v, roughness).xy;
    let single = facing * both.x + grazing * both.y;
    let lost = 1.0 - both.x - both.y;
    let mean = facing + (grazing - facing) / 21.0;
    return Gloss(single, lost * single * mean / (1.0 - mean * lost));
}

fn largest(color: vec3<f32>) -> f32 {
    return max(color.r, max(color.g, color.b));
}

// What a coat of varnish reflects.
fn coat_share(surface: Surface) -> f32 {
    let n_v = saturate(dot(surface.coat_normal, surface.to_eye));
    return surface.coat * (0.04 + 0.96 * pow(1.0 - n_v, 5.0));
}

// What fibres leave to what is under them.
fn under_sheen(surface: Surface, n_v: f32) -> f32 {
    return 1.0 - largest(surface.sheen) * dfg(n_v, surface.sheen_roughness).z;
}
