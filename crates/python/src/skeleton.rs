//! `sinew.Skeleton`: the joints of a model, parents before children.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sinew::glam::Affine3A;
use sinew::retarget::Body;
use sinew::{JointId, Pose, Scene};

use crate::arrays::{fill, finite, floats, shaped};
use crate::axes::{Axes, Unit};
use crate::error::RetargetError;
use crate::form::Form;
use crate::joints::{JointName, find, find_all};
use crate::poses::Poses;
use crate::sample::{Space, Writer};

/// The joints of a model, parents before children.
///
/// >>> import sinew
/// >>> skeleton = sinew.open("ossi").skeleton
/// >>> skeleton.names[:3]
/// ['root', 'hips', 'spine']
/// >>> skeleton.parents[:3].tolist()
/// [-1, 0, 1]
#[pyclass(frozen, module = "sinew")]
#[derive(Debug)]
pub(crate) struct Skeleton {
    pub(crate) scene: Arc<Scene>,
}

#[pymethods]
impl Skeleton {
    /// The name of every joint; names may be empty and need not be unique.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.scene.skeleton().nodes().iter().map(|node| node.name.as_str()).collect()
    }

    /// The number of every joint's parent, int32; -1 where there is none.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let number = |parent: &Option<JointId>| parent.map_or(-1, |parent| parent.index() as i32);
        PyArray1::from_iter(py, self.scene.skeleton().parents().iter().map(number))
    }

    /// The rest pose, local: `(joints, 7)`, translation and quaternion x y z w.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.rest_in(py, Space::Local, Form::Quat)
    }

    /// The rest pose in the model: `(joints, 4, 4)`.
    #[getter]
    fn rest_model<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.rest_in(py, Space::Model, Form::Matrix)
    }

    /// The number of the joint of this name or number.
    ///
    /// >>> sinew.open("ossi").skeleton.index("hips")
    /// 1
    fn index(&self, joint: JointName) -> PyResult<usize> {
        Ok(find(self.scene.skeleton(), &joint)?.index())
    }

    fn __len__(&self) -> usize {
        self.scene.skeleton().len()
    }

    fn __repr__(&self) -> String {
        let nodes = self.scene.skeleton().nodes();
        let names: Vec<&str> = nodes.iter().take(6).map(|node| node.name.as_str()).collect();
        let more = if nodes.len() > names.len() { ", …" } else { "" };
        format!("<sinew.Skeleton of {} joints: {}{more}>", nodes.len(), names.join(", "))
    }

    /// Which joints are which parts of a body: `{"hips": [1], "left_thigh": [12], …}`. Found by names and shape.
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = Body::find(&self.scene);
        let body = found.map_err(|error| RetargetError::new_err(error.to_string()))?;
        let parts = PyDict::new(py);
        for slot in body.slots() {
            let joints = body.joints(slot).iter().map(|joint| joint.index());
            parts.set_item(slot.to_string(), PyList::new(py, joints)?)?;
        }
        Ok(parts)
    }

    /// Local transforms of many frames, composed down the tree.
    ///
    /// `local` is `(frames, joints, 7)`, `(…, 10)` with scales, or `(…, 4, 4)`, as `Clip.sample` gives them. The result is
    /// in the model, in any form.
    ///
    /// >>> walk = sinew.open("ossi").clips["walk"]
    /// >>> walk.skeleton.to_model(walk.sample([0.0, 0.5])).shape
    /// (2, 53, 4, 4)
    #[pyo3(signature = (local, form="matrix", *, order="xyz", joints=None, up="y", forward=None, unit=Unit::Metres(1.0), out=None))]
    #[allow(clippy::too_many_arguments)]
    fn to_model<'py>(
        &self,
        py: Python<'py>,
        local: &Bound<'py, PyAny>,
        form: &str,
        order: &str,
        joints: Option<&Bound<'py, PyAny>>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let axes = Axes::new(up, forward, &unit)?;
        let local = floats("local", local)?;
        let poses = Poses::new("local", &self.scene, &local, finite("local", &local)?, axes)?;
        let chosen = joints.map(|joints| find_all(py, &self.scene, joints)).transpose()?;
        let writer = Writer {
            scene: &self.scene,
            space: Space::Model,
            form: Form::named(form, order)?,
            joints: chosen.as_deref(),
            axes,
            world_from_model: Affine3A::IDENTITY,
        };
        fill(py, &writer.shape(poses.len()), out, |out| writer.poses(&poses, out))
    }
}

impl Skeleton {
    fn rest_in<'py>(
        &self,
        py: Python<'py>,
        space: Space,
        form: Form,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let writer = Writer {
            scene: &self.scene,
            space,
            form,
            joints: None,
            axes: None,
            world_from_model: Affine3A::IDENTITY,
        };
        let shape = writer.shape(1);
        let mut numbers = vec![0.0; shape.iter().product()];
        if !numbers.is_empty() {
            writer.write(&Pose::new(&self.scene), &mut writer.room(), &mut numbers);
        }
        shaped(py, numbers, &shape[1..])
    }
}
