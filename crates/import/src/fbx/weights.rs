//! The weights of a mesh's morph targets in one take.
//!
//! In:  the percent of each channel over time.
//! Out: the weight of each target, as [`fit`](crate::fit) asks for it.
//!
//! Along a channel's series of shapes the weight of each rises and falls in straight lines, so a
//! channel with shapes in between drives several targets, of which two at a time are on.

use super::channel::{self, Channel, Drive};
use super::morph::Blend;
use crate::fit::Source;

/// What weight each shape of a series has when the channel has `weight`.
fn spread_weight(series: &[ufbx::BlendKeyframe], weight: f64, out: &mut [f64]) {
    out.fill(0.0);
    // `None` is the mesh without any shape, at weight zero.
    let target = |at: Option<usize>| at.map_or(0.0, |at| series[at].target_weight);
    let above = series.iter().rposition(|key| key.target_weight < 0.0).map_or(0, |last| last + 1);
    let (mut from, mut to) = (None, None);
    if weight > 0.0 {
        from = above.checked_sub(1);
        for (at, key) in series.iter().enumerate().skip(above) {
            (from, to) = (to, Some(at));
            if key.target_weight > weight {
                break;
            }
        }
    } else {
        from = (above < series.len()).then_some(above).or(from);
        for (at, key) in series.iter().enumerate().take(above).rev() {
            (from, to) = (to, Some(at));
            if key.target_weight < weight {
                break;
            }
        }
    }
    let length = target(to) - target(from);
    if length == 0.0 {
        return;
    }
    let share = (weight - target(from)) / length;
    if let Some(from) = from {
        out[from] = 1.0 - share;
    }
    if let Some(to) = to {
        out[to] = share;
    }
}

/// What drives a channel in one take.
enum Knob<'a> {
    Curve(Channel<'a>),
    /// Layers, a connection or a cycle: ufbx is asked.
    Asked(&'a ufbx::BlendChannel),
}

/// All weights of a mesh over time.
pub(super) struct Weights<'a> {
    anim: &'a ufbx::Anim,
    blend: &'a Blend<'a>,
    knobs: Vec<Knob<'a>>,
    tolerance: f64,
    inside: [f64; 2],
    jumps: bool,
}

impl<'a> Weights<'a> {
    /// `None` when the take leaves all of them alone.
    pub(super) fn new(
        anim: &'a ufbx::Anim,
        blend: &'a Blend<'a>,
        (begin, end): (f64, f64),
        tolerance: f64,
    ) -> Option<Self> {
        let mut driven = false;
        let mut jumps = false;
        let mut knobs = Vec::with_capacity(blend.channels.len());
        for &channel in &blend.channels {
            knobs.push(match channel::drive(anim, &channel.element, "DeformPercent") {
                Drive::Rest => Knob::Curve(Channel::held(channel.weight * 100.0)),
                Drive::Curves(value) => {
                    driven = true;
                    let curve = Channel::new(value, 0);
                    let flat =
                        curve.curve().is_none_or(|curve| channel::ends_flat(curve, begin, end));
                    if flat { Knob::Curve(curve) } else { Knob::Asked(channel) }
                }
                Drive::Mixed => {
                    driven = true;
                    jumps = true;
                    Knob::Asked(channel)
                }
            });
        }
        let inside = [begin, end];
        driven.then_some(Self { anim, blend, knobs, tolerance, inside, jumps })
    }

    fn weight(&self, number: usize, time: f64) -> f64 {
        match &self.knobs[number] {
            Knob::Curve(channel) => channel.span().value(time) * 0.01,
            Knob::Asked(channel) => {
                let time = time.clamp(self.inside[0], self.inside[1]);
                ufbx::evaluate_blend_weight(self.anim, channel, time)
            }
        }
    }

    /// Every curve that bears on a weight.
    pub(super) fn curves(&self) -> Vec<&'a ufbx::AnimCurve> {
        let mut curves = Vec::new();
        for layer in &self.anim.layers {
            let weight = ufbx::find_anim_props(layer, &layer.element).iter();
            let channels = self.blend.channels.iter();
            let props = channels.flat_map(|channel| ufbx::find_anim_props(layer, &channel.element));
            for prop in props.chain(weight) {
                curves.extend(prop.anim_value.curves.iter().flatten().map(|curve| &**curve));
            }
        }
        curves
    }

    /// Adds the moments at which a channel's weight passes one of its shapes: there its targets
    /// have corners.
    pub(super) fn add_corners(&mut self, moments: &mut Vec<f64>) {
        let before = moments.clone();
        for pair in before.windows(2) {
            self.open(pair[0], pair[1]);
            for number in 0..self.knobs.len() {
                let series = &self.blend.channels[number].keyframes;
                if series.len() < 2 {
                    continue;
                }
                for level in series.iter().map(|key| key.target_weight).chain([0.0]) {
                    self.crossings(number, level, pair[0], pair[1], moments);
                }
            }
        }
    }

    fn crossings(&self, number: usize, level: f64, from: f64, to: f64, out: &mut Vec<f64>) {
        const PROBES: usize = 12;
        let above = |time: f64| self.weight(number, time) > level;
        let probe = |at: usize| from + (to - from) * (at as f64 / PROBES as f64);
        for at in 0..PROBES {
            let (mut low, mut high) = (probe(at), probe(at + 1));
            let first = above(low);
            if first == above(high) {
                continue;
            }
            for _ in 0..48 {
                let middle = 0.5 * (low + high);
                if above(middle) == first { low = middle } else { high = middle }
            }
            if from < low && low < to {
                out.push(low);
            }
        }
    }
}

impl Source for Weights<'_> {
    fn width(&self) -> usize {
        self.blend.count()
    }

    fn open(&mut self, from: f64, to: f64) {
        let margin = if self.jumps { (to - from) * 1e-7 } else { 0.0 };
        self.inside = [from + margin, to - margin];
        for knob in &mut self.knobs {
            if let Knob::Curve(channel) = knob {
                channel.open(from, to);
            }
        }
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        for number in 0..self.knobs.len() {
            let weight = self.weight(number, time);
            let series = &self.blend.channels[number].keyframes;
            spread_weight(series, weight, &mut out[self.blend.targets[number].clone()]);
        }
    }

    /// Exact where every channel has one shape and a polynomial for its weight.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        let width = self.width();
        let simple = self.knobs.iter().zip(&self.blend.channels).all(|(knob, channel)| {
            let polynomial = matches!(knob, Knob::Curve(curve) if curve.span().is_polynomial());
            polynomial && channel.keyframes.len() == 1
        });
        if !simple {
            return None;
        }
        self.value(from, &mut piece[..width]);
        self.value(to, &mut piece[3 * width..]);
        for (number, knob) in self.knobs.iter().enumerate() {
            let Knob::Curve(channel) = knob else { return None };
            let at = self.blend.targets[number].start;
            let target = self.blend.channels[number].keyframes[0].target_weight;
            let rate = if target == 0.0 { 0.0 } else { 0.01 * (to - from) / target };
            piece[width + at] = channel.span().slope(from) * rate;
            piece[2 * width + at] = channel.span().slope(to) * rate;
        }
        Some(0.0)
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / self.tolerance
    }
}
