// A cloth: light behind the model, darker towards the edges of the image, with noise finer than a step of eight bits; before it the floor's pool of
// light, which gives way to it.
@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let aspect = globals.viewport.x * globals.viewport.w;
    let from_middle = (in.place - vec2(0.0, 0.12)) * vec2(min(aspect, 1.6) * 0.62, 0.80);
    let t = smoothstep(0.05, 1.25, length(from_middle));
    let color = mix(globals.backdrop_middle.rgb, globals.backdrop_edge.rgb, t);
    let noise = fract(52.9829189 * fract(dot(in.clip.xy, vec2(0.06711056, 0.00583715))));
    let cloth = color * (1.0 + (noise - 0.5) * 0.012);
    let along = globals.forward.xyz + in.place.x * globals.right.xyz + in.place.y * globals.up.xyz;
    let way = (globals.floor.x - globals.camera_position.y) / along.y;
    let floor = globals.camera_position.xz + along.xz * way;
    let fade = saturate(1.0 - distance(floor, globals.floor_middle.xz) / globals.floor.z);
    let pool = select(0.0, globals.floor_middle.w * fade * fade * fade * fade * globals.backdrop_middle.w, way > 0.0);
    return vec4(mix(cloth, vec3(1.0, 0.985, 0.96), pool), 1.0);
}
