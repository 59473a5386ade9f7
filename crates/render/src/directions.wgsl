// Directions in 32 bits: the octahedron's faces laid out in a square; Q. Meyer and others, "On floating-point normal vectors" (2010).

fn signs(v: vec2<f32>) -> vec2<f32> {
    return select(vec2(-1.0), vec2(1.0), v >= vec2(0.0));
}

fn packed_direction(direction: vec3<f32>) -> u32 {
    let flat = direction / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    let folded = (1.0 - abs(flat.yx)) * signs(flat.xy);
    return pack2x16snorm(select(folded, flat.xy, flat.z >= 0.0));
}

fn unpacked_direction(bits: u32) -> vec3<f32> {
    let flat = unpack2x16snorm(bits);
    let z = 1.0 - abs(flat.x) - abs(flat.y);
    let xy = select((1.0 - abs(flat.yx)) * signs(flat), flat, z >= 0.0);
    return normalize(vec3(xy, z));
}
