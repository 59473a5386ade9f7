// Reads one vertex of a scene as skin.wgsl left it: in its pose already.

override HEAT: bool = false;

// Where it is, and its normal.
@group(2) @binding(0) var<storage, read> skinned_positions: array<vec4<u32>>;
@group(2) @binding(1) var<storage, read> skinned_tangents: array<u32>;

struct Vertex {
    @builtin(vertex_index) index: u32,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    // Sets 0 and 1.
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    // What leads from a vertex of the scene to this character's own.
    @location(8) skinned: u32,
}

struct Deformed {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
}

fn in_pose(vertex: Vertex) -> Deformed {
    let at = vertex.index + vertex.skinned;
    let place = skinned_positions[at];
    let tangent = skinned_tangents[at];
    let side = select(1.0, -1.0, (tangent & 1u) == 1u);
    return Deformed(
        bitcast<vec3<f32>>(place.xyz), unpacked_direction(place.w), vec4(unpacked_direction(tangent), side),
    );
}

// Nobody shows heat here.
fn heat_of(vertex: Vertex) -> f32 {
    return -1.0;
}
