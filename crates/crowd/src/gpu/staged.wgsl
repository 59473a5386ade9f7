// The steps one after the other, for skeletons that are too large for a workgroup's memory.

@group(0) @binding(7) var<storage, read_write> rows: array<vec4<f32>>;

@compute @workgroup_size(THREADS)
fn sample_all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = flat(group, groups) * TOGETHER;
    let here = present(first);
    for (var item = thread; item < here * SLOTS; item += THREADS) {
        let who = first + item / SLOTS;
        let slot = item % SLOTS;
        let part = parts[who];
        let local =
            parent_from_joint(playing_of(part, false), playing_of(part, true), part.share, slot);
        set_rows(who * STRIDE + slot, local);
    }
}

@compute @workgroup_size(THREADS)
fn walk_all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = flat(group, groups) * TOGETHER;
    let here = present(first);
    if SHEARS > 0u {
        shear(thread, here, first * STRIDE);
        storageBarrier();
    }
    for (var rank = 0u; rank < RANKS; rank++) {
        walk(rank, thread, here, first * STRIDE, first);
        storageBarrier();
    }
}

@compute @workgroup_size(THREADS)
fn write_all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = flat(group, groups) * TOGETHER;
    write_palettes(thread, present(first), first * STRIDE, first);
}
