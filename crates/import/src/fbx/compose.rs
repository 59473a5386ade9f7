//! A node's local transform at any time, from curves alone: pivots and layers.
//!
//! In:  the curves that drive a node's translation, rotation and scale, layer by layer.
//! Out: what ufbx's evaluation gives, without its search for properties and keys at every time.
//!
//! Where more bears on the node than that (connected properties, animated pivots, curves that go on
//! after their ends), there is no such motion.
//!
//! What no curve changes between two keys is composed once for all times between them.

use glam::{DQuat, DVec3};

use super::channel::{self, Channel};
use super::node;
use super::number::{dquat, dvec3};
use super::source::{self, Motion};

/// The properties that layers may drive here.
const DRIVEN: [&str; 3] = ["Lcl Translation", "Lcl Rotation", "Lcl Scaling"];

/// The motion of one node in one take.
pub(super) struct Composed<'a> {
    layers: Vec<Layer<'a>>,
    /// Translation, angles and scale where no layer says otherwise.
    rest: [DVec3; 3],
    order: ufbx::RotationOrder,
    /// The order in which layers add up angles.
    layer_order: ufbx::RotationOrder,
    before: DQuat,
    after: DQuat,
    scaling_pivot: DVec3,
    /// What is rotated about the rotation pivot: pivots and offsets of the scale, less that pivot.
    pivoted: DVec3,
    /// What is added after the rotation.
    offset: DVec3,
    /// What the scales of nodes above do to translation and scale.
    inherited: Inherited<'a>,
    /// Translation, rotation and scale of the layers, where nothing changes them in what was opened.
    held: (Option<DVec3>, Option<DQuat>, Option<DVec3>),
}

/// The scales of nodes above, for a node that does not inherit all.
enum Inherited<'a> {
    Fixed(DVec3, DVec3),
    /// The nodes whose scales multiply the translation, and those that multiply the scale.
    Moving(Vec<Composed<'a>>, Vec<Composed<'a>>),
}

/// One layer's say in a node's motion.
struct Layer<'a> {
    blend: Blend,
    /// Rotations are added up as such, not angle by angle.
    composes_rotation: bool,
    /// Scales are multiplied, not added.
    composes_scale: bool,
    weight: f64,
    /// In percent, when the take changes it.
    weight_channel: Option<Channel<'a>>,
    driven: [Option<[Channel<'a>; 3]>; 3],
}

#[derive(Clone, Copy, PartialEq)]
enum Blend {
    Replace,
    Add,
    Mix,
}

/// A rotation while layers add to it: angles in degrees, or what layers made of them.
#[derive(Clone, Copy)]
enum Rotation {
    Angles(DVec3),
    Quaternion(ufbx::Quat),
}

impl<'a> Composed<'a> {
    /// The node's motion between two times, or `None` when curves alone do not determine it. `inherits` says
    /// whether a scale above the node changes.
    pub(super) fn new(
        anim: &'a ufbx::Anim,
        node: &'a ufbx::Node,
        inherits: bool,
        (begin, end): (f64, f64),
    ) -> Option<Self> {
        node::order_of(node)?;
        if node::is_connected(node) || !anim.override_layer_weights.is_empty() {
            return None;
        }
        let mut layers = Vec::new();
        for (number, layer) in anim.layers.iter().enumerate() {
            let props = ufbx::find_anim_props(layer, &node.element);
            let other = |prop: &ufbx::AnimProp| node::TRANSFORM[3..].contains(&&*prop.prop_name);
            if props.iter().any(other) {
                return None;
            }
            layers.extend(Layer::new(layer, number, node));
        }
        let flat = |channel: &Channel<'_>| {
            channel.curve().is_none_or(|curve| channel::ends_flat(curve, begin, end))
        };
        if !layers.iter_mut().all(|layer| layer.channels().all(|channel| flat(channel))) {
            return None;
        }
        let free = !node.use_rotation_space;
        let order = if free { ufbx::RotationOrder::Xyz } else { node.rotation_order };
        let fixed = |name| if free { DQuat::IDENTITY } else { node::euler(node, name) };
        let value = |name: &str, without: f64| vector(node, name).unwrap_or(DVec3::splat(without));
        let scaling_pivot = value("ScalingPivot", 0.0);
        let rotation_pivot = value("RotationPivot", 0.0);
        let composes =
            layers.iter().any(|layer| layer.composes_rotation && layer.blend != Blend::Replace);
        Some(Self {
            layers,
            rest: [value(DRIVEN[0], 0.0), value(DRIVEN[1], 0.0), value(DRIVEN[2], 1.0)],
            order,
            layer_order: if composes { node.rotation_order } else { ufbx::RotationOrder::Xyz },
            before: fixed("PreRotation"),
            after: fixed("PostRotation").conjugate(),
            scaling_pivot,
            pivoted: scaling_pivot + value("ScalingOffset", 0.0) - rotation_pivot,
            offset: rotation_pivot + value("RotationOffset", 0.0),
            inherited: match inherits {
                false => {
                    let (translation, scale) = node::inherited(node);
                    Inherited::Fixed(translation, scale)
                }
                true => Inherited::Moving(
                    scales(anim, node.parent.as_deref(), (begin, end))?,
                    scales(anim, node.inherit_scale_node.as_deref(), (begin, end))?,
                ),
            },
            held: (None, None, None),
        })
    }

    /// Whether nothing changes one of translation, rotation and scale in what was opened.
    fn is_held(&self, which: usize) -> bool {
        let mut drivers = self.layers.iter().filter_map(|layer| {
            let channels = layer.driven[which].as_ref()?;
            Some(channels.iter().chain(&layer.weight_channel))
        });
        drivers.all(|mut channels| channels.all(|channel| channel.span().is_held()))
    }

    /// One of translation and scale, as the layers make it.
    fn vector(&self, which: usize, time: f64) -> DVec3 {
        let mut sum = self.rest[which];
        for layer in &self.layers {
            let Some(value) = layer.value(which, time) else { continue };
            let weight = layer.weight(time);
            sum = match which {
                2 => layer.scale(sum, value, weight),
                _ => layer.add(sum, value, weight),
            };
        }
        sum
    }

    /// The rotation as the layers make it, with those that never change around it.
    fn rotation(&self, time: f64) -> DQuat {
        let mut rotation = Rotation::Angles(self.rest[1]);
        for layer in &self.layers {
            if let Some(value) = layer.value(1, time) {
                rotation = layer.rotate(rotation, value, layer.weight(time), self.layer_order);
            }
        }
        let rotation = match rotation {
            Rotation::Quaternion(sum) if self.order == self.layer_order => sum,
            other => quaternion(other.angles(self.layer_order), self.order),
        };
        self.before * dquat(rotation) * self.after
    }

    fn scale(&self, time: f64) -> DVec3 {
        self.held.2.unwrap_or_else(|| self.vector(2, time))
    }
}

