//! Material variants of a model on a stage: other looks of the same shapes, chosen by name.

use std::fmt;

use sinew_scene::Scene;

use super::Member;

/// A model has no material variant of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariantError {
    /// What was asked for.
    pub wanted: String,
    /// What there is.
    pub known: Vec<String>,
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no material variant \"{}\": the model has ", self.wanted)?;
        match &self.known[..] {
            [] => write!(f, "none"),
            known => write!(f, "{known:?}"),
        }
    }
}

impl std::error::Error for VariantError {}

impl VariantError {
    fn new(wanted: &str, scene: &Scene) -> Self {
        Self { wanted: wanted.to_owned(), known: scene.variants.clone() }
    }
}

impl Member {
    /// Shows it in the material variant of this name.
    ///
    /// # Errors
    /// When its model has none of this name; it then keeps the look that it has.
    pub fn show_variant(&mut self, name: &str) -> Result<(), VariantError> {
        let scene = self.actor.scene();
        let found = scene.find_variant(name).ok_or_else(|| VariantError::new(name, scene))?;
        self.set_variant(Some(found));
        Ok(())
    }
}
