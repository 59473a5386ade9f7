//! The whole comparison: pairs first, then the rest poses, then clip after clip.

use std::sync::atomic::AtomicU64;

use rayon::prelude::*;
use sinew_scene::glam::{DAffine3, DQuat};
use sinew_scene::{Clip, ClipId, JointId, Scene};

use crate::align::{Aligner, rotation};
use crate::bound::{Least, SkinBound};
use crate::measure::Meter;
use crate::pairs::clips::{self, ClipPair};
use crate::pairs::joints::JointPairs;
use crate::pairs::vertices::{Both, VertexPairs};
use crate::posed::Posed;
use crate::report::{ClipComparison, Comparison};
use crate::structure::{OnlyIn, Structure, carriers};
use crate::surface::Surface;
use crate::{CompareError, CompareOptions, root, times};

/// Rates above this are of no use.
const MAX_RATE: f64 = 10_000.0;

/// Measures B against A.
///
/// # Errors
/// When what was asked for is not there, or the two have nothing in common that could be measured.
pub fn compare(a: &Scene, b: &Scene, options: &CompareOptions) -> Result<Comparison, CompareError> {
    Ok(Comparer::new(a, b, options)?.compare())
}

/// Two models whose clips, joints and vertices are paired: to be compared as a whole, or at single moments for a heat
/// map.
///
/// ```
/// use sinew_compare::{Comparer, CompareOptions};
/// # let scene = sinew_scene::Scene::new(sinew_scene::SceneParts {
/// #     nodes: vec![sinew_scene::Node::new("hips", None, sinew_scene::Transform::IDENTITY)],
/// #     ..sinew_scene::SceneParts::default()
/// # })?;
/// let comparer = Comparer::new(&scene, &scene, &CompareOptions::default())?;
/// let moment = comparer.at(None, 0.0); // the rest poses
/// assert_eq!(moment.joints, [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Comparer<'a> {
    scenes: [&'a Scene; 2],
    surfaces: [Surface<'a>; 2],
    joints: JointPairs,
    /// The pairs of joints that are measured.
    measured: Vec<(JointId, JointId)>,
    /// How those are rotated at rest.
    rest: Vec<[DQuat; 2]>,
    vertices: VertexPairs,
    clips: Vec<ClipPair>,
    /// What can be said of the skin without skinning, where the worst alone is wanted.
    bound: Option<SkinBound<'a>>,
    root: Option<(JointId, JointId)>,
    aligner: Aligner,
    options: CompareOptions,
}

/// How far apart two models are at one moment, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MomentDistances {
    /// For each vertex of A: all primitives of all instances, in order. Not a number for those without a partner.
    pub vertices: Vec<f32>,
    /// For each node of A; not a number for those without a partner.
    pub joints: Vec<f32>,
}

impl<'a> Comparer<'a> {
    /// Pairs what the two have in common.
    ///
    /// # Errors
    /// When what was asked for is not there, or the two have nothing in common that could be measured.
    pub fn new(a: &'a Scene, b: &'a Scene, options: &CompareOptions) -> Result<Self, CompareError> {
        if !(options.rate > 0.0 && options.rate <= MAX_RATE) {
            return Err(CompareError::Rate(options.rate));
        }
        let joints = JointPairs::new(a, b, &options.joints)?;
        let clips = clips::pair(a, b, &options.clips)?;
        let surfaces = [Surface::new(a), Surface::new(b)];
        let [of_a, mut of_b] = [Posed::new(a), Posed::new(b)];
        let root = root::find(a, b, &joints);
        let aligner = Aligner::new(options.align, root, &joints.pairs, [&of_a, &of_b]);
        of_b.move_by(aligner.starting(&of_a, &of_b).matrix(&of_a, &of_b));
        let measured = measured_joints(a, b, &joints);
        let rest = measured.iter().map(|(joint_a, joint_b)| {
            [rotation(&of_a.joints()[joint_a.index()]), rotation(&of_b.joints()[joint_b.index()])]
        });
        let rest = rest.collect();
        let vertices = VertexPairs::new(&Both {
            surfaces: [&surfaces[0], &surfaces[1]],
            posed: [of_a.into(), of_b.into()],
            joints: &joints,
        });
        let nodes = [a.skeleton().len(), b.skeleton().len()];
        if joints.pairs.is_empty() && vertices.pairs.is_empty() && nodes != [0, 0] {
            return Err(CompareError::NothingInCommon { joints: nodes });
        }
        let wanted = options.worst_only && !options.keep_vertices;
        let bound = if wanted {
            SkinBound::new([&surfaces[0], &surfaces[1]], &joints, &vertices.pairs)
        } else {
            None
        };
        Ok(Self {
            bound,
            rest,
            options: options.clone(),
            scenes: [a, b],
            surfaces,
            joints,
            measured,
            vertices,
            clips,
            root,
            aligner,
        })
    }

    /// Measures everything.
    #[must_use]
    pub fn compare(&self) -> Comparison {
        let [a, b] = self.scenes;
        let meter = self.meter();
        let of_all = AtomicU64::new(0);
        let measured = |pair: &ClipPair| {
            let least = Least::among(&of_all, self.options.worst_of_all_below);
            clip(&meter, *pair, self.options.rate, &least)
        };
        // Where all vertices are skinned, those of one clip at a time are in memory.
        let clips = match self.bound {
            Some(_) => self.clips.par_iter().map(measured).collect(),
            None => self.clips.iter().map(measured).collect(),
        };
        let only_meshes = only_meshes(&self.surfaces, &self.vertices);
        Comparison {
            structure: Structure::new(a, b, &self.joints, self.only_clips(), only_meshes),
            joints: self.joints.how,
            scale: self.aligner.scale,
            rest: meter.rest(),
            clips,
            meshes: self.vertices.meshes.clone(),
        }
    }

