//! From any smooth function of time to keys that a track can follow.
//!
//! In:  a function, and the times between which it is smooth.
//! Out: keys at all those times, and no more where steps or straight lines between them are right;
//! else a cubic spline with the function's own tangents, halved until it is right.
//!
//! A jump is two keys at one time. The function is asked for a value at a time and told which of
//! the two sides of that time is meant.

use sinew_scene::Interpolation;

use super::value::Value;

/// Keys; for [`Interpolation::Cubic`] three values each: in-tangent, value, out-tangent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Baked<V> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<V>,
    pub(super) interpolation: Interpolation,
}

/// A stretch of time in which the function is smooth.
struct Stretch<V> {
    from: f64,
    to: f64,
    start: V,
    end: V,
}

/// What is to be baked.
pub(super) struct Baking<'a, V> {
    /// Rising; the function is smooth between one and the next.
    pub(super) times: &'a [f64],
    /// The value at a time, on the side of another time.
    pub(super) value: &'a dyn Fn(f64, f64) -> V,
    /// Into how many parts a stretch between two times is cut at least, so that no part turns far.
    pub(super) parts: &'a dyn Fn(f64, f64) -> usize,
    /// How far a track may be from the function.
    pub(super) tolerance: f64,
}

/// Where a stretch is looked at; not even, so that no turn looks like none.
const LOOKS: [f64; 4] = [0.23, 0.5, 0.71, 0.93];
/// How often a stretch may be halved.
const HALVINGS: u32 = 10;

