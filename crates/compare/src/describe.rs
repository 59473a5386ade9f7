//! From numbers of pairs to names: what was measured, where and when.

use sinew_scene::{Clip, JointId};

use crate::accumulate::{Accumulator, Distances, Worst};
use crate::measure::Meter;
use crate::posed::Posed;
use crate::report::{
    AnglePlace, JointDifference, JointMeasure, JointPlace, Measure, RootDrift, SkinMeasure,
    SkinPlace, SpeedPlace,
};

impl Meter<'_> {
    /// What was found over all moments; `drift` is that of the root at the end.
    pub(crate) fn describe(
        &self,
        found: Accumulator,
        clips: Option<[&Clip; 2]>,
        drift: f64,
    ) -> Measure {
        let of_skin = found.skin.worst.is_some();
        let speed = if of_skin { found.skin.speed } else { found.joints.speed };
        let moving = clips.is_some();
        Measure {
            skin: self.skin_measure(&found.skin, clips.map(|clips| clips[0])),
            root: self.root.filter(|_| moving).map(|root| RootDrift {
                joint: self.joint_name(root.0),
                end: drift,
                worst: found.root.error,
                time: found.root.time,
            }),
            speed: speed
                .filter(|_| moving)
                .map(|(worst, from)| self.speed_place(worst, from, of_skin)),
            joints: self.joint_measure(&found, moving),
            vertices: found.vertices,
        }
    }

    fn skin_measure(&self, found: &Distances, clip: Option<&Clip>) -> Option<SkinMeasure> {
        let worst = found.worst?;
        let vertex = self.vertices[worst.pair].0 as usize;
        let mut a = Posed::new(self.scenes[0]);
        a.set(clip, worst.time);
        let position = if self.bound.is_some() {
            a.vertex(self.surfaces[0], vertex)
        } else {
            a.skin(self.surfaces[0]);
            a.vertices()[vertex]
        };
        let (mesh, number) = self.vertex_name(vertex);
        let place = SkinPlace {
            metres: worst.error,
            time: worst.time,
            mesh,
            vertex: number,
            joint: self.joint_name(self.surfaces[0].joint(vertex)),
            position: position.to_array(),
        };
        Some(SkinMeasure { worst: place, p99: found.all.share(0.99), rms: found.all.rms() })
    }

    fn joint_measure(&self, found: &Accumulator, moving: bool) -> JointMeasure {
        // Joints whose axes lie otherwise at rest are as good as the same where they are rotated alike from there.
        let from_rest =
            |[_, plain, from_rest]: &[Worst; 3]| moving && from_rest.error < 0.5 * plain.error;
        let angle = |each: &[Worst; 3]| if from_rest(each) { each[2] } else { each[1] };
        let pairs = self.joints.iter().zip(&found.each);
        let each = pairs.map(|((a, b), own)| JointDifference {
            a: self.joint_name(*a),
            b: self.scenes[1].skeleton().node(*b).name.clone(),
            metres: own[0].error,
            metres_at: own[0].time,
            degrees: angle(own).error,
            degrees_at: angle(own).time,
            from_rest: from_rest(own),
        });
        let mut worst_angle: Option<Worst> = None;
        for own in &found.each {
            let found = angle(own);
            worst_angle.get_or_insert(found).take(found);
        }
        JointMeasure {
            worst: found.joints.worst.map(|worst| JointPlace {
                metres: worst.error,
                time: worst.time,
                joint: self.joint_name(self.joints[worst.pair].0),
            }),
            p99: found.joints.all.share(0.99),
            rms: found.joints.all.rms(),
            worst_angle: worst_angle.map(|worst| AnglePlace {
                degrees: worst.error,
                time: worst.time,
                joint: self.joint_name(self.joints[worst.pair].0),
            }),
            each: each.collect(),
        }
    }

    fn speed_place(&self, worst: Worst, from: f32, of_skin: bool) -> SpeedPlace {
        let (joint, vertex) = if of_skin {
            let vertex = self.vertices[worst.pair].0 as usize;
            (self.surfaces[0].joint(vertex), Some(self.vertex_name(vertex)))
        } else {
            (self.joints[worst.pair].0, None)
        };
        SpeedPlace {
            metres_per_second: worst.error,
            from,
            to: worst.time,
            joint: self.joint_name(joint),
            vertex,
        }
    }

    fn joint_name(&self, joint: JointId) -> String {
        self.scenes[0].skeleton().node(joint).name.clone()
    }

    /// The mesh of a vertex of A, and its number there.
    fn vertex_name(&self, vertex: usize) -> (String, usize) {
        let (part, _) = self.surfaces[0].find(vertex);
        let first = self.surfaces[0].parts_of(part.instance).first().map_or(0, |part| part.first);
        (self.surfaces[0].mesh_name(part.instance).to_owned(), vertex - first)
    }
}
