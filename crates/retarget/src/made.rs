//! The clip as it grows, key by key, and what is measured meanwhile.

use glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Track};

use crate::feet::Leg;
use crate::figure::Figure;
use crate::link;
use crate::slot::{BodyPart, Slot};
use crate::work::Work;

/// The clip as it grows.
pub(crate) struct Made {
    turned: Vec<JointId>,
    moved: Vec<JointId>,
    /// For each time, of each joint.
    rotations: Vec<Vec<Quat>>,
    ways: Vec<Vec<Vec3>>,
    pub(crate) worst_direction: f32,
    pub(crate) worst_bone: Option<(Slot, f32)>,
    pub(crate) direction_sum: f32,
    pub(crate) direction_count: f32,
}

impl Made {
    pub(crate) fn new(work: &Work<'_>, legs: &[Leg; 2]) -> Self {
        let mut turned: Vec<JointId> = work.links.iter().map(|link| link.to).collect();
        for leg in legs {
            for joint in [leg.thigh, leg.shin, leg.foot] {
                if work.options.plant_feet && !turned.contains(&joint) {
                    turned.push(joint);
                }
            }
        }
        let mut moved = vec![work.map.to.hips()];
        moved.extend(legs.iter().filter(|leg| leg.loose.is_some()).map(|leg| leg.foot));
        let root = work.map.to.joint(Slot::middle(BodyPart::Root));
        moved.extend(root.filter(|_| work.map.from.joint(Slot::middle(BodyPart::Root)).is_some()));
        turned.sort_unstable();
        moved.sort_unstable();
        moved.dedup();
        Self {
            turned,
            moved,
            rotations: Vec::new(),
            ways: Vec::new(),
            worst_direction: 0.0,
            worst_bone: None,
            direction_sum: 0.0,
            direction_count: 0.0,
        }
    }

    pub(crate) fn add(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        let before = self.rotations.last();
        let rotation = |(column, joint): (usize, &JointId)| {
            let rotation = figure.locals[joint.index()].rotation;
            // Of the two signs of a rotation, that of the key before: so nothing takes the longer arc.
            let flip = before.is_some_and(|row| row[column].dot(rotation) < 0.0);
            if flip { -rotation } else { rotation }
        };
        let rotations = self.turned.iter().enumerate().map(rotation).collect();
        let ways =
            self.moved.iter().map(|joint| figure.locals[joint.index()].translation).collect();
        self.rotations.push(rotations);
        self.ways.push(ways);
        self.compare(work, at, figure);
    }

    /// How far bones point from where the clip's point.
    fn compare(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        let source = link::bones(&work.map.from);
        for (slot, start, end) in link::bones(&work.map.to) {
            let Some((_, from, to)) = source.iter().find(|bone| bone.0 == slot) else { continue };
            let (Some(from), Some(to)) = (work.record.column(*from), work.record.column(*to))
            else {
                continue;
            };
            let row = &work.record.places[at];
            let wanted = work.source.model_from_body.inverse() * (row[to] - row[from]);
            let found =
                work.target.model_from_body.inverse() * (figure.place(end) - figure.place(start));
            let (Some(wanted), Some(found)) = (wanted.try_normalize(), found.try_normalize())
            else {
                continue;
            };
            let angle = wanted.angle_between(found).to_degrees();
            self.direction_sum += angle;
            self.direction_count += 1.0;
            if angle > self.worst_direction {
                self.worst_direction = angle;
                self.worst_bone = Some((slot, work.record.times[at]));
            }
        }
    }

    /// How far joints are at worst, between two keys, from where they would be with twice the keys; metres.
    pub(crate) fn key_error(&self, work: &Work<'_>) -> f32 {
        let (mut exact, mut between) = (Figure::new(work.to), Figure::new(work.to));
        let mut worst = 0.0_f32;
        for at in (1..self.rotations.len().saturating_sub(1)).step_by(2) {
            for (column, &joint) in self.turned.iter().enumerate() {
                exact.locals[joint.index()].rotation = self.rotations[at][column];
                let (a, b) = (self.rotations[at - 1][column], self.rotations[at + 1][column]);
                between.locals[joint.index()].rotation = a.slerp(b, 0.5);
            }
            for (column, &joint) in self.moved.iter().enumerate() {
                exact.locals[joint.index()].translation = self.ways[at][column];
                let (a, b) = (self.ways[at - 1][column], self.ways[at + 1][column]);
                between.locals[joint.index()].translation = (a + b) / 2.0;
            }
            exact.stand();
            between.stand();
            let apart =
                self.turned.iter().map(|&joint| exact.place(joint).distance(between.place(joint)));
            worst = apart.fold(worst, f32::max);
        }
        worst
    }

    /// Every other moment is a key.
    pub(crate) fn into_clip(self, work: &Work<'_>) -> Clip {
        let times: std::sync::Arc<[f32]> = work.record.times.iter().copied().step_by(2).collect();
        let curve = |values: Vec<Quat>| Curve::new(times.clone(), values, Interpolation::Linear);
        let moves = |values: Vec<Vec3>| Curve::new(times.clone(), values, Interpolation::Linear);
        let column =
            |column: usize| self.rotations.iter().step_by(2).map(|row| row[column]).collect();
        let way = |column: usize| self.ways.iter().step_by(2).map(|row| row[column]).collect();
        let rotations = self
            .turned
            .iter()
            .enumerate()
            .filter_map(|(at, &joint)| Some(Track { joint, curve: curve(column(at)).ok()? }));
        let translations = self
            .moved
            .iter()
            .enumerate()
            .filter_map(|(at, &joint)| Some(Track { joint, curve: moves(way(at)).ok()? }));
        Clip {
            name: work.clip.name.clone(),
            start: work.clip.start,
            duration: work.clip.duration,
            rotations: rotations.collect(),
            translations: translations.collect(),
            markers: work.clip.markers.clone(),
            ..Clip::default()
        }
    }
}
