//! What is drawn over a model: bones, names, axes, boxes, its path and its normals.
//!
//! In:  the model as it is now, and what is switched on or selected.
//! Out: lines and labels in the frame's overlay.

use sinew::glam::Vec4;
use sinew::render::BoneStyle;
use sinew::{InstanceId, JointId};

use super::Stage;
use crate::model::Model;
use crate::outline::Item;
use crate::state::State;

/// More vertices than this make a carpet of normals, not an image.
const MAX_NORMAL_VERTICES: usize = 60_000;
/// Of what is selected: the accent colour as light.
const ACCENT: Vec4 = Vec4::new(1.0, 0.35, 0.08, 1.0);
/// Of other boxes.
const BOX: Vec4 = Vec4::new(0.35, 0.38, 0.45, 0.9);

impl Stage {
    /// Everything over one model; `active` is the one with the selection.
    pub(super) fn overlays(&mut self, state: &State, model: &Model, active: bool) {
        self.joints.clear();
        let world_from_model = model.actor.world_from_model();
        let joints = model.actor.pose().model_from_joint();
        self.joints.extend(joints.iter().map(|joint| world_from_model * *joint));
        let joint = state.joint().filter(|_| active);
        let size = model.bounds.size().length();
        let length = if size.is_finite() { size * 0.022 } else { 0.05 };
        self.bones(state, model, joint);
        self.axes(state, model, joint, length);
        self.boxes(state, model, state.selection.filter(|_| active));
        if state.modes.path && !model.placement.scenery {
            self.path(model, joint);
        }
        if state.modes.normals && model.facts.totals.vertices <= MAX_NORMAL_VERTICES {
            self.normals(model, length * 0.5);
        }
    }

    /// The whole skeleton where that is switched on; else what is below the selected joint.
    fn bones(&mut self, state: &State, model: &Model, joint: Option<JointId>) {
        let overlay = &mut self.frame.overlay;
        let skeleton = model.scene().skeleton();
        let style = BoneStyle { chosen: joint, shown: &model.facts.bones, ..BoneStyle::default() };
        if state.modes.names && !model.placement.scenery {
            overlay.names(skeleton, &self.joints, &style);
        }
        if state.modes.skeleton && !model.placement.scenery {
            overlay.skeleton(skeleton, &self.joints, &style);
        } else if let Some(joint) = joint {
            let mut shown = vec![false; skeleton.len()];
            model.below(joint).iter().for_each(|below| shown[below.index()] = true);
            let style = BoneStyle { shown: &shown, ..style };
            overlay.skeleton(skeleton, &self.joints, &style);
        }
    }

    fn axes(&mut self, state: &State, model: &Model, joint: Option<JointId>, length: f32) {
        let overlay = &mut self.frame.overlay;
        if state.modes.axes && !model.placement.scenery {
            for (joint, shown) in self.joints.iter().zip(&model.facts.bones) {
                if *shown {
                    overlay.axes(*joint, length);
                }
            }
        } else if let Some(joint) = joint {
            overlay.axes(self.joints[joint.index()], length * 2.0);
        }
    }

    /// Around each mesh where that is switched on; else around the selected one.
    fn boxes(&mut self, state: &State, model: &Model, selected: Option<Item>) {
        for index in 0..model.scene().instances.len() {
            let instance = InstanceId::new(index);
            let chosen = selected == Some(Item::Mesh(instance));
            if state.modes.bounds || chosen {
                let color = if chosen { ACCENT } else { BOX };
                self.frame.overlay.bounds(model.actor.bounds_of(instance), color);
            }
        }
    }
}
