//! Inverse kinematics on batches of poses.
//!
//! In:  local poses, a joint, and where it shall be in each.
//! Out: the poses changed, and how far each is from its target.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use rayon::prelude::*;
use sinew::glam::Vec3;
use sinew::ik::{Ccd, Outcome, TwoBone};
use sinew::{JointId, Pose};

use crate::arrays::{finite, floats, shaped, shown, zeros};
use crate::axes::{Axes, Unit};
use crate::error::{bad, work};
use crate::form::Form;
use crate::joints::{JointName, find};
use crate::poses::Poses;
use crate::sample::{Space, Writer};
use crate::skeleton::Skeleton;

/// What solves a chain.
enum Solver {
    TwoBone(TwoBone),
    Chain(Ccd),
}

#[pymethods]
impl Skeleton {
    /// Poses in which a joint is at a place: two bones that bend, or a whole chain from `first` on.
    ///
    /// `local` is `(frames, joints, 7)`, `targets` `(frames, 3)` in the model. Gives the poses as `(frames, joints, 7)` and how
    /// far each is from its target in metres, `(frames,)`; NaN where nothing could be done.
    ///
    /// >>> model = sinew.open("ossi")
    /// >>> pose, off = model.skeleton.reach(model.skeleton.rest[None], "hand.L", [[0.3, 1.2, 0.3]])
    /// >>> bool(off[0] < 1e-3)
    /// True
    #[pyo3(signature = (local, joint, targets, *, first=None, weight=1.0, up="y", forward=None, unit=Unit::Metres(1.0)))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        local: &Bound<'py, PyAny>,
        joint: JointName,
        targets: &Bound<'py, PyAny>,
        first: Option<JointName>,
        weight: f32,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
    ) -> PyResult<(Bound<'py, PyArrayDyn<f32>>, Bound<'py, PyArrayDyn<f32>>)> {
        let scene = &self.scene;
        let axes = Axes::new(up, forward, &unit)?;
        let array = floats("local", local)?;
        let poses = Poses::new("local", scene, &array, finite("local", &array)?, axes)?;
        let targets = floats("targets", targets)?;
        let found = targets.as_array().shape().to_vec();
        if found != [poses.len(), 3] {
            let (expected, found) = (shown(&[poses.len(), 3]), shown(&found));
            return Err(bad(format!("targets: expected shape {expected}, found {found}")));
        }
        let goals = finite("targets", &targets)?;
        let joint = find(scene.skeleton(), &joint)?;
        let first = first.map(|first| find(scene.skeleton(), &first)).transpose()?;
        let solver = self.solver(joint, first, weight)?;
        let writer = Writer {
            scene,
            space: Space::Local,
            form: Form::Quat,
            joints: None,
            axes,
            world_from_model: sinew::glam::Affine3A::IDENTITY,
        };
        let shape = writer.shape(poses.len());
        let width = shape[1] * shape[2];
        let mut numbers = zeros(&shape)?;
        let (numbers, off) = work(py, || {
            let rest = Pose::new(scene);
            let to_own = axes.map(Axes::inverse);
            let solved = numbers.par_chunks_mut(width.max(1)).enumerate().map_init(
                || rest.clone(),
                |pose, (frame, row)| {
                    poses.read(frame, pose)?;
                    pose.to_model(scene.skeleton());
                    let goal = Vec3::from_slice(&goals[3 * frame..]);
                    let goal = to_own.map_or(goal, |axes| axes.vector(goal));
                    let outcome = solver.apply(pose, scene.skeleton(), goal);
                    writer.write(pose, &mut [], row);
                    Ok(match outcome {
                        Outcome::Reached => 0.0,
                        Outcome::Short(metres) => metres,
                        Outcome::Unchanged => f32::NAN,
                    })
                },
            );
            let off: Result<Vec<f32>, String> = solved.collect();
            Ok((numbers, off.map_err(bad)?))
        })?;
        let frames = off.len();
        Ok((shaped(py, numbers, &shape)?, shaped(py, off, &[frames])?))
    }
}

impl Skeleton {
    fn solver(&self, joint: JointId, first: Option<JointId>, weight: f32) -> PyResult<Solver> {
        let skeleton = self.scene.skeleton();
        Ok(match first {
            None => {
                let limb = TwoBone::new(skeleton, joint).map_err(bad)?;
                Solver::TwoBone(TwoBone { weight, ..limb })
            }
            Some(first) => {
                let chain = Ccd::new(skeleton, first, joint).map_err(bad)?;
                Solver::Chain(Ccd { weight, ..chain })
            }
        })
    }
}

impl Solver {
    fn apply(&self, pose: &mut Pose, skeleton: &sinew::Skeleton, goal: Vec3) -> Outcome {
        match self {
            Self::TwoBone(limb) => limb.apply(pose, skeleton, goal),
            Self::Chain(chain) => chain.apply(pose, skeleton, goal),
        }
    }
}
