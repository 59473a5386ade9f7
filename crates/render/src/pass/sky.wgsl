// The background: the procedural sky with its sun, or a cube map.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    // Depth runs backwards: 0 is as far as it goes.
    return Fragment(vec4(corner, 0.0, 1.0), corner);
}

// A cloth: light behind the model, darker towards the edges of the image, with noise finer than a step of eight bits.
fn backdrop(in: Fragment) -> vec3<f32> {
    let aspect = globals.viewport.x * globals.viewport.w;
    let from_middle = (in.place - vec2(0.0, 0.12)) * vec2(min(aspect, 1.6) * 0.62, 0.80);
    let t = smoothstep(0.05, 1.25, length(from_middle));
    let color = mix(globals.backdrop_middle.rgb, globals.backdrop_edge.rgb, t);
    let noise = fract(52.9829189 * fract(dot(in.clip.xy, vec2(0.06711056, 0.00583715))));
    return color * (1.0 + (noise - 0.5) * 0.012);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    if globals.backdrop_middle.w == 1.0 {
        return vec4(backdrop(in), 1.0);
    }
    let along = globals.forward.xyz + in.place.x * globals.right.xyz + in.place.y * globals.up.xyz;
    let direction = normalize(along);
    var light = environment_at(direction, 0.0);
    if globals.zenith.w == 0.0 {
        let towards = dot(direction, globals.sun.xyz);
        let disc = smoothstep(globals.sun.w, globals.sun.w + 0.0004, towards);
        let glow = pow(max(towards, 0.0), 8.0) * 0.06 + pow(max(towards, 0.0), 200.0) * 0.25;
        light = sky_color(direction) + globals.sun_color.rgb * (disc * 8.0 + glow);
    }
    // Fog lies thickest along the horizon and hides it.
    var color = expose(light * globals.environment.y);
    if globals.fog_color.w != 0.0 {
        let haze = exp(-max(direction.y, 0.0) * 14.0);
        color = mix(color, globals.fog_color.rgb, haze);
    }
    return vec4(color, 1.0);
}
