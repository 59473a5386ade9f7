//! Joints and morph targets, read and changed by a page.
//!
//! In:  numbers of joints and morph targets, places, rotations. Out: matrices; changes that last until they are taken back.

use sinew::glam::Quat;
#[cfg(feature = "full")]
use sinew::retarget::{Body, BodyPart, Slot};
use sinew::scene::{InstanceId, JointId};
use sinew::{JointOverride, Modifier, ModifierId};
use wasm_bindgen::prelude::*;

use crate::{Viewer, js};

/// A change to the pose that the page asked for.
#[derive(Debug)]
pub(crate) struct Reaching {
    what: What,
    modifier: ModifierId,
}

#[derive(Debug, PartialEq)]
enum What {
    #[cfg(feature = "full")]
    Reach(JointId),
    Override(JointId),
    Morph(usize, usize),
}

#[wasm_bindgen]
impl Viewer {
    /// Where a joint is in the world now: sixteen numbers, column by column.
    #[wasm_bindgen(js_name = jointMatrix)]
    pub fn joint_matrix(&self, joint: usize) -> JsValue {
        let actor = self.actor();
        let found = actor.pose().model_from_joint().get(joint);
        found.map_or(JsValue::UNDEFINED, |joint| js::matrix(actor.world_from_model() * *joint))
    }

    /// Has a joint reach for a place of the world, or a head look there; no place ends it.
    ///
    /// # Errors
    /// When the joint has nothing to reach with.
    #[cfg(feature = "full")]
    pub fn reach(&mut self, joint: usize, place: Option<Vec<f32>>) -> Result<(), JsError> {
        let joint = self.known_joint(joint)?;
        let Some(place) = place else {
            self.drop_modifier(&What::Reach(joint));
            return Ok(());
        };
        let known = self.reaching.iter().find(|known| known.what == What::Reach(joint));
        let id = match known.map(|known| known.modifier) {
            Some(id) => id,
            None => {
                let modifier = Modifier::reach(self.actor().scene(), joint)
                    .ok_or_else(|| JsError::new("the joint has no parent to reach with"))?;
                self.add_modifier(What::Reach(joint), modifier)
            }
        };
        let place = js::vector(&place);
        self.actor_mut().modifiers_mut().set_target(id, place);
        self.actor_mut().update();
        Ok(())
    }

    /// The joint of the head, where the model has the body of a person or an animal.
    #[cfg(feature = "full")]
    pub fn head(&self) -> Option<usize> {
        let body = Body::find(self.actor().scene()).ok()?;
        body.joint(Slot::middle(BodyPart::Head)).map(|joint| joint.index())
    }

    /// Rotates a joint on top of what plays: a quaternion, x y z w; none ends it.
    ///
    /// # Errors
    /// When there is no such joint.
    #[wasm_bindgen(js_name = rotateJoint)]
    pub fn rotate_joint(
        &mut self,
        joint: usize,
        rotation: Option<Vec<f32>>,
    ) -> Result<(), JsError> {
        let joint = self.known_joint(joint)?;
        self.drop_modifier(&What::Override(joint));
        if let Some([x, y, z, w]) = rotation.as_deref() {
            let rotate = Quat::from_xyzw(*x, *y, *z, *w);
            if rotate.is_finite() && rotate.length_squared() > 1e-12 {
                let change =
                    JointOverride { rotate: rotate.normalize(), ..JointOverride::new(joint) };
                self.add_modifier(What::Override(joint), Modifier::Joint(change));
            }
        }
        self.actor_mut().update();
        Ok(())
    }

    /// Sets a morph weight of a mesh instance; none leaves it to what plays.
    ///
    /// # Errors
    /// When there is no such morph target.
    #[wasm_bindgen(js_name = setMorph)]
    pub fn set_morph(
        &mut self,
        instance: usize,
        target: usize,
        weight: Option<f32>,
    ) -> Result<(), JsError> {
        let weights = self.actor().scene().instances.get(instance).map_or(0, |it| it.weights.len());
        if target >= weights {
            let text = format!("morph target: expected a number below {weights}, found {target}");
            return Err(JsError::new(&text));
        }
        self.drop_modifier(&What::Morph(instance, target));
        if let Some(weight) = weight.filter(|weight| weight.is_finite()) {
            let instance_id = InstanceId::new(instance);
            let modifier =
                Modifier::MorphWeight { instance: instance_id, morph_target: target, weight };
            self.add_modifier(What::Morph(instance, target), modifier);
        }
        self.actor_mut().update();
        Ok(())
    }

    /// All morph weights now, of all instances in order.
    #[wasm_bindgen(js_name = morphWeights)]
    pub fn morph_weights(&self) -> Vec<f32> {
        self.actor().pose().all_weights().to_vec()
    }
}

impl Viewer {
    fn known_joint(&self, joint: usize) -> Result<JointId, JsError> {
        let joints = self.actor().scene().skeleton().len();
        if joint < joints {
            Ok(JointId::new(joint))
        } else {
            let text = format!("joint: expected a number below {joints}, found {joint}");
            Err(JsError::new(&text))
        }
    }

    fn add_modifier(&mut self, what: What, modifier: Modifier) -> ModifierId {
        let id = self.actor_mut().modifiers_mut().add(modifier);
        self.reaching.push(Reaching { what, modifier: id });
        id
    }

    fn drop_modifier(&mut self, what: &What) {
        if let Some(index) = self.reaching.iter().position(|known| known.what == *what) {
            let known = self.reaching.remove(index);
            self.actor_mut().modifiers_mut().remove(known.modifier);
            self.actor_mut().update();
        }
    }

    /// The actor was made anew: its modifiers are gone.
    #[cfg(feature = "full")]
    pub(crate) fn forget_modifiers(&mut self) {
        self.reaching.clear();
    }
}
