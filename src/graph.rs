#![doc = include_str!("../docs/graph.md")]
//!
//! # Graphs from files
//!
//! RON, JSON and TOML, each by a feature of its name. In: text. Out: a [`Graph`], not yet bound to
//! a scene.

pub use sinew_motion::graph::*;

/// A format that graphs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Rusty object notation.
    #[cfg(feature = "ron")]
    Ron,
    /// JSON.
    #[cfg(feature = "json")]
    Json,
    /// TOML.
    #[cfg(feature = "toml")]
    Toml,
}

impl Format {
    /// The format of a file of this name, by its ending.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match &ending[..] {
            #[cfg(feature = "ron")]
            "ron" => Some(Self::Ron),
            #[cfg(feature = "json")]
            "json" => Some(Self::Json),
            #[cfg(feature = "toml")]
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

/// Reads a graph.
///
/// # Errors
/// When the text is not a graph; the message says where and what was expected.
#[cfg(any(feature = "ron", feature = "json", feature = "toml"))]
pub fn read(text: &str, format: Format) -> Result<Graph, String> {
    match format {
        #[cfg(feature = "ron")]
        Format::Ron => ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| error.to_string()),
        #[cfg(feature = "json")]
        Format::Json => serde_json::from_str(text).map_err(|error| error.to_string()),
        #[cfg(feature = "toml")]
        Format::Toml => toml::from_str(text).map_err(|error| error.to_string().trim_end().into()),
    }
}
