// The finished image onto somebody else's target.

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var image_sampler: sampler;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return Fragment(vec4(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.0, 1.0), corner);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let read = textureSample(image, image_sampler, in.uv);
    if ENCODE {
        // Whoever mixes encoded numbers, as pages and egui do, wants them multiplied with alpha after encoding.
        let plain = read.rgb / max(read.a, 1.0 / 512.0);
        return vec4(encode(plain) * read.a, read.a);
    }
    return read;
}
