// Surfaces in their pose, lit.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) heat: f32,
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    let posed = in_pose(in);
    var out: Fragment;
    out.clip = globals.clip_from_world * vec4(posed.position, 1.0);
    out.world = posed.position;
    out.normal = select(vec3(0.0), posed.normal, dot(in.normal, in.normal) > 0.0);
    out.tangent = select(vec4(0.0), posed.tangent, dot(in.tangent, in.tangent) > 0.0);
    out.uv = in.uv;
    out.color = in.color;
    out.heat = heat_of(in);
    return out;
}

// From cold to hot: deep blue, cyan, green, yellow, red.
fn heat_color(heat: f32) -> vec3<f32> {
    let t = saturate(heat) * 4.0;
    let warm = vec3(t - 2.0, min(t, 4.0 - t), 2.0 - t);
    let color = saturate(warm);
    return mix(vec3(0.01, 0.02, 0.12), color * color, saturate(heat * 20.0));
}

// A normal with the bumps of an image; the mesh's own where it has no tangents.
fn bumped(in: Fragment, normal: vec3<f32>, front: f32, read: vec3<f32>, scale: f32) -> vec3<f32> {
    if dot(in.tangent.xyz, in.tangent.xyz) == 0.0 {
        return normal;
    }
    let bump = (read * 2.0 - 1.0) * vec3(vec2(scale), 1.0);
    let tangent = normalize(in.tangent.xyz) * front;
    let bitangent = cross(normal, tangent) * in.tangent.w * front;
    return normalize(bump.x * tangent + bump.y * bitangent + bump.z * normal);
}

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
    let across = cross(dpdx(in.world), dpdy(in.world));
    let to_eye = normalize(
        select(globals.camera_position.xyz - in.world, -globals.forward.xyz, globals.forward.w > 0.5),
    );
    let front = select(-1.0, 1.0, is_front);
    // Lines and points have no side of their own: they face the camera.
    let sided = normalize(across) * select(-1.0, 1.0, dot(across, to_eye) > 0.0);
    let flat_normal = select(to_eye, sided, dot(across, across) > 0.0);
    var mesh_normal = flat_normal;
    if dot(in.normal, in.normal) > 0.0 {
        mesh_normal = normalize(in.normal) * front;
    }
    var normal = mesh_normal;
    var coat_normal = mesh_normal;
    if HAS_NORMAL_MAP {
        let read = read_normal(in.uv).xyz;
        let coat_read = read_clearcoat_normal(in.uv).xyz;
        // White stands for an image that no material has: no bump is that steep.
        if any(read < vec3(1.0)) {
            normal = bumped(in, mesh_normal, front, read, material.factors.z);
        }
        if any(coat_read < vec3(1.0)) {
            coat_normal = bumped(in, mesh_normal, front, coat_read, material.clearcoat.z);
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
    surface.flat_normal = flat_normal;
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
