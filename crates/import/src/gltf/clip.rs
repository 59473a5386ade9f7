//! Animations: channels bound to what they drive.
//!
//! In:  the document's animations. Out: clips that begin at zero and end with their last key.
//!
//! Everything a track needs is bound here: one track for each light or instance that follows a
//! channel, none for what the scene does not hold.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use sinew_scene::{
    Clip, Curve, InstanceId, Interpolation, JointId, PropertyId, PropertyTrack, Rows, SceneParts,
    Track, WeightTrack,
};

use super::accessor::{Elements, Source};
use super::buffer::{no_such, unless_empty};
use super::component::Component;
use super::extras;
use super::instance::Bound;
use super::json::{Animation, AnimationSampler, Channel};
use super::keys::{self, Keyed, KnownTimes, Times, join};
use super::pointer::{self, Target};
use super::property::Registry;
use super::weight::{self, Single};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

pub(super) fn read(
    source: &Source<'_>,
    bound: &Bound,
    parts: &mut SceneParts,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let mut times = KnownTimes::default();
    let mut registry = Registry::new(parts);
    for (at, animation) in source.document.animations.iter().enumerate() {
        let clip = Clip { name: animation.name.clone().unwrap_or_default(), ..Clip::default() };
        let mut reader = Reader {
            source,
            bound,
            parts,
            context,
            times: &mut times,
            registry: &mut registry,
            clip,
            seen: HashMap::new(),
            singles: Vec::new(),
        };
        for (number, channel) in animation.channels.iter().enumerate() {
            reader.channel(animation, channel, at, number)?;
        }
        let mut clip = reader.finish()?;
        clip.duration = clip.last_key();
        extras::read_clip(&animation.extras, &mut clip, at, &mut context.notes);
        parts.clips.push(clip);
    }
    Ok(())
}

struct Reader<'a, 'c> {
    source: &'a Source<'a>,
    bound: &'a Bound,
    parts: &'a mut SceneParts,
    context: &'a mut Context<'c>,
    times: &'a mut KnownTimes,
    registry: &'a mut Registry,
    clip: Clip,
    /// The place of each track in its list.
    seen: HashMap<Driven, usize>,
    singles: Vec<Single>,
}

#[derive(PartialEq, Eq, Hash)]
enum Driven {
    Translation(JointId),
    Rotation(JointId),
    Scale(JointId),
    Weights(InstanceId),
    Property(PropertyId),
}

/// A sampler, opened.
struct Filed<'a> {
    times: std::rc::Rc<Times>,
    values: Elements<'a>,
    interpolation: Interpolation,
    place: Place,
}

