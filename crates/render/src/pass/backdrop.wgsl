// A cloth: light behind the model, darker towards the edges of the image, with noise finer than a step of eight bits.
@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let aspect = globals.viewport.x * globals.viewport.w;
    let from_middle = (in.place - vec2(0.0, 0.12)) * vec2(min(aspect, 1.6) * 0.62, 0.80);
    let t = smoothstep(0.05, 1.25, length(from_middle));
    let color = mix(globals.backdrop_middle.rgb, globals.backdrop_edge.rgb, t);
    let noise = fract(52.9829189 * fract(dot(in.clip.xy, vec2(0.06711056, 0.00583715))));
    return vec4(color * (1.0 + (noise - 0.5) * 0.012), 1.0);
}
