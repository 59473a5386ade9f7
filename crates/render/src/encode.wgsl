// Numbers for a target that is shown as sRGB and is not told so.

override ENCODE: bool = false;

// From linear to sRGB, for a target that does not do it itself.
fn encode(color: vec3<f32>) -> vec3<f32> {
    let bright = 1.055 * pow(max(color, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(bright, color * 12.92, color <= vec3(0.0031308));
}
