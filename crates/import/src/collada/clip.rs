//! Clips: the file's `<animation_clip>`s, or one clip with everything.
//!
//! In:  channels, moving nodes and morphed instances.
//! Out: clips. Key times count from the clip's start; keys outside it stay, since a curve may bend
//! towards them.

use std::ops::Range;

use glam::{Quat, Vec3};
use roxmltree::NodeId;
use sinew_scene::{Clip, Curve, InstanceId, Rows, Track, WeightTrack};

use super::animation::{Channel, Channels, Member};
use super::bake::{Baked, Baking};
use super::graph::Moving;
use super::morph;
use super::track;
use super::xml::{self, Tag, Xml};
use crate::open::Context;
use crate::{Error, Place};

/// What clips drive.
pub(super) struct Stage<'a, 'b> {
    pub(super) xml: &'b Xml<'a>,
    pub(super) channels: &'b Channels,
    pub(super) moving: &'b [Moving],
    pub(super) morphed: &'b [(InstanceId, Tag<'a>)],
    /// The morph weights of every instance at rest.
    pub(super) weights: &'b [Vec<f32>],
}

/// A clip as the file has it.
struct Cut {
    name: String,
    start: Option<f64>,
    end: Option<f64>,
    /// The text of the animations in it.
    within: Vec<Range<usize>>,
}

pub(super) fn read(stage: &Stage<'_, '_>, context: &mut Context<'_>) -> Result<Vec<Clip>, Error> {
    if stage.channels.all.is_empty() {
        return Ok(Vec::new());
    }
    let mut cuts = cuts(stage.xml, context);
    if cuts.is_empty() {
        let within = Vec::from([Range { start: 0, end: usize::MAX }]);
        cuts.push(Cut { name: "all".into(), start: None, end: None, within });
    } else {
        let inside = |channel: &Channel| {
            cuts.iter().flat_map(|cut| &cut.within).any(|range| range.contains(&channel.at))
        };
        let lost = stage.channels.all.iter().filter(|channel| !inside(channel)).count();
        if lost > 0 {
            let text = format!("{lost} animation channels are in no clip and are left out");
            context.notes.add(Place::Whole, text);
        }
    }
    cuts.into_iter().map(|cut| stage.clip(cut, context)).collect()
}

fn cuts(xml: &Xml<'_>, context: &mut Context<'_>) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let libraries = xml::children(xml.root, "library_animation_clips");
    for tag in libraries.flat_map(|library| xml::children(library, "animation_clip")) {
        let within = xml::children(tag, "instance_animation")
            .filter_map(|instance| xml.follow(instance, "url", "animation", &mut context.notes))
            .map(|animation| animation.range())
            .collect();
        let number = |name: &str| {
            let value = tag.attribute(name)?.trim().parse::<f64>().ok()?;
            (value.is_finite() && value.abs() < 1e9).then_some(value)
        };
        let name = xml::label(tag).to_owned();
        cuts.push(Cut { name, start: number("start"), end: number("end"), within });
    }
    cuts
}

