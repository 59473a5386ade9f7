//! The thin bar on top: open, view modes, notes, panels, help.

use eframe::egui::{self, Align, Layout, RichText, Ui};

use super::pieces::{hint, switch};
use crate::keys::Action;
use crate::modes::Switch;
use crate::state::State;
use crate::theme;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if ui.button("Open").on_hover_text(hint("open files", Action::Open)).clicked() {
            state.act(Action::Open);
        }
        ui.menu_button("Save", |ui| {
            for (words, action) in [("An image", Action::Screenshot), ("A GIF…", Action::Film)] {
                if ui
                    .button(words)
                    .on_hover_text(hint(crate::system::image::WHERE, action))
                    .clicked()
                {
                    state.act(action);
                    ui.close();
                }
            }
        });
        if ui
            .button("Check")
            .on_hover_text(hint("what is wrong with the model", Action::Check))
            .clicked()
        {
            state.act(Action::Check);
        }
        let words = if state.diff.is_some() { "End compare" } else { "Compare" };
        let about = hint("with another file, and show how far it is off", Action::Compare);
        if ui.button(words).on_hover_text(about).clicked() {
            state.act(Action::Compare);
        }
        rule(ui);
        // What is at the right end has its room first.
        let right = 152.0 + if notes(state) > 0 { 74.0 } else { 0.0 };
        let end = ui.max_rect().right() - right;
        modes(ui, state, end);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ends(ui, state);
        });
    });
}

/// As many switches as there is room for; the others in a menu.
fn modes(ui: &mut Ui, state: &mut State, end: f32) {
    let mut rest = Vec::new();
    for mode in Switch::ALL {
        let font = egui::FontId::proportional(12.0);
        let galley = ui.painter().layout_no_wrap(mode.label().to_owned(), font, theme::TEXT);
        let width = galley.size().x + 26.0;
        let menu = if mode == Switch::Lights && rest.is_empty() { 0.0 } else { 44.0 };
        if !rest.is_empty() || ui.cursor().left() + width + menu > end {
            rest.push(mode);
            continue;
        }
        one(ui, state, mode);
        if mode.ends_group() {
            rule(ui);
        }
    }
    if !rest.is_empty() {
        ui.menu_button("More", |ui| {
            for mode in rest {
                one(ui, state, mode);
            }
        });
    }
}

fn one(ui: &mut Ui, state: &mut State, mode: Switch) {
    let action = Action::Switch(mode);
    let on = *state.modes.at(mode);
    if switch(ui, mode.label(), on, &hint(mode.words(), action)).clicked() {
        state.act(action);
    }
}

fn ends(ui: &mut Ui, state: &mut State) {
    if switch(ui, "?", state.help, &hint("keys and mouse", Action::Help)).clicked() {
        state.act(Action::Help);
    }
    let panels = [
        ("Info", state.panels.inspector, Action::Inspector, "inspector"),
        ("Time", state.panels.timeline, Action::Timeline, "timeline"),
        ("Tree", state.panels.tree, Action::Tree, "scene tree"),
    ];
    ui.add_space(4.0);
    for (name, on, action, words) in panels {
        let color = if on { theme::TEXT } else { theme::FAINT };
        let button = egui::Button::new(RichText::new(name).size(11.0).color(color)).frame(false);
        if ui.add(button).on_hover_text(hint(words, action)).clicked() {
            state.act(action);
        }
        ui.add_space(8.0);
    }
    let count = notes(state);
    if count > 0 {
        rule(ui);
        let words = crate::figures::counted(count, "note", "notes");
        let text = RichText::new(words).size(11.5).color(theme::YELLOW);
        let button = egui::Button::new(text).frame(false);
        if ui.add(button).on_hover_text("what was mended or left out while reading").clicked() {
            state.show_notes ^= true;
        }
    }
}

/// How many notes there are on the model.
fn notes(state: &State) -> usize {
    state.model().map_or(0, |model| model.report.note_count())
}

fn rule(ui: &mut Ui) {
    let (rect, _) = super::room(ui, 11.0, 18.0, egui::Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), egui::Stroke::new(1.0, theme::RAISED));
}
