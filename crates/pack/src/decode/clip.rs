//! A packed clip as a plain one again: a key for every frame.

use std::sync::Arc;

use sinew_motion::{Pose, SimdLevel};
use sinew_scene::glam::Quat;
use sinew_scene::{
    Clip, Curve, InstanceId, Interpolation, PropertyId, PropertyTrack, Rows, Scene, Track,
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
        // A rotation and its negative are the same: of both, the one nearer to the key before.
        let near = |from: Quat, to: Quat| if to.dot(from) < 0.0 { -to } else { to };
        clip.rotations = keys.tracks(scene, |local| local.rotation, near);
        clip.translations = keys.tracks(scene, |local| local.translation, |_, to| to);
        clip.scales = keys.tracks(scene, |local| local.scale, |_, to| to);
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
    /// A track of each node where it is not all at rest; `next` is given two values after each other.
    fn tracks<V: Copy + PartialEq>(
        &self,
        scene: &Scene,
        value: fn(Transform) -> V,
        next: fn(V, V) -> V,
    ) -> Vec<Track<V>> {
        let nodes = scene.skeleton().ids().zip(scene.skeleton().nodes());
        let tracks = nodes.filter_map(|(joint, node)| {
            let mut values: Vec<V> =
                self.poses.iter().map(|pose| value(pose.local(joint))).collect();
            if values.iter().all(|known| *known == value(node.rest)) {
                return None;
            }
            for at in 1..values.len() {
                values[at] = next(values[at - 1], values[at]);
            }
            let curve = Curve::new(self.times.clone(), values, Interpolation::Linear).ok()?;
            Some(Track { joint, curve })
        });
        tracks.collect()
    }

    fn rows(&self, row: impl Fn(&Pose) -> &[f32], rest: &[f32]) -> Option<Rows> {
        if rest.is_empty() || self.poses.iter().all(|pose| row(pose) == rest) {
            return None;
        }
        let values = self.poses.iter().flat_map(|pose| row(pose).iter().copied()).collect();
        Rows::new(self.times.clone(), values, rest.len(), Interpolation::Linear).ok()
    }
}
