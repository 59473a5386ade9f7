// All of the image, as far away as it goes.

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
