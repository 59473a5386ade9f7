// What lies around a surface: the main light's shadow, and the environment.

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var environment_map: texture_cube<f32>;
@group(1) @binding(3) var environment_sampler: sampler;

// A direction of the world as the environment, turned about Y, has it.
fn in_environment(direction: vec3<f32>) -> vec3<f32> {
    let turn = globals.environment_turn;
    return vec3(
        turn.x * direction.x - turn.y * direction.z,
        direction.y,
        turn.y * direction.x + turn.x * direction.z,
    );
}

// The environment, blurred for a level of roughness.
fn environment_at(direction: vec3<f32>, level: f32) -> vec3<f32> {
    let towards = in_environment(direction);
    return textureSampleLevel(environment_map, environment_sampler, towards, level).rgb;
}

// 1 in light, 0 in shadow. A tent five texels wide from nine filtered reads, after I. Castaño,
// "Shadow mapping summary" (2013).
fn lit_share(world: vec3<f32>, normal: vec3<f32>, facing: f32) -> f32 {
    if globals.shadow.x == 0.0 {
        return 1.0;
    }
    // Off the surface by a texel or two, more where light grazes it: no acne, no gap at the feet.
    let lift = globals.shadow.z * (0.6 + 1.8 * sqrt(saturate(1.0 - facing * facing)));
    let seen = globals.shadow_from_world * vec4(world + normal * lift, 1.0);
    let place = vec2(seen.x * 0.5 + 0.5, 0.5 - seen.y * 0.5);
    let edge = min(min(place.x, place.y), min(1.0 - place.x, 1.0 - place.y));
    if edge <= 0.0 {
        return 1.0;
    }
    let depth = saturate(seen.z);
    let texel = place / globals.shadow.y;
    let base = floor(texel + 0.5);
    let part = texel + 0.5 - base;
    let corner = (base - 0.5) * globals.shadow.y;
    var weights = array<vec2<f32>, 3>(4.0 - 3.0 * part, vec2(7.0), 1.0 + 3.0 * part);
    var offsets = array<vec2<f32>, 3>(
        (3.0 - 2.0 * part) / (4.0 - 3.0 * part) - 2.0,
        (3.0 + part) / 7.0,
        part / (1.0 + 3.0 * part) + 2.0,
    );
    var sum = 0.0;
    for (var tap = 0u; tap < 9u; tap++) {
        let column = tap % 3u;
        let row = tap / 3u;
        let at = corner + vec2(offsets[column].x, offsets[row].y) * globals.shadow.y;
        let weight = weights[column].x * weights[row].y;
        sum += weight * textureSampleCompareLevel(shadow_map, shadow_sampler, at, depth);
    }
    // The map's border fades, so that its edge is never seen.
    let shade = (1.0 - sum / 144.0) * saturate(edge * 20.0);
    return 1.0 - shade * globals.shadow.w;
}
