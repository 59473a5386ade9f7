// What every pass reads: camera, light, sky, fog. The twin of globals.rs.

const MOST_LIGHTS = 16u;
const LIGHT_DIRECTIONAL = 0.0;
const LIGHT_POINT = 1.0;

struct Light {
    // World; w is one over the range, 0 where it reaches everywhere.
    position: vec4<f32>,
    // Where the light goes; w is the kind.
    direction: vec4<f32>,
    // Linear, times intensity.
    color: vec4<f32>,
    // Scale and offset of the spot's edge.
    cone: vec4<f32>,
}

struct Globals {
    clip_from_world: mat4x4<f32>,
    shadow_from_world: mat4x4<f32>,
    // w: exposure
    camera_position: vec4<f32>,
    // A pixel at (x, y) from -1 to 1 looks along forward + x right + y up. w of forward: 1 when orthographic.
    forward: vec4<f32>,
    right: vec4<f32>,
    up: vec4<f32>,
    // Width, height and one over each, in pixels.
    viewport: vec4<f32>,
    // w: 0 none, 1 linear, 2 exponential, 3 exponential squared
    fog_color: vec4<f32>,
    // Start, end, density.
    fog: vec4<f32>,
    // w: 0 procedural, 1 cube map
    zenith: vec4<f32>,
    horizon: vec4<f32>,
    ground: vec4<f32>,
    // Towards the sun; w: cosine of its radius
    sun: vec4<f32>,
    sun_color: vec4<f32>,
    // Ambient light that comes from everywhere; w: strength of the environment
    ambient: vec4<f32>,
    // y: brightness of the sky as background
    environment: vec4<f32>,
    // Cosine and sine of the environment's rotation about Y.
    environment_turn: vec4<f32>,
    // x: 1 when there are shadows, y: one over the map's size, z: a texel in metres, w: strength
    shadow: vec4<f32>,
    // x: half the width of a shadow's edge for all of the map's depth between, as a share of its width
    shadow_soft: vec4<f32>,
    // x: how many lights, y: how often shadows and reflections are looked for
    counts: vec4<u32>,
    // x: height, y: cell, z: radius of the fade, w: 1 with a grid
    floor: vec4<f32>,
    floor_color: vec4<f32>,
    // xyz: middle of the fade, w: light on the floor about it
    floor_middle: vec4<f32>,
    // Of a backdrop; w: 1 where it has the floor's pool of light in it
    backdrop_middle: vec4<f32>,
    // w: how much the floor mirrors
    backdrop_edge: vec4<f32>,
    // Irradiance over pi, as spherical harmonics.
    harmonics: array<vec4<f32>, 18>,
    lights: array<Light, 16>,
}

@group(0) @binding(0) var<uniform> globals: Globals;

// How high above the floor its reflections end, in metres. The twin of REACH in floor.rs.
fn mirror_reach() -> f32 {
    return globals.floor.z / 18.0;
}
