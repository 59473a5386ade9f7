//! Clips: channels and samplers, with keys as filed.
//!
//! In:  a clip. Out: an animation of the document; markers, and what glTF has no member for, are in its `extras`.
//!
//! Times that several tracks share are written once, and so are samplers. A clip that is longer than its keys gets one more key
//! at its end, which holds what is there, so that every program plays it to the end.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, Marker, Property, Rows, Scene, Track};

use super::buffer::Buffers;
use super::elements::{Elements, Use};
use super::exact::{snorm16, unorm16};
use super::extension::{ANIMATION_POINTER, Extensions};
use super::json::{Object, ToJson};
use super::keys::{Keys, SAMPLED_ERROR};
use super::layout::Layout;
use super::note::Notes;
use super::precision::rounded_snorm16;
use super::property::pointer;

pub(super) struct Clips<'a, 's> {
    pub(super) scene: &'a Scene,
    pub(super) layout: &'a Layout,
    pub(super) buffers: &'a mut Buffers<'s>,
    pub(super) extensions: &'a mut Extensions,
    pub(super) notes: &'a mut Notes,
    /// Whether rotation keys may be rounded to 16 bits.
    pub(super) rounded: bool,
}

/// What a channel drives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Target {
    Node(usize, &'static str),
    Pointer(String),
}

impl Target {
    fn to_object(&self) -> Object {
        match self {
            Self::Node(node, path) => Object::new().with("node", *node).with("path", *path),
            Self::Pointer(pointer) => {
                let pointer = Object::new().with("pointer", pointer.as_str());
                Object::new().with("path", "pointer").extension(ANIMATION_POINTER, pointer)
            }
        }
    }
}

/// A track on its way to a channel.
struct Channel {
    target: Target,
    keys: Keys,
    /// Values are yes or no.
    switch: bool,
}

/// A difference in length up to this many seconds is not worth a key.
const SAME_LENGTH: f32 = 1e-4;

impl Clips<'_, '_> {
    /// The animation, or nothing for a clip that cannot be one.
    pub(super) fn write(&mut self, clip: &Clip) -> Option<Object> {
        let mut channels = self.channels(clip);
        if channels.is_empty() {
            let mut nodes = self.layout.nodes.iter().enumerate();
            let Some((at, node)) = nodes.find(|(_, node)| node.skin.is_none()) else {
                let text = format!("the clip \"{}\" drives nothing: it is left out", clip.name);
                self.notes.add(text);
                return None;
            };
            channels.push(still(at, node.place.translation));
        }
        let end = |channels: &[Channel]| {
            let last = channels.iter().filter_map(|channel| channel.keys.times.last().copied());
            last.fold(0.0, f32::max)
        };
        if clip.duration - end(&channels) > SAME_LENGTH {
            let shortest = channels.iter_mut().min_by_key(|channel| channel.keys.times.len());
            if let Some(channel) = shortest {
                channel.keys = channel.keys.clone().held_to(clip.duration);
            }
        }
        let last = end(&channels);
        if last - clip.duration > SAME_LENGTH {
            self.notes.add(format!(
                "the clip \"{}\" ends at {} s and has keys up to {last} s: other programs play to the last",
                clip.name, clip.duration
            ));
        }
        let (channels, samplers) = self.listed(channels);
        Some(
            Object::new()
                .filled("name", clip.name.as_str())
                .with("channels", channels)
                .with("samplers", samplers)
                .filled("extras", extras(clip, last)),
        )
    }

    fn channels(&mut self, clip: &Clip) -> Vec<Channel> {
        let mut all = Vec::with_capacity(clip.track_count());
        let node = |joint: sinew_scene::JointId, path| Target::Node(joint.index(), path);
        for track in &clip.translations {
            self.add(node(track.joint, "translation"), vectors(track), &mut all);
        }
        for track in &clip.rotations {
            self.add(node(track.joint, "rotation"), rotations(&track.curve), &mut all);
        }
        for track in &clip.scales {
            self.add(node(track.joint, "scale"), vectors(track), &mut all);
        }
        for track in &clip.weights {
            let carrier = self.layout.carriers[track.instance.index()];
            if self.layout.nodes[carrier].mesh.is_some() {
                self.add(Target::Node(carrier, "weights"), rows(&track.rows), &mut all);
            }
        }
        for track in &clip.properties {
            let property = self.scene[track.property].property;
            let Some(pointer) = pointer(self.scene, property) else {
                self.notes.add("a track drives a value that the document has no place for");
                continue;
            };
            self.extensions.add(ANIMATION_POINTER);
            let mut keys = rows(&track.rows);
            if pointer.factor != 1.0 {
                keys.values.iter_mut().for_each(|value| *value *= pointer.factor);
            }
            let switch = matches!(property, Property::Visible(_));
            if switch {
                keys = switched(keys);
            }
            self.add(Target::Pointer(pointer.path), keys, &mut all);
            if let (true, Some(last)) = (switch, all.last_mut()) {
                last.switch = true;
            }
        }
        self.distinct(all)
    }

    fn add(&mut self, target: Target, keys: Keys, all: &mut Vec<Channel>) {
        let (keys, sampled) = keys.sayable();
        if sampled {
            self.notes.add(format!(
                "a cubic rotation begins before its clip: it is sampled, to {SAMPLED_ERROR} of a quaternion's numbers"
            ));
        }
        all.push(Channel { target, keys, switch: false });
    }

