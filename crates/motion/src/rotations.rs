//! The rotations of a clip at a time, eight tracks at a time.
//!
//! Of eight tracks, those that go straight between two keys are gathered and interpolated at once; what
//! else there is (ends, steps, splines) is worked out alone.

use sinew_lanes::{Ints, Kernel, Wide, one};
use sinew_scene::glam::Quat;
use sinew_scene::{Interpolation, Track};

use crate::cursor::{Finder, Span};
use crate::interpolate::{NEAR, SERIES, rotation, slerp};
use crate::lanes::{LANES, Lanes};

/// Writes every track's rotation at the finder's time.
pub(crate) struct Rotations<'a, 'f> {
    pub(crate) tracks: &'a [Track<Quat>],
    pub(crate) finder: &'a mut Finder<'f>,
    pub(crate) locals: &'a mut [Lanes],
}

impl Kernel for Rotations<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let mut eight = Eight::NONE;
        for tracks in self.tracks.chunks(LANES) {
            // Mostly all tracks of a clip share their times: one look is enough then.
            if let Some(tracks) = tracks.first_chunk()
                && alike(tracks)
            {
                let span = self.finder.next_of(tracks[0].curve.times(), LANES);
                if span.fraction > 0.0 && span.fraction < 1.0 {
                    eight.set(tracks, span);
                    eight.write::<W>(LANES, self.locals);
                    continue;
                }
                for track in tracks {
                    alone(track, span, self.locals);
                }
                continue;
            }
            let mut count = 0;
            for track in tracks {
                let span = self.finder.next(track.curve.times());
                // At a key the key itself, to the last bit: far down a chain of joints the bit shows.
                let between = span.fraction > 0.0 && span.fraction < 1.0;
                if between && track.curve.interpolation() == Interpolation::Linear {
                    let keys = &track.curve.values()[span.key..span.key + 2];
                    eight.from[count] = keys[0].as_ref();
                    eight.to[count] = keys[1].as_ref();
                    eight.fraction[count] = span.fraction;
                    eight.joints[count] = track.joint.index();
                    count += 1;
                } else {
                    alone(track, span, self.locals);
                }
            }
            if count > 0 {
                eight.write::<W>(count, self.locals);
            }
        }
    }
}

/// Whether eight tracks go straight between keys at the same times.
#[inline(always)]
fn alike(tracks: &[Track<Quat>; LANES]) -> bool {
    let mut alike = true;
    for track in tracks {
        alike &= std::ptr::eq(track.curve.times().as_ptr(), tracks[0].curve.times().as_ptr());
        alike &= track.curve.interpolation() == Interpolation::Linear;
    }
    alike
}

#[inline(never)]
fn alone(track: &Track<Quat>, span: Span, locals: &mut [Lanes]) {
    let joint = track.joint.index();
    locals[joint / LANES].set_rotation(joint % LANES, rotation(&track.curve, span));
}