impl<'a> Reader<'a, '_> {
    fn channel(
        &mut self,
        animation: &Animation,
        channel: &Channel,
        at: usize,
        number: usize,
    ) -> Result<(), ImportError> {
        let place = Place::part(format!("animations[{at}].channels[{number}]"));
        let index = channel.sampler.0;
        let sampler = animation.samplers.get(index);
        let sampler =
            sampler.ok_or_else(|| no_such("sampler", index, animation.samplers.len(), &place))?;
        let target = pointer::target(channel, self.bound, self.parts.materials.len(), &place)?;
        let target = match target {
            Ok(target) => target,
            Err(words) => {
                self.context.notes.add_as(NoteCode::Unbound, place, words);
                return Ok(());
            }
        };
        let filed = self.open(sampler, place);
        let what = "channels that need it are left out";
        let Some(filed) = unless_empty(filed, what, &mut self.context.notes)? else {
            return Ok(());
        };
        match target {
            Target::Translation(joint) => self.vectors(&filed, joint, false),
            Target::Scale(joint) => self.vectors(&filed, joint, true),
            Target::Rotation(joint) => self.rotations(&filed, joint),
            Target::Weights(instances) => self.weights(&filed, &instances),
            Target::Weight(instances, target) => self.single(&filed, instances, target),
            Target::Properties(properties) => self.properties(&filed, &properties),
        }
    }

    fn open(&mut self, sampler: &AnimationSampler, place: Place) -> Result<Filed<'a>, ImportError> {
        let times = self.times.get(self.source, sampler.input.0, &place, self.context)?;
        let values = self.source.elements(sampler.output.0, &place)?;
        let interpolation = keys::interpolation(sampler, &place, &mut self.context.notes);
        Ok(Filed { times, values, interpolation, place })
    }

    fn join<V: Copy>(
        &mut self,
        filed: &Filed<'_>,
        values: Vec<V>,
        width: usize,
        good: impl Fn(&V, bool) -> bool,
    ) -> Option<Keyed<V>> {
        let notes = &mut self.context.notes;
        join(&filed.times, values, width, filed.interpolation, good, &filed.place, notes)
    }

    fn vectors(
        &mut self,
        filed: &Filed<'_>,
        joint: JointId,
        scale: bool,
    ) -> Result<(), ImportError> {
        let values = filed.values.floats(&mut self.context.budget, |v: [f32; 3]| Vec3::from(v))?;
        let Some(keyed) = self.join(filed, values, 1, |value, _| value.is_finite()) else {
            return Ok(());
        };
        let track = Track { joint, curve: curve(keyed, &filed.place)? };
        let (driven, list) = match scale {
            true => (Driven::Scale(joint), &mut self.clip.scales),
            false => (Driven::Translation(joint), &mut self.clip.translations),
        };
        put(list, track, &mut self.seen, driven, &filed.place, self.context);
        Ok(())
    }

    fn rotations(&mut self, filed: &Filed<'_>, joint: JointId) -> Result<(), ImportError> {
        let values = filed.values.floats(&mut self.context.budget, Quat::from_array)?;
        let good = |value: &Quat, is_key: bool| {
            value.is_finite() && (!is_key || value.length_squared() > 1e-20)
        };
        let Some(mut keyed) = self.join(filed, values, 1, good) else { return Ok(()) };
        let each = keyed.interpolation.values_per_key();
        let mut off = 0.0_f32;
        // Tangents stay: they are speeds, not rotations.
        for key in keyed.values.iter_mut().skip(each / 2).step_by(each) {
            let squared = key.length_squared();
            if (squared - 1.0).abs() > 2e-6 {
                off = off.max((squared.sqrt() - 1.0).abs());
                *key = key.normalize();
            }
        }
        // Rotations in single bytes are off by up to a 64th for no fault of theirs.
        if off > 0.02 {
            let text = "rotation keys are not of unit length: they are divided by their length";
            self.context.notes.add_as(NoteCode::RotationNotUnit, filed.place.clone(), text);
        }
        let place = Place::part(format!("animation {:?}", self.clip.name));
        let whole = filed.values.component == Component::F32;
        let count = usize::from(whole && off > 1e-4);
        let text = "rotation keys are not unit quaternions";
        self.context.notes.detail(NoteCode::RotationNotUnit, place, count, off, text);
        let track = Track { joint, curve: curve(keyed, &filed.place)? };
        let list = &mut self.clip.rotations;
        put(list, track, &mut self.seen, Driven::Rotation(joint), &filed.place, self.context);
        Ok(())
    }

    fn weights(&mut self, filed: &Filed<'_>, instances: &[InstanceId]) -> Result<(), ImportError> {
        for &instance in instances {
            let width = self.parts.instances[instance.index()].weights.len();
            if width == 0 {
                let text = "a channel drives the morph weights of a mesh without morph targets: it is left out";
                self.context.notes.add_as(NoteCode::MorphCount, filed.place.clone(), text);
                continue;
            }
            let values = filed.values.floats(&mut self.context.budget, |[w]: [f32; 1]| w)?;
            let values = weight::fit(
                values,
                width,
                filed.times.filed,
                filed.interpolation,
                &filed.place,
                self.context,
            )?;
            let Some(keyed) = self.join(filed, values, width, |value, _| value.is_finite()) else {
                continue;
            };
            let track = WeightTrack { instance, rows: rows(keyed, width, &filed.place)? };
            let list = &mut self.clip.weights;
            put(list, track, &mut self.seen, Driven::Weights(instance), &filed.place, self.context);
        }
        Ok(())
    }

    fn single(
        &mut self,
        filed: &Filed<'_>,
        instances: Vec<InstanceId>,
        target: usize,
    ) -> Result<(), ImportError> {
        for instance in instances {
            let values = filed.values.floats(&mut self.context.budget, |[w]: [f32; 1]| w)?;
            if let Some(keys) = self.join(filed, values, 1, |value, _| value.is_finite()) {
                self.singles.push(Single { instance, target, keys });
            }
        }
        Ok(())
    }

    fn properties(
        &mut self,
        filed: &Filed<'_>,
        properties: &[sinew_scene::Property],
    ) -> Result<(), ImportError> {
        for &property in properties {
            let Some(id) = self.registry.id(property, self.parts) else {
                let text =
                    "an animation drives a value that the scene does not have: it is left out";
                self.context.notes.add(filed.place.clone(), text);
                continue;
            };
            let width = property.width();
            let budget = &mut self.context.budget;
            let values = match width {
                1 => filed.values.floats(budget, |v: [f32; 1]| v)?.into_flattened(),
                2 => filed.values.floats(budget, |v: [f32; 2]| v)?.into_flattened(),
                3 => filed.values.floats(budget, |v: [f32; 3]| v)?.into_flattened(),
                _ => filed.values.floats(budget, |v: [f32; 4]| v)?.into_flattened(),
            };
            let Some(keyed) = self.join(filed, values, width, |value, _| value.is_finite()) else {
                continue;
            };
            let track = PropertyTrack { property: id, rows: rows(keyed, width, &filed.place)? };
            let list = &mut self.clip.properties;
            put(list, track, &mut self.seen, Driven::Property(id), &filed.place, self.context);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Clip, ImportError> {
        let singles = std::mem::take(&mut self.singles);
        for track in weight::joined(singles, self.parts, self.context)? {
            let driven = Driven::Weights(track.instance);
            let place = Place::part("animations");
            put(&mut self.clip.weights, track, &mut self.seen, driven, &place, self.context);
        }
        Ok(self.clip)
    }
}

pub(super) const SAME_TARGET: &str = "two channels of a clip drive the same: the last one counts";

/// Adds a track; of several that drive the same, the last one counts.
fn put<T>(
    list: &mut Vec<T>,
    track: T,
    seen: &mut HashMap<Driven, usize>,
    driven: Driven,
    place: &Place,
    context: &mut Context<'_>,
) {
    match seen.get(&driven) {
        Some(&at) => {
            context.notes.add_as(NoteCode::DuplicateTarget, place.clone(), SAME_TARGET);
            list[at] = track;
        }
        None => {
            seen.insert(driven, list.len());
            list.push(track);
        }
    }
}

fn curve<V>(keyed: Keyed<V>, place: &Place) -> Result<Curve<V>, ImportError> {
    Curve::new(keyed.times, keyed.values, keyed.interpolation)
        .map_err(|text| ImportError::malformed(place.clone(), text))
}

fn rows(keyed: Keyed<f32>, width: usize, place: &Place) -> Result<Rows, ImportError> {
    Rows::new(keyed.times, keyed.values, width, keyed.interpolation)
        .map_err(|text| ImportError::malformed(place.clone(), text))
}
