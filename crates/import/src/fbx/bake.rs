//! One node's motion in one take, as tracks.
//!
//! In:  the curves that drive its local transform, or ufbx where more bears on it than curves.
//! Out: tracks of translation, rotation and scale; none where the node stays at rest.

use glam::{DQuat, DVec3};
use sinew_scene::{Clip, Track};

use super::channel::{self, Channel, Drive};
use super::compose::Composed;
use super::node::{self, Scaling, Tree};
use super::number::dvec3;
use super::source::{Asked, Euler, Vector, Whole};
use crate::fit::{self, Clock, NotFinite, ROTATION_TOLERANCE, Slice};
use crate::open::Context;
use crate::{ImportError, Place};

/// How far off a translation or scale may be, as a part of the model's size.
pub(super) const FINE: f64 = 1e-6;

/// What is baked for one take.
pub(super) struct Bake<'a> {
    pub(super) anim: &'a ufbx::Anim,
    pub(super) tree: &'a Tree,
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) clock: Clock,
    /// The model's size in the file's units.
    pub(super) size: f64,
    /// Tracks that had to be left out.
    pub(super) lost: usize,
    pub(super) clip: Clip,
}

impl<'a> Bake<'a> {
    pub(super) fn node(
        &mut self,
        node: &'a ufbx::Node,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let inherits = !node::inherits_all(node) && self.scale_above_moves(node);
        let driven = self
            .anim
            .layers
            .iter()
            .any(|layer| !ufbx::find_anim_props(layer, &node.element).is_empty());
        if node.is_root || !(driven || inherits || node::is_connected(node)) {
            return Ok(());
        }
        match self.plain(node, inherits) {
            Some([translation, rotation, scale]) => {
                self.plain_translation(node, translation, context)?;
                self.plain_rotation(node, rotation, context)?;
                self.plain_scale(node, scale, context)
            }
            None => self.whole(node, inherits, context),
        }
    }

    fn scale_above_moves(&self, node: &ufbx::Node) -> bool {
        let moves = |node: Option<&ufbx::Node>| {
            node.is_some_and(|node| self.tree.scaling(node) == Scaling::Moves)
        };
        moves(node.parent.as_deref()) || moves(node.inherit_scale_node.as_deref())
    }

    /// The curves of translation, rotation and scale, when nothing else bears on the transform.
    fn plain(
        &self,
        node: &'a ufbx::Node,
        inherits: bool,
    ) -> Option<[Option<&'a ufbx::AnimValue>; 3]> {
        if inherits {
            return None;
        }
        let mut found = [None; 3];
        for (number, name) in node::TRANSFORM.into_iter().enumerate() {
            match channel::drive(self.anim, &node.element, name) {
                Drive::Rest => {}
                Drive::Curves(value) if number < 3 => found[number] = Some(value),
                Drive::Curves(_) | Drive::Mixed => return None,
            }
        }
        let flat = found.iter().flatten().flat_map(|value| value.curves.iter().flatten());
        if !flat.into_iter().all(|curve| channel::ends_flat(curve, self.begin, self.end)) {
            return None;
        }
        // A pivot makes the translation follow the rotation and the scale.
        let pivots = found[1].is_some() || found[2].is_some();
        if pivots && node::has_pivot(node) || found[1].is_some() && node::order_of(node).is_none() {
            return None;
        }
        Some(found)
    }

