//! Vertices that are sums: each weight has a point of its own, in its joint's space.
//!
//! In:  the weights of a vertex.
//! Out: where it is in mesh space, its influences, and the skin that they count in.
//!
//! A renderer of the format adds up `weight · (joint · point)` and nothing else. Where the points of
//! a vertex fall together in the bind pose and its weights sum to one, that is an ordinary skin.
//! Elsewhere the skin gets further entries, so that the sum is the same in every pose: a joint once
//! more with a binding that is moved by how far a point is off, and, for what a sum lacks to one or
//! has over, a node that stays at the origin with a binding that takes every vertex there.

use std::collections::HashMap;
use std::ops::Range;

use glam::{Affine3A, DAffine3, DVec3, Mat3A, Vec3, Vec3A};
use sinew_scene::{Influence, Influences, JointId, Node, Skin, Transform};

use super::joints::Pose;
use super::words::Words;
use crate::note::counted;
use crate::open::Context;
use crate::{ImportError, Place};

/// More than any model has; beyond it a file is an attack on the clock.
const MAX_WEIGHTS: usize = 1024;
/// Beyond it a weight is no share of anything.
const LARGEST_WEIGHT: f64 = 1e4;
/// Six decimals, as exporters write them, leave sums and points (by the model's size) this far off.
const ROUNDING: f64 = 4e-6;

/// One term of a vertex's sum.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    joint: usize,
    weight: f64,
    /// In the joint's own space.
    point: DVec3,
}

impl Weight {
    pub(super) fn read(words: &mut Words<'_>) -> Result<Self, ImportError> {
        let joint = words.count("a joint's number")?;
        Ok(Self { joint, weight: words.number_up_to(LARGEST_WEIGHT)?, point: words.vector()? })
    }
}

/// The skin as it grows with the vertices that need more than the joints.
pub(super) struct Binding<'a> {
    bind: &'a [Pose],
    skin: Skin,
    /// Further entries, by joint and by how far points are off, in steps of `step`.
    moved: HashMap<(usize, [i64; 3]), u32>,
    /// The entry that takes every vertex to the origin.
    origin: Option<u32>,
    /// Where each weight's point of the open mesh is in the bind pose.
    points: Vec<DVec3>,
    /// How far apart points of a vertex may be, by rounding alone.
    apart: f64,
    sums: usize,
    disagreeing: usize,
    without: usize,
}

impl<'a> Binding<'a> {
    pub(super) fn new(bind: &'a [Pose], node_of: Vec<JointId>) -> Self {
        let joint_from_mesh = bind.iter().map(|pose| affine(inverse(*pose))).collect();
        Self {
            bind,
            skin: Skin { joints: node_of, joint_from_mesh, ..Skin::default() },
            moved: HashMap::new(),
            origin: None,
            points: Vec::new(),
            apart: 0.0,
            sums: 0,
            disagreeing: 0,
            without: 0,
        }
    }

    /// Turns to the weights of another mesh.
    pub(super) fn open(&mut self, weights: &[Weight], place: &Place) -> Result<(), ImportError> {
        let joints = self.bind.len();
        if let Some(weight) = weights.iter().find(|weight| weight.joint >= joints) {
            let text = format!("expected a joint below {joints}, found {}", weight.joint);
            return Err(ImportError::out_of_range(place.clone(), text));
        }
        let bind = self.bind;
        self.points.clear();
        self.points.extend(weights.iter().map(|weight| bind[weight.joint].point(weight.point)));
        let size = self.points.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
        self.apart = ROUNDING * size;
        Ok(())
    }

