//! One animated number: a curve of FBX keys, seen span by span.
//!
//! In:  an animated property of a take.
//! Out: its value and slope anywhere, with bounds on how it bends.
//!
//! Between two keys a curve is held, straight, or a Bézier. A Bézier whose handles lie at thirds
//! is a cubic polynomial in time; any other is left to ufbx, which solves for the parameter.

/// How a take drives a property of an element.
pub(super) enum Drive<'a> {
    /// Not at all.
    Rest,
    /// By one set of curves that replaces the value in the file.
    Curves(&'a ufbx::AnimValue),
    /// By several layers, or by a connection: only ufbx knows the value.
    Mixed,
}

pub(super) fn drive<'a>(anim: &'a ufbx::Anim, element: &'a ufbx::Element, name: &str) -> Drive<'a> {
    let mut found = Drive::Rest;
    for (number, layer) in anim.layers.iter().enumerate() {
        let Some(prop) = ufbx::find_anim_prop(layer, element, name) else { continue };
        let replaces = number == 0 || !(layer.additive || layer.blended);
        found = match found {
            Drive::Rest if replaces => Drive::Curves(&prop.anim_value),
            _ => Drive::Mixed,
        };
    }
    let prop = ufbx::find_prop(&element.props, name);
    if prop.is_some_and(|prop| prop.flags.has_any(ufbx::PropFlags::CONNECTED)) {
        found = Drive::Mixed;
    }
    found
}

/// A handle this near to a third is taken to be there: handles are kept in single precision.
const THIRD: f64 = 2e-6;

/// One animated number.
pub(super) struct Channel<'a> {
    default: f64,
    curve: Option<&'a ufbx::AnimCurve>,
    /// The key that ends the span used last.
    next: usize,
    span: Span<'a>,
}

/// What a curve is between two neighbouring keys.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    start: f64,
    /// One over its length.
    per_second: f64,
    /// Bézier values at thirds of the span.
    y: [f64; 4],
    /// Set when the handles are not at thirds.
    weighted: Option<Weighted<'a>>,
}

/// A Bézier whose time is no straight line of its parameter.
#[derive(Clone, Copy)]
struct Weighted<'a> {
    curve: &'a ufbx::AnimCurve,
    end: f64,
    /// Where its handles are, as shares of its length.
    handles: [f64; 2],
}

/// The parameter of a Bézier at a share of its length, by Newton's method, which squares the error every time.
fn parameter(handles: [f64; 2], share: f64) -> f64 {
    const MAX_ROUNDS: usize = 11;
    let [first, second] = [handles[0] * 3.0, handles[1] * 3.0];
    let a = first - second + 1.0;
    let b = second - first - first;
    let mut t = share;
    for _ in 0..MAX_ROUNDS {
        let square = t * t;
        let off = a * (square * t) + b * square + first * t - share;
        t -= off / (3.0 * a * square + 2.0 * b * t + first);
        // What is left after this round is the square of that.
        if off.abs() <= 1e-9 {
            break;
        }
    }
    t
}

impl<'a> Channel<'a> {
    /// A number that no curve changes.
    pub(super) fn held(value: f64) -> Self {
        Self { default: value, curve: None, next: 0, span: Span::held(value) }
    }

    /// The curve of one axis, or its default; a curve that never changes is a held number.
    pub(super) fn new(value: &'a ufbx::AnimValue, axis: usize) -> Self {
        let default = [value.default_value.x, value.default_value.y, value.default_value.z][axis];
        let Some(curve) = value.curves[axis].as_deref() else { return Self::held(default) };
        match curve.keyframes.first() {
            None => Self::held(default),
            Some(first) if is_flat(curve) => Self::held(first.value),
            Some(_) => Self { default, curve: Some(curve), next: 0, span: Span::held(default) },
        }
    }

