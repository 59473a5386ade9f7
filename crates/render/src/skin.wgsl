// Puts the vertices of many characters in their poses, once for all passes of a frame.

override DUAL: bool = false;

struct Job {
    // Of the frame's characters.
    first_row: u32,
    rows: u32,
    // Of the scene's vertices.
    first_vertex: u32,
    vertices: u32,
}

// As Row of batches.rs.
struct Row {
    node: u32,
    palette: u32,
    dual_part: u32,
    weights: u32,
    method: u32,
    heat: u32,
    skinned: u32,
}

// As Vertex of vertices.rs, number by number.
struct Packed {
    position: array<f32, 4>,
    normal: array<f32, 3>,
    tangent: array<f32, 4>,
    uv: array<f32, 4>,
    color: array<f32, 4>,
    ranges: array<u32, 4>,
    rest: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(2) var<storage, read> rows: array<Row>;
@group(0) @binding(3) var<storage, read_write> skinned_positions: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> skinned_tangents: array<u32>;
@group(1) @binding(0) var<storage, read> vertices: array<Packed>;

fn in_pose(vertex: Packed, row: Row) -> Deformed {
    let whole = Deformed(
        vec3(vertex.position[0], vertex.position[1], vertex.position[2]),
        vec3(vertex.normal[0], vertex.normal[1], vertex.normal[2]),
        vec4(vertex.tangent[0], vertex.tangent[1], vertex.tangent[2], vertex.tangent[3]),
    );
    let moved = morph(whole, row.weights, vec2(vertex.ranges[2], vertex.ranges[3]));
    let by = Movers(
        row.node, row.palette, row.dual_part, row.method >> 2u, row.method & 3u, vertex.position[3],
    );
    return move_by(blend(by, vec2(vertex.ranges[0], vertex.ranges[1])), moved);
}

fn put(index: u32, row: Row) {
    let posed = in_pose(vertices[index], row);
    let to = index + row.skinned;
    let place = bitcast<vec3<u32>>(posed.position);
    skinned_positions[to] = vec4(place, packed_direction(posed.normal));
    let side = select(0u, 1u, posed.tangent.w < 0.0);
    skinned_tangents[to] = (packed_direction(posed.tangent.xyz) & 0xfffffffeu) | side;
}

const THREADS = 64u;

// A vertex along x, a character along y; as many times as the device's limit of workgroups asks for.
@compute @workgroup_size(THREADS)
fn skin(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var vertex = id.x; vertex < job.vertices; vertex += groups.x * THREADS) {
        for (var at = id.y; at < job.rows; at += groups.y) {
            put(job.first_vertex + vertex, rows[job.first_row + at]);
        }
    }
}