    /// Where the vertex with these weights is in mesh space; its influences are added.
    pub(super) fn vertex(
        &mut self,
        weights: &[Weight],
        own: Range<usize>,
        influences: &mut Influences,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Vec3, ImportError> {
        let weights = &weights[own.clone()];
        if weights.len() > MAX_WEIGHTS {
            let (most, found) = (MAX_WEIGHTS, weights.len());
            let text = format!("expected at most {most} weights a vertex, found {found}");
            return Err(ImportError::out_of_range(place.clone(), text));
        }
        context.budget.take(weights.len(), size_of::<Influence>(), place)?;
        let points = &self.points[own.clone()];
        let sum: f64 = weights.iter().map(|weight| weight.weight).sum();
        let total = weights.iter().zip(points).map(|(weight, point)| *point * weight.weight);
        let middle = total.sum::<DVec3>() / sum;
        let counts = |weight: &Weight| weight.weight != 0.0;
        let good_sum = (sum - 1.0).abs() <= ROUNDING && weights.iter().all(|w| w.weight >= 0.0);
        let agree = weights.iter().zip(points).all(|(weight, point)| {
            !counts(weight) || (*point - middle).abs().max_element() <= self.apart
        });
        if good_sum && agree {
            influences.push(weights.iter().map(|weight| influence(weight.joint, weight.weight)));
            return Ok(middle.as_vec3());
        }
        self.without += usize::from(!weights.iter().any(counts));
        self.sums += usize::from(!good_sum && weights.iter().any(counts));
        self.disagreeing += usize::from(!agree && good_sum);
        self.sum(weights, own, good_sum, influences, place, context)
    }

    /// A vertex that keeps every term of its sum.
    fn sum(
        &mut self,
        weights: &[Weight],
        own: Range<usize>,
        good_sum: bool,
        influences: &mut Influences,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Vec3, ImportError> {
        let largest = own
            .clone()
            .zip(weights)
            .max_by(|(_, a), (_, b)| a.weight.abs().total_cmp(&b.weight.abs()));
        // The point of the largest weight is taken for the vertex; the others are off from it.
        let vertex = largest.map_or(DVec3::ZERO, |(at, _)| self.points[at]);
        let mut terms = Vec::with_capacity(weights.len() + 1);
        for weight in weights.iter().filter(|weight| weight.weight != 0.0) {
            let off = weight.point - inverse(self.bind[weight.joint]).transform_point3(vertex);
            let entry = self.entry(weight.joint, off, place, context)?;
            terms.push(influence(entry, weight.weight));
        }
        if good_sum {
            influences.push(terms);
        } else {
            let rest = 1.0 - terms.iter().map(|term| f64::from(term.weight)).sum::<f64>();
            terms.push(influence(self.origin(), rest));
            influences.push_exact(terms);
        }
        Ok(vertex.as_vec3())
    }

    /// The entry of a joint whose points are `off` from where its binding puts vertices.
    fn entry(
        &mut self,
        joint: usize,
        off: DVec3,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<usize, ImportError> {
        // Points that are off by nearly the same share an entry.
        let step = 0.25 * self.apart.max(f64::MIN_POSITIVE);
        let steps = (off / step).round();
        if steps == DVec3::ZERO {
            return Ok(joint);
        }
        #[allow(clippy::cast_possible_truncation, reason = "beyond 64 bits it saturates")]
        let key = (joint, steps.to_array().map(|steps| steps as i64));
        if let Some(&known) = self.moved.get(&key) {
            return Ok(known as usize);
        }
        context.budget.take(1, 2 * size_of::<(Affine3A, JointId)>(), place)?;
        let moved = DAffine3::from_translation(off) * inverse(self.bind[joint]);
        let entry = self.add(self.skin.joints[joint], affine(moved));
        self.moved.insert(key, entry);
        Ok(entry as usize)
    }

    fn origin(&mut self) -> usize {
        // The node comes when all is done, if it is needed: see `into_skin`.
        let nothing = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
        let origin = self.origin.unwrap_or_else(|| self.add(JointId::new(0), nothing));
        self.origin = Some(origin);
        origin as usize
    }

    fn add(&mut self, joint: JointId, joint_from_mesh: Affine3A) -> u32 {
        self.skin.joints.push(joint);
        self.skin.joint_from_mesh.push(joint_from_mesh);
        #[allow(clippy::cast_possible_truncation, reason = "the budget ends far below")]
        let entry = (self.skin.joints.len() - 1) as u32;
        entry
    }

    pub(super) fn report(&self, context: &mut Context<'_>) {
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                let vertices = counted(count, "vertex has", "vertices have");
                context.notes.add(Place::Whole, format!("{vertices} {what}"));
            }
        };
        say(self.without, "no weight: at the model's origin in every pose");
        say(self.sums, "weights that do not sum to one: they are added up as filed");
        say(self.disagreeing, "weights whose points do not fall together: each keeps its own");
    }

    /// The skin, with a node more where some vertex needs the origin.
    pub(super) fn into_skin(mut self, nodes: &mut Vec<Node>) -> Skin {
        if let Some(origin) = self.origin {
            self.skin.joints[origin as usize] = JointId::new(nodes.len());
            nodes.push(Node::new("model origin", None, Transform::IDENTITY));
        }
        self.skin
    }
}

fn influence(entry: usize, weight: f64) -> Influence {
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant; entries are few")]
    Influence { joint: entry as u32, weight: weight as f32 }
}

fn inverse(pose: Pose) -> DAffine3 {
    DAffine3::from_rotation_translation(pose.rotation, pose.translation).inverse()
}

fn affine(matrix: DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(matrix.matrix3.as_mat3(), matrix.translation.as_vec3())
}