impl<'a> Stage<'a, '_> {
    fn clip(&self, cut: Cut, context: &mut Context<'_>) -> Result<Clip, Error> {
        let inside = |at: usize| cut.within.iter().any(|range| range.contains(&at));
        let all = self.channels.all.iter().filter(|channel| inside(channel.at));
        let (mut first, mut last) = (0.0_f64, 0.0_f64);
        for channel in all {
            first = first.min(channel.keys.times.first().copied().unwrap_or(0.0));
            last = last.max(channel.keys.times.last().copied().unwrap_or(0.0));
        }
        let start = cut.start.unwrap_or(first);
        let end = cut.end.unwrap_or(last).max(start);
        let mut clip =
            Clip { name: cut.name, start, duration: (end - start) as f32, ..Clip::default() };
        for moving in self.moving {
            self.move_node(moving, &cut.within, &mut clip, context)?;
        }
        for (instance, morph) in self.morphed {
            self.morph(*instance, *morph, &cut.within, &mut clip, context)?;
        }
        Ok(clip)
    }

    fn move_node(
        &self,
        moving: &Moving,
        within: &[Range<usize>],
        clip: &mut Clip,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let joint = moving.joint;
        let tracks = track::tracks(moving.group(), self.channels, within);
        let lengths = [
            tracks.translation.as_ref().map_or(0, |baked| baked.times.len()),
            tracks.rotation.as_ref().map_or(0, |baked| baked.times.len()),
            tracks.scale.as_ref().map_or(0, |baked| baked.times.len()),
        ];
        context.budget.take(lengths.iter().sum(), 64, &Place::Whole)?;
        if let Some(baked) = tracks.translation {
            let curve = curve(baked, clip.start, |key| key.as_vec3())?;
            clip.translations.push(Track::<Vec3> { joint, curve });
        }
        if let Some(baked) = tracks.rotation {
            let curve = curve(baked, clip.start, |key| key.as_quat())?;
            clip.rotations.push(Track::<Quat> { joint, curve });
        }
        if let Some(baked) = tracks.scale {
            let curve = curve(baked, clip.start, |key| key.as_vec3())?;
            clip.scales.push(Track::<Vec3> { joint, curve });
        }
        Ok(())
    }

    fn morph(
        &self,
        instance: InstanceId,
        morph: Tag<'a>,
        within: &[Range<usize>],
        clip: &mut Clip,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let Some(rest) = self.weights.get(instance.index()) else { return Ok(()) };
        let channels = self.weight_channels(morph, within);
        let mut times: Vec<f64> =
            channels.iter().flat_map(|channel| channel.keys.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.is_empty() || rest.is_empty() {
            return Ok(());
        }
        context.budget.take(times.len() * rest.len(), 64, &Place::Whole)?;
        let value = |time: f64, side: f64| {
            let mut row: Vec<f64> = rest.iter().copied().map(f64::from).collect();
            for channel in &channels {
                drive(&mut row, channel, time, side);
            }
            row
        };
        let baking = Baking { times: &times, value: &value, parts: &|_, _| 1, tolerance: 1e-6 };
        let baked = baking.bake();
        context.budget.take(baked.values.len() * rest.len(), 8, &Place::Whole)?;
        let values = baked.values.iter().flatten().map(|value| *value as f32).collect();
        let times = relative(&baked.times, clip.start);
        let rows = Rows::new(times, values, rest.len(), baked.interpolation).map_err(broken)?;
        clip.weights.push(WeightTrack { instance, rows });
        Ok(())
    }

    /// Animations speak of the source of the weights, of its array, or of the controller.
    fn weight_channels(&self, morph: Tag<'a>, within: &[Range<usize>]) -> Vec<&Channel> {
        let source = morph::weights_of(self.xml, morph);
        let array = source.and_then(|source| xml::child(source, "float_array"));
        let controller = morph.parent();
        let ids: Vec<NodeId> =
            [source, array, controller].into_iter().flatten().map(|tag| tag.id()).collect();
        ids.iter().flat_map(|id| self.channels.of(*id, within)).collect()
    }
}

/// Sets the weights that a channel drives.
fn drive(row: &mut [f64], channel: &Channel, time: f64, side: f64) {
    match channel.member {
        Member::Index(at) => {
            if let Some(weight) = row.get_mut(at) {
                *weight = channel.keys.at(0, time, side);
            }
        }
        _ => {
            for (at, weight) in row.iter_mut().enumerate().take(channel.keys.width) {
                *weight = channel.keys.at(at, time, side);
            }
        }
    }
}

fn relative(times: &[f64], start: f64) -> Vec<f32> {
    times.iter().map(|time| (time - start) as f32).collect()
}

fn curve<V, W>(baked: Baked<V>, start: f64, change: impl Fn(&V) -> W) -> Result<Curve<W>, Error> {
    let values = baked.values.iter().map(change).collect();
    Curve::new(relative(&baked.times, start), values, baked.interpolation).map_err(broken)
}

fn broken(text: String) -> Error {
    Error::out_of_range(Place::part("library_animations"), text)
}
