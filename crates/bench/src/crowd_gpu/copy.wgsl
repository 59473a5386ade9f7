// As much as memory lets through: one buffer into another, or numbers into one.

@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4<f32>>;

fn index(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * 256u + id.x;
}

@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = index(id, groups);
    if at < arrayLength(&copied) {
        copied[at] = source[at];
    }
}

@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = index(id, groups);
    if at < arrayLength(&copied) {
        copied[at] = vec4(f32(at));
    }
}
