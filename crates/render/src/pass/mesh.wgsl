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

fn shading_normal(in: Fragment, flat_normal: vec3<f32>, front: f32) -> vec3<f32> {
    var normal = flat_normal;
    if dot(in.normal, in.normal) > 0.0 {
        normal = normalize(in.normal) * front;
    }
    if has(MAP_NORMAL) {
        let read = textureSample(normal_map, normal_sampler, uv_of(MAP_NORMAL, in.uv)).xyz;
        if dot(in.tangent.xyz, in.tangent.xyz) > 0.0 {
            let bump = (read * 2.0 - 1.0) * vec3(vec2(material.factors.z), 1.0);
            let tangent = normalize(in.tangent.xyz) * front;
            let bitangent = cross(normal, tangent) * in.tangent.w * front;
            normal = normalize(bump.x * tangent + bump.y * bitangent + bump.z * normal);
        }
    }
    return normal;
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let across = cross(dpdx(in.world), dpdy(in.world));
    let to_eye = normalize(
        select(globals.eye.xyz - in.world, -globals.forward.xyz, globals.forward.w > 0.5),
    );
    let front = select(-1.0, 1.0, is_front);
    // Lines and points have no side of their own: they face the eye.
    let sided = normalize(across) * select(-1.0, 1.0, dot(across, to_eye) > 0.0);
    let flat_normal = select(to_eye, sided, dot(across, across) > 0.0);
    let normal = shading_normal(in, flat_normal, front);
    var base = base_color(in.uv, in.color);
    var metallic = material.factors.x;
    var roughness = material.factors.y;
    if has(MAP_METALLIC_ROUGHNESS) {
        let at = uv_of(MAP_METALLIC_ROUGHNESS, in.uv);
        let read = textureSample(metallic_roughness_map, metallic_roughness_sampler, at);
        roughness *= read.g;
        metallic *= read.b;
    }
    var occlusion = 1.0;
    if has(MAP_OCCLUSION) {
        let read = textureSample(occlusion_map, occlusion_sampler, uv_of(MAP_OCCLUSION, in.uv)).r;
        occlusion = 1.0 + material.factors.w * (read - 1.0);
    }
    var emissive = material.emissive.rgb;
    if has(MAP_EMISSIVE) {
        emissive *= textureSample(emissive_map, emissive_sampler, uv_of(MAP_EMISSIVE, in.uv)).rgb;
    }
    if MASK && base.a < material.emissive.w {
        discard;
    }
    let alpha = select(1.0, base.a, material.flags.x == 2u);
    if HEAT && in.heat >= 0.0 {
        let shade = 0.35 + 0.65 * saturate(dot(normal, to_eye));
        return vec4(heat_color(in.heat) * shade, 1.0);
    }
    if material.flags.y == 1u {
        return vec4(through_fog(base.rgb, in.world) * alpha, alpha);
    }
    var surface: Surface;
    surface.world = in.world;
    surface.normal = normal;
    surface.flat_normal = flat_normal;
    surface.to_eye = to_eye;
    surface.diffuse = base.rgb * (1.0 - metallic);
    surface.facing = mix(vec3(0.04), base.rgb, metallic);
    surface.roughness = clamp(roughness, 0.05, 1.0);
    surface.occlusion = occlusion;
    let color = through_fog(expose(lit(surface) + emissive), in.world);
    return vec4(color * alpha, alpha);
}
