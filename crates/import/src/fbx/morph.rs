//! Blend shapes: every shape of every channel is a morph target.
//!
//! In:  channels, each with one shape or a series of them that the channel's weight runs through.
//! Out: targets, and what weight each has when its channel has some weight.
//!
//! Along a series the weight of each shape rises and falls in straight lines, so a channel with
//! shapes in between becomes several targets, of which two at a time are on.

use std::ops::Range;

use glam::Vec3;
use sinew_scene::MorphTarget;

use super::channel::{self, Channel, Drive};
use super::fit::Source;
use super::mesh::Part;
use super::number::vec3;
use crate::door::Context;
use crate::{Error, Place};

/// The targets of a mesh: those of all its deformers' channels.
pub(super) struct Blend<'a> {
    pub(super) channels: Vec<&'a ufbx::BlendChannel>,
    /// Which targets each channel drives.
    targets: Vec<Range<usize>>,
}

impl<'a> Blend<'a> {
    /// `None` when nothing can be blended.
    pub(super) fn of(mesh: &'a ufbx::Mesh) -> Option<Self> {
        let all = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
        let channels: Vec<_> =
            all.map(|channel| &**channel).filter(|channel| !channel.keyframes.is_empty()).collect();
        let mut end = 0;
        let mut targets = Vec::with_capacity(channels.len());
        for channel in &channels {
            targets.push(end..end + channel.keyframes.len());
            end += channel.keyframes.len();
        }
        (end > 0).then_some(Self { channels, targets })
    }

    pub(super) fn count(&self) -> usize {
        self.targets.last().map_or(0, |range| range.end)
    }

    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.count());
        for channel in &self.channels {
            for key in &channel.keyframes {
                let (whole, shape) = (&channel.element.name, &key.shape.element.name);
                names.push(match channel.keyframes.len() {
                    1 if whole.is_empty() => shape.to_string(),
                    1 => whole.to_string(),
                    _ => format!("{whole} ({shape})"),
                });
            }
        }
        names
    }

    /// The weights with which the file is saved.
    pub(super) fn rest(&self) -> Vec<f32> {
        let keys = self.channels.iter().flat_map(|channel| channel.keyframes.iter());
        keys.map(|key| key.effective_weight as f32)
            .map(|w| if w.is_finite() { w } else { 0.0 })
            .collect()
    }

    /// Gives a part the differences of every target.
    pub(super) fn bind(
        &self,
        part: &mut Part,
        points: usize,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let place = Place::part("Geometry: Shape");
        let mut offsets = vec![Vec3::ZERO; points];
        let mut turns = vec![Vec3::ZERO; points];
        for key in self.channels.iter().flat_map(|channel| channel.keyframes.iter()) {
            let shape = &key.shape;
            let (moved, turned) = spread(shape, &mut offsets, &mut turns);
            let mut target = MorphTarget::default();
            if moved {
                context.budget.take(part.points.len(), 12, &place)?;
                target.positions = part.points.iter().map(|&at| offsets[at as usize]).collect();
            }
            if turned && !part.primitive.normals.is_empty() {
                context.budget.take(part.points.len(), 12, &place)?;
                target.normals = part.points.iter().map(|&at| turns[at as usize]).collect();
            }
            part.primitive.morphs.push(target);
            for &point in &shape.offset_vertices {
                if let Some(offset) = offsets.get_mut(point as usize) {
                    *offset = Vec3::ZERO;
                }
                if let Some(turn) = turns.get_mut(point as usize) {
                    *turn = Vec3::ZERO;
                }
            }
        }
        Ok(())
    }
}

/// Writes a shape's sparse offsets into full lists; tells which list got something.
fn spread(shape: &ufbx::BlendShape, offsets: &mut [Vec3], turns: &mut [Vec3]) -> (bool, bool) {
    let (mut moved, mut turned) = (false, false);
    for (at, &point) in shape.offset_vertices.iter().enumerate() {
        let Some(offset) = offsets.get_mut(point as usize) else { continue };
        let weight = shape.offset_weights.get(at).map_or(1.0, |&weight| weight as f32);
        let scaled = |values: &ufbx::List<ufbx::Vec3>| {
            let value = values.get(at).map_or(Vec3::ZERO, |&value| vec3(value) * weight);
            if value.is_finite() { value } else { Vec3::ZERO }
        };
        *offset = scaled(&shape.position_offsets);
        turns[point as usize] = scaled(&shape.normal_offsets);
        moved |= *offset != Vec3::ZERO;
        turned |= turns[point as usize] != Vec3::ZERO;
    }
    (moved, turned)
}

/// What weight each shape of a series has when the channel has `weight`.
fn spread_weight(series: &[ufbx::BlendKeyframe], weight: f64, out: &mut [f64]) {
    out.fill(0.0);
    // `None` is the mesh without any shape, at weight zero.
    let target = |at: Option<usize>| at.map_or(0.0, |at| series[at].target_weight);
    let above = series.iter().rposition(|key| key.target_weight < 0.0).map_or(0, |last| last + 1);
    let (mut from, mut to) = (None, None);
    if weight > 0.0 {
        from = above.checked_sub(1);
        for at in above..series.len() {
            (from, to) = (to, Some(at));
            if series[at].target_weight > weight {
                break;
            }
        }
    } else {
        from = (above < series.len()).then_some(above).or(from);
        for at in (0..above).rev() {
            (from, to) = (to, Some(at));
            if series[at].target_weight < weight {
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

/// What turns a channel up and down in one take.
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
