//! Morph weights set by hand: modifiers of the actor, so that they hold in every frame.

use sinew::{InstanceId, Modifier, ModifierId};

use super::Model;

impl Model {
    /// The weight that a morph target is held at by hand.
    pub(crate) fn held_weight(&self, instance: InstanceId, morph_target: usize) -> Option<f32> {
        self.morph_modifier(instance, morph_target).map(|(_, weight)| weight)
    }

    /// Holds a morph target at a weight; `None` gives it back to the clip.
    pub(crate) fn hold_weight(
        &mut self,
        instance: InstanceId,
        morph_target: usize,
        weight: Option<f32>,
    ) {
        let known = self.morph_modifier(instance, morph_target);
        let modifiers = self.actor.modifiers_mut();
        if let Some((known, _)) = known {
            modifiers.remove(known);
        }
        if let Some(weight) = weight {
            modifiers.add(Modifier::MorphWeight { instance, morph_target, weight });
        }
        self.actor.update();
    }

    fn morph_modifier(&self, of: InstanceId, at: usize) -> Option<(ModifierId, f32)> {
        self.actor.modifiers().iter().find_map(|(id, modifier)| match modifier {
            Modifier::MorphWeight { instance, morph_target, weight }
                if (*instance, *morph_target) == (of, at) =>
            {
                Some((id, *weight))
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_weight_stays_while_the_clip_plays_and_is_given_back() {
        let mut model = Model::built_in("demo", sinew::demo());
        let mut instances = (0..model.scene().instances.len()).map(InstanceId::new);
        let has_morphs = |of: &InstanceId| !model.actor.pose().weights(*of).is_empty();
        let instance = instances.find(has_morphs).expect("a mesh with morph targets");
        model.hold_weight(instance, 0, Some(0.37));
        model.hold_weight(instance, 0, Some(0.73));
        model.advance(0.1);
        assert_eq!(model.actor.pose().weights(instance)[0], 0.73);
        assert_eq!(model.held_weight(instance, 0), Some(0.73));
        model.hold_weight(instance, 0, None);
        assert!(model.held_weight(instance, 0).is_none() && model.actor.modifiers().is_empty());
    }
}
