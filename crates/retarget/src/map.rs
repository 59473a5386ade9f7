//! A joint map: the same body in two skeletons.

use sinew_scene::Scene;

use crate::body::Body;
use crate::error::RetargetError;
use crate::posture::on_all_fours;
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
    /// When one of them has no body, which says what is missing; or when one stands on four legs and the other on two.
    pub fn find(from: &Scene, to: &Scene) -> Result<Self, RetargetError> {
        let whose = |whose: &str, error: RetargetError| match error {
            RetargetError::NoBody(message) => RetargetError::NoBody(format!("{whose}: {message}")),
            other => other,
        };
        let map = Self {
            from: Body::find(from).map_err(|error| whose("the clip's skeleton", error))?,
            to: Body::find(to).map_err(|error| whose("the character", error))?,
        };
        let fours = [on_all_fours(from, &map.from), on_all_fours(to, &map.to)];
        let (other, one) = match fours {
            [true, false] => ("the clip's skeleton", "the character"),
            [false, true] => ("the character", "the clip's skeleton"),
            _ => return Ok(map),
        };
        Err(RetargetError::NoBody(format!(
            "{other}: expected a body that stands on two legs as {one} does, found one on all fours; a map file can name the joints all the same"
        )))
    }

    /// The slots that both bodies have.
    pub fn shared(&self) -> impl Iterator<Item = Slot> + use<'_> {
        self.from.slots().filter(|&slot| self.to.joint(slot).is_some())
    }
}
