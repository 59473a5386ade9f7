// The shadow that falls on the floor.

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let far = distance(in.world.xz, globals.floor_middle.xz) / globals.floor.z;
    let facing = -globals.lights[0].direction.y;
    let dark = 1.0 - lit_share(in.world, vec3(0.0, 1.0, 0.0), facing, in.clip.xy);
    let clear = clear_of_fog(distance(in.world, globals.camera_position.xyz));
    return vec4(0.0, 0.0, 0.0, dark * 0.55 * saturate(2.0 - 2.0 * far) * clear);
}
