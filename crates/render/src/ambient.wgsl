// Light of the environment on a surface.

// What a mirror of some roughness would see, with nothing before it.
fn mirrored_light(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    let seen = environment_at(direction, environment_level(roughness));
    return seen * globals.ambient.w + globals.ambient.rgb;
}

// The level of the cube map for a roughness. The twin of ROUGHNESS in environment/cube.rs, squared.
fn environment_level(roughness: f32) -> f32 {
    // Lobes are as wide as the square of the roughness.
    let alpha = roughness * roughness;
    if alpha < 0.0225 {
        return alpha * alpha / (0.0225 * 0.0225);
    }
    if alpha < 0.09 {
        return 1.0 + (alpha - 0.0225) / 0.0675;
    }
    if alpha < 0.25 {
        return 2.0 + (alpha - 0.09) / 0.16;
    }
    if alpha < 0.5625 {
        return 3.0 + (alpha - 0.25) / 0.3125;
    }
    return 4.0 + (alpha - 0.5625) / 0.4375;
}

// Where the middle of a lobe is: rough surfaces see more of what is straight above them.
fn lobe_middle(normal: vec3<f32>, to_eye: vec3<f32>, roughness: f32) -> vec3<f32> {
    let alpha = roughness * roughness;
    return normalize(mix(reflect(-to_eye, normal), normal, alpha * alpha));
}

// A normal bent so that the lobe is wide along the stretch; KHR_materials_anisotropy.
fn bent_normal(surface: Surface) -> vec3<f32> {
    let across = cross(surface.normal, surface.stretch.xyz);
    let side = cross(across, surface.to_eye);
    let tilted = normalize(cross(side, across));
    let straight = 1.0 - surface.stretch.w * (1.0 - surface.roughness);
    let share = straight * straight * straight * straight;
    return normalize(mix(tilted, surface.normal, share));
}

// What a mirror sees past an occlusion map; S. Lagarde and C. de Rousiers (2014).
fn mirror_share(occlusion: f32, n_v: f32, roughness: f32) -> f32 {
    let sharp = exp2(-16.0 * roughness - 1.0);
    return saturate(pow(n_v + occlusion, sharp) - 1.0 + occlusion);
}

fn from_surroundings(surface: Surface) -> vec3<f32> {
    let n_v = saturate(dot(surface.normal, surface.to_eye));
    var upright = surface.normal;
    if HAS_ANISOTROPY {
        upright = bent_normal(surface);
    }
    let mirrored = lobe_middle(upright, surface.to_eye, surface.roughness);
    let open = openness(surface, mirrored);
    let shine = gloss(surface.facing, surface.grazing, surface.roughness, n_v);
    let whole = shine.single + shine.multiple;
    // What hides light has about the surface's own colour and sends some of it on, more than once. It is lit as the surface
    // is, or as it would be with nothing before it: the truth is between.
    let own = surface.diffuse * (1.0 - largest(whole)) + whole;
    let hidden = 1.0 - (open.diffuse.r + open.diffuse.g + open.diffuse.b) / 3.0;
    let sent_on = own * hidden / (1.0 - own * hidden);
    let again = mix(
        around(surface.normal) * open.diffuse * sent_on,
        open.bounced * globals.ambient.w * own * (1.0 - hidden) / (1.0 - own * hidden),
        0.5,
    );
    let diffuse_open = min(open.diffuse, vec3(surface.occlusion));
    let matt = around(surface.normal) * diffuse_open + again * surface.occlusion;
    // Half of it: what hides a mirror's view is itself lit, and often shines.
    let mirror_open = min(mix(1.0, open.mirror, 0.5), mirror_share(surface.occlusion, n_v, surface.roughness));
    let seen = mirrored_light(mirrored, surface.roughness) * mirror_open
        + around(-mirrored) * own * (1.0 - mirror_open);
    var sum = surface.diffuse * (1.0 - largest(whole)) * matt
        + shine.single * seen + shine.multiple * matt;
    if HAS_DIFFUSE_TRANSMISSION {
        let front = surface.diffuse * (1.0 - largest(whole)) * matt * surface.through.w;
        sum += surface.through.rgb * surface.through.w * around(-surface.normal) - front;
    }
    if HAS_SHEEN {
        let fibres = surface.sheen * dfg(n_v, surface.sheen_roughness).z;
        sum = sum * under_sheen(surface, n_v) + fibres * matt;
    }
    if HAS_CLEARCOAT {
        let c_v = saturate(dot(surface.coat_normal, surface.to_eye));
        let towards = lobe_middle(surface.coat_normal, surface.to_eye, surface.coat_roughness);
        let coat = gloss_of_coat(c_v, surface.coat_roughness) * surface.coat;
        let light = mirrored_light(towards, surface.coat_roughness) * mirror_open;
        sum = sum * (1.0 - coat_share(surface)) + light * coat;
    }
    return sum;
}

fn gloss_of_coat(n_v: f32, roughness: f32) -> f32 {
    let coat = gloss(vec3(0.04), 1.0, roughness, n_v);
    return coat.single.x + coat.multiple.x;
}
