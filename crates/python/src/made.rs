//! Clips made from arrays.
//!
//! In:  local transforms of every frame, and when the frames are.
//! Out: a clip with a linear key at each frame, for the joints that leave their rest pose.

use std::sync::Arc;

use pyo3::prelude::*;
use sinew::glam::{Quat, Vec3};
use sinew::scene::{Curve, Interpolation, Rows, Track, WeightTrack};
use sinew::{InstanceId, JointId, Scene, Transform};

use crate::arrays::{finite, floats, shown, times as moments};
use crate::axes::{Axes, Unit};
use crate::clip::Clip;
use crate::error::{bad, work};
use crate::poses::Poses;
use crate::skeleton::Skeleton;

/// Nearer to rest than this, a joint does not move: metres, or parts of a quaternion.
const SAME: f32 = 1e-7;

#[pymethods]
impl Clip {
    /// A clip from local transforms: `(frames, joints, 7)`, `(…, 10)` with scales, or `(…, 4, 4)`.
    ///
    /// `rate` in frames a second, or `times` of the frames in seconds. `weights` are morph weights, `(frames, targets)`.
    ///
    /// >>> model = sinew.open("ossi")
    /// >>> local = model.clips["walk"].sample(rate=30)
    /// >>> sinew.Clip.from_arrays(model.skeleton, local, rate=30, name="again").duration == model.clips["walk"].duration
    /// True
    #[staticmethod]
    #[pyo3(signature = (skeleton, local, *, rate=None, times=None, name="", weights=None, up="y", forward=None, unit=Unit::Metres(1.0)))]
    #[allow(clippy::too_many_arguments)]
    fn from_arrays(
        py: Python<'_>,
        skeleton: &Skeleton,
        local: &Bound<'_, PyAny>,
        rate: Option<f64>,
        times: Option<&Bound<'_, PyAny>>,
        name: &str,
        weights: Option<&Bound<'_, PyAny>>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
    ) -> PyResult<Self> {
        let scene = &skeleton.scene;
        let axes = Axes::new(up, forward, &unit)?;
        let array = floats("local", local)?;
        let poses = Poses::new("local", scene, &array, finite("local", &array)?, axes)?;
        let times = frame_times(poses.len(), rate, times)?;
        let weights = weights.map(|weights| floats("weights", weights)).transpose()?;
        let weights = match &weights {
            None => None,
            Some(array) => {
                let expected = [poses.len(), scene.weight_count()];
                let found = array.as_array().shape().to_vec();
                if found != expected {
                    let (expected, found) = (shown(&expected), shown(&found));
                    return Err(bad(format!("weights: expected shape {expected}, found {found}")));
                }
                Some(finite("weights", array)?)
            }
        };
        let clip = work(py, || {
            let mut clip = moved(scene, &poses, &times).map_err(bad)?;
            clip.name = name.to_owned();
            clip.weights = weights.map_or(Vec::new(), |all| morphed(scene, all, &times));
            Ok(clip)
        })?;
        Ok(Self::made(scene, clip))
    }
}

fn frame_times(
    frames: usize,
    rate: Option<f64>,
    times: Option<&Bound<'_, PyAny>>,
) -> PyResult<Arc<[f32]>> {
    if frames == 0 {
        return Err(bad("local: expected at least one frame, found none"));
    }
    let times = match (rate, times) {
        (Some(rate), None) if rate.is_finite() && rate > 0.0 => {
            (0..frames).map(|frame| (frame as f64 / rate) as f32).collect()
        }
        (Some(rate), None) => {
            return Err(bad(format!("rate: expected frames a second above 0, found {rate}")));
        }
        (None, Some(times)) => moments(times)?,
        _ => return Err(bad("expected a rate or times of the frames, found both or neither")),
    };
    if times.len() != frames {
        return Err(bad(format!("times: expected {frames}, one per frame, found {}", times.len())));
    }
    if times[0] < 0.0 || times.windows(2).any(|two| two[1] < two[0]) {
        return Err(bad("times: expected seconds from 0 that do not fall"));
    }
    Ok(times.into())
}

/// Tracks of the joints that leave their rest pose.
fn moved(scene: &Scene, poses: &Poses<'_>, times: &Arc<[f32]>) -> Result<sinew::Clip, String> {
    let duration = times[times.len() - 1];
    let mut clip = sinew::Clip { duration, ..sinew::Clip::default() };
    for (index, node) in scene.skeleton().nodes().iter().enumerate() {
        let joint = JointId::new(index);
        let frames: Vec<Transform> = (0..poses.len())
            .map(|frame| poses.transform(frame, index))
            .collect::<Result<_, _>>()?;
        let rest = node.rest;
        if frames.iter().any(|one| !one.translation.abs_diff_eq(rest.translation, SAME)) {
            let curve = curve(times, frames.iter().map(|one| one.translation).collect())?;
            clip.translations.push(Track { joint, curve });
        }
        if frames.iter().any(|one| !one.rotation.abs_diff_eq(rest.rotation, SAME)) {
            let curve = curve(times, along_one_arc(frames.iter().map(|one| one.rotation)))?;
            clip.rotations.push(Track { joint, curve });
        }
        let scaled = |one: &Transform| !one.scale.abs_diff_eq(rest.scale, SAME);
        if poses.has_scale() && frames.iter().any(scaled) {
            let values: Vec<Vec3> = frames.iter().map(|one| one.scale).collect();
            clip.scales.push(Track { joint, curve: curve(times, values)? });
        }
    }
    Ok(clip)
}

fn curve<V>(times: &Arc<[f32]>, values: Vec<V>) -> Result<Curve<V>, String> {
    Curve::new(Arc::clone(times), values, Interpolation::Linear)
}

/// Of the two signs of a rotation, that of the key before.
fn along_one_arc(rotations: impl Iterator<Item = Quat>) -> Vec<Quat> {
    let mut before = Quat::IDENTITY;
    let signed = rotations.map(|rotation| {
        before = if before.dot(rotation) < 0.0 { -rotation } else { rotation };
        before
    });
    signed.collect()
}

fn morphed(scene: &Scene, weights: &[f32], times: &Arc<[f32]>) -> Vec<WeightTrack> {
    let all = scene.weight_count();
    let track = |index: usize| {
        let instance = InstanceId::new(index);
        let range = scene.weight_range(instance);
        let width = range.len();
        let rows = weights.chunks_exact(all.max(1)).flat_map(|row| row[range.clone()].to_vec());
        let rows = Rows::new(Arc::clone(times), rows.collect(), width, Interpolation::Linear);
        Some(WeightTrack { instance, rows: rows.ok()? })
    };
    (0..scene.instances.len()).filter_map(track).collect()
}
