// Light of lamps on a surface: metallic-roughness with GGX, Smith and Schlick; coat and cloth over it.

// Facets and what they hide, stretched along one direction; KHR_materials_anisotropy.
fn stretched(surface: Surface, to_light: vec3<f32>, half_way: vec3<f32>, n_l: f32, n_v: f32) -> f32 {
    let across = cross(surface.normal, surface.stretch.xyz);
    let alpha = surface.roughness * surface.roughness;
    let along = mix(alpha, 1.0, surface.stretch.w * surface.stretch.w);
    let sides = vec3(
        alpha * dot(surface.stretch.xyz, half_way),
        along * dot(across, half_way),
        along * alpha * dot(surface.normal, half_way),
    );
    let part = along * alpha / dot(sides, sides);
    let facets = along * alpha * part * part / PI;
    let seen = n_l * length(vec3(
        along * dot(surface.stretch.xyz, surface.to_eye),
        alpha * dot(across, surface.to_eye),
        n_v,
    ));
    let lit = n_v * length(vec3(
        along * dot(surface.stretch.xyz, to_light),
        alpha * dot(across, to_light),
        n_l,
    ));
    return facets * 0.5 / (seen + lit + 1e-5);
}

// Radiance towards the camera per unit of irradiance from `to_light`.
fn reflected(surface: Surface, to_light: vec3<f32>) -> vec3<f32> {
    let half_way = normalize(to_light + surface.to_eye);
    let side = dot(surface.normal, to_light);
    let n_l = saturate(side);
    let n_v = max(dot(surface.normal, surface.to_eye), 1e-4);
    let n_h = saturate(dot(surface.normal, half_way));
    let l_h = saturate(dot(to_light, half_way));
    var facets = ggx(n_h, surface.roughness) * smith(n_l, n_v, surface.roughness);
    if HAS_ANISOTROPY {
        facets = stretched(surface, to_light, half_way, n_l, n_v);
    }
    let fresnel = schlick(surface.facing, surface.grazing, l_h);
    // What bounces between facets, as a share more; E. Turquin (2019).
    let both = dfg(n_v, surface.roughness).xy;
    let more = 1.0 + surface.facing * (1.0 / max(both.x + both.y, 0.1) - 1.0);
    var sum = (surface.diffuse / PI * (1.0 - largest(fresnel)) + fresnel * more * facets) * n_l;
    if HAS_DIFFUSE_TRANSMISSION {
        let front = surface.diffuse / PI * (1.0 - largest(fresnel)) * n_l * surface.through.w;
        sum += surface.through.rgb * (surface.through.w * saturate(-side) / PI) - front;
    }
    if HAS_SHEEN {
        let alpha = max(surface.sheen_roughness * surface.sheen_roughness, 0.005);
        let sine = sqrt(max(1.0 - n_h * n_h, 0.0));
        let charlie = (2.0 + 1.0 / alpha) * pow(sine, 1.0 / alpha) / (2.0 * PI);
        let seen = 1.0 / (4.0 * (n_l + n_v - n_l * n_v));
        sum = sum * under_sheen(surface, n_v) + surface.sheen * (charlie * seen * n_l);
    }
    if HAS_CLEARCOAT {
        let c_l = saturate(dot(surface.coat_normal, to_light));
        let c_v = max(dot(surface.coat_normal, surface.to_eye), 1e-4);
        let c_h = saturate(dot(surface.coat_normal, half_way));
        let coat = surface.coat * schlick(vec3(0.04), 1.0, l_h).x;
        let shine = ggx(c_h, surface.coat_roughness) * smith(c_l, c_v, surface.coat_roughness);
        sum = sum * (1.0 - coat_share(surface)) + vec3(coat * shine * c_l);
    }
    return sum;
}

fn from_light(surface: Surface, index: u32) -> vec3<f32> {
    let lamp = lamp_at(surface.world, index);
    var strength = lamp.strength;
    if index == 0u {
        let facing = dot(surface.flat_normal, lamp.towards);
        strength *= lit_share(surface.world, surface.flat_normal, facing, surface.pixel);
    }
    return reflected(surface, lamp.towards) * globals.lights[index].color.rgb * strength;
}

fn lit(surface: Surface) -> vec3<f32> {
    var sum = from_surroundings(surface);
    for (var index = 0u; index < globals.counts.x; index++) {
        sum += from_light(surface, index);
    }
    return sum;
}
