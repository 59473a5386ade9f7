// Light on a surface: metallic-roughness with GGX, Smith and Schlick; ambient light from the environment.

const PI = 3.14159265;

struct Surface {
    world: vec3<f32>,
    normal: vec3<f32>,
    // The triangle's own side, for shadows.
    flat_normal: vec3<f32>,
    to_eye: vec3<f32>,
    diffuse: vec3<f32>,
    // Reflected at right angles.
    facing: vec3<f32>,
    roughness: f32,
    occlusion: f32,
}

// Radiance towards the eye per unit of irradiance from `to_light`.
fn reflected(surface: Surface, to_light: vec3<f32>) -> vec3<f32> {
    let half_way = normalize(to_light + surface.to_eye);
    let n_l = saturate(dot(surface.normal, to_light));
    let n_v = max(dot(surface.normal, surface.to_eye), 1e-4);
    let n_h = saturate(dot(surface.normal, half_way));
    let l_h = saturate(dot(to_light, half_way));
    let alpha = surface.roughness * surface.roughness;
    let square = alpha * alpha;
    let spread = n_h * n_h * (square - 1.0) + 1.0;
    let ggx = square / (PI * spread * spread);
    // Height-correlated Smith, with the 1 / (4 n_l n_v) folded in.
    let smith = 0.5 / (n_l * sqrt(n_v * n_v * (1.0 - square) + square)
        + n_v * sqrt(n_l * n_l * (1.0 - square) + square) + 1e-5);
    let schlick = surface.facing + (1.0 - surface.facing) * pow(1.0 - l_h, 5.0);
    return (surface.diffuse / PI * (1.0 - schlick) + schlick * ggx * smith) * n_l;
}

fn from_light(surface: Surface, index: u32) -> vec3<f32> {
    let light = globals.lights[index];
    var to_light = -light.direction.xyz;
    var strength = 1.0;
    if light.direction.w != LIGHT_DIRECTIONAL {
        let gap = light.position.xyz - surface.world;
        let square = max(dot(gap, gap), 1e-6);
        to_light = gap * inverseSqrt(square);
        // KHR_lights_punctual: the inverse square, ended smoothly at the range.
        let reach = square * light.position.w * light.position.w;
        let end = saturate(1.0 - reach * reach);
        strength = end * end / square;
        if light.direction.w != LIGHT_POINT {
            let edge = dot(-to_light, light.direction.xyz) * light.cone.x + light.cone.y;
            strength *= saturate(edge) * saturate(edge);
        }
    }
    if index == 0u {
        let facing = dot(surface.flat_normal, to_light);
        strength *= lit_share(surface.world, surface.flat_normal, facing);
    }
    return reflected(surface, to_light) * light.color.rgb * strength;
}

// Irradiance over pi from the environment; Ramamoorthi and Hanrahan (2001).
fn irradiance(n: vec3<f32>) -> vec3<f32> {
    return max(vec3(0.0), globals.harmonics[0].rgb
        + globals.harmonics[1].rgb * n.y
        + globals.harmonics[2].rgb * n.z
        + globals.harmonics[3].rgb * n.x
        + globals.harmonics[4].rgb * (n.x * n.y)
        + globals.harmonics[5].rgb * (n.y * n.z)
        + globals.harmonics[6].rgb * (3.0 * n.z * n.z - 1.0)
        + globals.harmonics[7].rgb * (n.x * n.z)
        + globals.harmonics[8].rgb * (n.x * n.x - n.y * n.y));
}

// How much of the environment a surface reflects; B. Karis, "Physically based shading on mobile" (2014).
fn environment_share(facing: vec3<f32>, roughness: f32, n_v: f32) -> vec3<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    let both = vec2(-1.04, 1.04) * a + r.zw;
    return facing * both.x + both.y;
}

fn environment_level(roughness: f32) -> f32 {
    let sharp = globals.environment.x * saturate(roughness / 0.2);
    return sharp + max(roughness - 0.2, 0.0) / 0.2;
}

fn from_surroundings(surface: Surface) -> vec3<f32> {
    let n_v = saturate(dot(surface.normal, surface.to_eye));
    let mirrored = reflect(-surface.to_eye, surface.normal);
    let level = environment_level(surface.roughness);
    let seen = textureSampleLevel(environment_map, environment_sampler, mirrored, level).rgb;
    let around = irradiance(surface.normal) * globals.ambient.w + globals.ambient.rgb;
    let gloss = environment_share(surface.facing, surface.roughness, n_v);
    let mirror = (seen * globals.ambient.w + globals.ambient.rgb) * gloss;
    // A mirror sees less of what an occluded spot hides; Lagarde and de Rousiers (2014).
    let sharp = exp2(-16.0 * surface.roughness - 1.0);
    let hidden = saturate(pow(n_v + surface.occlusion, sharp) - 1.0 + surface.occlusion);
    return surface.diffuse * around * surface.occlusion + mirror * hidden;
}

fn lit(surface: Surface) -> vec3<f32> {
    var sum = from_surroundings(surface);
    for (var index = 0u; index < globals.counts.x; index++) {
        sum += from_light(surface, index);
    }
    return sum;
}
