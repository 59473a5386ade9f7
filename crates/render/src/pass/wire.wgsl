// Edges of surfaces in their pose.

@vertex
fn vertex(in: Vertex) -> @builtin(position) vec4<f32> {
    var clip = globals.clip_from_world * vec4(in_pose(in).position, 1.0);
    // A little nearer than the surface they lie on; depth runs backwards.
    clip.z += 2e-4 * clip.w * select(clip.z / clip.w, 1.0, globals.forward.w > 0.5);
    return clip;
}

@fragment
fn fragment() -> @location(0) vec4<f32> {
    return vec4(vec3(0.01, 0.012, 0.016), 1.0) * 0.65;
}
