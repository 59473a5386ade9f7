// Where lamps are, and what facets of a surface send back of their light.

const PI = 3.14159265;

struct Lamp {
    towards: vec3<f32>,
    // What is left of its light here.
    strength: f32,
}

fn lamp_at(world: vec3<f32>, index: u32) -> Lamp {
    let light = globals.lights[index];
    if light.direction.w == LIGHT_DIRECTIONAL {
        return Lamp(-light.direction.xyz, 1.0);
    }
    let gap = light.position.xyz - world;
    let square = max(dot(gap, gap), 1e-6);
    let towards = gap * inverseSqrt(square);
    // KHR_lights_punctual: the inverse square, ended smoothly at the range.
    let reach = square * light.position.w * light.position.w;
    let end = saturate(1.0 - reach * reach);
    var strength = end * end / square;
    if light.direction.w != LIGHT_POINT {
        let edge = dot(-towards, light.direction.xyz) * light.cone.x + light.cone.y;
        strength *= saturate(edge) * saturate(edge);
    }
    return Lamp(towards, strength);
}

fn ggx(n_h: f32, roughness: f32) -> f32 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let spread = n_h * n_h * (square - 1.0) + 1.0;
    return square / (PI * spread * spread);
}

// Height-correlated Smith, with the 1 / (4 n_l n_v) folded in.
fn smith(n_l: f32, n_v: f32, roughness: f32) -> f32 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    return 0.5 / (n_l * sqrt(n_v * n_v * (1.0 - square) + square)
        + n_v * sqrt(n_l * n_l * (1.0 - square) + square) + 1e-5);
}

fn schlick(facing: vec3<f32>, grazing: f32, cosine: f32) -> vec3<f32> {
    return facing + (grazing - facing) * pow(saturate(1.0 - cosine), 5.0);
}
