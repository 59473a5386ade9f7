// What all steps of a crowd share: what lies in which buffer, and products of matrices.
//
// Joints have slots: chain after chain, so that whoever walks down a chain goes to the next slot.
// A matrix is three rows. Who includes this text declares `rows`, three for each slot of a character.

// Threads of a workgroup, and the characters that it works on.
override THREADS: u32 = 64u;
override TOGETHER: u32 = 1u;
override SLOTS: u32 = 1u;
// From one character's slots to the next one's: odd, so that the same slot of neighbours lies in different banks.
override STRIDE: u32 = 1u;
override REELS: u32 = 1u;
override RANKS: u32 = 1u;
// Matrices written for each character, and whether they are times an inverse bind.
override MATRICES: u32 = 1u;
override BOUND: bool = false;
override SHEARS: u32 = 0u;
// Whether characters have a place in the world.
override PLACED: bool = false;

struct Rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// What one character does.
struct Part {
    // Two numbers of 16 bits.
    reels: u32,
    first_time: f32,
    second_time: f32,
    // Of the second.
    share: f32,
}

struct Reel {
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

// Slots from `first` to before `end`, each the parent of the next; a root is its own chain's `parent`.
struct Chain {
    parent: u32,
    first: u32,
    end: u32,
}

struct Bind {
    matrix: Rows,
    slot: u32,
}

@group(0) @binding(0) var<storage, read> parts: array<Part>;
@group(0) @binding(1) var<storage, read> reels: array<Reel>;
// For each reel four lists over slots: steps, middles, places, sizes. See `sampled`.
@group(0) @binding(2) var<storage, read> tracks: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> frames: array<vec2<u32>>;
// The first are ranks: which of the others are of each. Chains of a rank hang on those of ranks before.
@group(0) @binding(4) var<storage, read> chains: array<Chain>;
// Inverse binds, then shears.
@group(0) @binding(5) var<storage, read> binds: array<Bind>;
@group(0) @binding(6) var<storage, read_write> palettes: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> places: array<Rows>;

// A row of `a · b` from a row of `a`. What is large is added last and rounded once.
fn carried(row: vec4<f32>, b: Rows) -> vec4<f32> {
    let sum = row.x * b.x + row.y * b.y + row.z * b.z;
    return vec4(sum.xyz, sum.w + row.w);
}

fn product(a: Rows, b: Rows) -> Rows {
    return Rows(carried(a.x, b), carried(a.y, b), carried(a.z, b));
}

fn rows_at(slot: u32) -> Rows {
    return Rows(rows[3u * slot], rows[3u * slot + 1u], rows[3u * slot + 2u]);
}

fn set_rows(slot: u32, matrix: Rows) {
    rows[3u * slot] = matrix.x;
    rows[3u * slot + 1u] = matrix.y;
    rows[3u * slot + 2u] = matrix.z;
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
