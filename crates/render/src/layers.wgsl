// What lies over, under and in a surface, read from its material; the rest of the surface is filled in by whoever asks.

fn layers_of(in: Fragment, normal: vec3<f32>, base: vec3<f32>, metallic: f32) -> Surface {
    var surface: Surface;
    surface.grazing = 1.0;
    var facing = vec3(0.04);
    if HAS_SPECULAR {
        let bend = (material.transmission.w - 1.0) / (material.transmission.w + 1.0);
        let strength = material.specular.w * read_specular(in.uv).a;
        let tint = material.specular.rgb * read_specular_color(in.uv).rgb;
        facing = min(bend * bend * tint, vec3(1.0)) * strength;
        surface.grazing = mix(strength, 1.0, metallic);
    }
    surface.facing = mix(facing, base, metallic);
    if HAS_CLEARCOAT {
        surface.coat = material.clearcoat.x * read_clearcoat(in.uv).r;
        let roughness = material.clearcoat.y * read_clearcoat_roughness(in.uv).g;
        surface.coat_roughness = clamp(roughness, 0.02, 1.0);
    }
    if HAS_SHEEN {
        surface.sheen = material.sheen.rgb * read_sheen_color(in.uv).rgb;
        let roughness = material.sheen.w * read_sheen_roughness(in.uv).a;
        surface.sheen_roughness = clamp(roughness, 0.07, 1.0);
    }
    if HAS_DIFFUSE_TRANSMISSION {
        let share = material.diffuse_transmission.w * read_diffuse_transmission(in.uv).a;
        let color = material.diffuse_transmission.rgb * read_diffuse_transmission_color(in.uv).rgb;
        surface.through = vec4(color, share * (1.0 - metallic));
    }
    if HAS_IRIDESCENCE {
        let part = read_iridescence_thickness(in.uv).g;
        let thickness = mix(material.iridescence.z, material.iridescence.w, part);
        surface.film = vec2(material.iridescence.x * read_iridescence(in.uv).r, thickness);
    }
    if HAS_TRANSMISSION {
        let strength = material.transmission.x * read_transmission(in.uv).r * (1.0 - metallic);
        surface.glass = vec2(strength, material.transmission.y * read_thickness(in.uv).g);
    }
    if HAS_ANISOTROPY {
        surface.stretch = stretch_of(in, normal);
    }
    return surface;
}

fn stretch_of(in: Fragment, normal: vec3<f32>) -> vec4<f32> {
    var direction = vec2(1.0, 0.0);
    let read = read_anisotropy(in.uv).xyz;
    var strength = material.anisotropy.x;
    if any(read < vec3(1.0)) {
        direction = read.xy * 2.0 - 1.0;
        strength *= read.z;
    }
    let turn = material.anisotropy.yz;
    direction = vec2(
        turn.x * direction.x - turn.y * direction.y,
        turn.y * direction.x + turn.x * direction.y,
    );
    // Without tangents, along any direction on the surface.
    let side = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(normal.x) > 0.9);
    var tangent = normalize(cross(side, normal));
    if dot(in.tangent.xyz, in.tangent.xyz) > 0.0 {
        tangent = normalize(in.tangent.xyz - normal * dot(normal, in.tangent.xyz));
    }
    let bitangent = cross(normal, tangent) * select(1.0, in.tangent.w, in.tangent.w != 0.0);
    return vec4(normalize(tangent * direction.x + bitangent * direction.y), strength);
}

fn iridesce(surface: ptr<function, Surface>) {
    let n_v = saturate(dot((*surface).normal, (*surface).to_eye));
    let facing = (*surface).facing;
    let seen = film(n_v, material.iridescence.y, (*surface).film.y, facing);
    // What would be reflected at right angles to reflect this much at the angle.
    let grazing = pow(saturate(1.0 - n_v), 5.0);
    let back = clamp((seen - grazing) / max(1.0 - grazing, 1e-3), vec3(0.0), vec3(1.0));
    (*surface).facing = mix(facing, back, (*surface).film.x);
}
