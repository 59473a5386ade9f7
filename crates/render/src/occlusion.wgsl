// Which parts of the environment a surface sees past the others. The twin of occlusion.rs.

struct Direction {
    // w: left edge of its tile in the atlas
    towards: vec4<f32>,
    // w: top edge of its tile
    aside: vec4<f32>,
    // rgb: radiance times solid angle over pi; w: solid angle
    light: vec4<f32>,
    // rgb: irradiance over pi of what faces away from it
    behind: vec4<f32>,
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
fn free(index: u32, place: vec3<f32>, aside: vec2<f32>) -> f32 {
    let direction = occlusion.directions[index];
    let above = cross(direction.towards.xyz, direction.aside.xyz);
    let flat_place = vec2(dot(place, direction.aside.xyz), -dot(place, above));
    // Half a texel within the tile, so that the filter stays in it.
    let within = vec2(1.0 - occlusion.sizes.w);
    let tile = clamp(flat_place + aside, -within, within) * 0.5 + 0.5;
    let at = vec2(direction.towards.w, direction.aside.w) + tile * occlusion.sizes.y;
    let depth = 0.5 - 0.5 * dot(place, direction.towards.xyz);
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
        let towards = direction.towards.xyz;
        let n_l = max(dot(surface.normal, towards), 0.0);
        let above = saturate(4.0 * dot(surface.flat_normal, towards));
        let lobe = exp(sharpness * (dot(mirrored, towards) - 1.0)) * direction.light.w * above;
        if n_l <= 0.0 && lobe < 1e-3 {
            continue;
        }
        let open = select(0.0, free(index, place, (jitter * 2.0 - 1.0) * occlusion.sizes.w), dot(surface.flat_normal, towards) > 0.0);
        all += direction.light.rgb * n_l;
        seen += direction.light.rgb * (n_l * open);
        bounced += direction.behind.rgb * (direction.light.w * n_l * (1.0 - open) / PI);
        mirror_all += lobe;
        mirror_seen += lobe * open;
    }
    return Openness(seen / all, bounced, mirror_seen / mirror_all);
}
