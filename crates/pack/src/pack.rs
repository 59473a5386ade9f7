//! From a clip to a packed clip: which rate, which steps, and how far off it is in the end.

use rayon::prelude::*;
use sinew_motion::Pose;
use sinew_scene::glam::Vec3;
use sinew_scene::{Clip, InstanceId, Scene};

use crate::chain::Branch;
use crate::group::Kind;
use crate::layout::Header;
use crate::measure::{Ground, Worst, measure};
use crate::plan::Plan;
use crate::search::search;
use crate::source::{Source, Truth, key_times, rates};
use crate::step::{code, step};
use crate::write::{Moving, tracks, write};
use crate::{PackError, Packed, fingerprint, shells};

/// How much of the bound may go to frames being too few, before any is rounded.
const SHARE_OF_RATE: f32 = 0.35;
/// How much of the bound a morph weight's rounding may move a vertex.
const SHARE_OF_WEIGHTS: f32 = 0.1;
/// Steps in the range of a driven value.
const VALUE_STEPS: f32 = 4096.0;

/// What is asked of a packed clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest error at the skin, in metres.
    pub error: f32,
    /// Where to measure, in metres from each joint; without it where the mesh is ([`shells`]).
    pub shell: Option<f32>,
    /// Frames a second; without it as few as the error allows.
    pub rate: Option<f32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { error: 1e-4, shell: None, rate: None }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes of the packed clip.
    pub bytes: usize,
    /// Bytes of all joints' transforms at as many frames, 40 each.
    pub raw: usize,
    /// Metres at the skin, measured on the packed clip itself against the exact one, at 60 Hz and
    /// at every key.
    pub error: f32,
    /// The node that is off by as much.
    pub joint: String,
    /// Frames a second.
    pub rate: f32,
    /// Frames.
    pub frames: usize,
    /// Frames of a segment.
    pub segment: usize,
    /// Joints' tracks that move.
    pub moving: usize,
    /// Joints' tracks that are constant, but not at rest.
    pub constant: usize,
}

