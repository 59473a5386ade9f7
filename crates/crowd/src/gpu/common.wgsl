// What a crowd's shader is made of: what lies in which buffer, and products of matrices.
//
// Joints have slots: chain after chain, so that whoever walks down a chain goes to the next slot; each chain begins at an even
// one, and two slots are fetched at once. A matrix is three rows. What one chain leaves for others lies in a workgroup's memory
// or in the device's: near.wgsl and far.wgsl say where.

// Threads of a workgroup, and the characters that it works on.
override THREADS: u32 = 64u;
override TOGETHER: u32 = 1u;
override SLOTS: u32 = 2u;
override CLIPS: u32 = 1u;
override RANKS: u32 = 1u;
// Matrices written for each character, and whether they are times an inverse bind.
override MATRICES: u32 = 1u;
override BOUND: bool = false;
// Joints on which chains of later ranks hang; whether any does more than rotate, and whether any rotation holds from frame to frame.
override BRANCHES: u32 = 0u;
override MOVES: bool = false;
override HOLDS: bool = false;
// Whether characters have a place in the world.
override PLACED: bool = false;

struct Rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// What one character does.
struct CharacterState {
    // Two numbers of 16 bits.
    sampled_clips: u32,
    first_time: f32,
    second_time: f32,
    // Of the second.
    share: f32,
}

struct SampledClip {
    duration: f32,
    rate: f32,
    hurry: f32,
    // The last frame.
    last: u32,
    // Where its tracks begin, its frames, and how wide a frame is.
    tracks: u32,
    frames: u32,
    wide: u32,
}

// What is known of a slot.
struct Slot {
    // Where it stands in its parent, unless it moves.
    place: vec3<f32>,
    // Of which the lowest bits say what there is, and the others which matrix is written.
    what: u32,
    // The matrix is written times this.
    bind: Rows,
}

const WRITTEN = 1u;
const SPECIAL = 2u;

// What is known of a special slot: its number among movers, branches and shears, from one on; and what else is written of it,
// from the first bind to before the end.
struct Special {
    mover: u32,
    branch: u32,
    shear: u32,
    first: u32,
    end: u32,
}

// Slots from `first` to before `end`, each the parent of the next; the first hangs on a branch, unless it is a root.
struct Chain {
    branch: u32,
    first: u32,
    end: u32,
}

// A matrix, and which one it makes.
struct Bind {
    matrix: Rows,
    to: u32,
}

@group(0) @binding(0) var<storage, read> parts: array<CharacterState>;
@group(0) @binding(1) var<storage, read> sampled_clips: array<SampledClip>;
// Six for each slot, see `slot_at` and `special_at`; four for each bind; then for each sampled clip how rotations are read and two for each
// mover, see sample.wgsl.
@group(0) @binding(2) var<storage, read> tracks: array<vec4<u32>>;
// Frame after frame: two rotations, then vectors.
@group(0) @binding(3) var<storage, read> frames: array<vec4<u32>>;
// The first are ranks: which of the others are of each. Chains of a rank hang on those of ranks before.
@group(0) @binding(4) var<storage, read> chains: array<Chain>;
@group(0) @binding(5) var<storage, read_write> palettes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> places: array<Rows>;

// Vectors for each slot.
const SLOT = 6u;

fn rows_at(at: u32) -> Rows {
    return Rows(
        bitcast<vec4<f32>>(tracks[at]),
        bitcast<vec4<f32>>(tracks[at + 1u]),
        bitcast<vec4<f32>>(tracks[at + 2u]),
    );
}

fn slot_at(number: u32) -> Slot {
    let place = tracks[SLOT * number];
    var bind: Rows;
    if BOUND {
        bind = rows_at(SLOT * number + 1u);
    }
    return Slot(bitcast<vec3<f32>>(place.xyz), place.w, bind);
}

fn special_at(number: u32) -> Special {
    let a = tracks[SLOT * number + 4u];
    let b = tracks[SLOT * number + 5u];
    return Special(a.x, a.y, a.z, b.x, b.y);
}

// Shears, then inverse binds.
fn bind_at(number: u32) -> Bind {
    let at = SLOT * SLOTS + 4u * number;
    return Bind(rows_at(at), tracks[at + 3u].x);
}

// A row of `a · b` from a row of `a`. What is large is added last and rounded once.
fn moved(row: vec4<f32>, b: Rows) -> vec4<f32> {
    let sum = row.x * b.x + row.y * b.y + row.z * b.z;
    return vec4(sum.xyz, sum.w + row.w);
}

fn product(a: Rows, b: Rows) -> Rows {
    return Rows(moved(a.x, b), moved(a.y, b), moved(a.z, b));
}

// Dispatches of more than 65,535 groups are folded.
fn flat(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

// How many of this group's characters there are.
fn present(first: u32) -> u32 {
    let count = arrayLength(&parts);
    return min(TOGETHER, max(count, first) - first);
}
