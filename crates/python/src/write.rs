//! Models and clips as the bytes of files.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::Scene;
use sinew::export::{BvhOptions, Exported, FbxOptions, GltfOptions, bvh, fbx, glb, skeleton_anim};

use crate::clip::{Clip, clips_of};
use crate::error::{bad, work};
use crate::model::Model;

/// The bytes of a file, of files beside it, and what the format could not hold.
type Written<'py> = (Bound<'py, PyBytes>, HashMap<String, Bound<'py, PyBytes>>, Vec<String>);

#[pymethods]
impl Model {
    /// The model as the bytes of a file, "glb" or "fbx": `(bytes, {name: bytes of a file beside it}, notes)`.
    fn encode<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Written<'py>> {
        let exported = work(py, || scene_bytes(&self.scene, format))?;
        Ok(written(py, exported))
    }

    /// The same model with other clips: those given, after its own or instead of them.
    ///
    /// >>> ossi = sinew.open("ossi")
    /// >>> ossi.with_clips([ossi.clips["walk"]], keep=False).clips.names
    /// ['walk']
    #[pyo3(signature = (clips, *, keep=true))]
    fn with_clips(&self, clips: &Bound<'_, PyAny>, keep: bool) -> PyResult<Self> {
        let clips = clips_of(clips)?;
        let mut parts = Scene::clone(&self.scene).into_parts();
        if !keep {
            parts.clips.clear();
        }
        for clip in &clips {
            if !clip.get().fits(&self.scene) {
                return Err(bad(format!(
                    "clips: expected clips of the model's skeleton, found \"{}\" of another",
                    clip.get().clip().name
                )));
            }
            parts.clips.push(clip.get().clip().clone());
        }
        let scene = Scene::new(parts).map_err(bad)?;
        let mut model = sinew::Model::from(scene);
        model.name = self.name.clone();
        model.format = self.format;
        model.notes = self.notes.clone();
        Ok(model.into())
    }
}

#[pymethods]
impl Clip {
    /// The clip as the bytes of a file: "glb" and "fbx" with its model, "bvh", "skeleton_anim", or "sinewclip", packed.
    ///
    /// `rate` is the rate of a BVH's frames, `unit` how many of its units a metre has; `error` is how far a packed clip may be off,
    /// in metres. Gives `(bytes, {name: bytes of a file beside it}, notes)`.
    #[pyo3(signature = (format, *, rate=None, scale=1.0, error=0.000_1))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        rate: Option<f32>,
        scale: f32,
        error: f32,
    ) -> PyResult<Written<'py>> {
        let exported = work(py, || match format {
            "bvh" => {
                let options = BvhOptions { frame_rate: rate, scale, ..BvhOptions::default() };
                bvh(&self.scene, self.clip(), &options).map_err(bad)
            }
            "skeleton_anim" => {
                let bytes = skeleton_anim(&self.scene, self.clip()).map_err(bad)?;
                Ok(plain(bytes))
            }
            "sinewclip" => {
                let options = sinew::pack::Options { error, ..sinew::pack::Options::default() };
                let packed = sinew::pack::pack(&self.scene, self.clip(), &options, &|_| {});
                let (packed, _) = packed.map_err(bad)?;
                Ok(plain(packed.bytes().to_vec()))
            }
            other => {
                let mut parts = Scene::clone(&self.scene).into_parts();
                parts.clips = vec![self.clip().clone()];
                scene_bytes(&Scene::new(parts).map_err(bad)?, other)
            }
        })?;
        Ok(written(py, exported))
    }
}

impl Clip {
    /// Whether the clip can drive a scene: it has the same joints.
    pub(crate) fn fits(&self, scene: &Arc<Scene>) -> bool {
        Arc::ptr_eq(&self.scene, scene) || self.scene.skeleton() == scene.skeleton()
    }
}

fn plain(bytes: Vec<u8>) -> Exported {
    let mut exported = Exported::default();
    exported.bytes = bytes;
    exported
}

fn scene_bytes(scene: &Scene, format: &str) -> PyResult<Exported> {
    match format {
        "glb" => glb(scene, &GltfOptions::default()).map_err(bad),
        "fbx" => fbx(scene, &FbxOptions::default()).map_err(bad),
        other => Err(bad(format!(
            "format: expected \"glb\" or \"fbx\", or for a clip \"bvh\", \"skeleton_anim\" or \"sinewclip\", found \"{other}\""
        ))),
    }
}

fn written(py: Python<'_>, exported: Exported) -> Written<'_> {
    let files = exported.files.iter();
    let files = files.map(|file| (file.name.clone(), PyBytes::new(py, &file.bytes)));
    (PyBytes::new(py, &exported.bytes), files.collect(), exported.notes)
}