impl<V: Value> Baking<'_, V> {
    pub(super) fn bake(&self) -> Baked<V> {
        let stretches = self.stretches();
        let Some(last) = self.times.last() else {
            let values = vec![(self.value)(0.0, 0.0)];
            return Baked { times: vec![0.0], values, interpolation: Interpolation::Step };
        };
        let mut end = (self.value)(*last, f64::INFINITY);
        if let Some(stretch) = stretches.last() {
            end.align(&stretch.end);
        }
        if stretches.iter().all(|stretch| self.is_still(stretch)) {
            return self.stepped(&stretches, end);
        }
        if stretches.iter().all(|stretch| self.is_straight(stretch)) {
            return self.straight(&stretches, end);
        }
        self.cubic(stretches, end)
    }

    fn stretches(&self) -> Vec<Stretch<V>> {
        let mut all: Vec<Stretch<V>> = Vec::new();
        let mut room = self.times.len() * 16 + 4096;
        for pair in self.times.windows(2) {
            let parts = (self.parts)(pair[0], pair[1]).clamp(1, 1024).min(room.max(1));
            room = room.saturating_sub(parts);
            for part in 0..parts {
                let time = |at: usize| match at {
                    at if at == parts => pair[1],
                    at => pair[0] + (pair[1] - pair[0]) * at as f64 / parts as f64,
                };
                let before = all.last().map(|stretch| stretch.end.clone());
                all.push(self.stretch(time(part), time(part + 1), before.as_ref()));
            }
        }
        all
    }

    fn stretch(&self, from: f64, to: f64, before: Option<&V>) -> Stretch<V> {
        let middle = (from + to) / 2.0;
        let mut start = (self.value)(from, middle);
        if let Some(before) = before {
            start.align(before);
        }
        let mut end = (self.value)(to, middle);
        end.align(&start);
        Stretch { from, to, start, end }
    }

    fn inside(&self, stretch: &Stretch<V>, part: f64) -> V {
        let time = stretch.from + (stretch.to - stretch.from) * part;
        let mut value = (self.value)(time, (stretch.from + stretch.to) / 2.0);
        value.align(&stretch.start);
        value
    }

    fn agrees(&self, stretch: &Stretch<V>, track: impl Fn(f64) -> V) -> bool {
        LOOKS
            .iter()
            .all(|&part| self.inside(stretch, part).distance(&track(part)) <= self.tolerance)
    }

    fn is_still(&self, stretch: &Stretch<V>) -> bool {
        stretch.start.distance(&stretch.end) <= self.tolerance * 0.1
            && self.agrees(stretch, |_| stretch.start.clone())
    }

    fn is_straight(&self, stretch: &Stretch<V>) -> bool {
        self.agrees(stretch, |part| stretch.start.mix(&stretch.end, part))
    }

    fn jumps(&self, one: &V, other: &V) -> bool {
        one.distance(other) > self.tolerance * 0.1
    }

    fn stepped(&self, stretches: &[Stretch<V>], end: V) -> Baked<V> {
        let mut baked = Baked { times: vec![], values: vec![], interpolation: Interpolation::Step };
        for stretch in stretches {
            baked.push(stretch.from, [stretch.start.clone()]);
        }
        baked.push(self.times.last().copied().unwrap_or(0.0), [end]);
        baked
    }

    fn straight(&self, stretches: &[Stretch<V>], end: V) -> Baked<V> {
        let mut baked =
            Baked { times: vec![], values: vec![], interpolation: Interpolation::Linear };
        let mut before: Option<&V> = None;
        for stretch in stretches {
            if let Some(before) = before
                && self.jumps(before, &stretch.start)
            {
                baked.push(stretch.from, [before.clone()]);
            }
            baked.push(stretch.from, [stretch.start.clone()]);
            before = Some(&stretch.end);
        }
        let last = self.times.last().copied().unwrap_or(0.0);
        if let Some(before) = before
            && self.jumps(before, &end)
        {
            baked.push(last, [before.clone()]);
        }
        baked.push(last, [end]);
        baked
    }

    fn cubic(&self, stretches: Vec<Stretch<V>>, end: V) -> Baked<V> {
        let mut spline = Spline::default();
        // Enough for any curve that a person drew, and no more than its keys deserve.
        let mut room = self.times.len() * 16 + 4096;
        for stretch in stretches {
            let mut open = vec![(stretch, 0)];
            while let Some((stretch, depth)) = open.pop() {
                let slopes = self.slopes(&stretch);
                let fits = self.agrees(&stretch, |part| hermite(&stretch, &slopes, part));
                if fits || depth == HALVINGS || room == 0 {
                    spline.add(stretch, slopes, |one, other| self.jumps(one, other));
                    continue;
                }
                room -= 1;
                let middle = (stretch.from + stretch.to) / 2.0;
                let first = self.stretch(stretch.from, middle, Some(&stretch.start));
                let second = self.stretch(middle, stretch.to, Some(&first.end));
                open.push((second, depth + 1));
                open.push((first, depth + 1));
            }
        }
        let nothing = end.sum(0.0, &end, 0.0);
        spline.close(|one| self.jumps(one, &end).then(|| (end.clone(), nothing.clone())));
        spline.baked
    }

    /// How fast the value changes at both ends of a stretch: from three values on the inside.
    fn slopes(&self, stretch: &Stretch<V>) -> [V; 2] {
        const NEAR: f64 = 1e-4;
        let step = (stretch.to - stretch.from) * NEAR;
        let slope = |end: &V, near: V, next: V, step: f64| {
            let rise = near.sum(4.0, &next, -1.0).sum(1.0, end, -3.0);
            rise.sum(0.5 / step, end, 0.0)
        };
        let at = |part| self.inside(stretch, part);
        [
            slope(&stretch.start, at(NEAR), at(2.0 * NEAR), step),
            slope(&stretch.end, at(1.0 - NEAR), at(1.0 - 2.0 * NEAR), -step),
        ]
    }
}

fn hermite<V: Value>(stretch: &Stretch<V>, slopes: &[V; 2], s: f64) -> V {
    let span = stretch.to - stretch.from;
    let (s2, s3) = (s * s, s * s * s);
    let start =
        stretch.start.sum(2.0 * s3 - 3.0 * s2 + 1.0, &slopes[0], (s3 - 2.0 * s2 + s) * span);
    let end = stretch.end.sum(3.0 * s2 - 2.0 * s3, &slopes[1], (s3 - s2) * span);
    start.sum(1.0, &end, 1.0).settle()
}

impl<V> Baked<V> {
    fn push<const N: usize>(&mut self, time: f64, values: [V; N]) {
        self.times.push(time);
        self.values.extend(values);
    }
}

/// A cubic track in the making; its last key still lacks an out-tangent.
struct Spline<V> {
    baked: Baked<V>,
    open: Option<(f64, V, V)>,
}

impl<V> Default for Spline<V> {
    fn default() -> Self {
        let interpolation = Interpolation::Cubic;
        Self { baked: Baked { times: vec![], values: vec![], interpolation }, open: None }
    }
}

