//! A crowd on the GPU: how long it takes, and how far its palettes are from the processor's.

use std::time::Duration;

use sinew::Scene;
use sinew::crowd::gpu::{Crowd, CrowdError, Output};
use sinew::glam::{Affine3A, Mat3A, Vec3A};
use sinew::motion::SampledClip;
use sinew::render::Gpu;

use super::cast::Cast;
use super::processor;
use super::report::Difference;
use crate::fault::Fault;
use sinew::render::{PassTimer, Repeat};

/// Characters whose palettes are compared, at most.
const COMPARED: usize = 1024;

/// What is written for each character: what an image needs, or the joints of who has nothing to draw.
pub(crate) fn output(scene: &Scene) -> Output<'_> {
    match scene.instances.is_empty() {
        true => Output::Joints,
        false => Output::Scene(scene),
    }
}

/// How many matrices that is.
pub(crate) fn matrices(scene: &Scene) -> usize {
    match scene.instances.is_empty() {
        true => scene.skeleton().len(),
        false => binds(scene).len(),
    }
}

/// Whose matrices, each times what.
fn binds(scene: &Scene) -> Vec<(usize, Affine3A)> {
    if scene.instances.is_empty() {
        return (0..scene.skeleton().len()).map(|joint| (joint, Affine3A::IDENTITY)).collect();
    }
    let skins = scene.skins.iter().flat_map(|skin| skin.joints.iter().zip(&skin.joint_from_mesh));
    let skins = skins.map(|(joint, bind)| (joint.index(), *bind));
    let nodes = scene.instances.iter().map(|it| (it.joint.index(), Affine3A::IDENTITY));
    skins.chain(nodes).collect()
}

/// A crowd as it was cast, posed in its models.
pub(crate) fn crowd(
    gpu: &Gpu,
    scene: &Scene,
    sampled_clips: &[SampledClip],
    cast: &Cast,
) -> Result<(Crowd, Difference), Fault> {
    let work = |error: CrowdError| match error {
        CrowdError::NoCompute { .. } => Fault::Work(format!("{error}: --on cpu")),
        error => error.into(),
    };
    let mut crowd =
        Crowd::new(gpu, scene.skeleton(), output(scene), sampled_clips).map_err(work)?;
    let few = Cast {
        parts: cast.parts.iter().take(COMPARED).copied().collect(),
        standing: Vec::new(),
        seeds: Vec::new(),
    };
    crowd.write(&few.parts)?;
    crowd.run()?;
    let difference = compare(scene, sampled_clips, &few, &crowd.read()?);
    crowd.write(&cast.parts)?;
    crowd.run()?;
    gpu.wait()?;
    Ok((crowd, difference))
}

/// The farthest that any number is from what the processor makes of the same parts.
fn compare(
    scene: &Scene,
    sampled_clips: &[SampledClip],
    cast: &Cast,
    found: &[Affine3A],
) -> Difference {
    let mut crowd = processor::crowd(scene, sampled_clips, cast);
    crowd.pose();
    let (joints, binds) = (scene.skeleton().len(), binds(scene));
    let (mut most, mut largest) = (0.0_f32, 0.0_f32);
    let size = |matrix: &Affine3A| {
        matrix.to_cols_array().into_iter().fold(0.0_f32, |most, number| most.max(number.abs()))
    };
    for (models, found) in crowd.models().chunks(joints.max(1)).zip(found.chunks(binds.len())) {
        for ((joint, bind), found) in binds.iter().zip(found) {
            let model = affine(&models[*joint]);
            let expected = model * *bind;
            let pairs = expected.to_cols_array().into_iter().zip(found.to_cols_array());
            most = pairs.map(|(a, b)| (a - b).abs()).fold(most, f32::max);
            largest = largest.max(size(&model)).max(size(bind)).max(size(&expected));
        }
    }
    Difference { most, bound: 1e-6 * largest * (depth(scene) + 3) as f32, of: cast.parts.len() }
}

fn affine(rows: &sinew::crowd::Matrix) -> Affine3A {
    let column = |at: usize| Vec3A::new(rows[0][at], rows[1][at], rows[2][at]);
    Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

/// Levels of the tree.
fn depth(scene: &Scene) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for parent in scene.skeleton().parents() {
        depths.push(parent.map_or(1, |parent| depths[parent.index()] + 1));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Milliseconds to pose everyone, and whether by the GPU's own clock.
pub(crate) fn pose_ms(gpu: &Gpu, crowd: &Crowd) -> Result<(f64, bool), Fault> {
    let timer = PassTimer::new(gpu);
    let repeat = Repeat { runs: 3, time: Duration::from_millis(200) };
    let ms = timer.best(repeat, |encoder, times| crowd.encode(encoder, times))?;
    Ok((ms, timer.has_clock()))
}
