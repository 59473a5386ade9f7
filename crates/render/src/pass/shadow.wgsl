// Depth as the main light sees it.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec4<f32>,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    let posed = in_pose(in);
    var clip = globals.shadow_from_world * vec4(posed.position, 1.0);
    // What stands before the map's nearest depth still casts.
    clip.z = max(clip.z, 0.0);
    return Fragment(clip, in.uv, in.color.a);
}

@fragment
fn fragment(in: Fragment) {
    if base_color(in.uv, vec4(vec3(1.0), in.alpha)).a < material.emissive.w {
        discard;
    }
}
