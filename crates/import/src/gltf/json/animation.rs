//! Animations, as filed.

use serde::Deserialize;
use serde_json::Value;

use super::Whole;

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Animation {
    pub(in crate::gltf) name: Option<String>,
    #[serde(default)]
    pub(in crate::gltf) channels: Vec<Channel>,
    #[serde(default)]
    pub(in crate::gltf) samplers: Vec<Sampler>,
    /// Whatever a program put there; `markers` are named moments.
    #[serde(default)]
    pub(in crate::gltf) extras: Value,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Channel {
    pub(in crate::gltf) sampler: Whole,
    pub(in crate::gltf) target: Target,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Target {
    pub(in crate::gltf) node: Option<Whole>,
    #[serde(default)]
    pub(in crate::gltf) path: String,
    #[serde(default)]
    pub(in crate::gltf) extensions: TargetExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::gltf) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(in crate::gltf) pointer: Option<Pointer>,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Pointer {
    #[serde(default)]
    pub(in crate::gltf) pointer: String,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Sampler {
    /// Key times.
    pub(in crate::gltf) input: Whole,
    /// Key values.
    pub(in crate::gltf) output: Whole,
    /// A word, in files that are right.
    pub(in crate::gltf) interpolation: Option<Value>,
}
