//! What is drawn over the model: bones, names, axes, bounds, paths, and whom a joint influences.
//!
//! In:  words, and a joint. Out: lines and bones in the frame.

use sinew::glam::Vec4;
use sinew::render::BoneStyle;
use sinew::scene::{ClipId, JointId};
use sinew::stage::{Trail, walker};
use wasm_bindgen::prelude::*;

use crate::Viewer;

/// What the tag asked for.
#[derive(Debug, Default)]
pub(crate) struct Overlays {
    bones: bool,
    names: bool,
    axes: bool,
    bounds: bool,
    path: bool,
    /// The joint whose influence is shown, and that is chosen among the bones.
    chosen: Option<JointId>,
    weights: bool,
    /// The path of a clip, made once.
    trail: Option<(ClipId, JointId, Trail)>,
}

#[wasm_bindgen]
impl Viewer {
    /// What is drawn over the model: any of `bones names axes weights bounds path`; for `weights`, those of the chosen joint.
    pub fn show(&mut self, words: &str) {
        let has = |word: &str| words.split_whitespace().any(|known| known == word);
        self.overlays.bones = has("bones");
        self.overlays.names = has("names");
        self.overlays.axes = has("axes");
        self.overlays.bounds = has("bounds");
        self.overlays.path = has("path");
        self.overlays.weights = has("weights");
        self.show_weights();
    }

    /// Chooses a joint by its number.
    pub fn choose(&mut self, joint: Option<usize>) {
        let joints = self.actor().scene().skeleton().len();
        self.overlays.chosen = joint.filter(|joint| *joint < joints).map(JointId::new);
        self.show_weights();
    }
}

impl Viewer {
    fn show_weights(&mut self) {
        let first =
            self.actor().scene().skins.first().and_then(|skin| skin.joints.first().copied());
        let heat = if self.overlays.weights { self.overlays.chosen.or(first) } else { None };
        self.member_mut().heat = heat;
    }

    pub(crate) fn draw_overlays(&mut self) {
        self.find_trail();
        let Self { stage, frame, overlays, .. } = self;
        let member = &stage.members[0];
        let actor = &member.actor;
        let scene = actor.scene();
        let bare = member.is_bare();
        let any = overlays.bones
            || overlays.names
            || overlays.axes
            || overlays.bounds
            || overlays.path
            || bare;
        if !any {
            return;
        }
        let world = actor.world_from_model();
        let joints: Vec<_> =
            actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect();
        let style =
            BoneStyle { chosen: overlays.chosen, shown: &member.bones, ..BoneStyle::default() };
        let overlay = &mut frame.overlay;
        let bounds = member.bounds();
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
        // A file without a surface, such as a BVH, is its skeleton.
        if overlays.bones || bare {
            overlay.skeleton(scene.skeleton(), &joints, &style);
        }
        if overlays.names {
            overlay.names(scene.skeleton(), &joints, &style);
        }
        if overlays.axes {
            let shown = joints.iter().zip(&member.bones).filter(|(_, shown)| **shown);
            shown.for_each(|(joint, _)| overlay.axes(*joint, size * 0.03));
        }
        if overlays.bounds {
            overlay.bounds(bounds, Vec4::new(0.9, 0.6, 0.1, 1.0));
        }
        if let Some((_, joint, trail)) = overlays.trail.as_ref().filter(|_| overlays.path) {
            let floor = stage.surroundings.floor.map_or(0.0, |floor| floor.height);
            let now = joints[joint.index()].translation.into();
            trail.draw(world, floor, size, Some(now), overlay);
        }
    }

    /// The path of the clip that plays, where it is shown.
    fn find_trail(&mut self) {
        let actor = self.actor();
        let clip = actor.clip_id().filter(|_| self.overlays.path);
        let Some(clip) = clip else { return };
        if self.overlays.trail.as_ref().is_some_and(|(known, ..)| *known == clip) {
            return;
        }
        let scene = actor.scene();
        let found = walker(scene, clip.index());
        let trail = found.map(|joint| (clip, joint, Trail::of_clip(scene, clip.index(), joint)));
        self.overlays.trail = trail;
    }
}