    /// Of tracks that drive the same, the last one counts.
    fn distinct(&mut self, all: Vec<Channel>) -> Vec<Channel> {
        let last: HashMap<Target, usize> =
            all.iter().enumerate().map(|(at, channel)| (channel.target.clone(), at)).collect();
        if last.len() < all.len() {
            self.notes.add("two tracks of a clip drive the same: the last one counts");
        }
        let kept = all.into_iter().enumerate().filter(|(at, channel)| last[&channel.target] == *at);
        kept.map(|(_, channel)| channel).collect()
    }

    fn listed(&mut self, channels: Vec<Channel>) -> (Vec<Object>, Vec<Object>) {
        let mut samplers: Vec<Object> = Vec::new();
        let mut known: HashMap<(usize, usize, &str), usize> = HashMap::new();
        let mut listed = Vec::with_capacity(channels.len());
        let mut inputs: HashMap<Vec<u32>, usize> = HashMap::new();
        for channel in channels {
            let Channel { target, keys, switch } = channel;
            // Most tracks have the times of another.
            let bits = keys.times.iter().map(|time| time.to_bits()).collect();
            let input = *inputs.entry(bits).or_insert_with(|| {
                let times = Elements::floats(Use::Times, 1, &keys.times).bounded(&keys.times);
                self.buffers.add(times)
            });
            let width = if target_is_weights(&target) { 1 } else { keys.width };
            let output = match switch {
                true => {
                    let bytes = keys.values.iter().map(|&value| u8::from(value > 0.0)).collect();
                    Elements::bytes(Use::Values, 1, bytes)
                }
                false => self.values(&keys, width),
            };
            let output = self.buffers.add(output);
            let interpolation = match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::Cubic => "CUBICSPLINE",
            };
            let sampler = *known.entry((input, output, interpolation)).or_insert_with(|| {
                samplers.push(Object::new().with("input", input).with("output", output).unless(
                    "interpolation",
                    interpolation,
                    "LINEAR",
                ));
                samplers.len() - 1
            });
            listed.push(Object::new().with("sampler", sampler).with("target", target.to_object()));
        }
        (listed, samplers)
    }

    /// Rotations and morph weights in fewer bytes where that loses nothing, or where the person asked for it; glTF has all other
    /// values in floats.
    fn values(&self, keys: &Keys, width: usize) -> Elements<'static> {
        let rounded = self.rounded && !keys.has_half_turn();
        let exact_or_rounded = |values: &[f32]| {
            snorm16(values).or_else(|| if rounded { rounded_snorm16(values) } else { None })
        };
        let shorts = if keys.rotation && keys.interpolation != Interpolation::Cubic {
            exact_or_rounded(&keys.values)
                .map(|shorts| Elements::signed_shorts(Use::Values, width, &shorts))
        } else if width == 1 && keys.width > 1 {
            unorm16(&keys.values).map(|shorts| Elements::shorts(Use::Values, width, &shorts))
        } else {
            None
        };
        match shorts {
            Some(shorts) => shorts.normalized(),
            None => Elements::floats(Use::Values, width, &keys.values),
        }
    }
}

fn target_is_weights(target: &Target) -> bool {
    matches!(target, Target::Node(_, "weights"))
}

/// For a clip without tracks: a node that stays where it is.
fn still(node: usize, translation: Vec3) -> Channel {
    let keys = Keys {
        times: vec![0.0],
        values: translation.to_array().to_vec(),
        width: 3,
        interpolation: Interpolation::Linear,
        rotation: false,
    };
    Channel { target: Target::Node(node, "translation"), keys, switch: false }
}

fn vectors(track: &Track<Vec3>) -> Keys {
    let curve = &track.curve;
    Keys {
        times: curve.times().to_vec(),
        values: curve.values().iter().flat_map(|value| value.to_array()).collect(),
        width: 3,
        interpolation: curve.interpolation(),
        rotation: false,
    }
}

fn rotations(curve: &Curve<Quat>) -> Keys {
    Keys {
        times: curve.times().to_vec(),
        values: curve.values().iter().flat_map(|value| value.to_array()).collect(),
        width: 4,
        interpolation: curve.interpolation(),
        rotation: true,
    }
}

fn rows(rows: &Rows) -> Keys {
    Keys {
        times: rows.times().to_vec(),
        values: rows.values().to_vec(),
        width: rows.width(),
        interpolation: rows.interpolation(),
        rotation: false,
    }
}

/// Yes or no from key to key. Between shown and hidden is shown.
fn switched(keys: Keys) -> Keys {
    let each = keys.interpolation.values_per_key();
    let shown: Vec<bool> =
        keys.values.iter().skip(each / 2).step_by(each).map(|&value| value > 0.0).collect();
    let step = keys.interpolation == Interpolation::Step;
    let value = |at: usize| shown[at] || (!step && shown.get(at + 1) == Some(&true));
    let values = (0..shown.len()).map(|at| f32::from(u8::from(value(at)))).collect();
    Keys { values, interpolation: Interpolation::Step, ..keys }
}

fn extras(clip: &Clip, last: f32) -> Object {
    let marker = |marker: &Marker| {
        Object::new().with("name", marker.name.as_str()).with("time", marker.time).to_json()
    };
    let own =
        Object::new().unless("start", clip.start, 0.0).unless("duration", clip.duration, last);
    Object::new()
        .filled("markers", clip.markers.iter().map(marker).collect::<Vec<_>>())
        .filled("sinew", own)
}
