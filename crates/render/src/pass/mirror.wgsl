// Who stands on the floor as it mirrors them: matt, and fainter the higher they are.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec4<f32>,
    @location(3) color: vec4<f32>,
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    let posed = in_pose(in);
    let place = posed.position;
    let below = vec4(place.x, 2.0 * globals.floor.x - place.y, place.z, 1.0);
    let normal = select(vec3(0.0, 1.0, 0.0), posed.normal, dot(in.normal, in.normal) > 0.0);
    return Fragment(globals.clip_from_world * below, place, normal, in.uv, in.color);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let base = material.base_color * in.color * read_base(in.uv);
    let emissive = material.emissive.rgb * read_emissive(in.uv).rgb;
    let near = 1.0 - (in.world.y - globals.floor.x) / mirror_reach();
    if near <= 0.0 || near > 1.0 || (material.flags.x != 0u && base.a < material.emissive.w) {
        discard;
    }
    let normal = normalize(in.normal);
    var light = environment_at(normal, 5.0) * globals.ambient.w + globals.ambient.rgb;
    if globals.counts.x > 0u && globals.lights[0].direction.w == LIGHT_DIRECTIONAL {
        let facing = saturate(-dot(normal, globals.lights[0].direction.xyz));
        light += globals.lights[0].color.rgb * facing / 3.14159265;
    }
    let share = near * near * clear_of_fog(distance(in.world, globals.camera_position.xyz));
    let lit = select(expose(base.rgb * light + emissive), base.rgb, material.flags.y == 1u);
    return vec4(lit, 1.0) * share;
}
