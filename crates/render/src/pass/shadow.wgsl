// Depth as a light sees it.

// From the world to the map that is drawn.
@group(1) @binding(0) var<uniform> map_from_world: mat4x4<f32>;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec4<f32>,
    @location(1) alpha: f32,
}

fn in_map(in: Vertex) -> vec4<f32> {
    var clip = map_from_world * vec4(in_pose(in).position, 1.0);
    // What stands before the map's nearest depth still casts.
    clip.z = max(clip.z, 0.0);
    return clip;
}

// Where nothing is cut out, only the place counts.
@vertex
fn place(in: Vertex) -> @builtin(position) vec4<f32> {
    return in_map(in);
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    return Fragment(in_map(in), in.uv, in.color.a);
}

@fragment
fn fragment(in: Fragment) {
    let alpha = material.base_color.a * in.alpha * read_base(in.uv).a;
    if alpha < material.emissive.w {
        discard;
    }
}
