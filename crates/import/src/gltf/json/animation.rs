//! Animations, as filed.

use super::Whole;
use crate::json::{Value, filed};

filed! {
    Animation {
        name: Option<String> = "name",
        channels: Vec<Channel> = "channels",
        samplers: Vec<Sampler> = "samplers",
        /// Whatever a program put there; `markers` are named moments.
        extras: Value = "extras",
    }

    Channel {
        sampler: Whole = "sampler" required,
        target: Target = "target" required,
    }

    Target {
        node: Option<Whole> = "node",
        path: String = "path",
        extensions: TargetExtensions = "extensions",
    }

    TargetExtensions {
        pointer: Option<Pointer> = "KHR_animation_pointer",
    }

    Pointer {
        pointer: String = "pointer",
    }

    Sampler {
        /// Key times.
        input: Whole = "input" required,
        /// Key values.
        output: Whole = "output" required,
        /// A word, in files that are right.
        interpolation: Option<Value> = "interpolation",
    }
}
