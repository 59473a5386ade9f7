//! Weights of vertices: `weight-sum`, `weight-none`, `influences`.

use glam::{Affine3A, Vec3A};
use sinew_import::{Format, NoteCode};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Influence, InstanceId, Skin};

use crate::facts::{Facts, skinned};
use crate::finding::counted;
use crate::table::{INFLUENCES, WEIGHT_NONE, WEIGHT_SUM};
use crate::{Finding, Measured, Place, Severity};

/// From here on a sum that is off can be seen: one step of eight bits.
const VISIBLE: f32 = 1.0 / 255.0;
/// What every engine reads.
const USUAL_INFLUENCES: usize = 4;
/// A loss below this is not seen, in millimetres.
const LOSS: f32 = 0.1;
/// So many vertices and moments are looked at for the loss.
const VERTICES: usize = 400;
const MOMENTS: usize = 16;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    sums(facts, found);
    none(facts, found);
    influences(facts, found);
}

fn sums(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.details(NoteCode::WeightSum) {
        let off = note.measured.unwrap_or(0.0);
        let message = format!(
            "the weights of {} do not sum to one, off by up to {}",
            counted(note.count, "vertex", "vertices"),
            if off >= 1e-3 { format!("{:.1} %", off * 100.0) } else { format!("{off:.1e}") }
        );
        let place = Place::file(note.place.to_string());
        let finding = Finding::new(WEIGHT_SUM, place, Measured::new(off, "", VISIBLE), message);
        // The difference between one and a rounding error is what one sees.
        let severity = match off >= VISIBLE * 0.99 {
            // Other formats leave it to the reader to divide by the sum, and most do.
            true if facts.model.format == Format::Gltf => Severity::Error,
            true => Severity::Warning,
            false => Severity::Info,
        };
        found.push(finding.times(note.count).severity(severity));
    }
}

fn none(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for (id, instance, _) in skinned(facts.scene) {
        let (mut count, mut first, mut before) = (0, None, 0);
        let mesh = &facts.scene[instance.mesh];
        for primitive in &mesh.primitives {
            let empty = primitive.influences.iter().enumerate().filter(|(_, of)| of.is_empty());
            for (vertex, _) in empty {
                first.get_or_insert(before + vertex);
                count += 1;
            }
            if primitive.influences.is_empty() {
                first.get_or_insert(before);
                count += primitive.positions.len();
            }
            before += primitive.positions.len();
        }
        let Some(first) = first.filter(|_| count > 0) else { continue };
        let message = format!(
            "{} of {before} {} no weights",
            count,
            if count == 1 { "vertex has" } else { "vertices have" }
        );
        let place = Place::instance(id).vertex(first);
        let measured = Measured::count(count, "vertices", 0);
        found.push(Finding::new(WEIGHT_NONE, place, measured, message).times(count));
    }
}

fn influences(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let limit = facts.engine.map_or(USUAL_INFLUENCES, |engine| engine.influences);
    let mut crowded: Vec<Crowded<'_>> = Vec::new();
    let (mut count, mut most) = (0, 0);
    for (id, instance, skin) in skinned(facts.scene) {
        let mut before = 0;
        for primitive in &facts.scene[instance.mesh].primitives {
            for (vertex, of) in primitive.influences.iter().enumerate() {
                if of.len() > limit {
                    count += 1;
                    most = most.max(of.len());
                    let position = primitive.positions[vertex].into();
                    crowded.push(Crowded { id, vertex: before + vertex, position, of, skin });
                }
            }
            before += primitive.positions.len();
        }
    }
    let Some(first) = crowded.first() else { return };
    let mut place = Place::instance(first.id).vertex(first.vertex);
    let mut worst = 0.0;
    let step = crowded.len().div_ceil(VERTICES);
    each_pose(facts, |pose| {
        for one in crowded.iter().step_by(step) {
            let lost = one.lost(limit, pose) * 1000.0;
            if lost > worst {
                worst = lost;
                place = Place::instance(one.id).vertex(one.vertex);
            }
        }
    });
    let message = format!(
        "{} more than {limit} influences, up to {most}; with {limit} alone the skin is off by up to {worst:.2} mm",
        counted(count, "vertex has", "vertices have")
    );
    let finding = Finding::new(INFLUENCES, place, Measured::new(worst, "mm", LOSS), message);
    let severity = if worst > LOSS { Severity::Warning } else { Severity::Info };
    found.push(finding.times(count).severity(severity));
}

/// A vertex with many influences.
struct Crowded<'a> {
    id: InstanceId,
    vertex: usize,
    position: Vec3A,
    of: &'a [Influence],
    skin: &'a Skin,
}

impl Crowded<'_> {
    /// How far it is off with the largest few alone, in metres.
    fn lost(&self, limit: usize, model_from_joint: &[Affine3A]) -> f32 {
        let mut sorted = self.of.to_vec();
        sorted.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let place = |of: &[Influence]| {
            let sum: f32 = of.iter().map(|one| one.weight).sum();
            let at = of.iter().fold(Vec3A::ZERO, |at, one| {
                let joint = self.skin.joints[one.joint as usize];
                let matrix = self.skin.joint_from_mesh[one.joint as usize];
                let in_joint = matrix.transform_point3a(self.position);
                at + model_from_joint[joint.index()].transform_point3a(in_joint) * one.weight
            });
            at / sum
        };
        place(&sorted).distance(place(&sorted[..limit]))
    }
}

/// A few moments of all clips, and the rest pose.
fn each_pose(facts: &Facts<'_>, mut look: impl FnMut(&[Affine3A])) {
    look(&facts.rest);
    let mut pose = Pose::new(facts.scene);
    let clips = &facts.scene.clips;
    let each = (MOMENTS / clips.len().max(1)).max(1);
    for clip in clips.iter().take(MOMENTS) {
        for at in 0..each {
            let time = clip.duration * (at as f32 + 0.5) / each as f32;
            sample(clip, time, &mut Cursor::new(), &mut pose);
            pose.to_model(facts.scene.skeleton());
            look(pose.model_from_joint());
        }
    }
}