/// Packs a clip of a scene. `progress` hears how much is done, from 0 to 1, now and then.
///
/// # Errors
/// When there are no joints, the clip is not finite, or no number of bits keeps the bound.
pub fn pack(
    scene: &Scene,
    clip: &Clip,
    options: &Options,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<(Packed<Vec<u8>>, Report), PackError> {
    if scene.skeleton().is_empty() {
        return Err(PackError::NoJoints);
    }
    if !(options.error > 0.0 && options.error.is_finite()) {
        return Err(PackError::Bound(options.error));
    }
    if !(clip.duration >= 0.0 && clip.duration < 7.0 * 86_400.0) {
        let (clip, time) = (clip.name.clone(), clip.duration);
        return Err(PackError::NotFinite { clip, time, joint: String::new() });
    }
    let keys = key_times(clip);
    let truth = Truth::new(scene, clip, &keys)?;
    let shells =
        options.shell.map_or_else(|| shells(scene), |shell| vec![shell; scene.skeleton().len()]);
    let source = choose_rate(scene, clip, options, &keys, &truth, &shells)?;
    let ground = Ground::new(scene, &truth, &source, &shells);
    let start = Plan::new(scene, clip, &ground, options.error);
    let mut best = Worst { error: f32::INFINITY, joint: 0 };
    // The sampler rounds a little otherwise than the search; a last breath of room makes up for it.
    for room in [0.998, 0.98, 0.9] {
        let limit = options.error * room;
        let plan = search(&ground, start.clone(), limit, progress)
            .map_err(|worst| out_of_reach(scene, options, worst))?;
        let (packed, report) = finish(scene, clip, options, &ground, &plan)?;
        if report.error <= options.error {
            return Ok((packed, report));
        }
        best.error = best.error.min(report.error);
    }
    Err(out_of_reach(scene, options, best))
}

fn out_of_reach(scene: &Scene, options: &Options, worst: Worst) -> PackError {
    let joint = scene.skeleton().nodes()[worst.joint].name.clone();
    PackError::OutOfReach { asked: options.error, reached: worst.error, joint }
}

/// As few frames as keep their share of the bound when nothing is rounded.
fn choose_rate(
    scene: &Scene,
    clip: &Clip,
    options: &Options,
    keys: &[f32],
    truth: &Truth,
    shells: &[f32],
) -> Result<Source, PackError> {
    let whole = |rate: f32| (clip.duration * rate).round().max(1.0) / clip.duration;
    let rates = match options.rate {
        Some(rate) if clip.duration > 0.0 => vec![whole(rate)],
        _ => rates(clip, keys),
    };
    let mut best: Option<(Worst, Source)> = None;
    for rate in rates {
        if clip.duration * rate >= (1 << 24) as f32 {
            return Err(PackError::TooLarge("more than 16 million frames"));
        }
        let source = Source::new(scene, clip, keys, rate);
        let ground = Ground::new(scene, truth, &source, shells);
        // The steps that hold are known to the plan; at a vanishing bound nothing is left out.
        let plan = Plan::new(scene, clip, &ground, 0.0);
        let branch = Branch::all(shells.len());
        let rows: Vec<_> = source.locals.chunks(shells.len()).map(crate::chain::exact).collect();
        let measured = measure(&ground, Some(&plan), &branch, &rows, &[], f32::INFINITY);
        let worst = measured.map_or(Worst::default(), |measured| measured.worst);
        if worst.error <= SHARE_OF_RATE * options.error {
            return Ok(source);
        }
        if best.as_ref().is_none_or(|(known, _)| worst.error < 0.9 * known.error) {
            best = Some((worst, source));
        }
    }
    match best {
        Some((worst, source)) if worst.error < 0.95 * options.error => Ok(source),
        Some((worst, _)) => Err(out_of_reach(scene, options, worst)),
        None => Err(PackError::NoJoints),
    }
}

fn finish(
    scene: &Scene,
    clip: &Clip,
    options: &Options,
    ground: &Ground<'_>,
    plan: &Plan,
) -> Result<(Packed<Vec<u8>>, Report), PackError> {
    let (mut moving, constants) = tracks(ground, plan);
    moving.extend(numbers(scene, ground.source, options.error));
    let joints = ground.parents.len();
    let source = ground.source;
    let mut header = Header {
        fingerprint: fingerprint(scene.skeleton()),
        joints: joints as u32,
        weights: scene.weight_count() as u32,
        properties: scene.properties.len() as u32,
        frames: source.frames as u32,
        rate: source.rate,
        duration: clip.duration,
        start: clip.start,
        bound: options.error,
        ..Header::default()
    };
    if joints > usize::from(u16::MAX) {
        return Err(PackError::TooLarge("more than 65535 nodes"));
    }
    let read = |bytes| Packed::read(bytes).expect("what was just written is good");
    let (bytes, _) = write(header.clone(), &clip.name, &moving, &constants)?;
    let worst = measured(scene, ground, &read(bytes));
    header.measured = worst.error;
    let (bytes, segment) = write(header, &clip.name, &moving, &constants)?;
    let report = Report {
        bytes: bytes.len(),
        raw: 40 * joints * source.frames,
        error: worst.error,
        joint: scene.skeleton().nodes()[worst.joint].name.clone(),
        rate: source.rate,
        frames: source.frames,
        segment,
        moving: moving.iter().filter(|track| track.kind < Kind::Weight).count(),
        constant: constants.rotations.len() + constants.translations.len() + constants.scales.len(),
    };
    Ok((read(bytes), report))
}

/// The error of the packed clip itself.
fn measured(scene: &Scene, ground: &Ground<'_>, packed: &Packed<Vec<u8>>) -> Worst {
    let times = ground.truth.times.par_iter().enumerate();
    let worst = times.map_init(
        || Pose::new(scene),
        |pose, (at, &time)| {
            packed.sample(time, pose);
            pose.to_model(scene.skeleton());
            let errors = pose.model_from_joint().iter().enumerate();
            errors
                .map(|(joint, model)| Worst { error: ground.error(joint, at, model), joint })
                .fold(Worst::default(), Worst::larger)
        },
    );
    worst.reduce(Worst::default, Worst::larger)
}

/// Morph weights and driven values: rounded by what they can do.
fn numbers(scene: &Scene, source: &Source, bound: f32) -> Vec<Moving> {
    let weights = scene.weight_count();
    let count = weights + 4 * scene.properties.len();
    let rest = Pose::new(scene);
    let rests: Vec<f32> =
        rest.all_weights().iter().chain(rest.properties().as_flattened()).copied().collect();
    let reaches = reaches(scene);
    let mut moving = Vec::new();
    for (index, rest) in rests.iter().enumerate() {
        let values: Vec<f32> = source.numbers.iter().skip(index).step_by(count).copied().collect();
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if (high - rest).abs().max((low - rest).abs()) < 1e-7 {
            continue;
        }
        let range = (high - low).max(1e-6);
        let (kind, place, size) = match reaches.get(index) {
            Some(reach) => {
                let size = 2.0 * SHARE_OF_WEIGHTS * bound / reach.max(1e-6);
                (Kind::Weight, index, size.min(range / 16.0))
            }
            None => (Kind::Property, index - weights, range / VALUE_STEPS),
        };
        let code = code(size);
        let whole = |value: &f32| [((value - low) / step(code)).round() as i32, 0, 0, 0];
        moving.push(Moving {
            kind,
            index: place,
            code,
            holds: false,
            fixed: vec![low.to_le_bytes()],
            steps: values.iter().map(whole).collect(),
        });
    }
    moving
}

/// How far each morph weight moves its farthest vertex, in metres.
fn reaches(scene: &Scene) -> Vec<f32> {
    let mut reaches = vec![0.0; scene.weight_count()];
    for (at, instance) in scene.instances.iter().enumerate() {
        let range = scene.weight_range(InstanceId::new(at));
        for primitive in &scene.meshes[instance.mesh.index()].primitives {
            for (reach, morph) in reaches[range.clone()].iter_mut().zip(&primitive.morphs) {
                let farthest = |most: f32, change: &Vec3| most.max(change.length());
                *reach = morph.positions.iter().fold(*reach, farthest);
            }
        }
    }
    reaches
}
