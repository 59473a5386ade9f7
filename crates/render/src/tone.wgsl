// Exposure, fog and tone mapping: from light in the scene to light on the screen, linear.

const TONE_NEUTRAL = 1u;

// Said when a pipeline is made: where a processor draws, it goes through what is not chosen, too.
override TONE: u32 = TONE_NEUTRAL;
override FOG: bool = false;

// Khronos PBR Neutral: base colours stay what they are, highlights roll off to white.
// https://github.com/KhronosGroup/ToneMapping/blob/main/PBR_Neutral/README.md
fn neutral(light: vec3<f32>) -> vec3<f32> {
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

fn tone(light: vec3<f32>) -> vec3<f32> {
    if TONE == TONE_NEUTRAL {
        return neutral(light);
    }
    return other_tone(light);
}

fn expose(light: vec3<f32>) -> vec3<f32> {
    return tone(max(light, vec3(0.0)) * globals.camera_position.w);
}

// How much of a thing at this distance fog leaves to be seen.
fn clear_of_fog(distance: f32) -> f32 {
    if !FOG {
        return 1.0;
    }
    let kind = globals.fog_color.w;
    if kind == 1.0 {
        return saturate((globals.fog.y - distance) / max(globals.fog.y - globals.fog.x, 1e-6));
    }
    let depth = distance * globals.fog.z;
    return exp(-select(depth, depth * depth, kind == 3.0));
}

// Fog over light that is already exposed.
fn through_fog(color: vec3<f32>, world: vec3<f32>) -> vec3<f32> {
    if !FOG {
        return color;
    }
    return mix(globals.fog_color.rgb, color, clear_of_fog(distance(world, globals.camera_position.xyz)));
}
