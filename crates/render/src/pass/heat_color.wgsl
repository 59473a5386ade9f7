// Whom a joint influences, as a colour.

// From cold to hot: deep blue, cyan, green, yellow, red.
fn heat_color(heat: f32) -> vec3<f32> {
    let t = saturate(heat) * 4.0;
    let warm = vec3(t - 2.0, min(t, 4.0 - t), 2.0 - t);
    let color = saturate(warm);
    return mix(vec3(0.01, 0.02, 0.12), color * color, saturate(heat * 20.0));
}
