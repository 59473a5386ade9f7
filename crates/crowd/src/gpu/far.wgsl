// What chains leave for others lies in the device's memory, for skeletons that are too large for a workgroup's.

// For each character three rows for each branch.
@group(0) @binding(6) var<storage, read_write> branches: array<vec4<f32>>;

// This group's first character.
var<private> first_here: u32;

fn both_at(who: u32) -> Both {
    return both_of(parts[first_here + who]);
}

fn branch_at(branch: u32, who: u32) -> Rows {
    let at = 3u * ((first_here + who) * BRANCHES + branch);
    return Rows(branches[at], branches[at + 1u], branches[at + 2u]);
}

fn set_branch(branch: u32, who: u32, model: Rows) {
    let at = 3u * ((first_here + who) * BRANCHES + branch);
    branches[at] = model.x;
    branches[at + 1u] = model.y;
    branches[at + 2u] = model.z;
}

@compute @workgroup_size(THREADS)
fn all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    first_here = flat(group, groups) * TOGETHER;
    let here = present(first_here);
    for (var rank = 0u; rank < RANKS; rank++) {
        walk(rank, thread, here, first_here);
        storageBarrier();
    }
}
