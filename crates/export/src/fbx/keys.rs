//! Keys of an FBX curve that follow a curve of a clip.
//!
//! In:  a [`Source`].
//! Out: keys at the source's own keys, and between them as many as are needed: a straight line where it follows within
//!      the tolerance, else a cubic that does, and never farther apart than straight lines could follow loosely.
//!
//! A piece is walked from its start, each key's angles the nearest to those before, so no angle jumps by a circle.

use sinew_scene::Interpolation;

use super::document::{Document, Id};
use super::node::Node;
use super::properties::Properties;
use super::source::Source;

/// FBX counts time in these.
pub(super) const TICKS_PER_SECOND: f64 = 46_186_158_000.0;

/// How many tolerances a straight line may be off where the key is cubic: some readers know no tangents.
const LOOSE: f64 = 20.0;
/// A piece is cut into no more than this many steps.
const FINEST: f64 = 1.0 / 512.0;
/// Where a piece is compared with its source.
const PROBES: [f64; 3] = [0.25, 0.5, 0.75];
/// How far apart values are taken for a slope, as a share of the piece.
const DELTA: f64 = 1e-4;
/// How long before the next key a held value is repeated, for readers that know no constant keys; seconds.
const HOLD: f64 = 1e-3;

const CONSTANT: i32 = 0x2;
const LINEAR: i32 = 0x4;
/// Cubic, with tangents of one's own that may differ on both sides.
const CUBIC: i32 = 0x8 | 0x400 | 0x800;
/// Both weights of a tangent a third, as two decimal fractions of sixteen bits.
const THIRDS: u32 = 3333 << 16 | 3333;

/// A moment on the file's clock.
pub(super) fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS_PER_SECOND).round() as i64
}

#[derive(Clone, Copy)]
pub(super) struct Key<const N: usize> {
    ticks: i64,
    value: [f64; N],
    flags: i32,
    /// Per second, when leaving this key and when arriving at the next.
    slopes: [[f64; N]; 2],
}

/// The keys of a source whose clip begins at `start` seconds of the file's clock. Angles begin near to `near`.
pub(super) fn keys<const N: usize>(
    source: &impl Source<N>,
    start: f64,
    near: [f64; N],
) -> Vec<Key<N>> {
    let times = source.times();
    let mut walk = Walk { source, start, keys: Vec::new(), last: near };
    for piece in 0..times.len() {
        if times.get(piece + 1).is_some_and(|next| *next > times[piece]) {
            walk.piece(piece);
        } else {
            walk.key(piece, 0.0, LINEAR);
        }
    }
    in_order(walk.keys)
}

/// Keys one after the other, with the values that the next ones should be near to.
struct Walk<'a, S, const N: usize> {
    source: &'a S,
    start: f64,
    keys: Vec<Key<N>>,
    last: [f64; N],
}

impl<S: Source<N>, const N: usize> Walk<'_, S, N> {
    fn ticks(&self, piece: usize, fraction: f64) -> i64 {
        let times = self.source.times();
        let from = f64::from(times[piece]);
        let to = times.get(piece + 1).map_or(from, |&next| f64::from(next));
        ticks(self.start + from + (to - from) * fraction)
    }

    fn key(&mut self, piece: usize, fraction: f64, flags: i32) {
        let value = self.source.value(piece, fraction, self.last);
        self.push(piece, fraction, value, flags, [[0.0; N]; 2]);
        self.last = value;
    }

    fn push(
        &mut self,
        piece: usize,
        fraction: f64,
        value: [f64; N],
        flags: i32,
        slopes: [[f64; N]; 2],
    ) {
        self.keys.push(Key { ticks: self.ticks(piece, fraction), value, flags, slopes });
    }

    /// The keys of a piece, but for the one at its end.
    fn piece(&mut self, piece: usize) {
        let times = self.source.times();
        let length = f64::from(times[piece + 1]) - f64::from(times[piece]);
        if self.source.interpolation() == Interpolation::Step {
            self.key(piece, 0.0, CONSTANT);
            let next = self.source.value(piece + 1, 0.0, self.last);
            if next != self.last {
                self.key(piece, 1.0 - (HOLD / length).min(0.1), CONSTANT);
            }
            return;
        }
        let widest = 1.0 / self.source.steps(piece) as f64;
        let mut step = widest;
        let mut from = 0.0;
        let mut value = self.source.value(piece, 0.0, self.last);
        while from < 1.0 {
            // What is left after this step is none too small.
            let to = if from + 1.5 * step >= 1.0 { 1.0 } else { from + step };
            let next = self.source.value(piece, to, value);
            let found = self.join(piece, length, [from, to], [value, next]);
            // The finest step is taken as it is.
            let finest = (step <= FINEST).then_some((LINEAR, [[0.0; N]; 2]));
            let Some((flags, slopes)) = found.or(finest) else {
                step *= 0.5;
                continue;
            };
            self.push(piece, from, value, flags, slopes);
            (from, value) = (to, next);
            step = (2.0 * step).min(widest);
        }
        self.last = value;
    }

    /// How two values are joined so that it follows the source; `None` when it does not.
    fn join(
        &self,
        piece: usize,
        length: f64,
        [from, to]: [f64; 2],
        [a, b]: [[f64; N]; 2],
    ) -> Option<(i32, [[f64; N]; 2])> {
        let straight = |t: f64| std::array::from_fn(|at| a[at] + (b[at] - a[at]) * t);
        let truth = PROBES.map(|t| self.source.value(piece, from + (to - from) * t, straight(t)));
        let worst = |curve: &dyn Fn(f64) -> [f64; N]| {
            let each = PROBES.iter().zip(truth);
            each.map(|(&t, truth)| self.source.distance(curve(t), truth)).fold(0.0, f64::max)
        };
        let off = worst(&straight);
        if off <= 1.0 {
            return Some((LINEAR, [[0.0; N]; 2]));
        }
        if off > LOOSE {
            return None;
        }
        let leave = self.slope(piece, from, a, DELTA);
        let arrive = self.slope(piece, to, b, -DELTA);
        let cubic = |t: f64| {
            let (t2, t3) = (t * t, t * t * t);
            let [p, q] = [3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t];
            let r = t3 - t2;
            std::array::from_fn(|at| {
                a[at] + (b[at] - a[at]) * p + (leave[at] * q + arrive[at] * r) * (to - from)
            })
        };
        let per_second = |slope: [f64; N]| slope.map(|slope| slope / length);
        (worst(&cubic) <= 1.0).then(|| (CUBIC, [per_second(leave), per_second(arrive)]))
    }

    /// The change per piece at a place, seen from one side: through three values, exact for parabolas.
    fn slope(&self, piece: usize, at: f64, value: [f64; N], delta: f64) -> [f64; N] {
        let one = self.source.value(piece, at + delta, value);
        let two = self.source.value(piece, at + 2.0 * delta, value);
        std::array::from_fn(|axis| {
            (4.0 * one[axis] - 3.0 * value[axis] - two[axis]) / (2.0 * delta)
        })
    }
}

