//! `sinew.open` and `sinew.Model`: a file with its skeleton, clips, skins and meshes.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::glam::Mat4;
use sinew::import::{Format, NoFiles};
use sinew::{ClipSource, Fit, Note, Options, Scene};

use crate::arrays::shaped;
use crate::clip::Clip;
use crate::error::{import_error, unknown, work};
use crate::skeleton::Skeleton;

/// A file, opened: its skeleton, clips, skins and meshes.
///
/// >>> model = sinew.open("ossi")
/// >>> model.clips["walk"].duration > 0
/// True
#[pyclass(frozen, module = "sinew")]
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) scene: Arc<Scene>,
    pub(crate) notes: Vec<Note>,
    pub(crate) name: String,
    pub(crate) format: Format,
    sources: Vec<ClipSource>,
}

/// A file's path, or the bytes of one.
#[derive(FromPyObject)]
pub(crate) enum FileSource<'py> {
    Bytes(Bound<'py, PyBytes>),
    Path(PathBuf),
}

impl From<sinew::Model> for Model {
    fn from(model: sinew::Model) -> Self {
        Self {
            scene: Arc::new(model.scene),
            notes: model.notes,
            name: model.name,
            format: model.format,
            sources: model.clips,
        }
    }
}

/// Opens a file of any format: glTF, VRM, FBX, COLLADA, BVH, MD5, OBJ, .skeleton_anim, or a ZIP archive with one of them.
///
/// `source` is a path, the bytes of a file, or the name of a built-in model ("ossi"). `clips` are more files, whose clips are
/// added: bound by joint names where those fit, else retargeted. `fit="names"` binds by names alone; `map` is the text of a
/// joint map. `unit` is how many metres one of the file's units is, for files that do not say. `images` decodes textures.
///
/// >>> sinew.open("ossi").format
/// 'demo'
#[pyfunction]
#[pyo3(signature = (source, clips=Vec::new(), *, fit="best", map=None, unit=None, images=true))]
pub(crate) fn open(
    py: Python<'_>,
    source: FileSource<'_>,
    clips: Vec<PathBuf>,
    fit: &str,
    map: Option<&str>,
    unit: Option<f32>,
    images: bool,
) -> PyResult<Model> {
    let fit = match (fit, map) {
        (_, Some(text)) => Fit::Map(text, "map".as_ref()),
        ("best", None) => Fit::Best,
        ("names", None) => Fit::Names,
        (other, None) => {
            let text = format!("fit: expected \"best\" or \"names\", found \"{other}\"");
            return Err(crate::error::bad(text));
        }
    };
    let options = Options { decode_images: images, unit, ..Options::default() };
    let bytes = match &source {
        FileSource::Bytes(bytes) => Some(bytes.as_bytes()),
        FileSource::Path(_) => None,
    };
    let path = match &source {
        FileSource::Path(path) => path.clone(),
        FileSource::Bytes(_) => PathBuf::new(),
    };
    work(py, || {
        let opened = match bytes {
            Some(bytes) => options.read(bytes, &NoFiles).map(sinew::Model::from),
            None => sinew::Model::open_with(&path, &options),
        };
        let mut model = opened.map_err(|error| import_error(&error))?;
        for file in &clips {
            let added = model.add_clips_with(file, &options, fit);
            added.map_err(|error| import_error(&error))?;
        }
        Ok(model.into())
    })
}

/// Whether every machine gives the same bits: a little slower. Off without a call.
#[pyfunction]
pub(crate) fn set_deterministic(on: bool) {
    sinew::motion::set_deterministic(on);
}

#[pymethods]
impl Model {
    /// The file's name without folder and extension.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What the file was: "glTF", "FBX", "BVH", …
    #[getter]
    fn format(&self) -> String {
        self.format.to_string()
    }

