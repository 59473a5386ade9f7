//! Clips: the file's `<animation_clip>`s, or one clip with everything.
//!
//! In:  channels, moving nodes and morphed instances.
//! Out: clips. Key times count from the clip's start; keys outside it stay, since a curve may bend
//! towards them.

use std::ops::Range;

use sinew_scene::{Clip, InstanceId};

use super::animation::{Channel, Channels, Member};
use super::driven::{Number, drive};
use super::graph::Moving;
use super::morph;
use super::track::Build;
use super::xml::{self, ElementId, Tag, Xml};
use crate::fit::Clock;
use crate::note::counted;
use crate::open::Context;
use crate::{ImportError, Place};

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

pub(super) fn read(
    stage: &Stage<'_, '_>,
    context: &mut Context<'_>,
) -> Result<Vec<Clip>, ImportError> {
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
            let channels = counted(lost, "animation channel", "animation channels");
            context.notes.add(Place::Whole, format!("left out because in no clip: {channels}"));
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
    fn clip(&self, cut: Cut, context: &mut Context<'_>) -> Result<Clip, ImportError> {
        let inside = |at: usize| cut.within.iter().any(|range| range.contains(&at));
        let all = self.channels.all.iter().filter(|channel| inside(channel.at));
        let mut first = 0.0_f64;
        let mut last = 0.0_f64;
        for channel in all {
            first = first.min(channel.keys.times.first().copied().unwrap_or(0.0));
            last = last.max(channel.keys.times.last().copied().unwrap_or(0.0));
        }
        let start = cut.start.unwrap_or(first);
        let end = cut.end.unwrap_or(last).max(start);
        let duration = (end - start) as f32;
        let mut build = Build {
            clip: Clip { name: cut.name, start, duration, ..Clip::default() },
            clock: Clock::new(start),
            budget: &mut context.budget,
            lost: 0,
            inner: None,
        };
        for moving in self.moving {
            build.group(moving.joint, moving.group(), self.channels, &cut.within)?;
        }
        for (instance, morph) in self.morphed {
            self.morph(*instance, *morph, &cut.within, &mut build)?;
        }
        let Build { clip, lost, .. } = build;
        if lost > 0 {
            let text = "a track has numbers that are not finite; it is left out";
            context.notes.add(Place::part("library_animations"), text);
        }
        Ok(clip)
    }

    fn morph(
        &self,
        instance: InstanceId,
        morph: Tag<'a>,
        within: &[Range<usize>],
        build: &mut Build<'_>,
    ) -> Result<(), ImportError> {
        let Some(rest) = self.weights.get(instance.index()) else { return Ok(()) };
        let channels = self.weight_channels(morph, within);
        if channels.is_empty() || rest.is_empty() {
            return Ok(());
        }
        let mut numbers: Vec<Number<'_>> =
            rest.iter().map(|&weight| Number::held(f64::from(weight))).collect();
        for channel in &channels {
            let index = match channel.member {
                Member::Index(at) => Some(at),
                _ => None,
            };
            drive(&mut numbers, channel, index);
        }
        build.weights(instance, numbers, rest)
    }

    /// Animations speak of the source of the weights, of its array, or of the controller.
    fn weight_channels(&self, morph: Tag<'a>, within: &[Range<usize>]) -> Vec<&Channel> {
        let source = morph::weights_of(self.xml, morph);
        let array = source.and_then(|source| xml::child(source, "float_array"));
        let controller = morph.parent();
        let ids: Vec<ElementId> =
            [source, array, controller].into_iter().flatten().map(|tag| tag.id()).collect();
        ids.iter().flat_map(|id| self.channels.of(*id, within)).collect()
    }
}
