// Surfaces in their pose, lit with as little as looks right: no shadows, nothing hides anything, mirrors see a blurred room. Of layers there
// are normal maps alone. For an image that comes soon, and where a processor draws: every step is its, and so is what a branch leaves out unless
// that is known when the pipeline is made.

// Whether one light from afar is all there is.
override SUN: bool = false;

// Of what is reflected at right angles: a scale, and an offset for grazing ones; B. Karis, "Physically based shading on mobile" (2014).
fn plain_gloss(n_v: f32, roughness: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let bent = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * bent + r.zw;
}

// Too fine for what is plain.
fn high_order(n: vec3<f32>) -> vec3<f32> {
    return vec3(0.0);
}

// What chalk and facets send back of a light. What facets hide of each other is about as much as their roughness: B. Karis, as above.
fn sent_back(towards: vec3<f32>, to_eye: vec3<f32>, normal: vec3<f32>, diffuse: vec3<f32>, facing: vec3<f32>, roughness: f32) -> vec3<f32> {
    let facets = ggx(saturate(dot(normal, normalize(towards + to_eye))), roughness) * (0.25 * roughness + 0.25);
    return (diffuse / PI + facing * facets) * saturate(dot(normal, towards));
}

// With alpha, as the target takes it.
fn shown(color: vec3<f32>, alpha: f32) -> vec4<f32> {
    if ENCODE {
        return vec4(encode(color) * alpha, alpha);
    }
    return vec4(color * alpha, alpha);
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let sides = sides_of(in, is_front);
    var normal = sides.mesh_normal;
    if HAS_NORMAL_MAP {
        let read = read_normal(in.uv).xyz;
        if any(read < vec3(1.0)) {
            normal = bumped(in, normal, sides.front, read, material.factors.z);
        }
    }
    let base = material.base_color * in.color * read_base(in.uv);
    let metal_rough = read_metallic_roughness(in.uv);
    let emissive = material.emissive.rgb * read_emissive(in.uv).rgb;
    let occluded = 1.0 + material.factors.w * (read_occlusion(in.uv).r - 1.0);
    if MASK && base.a < material.emissive.w {
        discard;
    }
    let alpha = select(1.0, base.a, material.flags.x == 2u);
    if material.flags.y == 1u {
        return shown(through_fog(base.rgb, in.world), alpha);
    }
    let roughness = clamp(material.factors.y * metal_rough.g, 0.1, 1.0);
    let metallic = material.factors.x * metal_rough.b;
    let diffuse = base.rgb * (1.0 - metallic);
    let facing = mix(vec3(0.04), base.rgb, metallic);
    let n_v = max(dot(normal, sides.to_eye), 1e-4);
    let gloss = plain_gloss(n_v, roughness);
    let mirrored = around(reflect(-sides.to_eye, normal)) * (facing * gloss.x + gloss.y);
    var sum = emissive + (diffuse * around(normal) + mirrored) * occluded;
    if SUN {
        sum += sent_back(-globals.lights[0].direction.xyz, sides.to_eye, normal, diffuse, facing, roughness) * globals.lights[0].color.rgb;
    } else {
        for (var index = 0u; index < globals.counts.x; index++) {
            let lamp = lamp_at(in.world, index);
            sum += sent_back(lamp.towards, sides.to_eye, normal, diffuse, facing, roughness) * lamp.strength * globals.lights[index].color.rgb;
        }
    }
    return shown(through_fog(expose(sum), in.world), alpha);
}
