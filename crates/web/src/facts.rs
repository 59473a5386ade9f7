//! What there is to know about a model, as plain JavaScript values.

use sinew::scene::{Clip, Scene};
use sinew::{ClipFit, Model};
use wasm_bindgen::JsValue;

use crate::js;

/// Key times of a scrubber, at most: more cannot be told apart.
const MAX_KEYS: usize = 400;

/// Everything: `name format clips joints morphs cameras notes vertices triangles`.
pub(crate) fn facts(model: &Model, scene: &Scene) -> JsValue {
    let clips = scene.clips.iter().zip(&model.clips);
    let count = |of: fn(&sinew::scene::Primitive) -> usize| {
        let drawn = scene.instances.iter().flat_map(|it| &scene[it.mesh].primitives);
        drawn.map(of).sum::<usize>()
    };
    js::object([
        ("name", model.name.as_str().into()),
        ("format", model.format.name().into()),
        (
            "clips",
            js::array(clips.map(|(clip, source)| clip_facts(clip, &source.file, &source.fit))),
        ),
        ("variants", js::array(scene.variants.iter().map(|name| name.as_str().into()))),
        ("joints", js::array(scene.skeleton().nodes().iter().map(joint_facts))),
        ("morphs", morphs(scene)),
        ("cameras", js::array(scene.cameras.iter().map(|camera| camera.name.as_str().into()))),
        ("notes", js::array(model.notes.iter().map(|note| note.to_string().into()))),
        ("vertices", count(|primitive| primitive.positions.len()).into()),
        ("triangles", count(|primitive| primitive.indices.len() / 3).into()),
    ])
}

fn clip_facts(clip: &Clip, file: &str, fit: &ClipFit) -> JsValue {
    let markers = clip.markers.iter().map(|marker| {
        js::object([("name", marker.name.as_str().into()), ("time", marker.time.into())])
    });
    js::object([
        ("name", clip.name.as_str().into()),
        ("duration", clip.duration.into()),
        ("file", file.into()),
        ("fit", said(fit).into()),
        ("quality", quality(fit)),
        ("markers", js::array(markers)),
        ("keys", js_sys::Float32Array::from(&key_times(clip)[..]).into()),
    ])
}

/// How a clip was made to fit; without the whole build, all are the model's own.
#[cfg(feature = "full")]
fn said(fit: &ClipFit) -> String {
    fit.to_string()
}

#[cfg(not(feature = "full"))]
fn said(_: &ClipFit) -> &'static str {
    "the model's own"
}

/// How good a retargeted clip is; `null` where nothing was retargeted.
fn quality(fit: &ClipFit) -> JsValue {
    let ClipFit::Retargeted { quality, reason } = fit else { return JsValue::NULL };
    js::object([
        ("joints", quality.joints.into()),
        ("meanDirection", quality.mean_direction.into()),
        ("worstDirection", quality.worst_direction.into()),
        ("footSlide", quality.slide.mean.into()),
        ("reason", reason.as_str().into()),
    ])
}

/// The times of all keys, each once, in order.
fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = clip.all_times().flatten().copied().collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let step = times.len().div_ceil(MAX_KEYS).max(1);
    times.into_iter().step_by(step).collect()
}

fn joint_facts(node: &sinew::scene::Node) -> JsValue {
    let parent = node.parent.map_or(JsValue::NULL, |parent| parent.index().into());
    js::object([("name", node.name.as_str().into()), ("parent", parent)])
}

/// Each morph target of each instance: `name instance target`.
fn morphs(scene: &Scene) -> JsValue {
    let all = scene.instances.iter().enumerate().flat_map(|(at, instance)| {
        let names = &scene[instance.mesh].morph_names;
        (0..instance.weights.len()).map(move |target| {
            let name = names.get(target).filter(|name| !name.is_empty());
            let name = name.cloned().unwrap_or_else(|| format!("morph {target}"));
            js::object([("name", name.into()), ("instance", at.into()), ("target", target.into())])
        })
    });
    js::array(all)
}
