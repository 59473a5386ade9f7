//! Takes: every animation stack of the file is a clip.
//!
//! In:  curves of Euler angles and other properties, on layers.
//! Out: tracks of translations, unit quaternions and scales that follow ufbx's own evaluation.
//!
//! Keys lie where the file's curves have theirs. Between them a cubic is fitted, and cut in half
//! until it follows; so a rotation by more than half a circle goes where the file says.

use sinew_scene::{
    AnimatedProperty, Clip, InstanceId, Interpolation, Property, PropertyId, PropertyTrack, Rows,
    WeightTrack,
};

use super::bake::{Bake, FINE};
use super::channel;
use super::morph::Blend;
use super::node::{self, Tree};
use super::scenery::Scenery;
use super::weights::Weights;
use crate::fit::{self, Clock, Slice};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

pub(super) fn clips(
    scene: &ufbx::Scene,
    tree: &Tree,
    scenery: &mut Scenery<'_>,
    size: f64,
    context: &mut Context<'_>,
) -> Result<Vec<Clip>, ImportError> {
    let mut clips = Vec::with_capacity(scene.anim_stacks.len());
    let mut others = 0;
    for stack in &scene.anim_stacks {
        let place = Place::part(format!("take \"{}\"", stack.element.name));
        let (begin, end) = span(stack, &place, context);
        let mut bake = Bake {
            anim: &stack.anim,
            tree,
            begin,
            end,
            clock: Clock::new(begin),
            size,
            lost: 0,
            clip: Clip {
                name: stack.element.name.to_string(),
                start: begin,
                duration: (end - begin) as f32,
                ..Clip::default()
            },
        };
        for node in &scene.nodes {
            bake.node(node, context)?;
        }
        for (instance, blend) in &scenery.blends {
            bake.weights(*instance, blend, context)?;
        }
        for node in &scene.nodes {
            bake.visibility(node, &mut scenery.properties);
        }
        count_others(stack, &mut others);
        if stack.layers.iter().all(|layer| layer.anim_props.is_empty()) {
            context.notes.add_as(NoteCode::TakeEmpty, place.clone(), "a take animates nothing");
        }
        for _ in 0..bake.lost {
            context.notes.add_as(
                NoteCode::NotFinite,
                place.clone(),
                "a track has numbers that are not finite; it is left out",
            );
        }
        clips.push(bake.clip);
    }
    if others > 0 {
        let text =
            format!("{others} animated values of lights, cameras and materials are left out");
        context.notes.add(Place::Whole, text);
    }
    Ok(clips)
}

/// Beyond this many seconds a clip's clock, which keeps single precision, is coarser than half a
/// millisecond.
const LONG: f64 = 4096.0;

/// From when to when a take plays. One without a length plays from its first key to its last, and
/// so does one that is longer than a clock can follow.
fn span(stack: &ufbx::AnimStack, place: &Place, context: &mut Context<'_>) -> (f64, f64) {
    let (begin, end) = (stack.time_begin, stack.time_end);
    if begin.is_finite() && end.is_finite() && end > begin {
        return if end - begin > LONG { moving(stack, place, context) } else { (begin, end) };
    }
    if let Some(all) = keyed(stack) {
        let text = "a take has no length; that of its curves is taken";
        context.notes.add_as(NoteCode::TakeWithoutSpan, place.clone(), text);
        return all;
    }
    let begin = if begin.is_finite() { begin } else { 0.0 };
    (begin, begin)
}

/// The part of a take in which something moves, when nothing does before and after it.
fn moving(stack: &ufbx::AnimStack, place: &Place, context: &mut Context<'_>) -> (f64, f64) {
    let (begin, end) = (stack.time_begin, stack.time_end);
    let Some((first, last)) = keyed(stack) else { return (begin, end) };
    let (first, last) = (first.max(begin), last.min(end));
    let still = curves(stack).all(|curve| channel::ends_flat(curve, begin, end));
    if !(still && last > first && last - first < end - begin) {
        return (begin, end);
    }
    let note = format!(
        "a take of {:.0} s moves only from {first:.3} s to {last:.3} s; that is the clip",
        end - begin
    );
    context.notes.add(place.clone(), note);
    (first, last)
}

