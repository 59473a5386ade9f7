// Curves that are chosen instead of the usual one.

const TONE_NONE = 0u;
const TONE_ACES = 2u;

// The Academy's reference and output transforms for sRGB, as S. Hill fitted them.
fn aces(light: vec3<f32>) -> vec3<f32> {
    let film_from_rgb = mat3x3<f32>(
        vec3(0.59719, 0.07600, 0.02840),
        vec3(0.35458, 0.90834, 0.13383),
        vec3(0.04823, 0.01566, 0.83777),
    );
    let rgb_from_film = mat3x3<f32>(
        vec3(1.60475, -0.10208, -0.00327),
        vec3(-0.53108, 1.10813, -0.07276),
        vec3(-0.07367, -0.00605, 1.07602),
    );
    // White stays where the curve has it at exposure 1 / 0.6.
    let film = film_from_rgb * (light / 0.6);
    let curved = (film * (film + 0.0245786) - 0.000090537)
        / (film * (0.983729 * film + 0.4329510) + 0.238081);
    return saturate(rgb_from_film * curved);
}

// AgX by T. Sobotka, its curve as a polynomial by B. Wrensch.
fn agx(light: vec3<f32>) -> vec3<f32> {
    let inset = mat3x3<f32>(
        vec3(0.842479062253094, 0.0423282422610123, 0.0423756549057051),
        vec3(0.0784335999999992, 0.878468636469772, 0.0784336),
        vec3(0.0792237451477643, 0.0791661274605434, 0.879142973793104),
    );
    let outset = mat3x3<f32>(
        vec3(1.19687900512017, -0.0528968517574562, -0.0529716355144438),
        vec3(-0.0980208811401368, 1.15190312990417, -0.0980434501171241),
        vec3(-0.0990297440797205, -0.0989611768448433, 1.15107367264116),
    );
    let stops = clamp(log2(max(inset * light, vec3(1e-10))), vec3(-12.47393), vec3(4.026069));
    let x = (stops + 12.47393) / 16.5;
    let x2 = x * x;
    let x4 = x2 * x2;
    let curved = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2
        + 0.1191 * x - 0.00232;
    return pow(saturate(outset * curved), vec3(2.2));
}

fn other_tone(light: vec3<f32>) -> vec3<f32> {
    if TONE == TONE_NONE {
        return light;
    }
    if TONE == TONE_ACES {
        return aces(light);
    }
    return agx(light);
}
