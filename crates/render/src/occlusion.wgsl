// Which parts of the environment a surface sees past the others. The twin of occlusion.rs.

// Packed: where a processor draws, reading a number costs more than working it out.
struct Direction {
    towards: vec3<f32>,
    // Shares of 65,535: radiance times solid angle, of which only proportions count; then the solid angle, of the whole sphere.
    light_rg: u32,
    light_b: u32,
    // Irradiance over pi of what faces away from it.
    behind_rg: u32,
    behind_b: u32,
    // What the shares of the light behind are of; the same for all.
    scale: f32,
}

struct Occlusion {
    // Middle and radius of what the maps hold.
    sphere: vec4<f32>,
    // How many directions, a tile's share of the atlas, a texel in metres, a texel's share of a tile.
    sizes: vec4<f32>,
    directions: array<Direction, 128>,
}

@group(1) @binding(4) var hiding_map: texture_2d<f32>;
@group(1) @binding(5) var<uniform> occlusion: Occlusion;

struct Openness {
    // Of the light that a matt surface would have: what reaches it.
    diffuse: vec3<f32>,
    // Light that what hides the rest sends on, where all is white.
    bounced: vec3<f32>,
    // Of what a mirror would see: what it does see.
    mirror: f32,
}

// How free a point is towards one direction.
fn free(index: u32, n: vec3<f32>, place: vec3<f32>, jitter: vec2<f32>) -> f32 {
    // The map's sides, as `any_orthonormal_pair` of glam has them; T. Duff and others, "Building an orthonormal basis, revisited" (2017).
    let side = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    let aside = vec3(1.0 + side * n.x * n.x * a, side * b, -side * n.x);
    let above = vec3(b, side + n.y * n.y * a, -n.y);
    let flat_place = vec2(dot(place, aside), -dot(place, above));
    // Half a texel within the tile, so that the filter stays in it.
    let within = vec2(1.0 - occlusion.sizes.w);
    let tile = clamp(flat_place + jitter, -within, within) * 0.5 + 0.5;
    let row = floor((f32(index) + 0.5) * occlusion.sizes.y);
    let corner = vec2(f32(index) - row / occlusion.sizes.y, row);
    let at = (corner + tile) * occlusion.sizes.y;
    let depth = 0.5 - 0.5 * dot(place, n);
    return select(0.0, 1.0, depth <= textureSampleLevel(hiding_map, depth_sampler, at, 0.0).x);
}

fn openness(surface: Surface, mirrored: vec3<f32>) -> Openness {
    let count = u32(occlusion.sizes.x);
    if count == 0u {
        return Openness(vec3(1.0), vec3(0.0), 1.0);
    }
    let radius = occlusion.sphere.w;
    let lift = surface.flat_normal * (occlusion.sizes.z * 1.5);
    let place = (surface.world + lift - occlusion.sphere.xyz) / radius;
    if dot(place, place) > 1.2 {
        return Openness(vec3(1.0), vec3(0.0), 1.0);
    }
    // A lobe about as wide as that of the roughness, but no narrower than the gaps between directions.
    let alpha = surface.roughness * surface.roughness;
    let sharpness = min(2.0 / (alpha * alpha + 1e-4), 60.0);
    var all = vec3(1e-6);
    var seen = vec3(1e-6);
    var bounced = vec3(0.0);
    var mirror_all = 1e-6;
    var mirror_seen = 1e-6;
    // One texel is read, elsewhere about the place for each pixel and direction: the mean of many is as smooth as a filter's.
    var jitter = vec2(pixel_noise(surface.pixel), pixel_noise(surface.pixel.yx + 47.0));
    for (var index = 0u; index < count; index++) {
        jitter = fract(jitter + vec2(0.7548777, 0.5698403));
        let direction = occlusion.directions[index];
        let towards = direction.towards;
        let light_b = unpack2x16unorm(direction.light_b);
        let light = vec3(unpack2x16unorm(direction.light_rg), light_b.x);
        let behind = vec3(unpack2x16unorm(direction.behind_rg), unpack2x16unorm(direction.behind_b).x);
        let n_l = max(dot(surface.normal, towards), 0.0);
        let above = saturate(4.0 * dot(surface.flat_normal, towards));
        let lobe = exp(sharpness * (dot(mirrored, towards) - 1.0)) * (light_b.y * 4.0 * PI) * above;
        if n_l <= 0.0 && lobe < 1e-3 {
            continue;
        }
        let open = select(0.0, free(index, towards, place, (jitter * 2.0 - 1.0) * occlusion.sizes.w), dot(surface.flat_normal, towards) > 0.0);
        all += light * n_l;
        seen += light * (n_l * open);
        bounced += behind * (light_b.y * n_l * (1.0 - open));
        mirror_all += lobe;
        mirror_seen += lobe * open;
    }
    // The sphere's solid angle over pi is 4.
    return Openness(seen / all, bounced * (4.0 * occlusion.directions[0].scale), mirror_seen / mirror_all);
}
