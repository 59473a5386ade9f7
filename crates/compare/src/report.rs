//! What a comparison found: plain data, for programs and for people.
//!
//! Distances are in metres, angles in degrees, times in seconds from the start of a clip. A is the reference.

use crate::structure::Structure;

/// How far apart two models are.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// What one has and the other has not.
    pub structure: Structure,
    /// How joints were paired, and how many.
    pub joints: JointMatch,
    /// How the vertices of meshes were paired; empty where not both have meshes.
    pub meshes: Vec<MeshPair>,
    /// What B was scaled by before it was measured; 1 unless that was asked for.
    pub scale: f64,
    /// The rest poses.
    pub rest: Measure,
    /// Every pair of clips, in the order of A.
    pub clips: Vec<ClipComparison>,
}

/// How far apart two clips are.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipComparison {
    /// The clip of A.
    pub a: String,
    /// The clip of B.
    pub b: String,
    /// How they were paired.
    pub how: ClipMatch,
    /// The seconds that each lasts. What the longer one has beyond the shorter is not measured.
    pub durations: [f32; 2],
    /// At how many moments joints were compared.
    pub moments: usize,
    /// At how many of them vertices were compared: fewer where there are millions of vertices and many moments.
    pub skin_moments: usize,
    /// How far the last pose of each is from its first, root motion apart: 0 for one that loops.
    pub loop_gaps: [f64; 2],
    /// What was measured.
    pub measure: Measure,
}

/// How two clips were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipMatch {
    /// They were asked for.
    Asked,
    /// They have the same name.
    Name,
    /// Their names are the same but for what is before the last `|`, and for capitals.
    Stem,
    /// Each is the only one that was left.
    OnlyOnes,
}

/// How joints were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JointMatch {
    /// By the map that was given.
    pub mapped: usize,
    /// By the same name.
    pub by_name: usize,
    /// By names that are the same but for what is before the last `:` or `|`, and for capitals.
    pub by_stem: usize,
    /// By their order alone: nodes without a name, and trees of the same shape whose names have nothing in common.
    pub by_order: usize,
}

impl JointMatch {
    /// How many pairs there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.mapped + self.by_name + self.by_stem + self.by_order
    }
}

/// How the vertices of two meshes were paired.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshPair {
    /// The mesh of A, or several.
    pub a: String,
    /// The mesh of B, or several.
    pub b: String,
    /// How many vertices each has.
    pub vertices: [usize; 2],
    /// How they were paired.
    pub how: MeshMatch,
}

/// How vertices were paired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshMatch {
    /// One by one, in order.
    Index,
    /// Each with the nearest at bind: their numbers differ, or their order does.
    Nearest {
        /// The farthest that two partners are apart there.
        gap: f64,
    },
}

/// How far apart two poses, or all poses of two clips, are.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measure {
    /// At the vertices; `None` where not both have meshes.
    pub skin: Option<SkinMeasure>,
    /// At the joints.
    pub joints: JointMeasure,
    /// How far the root strays on its path; `None` at rest, or where no root is in both.
    pub root: Option<RootDrift>,
    /// The largest difference of speeds: a pop in one of them; `None` at rest.
    pub speed: Option<SpeedPlace>,
    /// The worst of every pair of vertices, where [`CompareOptions::keep_vertices`](crate::CompareOptions::keep_vertices) asks for it, by the
    /// numbers of the vertices of A: all primitives of all instances, in order; not a number for one without a partner.
    pub vertices: Vec<f32>,
}

/// Distances of vertices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkinMeasure {
    /// The largest, where and when.
    pub worst: SkinPlace,
    /// What 99 % of all distances do not exceed.
    pub p99: f64,
    /// The root of the mean square of all distances.
    pub rms: f64,
}

/// A vertex at a moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkinPlace {
    /// How far it is off.
    pub metres: f64,
    /// When.
    pub time: f32,
    /// The mesh of A that it is in.
    pub mesh: String,
    /// Its number in that mesh, over all primitives.
    pub vertex: usize,
    /// The joint that influences it most.
    pub joint: String,
    /// Where it is in A.
    pub position: [f64; 3],
}

/// Distances and angles of joints.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct JointMeasure {
    /// The farthest off, where and when; `None` where no joint is paired.
    pub worst: Option<JointPlace>,
    /// What 99 % of all distances do not exceed.
    pub p99: f64,
    /// The root of the mean square of all distances.
    pub rms: f64,
    /// The one rotated farthest off, where and when.
    pub worst_angle: Option<AnglePlace>,
    /// Every paired joint with its own worst, in the order of A.
    pub each: Vec<JointDifference>,
}

/// A joint at a moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointPlace {
    /// How far it is off.
    pub metres: f64,
    /// When.
    pub time: f32,
    /// Its name in A.
    pub joint: String,
}

/// A joint that is rotated otherwise at a moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AnglePlace {
    /// How far it is rotated off, in the model.
    pub degrees: f64,
    /// When.
    pub time: f32,
    /// Its name in A.
    pub joint: String,
}

/// The worst of one joint over all moments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointDifference {
    /// Its name in A.
    pub a: String,
    /// Its name in B.
    pub b: String,
    /// The farthest that it is off.
    pub metres: f64,
    /// When that is.
    pub metres_at: f32,
    /// The farthest that it is rotated off, in the model.
    pub degrees: f64,
    /// When that is.
    pub degrees_at: f32,
    /// Whether `degrees` is of its rotation away from rest: its axes lie otherwise in the two models, but it is rotated
    /// more alike from there.
    pub from_rest: bool,
}

/// How far the root of B strays from the path of that of A, each from where it begins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RootDrift {
    /// The root's name in A.
    pub joint: String,
    /// At the end.
    pub end: f64,
    /// The most.
    pub worst: f64,
    /// When that is.
    pub time: f32,
}

/// A difference of speeds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpeedPlace {
    /// How far the two velocities are apart, in metres a second.
    pub metres_per_second: f64,
    /// From when.
    pub from: f32,
    /// Until when.
    pub to: f32,
    /// The joint, or that which influences the vertex most.
    pub joint: String,
    /// The mesh and the number of the vertex; `None` where joints are measured alone.
    pub vertex: Option<(String, usize)>,
}
