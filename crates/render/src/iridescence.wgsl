// A thin film over a surface: colours that change with the angle and the film's thickness.
//
// After L. Belcour and P. Barla, "A practical extension to microfacet theory for the modeling of varying iridescence" (2017), as
// KHR_materials_iridescence has it.

fn squared(value: vec3<f32>) -> vec3<f32> {
    return value * value;
}

fn facing_of(inside: vec3<f32>, outside: f32) -> vec3<f32> {
    return squared((inside - outside) / (inside + outside));
}

// An index of refraction from what is reflected at right angles, against air.
fn index_of(facing: vec3<f32>) -> vec3<f32> {
    let root = sqrt(clamp(facing, vec3(0.0), vec3(0.9999)));
    return (1.0 + root) / (1.0 - root);
}

// What eyes see of light whose paths differ by `difference` nanometres and whose waves are shifted by `shift`.
fn film_color(difference: f32, shift: vec3<f32>) -> vec3<f32> {
    let phase = 2.0 * PI * difference * 1e-9;
    let height = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
    let middle = vec3(1.6810e+06, 1.7953e+06, 2.2084e+06);
    let width = vec3(4.3278e+09, 9.3046e+09, 6.6121e+09);
    var xyz = height * sqrt(2.0 * PI * width) * cos(middle * phase + shift)
        * exp(-phase * phase * width);
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) * cos(2.2399e+06 * phase + shift.x)
        * exp(-4.5282e+09 * phase * phase);
    xyz /= 1.0685e-7;
    let rgb_from_xyz = mat3x3<f32>(
        vec3(3.2404542, -0.9692660, 0.0556434),
        vec3(-1.5371385, 1.8760108, -0.2040259),
        vec3(-0.4985314, 0.0415560, 1.0572252),
    );
    return rgb_from_xyz * xyz;
}

// What is reflected at an angle by a film of this index and thickness over a surface that reflects `facing`.
fn film(cosine: f32, film_index: f32, thickness: f32, facing: vec3<f32>) -> vec3<f32> {
    // A film that thins out to nothing leaves no edge.
    let index = mix(1.0, film_index, smoothstep(0.0, 0.03, thickness));
    let sine = (1.0 - cosine * cosine) / (index * index);
    if sine > 1.0 {
        return vec3(1.0);
    }
    let inside = sqrt(1.0 - sine);
    let upper_facing = facing_of(vec3(index), 1.0).x;
    let upper = upper_facing + (1.0 - upper_facing) * pow(saturate(1.0 - cosine), 5.0);
    let base = index_of(facing);
    let lower = schlick(facing_of(base, index), 1.0, inside);
    let shift = select(vec3(0.0), vec3(PI), base < vec3(index)) + select(PI, 0.0, index < 1.0);
    let difference = 2.0 * index * thickness * inside;
    let both = clamp(upper * lower, vec3(1e-5), vec3(0.9999));
    let root = sqrt(both);
    let passed = (1.0 - upper) * (1.0 - upper);
    let series = passed * lower / (1.0 - both);
    var sum = upper + series;
    var term = series - (1.0 - upper);
    for (var order = 1; order <= 2; order++) {
        term *= root;
        sum += term * 2.0 * film_color(f32(order) * difference, f32(order) * shift);
    }
    return max(sum, vec3(0.0));
}