/// Times that rise: of keys at one moment the last stays, and the first right before it where it differs.
fn in_order<const N: usize>(keys: Vec<Key<N>>) -> Vec<Key<N>> {
    let mut rising: Vec<Key<N>> = Vec::with_capacity(keys.len());
    for key in keys {
        let before = rising.len().checked_sub(2).map(|at| rising[at].ticks);
        match rising.last_mut() {
            Some(last) if last.ticks >= key.ticks => {
                // No clock reaches further back than the lowest number of ticks.
                let room =
                    key.ticks.checked_sub(1).filter(|&at| before.is_none_or(|before| before < at));
                if let Some(at) = room.filter(|_| last.value != key.value) {
                    last.ticks = at;
                    rising.push(key);
                } else {
                    *last = key;
                }
            }
            _ => rising.push(key),
        }
    }
    rising
}

/// Adds the curve of one of the numbers, and connects it with what it drives.
pub(super) fn curve<const N: usize>(
    document: &mut Document,
    keys: &[Key<N>],
    axis: usize,
    drives: Id,
    property: &str,
) {
    // A number that never changes needs one key.
    let still = keys.iter().all(|key| {
        let flat = key.slopes.iter().all(|slope| slope[axis] == 0.0);
        key.value[axis] == keys[0].value[axis] && flat
    });
    let keys = if still { &keys[..1] } else { keys };
    let (mut flags, mut data, mut counts): (Vec<i32>, Vec<f32>, Vec<i32>) = Default::default();
    for key in keys {
        let own = [key.slopes[0][axis] as f32, key.slopes[1][axis] as f32];
        let attributes = [own[0], own[1], f32::from_bits(THIRDS), 0.0];
        let same = flags.last() == Some(&key.flags) && data.ends_with(&attributes);
        if let Some(count) = counts.last_mut().filter(|_| same) {
            *count += 1;
        } else {
            flags.push(key.flags);
            data.extend(attributes);
            counts.push(1);
        }
    }
    let (id, node) = document.start("AnimationCurve", "", "AnimCurve", "");
    let values: Vec<f32> = keys.iter().map(|key| key.value[axis] as f32).collect();
    document.add(
        node.field("Default", keys.first().map_or(0.0, |key| key.value[axis]))
            .field("KeyVer", 4008)
            .field("KeyTime", keys.iter().map(|key| key.ticks).collect::<Vec<i64>>())
            .field("KeyValueFloat", values)
            .field("KeyAttrFlags", flags)
            .field("KeyAttrDataFloat", data)
            .field("KeyAttrRefCount", counts),
    );
    document.connect_property(id, drives, property);
}

/// Adds what binds curves to a property of an object in a take's layer.
pub(super) fn curve_node<const N: usize>(
    document: &mut Document,
    keys: &[Key<N>],
    names: [&str; N],
    name: &str,
    layer: Id,
    (object, property): (Id, &str),
) {
    let Some(first) = keys.first() else { return };
    let (id, node) = document.start("AnimationCurveNode", name, "AnimCurveNode", "");
    let mut rest = Properties::default();
    for (part, value) in names.into_iter().zip(first.value) {
        rest = rest.animatable(part, value);
    }
    document.add(Node::child(node, rest.node()));
    document.connect(id, layer);
    document.connect_property(id, object, property);
    for (axis, part) in names.into_iter().enumerate() {
        curve(document, keys, axis, id, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_before_the_beginning_of_the_clock_are_one_key() {
        let key =
            |value: f64| Key { ticks: i64::MIN, value: [value], flags: LINEAR, slopes: [[0.0]; 2] };
        let kept = in_order(vec![key(1.0), key(2.0), key(3.0)]);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].value, [3.0]);
    }

    #[test]
    fn of_two_values_at_one_moment_the_first_is_right_before_the_second() {
        let key =
            |value: f64| Key { ticks: 100, value: [value], flags: LINEAR, slopes: [[0.0]; 2] };
        let ticks: Vec<i64> =
            in_order(vec![key(1.0), key(2.0)]).iter().map(|key| key.ticks).collect();
        assert_eq!(ticks, [99, 100]);
    }
}