    pub(super) fn curve(&self) -> Option<&'a ufbx::AnimCurve> {
        self.curve
    }

    /// The value, when nothing changes it.
    pub(super) fn constant(&self) -> Option<f64> {
        self.curve.is_none().then_some(self.default)
    }

    /// Turns to the span that holds the times between `from` and `to`; no key may lie between.
    pub(super) fn open(&mut self, from: f64, to: f64) {
        let Some(curve) = self.curve else { return };
        let keys = &curve.keyframes;
        let middle = 0.5 * (from + to);
        let mut next = self.next.min(keys.len());
        if next > 0 && keys[next - 1].time > middle {
            next = keys.partition_point(|key| key.time <= middle);
        }
        while next < keys.len() && keys[next].time <= middle {
            next += 1;
        }
        self.next = next;
        self.span = match next {
            0 => Span::held(keys[0].value),
            next if next == keys.len() => Span::held(keys[next - 1].value),
            next => Span::between(curve, &keys[next - 1], &keys[next]),
        };
    }

    pub(super) fn span(&self) -> &Span<'a> {
        &self.span
    }
}

fn is_flat(curve: &ufbx::AnimCurve) -> bool {
    let first = curve.keyframes[0].value;
    curve.keyframes.iter().all(|key| {
        let tangents = key.left.dy == 0.0 && key.right.dy == 0.0;
        key.value == first && (tangents || key.interpolation != ufbx::Interpolation::Cubic)
    })
}

impl<'a> Span<'a> {
    fn held(value: f64) -> Self {
        Self { start: 0.0, per_second: 0.0, y: [value; 4], weighted: None }
    }

    fn between(curve: &'a ufbx::AnimCurve, from: &ufbx::Keyframe, to: &ufbx::Keyframe) -> Self {
        let per_second = 1.0 / (to.time - from.time);
        let (first, last) = (from.value, to.value);
        let straight = [first, first + (last - first) / 3.0, last - (last - first) / 3.0, last];
        let (y, weighted) = match from.interpolation {
            ufbx::Interpolation::ConstantPrev => ([first; 4], false),
            ufbx::Interpolation::ConstantNext => ([last; 4], false),
            ufbx::Interpolation::Linear => (straight, false),
            ufbx::Interpolation::Cubic => {
                let y =
                    [first, first + f64::from(from.right.dy), last - f64::from(to.left.dy), last];
                let off = |dx: f32| (f64::from(dx) * per_second - 1.0 / 3.0).abs() > THIRD;
                (y, off(from.right.dx) || off(to.left.dx))
            }
        };
        // Some files have tangents that are no numbers.
        if y == [first; 4] {
            return Self::held(first);
        }
        let good = y.iter().all(|value| value.is_finite());
        let y = if good { y } else { straight };
        let weighted = (weighted && good).then(|| Weighted {
            curve,
            end: to.time,
            handles: [
                f64::from(from.right.dx) * per_second,
                1.0 - f64::from(to.left.dx) * per_second,
            ],
        });
        Self { start: from.time, per_second, y, weighted }
    }

    /// Whether the span is a polynomial, so that `slope` and `bends` may be asked for.
    pub(super) fn is_polynomial(&self) -> bool {
        self.weighted.is_none()
    }

    /// Whether it is one value all along.
    pub(super) fn is_held(&self) -> bool {
        self.per_second == 0.0
    }

    pub(super) fn value(&self, time: f64) -> f64 {
        if self.is_held() {
            return self.y[0];
        }
        let t = (time - self.start) * self.per_second;
        let [a, b, c, d] = self.y;
        if let Some(weighted) = &self.weighted {
            // At the keys and past them the curve is another span's, and ufbx knows which.
            if !(self.start < time && time < weighted.end) {
                return ufbx::evaluate_curve(weighted.curve, time, a);
            }
            let t = parameter(weighted.handles, t);
            let u = 1.0 - t;
            return u * u * u * a + 3.0 * (u * u * t * b + u * (t * t) * c) + t * t * t * d;
        }
        let u = 1.0 - t;
        u * u * (u * a + 3.0 * t * b) + t * t * (3.0 * u * c + t * d)
    }

