// The floor: a grid that fades with distance, and a pool of light.

// How much of a pixel lines cover that stand `cell` apart.
fn lines(place: vec2<f32>, cell: f32, width: f32) -> f32 {
    let scaled = place / cell;
    let pixel = max(fwidth(scaled), vec2(1e-6));
    let off = abs(fract(scaled - 0.5) - 0.5) / pixel;
    let cover = saturate(width - off + 0.5) * saturate(1.5 - 3.0 * pixel);
    return max(cover.x, cover.y);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let place = in.world.xz;
    let far = distance(place, globals.floor_middle.xz) / globals.floor.z;
    let fade = saturate(1.0 - far) * saturate(1.0 - far);
    var alpha = 0.0;
    var color = globals.floor_color.rgb;
    let fine = lines(place, globals.floor.y, 0.6) * 0.45;
    let coarse = lines(place, globals.floor.y * 10.0, 0.8) * 0.9;
    let pixel = max(fwidth(place), vec2(1e-6));
    let axes = saturate(1.4 - abs(place) / pixel);
    if globals.floor.w > 0.0 {
        alpha = max(fine, coarse);
        color = mix(color, vec3(0.12, 0.25, 0.75), axes.x);
        color = mix(color, vec3(0.70, 0.09, 0.10), axes.y);
        alpha = max(alpha, max(axes.x, axes.y) * 0.8);
        let grazing = abs(normalize(globals.camera_position.xyz - in.world).y);
        alpha *= fade * globals.floor_color.a * saturate(grazing * 6.0);
    }
    var out = vec4(through_fog(color, in.world), 1.0) * alpha;
    // Light of the lamps on the floor, where the backdrop does not have it.
    let pool = globals.floor_middle.w * (1.0 - globals.backdrop_middle.w) * fade * fade * clear_of_fog(distance(in.world, globals.camera_position.xyz));
    out += vec4(vec3(1.0, 0.985, 0.96), 1.0) * pool * (1.0 - out.a);
    return out;
}