fn curves(stack: &ufbx::AnimStack) -> impl Iterator<Item = &ufbx::AnimCurve> {
    let values = stack.layers.iter().flat_map(|layer| layer.anim_values.iter());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    curves.map(|curve| &**curve).filter(|curve| !curve.keyframes.is_empty())
}

/// From the first key of any curve to the last, when that takes time.
fn keyed(stack: &ufbx::AnimStack) -> Option<(f64, f64)> {
    let all = curves(stack).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), curve| {
        (low.min(curve.min_time), high.max(curve.max_time))
    });
    (all.0.is_finite() && all.1.is_finite() && all.1 > all.0).then_some(all)
}

/// Counts what takes drive that no track of ours speaks of.
fn count_others(stack: &ufbx::AnimStack, others: &mut usize) {
    for prop in stack.layers.iter().flat_map(|layer| layer.anim_props.iter()) {
        let is_other = matches!(
            prop.element.type_,
            ufbx::ElementType::Light
                | ufbx::ElementType::Camera
                | ufbx::ElementType::Material
                | ufbx::ElementType::Texture
        );
        *others += usize::from(is_other);
    }
}

impl Bake<'_> {
    fn weights(
        &mut self,
        instance: InstanceId,
        blend: &Blend<'_>,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let span = (self.begin, self.end);
        let Some(mut source) = Weights::new(self.anim, blend, span, FINE) else { return Ok(()) };
        let mut moments = self.moments(source.curves().into_iter());
        source.add_corners(&mut moments);
        let moments = self.in_order(moments);
        let pieces = fit::fit(&mut source, &moments, &self.clock, &mut context.budget)?;
        let slice = Slice { pieces: &pieces, from: 0, width: blend.count(), tolerance: FINE };
        let rows = slice.rows(&mut self.clock, &blend.rest());
        let rows = self.or_lost(rows);
        self.clip.weights.extend(rows.map(|rows| WeightTrack { instance, rows }));
        Ok(())
    }

    /// Steps between shown and hidden.
    fn visibility(&mut self, node: &ufbx::Node, properties: &mut Vec<AnimatedProperty>) {
        let Some(seat) = self.tree.seat(node) else { return };
        let layers = self.anim.layers.iter();
        let props =
            layers.filter_map(|layer| ufbx::find_anim_prop(layer, &node.element, "Visibility"));
        let values: Vec<_> = props.map(|prop| &prop.anim_value).collect();
        if values.is_empty() {
            return;
        }
        let curves = values.iter().filter_map(|value| value.curves[0].as_deref());
        let moments = self.moments(curves);
        let (mut times, mut shown) = (Vec::new(), Vec::new());
        for pair in moments.windows(2) {
            let middle = 0.5 * (pair[0] + pair[1]);
            let prop = ufbx::evaluate_prop(self.anim, &node.element, "Visibility", middle);
            let now = if prop.value_int != 0 { 1.0 } else { 0.0 };
            if shown.last() != Some(&now) {
                times.push((pair[0] - self.begin) as f32);
                shown.push(now);
            }
        }
        let rest = if node::is_visible(node) { 1.0 } else { 0.0 };
        if shown == [rest] {
            return;
        }
        let property = Property::Visible(seat.whole);
        let number = properties.iter().position(|known| known.property == property);
        let number = number.unwrap_or_else(|| {
            properties.push(AnimatedProperty { property, rest: [rest, 0.0, 0.0, 0.0] });
            properties.len() - 1
        });
        if let Ok(rows) = Rows::new(times, shown, 1, Interpolation::Step) {
            let property = PropertyId::new(number);
            self.clip.properties.push(PropertyTrack { property, rows });
        }
    }
}
