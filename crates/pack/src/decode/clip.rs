//! A packed clip as a plain one again: a key for every frame.

use std::sync::Arc;

use sinew_motion::{Pose, SimdLevel};
use sinew_scene::glam::Quat;
use sinew_scene::{
    Clip, Curve, InstanceId, Interpolation, JointId, PropertyId, PropertyTrack, Rows, Scene, Track,
    Transform, WeightTrack,
};

use super::Packed;

impl<B: AsRef<[u8]>> Packed<B> {
    /// The clip with a key for every frame, for whatever works on keys. `None` when it was packed
    /// against another skeleton.
    pub fn to_clip(&self, scene: &Scene) -> Option<Clip> {
        if !self.fits(scene) {
            return None;
        }
        let times = (0..self.frames()).map(|frame| self.frame_time(frame)).collect();
        let poses = (0..self.frames()).map(|frame| {
            let mut pose = Pose::new(scene);
            (self.sampler)(self, SimdLevel::current(), frame, 0.0, &mut pose);
            pose
        });
        let keys = Keys { times, poses: poses.collect() };
        let mut clip = Clip {
            name: self.name().to_owned(),
            start: self.start(),
            duration: self.duration(),
            ..Clip::default()
        };
        for (joint, node) in scene.skeleton().ids().zip(scene.skeleton().nodes()) {
            let rest = node.rest;
            let rotations = keys.curve(keys.rotations(joint), rest.rotation);
            clip.rotations.extend(rotations.map(|curve| Track { joint, curve }));
            let translations = keys.curve(keys.locals(joint, |t| t.translation), rest.translation);
            clip.translations.extend(translations.map(|curve| Track { joint, curve }));
            let scales = keys.curve(keys.locals(joint, |t| t.scale), rest.scale);
            clip.scales.extend(scales.map(|curve| Track { joint, curve }));
        }
        for (at, instance) in scene.instances.iter().enumerate() {
            let instance_id = InstanceId::new(at);
            let rows = keys.rows(|pose| pose.weights(instance_id), &instance.weights);
            clip.weights.extend(rows.map(|rows| WeightTrack { instance: instance_id, rows }));
        }
        for (at, entry) in scene.properties.iter().enumerate() {
            let (property, width) = (PropertyId::new(at), entry.property.width());
            let rows = keys.rows(|pose| &pose.property(property)[..width], &entry.rest[..width]);
            clip.properties.extend(rows.map(|rows| PropertyTrack { property, rows }));
        }
        Some(clip)
    }
}

/// Every frame.
struct Keys {
    times: Arc<[f32]>,
    poses: Vec<Pose>,
}

impl Keys {
    fn locals<V>(&self, joint: JointId, value: fn(Transform) -> V) -> Vec<V> {
        self.poses.iter().map(|pose| value(pose.local(joint))).collect()
    }

    /// Each with the sign that is nearer to the one before.
    fn rotations(&self, joint: JointId) -> Vec<Quat> {
        let mut rotations = self.locals(joint, |local| local.rotation);
        for at in 1..rotations.len() {
            if rotations[at].dot(rotations[at - 1]) < 0.0 {
                rotations[at] = -rotations[at];
            }
        }
        rotations
    }

    /// A curve through these values; none where they are all at rest.
    fn curve<V: PartialEq>(&self, values: Vec<V>, rest: V) -> Option<Curve<V>> {
        if values.iter().all(|value| *value == rest) {
            return None;
        }
        Curve::new(self.times.clone(), values, Interpolation::Linear).ok()
    }

    fn rows(&self, row: impl Fn(&Pose) -> &[f32], rest: &[f32]) -> Option<Rows> {
        if rest.is_empty() || self.poses.iter().all(|pose| row(pose) == rest) {
            return None;
        }
        let values = self.poses.iter().flat_map(|pose| row(pose).iter().copied()).collect();
        Rows::new(self.times.clone(), values, rest.len(), Interpolation::Linear).ok()
    }
}
