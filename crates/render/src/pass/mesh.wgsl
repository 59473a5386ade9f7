// Surfaces in their pose, lit.

// Bumps within a pixel are roughness; A. Kaplanyan and Y. Tokuyoshi, "Improved geometric specular antialiasing" (2019).
fn widened(roughness: f32, normal: vec3<f32>) -> f32 {
    let across = dpdx(normal);
    let down = dpdy(normal);
    let variance = 0.25 * (dot(across, across) + dot(down, down));
    let alpha = roughness * roughness;
    return sqrt(sqrt(saturate(alpha * alpha + min(2.0 * variance, 0.18))));
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let sides = sides_of(in, is_front);
    let to_eye = sides.to_eye;
    let mesh_normal = sides.mesh_normal;
    var normal = mesh_normal;
    var coat_normal = mesh_normal;
    if HAS_NORMAL_MAP {
        let read = read_normal(in.uv).xyz;
        let coat_read = read_clearcoat_normal(in.uv).xyz;
        // White stands for an image that no material has: no bump is that steep.
        if any(read < vec3(1.0)) {
            normal = bumped(in, mesh_normal, sides.front, read, material.factors.z);
        }
        if any(coat_read < vec3(1.0)) {
            coat_normal = bumped(in, mesh_normal, sides.front, coat_read, material.clearcoat.z);
        }
    }
    let base = material.base_color * in.color * read_base(in.uv);
    let metal_rough = read_metallic_roughness(in.uv);
    let roughness = widened(clamp(material.factors.y * metal_rough.g, 0.0, 1.0), normal);
    let metallic = material.factors.x * metal_rough.b;
    let emissive = material.emissive.rgb * read_emissive(in.uv).rgb;
    let occluded = read_occlusion(in.uv).r;
    let layers = layers_of(in, normal, base.rgb, metallic);
    if MASK && base.a < material.emissive.w {
        discard;
    }
    var alpha = select(1.0, base.a, material.flags.x == 2u);
    // Not below zero: at an edge, samples outside of the triangle fall a little below what its corners say.
    if HEAT && in.heat > -0.5 {
        let shade = 0.35 + 0.65 * saturate(dot(normal, to_eye));
        return vec4(heat_color(in.heat) * shade, 1.0);
    }
    if material.flags.y == 1u {
        return vec4(through_fog(base.rgb, in.world) * alpha, alpha);
    }
    var surface = layers;
    surface.world = in.world;
    surface.pixel = in.clip.xy;
    surface.normal = normal;
    surface.mesh_normal = mesh_normal;
    surface.flat_normal = sides.flat_normal;
    surface.to_eye = to_eye;
    surface.diffuse = base.rgb * (1.0 - metallic);
    surface.roughness = max(roughness, 0.02);
    surface.occlusion = 1.0 + material.factors.w * (occluded - 1.0);
    surface.coat_normal = coat_normal;
    if HAS_IRIDESCENCE {
        iridesce(&surface);
    }
    var through = Transmitted(vec3(0.0), 0.0);
    if HAS_TRANSMISSION && surface.glass.x > 0.0 {
        through = transmitted(&surface, base.rgb);
    }
    let color = through_fog(expose(lit(surface) + emissive), in.world);
    return vec4(color + through.light, 1.0 - through.open) * alpha;
}
