//! Joints and morph targets, read and changed by a page.
//!
//! In:  numbers of joints and morph targets, places, rotations. Out: matrices; changes that last until they are taken back.

use sinew::JointOverride;
use sinew::glam::Quat;
#[cfg(feature = "full")]
use sinew::retarget::{Body, BodyPart, Slot};
use sinew::scene::{InstanceId, JointId};
#[cfg(feature = "full")]
use sinew::{Modifier, ModifierId};
use wasm_bindgen::prelude::*;

use crate::{Viewer, js};

/// A change to the pose that the page asked for, on top of what plays.
#[derive(Debug)]
pub(crate) enum Change {
    Rotate(JointId, Quat),
    Morph { instance: InstanceId, target: usize, weight: f32 },
}

/// A joint that reaches for a place.
#[cfg(feature = "full")]
#[derive(Debug)]
pub(crate) struct Reaching {
    joint: JointId,
    modifier: ModifierId,
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
        let known = self.reaching.iter().position(|known| known.joint == joint);
        let Some(place) = place else {
            if let Some(index) = known {
                let ended = self.reaching.remove(index);
                self.actor_mut().modifiers_mut().remove(ended.modifier);
                self.refresh();
            }
            return Ok(());
        };
        let id = match known {
            Some(index) => self.reaching[index].modifier,
            None => {
                let modifier = Modifier::reach(self.actor().scene(), joint)
                    .ok_or_else(|| JsError::new("the joint has no parent to reach with"))?;
                let modifier = self.actor_mut().modifiers_mut().add(modifier);
                self.reaching.push(Reaching { joint, modifier });
                modifier
            }
        };
        self.actor_mut().modifiers_mut().set_target(id, js::vector(&place));
        self.refresh();
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
        self.changes
            .retain(|change| !matches!(change, Change::Rotate(known, _) if *known == joint));
        if let Some([x, y, z, w]) = rotation.as_deref() {
            let rotation = Quat::from_xyzw(*x, *y, *z, *w);
            if rotation.is_finite() && rotation.length_squared() > 1e-12 {
                self.changes.push(Change::Rotate(joint, rotation.normalize()));
            }
        }
        self.refresh();
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
        let instance = InstanceId::new(instance);
        self.changes.retain(|change| {
            !matches!(change, Change::Morph { instance: i, target: t, .. } if (*i, *t) == (instance, target))
        });
        if let Some(weight) = weight.filter(|weight| weight.is_finite()) {
            self.changes.push(Change::Morph { instance, target, weight });
        }
        self.refresh();
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

    /// The pose of now, with all changes.
    pub(crate) fn refresh(&mut self) {
        self.actor_mut().update();
        self.apply_changes();
    }

    /// Puts the page's changes on a pose that was just made.
    pub(crate) fn apply_changes(&mut self) {
        let Self { changes, stage, .. } = self;
        if changes.is_empty() {
            return;
        }
        stage.members[0].actor.modify(|pose, skeleton| {
            for change in changes {
                match *change {
                    Change::Rotate(joint, rotate) => {
                        let change = JointOverride { rotate, ..JointOverride::new(joint) };
                        pose.set_local(joint, change.apply(pose.local(joint)));
                        pose.to_model_from(skeleton, joint);
                    }
                    Change::Morph { instance, target, weight } => {
                        pose.weights_mut(instance)[target] = weight;
                    }
                }
            }
        });
    }
}
