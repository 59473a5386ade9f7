//! A packed clip as a plain one again: a key for every frame.

use std::sync::Arc;

use sinew_motion::Pose;
use sinew_scene::{
    Clip, Curve, InstanceId, Interpolation, PropertyId, PropertyTrack, Rows, Scene, Track,
    WeightTrack,
};

use crate::Packed;

impl<B: AsRef<[u8]>> Packed<B> {
    /// The clip with a key for every frame, for whatever works on keys. `None` when it was packed
    /// against another skeleton.
    pub fn to_clip(&self, scene: &Scene) -> Option<Clip> {
        if !self.fits(scene) {
            return None;
        }
        let rate = if self.rate() > 0.0 { self.rate() } else { 1.0 };
        let times: Arc<[f32]> = (0..self.frames()).map(|frame| frame as f32 / rate).collect();
        let poses: Vec<Pose> = times
            .iter()
            .map(|&time| {
                let mut pose = Pose::new(scene);
                self.sample(time, &mut pose);
                pose
            })
            .collect();
        let mut clip = Clip {
            name: self.name().to_owned(),
            start: self.start(),
            duration: self.duration(),
            ..Clip::default()
        };
        for (joint, node) in scene.skeleton().ids().zip(scene.skeleton().nodes()) {
            let locals = || poses.iter().map(|pose| pose.local(joint));
            let values = locals().map(|local| local.translation).collect();
            clip.translations.extend(track(joint, &times, values, node.rest.translation));
            let values = locals().map(|local| local.rotation).collect();
            clip.rotations.extend(track(joint, &times, values, node.rest.rotation));
            let values = locals().map(|local| local.scale).collect();
            clip.scales.extend(track(joint, &times, values, node.rest.scale));
        }
        let rows = |width: usize, row: &dyn Fn(&Pose) -> Vec<f32>, rest: &[f32]| {
            let values: Vec<f32> = poses.iter().flat_map(row).collect();
            let still = width == 0 || values.chunks(width).all(|row| row == rest);
            let linear = Interpolation::Linear;
            (!still).then(|| Rows::new(times.clone(), values, width, linear).ok()).flatten()
        };
        for (at, instance) in scene.instances.iter().enumerate() {
            let id = InstanceId::new(at);
            let row = |pose: &Pose| pose.weights(id).to_vec();
            let found = rows(instance.weights.len(), &row, &instance.weights);
            clip.weights.extend(found.map(|rows| WeightTrack { instance: id, rows }));
        }
        for (at, entry) in scene.properties.iter().enumerate() {
            let (id, width) = (PropertyId::new(at), entry.property.width());
            let row = |pose: &Pose| pose.property(id)[..width].to_vec();
            let found = rows(width, &row, &entry.rest[..width]);
            clip.properties.extend(found.map(|rows| PropertyTrack { property: id, rows }));
        }
        Some(clip)
    }
}

/// A track through these values; none where they are all at rest.
fn track<V: PartialEq>(
    joint: sinew_scene::JointId,
    times: &Arc<[f32]>,
    values: Vec<V>,
    rest: V,
) -> Option<Track<V>> {
    if values.iter().all(|value| *value == rest) {
        return None;
    }
    let curve = Curve::new(times.clone(), values, Interpolation::Linear).ok()?;
    Some(Track { joint, curve })
}