/// The node and all that it inherits its scale from; none where there is no node.
fn scales<'a>(
    anim: &'a ufbx::Anim,
    node: Option<&'a ufbx::Node>,
    span: (f64, f64),
) -> Option<Vec<Composed<'a>>> {
    let mut all = Vec::new();
    let mut next = node;
    while let Some(node) = next {
        all.push(Composed::new(anim, node, false, span)?);
        next = if node::inherits_all(node) { None } else { node.inherit_scale_node.as_deref() };
    }
    Some(all)
}

fn vector(node: &ufbx::Node, name: &str) -> Option<DVec3> {
    let value = ufbx::find_prop(&node.element.props, name)?.value_vec4;
    Some(DVec3::new(value.x, value.y, value.z))
}

impl<'a> Layer<'a> {
    /// What a layer says about the node; `None` when that is nothing.
    fn new(layer: &'a ufbx::AnimLayer, number: usize, node: &'a ufbx::Node) -> Option<Self> {
        let driven = DRIVEN.map(|name| {
            let prop = ufbx::find_anim_prop(layer, &node.element, name)?;
            Some([0, 1, 2].map(|axis| Channel::new(&prop.anim_value, axis)))
        });
        driven.iter().any(Option::is_some).then_some(())?;
        let own = ufbx::find_anim_props(layer, &layer.element).first();
        let animated = own.filter(|_| layer.weight_is_animated && layer.blended);
        Some(Self {
            blend: match (number, layer.additive, layer.blended) {
                (0, ..) | (_, false, false) => Blend::Replace,
                (_, true, _) => Blend::Add,
                (_, false, true) => Blend::Mix,
            },
            composes_rotation: layer.compose_rotation,
            composes_scale: layer.compose_scale,
            weight: layer.weight,
            weight_channel: animated.map(|prop| Channel::new(&prop.anim_value, 0)),
            driven,
        })
    }

