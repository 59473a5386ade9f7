// The background: the procedural sky with its sun, or a cube map.

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
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
