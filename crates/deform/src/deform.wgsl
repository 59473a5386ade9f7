// A vertex in a pose: morphed, then moved by its node or bent by its skin.
//
// The twin of vertices.rs, morph.rs, linear.rs and dual.rs. Whoever includes this text supplies
//   fn pose_texel(index: u32) -> vec4<f32>   palettes and morph weights of the frame
//   fn mesh_texel(index: u32) -> vec4<f32>   influences and morph changes of the mesh
// and `override DUAL: bool`, false where every skin of the draw is linear.
//
// Node and palette: three texels a matrix, its rows; these lie so many texels apart as `Movers` says.
// Dual part: three texels a joint: rotation, translation, scale.
// Influences: two to a texel: joint, weight, joint, weight.
// Morph changes: three texels each: position and target number, normal, tangent.

const METHOD_LINEAR = 0u;
const METHOD_DUAL = 1u;

// Three rows of an affine matrix.
struct Rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

struct Deformed {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
}

fn pose_rows(first: u32, apart: u32) -> Rows {
    return Rows(pose_texel(first), pose_texel(first + apart), pose_texel(first + 2u * apart));
}

fn influence_at(first: u32, index: u32) -> vec2<f32> {
    let pair = mesh_texel(first + index / 2u);
    return select(pair.zw, pair.xy, index % 2u == 0u);
}

fn linear_blend(palette: u32, apart: u32, first: u32, count: u32) -> Rows {
    var sum = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    for (var index = 0u; index < count; index++) {
        let influence = influence_at(first, index);
        let matrix = pose_rows(palette + 3u * apart * u32(influence.x), apart);
        sum.x += matrix.x * influence.y;
        sum.y += matrix.y * influence.y;
        sum.z += matrix.z * influence.y;
    }
    return sum;
}

fn turn_after(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn rows_of(scale: vec3<f32>, q: vec4<f32>, move_by: vec3<f32>) -> Rows {
    let double = q.xyz * 2.0;
    let xx = q.x * double.x;
    let yy = q.y * double.y;
    let zz = q.z * double.z;
    let xy = q.x * double.y;
    let xz = q.x * double.z;
    let yz = q.y * double.z;
    let wx = q.w * double.x;
    let wy = q.w * double.y;
    let wz = q.w * double.z;
    return Rows(
        vec4(vec3(1.0 - yy - zz, xy - wz, xz + wy) * scale, move_by.x),
        vec4(vec3(xy + wz, 1.0 - xx - zz, yz - wx) * scale, move_by.y),
        vec4(vec3(xz - wy, yz + wx, 1.0 - xx - yy) * scale, move_by.z),
    );
}

fn dual_blend(palette: u32, dual_part: u32, first: u32, count: u32) -> Rows {
    var real = vec4(0.0);
    var dual = vec4(0.0);
    var scale = vec3(0.0);
    var first_turn = vec4(0.0);
    for (var index = 0u; index < count; index++) {
        let influence = influence_at(first, index);
        let part = dual_part + 3u * u32(influence.x);
        var turn = pose_texel(part);
        if index == 0u {
            first_turn = turn;
        }
        // A rotation and its negative are the same turn; mixed, they would cancel.
        turn = select(turn, -turn, dot(first_turn, turn) < 0.0);
        let half = vec4(pose_texel(part + 1u).xyz * 0.5, 0.0);
        real += turn * influence.y;
        dual += turn_after(half, turn) * influence.y;
        scale += pose_texel(part + 2u).xyz * influence.y;
    }
    let size = length(real);
    if size <= 1.2e-38 {
        return linear_blend(palette, 1u, first, count);
    }
    let rotation = real / size;
    let back = vec4(-rotation.xyz, rotation.w);
    return rows_of(scale, rotation, turn_after(dual, back).xyz * (2.0 / size));
}

fn mix_rows(a: Rows, b: Rows, share: f32) -> Rows {
    return Rows(mix(a.x, b.x, share), mix(a.y, b.y, share), mix(a.z, b.z, share));
}

// What moves a vertex; the first three are numbers of texels.
struct Movers {
    // Carries what no joint influences.
    node: u32,
    palette: u32,
    dual_part: u32,
    // Of linear skins, how many texels there are from a row to the next.
    apart: u32,
    method: u32,
    // The share of dual quaternions in a blended skin.
    dual_weight: f32,
}

// `influences` is the first texel and the count.
fn blend(by: Movers, influences: vec2<u32>) -> Rows {
    if influences.y == 0u {
        return pose_rows(by.node, by.apart);
    }
    if DUAL && by.method != METHOD_LINEAR {
        let screw = dual_blend(by.palette, by.dual_part, influences.x, influences.y);
        if by.method == METHOD_DUAL {
            return screw;
        }
        return mix_rows(linear_blend(by.palette, by.apart, influences.x, influences.y), screw, by.dual_weight);
    }
    return linear_blend(by.palette, by.apart, influences.x, influences.y);
}

fn morph_weight(weights: u32, morph_target: u32) -> f32 {
    let index = weights + morph_target;
    return pose_texel(index / 4u)[index % 4u];
}

// Adds what the morph targets change; `changes` is the first texel and the count.
fn morph(vertex: Deformed, weights: u32, changes: vec2<u32>) -> Deformed {
    var moved = vertex;
    for (var index = 0u; index < changes.y; index++) {
        let first = changes.x + 3u * index;
        let change = mesh_texel(first);
        let weight = morph_weight(weights, u32(change.w));
        moved.position += change.xyz * weight;
        moved.normal += mesh_texel(first + 1u).xyz * weight;
        moved.tangent += vec4(mesh_texel(first + 2u).xyz * weight, 0.0);
    }
    return moved;
}

fn any_square(to: vec3<f32>) -> vec3<f32> {
    let side = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(to.x) > 0.9);
    return normalize(cross(to, side));
}

fn move_by(matrix: Rows, vertex: Deformed) -> Deformed {
    let point = vec4(vertex.position, 1.0);
    let position = vec3(dot(matrix.x, point), dot(matrix.y, point), dot(matrix.z, point));
    // The cofactors: the inverse transpose but for a positive factor, also of a flat matrix.
    let across = cross(matrix.y.xyz, matrix.z.xyz);
    let side = select(1.0, -1.0, dot(matrix.x.xyz, across) < 0.0);
    var normal = side * vec3(
        dot(across, vertex.normal),
        dot(cross(matrix.z.xyz, matrix.x.xyz), vertex.normal),
        dot(cross(matrix.x.xyz, matrix.y.xyz), vertex.normal),
    );
    let size = length(normal);
    normal = select(vec3(0.0, 1.0, 0.0), normal / size, size > 0.0);
    let along = vec3(
        dot(matrix.x.xyz, vertex.tangent.xyz),
        dot(matrix.y.xyz, vertex.tangent.xyz),
        dot(matrix.z.xyz, vertex.tangent.xyz),
    );
    // The normal and the tangent bend differently; square them again.
    let square = along - normal * dot(normal, along);
    let reach = length(square);
    let tangent = select(any_square(normal), square / reach, reach > 0.0);
    return Deformed(position, normal, vec4(tangent, vertex.tangent.w * side));
}
