// Bones as octahedra and balls, shaded from the camera, with dark edges.

struct Bone {
    // w: half the width, in metres
    @location(0) head: vec4<f32>,
    // w: 1 for a ball at the head
    @location(1) tail: vec4<f32>,
    @location(2) color: vec4<f32>,
    // Of the octahedron or the ball: y runs from head (0) to tail (1).
    @location(3) corner: vec3<f32>,
    @location(4) normal: vec3<f32>,
    @location(5) edge: vec3<f32>,
}

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) edge: vec3<f32>,
    @location(3) world: vec3<f32>,
}

override DIM: f32 = 1.0;

@vertex
fn vertex(bone: Bone) -> Fragment {
    let along = bone.tail.xyz - bone.head.xyz;
    let size = max(length(along), 1e-6);
    let y = along / size;
    let aside = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(y.x) > 0.9);
    let z = normalize(cross(aside, y));
    let x = cross(y, z);
    let wide = bone.head.w;
    let tall = select(size, wide, bone.tail.w > 0.5);
    let scaled = bone.corner * vec3(wide, tall, wide);
    let world = bone.head.xyz + x * scaled.x + y * scaled.y + z * scaled.z;
    let slope = bone.normal / vec3(wide, tall, wide);
    let normal = normalize(x * slope.x + y * slope.y + z * slope.z);
    let clip = globals.clip_from_world * vec4(world, 1.0);
    return Fragment(clip, bone.color, normal, bone.edge, world);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let to_eye = normalize(
        select(globals.camera_position.xyz - in.world, -globals.forward.xyz, globals.forward.w > 0.5),
    );
    let upper = normalize(to_eye + 0.6 * normalize(globals.up.xyz));
    var shade = 0.30 + 0.75 * saturate(dot(in.normal, upper));
    let near = in.edge / max(fwidth(in.edge), vec3(1e-6));
    shade *= 0.45 + 0.55 * saturate(min(near.x, min(near.y, near.z)) - 0.4);
    let alpha = in.color.a * DIM;
    return vec4(in.color.rgb * shade * alpha, alpha);
}
