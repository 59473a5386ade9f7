// The procedural sky without its sun. The twin of Sky::color in environment.rs.

fn sky_color(direction: vec3<f32>) -> vec3<f32> {
    let height = direction.y;
    let above = mix(globals.horizon.rgb, globals.zenith.rgb, 1.0 - exp(-3.0 * max(height, 0.0)));
    let down = saturate(-height / 0.12);
    let below = down * down * (3.0 - 2.0 * down);
    return mix(above, globals.ground.rgb, below);
}
