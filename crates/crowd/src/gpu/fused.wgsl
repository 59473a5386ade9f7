// All steps in one: what lies between them never leaves the chip.

var<workgroup> rows: array<vec4<f32>, 3u * TOGETHER * STRIDE>;
var<workgroup> playing: array<Playing, 2u * TOGETHER>;

@compute @workgroup_size(THREADS)
fn all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = flat(group, groups) * TOGETHER;
    let here = present(first);
    for (var item = thread; item < 2u * here; item += THREADS) {
        playing[item] = playing_of(parts[first + item / 2u], item % 2u == 1u);
    }
    workgroupBarrier();
    for (var item = thread; item < here * SLOTS; item += THREADS) {
        let who = item / SLOTS;
        let slot = item % SLOTS;
        let share = parts[first + who].share;
        let local = parent_from_joint(playing[2u * who], playing[2u * who + 1u], share, slot);
        set_rows(who * STRIDE + slot, local);
    }
    workgroupBarrier();
    if SHEARS > 0u {
        shear(thread, here, 0u);
        workgroupBarrier();
    }
    for (var rank = 0u; rank < RANKS; rank++) {
        walk(rank, thread, here, 0u, first);
        workgroupBarrier();
    }
    write_palettes(thread, here, 0u, first);
}