    /// Measures one moment of a pair of clips, by its number in [`Comparison::clips`]; of none, the rest poses.
    ///
    /// # Panics
    /// When there is no pair of that number.
    #[must_use]
    pub fn at(&self, clip: Option<usize>, time: f32) -> MomentDistances {
        let clips = clip.map(|clip| {
            let pair = &self.clips[clip];
            [&self.scenes[0].clips[pair.a], &self.scenes[1].clips[pair.b]]
        });
        self.meter().at(clips, time)
    }

    /// The number of the clip of A in a pair of clips.
    ///
    /// # Panics
    /// When there is no pair of that number.
    #[must_use]
    pub fn clip_of_a(&self, clip: usize) -> ClipId {
        ClipId::new(self.clips[clip].a)
    }

    /// The number of the clip of B in a pair of clips.
    ///
    /// # Panics
    /// When there is no pair of that number.
    #[must_use]
    pub fn clip_of_b(&self, clip: usize) -> ClipId {
        ClipId::new(self.clips[clip].b)
    }

    fn meter(&self) -> Meter<'_> {
        Meter {
            scenes: self.scenes,
            surfaces: [&self.surfaces[0], &self.surfaces[1]],
            joints: &self.measured,
            rest: &self.rest,
            vertices: &self.vertices.pairs,
            root: self.root,
            aligner: &self.aligner,
            keep_vertices: self.options.keep_vertices,
            bound: self.bound.as_ref(),
        }
    }

    fn only_clips(&self) -> OnlyIn {
        // Who asks for some clips does not ask for the others.
        if !self.options.clips.is_empty() {
            return OnlyIn::default();
        }
        let names =
            self.scenes.map(|scene| scene.clips.iter().map(|clip| &clip.name[..]).collect());
        let [of_a, of_b] = clips::left(&names, &self.clips);
        let named = |side: usize, left: Vec<usize>| {
            left.into_iter().map(|clip| names[side][clip].to_owned()).collect()
        };
        OnlyIn { a: named(0, of_a), b: named(1, of_b) }
    }
}

/// The pairs of joints that count: not nodes that merely carry a camera, a light, or a mesh that other joints deform.
/// Formats look along different axes from these.
fn measured_joints(a: &Scene, b: &Scene, joints: &JointPairs) -> Vec<(JointId, JointId)> {
    let idle = [a, b].map(|scene| {
        let mut idle = carriers(scene);
        let rigid = scene.instances.iter().filter(|instance| instance.skin.is_none());
        rigid.for_each(|instance| idle[instance.joint.index()] = false);
        idle
    });
    let pairs = joints.pairs.iter().copied();
    pairs.filter(|(a, b)| !(idle[0][a.index()] && idle[1][b.index()])).collect()
}

fn only_meshes(surfaces: &[Surface<'_>; 2], vertices: &VertexPairs) -> OnlyIn {
    let named = |side: usize| {
        let left = vertices.left[side].iter();
        left.map(|&instance| surfaces[side].mesh_name(instance).to_owned()).collect()
    };
    OnlyIn { a: named(0), b: named(1) }
}

fn clip(meter: &Meter<'_>, pair: ClipPair, rate: f64, least: &Least<'_>) -> ClipComparison {
    let clips = [&meter.scenes[0].clips[pair.a], &meter.scenes[1].clips[pair.b]];
    let moments = times::moments(clips[0], clips[1], rate);
    let measured = meter.measure(Some(clips), moments, least);
    let gaps = [0, 1].map(|side| loop_gap(meter, side, clips[side]));
    ClipComparison {
        a: clips[0].name.clone(),
        b: clips[1].name.clone(),
        how: pair.how,
        durations: clips.map(|clip| clip.duration),
        moments: measured.moments,
        skin_moments: measured.skin_moments,
        loop_gaps: [gaps[0], gaps[1] * meter.aligner.scale],
        measure: measured.measure,
    }
}

/// How far the joints of a clip's last pose are from those of its first, with the roots of both in one place.
fn loop_gap(meter: &Meter<'_>, side: usize, clip: &Clip) -> f64 {
    let scene = meter.scenes[side];
    let [mut first, mut last] = [Posed::new(scene), Posed::new(scene)];
    first.set(Some(clip), 0.0);
    last.set(Some(clip), clip.duration);
    if let Some(root) = meter.root {
        let root = [root.0, root.1][side].index();
        let rigid = |matrix: &DAffine3| {
            DAffine3::from_rotation_translation(rotation(matrix), matrix.translation)
        };
        let back = rigid(&first.joints()[root]) * rigid(&last.joints()[root]).inverse();
        last.move_by(back);
    }
    let joints = meter.joints.iter().map(|pair| [pair.0, pair.1][side].index());
    let apart =
        joints.map(|at| first.joints()[at].translation.distance(last.joints()[at].translation));
    apart.fold(0.0, f64::max)
}
