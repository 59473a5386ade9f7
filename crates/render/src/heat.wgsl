// Whom a joint influences, as a number of each vertex.

// How strongly the chosen joint influences; -1 when none is chosen.
fn heat_of(vertex: Vertex) -> f32 {
    let chosen = vertex.modes.y;
    if !HEAT || chosen == 0u {
        return -1.0;
    }
    var sum = 0.0;
    for (var index = 0u; index < vertex.ranges.y; index++) {
        let influence = influence_at(vertex.ranges.x, index);
        sum += select(0.0, influence.y, u32(influence.x) + 1u == chosen);
    }
    return sum;
}
