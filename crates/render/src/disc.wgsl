// Places to look at, spread evenly over a disc, others for each pixel: H. Vogel's spiral.

// From 0 to 1, well apart from that of a pixel's neighbours; J. Jimenez, "Next generation post processing" (2014).
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// The first direction for a pixel.
fn first_turn(pixel: vec2<f32>) -> vec2<f32> {
    let angle = 6.2831853 * pixel_noise(pixel);
    return vec2(cos(angle), sin(angle));
}

// The direction after another: turned by the golden angle. Sines for each would cost more than looking.
fn next_turn(turn: vec2<f32>) -> vec2<f32> {
    return vec2(-0.7373687, 0.6754905) * turn.x + vec2(-0.6754905, -0.7373687) * turn.y;
}

// How far from the middle each of some places is.
fn disc_radius(index: u32, count: u32) -> f32 {
    return sqrt((f32(index) + 0.5) / f32(count));
}
