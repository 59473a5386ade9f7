// Depth as a light sees it.

// From the world to the map that is drawn.
@group(1) @binding(0) var<uniform> map_from_world: mat4x4<f32>;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec4<f32>,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    let posed = in_pose(in);
    var clip = map_from_world * vec4(posed.position, 1.0);
    // What stands before the map's nearest depth still casts.
    clip.z = max(clip.z, 0.0);
    return Fragment(clip, in.uv, in.color.a);
}

@fragment
fn fragment(in: Fragment) {
    let alpha = material.base_color.a * in.alpha * read_base(in.uv).a;
    if alpha < material.emissive.w {
        discard;
    }
}
