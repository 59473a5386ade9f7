// Reads one vertex of a scene and puts it in its pose.

override DUAL: bool = false;
override HEAT: bool = false;

struct Vertex {
    // w: the share of dual quaternions in a blended skin
    @location(0) position: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    // Sets 0 and 1.
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    // Influences: first texel and count; morph changes: first texel and count.
    @location(5) ranges: vec4<u32>,
    // Per actor, the first texel of: node, palette, dual part; then the first morph weight.
    @location(6) pose: vec4<u32>,
    // Method and, times four, how many texels there are from a row of a matrix to the next; and the joint whose heat is
    // shown, plus one.
    @location(7) modes: vec2<u32>,
}

fn in_pose(vertex: Vertex) -> Deformed {
    let whole = Deformed(vertex.position.xyz, vertex.normal, vertex.tangent);
    let moved = morph(whole, vertex.pose.w, vertex.ranges.zw);
    let modes = vertex.modes.x;
    let by = Movers(
        vertex.pose.x, vertex.pose.y, vertex.pose.z, modes >> 2u, modes & 3u, vertex.position.w,
    );
    return move_by(blend(by, vertex.ranges.xy), moved);
}