impl<V: Value> Spline<V> {
    fn add(&mut self, stretch: Stretch<V>, [out, into]: [V; 2], jumps: impl Fn(&V, &V) -> bool) {
        let nothing = out.sum(0.0, &out, 0.0);
        let Stretch { from, to, start, end } = stretch;
        match self.open.take() {
            Some((_, value, slope)) if !jumps(&value, &start) => {
                self.baked.push(from, [slope, value, out]);
            }
            Some((time, value, slope)) => {
                self.baked.push(time, [slope, value, nothing.clone()]);
                self.baked.push(from, [nothing, start, out]);
            }
            None => self.baked.push(from, [nothing, start, out]),
        }
        self.open = Some((to, end, into));
    }

    /// The last key, and another at its time where the function jumps there.
    fn close(&mut self, jump: impl Fn(&V) -> Option<(V, V)>) {
        let Some((time, value, slope)) = self.open.take() else { return };
        let after = jump(&value);
        let nothing = slope.sum(0.0, &slope, 0.0);
        self.baked.push(time, [slope, value, nothing]);
        if let Some((value, nothing)) = after {
            self.baked.push(time, [nothing.clone(), value, nothing]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    fn bake<V: Value>(times: &[f64], value: &dyn Fn(f64, f64) -> V, parts: usize) -> Baked<V> {
        Baking { times, value, parts: &|_, _| parts, tolerance: 1e-6 }.bake()
    }

    #[test]
    fn straight_lines_need_no_more_keys_than_the_file_has() {
        let corner = |time: f64, _: f64| DVec3::new((time - 1.0).abs(), 0.0, 0.0);
        let baked = bake(&[0.0, 1.0, 3.0], &corner, 1);
        assert_eq!(baked.interpolation, Interpolation::Linear);
        assert_eq!(baked.values, [DVec3::X, DVec3::ZERO, 2.0 * DVec3::X]);
    }

    #[test]
    fn steps_are_steps_and_a_step_before_a_line_is_two_keys_at_one_time() {
        let step = |_: f64, side: f64| vec![if side < 1.0 { 5.0 } else { 7.0 }];
        let baked = bake(&[0.0, 1.0], &step, 1);
        assert_eq!(baked.interpolation, Interpolation::Step);
        assert_eq!(baked.values, [[5.0], [7.0]]);

        let mixed = |time: f64, side: f64| vec![if side < 1.0 { 5.0 } else { time }];
        let baked = bake(&[0.0, 1.0, 2.0], &mixed, 1);
        assert_eq!(baked.interpolation, Interpolation::Linear);
        assert_eq!(baked.times, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(baked.values, [[5.0], [5.0], [1.0], [2.0]]);
    }

    #[test]
    fn a_cubic_is_kept_with_its_own_tangents() {
        let cube = |time: f64, _: f64| vec![time * time * time];
        let baked = bake(&[0.0, 2.0], &cube, 1);
        assert_eq!((baked.interpolation, baked.times.len()), (Interpolation::Cubic, 2));
        let slope = baked.values[3][0];
        assert!((slope - 12.0).abs() < 1e-5, "{slope}");
    }

    #[test]
    fn what_is_no_cubic_gets_keys_until_it_fits() {
        let wave = |time: f64, _: f64| vec![(3.0 * time).sin()];
        let baked = bake(&[0.0, 2.0], &wave, 1);
        assert!((5..200).contains(&baked.times.len()), "{} keys", baked.times.len());
        for (time, value) in baked.times.iter().zip(baked.values.chunks(3)) {
            assert!((value[1][0] - (3.0 * time).sin()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_turn_of_three_circles_keeps_its_way_round() {
        let turn = |time: f64, _: f64| DQuat::from_rotation_z(time * 6.0 * std::f64::consts::PI);
        let baked = bake(&[0.0, 1.0], &turn, 12);
        assert_eq!((baked.interpolation, baked.times.len()), (Interpolation::Linear, 13));
        assert!(baked.values.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.7));
    }

    #[test]
    fn one_key_is_one_value() {
        let baked = bake(&[2.0], &|_, _| DVec3::Y, 1);
        assert_eq!((baked.times, baked.values), (vec![2.0], vec![DVec3::Y]));
    }
}