    fn channels(&mut self) -> impl Iterator<Item = &mut Channel<'a>> {
        self.driven.iter_mut().flatten().flatten().chain(self.weight_channel.as_mut())
    }

    fn value(&self, which: usize, time: f64) -> Option<DVec3> {
        let [x, y, z] = self.driven[which].as_ref()?;
        Some(DVec3::new(x.span().value(time), y.span().value(time), z.span().value(time)))
    }

    fn weight(&self, time: f64) -> f64 {
        match &self.weight_channel {
            // As ufbx has it: nearly all is all.
            Some(channel) => match channel.span().value(time) / 100.0 {
                weight if weight > 0.99999 => 1.0,
                weight => weight.max(0.0),
            },
            None => self.weight,
        }
    }

    fn add(&self, sum: DVec3, value: DVec3, weight: f64) -> DVec3 {
        match self.blend {
            Blend::Replace => value,
            Blend::Add => sum + value * weight,
            Blend::Mix => sum * (1.0 - weight) + value * weight,
        }
    }

    fn scale(&self, scale: DVec3, value: DVec3, weight: f64) -> DVec3 {
        match self.blend {
            Blend::Add if self.composes_scale => scale * power(value, weight),
            Blend::Mix if self.composes_scale => power(scale, 1.0 - weight) * power(value, weight),
            _ => self.add(scale, value, weight),
        }
    }

    fn rotate(
        &self,
        rotation: Rotation,
        angles: DVec3,
        weight: f64,
        order: ufbx::RotationOrder,
    ) -> Rotation {
        if self.blend == Blend::Replace || !self.composes_rotation {
            return Rotation::Angles(self.add(rotation.angles(order), angles, weight));
        }
        let value = quaternion(angles, order);
        let sum = rotation.quaternion(order);
        let identity = ufbx::Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        Rotation::Quaternion(match self.blend {
            Blend::Add => ufbx::quat_mul(sum, ufbx::quat_slerp(identity, value, weight)),
            _ => ufbx::quat_slerp(sum, value, weight),
        })
    }
}

/// Each component to a power, its sign kept; a power of one or more leaves it.
fn power(value: DVec3, exponent: f64) -> DVec3 {
    match exponent {
        none if none <= 0.0 => DVec3::ONE,
        all if all >= 1.0 => value,
        part => value.map(|number| match number {
            1.0 => 1.0,
            number => number.abs().powf(part).copysign(number),
        }),
    }
}

fn quaternion(angles: DVec3, order: ufbx::RotationOrder) -> ufbx::Quat {
    match source::order(order) {
        Some(order) => {
            let DQuat { x, y, z, w } = source::of_angles(angles, order);
            ufbx::Quat { x, y, z, w }
        }
        None => ufbx::euler_to_quat(ufbx::Vec3 { x: angles.x, y: angles.y, z: angles.z }, order),
    }
}

impl Rotation {
    fn angles(self, order: ufbx::RotationOrder) -> DVec3 {
        match self {
            Self::Angles(angles) => angles,
            Self::Quaternion(sum) => dvec3(ufbx::quat_to_euler(sum, order)),
        }
    }

    fn quaternion(self, order: ufbx::RotationOrder) -> ufbx::Quat {
        match self {
            Self::Angles(angles) => quaternion(angles, order),
            Self::Quaternion(sum) => sum,
        }
    }
}

impl Motion for Composed<'_> {
    fn open(&mut self, from: f64, to: f64) {
        let channels = self.layers.iter_mut().flat_map(Layer::channels);
        channels.for_each(|channel| channel.open(from, to));
        self.held = (
            self.is_held(0).then(|| self.vector(0, from)),
            self.is_held(1).then(|| self.rotation(from)),
            self.is_held(2).then(|| self.vector(2, from)),
        );
        if let Inherited::Moving(translation, scale) = &mut self.inherited {
            translation.iter_mut().chain(scale).for_each(|above| above.open(from, to));
        }
    }

    fn at(&mut self, time: f64) -> (DVec3, DQuat, DVec3) {
        let translation = self.held.0.unwrap_or_else(|| self.vector(0, time));
        let rotation = self.held.1.unwrap_or_else(|| self.rotation(time));
        let scale = self.scale(time);
        let pivoted = rotation * (self.pivoted - scale * self.scaling_pivot);
        let (translate_by, scale_by) = match &self.inherited {
            Inherited::Fixed(translation, scale) => (*translation, *scale),
            Inherited::Moving(translation, scale) => {
                let product =
                    |all: &[Composed<'_>]| all.iter().map(|above| above.scale(time)).product();
                (product(translation), product(scale))
            }
        };
        ((translation + self.offset + pivoted) * translate_by, rotation, scale * scale_by)
    }
}
