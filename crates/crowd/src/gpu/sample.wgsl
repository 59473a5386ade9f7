// Where a joint stands in its parent: two reels at their times, blended.
//
// The twin of motion's reel and blend.

struct Local {
    place: vec3<f32>,
    turn: vec4<f32>,
    size: vec3<f32>,
}

// A reel at a time: where its tracks begin, two of its frames, and how far from the first to the second.
struct Playing {
    tracks: u32,
    first: u32,
    second: u32,
    fraction: f32,
}

const MOVES = 1u;
const SCALES = 2u;
const MOVE_GOES = 4u;
const SCALE_GOES = 8u;

fn playing_of(part: Part, second: bool) -> Playing {
    let number = select(part.reels & 0xffffu, part.reels >> 16u, second);
    let reel = reels[min(number, REELS - 1u)];
    let time = select(part.first_time, part.second_time, second);
    let at = min(time, reel.duration) * reel.rate;
    // The end itself, also for what holds from frame to frame.
    let before = select(min(u32(at), reel.last), reel.last, time >= reel.duration);
    let after = min(before + 1u, reel.last);
    // The last frame is the clip's end, which may come sooner than a whole frame.
    let fraction = (at - f32(before)) * select(1.0, reel.hurry, after == reel.last);
    return Playing(
        reel.tracks,
        reel.frames + before * reel.wide,
        reel.frames + after * reel.wide,
        clamp(fraction, 0.0, 1.0),
    );
}

// Four numbers of 16 bits with their signs.
fn shorts(bits: vec2<u32>) -> vec4<f32> {
    let signed = bitcast<vec2<i32>>(bits);
    return vec4<f32>(vec4((signed << vec2(16u)) >> vec2(16u), signed >> vec2(16u)).xzyw);
}

fn vector(at: u32) -> vec3<f32> {
    let xy = frames[at];
    return bitcast<vec3<f32>>(vec3(xy, frames[at + 1u].x));
}

fn between(play: Playing, at: u32, goes: bool) -> vec3<f32> {
    let before = vector(play.first + at);
    return before + (vector(play.second + at) - before) * select(0.0, play.fraction, goes);
}

fn sampled(play: Playing, slot: u32) -> Local {
    let track = play.tracks + slot;
    let step = bitcast<vec4<f32>>(tracks[track]);
    let middle = bitcast<vec4<f32>>(tracks[track + SLOTS]);
    // With the place in a frame where the turn stands; its lowest bit says whether it goes on between frames.
    let place = tracks[track + 2u * SLOTS];
    // With the place where a translation, then a scale stands, and which of them there are.
    let size = tracks[track + 3u * SLOTS];
    let before = shorts(frames[play.first + (place.w >> 1u)]);
    let after = shorts(frames[play.second + (place.w >> 1u)]);
    let bits = before + (after - before) * select(0.0, play.fraction, (place.w & 1u) != 0u);
    let turn = bits * step + middle;
    var local = Local(
        bitcast<vec3<f32>>(place.xyz),
        turn * inverseSqrt(max(dot(turn, turn), 1e-12)),
        bitcast<vec3<f32>>(size.xyz),
    );
    var at = size.w >> 4u;
    if (size.w & MOVES) != 0u {
        local.place = between(play, at, (size.w & MOVE_GOES) != 0u);
        at += 2u;
    }
    if (size.w & SCALES) != 0u {
        local.size = between(play, at, (size.w & SCALE_GOES) != 0u);
    }
    return local;
}

fn blended(a: Local, b: Local, share: f32) -> Local {
    let rest = 1.0 - share;
    // A turn and its negative are the same; mixed, they would cancel.
    let turn = a.turn * rest + b.turn * select(share, -share, dot(a.turn, b.turn) < 0.0);
    return Local(
        a.place * rest + b.place * share,
        turn * inverseSqrt(dot(turn, turn)),
        a.size * rest + b.size * share,
    );
}

fn rows_of(local: Local) -> Rows {
    let q = local.turn;
    let double = q.xyz * 2.0;
    let xx = q.x * double.x;
    let yy = q.y * double.y;
    let zz = q.z * double.z;
    let xy = q.x * double.y;
    let xz = q.x * double.z;
    let yz = q.y * double.z;
    let w = q.w * double;
    return Rows(
        vec4(vec3(1.0 - (yy + zz), xy - w.z, xz + w.y) * local.size, local.place.x),
        vec4(vec3(xy + w.z, 1.0 - (xx + zz), yz - w.x) * local.size, local.place.y),
        vec4(vec3(xz - w.y, yz + w.x, 1.0 - (xx + yy)) * local.size, local.place.z),
    );
}

fn parent_from_joint(first: Playing, second: Playing, share: f32, slot: u32) -> Rows {
    var local = sampled(first, slot);
    if share > 0.0 {
        local = blended(local, sampled(second, slot), share);
    }
    return rows_of(local);
}
