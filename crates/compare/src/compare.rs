//! The whole comparison: pairs first, then the rest poses, then clip after clip.

use sinew_scene::glam::DAffine3;
use sinew_scene::{Clip, JointId, Scene};

use crate::align::{Aligner, rotation};
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
    if !(options.rate > 0.0 && options.rate <= MAX_RATE) {
        return Err(CompareError::Rate(options.rate));
    }
    let joints = JointPairs::new(a, b, &options.joints)?;
    let clip_pairs = clips::pair(a, b, &options.clips)?;
    let surfaces = [Surface::new(a), Surface::new(b)];
    let [mut of_a, mut of_b] = [Posed::new(a), Posed::new(b)];
    let root = root::find(a, b, &joints);
    let aligner = Aligner::new(options.align, root, &joints.pairs, [&of_a, &of_b]);
    let matrix = aligner.starting(&of_a, &of_b).matrix(&of_a, &of_b);
    of_b.move_by(matrix);
    of_a.skin(&surfaces[0]);
    of_b.skin(&surfaces[1]);
    let vertices = VertexPairs::new(&Both {
        surfaces: [&surfaces[0], &surfaces[1]],
        rest: [&of_a, &of_b],
        joints: &joints,
    });
    if joints.pairs.is_empty() && vertices.pairs.is_empty() {
        let joints = [a.skeleton().len(), b.skeleton().len()];
        return Err(CompareError::NothingInCommon { joints });
    }
    let measured = measured_joints(a, b, &joints);
    let meter = Meter {
        scenes: [a, b],
        surfaces: [&surfaces[0], &surfaces[1]],
        joints: &measured,
        vertices: &vertices.pairs,
        root,
        aligner,
        keep_vertices: options.keep_vertices,
    };
    let compared = clip_pairs.iter().map(|pair| clip(&meter, *pair, options.rate)).collect();
    let only_clips = only_clips(a, b, options, &clip_pairs);
    let only_meshes = only_meshes(&surfaces, &vertices);
    Ok(Comparison {
        structure: Structure::new(a, b, &joints, only_clips, only_meshes),
        joints: joints.how,
        scale: meter.aligner.scale,
        rest: meter.rest(),
        clips: compared,
        meshes: vertices.meshes,
    })
}

/// The pairs of joints that count: not nodes that merely carry a mesh that other joints deform.
fn measured_joints(a: &Scene, b: &Scene, joints: &JointPairs) -> Vec<(JointId, JointId)> {
    let idle = [a, b].map(|scene| {
        let mut idle = carriers(scene);
        let rigid = scene.instances.iter().filter(|instance| instance.skin.is_none());
        rigid.for_each(|instance| idle[instance.joint.index()] = false);
        scene.cameras.iter().for_each(|camera| idle[camera.joint.index()] = false);
        scene.lights.iter().for_each(|light| idle[light.joint.index()] = false);
        idle
    });
    let pairs = joints.pairs.iter().copied();
    pairs.filter(|(a, b)| !(idle[0][a.index()] && idle[1][b.index()])).collect()
}

fn only_clips(a: &Scene, b: &Scene, options: &CompareOptions, pairs: &[ClipPair]) -> OnlyIn {
    // Who asks for some clips does not ask for the others.
    if !options.clips.is_empty() {
        return OnlyIn::default();
    }
    let names = [a, b].map(|scene| scene.clips.iter().map(|clip| &clip.name[..]).collect());
    let [of_a, of_b] = clips::left(&names, pairs);
    let named = |side: usize, left: Vec<usize>| {
        left.into_iter().map(|clip| names[side][clip].to_owned()).collect()
    };
    OnlyIn { a: named(0, of_a), b: named(1, of_b) }
}

fn only_meshes(surfaces: &[Surface<'_>; 2], vertices: &VertexPairs) -> OnlyIn {
    let named = |side: usize| {
        let left = vertices.left[side].iter();
        left.map(|&instance| surfaces[side].mesh_name(instance).to_owned()).collect()
    };
    OnlyIn { a: named(0), b: named(1) }
}

fn clip(meter: &Meter<'_>, pair: ClipPair, rate: f64) -> ClipComparison {
    let clips = [&meter.scenes[0].clips[pair.a], &meter.scenes[1].clips[pair.b]];
    let moments = times::moments(clips[0], clips[1], rate);
    let measured = meter.measure(Some(clips), moments);
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
