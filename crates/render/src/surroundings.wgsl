// What lies around a surface: the main light's shadow, and the environment.

@group(1) @binding(2) var environment_map: texture_cube<f32>;
@group(1) @binding(3) var environment_sampler: sampler;

// The environment, blurred for a level of roughness.
fn environment_at(direction: vec3<f32>, level: f32) -> vec3<f32> {
    let towards = in_environment(direction);
    return textureSampleLevel(environment_map, environment_sampler, towards, level).rgb;
}

// The shadow map's depth itself, texel by texel: what lies between is found by looking at several, at other places for each pixel. It is
// sampled, not loaded: without a sampler WebGL2 takes a depth texture for one that blends its texels, which it does not have, and reads zeros.
@group(1) @binding(0) var shadow_depth: texture_2d<f32>;
@group(1) @binding(1) var depth_sampler: sampler;

fn shadow_depth_at(place: vec2<f32>) -> f32 {
    return textureSampleLevel(shadow_depth, depth_sampler, clamp(place, vec2(0.0), vec2(0.9999)), 0.0).x;
}

// How much the map's depth changes over it where the surface lies flat: across and down, for the whole map.
fn map_slope(normal: vec3<f32>) -> vec2<f32> {
    let side = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(normal.x) > 0.9);
    let along = cross(normal, side);
    let a = (globals.shadow_from_world * vec4(along, 0.0)).xyz;
    let b = (globals.shadow_from_world * vec4(cross(normal, along), 0.0)).xyz;
    let area = a.x * b.y - a.y * b.x;
    if abs(area) < 1e-3 * length(a) * length(b) {
        return vec2(0.0);
    }
    return vec2(a.z * b.y - b.z * a.y, b.x * a.z - a.x * b.z) * 2.0 / area;
}

// How far off, as a share of the map's depth, what hides the light is; below 0 where nothing does. After R. Fernando,
// "Percentage-closer soft shadows" (2005).
fn blocker(place: vec2<f32>, depth: f32, slope: vec2<f32>, reach: f32, first: vec2<f32>) -> f32 {
    let taps = globals.counts.y;
    var turn = first;
    var sum = 0.0;
    var count = 0.0;
    for (var tap = 0u; tap < taps; tap++) {
        let aside = turn * (disc_radius(tap, taps) * reach);
        turn = next_turn(turn);
        let found = shadow_depth_at(place + aside);
        // Where nothing is drawn the map has 1, which hides nothing.
        let own = min(depth + dot(slope, aside), 1.0);
        if found < own {
            sum += found - own + depth;
            count += 1.0;
        }
    }
    return select(-1.0, depth - sum / max(count, 1.0), count > 0.0);
}

// 1 in light, 0 in shadow. Edges are as wide as the way from what casts the shadow makes them, and never narrower than two texels.
fn lit_share(world: vec3<f32>, normal: vec3<f32>, facing: f32, pixel: vec2<f32>) -> f32 {
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
    let soft = globals.shadow_soft.x;
    let texel = globals.shadow.y;
    var turn = first_turn(pixel);
    let slope = map_slope(normal);
    var radius = 2.0 * texel;
    let taps = globals.counts.y;
    if soft > 0.0 {
        let gap = blocker(place, depth, slope, clamp(soft * depth, 3.0 * texel, 0.06), turn);
        // What the search has missed, such as a thin leg, casts a sharp shadow: none at all would show as dots.
        if gap >= 0.0 {
            radius = clamp(soft * gap, radius, 0.06);
        }
    }
    var sum = 0.0;
    for (var tap = 0u; tap < taps; tap++) {
        let aside = turn * (disc_radius(tap, taps) * radius);
        turn = next_turn(turn);
        // Where nothing is drawn the map has 1, which hides nothing.
        let own = min(depth + dot(slope, aside), 1.0);
        sum += select(0.0, 1.0, own <= shadow_depth_at(place + aside));
    }
    // The map's border fades, so that its edge is never seen.
    let shade = (1.0 - sum / f32(taps)) * saturate(edge * 20.0);
    return 1.0 - shade * globals.shadow.w;
}
