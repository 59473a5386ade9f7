// What chains leave for others stays in a workgroup's memory.

var<workgroup> playing: array<Both, TOGETHER>;
var<workgroup> branches: array<vec4<f32>, 3u * BRANCHES * TOGETHER + 1u>;

fn both_at(who: u32) -> Both {
    return playing[who];
}

fn branch_at(branch: u32, who: u32) -> Rows {
    let at = 3u * TOGETHER * branch + who;
    return Rows(branches[at], branches[at + TOGETHER], branches[at + 2u * TOGETHER]);
}

fn set_branch(branch: u32, who: u32, model: Rows) {
    let at = 3u * TOGETHER * branch + who;
    branches[at] = model.x;
    branches[at + TOGETHER] = model.y;
    branches[at + 2u * TOGETHER] = model.z;
}

@compute @workgroup_size(THREADS)
fn all(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = flat(group, groups) * TOGETHER;
    let here = present(first);
    for (var who = thread; who < here; who += THREADS) {
        playing[who] = both_of(parts[first + who]);
    }
    workgroupBarrier();
    for (var rank = 0u; rank < RANKS; rank++) {
        walk(rank, thread, here, first);
        workgroupBarrier();
    }
}
