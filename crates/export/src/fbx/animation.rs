//! Clips as takes: a stack with one layer, and curves for all that the clip drives.
//!
//! In:  clips, and the models and shape channels that their tracks drive.
//! Out: `AnimationStack`s from a clip's start to its end on the file's clock.

use std::collections::BTreeMap;

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Interpolation, JointId, Property, Scene, Track};

use super::document::{Document, Id, Take, safe_name};
use super::keys::{curve_node, keys, ticks};
use super::model::{Models, name_or};
use super::properties::Properties;
use super::reach::Reach;
use super::source::{Column, Rotation, Vector, degrees_near};
use crate::exported::counted;

/// Clocks beyond this many seconds lose their precision; such a start is left out.
const LATEST: f64 = 1e6;
/// Morph weights and other plain numbers are followed as close as this.
const FINE: f64 = 1e-5;

const AXES: [&str; 3] = ["d|X", "d|Y", "d|Z"];

/// One take in the making.
struct Maker<'a> {
    scene: &'a Scene,
    models: &'a Models,
    channels: &'a [Vec<Id>],
    reach: &'a Reach,
    per_metre: f64,
    document: &'a mut Document,
    start: f64,
    layer: Id,
    left_out: usize,
}

pub(super) fn takes(
    scene: &Scene,
    models: &Models,
    channels: &[Vec<Id>],
    reach: &Reach,
    per_metre: f64,
    document: &mut Document,
) {
    let mut left_out = 0;
    let mut markers = 0;
    for (number, clip) in scene.clips.iter().enumerate() {
        let start = if clip.start.abs() < LATEST { clip.start } else { 0.0 };
        let name = safe_name(&name_or(&clip.name, "clip", number));
        // What is only reached at the very end is shown for the shortest moment that readers can tell apart.
        let end = if steps_at_end(clip) { clip.duration.next_up() } else { clip.duration };
        let (from, to) = (ticks(start), ticks(start + f64::from(end)));
        let (stack, node) = document.start("AnimationStack", &name, "AnimStack", "");
        let times = Properties::default()
            .time("LocalStart", from)
            .time("LocalStop", to)
            .time("ReferenceStart", from)
            .time("ReferenceStop", to);
        document.add(node.child(times.node()));
        let (layer, node) = document.start("AnimationLayer", "BaseLayer", "AnimLayer", "");
        document.add(node);
        document.connect(layer, stack);
        document.takes.push(Take { name, from, to });
        let mut maker =
            Maker { scene, models, channels, reach, per_metre, document, start, layer, left_out };
        maker.clip(clip);
        left_out = maker.left_out;
        markers += clip.markers.len();
    }
    if left_out > 0 {
        let values = counted(left_out, "animated value", "animated values");
        document.notes.push(format!("{values} of materials, lights and cameras left out"));
    }
    if markers > 0 {
        let markers = counted(markers, "marker", "markers");
        document.notes.push(format!("FBX has no events: {markers} left out"));
    }
}

/// Whether some held value changes with the last moment of the clip.
fn steps_at_end(clip: &Clip) -> bool {
    let step = |times: &[f32], interpolation: Interpolation, changes: &dyn Fn(usize) -> bool| {
        let last = times.len() - 1;
        let at_end = last > 0 && times[last] == clip.duration;
        interpolation == Interpolation::Step && at_end && changes(last)
    };
    fn of<V: PartialEq>(track: &Track<V>, last: usize) -> bool {
        track.curve.values()[last] != track.curve.values()[last - 1]
    }
    let vectors = clip.translations.iter().chain(&clip.scales);
    let rows = clip.weights.iter().map(|track| &track.rows);
    let mut rows = rows.chain(clip.properties.iter().map(|track| &track.rows));
    vectors.into_iter().any(|track| {
        let curve = &track.curve;
        step(curve.times(), curve.interpolation(), &|last| of(track, last))
    }) || clip.rotations.iter().any(|track| {
        let curve = &track.curve;
        step(curve.times(), curve.interpolation(), &|last| of(track, last))
    }) || rows.any(|rows| {
        step(rows.times(), rows.interpolation(), &|last| rows.row(last) != rows.row(last - 1))
    })
}

/// The tracks by what they drive; of two the last counts, as when a clip is sampled.
fn by_joint<V>(tracks: &[Track<V>]) -> BTreeMap<JointId, &Track<V>> {
    tracks.iter().map(|track| (track.joint, track)).collect()
}

impl Maker<'_> {
    fn clip(&mut self, clip: &Clip) {
        for (joint, track) in by_joint(&clip.translations) {
            let tolerance = self.reach.translation(joint);
            self.vector(track, "T", "Lcl Translation", self.per_metre, tolerance);
        }
        for (joint, track) in by_joint(&clip.rotations) {
            self.rotation(joint, track);
        }
        for (joint, track) in by_joint(&clip.scales) {
            self.vector(track, "S", "Lcl Scaling", 1.0, self.reach.scale(joint));
        }
        for track in &clip.weights {
            let channels = &self.channels[track.instance.index()];
            for (column, &channel) in channels.iter().enumerate() {
                let source = Column { rows: &track.rows, column, factor: 100.0, tolerance: FINE };
                let keys = keys(&source, self.start, [0.0]);
                let drives = (channel, "DeformPercent");
                let names = ["d|DeformPercent"];
                curve_node(self.document, &keys, names, "DeformPercent", self.layer, drives);
            }
        }
        for track in &clip.properties {
            let Property::Visible(joint) = self.scene[track.property].property else {
                self.left_out += 1;
                continue;
            };
            let source = Column { rows: &track.rows, column: 0, factor: 1.0, tolerance: FINE };
            let keys = keys(&source, self.start, [0.0]);
            let drives = (self.models.driven[joint.index()], "Visibility");
            curve_node(self.document, &keys, ["d|Visibility"], "Visibility", self.layer, drives);
        }
    }

    fn vector(
        &mut self,
        track: &Track<Vec3>,
        name: &str,
        property: &str,
        factor: f64,
        tolerance: f64,
    ) {
        let source = Vector { curve: &track.curve, factor, tolerance };
        let keys = keys(&source, self.start, [0.0; 3]);
        let drives = (self.models.driven[track.joint.index()], property);
        curve_node(self.document, &keys, AXES, name, self.layer, drives);
    }

    fn rotation(&mut self, joint: JointId, track: &Track<Quat>) {
        let source = Rotation { curve: &track.curve, tolerance: self.reach.rotation(joint) };
        let rest = self.scene[joint].rest.rotation.as_dquat().normalize();
        let keys = keys(&source, self.start, degrees_near(rest, [0.0; 3]));
        let drives = (self.models.driven[joint.index()], "Lcl Rotation");
        curve_node(self.document, &keys, AXES, "R", self.layer, drives);
    }
}
