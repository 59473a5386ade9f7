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
    /// Time after time, of each joint.
    rotations: Vec<Quat>,
    ways: Vec<Vec3>,
    bones: Vec<Bone>,
    pub(crate) worst_direction: f32,
    pub(crate) worst_bone: Option<(Slot, f32)>,
    pub(crate) direction_sum: f32,
    pub(crate) direction_count: f32,
}

/// A bone of both bodies, whose directions are compared.
struct Bone {
    slot: Slot,
    /// Columns of the record: start and end.
    from: [usize; 2],
    to: [JointId; 2],
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
        let moments = work.record.len();
        Self {
            rotations: Vec::with_capacity(moments * turned.len()),
            ways: Vec::with_capacity(moments * moved.len()),
            turned,
            moved,
            bones: if work.options.measure { bones(work) } else { Vec::new() },
            worst_direction: 0.0,
            worst_bone: None,
            direction_sum: 0.0,
            direction_count: 0.0,
        }
    }

    pub(crate) fn add(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        let before = self.rotations.len().checked_sub(self.turned.len());
        for (column, joint) in self.turned.iter().enumerate() {
            let rotation = figure.locals[joint.index()].rotation;
            // Of the two signs of a rotation, that of the key before: so nothing takes the longer arc.
            let flip = before.is_some_and(|row| self.rotations[row + column].dot(rotation) < 0.0);
            self.rotations.push(if flip { -rotation } else { rotation });
        }
        let ways = self.moved.iter().map(|joint| figure.locals[joint.index()].translation);
        self.ways.extend(ways);
        self.compare(work, at, figure);
    }

    /// How far bones point from where the clip's point.
    fn compare(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        if self.bones.is_empty() {
            return;
        }
        let source = work.source.model_from_body.inverse();
        let target = work.target.model_from_body.inverse();
        let row = work.record.places(at);
        for bone in &self.bones {
            let wanted = source * (row[bone.from[1]] - row[bone.from[0]]);
            let found = target * (figure.place(bone.to[1]) - figure.place(bone.to[0]));
            let (Some(wanted), Some(found)) = (wanted.try_normalize(), found.try_normalize())
            else {
                continue;
            };
            let angle = wanted.angle_between(found).to_degrees();
            self.direction_sum += angle;
            self.direction_count += 1.0;
            if angle > self.worst_direction {
                self.worst_direction = angle;
                self.worst_bone = Some((bone.slot, work.record.times[at]));
            }
        }
    }

    fn row(&self, at: usize) -> &[Quat] {
        let width = self.turned.len();
        &self.rotations[at * width..(at + 1) * width]
    }

    fn way(&self, at: usize) -> &[Vec3] {
        let width = self.moved.len();
        &self.ways[at * width..(at + 1) * width]
    }

    fn len(&self) -> usize {
        if self.turned.is_empty() { 0 } else { self.rotations.len() / self.turned.len() }
    }

    /// The spans between two keys in which joints rotate the most; the number of the first of the two.
    pub(crate) fn liveliest(&self, count: usize) -> Vec<usize> {
        let rotated = |at: usize| -> f32 {
            let pairs = self.row(at).iter().zip(self.row(at + 1));
            pairs.map(|(a, b)| 1.0 - a.dot(*b).abs()).sum()
        };
        let mut spans: Vec<(f32, usize)> =
            (0..self.len().saturating_sub(1)).map(|at| (rotated(at), at)).collect();
        if spans.len() > count {
            spans.select_nth_unstable_by(count, |a, b| b.0.total_cmp(&a.0));
            spans.truncate(count);
        }
        let mut spans: Vec<usize> = spans.into_iter().map(|(_, at)| at).collect();
        spans.sort_unstable();
        spans
    }

    /// The pose half-way between two keys, as a player shows it.
    pub(crate) fn between(&self, at: usize, figure: &mut Figure<'_>) {
        figure.want_nothing();
        let rotations = self.row(at).iter().zip(self.row(at + 1));
        for (&joint, (a, b)) in self.turned.iter().zip(rotations) {
            figure.locals[joint.index()].rotation = a.slerp(*b, 0.5);
        }
        for (&joint, (a, b)) in self.moved.iter().zip(self.way(at).iter().zip(self.way(at + 1))) {
            figure.locals[joint.index()].translation = (a + b) / 2.0;
        }
        figure.stand();
    }

    /// How far the farthest joint is from where it is in another pose; metres.
    pub(crate) fn apart(&self, one: &Figure<'_>, other: &Figure<'_>) -> f32 {
        let apart = self.turned.iter().map(|&joint| one.place(joint).distance(other.place(joint)));
        apart.fold(0.0, f32::max)
    }

    pub(crate) fn into_clip(self, work: &Work<'_>) -> Clip {
        let times: std::sync::Arc<[f32]> = work.record.times.as_slice().into();
        let curve = |values: Vec<Quat>| Curve::new(times.clone(), values, Interpolation::Linear);
        let moves = |values: Vec<Vec3>| Curve::new(times.clone(), values, Interpolation::Linear);
        let column = |column: usize| {
            self.rotations.iter().copied().skip(column).step_by(self.turned.len()).collect()
        };
        let way = |column: usize| {
            self.ways.iter().copied().skip(column).step_by(self.moved.len()).collect()
        };
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

/// The bones that both bodies have.
fn bones(work: &Work<'_>) -> Vec<Bone> {
    let source = link::bones(&work.map.from);
    let pair = |(slot, start, end): (Slot, JointId, JointId)| {
        let (_, from, to) = source.iter().find(|bone| bone.0 == slot)?;
        let from = [work.record.column(*from)?, work.record.column(*to)?];
        Some(Bone { slot, from, to: [start, end] })
    };
    link::bones(&work.map.to).into_iter().filter_map(pair).collect()
}
