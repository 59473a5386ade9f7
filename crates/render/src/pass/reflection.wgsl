// The floor's reflection: what mirror.wgsl has drawn, blurred by the floor's roughness, as strong as Fresnel has it.

@group(1) @binding(3) var linear_sampler: sampler;
@group(2) @binding(0) var mirrored: texture_2d<f32>;

// How wide a point is seen, for a metre between it and the floor.
const SPREAD = 0.14;

fn mirrored_at(place: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(mirrored, linear_sampler, place, 0.0);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let to_eye = normalize(
        select(globals.camera_position.xyz - in.world, -globals.forward.xyz, globals.forward.w > 0.5),
    );
    let up = globals.clip_from_world;
    let depth = (up * vec4(in.world, 1.0)).w;
    // As high as reflections reach, as a share of the image's height; then both sides of the widest blur.
    let high = 0.5 * length(vec3(up[0].y, up[1].y, up[2].y)) * mirror_reach() / depth;
    let sides = vec2(globals.viewport.y * globals.viewport.z, 1.0);
    let widest = sides * (high * SPREAD);
    let place = in.clip.xy * globals.viewport.zw;
    let taps = globals.counts.y;
    let first = first_turn(in.clip.xy);
    // Near the floor it is sharp: first, how high is what is seen around here?
    var turn = first;
    var sum = vec2(1e-4);
    for (var tap = 0u; tap < taps / 4u; tap++) {
        let share = mirrored_at(place + turn * widest * disc_radius(tap, taps / 4u)).a;
        turn = next_turn(turn);
        sum += vec2(share, share * share);
    }
    let blur = max(widest * (1.0 - sqrt(sum.y / sum.x)), globals.viewport.zw);
    turn = first;
    var color = vec4(0.0);
    for (var tap = 0u; tap < taps; tap++) {
        color += mirrored_at(place + turn * blur * disc_radius(tap, taps));
        turn = next_turn(turn);
    }
    let slant = 1.0 - abs(to_eye.y);
    // Of a floor with a polish, which mirrors more than water does.
    let fresnel = 0.15 + 0.85 * slant * slant * slant * slant * slant;
    let far = distance(in.world.xz, globals.floor_middle.xz) / globals.floor.z;
    return color * (globals.backdrop_edge.w * fresnel * saturate(2.0 - 2.0 * far) / f32(taps));
}
