//! A joint map: the same body in two skeletons.

use sinew_scene::Scene;

use crate::body::Body;
use crate::error::Error;
use crate::slot::Slot;

/// Which joint of one skeleton answers to which of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointMap {
    /// In the clip's skeleton.
    pub from: Body,
    /// In the character.
    pub to: Body,
}

impl JointMap {
    /// Finds the body in both.
    ///
    /// # Errors
    /// When one of them has no body; says which and what is missing.
    pub fn find(from: &Scene, to: &Scene) -> Result<Self, Error> {
        let whose = |whose: &str, error: Error| match error {
            Error::NoBody(message) => Error::NoBody(format!("{whose}: {message}")),
            other => other,
        };
        Ok(Self {
            from: Body::find(from).map_err(|error| whose("the clip's skeleton", error))?,
            to: Body::find(to).map_err(|error| whose("the character", error))?,
        })
    }

    /// The slots that both bodies have.
    pub fn shared(&self) -> impl Iterator<Item = Slot> + use<'_> {
        self.from.slots().filter(|&slot| self.to.joint(slot).is_some())
    }
}