    /// Per second.
    pub(super) fn slope(&self, time: f64) -> f64 {
        let t = (time - self.start) * self.per_second;
        let u = 1.0 - t;
        let [a, b, c, d] = self.y;
        3.0 * (u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c)) * self.per_second
    }

    /// The most that the first, second and third derivative can be, per part of `length` seconds.
    pub(super) fn bends(&self, length: f64) -> [f64; 3] {
        let share = length * self.per_second;
        let [a, b, c, d] = self.y;
        let first = 3.0 * (b - a).abs().max((c - b).abs()).max((d - c).abs());
        let second = 6.0 * (a - 2.0 * b + c).abs().max((b - 2.0 * c + d).abs());
        let third = 6.0 * (d - 3.0 * c + 3.0 * b - a).abs();
        [first * share, second * share * share, third * share * share * share]
    }
}

/// Adds every moment between `from` and `to` at which a curve has a key, repeats included.
pub(super) fn key_times(curve: &ufbx::AnimCurve, from: f64, to: f64, times: &mut Vec<f64>) {
    let keys = &curve.keyframes;
    let inside = keys.iter().map(|key| key.time).filter(|&time| from < time && time < to);
    // The curves of one property mostly have their keys together.
    if !inside.clone().eq(times.iter().copied()) {
        times.extend(inside);
    }
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return };
    let whole = last.time - first.time;
    if whole <= 0.0 || !whole.is_finite() {
        return;
    }
    let repeats = |extrapolation: &ufbx::Extrapolation, gap: f64| match extrapolation.mode {
        _ if gap <= 0.0 => 0,
        ufbx::ExtrapolationMode::Constant | ufbx::ExtrapolationMode::Slope => 0,
        _ => ((gap / whole).ceil() as usize).min(MAX_REPEATS),
    };
    for round in 1..=repeats(&curve.post_extrapolation, to - last.time) {
        let shift = round as f64 * whole;
        let mirrored = keys.iter().map(|key| first.time + last.time - key.time + shift);
        let moved = keys.iter().map(|key| key.time + shift);
        times.extend(moved.chain(mirrored).filter(|&time| from < time && time < to));
    }
    for round in 1..=repeats(&curve.pre_extrapolation, first.time - from) {
        let shift = round as f64 * whole;
        let mirrored = keys.iter().map(|key| first.time + last.time - key.time - shift);
        let moved = keys.iter().map(|key| key.time - shift);
        times.extend(moved.chain(mirrored).filter(|&time| from < time && time < to));
    }
}

/// A cycle repeated more often than this is no animation.
const MAX_REPEATS: usize = 1000;

/// Whether the curve ends flat wherever it does not reach over the whole of `from` to `to`.
pub(super) fn ends_flat(curve: &ufbx::AnimCurve, from: f64, to: f64) -> bool {
    let constant = |extrapolation: &ufbx::Extrapolation| {
        extrapolation.mode == ufbx::ExtrapolationMode::Constant
    };
    curve.keyframes.len() < 2
        || (constant(&curve.pre_extrapolation) || curve.min_time <= from)
            && (constant(&curve.post_extrapolation) || curve.max_time >= to)
}

/// Whether some key makes the curve jump.
pub(super) fn jumps(curve: &ufbx::AnimCurve) -> bool {
    curve.keyframes.iter().any(|key| {
        matches!(
            key.interpolation,
            ufbx::Interpolation::ConstantPrev | ufbx::Interpolation::ConstantNext
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_of_a_curve_leads_back_to_its_time() {
        for handles in [[1.0 / 3.0, 2.0 / 3.0], [0.1, 0.9], [0.6, 0.5], [0.02, 0.2], [0.7, 0.98]] {
            for share in (1..100).map(|at| f64::from(at) / 100.0) {
                let t = parameter(handles, share);
                let u = 1.0 - t;
                let [first, second] = handles;
                let found = 3.0 * u * u * t * first + 3.0 * u * t * t * second + t * t * t;
                assert!((found - share).abs() < 1e-12, "{handles:?} at {share}: {found}");
            }
        }
    }
}
