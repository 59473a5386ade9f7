// What is seen through glass: the image of all that is solid, bent by the surface; KHR_materials_transmission, _volume and _dispersion.

// The image without anything see-through: as shown, alpha premultiplied.
@group(1) @binding(7) var behind_map: texture_2d<f32>;

const FROSTED_TAPS = 24u;

// Where in the image a ray that goes into the glass comes out of it again.
fn leaves_at(surface: Surface, index: f32) -> vec2<f32> {
    let bent = refract(-surface.to_eye, surface.normal, 1.0 / index);
    let clip = globals.clip_from_world * vec4(surface.world + bent * surface.glass.y, 1.0);
    return clip.xy / clip.w * vec2(0.5, -0.5) + 0.5;
}

// The image there, blurred as far as rough glass spreads it.
fn behind(surface: Surface, index: f32) -> vec4<f32> {
    let place = leaves_at(surface, index);
    // Glass that bends less spreads less; as the sample viewer of Khronos has it.
    let roughness = surface.roughness * saturate(index * 2.0 - 2.0);
    let reach = roughness * roughness * 0.25;
    if reach < 0.5 * globals.viewport.w {
        return textureSampleLevel(behind_map, environment_sampler, place, 0.0);
    }
    let aspect = vec2(globals.viewport.y * globals.viewport.z, 1.0);
    var turn = first_turn(surface.pixel);
    var sum = vec4(0.0);
    for (var tap = 0u; tap < FROSTED_TAPS; tap++) {
        let aside = turn * (disc_radius(tap, FROSTED_TAPS) * reach) * aspect;
        turn = next_turn(turn);
        sum += textureSampleLevel(behind_map, environment_sampler, place + aside, 0.0);
    }
    return sum / f32(FROSTED_TAPS);
}

struct Transmitted {
    // As shown.
    light: vec3<f32>,
    // How much of nothing is seen, where there is nothing behind.
    open: f32,
}

// What comes through; the matt light of the surface becomes what glass leaves of it.
fn transmitted(surface: ptr<function, Surface>, base: vec3<f32>) -> Transmitted {
    let own = *surface;
    let strength = own.glass.x;
    let n_v = saturate(dot(own.normal, own.to_eye));
    let index = max(material.transmission.w, 1.0);
    let inside = sqrt(1.0 - (1.0 - n_v * n_v) / (index * index));
    let left = base * exp(-material.absorption.rgb * own.glass.y / max(inside, 0.05));
    let both = gloss(own.facing, own.grazing, own.roughness, n_v);
    let passed = left * strength * (1.0 - largest(both.single + both.multiple));
    (*surface).diffuse = own.diffuse * (1.0 - strength);
    var seen = behind(own, index);
    let dispersion = material.transmission.z;
    if dispersion > 0.0 {
        // 20 over the Abbe number; between red and blue.
        let apart = (index - 1.0) * 0.025 * dispersion;
        seen.r = behind(own, max(index - apart, 1.0)).r;
        seen.b = behind(own, index + apart).b;
    }
    let clear = dot(passed, vec3(0.2126, 0.7152, 0.0722));
    return Transmitted(seen.rgb * passed, clear * (1.0 - seen.a));
}
