//! Skinned vertices of many poses, and what the meshes are.
//!
//! In:  a model and local poses, or a clip and moments.
//! Out: `(frames, vertices, 3)`: the vertices of all mesh instances, one primitive after another.

use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::motion::{Cursor, sample};
use sinew::scene::Topology;
use sinew::{Actor, InstanceId, Scene, Vertices};

use crate::arrays::{fill, finite, floats, shaped, shown};
use crate::axes::{Axes, Unit};
use crate::clip::Clip;
use crate::error::bad;
use crate::model::Model;
use crate::poses::Poses;
use crate::sample::in_chunks;

#[pymethods]
impl Model {
    /// The vertices in many poses: `(frames, vertices, 3)`, in metres.
    ///
    /// `pose` is local, as `Clip.sample` gives it: `(frames, joints, 7)`, `(…, 10)` or `(…, 4, 4)`. `weights` are morph weights,
    /// `(frames, targets)`. With `normals`, the result is a pair of vertices and normals.
    ///
    /// >>> model = sinew.open("ossi")
    /// >>> vertices = model.skin(model.clips["walk"].sample([0.0, 0.1]))
    /// >>> vertices.shape[0], vertices.shape[2]
    /// (2, 3)
    #[pyo3(signature = (pose, weights=None, *, up="y", forward=None, unit=Unit::Metres(1.0), out=None))]
    #[allow(clippy::too_many_arguments)]
    fn skin<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let axes = Axes::new(up, forward, &unit)?;
        let array = floats("pose", pose)?;
        let poses = Poses::new("pose", &self.scene, &array, finite("pose", &array)?, axes)?;
        let targets = self.scene.weight_count();
        let weights = weights.map(|weights| floats("weights", weights)).transpose()?;
        let weights = match &weights {
            None => &[][..],
            Some(array) => {
                let found = array.as_array().shape().to_vec();
                if found != [poses.len(), targets] {
                    let expected = shown(&[poses.len(), targets]);
                    let found = shown(&found);
                    return Err(bad(format!("weights: expected shape {expected}, found {found}")));
                }
                finite("weights", array)?
            }
        };
        let vertices = self.vertex_count();
        fill(py, &[poses.len(), vertices, 3], out, |out| {
            each_frame(&self.scene, axes, vertices, out, |frame, actor| {
                let mut read = Ok(());
                actor.modify(|pose, skeleton| {
                    read = poses.read(frame, pose);
                    if targets > 0 && !weights.is_empty() {
                        let row = &weights[frame * targets..(frame + 1) * targets];
                        pose.parts_mut().1.copy_from_slice(row);
                    }
                    pose.to_model(skeleton);
                });
                read
            })
        })
    }

    /// The vertices of the rest pose: `(vertices, 3)`.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let count = self.vertex_count();
        let mut numbers = vec![0.0; count * 3];
        write(&Actor::new(Arc::clone(&self.scene)), None, &mut numbers);
        shaped(py, numbers, &[count, 3])
    }

    /// The triangles: `(triangles, 3)`, uint32, numbers of vertices.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
        let mut faces = Vec::new();
        let mut first = 0;
        for primitive in self.primitives() {
            if primitive.topology == Topology::Triangles {
                let whole = primitive.indices.len() / 3 * 3;
                faces.extend(primitive.indices[..whole].iter().map(|index| index + first));
            }
            first += primitive.positions.len() as u32;
        }
        let count = faces.len() / 3;
        shaped(py, faces, &[count, 3])
    }

    /// What the vertices belong to, in order: a dict for each primitive of each mesh instance.
    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut first = 0;
        let mut meshes = Vec::new();
        for instance in &self.scene.instances {
            let mesh = &self.scene[instance.mesh];
            for primitive in &mesh.primitives {
                let entry = PyDict::new(py);
                let skinned = instance.skin.is_some() && !primitive.influences.is_empty();
                entry.set_item("name", &mesh.name)?;
                entry.set_item("first", first)?;
                entry.set_item("vertices", primitive.positions.len())?;
                entry.set_item("triangles", primitive.indices.len() / 3)?;
                entry.set_item("joint", instance.joint.index())?;
                entry.set_item("skin", instance.skin.map(|skin| skin.index()))?;
                entry.set_item("skinned", skinned)?;
                first += primitive.positions.len();
                meshes.push(entry);
            }
        }
        Ok(meshes)
    }

    /// The names of the morph targets, as `Clip.morph_weights` orders them: `("mesh", "target")`.
    #[getter]
    fn morph_names(&self) -> Vec<(String, String)> {
        let of = |instance: &sinew::scene::Instance| {
            let mesh = &self.scene[instance.mesh];
            let name = |at: usize| mesh.morph_names.get(at).cloned().unwrap_or_default();
            (0..instance.weights.len()).map(|at| (mesh.name.clone(), name(at))).collect::<Vec<_>>()
        };
        self.scene.instances.iter().flat_map(of).collect()
    }
}

#[pymethods]
impl Clip {
    /// The model's vertices at many moments: `(frames, vertices, 3)`; morph weights and driven nodes included.
    #[pyo3(signature = (times=None, *, rate=None, up="y", forward=None, unit=Unit::Metres(1.0), out=None))]
    #[allow(clippy::too_many_arguments)]
    fn skin<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        rate: Option<f64>,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.moments(times, rate)?;
        let axes = Axes::new(up, forward, &unit)?;
        let vertices = vertex_count(&self.scene);
        let clip = self.clip();
        fill(py, &[times.len(), vertices, 3], out, |out| {
            each_frame(&self.scene, axes, vertices, out, |frame, actor| {
                actor.modify(|pose, skeleton| {
                    sample(clip, times[frame], &mut Cursor::new(), pose);
                    pose.to_model(skeleton);
                });
                Ok(())
            })
        })
    }
}

fn vertex_count(scene: &Scene) -> usize {
    let primitives = scene.instances.iter().flat_map(|instance| &scene[instance.mesh].primitives);
    primitives.map(|primitive| primitive.positions.len()).sum()
}

/// Poses an actor for each frame and writes its vertices.
fn each_frame(
    scene: &Arc<Scene>,
    axes: Option<Axes>,
    vertices: usize,
    out: &mut [f32],
    pose: impl Fn(usize, &mut Actor) -> Result<(), String> + Send + Sync,
) -> PyResult<()> {
    let rest = Actor::new(Arc::clone(scene));
    let skinned = in_chunks(out, vertices * 3, |first, rows| {
        let mut actor = rest.clone();
        for (frame, row) in (first..).zip(rows.chunks_exact_mut(vertices * 3)) {
            pose(frame, &mut actor)?;
            write(&actor, axes.as_ref(), row);
        }
        Ok(())
    });
    skinned.map_err(bad)
}

/// All vertices as they are now.
fn write(actor: &Actor, axes: Option<&Axes>, row: &mut [f32]) {
    let mut vertices = Vertices::default();
    let mut rows = row.chunks_exact_mut(3);
    for (index, instance) in actor.scene().instances.iter().enumerate() {
        for primitive in 0..actor.scene()[instance.mesh].primitives.len() {
            actor.skin(InstanceId::new(index), primitive, &mut vertices);
            for (place, row) in vertices.positions.iter().zip(&mut rows) {
                let place = axes.map_or(*place, |axes| axes.vector(*place));
                row.copy_from_slice(&place.to_array());
            }
        }
    }
}