/// Up to eight pairs of keys.
pub(crate) struct Eight<'a> {
    pub(crate) from: [&'a [f32; 4]; LANES],
    pub(crate) to: [&'a [f32; 4]; LANES],
    pub(crate) fraction: [f32; LANES],
    joints: [usize; LANES],
}

impl<'a> Eight<'a> {
    #[inline(always)]
    fn set(&mut self, tracks: &'a [Track<Quat>; LANES], span: Span) {
        for (lane, track) in tracks.iter().enumerate() {
            let keys = &track.curve.values()[span.key..span.key + 2];
            self.from[lane] = keys[0].as_ref();
            self.to[lane] = keys[1].as_ref();
            self.joints[lane] = track.joint.index();
        }
        self.fraction = [span.fraction; LANES];
    }

    pub(crate) const NONE: Self = Self {
        from: [&[0.0, 0.0, 0.0, 1.0]; LANES],
        to: [&[0.0, 0.0, 0.0, 1.0]; LANES],
        fraction: [0.0; LANES],
        joints: [0; LANES],
    };

    #[inline(always)]
    fn write<W: Wide>(&self, count: usize, locals: &mut [Lanes]) {
        let out = self.rotations::<W>(count);
        self.scatter(count, &out, locals);
    }

    /// Between the keys; of the first `count` pairs, what comes after is any.
    #[inline(always)]
    pub(crate) fn rotations<W: Wide>(&self, count: usize) -> [[f32; LANES]; 4] {
        let (from, to) = (W::gather4(self.from), W::gather4(self.to));
        let dot = from[1].mul_add(to[1], from[0] * to[0]) + from[3].mul_add(to[3], from[2] * to[2]);
        let cosine = dot.abs();
        let fraction = W::load(&self.fraction);
        let (rest, past) = (W::splat(1.0) - fraction, cosine - W::splat(1.0));
        let [a, b] = match W::splat(VERY_NEAR).above(cosine).any() {
            false => [share::<W, 3>(rest, past), share::<W, 3>(fraction, past)],
            true => [share::<W, 6>(rest, past), share::<W, 6>(fraction, past)],
        };
        let b = b.flip(dot);
        let mut rows = from;
        for row in 0..4 {
            rows[row] = to[row].mul_add(b, from[row] * a);
        }
        let square = rows[1].mul_add(rows[1], rows[0] * rows[0])
            + rows[3].mul_add(rows[3], rows[2] * rows[2]);
        let length = square.max(W::splat(1e-12)).rsqrt();
        let mut out = [[0.0; LANES]; 4];
        for row in 0..4 {
            (rows[row] * length).store(&mut out[row]);
        }
        if W::splat(NEAR).above(cosine).any() {
            self.slerp_far(count, &mut out);
        }
        out
    }

    /// Keys that are far from each other, one by one.
    #[cold]
    #[inline(never)]
    fn slerp_far(&self, count: usize, out: &mut [[f32; LANES]; 4]) {
        for (lane, (from, to)) in self.from.iter().zip(self.to).take(count).enumerate() {
            let [from, to] = [*from, to].map(|key| Quat::from_array(*key));
            if one::dot(from, to).abs() <= NEAR {
                let found = slerp(from, to, self.fraction[lane]).to_array();
                for (row, value) in out.iter_mut().zip(found) {
                    row[lane] = value;
                }
            }
        }
    }

    #[inline(always)]
    fn scatter(&self, count: usize, out: &[[f32; LANES]; 4], locals: &mut [Lanes]) {
        let first = self.joints[0];
        let mut in_a_row = first.is_multiple_of(LANES) && count == LANES;
        for (lane, joint) in self.joints.iter().enumerate() {
            in_a_row &= *joint == first + lane;
        }
        if in_a_row {
            locals[first / LANES].rotation = *out;
            return;
        }
        for (lane, joint) in self.joints[..count].iter().enumerate() {
            let rotation = &mut locals[joint / LANES].rotation;
            for (to, from) in rotation.iter_mut().zip(out) {
                to[joint % LANES] = from[lane];
            }
        }
    }
}

/// Cosines of half angles above which three terms of the series leave less than 1e-8: up to 23° apart.
const VERY_NEAR: f32 = 0.98;

/// `sin(t θ) / sin θ` from `cos θ - 1`, as [`share`](crate::interpolate) has it for one.
#[inline(always)]
fn share<W: Wide, const TERMS: usize>(t: W, past: W) -> W {
    let (square, one) = (t * t, W::splat(1.0));
    let mut sum = one;
    let mut at = TERMS;
    while at > 0 {
        at -= 1;
        let (u, v) = SERIES[at];
        let term = square.mul_add(W::splat(u), W::splat(-v)) * past;
        sum = term.mul_add(sum, one);
    }
    t * sum
}

#[cfg(test)]
mod tests {
    use sinew_lanes::{SimdLevel, run};
    use sinew_scene::{Curve, JointId};

    use super::*;
    use crate::Cursor;

    /// Eleven tracks that end on different joints, near and far keys, both signs, all kinds.
    fn tracks() -> Vec<Track<Quat>> {
        let key = |track: usize, key: usize| {
            // Up to 160°, 40° or 10° from key to key.
            let angle = (track * 5 + key) as f32 * [0.11, 0.11, 0.5, 0.11, 1.9][track % 5];
            let rotation = Quat::from_euler(Default::default(), angle, 0.3 * angle, -angle);
            if (track + key).is_multiple_of(3) { -rotation } else { rotation }
        };
        let kind = |track: usize| match track {
            6 => Interpolation::Step,
            _ => Interpolation::Linear,
        };
        (0..11)
            .map(|track| {
                let values = (0..4).map(|at| key(track, at)).collect();
                let times: Vec<f32> =
                    (0..4).map(|at| at as f32 * (0.3 + 0.01 * track as f32)).collect();
                let curve = Curve::new(times, values, kind(track)).expect("four keys");
                Track { joint: JointId::new((track * 7) % 16), curve }
            })
            .collect()
    }

    /// The same, all with the times of the first: one look serves all.
    fn together() -> Vec<Track<Quat>> {
        let tracks = tracks();
        let times = tracks[0].curve.times().clone();
        let share = |track: &Track<Quat>| {
            let values = track.curve.values().to_vec();
            let kind = track.curve.interpolation();
            Track {
                joint: track.joint,
                curve: Curve::new(times.clone(), values, kind).expect("keys"),
            }
        };
        tracks.iter().map(share).collect()
    }

    fn straight(tracks: Vec<Track<Quat>>) -> Vec<Track<Quat>> {
        let linear = |track: &Track<Quat>| track.curve.interpolation() == Interpolation::Linear;
        tracks.into_iter().filter(linear).collect()
    }

    fn on(path: SimdLevel, tracks: &[Track<Quat>], time: f32) -> Vec<Lanes> {
        let (mut locals, mut cursor) = (vec![Lanes::IDENTITY; 2], Cursor::new());
        let finder = &mut cursor.at(time, tracks.len());
        run(path, Rotations { tracks, finder, locals: &mut locals });
        locals
    }

    #[test]
    fn eight_at_once_are_as_one_by_one() {
        let kinds = || [tracks(), together(), straight(tracks()), straight(together())];
        for (tracks, step) in (-2..40).flat_map(|step| kinds().map(|tracks| (tracks, step))) {
            let time = step as f32 * 0.03;
            for path in SimdLevel::ALL {
                let found = on(path, &tracks, time);
                for track in &tracks {
                    let alone =
                        rotation(&track.curve, crate::cursor::find(track.curve.times(), time));
                    let joint = track.joint.index();
                    let found = found[joint / LANES].get(joint % LANES).rotation;
                    let near = found.abs_diff_eq(alone, 4e-7) || found.abs_diff_eq(-alone, 4e-7);
                    assert!(near, "{path:?} {joint} at {time}: {found} is not {alone}");
                    assert!(found.is_normalized());
                }
            }
        }
    }

    #[test]
    fn the_deterministic_path_has_the_bits_of_the_plain_one() {
        for (tracks, step) in (0..40).flat_map(|step| [(tracks(), step), (together(), step)]) {
            let time = step as f32 * 0.03;
            assert_eq!(
                on(SimdLevel::Deterministic, &tracks, time),
                on(SimdLevel::Scalar, &tracks, time)
            );
        }
    }

    #[test]
    fn eight_joints_in_a_row_are_the_block() {
        let all = straight(tracks());
        let mut row: Vec<_> = all[..8].to_vec();
        for (lane, track) in row.iter_mut().enumerate() {
            track.joint = JointId::new(8 + lane);
        }
        let found = on(SimdLevel::Fast, &row, 0.2);
        assert_eq!(found[0], Lanes::IDENTITY);
        for track in &mut row {
            track.joint = JointId::new(track.joint.index() - 4);
        }
        let aside = on(SimdLevel::Fast, &row, 0.2);
        for lane in 0..LANES {
            assert_eq!(aside[(lane + 4) / LANES].get((lane + 4) % LANES), found[1].get(lane));
        }
        let mixed = on(SimdLevel::Fast, &all[..8], 0.2);
        for (lane, track) in all[..8].iter().enumerate() {
            let joint = track.joint.index();
            let expected = mixed[joint / LANES].get(joint % LANES).rotation;
            assert_eq!(found[1].get(lane).rotation, expected);
        }
    }
}
