//! A joint: where it is, what moves it, what it influences.

use eframe::egui::{FontId, Label, RichText, Ui};
use sinew::JointId;

use super::title;
use crate::figures::{self, degree, metre};
use crate::keys::Action;
use crate::modes::Switch;
use crate::outline::Item;
use crate::panels::pieces::{hint, number, row, section, switch, triple, words};
use crate::state::State;
use crate::theme;

pub(crate) fn show(ui: &mut Ui, state: &mut State, joint: JointId) {
    let Some(model) = state.model() else { return };
    if joint.index() >= model.scene().skeleton().len() {
        return;
    }
    let bone = model.scene().skins.iter().any(|skin| skin.joints.contains(&joint));
    title(ui, &model.name_of(joint), if bone { "joint" } else { "node" });
    let mut chosen = None;
    let heat = state.modes.heat;
    let mut switched = false;
    let reaches = model.target_of(joint).map(|place| &model.targets[place]);
    let mut reach = false;
    section(ui, "Transform", true, |ui| {
        let local = model.actor.pose().local(joint);
        let at = local.translation;
        triple(ui, "Position", [metre(at.x), metre(at.y), metre(at.z)], "m");
        triple(ui, "Rotation", figures::euler(local.rotation).map(degree), "°");
        let scale = local.scale;
        triple(ui, "Scale", [metre(scale.x), metre(scale.y), metre(scale.z)], "×");
        let world = model.world_from_joint(joint).translation;
        triple(ui, "In the world", [metre(world.x), metre(world.y), metre(world.z)], "m");
        let q = local.rotation;
        let words = format!("{:5.2} {:5.2} {:5.2} {:5.2}", q.x, q.y, q.z, q.w);
        // A little smaller, so that four fit where elsewhere there are three.
        let words = RichText::new(words).font(FontId::monospace(10.5));
        row(ui, "Quaternion", |ui| ui.add(Label::new(words).truncate())).on_hover_text("x y z w");
    });
    if model.scene().skeleton().parents()[joint.index()].is_some() {
        section(ui, "Target", true, |ui| {
            row(ui, "For a place", |ui| {
                let hint = hint("a target that can be dragged in the image", Action::Reach);
                reach = switch(ui, "Reach", reaches.is_some(), &hint).clicked();
            });
            if let Some(target) = reaches {
                triple(ui, "Target", target.position.to_array().map(metre), "m");
                words(ui, "How", model.describe_target(target));
            }
        });
    }
    section(ui, "Tree", true, |ui| {
        number(ui, "Number", format!("{} of {}", joint.index(), model.scene().skeleton().len()));
        let parent = model.scene().skeleton().parents()[joint.index()];
        row(ui, "Parent", |ui| match parent {
            Some(parent) => {
                if ui.link(RichText::new(model.name_of(parent)).size(12.0)).clicked() {
                    chosen = Some(parent);
                }
            }
            None => {
                ui.label(RichText::new("none").size(12.0).color(theme::WEAK));
            }
        });
        number(ui, "Children", figures::count(model.facts.children[joint.index()].len()));
        number(ui, "Below it", figures::count(model.below(joint).len() - 1));
    });
    section(ui, "Weights", true, |ui| {
        let (vertices, strongest) = model.influence(joint);
        number(ui, "Influences", figures::counted(vertices, "vertex", "vertices"));
        number(ui, "At most", format!("{strongest:.3}"));
        let skins = model.scene().skins.iter().filter(|skin| skin.joints.contains(&joint));
        number(ui, "In skins", figures::count(skins.count()));
        if vertices > 0 {
            row(ui, "Heat-map", |ui| {
                let words = if heat { "shown" } else { "show" };
                let hint = hint("how strongly it influences", Action::Switch(Switch::Heat));
                switched = switch(ui, words, heat, &hint).clicked();
            });
        }
    });
    section(ui, "Keys", true, |ui| {
        let Some(clip) = model.actor.clip() else {
            ui.label(RichText::new("No clip plays.").color(theme::WEAK).size(12.0));
            return;
        };
        let translations = clip.translations.iter().find(|track| track.joint == joint);
        let rotations = clip.rotations.iter().find(|track| track.joint == joint);
        let scales = clip.scales.iter().find(|track| track.joint == joint);
        let describe = |count: Option<usize>, how: Option<String>| match (count, how) {
            (Some(count), Some(how)) => {
                format!("{}, {how}", figures::counted(count, "key", "keys"))
            }
            _ => "at rest".to_owned(),
        };
        let how = |curve: sinew::scene::Interpolation| format!("{curve:?}").to_lowercase();
        number(
            ui,
            "Position",
            describe(
                translations.map(|t| t.curve.times().len()),
                translations.map(|t| how(t.curve.interpolation())),
            ),
        );
        number(
            ui,
            "Rotation",
            describe(
                rotations.map(|t| t.curve.times().len()),
                rotations.map(|t| how(t.curve.interpolation())),
            ),
        );
        number(
            ui,
            "Scale",
            describe(
                scales.map(|t| t.curve.times().len()),
                scales.map(|t| how(t.curve.interpolation())),
            ),
        );
    });
    if reach {
        state.act(Action::Reach);
    }
    if switched {
        state.act(Action::Switch(Switch::Heat));
    }
    if let Some(parent) = chosen {
        state.select(state.active, Some(Item::Joint(parent)));
    }
}
