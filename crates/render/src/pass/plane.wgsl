// The plane of the floor, as far as it reaches.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let reach = corner * globals.floor.z;
    let middle = globals.floor_middle.xyz;
    let world = vec3(middle.x + reach.x, globals.floor.x, middle.z + reach.y);
    return Fragment(globals.clip_from_world * vec4(world, 1.0), world);
}
