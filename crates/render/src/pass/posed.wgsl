// Surfaces in their pose: what corners hand to pixels, and which way a pixel's surface faces.

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec4<f32>,
    @location(3) color: vec4<f32>,
    // WebGL2 hands these over only where they are read: build/parts.rs knows their places.
    @location(14) tangent: vec4<f32>,
    @location(15) heat: f32,
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

struct Sides {
    to_eye: vec3<f32>,
    // 1 where the front is seen, -1 where the back is.
    front: f32,
    // The triangle's own side.
    flat_normal: vec3<f32>,
    // Of the mesh, without bumps.
    mesh_normal: vec3<f32>,
}

fn sides_of(in: Fragment, is_front: bool) -> Sides {
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
    return Sides(to_eye, front, flat_normal, mesh_normal);
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