    /// The moments at which curves have keys, with the take's ends.
    pub(super) fn moments<'c>(
        &self,
        curves: impl Iterator<Item = &'c ufbx::AnimCurve>,
    ) -> Vec<f64> {
        let mut times = Vec::new();
        for curve in curves {
            channel::key_times(curve, self.begin, self.end, &mut times);
        }
        self.in_order(times)
    }

    /// Puts moments inside the take in order, with its ends around them, none so near to the next
    /// that our clock, which keeps single precision, could not keep them apart.
    pub(super) fn in_order(&self, mut times: Vec<f64>) -> Vec<f64> {
        times.push(self.begin);
        times.sort_by(f64::total_cmp);
        let clock = |time: f64| (time - self.begin) as f32;
        times.retain(|&time| time == self.begin || clock(time) < clock(self.end));
        times.dedup_by(|later, earlier| clock(*later) == clock(*earlier));
        times.push(self.end);
        times
    }

    /// Moves moments to where our clock will have them, so that a key's value is that of its time.
    pub(super) fn on_the_clock(&self, mut times: Vec<f64>) -> Vec<f64> {
        for time in &mut times {
            *time = self.begin + f64::from((*time - self.begin) as f32);
        }
        times
    }

    fn tolerance(&self, node: &ufbx::Node) -> f64 {
        // An error in the parent's space is as large in the world as the parent is.
        let parent =
            node.parent.as_deref().map_or(1.0, |parent| node::largest_scale(&parent.node_to_world));
        FINE * self.size / if parent > 0.0 && parent.is_finite() { parent } else { 1.0 }
    }

    fn plain_translation(
        &mut self,
        node: &ufbx::Node,
        value: Option<&'a ufbx::AnimValue>,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let Some(value) = value else { return Ok(()) };
        let rest = ufbx::find_prop(&node.element.props, "Lcl Translation");
        let rest = rest.map_or(DVec3::ZERO, |prop| {
            DVec3::new(prop.value_vec4.x, prop.value_vec4.y, prop.value_vec4.z)
        });
        let (factor, _) = node::inherited(node);
        let mut source = Vector {
            channels: [0, 1, 2].map(|axis| Channel::new(value, axis)),
            factor,
            // Offsets and pivots, as far as they add up to a translation.
            offset: (dvec3(node.local_transform.translation) - rest) * factor,
            tolerance: self.tolerance(node),
        };
        let tolerance = source.tolerance;
        let moments = self.on_the_clock(self.moments(curves_of(&source.channels)));
        let pieces = fit::fit(&mut source, &moments, &self.clock, &mut context.budget)?;
        self.translate(node, Slice { pieces: &pieces, from: 0, width: 3, tolerance });
        Ok(())
    }

    fn plain_rotation(
        &mut self,
        node: &ufbx::Node,
        value: Option<&'a ufbx::AnimValue>,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let (Some(value), Some(order)) = (value, node::order_of(node)) else { return Ok(()) };
        let fixed = |name: &str| match node.use_rotation_space {
            true => node::euler(node, name),
            false => DQuat::IDENTITY,
        };
        let angles = [0, 1, 2].map(|axis| Channel::new(value, axis));
        let moments = self.on_the_clock(self.moments(curves_of(&angles)));
        let mut source = Euler::new(angles, order, ROTATION_TOLERANCE)
            .between(fixed("PreRotation"), fixed("PostRotation").conjugate());
        let pieces = fit::fit(&mut source, &moments, &self.clock, &mut context.budget)?;
        self.rotate(
            node,
            Slice { pieces: &pieces, from: 0, width: 4, tolerance: ROTATION_TOLERANCE },
        );
        Ok(())
    }

    fn plain_scale(
        &mut self,
        node: &ufbx::Node,
        value: Option<&'a ufbx::AnimValue>,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let Some(value) = value else { return Ok(()) };
        let mut source = Vector {
            channels: [0, 1, 2].map(|axis| Channel::new(value, axis)),
            factor: node::inherited(node).1,
            offset: DVec3::ZERO,
            tolerance: FINE,
        };
        let moments = self.on_the_clock(self.moments(curves_of(&source.channels)));
        let pieces = fit::fit(&mut source, &moments, &self.clock, &mut context.budget)?;
        self.scale(node, Slice { pieces: &pieces, from: 0, width: 3, tolerance: FINE });
        Ok(())
    }

    /// The node's transform as a whole: from its curves, or from ufbx where they do not determine it.
    fn whole(
        &mut self,
        node: &'a ufbx::Node,
        inherits: bool,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let curves = self.curves_that_bear_on(node);
        let jumps = curves.iter().any(|curve| channel::jumps(curve));
        let moments = self.moments(curves.iter().copied());
        // A jump must stay on its side of a moment.
        let moments = if jumps { moments } else { self.on_the_clock(moments) };
        // Each moment asks every node above that hands its scale down.
        let chain = if node::inherits_all(node) { 0 } else { node.node_depth as usize };
        context.budget.take(moments.len(), chain.saturating_mul(64), &Place::part("Takes"))?;
        let length = self.tolerance(node);
        let inside = [self.begin, self.end];
        let angle = ROTATION_TOLERANCE;
        let composed = Composed::new(self.anim, node, inherits, (self.begin, self.end));
        let budget = &mut context.budget;
        let pieces = match composed {
            Some(motion) => {
                let mut source = Whole { motion, jumps, length, angle, scale: FINE, inside };
                fit::fit(&mut source, &moments, &self.clock, budget)?
            }
            None => {
                let motion = Asked { anim: self.anim, node };
                let mut source = Whole { motion, jumps, length, angle, scale: FINE, inside };
                fit::fit(&mut source, &moments, &self.clock, budget)?
            }
        };
        self.translate(node, Slice { pieces: &pieces, from: 0, width: 3, tolerance: length });
        self.rotate(node, Slice { pieces: &pieces, from: 3, width: 4, tolerance: angle });
        self.scale(node, Slice { pieces: &pieces, from: 7, width: 3, tolerance: FINE });
        Ok(())
    }

    /// Every curve of this take that can move the node.
    fn curves_that_bear_on(&self, node: &'a ufbx::Node) -> Vec<&'a ufbx::AnimCurve> {
        let mut elements = vec![&node.element];
        let above = [node.parent.as_deref(), node.inherit_scale_node.as_deref()];
        for mut next in above.into_iter().filter(|_| !node::inherits_all(node)) {
            while let Some(node) = next {
                elements.push(&node.element);
                next = if node::inherits_all(node) {
                    None
                } else {
                    node.inherit_scale_node.as_deref()
                };
            }
        }
        let mut curves = Vec::new();
        for layer in &self.anim.layers {
            for element in &elements {
                for prop in ufbx::find_anim_props(layer, element) {
                    curves.extend(prop.anim_value.curves.iter().flatten().map(|curve| &**curve));
                }
            }
            // The layer's own weight.
            for prop in ufbx::find_anim_props(layer, &layer.element) {
                curves.extend(prop.anim_value.curves.iter().flatten().map(|curve| &**curve));
            }
        }
        curves
    }

    fn translate(&mut self, node: &ufbx::Node, slice: Slice<'_>) {
        let Some(seat) = self.tree.seat(node) else { return };
        let joint = seat.unscaled;
        let rest = self.tree.nodes[joint.index()].rest.translation;
        let curve = slice.vectors(&mut self.clock, rest);
        let curve = self.or_lost(curve);
        self.clip.translations.extend(curve.map(|curve| Track { joint, curve }));
    }

    fn scale(&mut self, node: &ufbx::Node, slice: Slice<'_>) {
        let Some(seat) = self.tree.seat(node) else { return };
        let joint = seat.whole;
        let rest = self.tree.nodes[joint.index()].rest.scale;
        let curve = slice.vectors(&mut self.clock, rest);
        let curve = self.or_lost(curve);
        self.clip.scales.extend(curve.map(|curve| Track { joint, curve }));
    }

    fn rotate(&mut self, node: &ufbx::Node, slice: Slice<'_>) {
        let Some(seat) = self.tree.seat(node) else { return };
        let joint = seat.unscaled;
        let rest = self.tree.nodes[joint.index()].rest.rotation;
        let curve = slice.rotations(&mut self.clock, rest);
        let curve = self.or_lost(curve);
        self.clip.rotations.extend(curve.map(|curve| Track { joint, curve }));
    }

    /// Counts a curve that had to be left out.
    pub(super) fn or_lost<T>(&mut self, curve: Result<Option<T>, NotFinite>) -> Option<T> {
        self.lost += usize::from(curve.is_err());
        curve.ok().flatten()
    }
}

fn curves_of<'c, 'a: 'c>(
    channels: &'c [Channel<'a>; 3],
) -> impl Iterator<Item = &'a ufbx::AnimCurve> + 'c {
    channels.iter().filter_map(Channel::curve)
}
