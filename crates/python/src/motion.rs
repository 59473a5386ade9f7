//! What a clip does: speeds of joints, contacts of feet, the path of the root.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::motion::{Cursor, sample};
use sinew::retarget::{Body, BodyPart, Slot, foot_contacts};
use sinew::{JointId, Pose, Scene};

use crate::arrays::{fill, shaped};
use crate::axes::{Axes, Unit};
use crate::clip::Clip;
use crate::error::{RetargetError, bad, work};
use crate::joints::chosen;
use crate::sample::in_chunks;

#[pymethods]
impl Clip {
    /// Speeds in the model: `(frames, joints, 6)`, metres a second and radians a second about each axis.
    ///
    /// They are taken over `over` seconds around each moment; a frame of the clip where nothing is said.
    ///
    /// >>> walk = sinew.open("ossi").clips["walk"]
    /// >>> walk.velocities([0.5], joints=["foot.L"]).shape
    /// (1, 1, 6)
    #[pyo3(signature = (times=None, *, rate=None, joints=None, over=None, up="y", forward=None, unit=Unit::Metres(1.0), out=None))]
    #[allow(clippy::too_many_arguments)]
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        rate: Option<f64>,
        joints: Option<&Bound<'py, PyAny>>,
        over: Option<f64>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.moments(times, rate)?;
        let joints = chosen(py, &self.scene, joints)?;
        let over = over.unwrap_or(1.0 / self.frames_per_second());
        if !(over.is_finite() && over > 0.0) {
            return Err(bad(format!("over: expected seconds above 0, found {over}")));
        }
        let axes = Axes::new(up, forward, &unit)?;
        let speeds =
            Speeds { scene: &self.scene, clip: self.clip(), joints, over: over as f32, axes };
        fill(py, &[times.len(), speeds.joints.len(), 6], out, |out| {
            in_chunks(out, speeds.joints.len() * 6, |first, rows| {
                speeds.write(&times[first..], rows);
                Ok(())
            })
            .map_err(bad)
        })
    }

    /// When the feet stand on the ground: `(frames, 2)`, bool, left and right.
    ///
    /// A foot stands where it is low and slow: below 7% of a leg's length, and below 0.45 leg lengths a second against the
    /// ground, which moves under a character that walks in place.
    ///
    /// >>> sinew.open("ossi").clips["walk"].contacts(rate=60).any(axis=0).tolist()
    /// [True, True]
    #[pyo3(signature = (times=None, *, rate=None))]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        rate: Option<f64>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let times = self.moments(times, rate)?;
        if times.windows(2).any(|two| two[1] <= two[0]) {
            return Err(bad("times: expected seconds that rise"));
        }
        let frames = times.len();
        let stands = work(py, || {
            let found = foot_contacts(self.clip(), &self.scene, &times);
            let found = found.map_err(|error| RetargetError::new_err(error.to_string()))?;
            Ok(found.into_iter().flatten().collect::<Vec<bool>>())
        })?;
        shaped(py, stands, &[frames, 2])
    }

    /// Where the root goes on the floor: `(frames, 7)`, a place at height 0 and the heading as a quaternion about up.
    ///
    /// The root is the hips of a body, or `joint`.
    ///
    /// >>> sinew.open("ossi").clips["walk"].root_path([0.0]).shape
    /// (1, 7)
    #[pyo3(signature = (times=None, *, rate=None, joint=None, up="y", forward=None, unit=Unit::Metres(1.0)))]
    #[allow(clippy::too_many_arguments)]
    fn root_path<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        rate: Option<f64>,
        joint: Option<crate::joints::JointName>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.moments(times, rate)?;
        let axes = Axes::new(up, forward, &unit)?;
        let joint = match joint {
            Some(joint) => crate::joints::find(self.scene.skeleton(), &joint)?,
            None => self.root().ok_or_else(|| {
                bad("there is no joint that moves the whole: name one with joint=")
            })?,
        };
        let clip = self.clip();
        fill(py, &[times.len(), 7], None, |out| {
            let mut pose = Pose::new(&self.scene);
            let rest = rotation(&pose.model_from_joint()[joint.index()]);
            let mut cursor = Cursor::new();
            for (row, &time) in out.chunks_exact_mut(7).zip(&times) {
                sample(clip, time, &mut cursor, &mut pose);
                pose.to_model(self.scene.skeleton());
                let now = pose.model_from_joint()[joint.index()];
                let turned = rotation(&now) * rest.inverse();
                let heading = Quat::from_xyzw(0.0, turned.y, 0.0, turned.w).normalize();
                let heading = if heading.is_finite() { heading } else { Quat::IDENTITY };
                let place = Vec3::new(now.translation.x, 0.0, now.translation.z);
                let step = sinew::Transform {
                    translation: place,
                    ..sinew::Transform::from_rotation(heading)
                };
                let step = axes.map_or(step, |axes| axes.transform(step));
                row[..3].copy_from_slice(&step.translation.to_array());
                row[3..].copy_from_slice(&step.rotation.to_array());
            }
            Ok(())
        })
    }
}

impl Clip {
    fn root(&self) -> Option<JointId> {
        let body = Body::find(&self.scene).ok();
        let hips = body.and_then(|body| body.joint(Slot::middle(BodyPart::Hips)));
        hips.or_else(|| sinew::edit::root_joint(&self.scene, self.clip()))
    }
}

fn rotation(matrix: &Affine3A) -> Quat {
    let (_, rotation, _) = matrix.to_scale_rotation_translation();
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

struct Speeds<'a> {
    scene: &'a Scene,
    clip: &'a sinew::Clip,
    joints: Vec<JointId>,
    over: f32,
    axes: Option<Axes>,
}

impl Speeds<'_> {
    fn write(&self, times: &[f32], rows: &mut [f32]) {
        let (mut before, mut after) = (Pose::new(self.scene), Pose::new(self.scene));
        let mut cursor = Cursor::new();
        for (row, &time) in rows.chunks_exact_mut(self.joints.len() * 6).zip(times) {
            // Within the clip: beyond its ends nothing moves.
            let from = (time - 0.5 * self.over).clamp(0.0, self.clip.duration);
            let to = (time + 0.5 * self.over).clamp(0.0, self.clip.duration);
            for (pose, time) in [(&mut before, from), (&mut after, to)] {
                sample(self.clip, time, &mut cursor, pose);
                pose.to_model(self.scene.skeleton());
            }
            for (out, joint) in row.chunks_exact_mut(6).zip(&self.joints) {
                let a = &before.model_from_joint()[joint.index()];
                let b = &after.model_from_joint()[joint.index()];
                self.speed(a, b, to - from, out);
            }
        }
    }

    fn speed(&self, a: &Affine3A, b: &Affine3A, seconds: f32, out: &mut [f32]) {
        if seconds <= 0.0 {
            return out.fill(0.0);
        }
        let linear = Vec3::from(b.translation - a.translation) / seconds;
        let turned = rotation(b) * rotation(a).inverse();
        let turned = if turned.w < 0.0 { -turned } else { turned };
        let angular = turned.to_scaled_axis() / seconds;
        let unscaled = |axes: &Axes| axes.direction(angular);
        let linear = self.axes.as_ref().map_or(linear, |axes| axes.vector(linear));
        let angular = self.axes.as_ref().map_or(angular, unscaled);
        out[..3].copy_from_slice(&linear.to_array());
        out[3..].copy_from_slice(&angular.to_array());
    }
}
