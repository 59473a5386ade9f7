// Exposure, fog and tone mapping: from light in the scene to light on the screen, linear.

// Khronos PBR Neutral: base colours stay what they are, highlights roll off to white.
// https://github.com/KhronosGroup/ToneMapping/blob/main/PBR_Neutral/README.md
fn tone(light: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    var color = light;
    let least = min(color.r, min(color.g, color.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    color -= offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return color;
    }
    let room = 1.0 - start;
    let new_peak = 1.0 - room * room / (peak + room - start);
    color *= new_peak / peak;
    let white = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return mix(color, vec3(new_peak), white);
}

fn expose(light: vec3<f32>) -> vec3<f32> {
    return tone(max(light, vec3(0.0)) * globals.eye.w);
}

// How much of a thing at this distance fog leaves to be seen.
fn clear_of_fog(distance: f32) -> f32 {
    let kind = globals.fog_color.w;
    if kind == 0.0 {
        return 1.0;
    }
    if kind == 1.0 {
        return saturate((globals.fog.y - distance) / max(globals.fog.y - globals.fog.x, 1e-6));
    }
    let depth = distance * globals.fog.z;
    return exp(-select(depth, depth * depth, kind == 3.0));
}

// Fog over light that is already exposed.
fn through_fog(color: vec3<f32>, world: vec3<f32>) -> vec3<f32> {
    return mix(globals.fog_color.rgb, color, clear_of_fog(distance(world, globals.eye.xyz)));
}
