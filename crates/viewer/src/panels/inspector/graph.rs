//! The graph that a model plays: what can be set, which state it is in, which nodes are seen.

use eframe::egui::{ProgressBar, RichText, Role, Slider, SliderClamping, Ui, WidgetInfo};
use sinew::graph::Parameter;

use crate::load;
use crate::model::Model;
use crate::panels::pieces::{row, section, words};
use crate::state::State;
use crate::theme;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.model_mut() else { return };
    let Some(graph) = model.graph.clone() else { return };
    let mut leave = false;
    section(ui, "Graph", true, |ui| {
        words(ui, "File", load::title(&graph.file)).on_hover_text(graph.file.display().to_string());
        row(ui, "Play", |ui| {
            if ui.button("Restart").on_hover_text("from its beginning  [Home]").clicked() {
                model.seek(0.0);
            }
            leave = ui.button("Leave").on_hover_text("back to clips").clicked();
        });
        parameters(ui, model);
        for machine in graph.state_machines() {
            let now = model.actor.graph().and_then(|graph| graph.state(machine)).unwrap_or("");
            row(ui, machine, |ui| {
                ui.label(RichText::new(now).size(12.0).color(theme::ACCENT))
                    .on_hover_text("the state that it is in, or that a transition leads to");
            });
        }
    });
    section(ui, "Nodes", true, |ui| shares(ui, model));
    if leave {
        let first = state.model().and_then(|model| model.scene().clip_ids().next());
        state.choose_clip(first);
    }
}

/// A slider, a checkbox or a button for each.
fn parameters(ui: &mut Ui, model: &mut Model) {
    let Model { actor, graph: Some(graph), .. } = model else { return };
    let Some(player) = actor.graph_mut() else { return };
    let compiled = player.compiled().clone();
    for (at, (name, parameter)) in compiled.parameters().enumerate() {
        let mut value = player.value(name).unwrap_or(0.0);
        let before = value;
        row(ui, name, |ui| match parameter {
            Parameter::Float(_) => {
                let range = graph.ranges.get(name).cloned().unwrap_or(0.0..=1.0);
                let slider = Slider::new(&mut value, range).clamping(SliderClamping::Never);
                ui.spacing_mut().slider_width = (ui.available_width() - 60.0).clamp(40.0, 200.0);
                ui.add(slider.max_decimals(2)).on_hover_text(name);
            }
            Parameter::Bool(_) => {
                let mut on = value != 0.0;
                let label = if on { "on" } else { "off" };
                let shown = ui.checkbox(&mut on, label);
                shown.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
                value = f32::from(u8::from(on));
            }
            Parameter::Trigger(_) => {
                let button = ui.button("Fire").on_hover_text(format!("fires {name} once"));
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                if button.clicked() {
                    value = 1.0;
                }
            }
        });
        if value != before && value.is_finite() {
            player.set_at(at, value);
        }
    }
}

/// How much of each node is seen; those that are not, faint.
fn shares(ui: &mut Ui, model: &Model) {
    let Some(player) = model.actor.graph() else { return };
    for (name, share) in player.shares() {
        row(ui, name, |ui| {
            let fill = if share > 0.0 { theme::accent(0.55) } else { theme::SUNKEN };
            let width = (ui.available_width() - 44.0).max(20.0);
            ui.add(ProgressBar::new(share).desired_width(width).desired_height(8.0).fill(fill));
            let color = if share > 0.0 { theme::TEXT } else { theme::FAINT };
            let text = format!("{:3.0} %", share * 100.0);
            ui.label(RichText::new(text).font(theme::figures()).color(color));
        });
    }
}