    /// The joints.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        Skeleton { scene: Arc::clone(&self.scene) }
    }

    /// The clips, by number or name.
    #[getter]
    fn clips(&self) -> Clips {
        Clips { scene: Arc::clone(&self.scene) }
    }

    /// The first clip that moves, or `None`: some files begin with an empty take, as Mixamo's do.
    #[getter]
    fn clip(&self) -> Option<Clip> {
        self.scene.first_moving_clip().map(|id| Clip::of_scene(&self.scene, id))
    }

    /// What had to be mended in reading the file, in sentences.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.iter().map(ToString::to_string).collect()
    }

    /// Where each clip came from, and how it was made to fit.
    #[getter]
    fn sources(&self) -> Vec<(String, String)> {
        let of = |clip: &ClipSource| (clip.file.clone(), clip.fit.to_string());
        self.sources.iter().map(of).collect()
    }

    /// From Sinew's space (metres, Y up) back to the file's own: 4 × 4.
    #[getter]
    fn file_from_world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let rows = Mat4::from(self.scene.file_from_world).transpose();
        shaped(py, rows.to_cols_array().to_vec(), &[4, 4])
    }

    /// How many of everything there are, and the space that the model takes at rest, in metres.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scene = &self.scene;
        let sizes = PyDict::new(py);
        sizes.set_item("joints", scene.skeleton().len())?;
        sizes.set_item("clips", scene.clips.len())?;
        sizes.set_item("skins", scene.skins.len())?;
        sizes.set_item("meshes", scene.meshes.len())?;
        sizes.set_item("vertices", self.vertex_count())?;
        sizes.set_item("triangles", self.triangle_count())?;
        sizes.set_item("morph_targets", scene.weight_count())?;
        sizes.set_item("materials", scene.materials.len())?;
        sizes.set_item("images", scene.images.len())?;
        let bounds = sinew::Actor::new(Arc::clone(scene)).bounds();
        let size = if bounds.is_empty() { [0.0; 3] } else { bounds.size().to_array() };
        sizes.set_item("size", size)?;
        Ok(sizes)
    }

    /// The skins: name, and the numbers of their joints.
    #[getter]
    fn skins(&self) -> Vec<(String, Vec<usize>)> {
        let joints = |skin: &sinew::scene::Skin| skin.joints.iter().map(|id| id.index()).collect();
        self.scene.skins.iter().map(|skin| (skin.name.clone(), joints(skin))).collect()
    }

    fn __repr__(&self) -> String {
        let scene = &self.scene;
        let clips: Vec<String> = scene.clips.iter().take(8).map(clip_words).collect();
        let more = if scene.clips.len() > clips.len() { ", …" } else { "" };
        let clips = if clips.is_empty() { "no clips".into() } else { clips.join(", ") + more };
        let notes = match self.notes.len() {
            0 => String::new(),
            count => format!("; {}", counted(count, "note", "notes")),
        };
        let sizes = [
            counted(scene.skeleton().len(), "joint", "joints"),
            counted(scene.skins.len(), "skin", "skins"),
            counted(self.vertex_count(), "vertex", "vertices"),
            counted(self.triangle_count(), "triangle", "triangles"),
        ];
        let sizes = sizes.join(", ");
        format!("<sinew.Model \"{}\" ({}): {sizes}; {clips}{notes}>", self.name, self.format)
    }

    /// An image for notebooks; nothing where there is no GPU, not even a software one.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let png = work(py, || crate::render::png_of(&self.scene, 480, 360)).ok()?;
        Some(PyBytes::new(py, &png))
    }
}

impl Model {
    /// The vertices of all mesh instances.
    pub(crate) fn vertex_count(&self) -> usize {
        self.primitives().map(|primitive| primitive.positions.len()).sum()
    }

    fn triangle_count(&self) -> usize {
        use sinew::scene::Topology;
        let triangles = self.primitives().filter(|one| one.topology == Topology::Triangles);
        triangles.map(|primitive| primitive.indices.len() / 3).sum()
    }

    /// Every primitive of every instance, in the order of `skin`'s vertices.
    pub(crate) fn primitives(&self) -> impl Iterator<Item = &sinew::scene::Primitive> {
        let scene = &self.scene;
        scene.instances.iter().flat_map(|instance| &scene[instance.mesh].primitives)
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn clip_words(clip: &sinew::Clip) -> String {
    format!("\"{}\" {:.2} s", clip.name, clip.duration)
}

/// The clips of a model: a list that also knows them by name.
///
/// >>> clips = sinew.open("ossi").clips
/// >>> clips["walk"].name == "walk" and "walk" in clips
/// True
#[pyclass(frozen, sequence, module = "sinew")]
#[derive(Debug)]
pub(crate) struct Clips {
    scene: Arc<Scene>,
}

#[pymethods]
impl Clips {
    /// The names, in order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.scene.clips.iter().map(|clip| clip.name.as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.scene.clips.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.scene.find_clip(name).is_some()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Clip> {
        let count = self.scene.clips.len() as i64;
        if let Ok(number) = key.extract::<i64>() {
            let index = if number < 0 { number + count } else { number };
            let known = self.scene.clip_ids().nth(usize::try_from(index).unwrap_or(usize::MAX));
            return known.map(|id| Clip::of_scene(&self.scene, id)).ok_or_else(|| {
                PyIndexError::new_err(format!("there is no clip {number}: there are {count}"))
            });
        }
        let Ok(name) = key.extract::<String>() else {
            let found = key.get_type();
            let text = format!("clips: expected a number or a name, found {found}");
            return Err(PyTypeError::new_err(text));
        };
        let found = self.scene.find_clip(&name).map(|id| Clip::of_scene(&self.scene, id));
        found.ok_or_else(|| match self.names().as_slice() {
            [] => unknown(format!("there is no clip \"{name}\": the file has no clips")),
            names => unknown(format!("there is no clip \"{name}\" among the {count}: {names:?}")),
        })
    }

    fn __repr__(&self) -> String {
        let clips: Vec<String> = self.scene.clips.iter().map(clip_words).collect();
        format!("<sinew.Clips: {}>", clips.join(", "))
    }
}
