// Two sampled clips at their times, blended: rotations of joints, and where those are that do more than rotate.
//
// The twin of motion's sampled clip and blend.

// A sampled clip at a time: where its tracks begin, two of its frames, and how far from the first to the second.
struct Playing {
    tracks: u32,
    first: u32,
    second: u32,
    fraction: f32,
}

// What a character plays.
struct Both {
    one: Playing,
    other: Playing,
    // Of the other.
    share: f32,
}

// Where a joint is and its size, when these are not as at rest.
struct Moved {
    place: vec4<f32>,
    size: vec4<f32>,
}

// Of a mover in a sampled clip: whether it moves, is scaled, and whether these go on between frames.
const IS_MOVED = 1u;
const IS_SCALED = 2u;
const MOVE_GOES = 4u;
const SCALE_GOES = 8u;

fn playing_of(part: CharacterState, second: bool) -> Playing {
    let number = select(part.sampled_clips & 0xffffu, part.sampled_clips >> 16u, second);
    let sampled = sampled_clips[min(number, CLIPS - 1u)];
    let time = select(part.first_time, part.second_time, second);
    let at = min(time, sampled.duration) * sampled.rate;
    // The end itself, also for what holds from frame to frame.
    let before = select(min(u32(at), sampled.last), sampled.last, time >= sampled.duration);
    let after = min(before + 1u, sampled.last);
    // The last frame is the clip's end, which may come sooner than a whole frame.
    let fraction = (at - f32(before)) * select(1.0, sampled.hurry, after == sampled.last);
    return Playing(
        sampled.tracks,
        sampled.frames + before * sampled.wide,
        sampled.frames + after * sampled.wide,
        clamp(fraction, 0.0, 1.0),
    );
}

fn both_of(part: CharacterState) -> Both {
    return Both(playing_of(part, false), playing_of(part, true), part.share);
}

// Four numbers of 16 bits, above zero, and 2^23 more: written into where a number of that size has its ones.
fn large(bits: vec2<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4(bits & vec2(0xffffu), bits >> vec2(16u)).xzyw | vec4(0x4b000000u));
}

// Numbers of which the upper 16 bits are kept, two in a word.
fn kept(bits: vec2<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4(bits << vec2(16u), bits & vec2(0xffff0000u)).xzyw);
}

// A slot's rotation, from its bits in both frames; not of unit length.
fn turned(play: Playing, slot: u32, before: vec2<u32>, after: vec2<u32>) -> vec4<f32> {
    // Steps, then middles. Of a rotation that holds, the first step has a minus sign.
    let how = tracks[play.tracks + slot];
    var step = kept(how.xy);
    var fraction = play.fraction;
    if HOLDS {
        fraction = select(fraction, 0.0, (how.x & 0x8000u) != 0u);
        step.x = abs(step.x);
    }
    let start = large(before);
    // Zero is in the middle of the numbers of 16 bits.
    let bits = (large(after) - start) * fraction + (start - vec4(8388608.0 + 32768.0));
    return bits * step + kept(how.zw);
}

// One over its length.
fn shortening(rotation: vec4<f32>) -> f32 {
    return inverseSqrt(max(dot(rotation, rotation), 1e-12));
}

// The shorter way from one to the other, of length √2: products of its numbers are then as matrices have them.
fn mixed(one: vec4<f32>, other: vec4<f32>, share: f32) -> vec4<f32> {
    // A rotation and its negative are the same; mixed, they would cancel.
    let near = select(share, -share, dot(one, other) < 0.0);
    let rotation = one * (shortening(one) * (1.0 - share)) + other * (shortening(other) * near);
    return rotation * (sqrt(2.0) * shortening(rotation));
}

// The rotations of two neighbouring slots, each as above.
struct Rotations {
    first: vec4<f32>,
    second: vec4<f32>,
}

fn rotations_of(both: Both, slot: u32) -> Rotations {
    let before = frames[both.one.first + slot / 2u];
    let after = frames[both.one.second + slot / 2u];
    let first = turned(both.one, slot, before.xy, after.xy);
    let second = turned(both.one, slot + 1u, before.zw, after.zw);
    if both.share <= 0.0 {
        return Rotations(
            first * (sqrt(2.0) * shortening(first)),
            second * (sqrt(2.0) * shortening(second)),
        );
    }
    let other_before = frames[both.other.first + slot / 2u];
    let other_after = frames[both.other.second + slot / 2u];
    return Rotations(
        mixed(first, turned(both.other, slot, other_before.xy, other_after.xy), both.share),
        mixed(second, turned(both.other, slot + 1u, other_before.zw, other_after.zw), both.share),
    );
}

fn between(play: Playing, at: u32, goes: bool) -> vec4<f32> {
    let before = bitcast<vec4<f32>>(frames[play.first + at]);
    let after = bitcast<vec4<f32>>(frames[play.second + at]);
    return before + (after - before) * select(0.0, play.fraction, goes);
}

fn moved_by(play: Playing, mover: u32) -> Moved {
    let place = tracks[play.tracks + SLOTS + 2u * mover];
    // With where in a frame a translation, then a scale stands, and which of them there are.
    let size = tracks[play.tracks + SLOTS + 2u * mover + 1u];
    var moved = Moved(
        vec4(bitcast<vec3<f32>>(place.xyz), 0.0),
        vec4(bitcast<vec3<f32>>(size.xyz), 0.0),
    );
    var at = size.w >> 4u;
    if (size.w & IS_MOVED) != 0u {
        moved.place = between(play, at, (size.w & MOVE_GOES) != 0u);
        at += 1u;
    }
    if (size.w & IS_SCALED) != 0u {
        moved.size = between(play, at, (size.w & SCALE_GOES) != 0u);
    }
    return moved;
}

// A mover's place and size, from both sampled clips.
fn moved_of(both: Both, mover: u32) -> Moved {
    let a = moved_by(both.one, mover);
    if both.share <= 0.0 {
        return a;
    }
    let b = moved_by(both.other, mover);
    let rest = 1.0 - both.share;
    return Moved(a.place * rest + b.place * both.share, a.size * rest + b.size * both.share);
}
