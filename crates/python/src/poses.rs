//! Poses of a skeleton in a caller's array: `(frames, joints, …)`, local.
//!
//! In:  numbers that are finite, and a shape.
//! Out: transforms of one frame at a time, in Sinew's axes; or what was expected and found.

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use sinew::{JointId, Pose, Scene};

use crate::arrays::shown;
use crate::axes::Axes;
use crate::error::bad;
use crate::form::Form;

/// Local transforms of some frames.
pub(crate) struct Poses<'a> {
    numbers: &'a [f32],
    form: Form,
    frames: usize,
    joints: usize,
    to_own: Option<Axes>,
}

impl<'a> Poses<'a> {
    /// Reads the form from the shape. A pose without the axis of frames counts as one frame.
    pub(crate) fn new(
        what: &str,
        scene: &Scene,
        array: &PyReadonlyArrayDyn<'_, f32>,
        numbers: &'a [f32],
        axes: Option<Axes>,
    ) -> PyResult<Self> {
        let joints = scene.skeleton().len();
        let shape = array.as_array().shape().to_vec();
        let (form, before) = match shape.as_slice() {
            [before @ .., 4, 4] => (Form::Matrix, before),
            [before @ .., 7] => (Form::Quat, before),
            [before @ .., 10] => (Form::Trs, before),
            _ => return Err(wrong(what, joints, &shape)),
        };
        let frames = match before {
            [found] if *found == joints => 1,
            [frames, found] if *found == joints => *frames,
            _ => return Err(wrong(what, joints, &shape)),
        };
        Ok(Self { numbers, form, frames, joints, to_own: axes.map(Axes::inverse) })
    }

    /// How many frames there are.
    pub(crate) fn len(&self) -> usize {
        self.frames
    }

    /// Puts a frame into a pose; model matrices stay as they were.
    pub(crate) fn read(&self, frame: usize, pose: &mut Pose) -> Result<(), String> {
        for joint in 0..self.joints {
            pose.set_local(JointId::new(joint), self.transform(frame, joint)?);
        }
        Ok(())
    }

    /// One joint of one frame.
    pub(crate) fn transform(&self, frame: usize, joint: usize) -> Result<sinew::Transform, String> {
        let width = self.form.width();
        let at = (frame * self.joints + joint) * width;
        let read = self.form.read(&self.numbers[at..at + width]);
        let transform = read.map_err(|why| format!("frame {frame}, joint {joint}: {why}"))?;
        Ok(self.to_own.map_or(transform, |axes| axes.transform(transform)))
    }

    /// Whether scales are given.
    pub(crate) fn has_scale(&self) -> bool {
        self.form != Form::Quat
    }
}

fn wrong(what: &str, joints: usize, found: &[usize]) -> PyErr {
    bad(format!(
        "{what}: expected shape (frames, {joints}, 7), (frames, {joints}, 10) or (frames, {joints}, 4, 4), found {}",
        shown(found)
    ))
}
