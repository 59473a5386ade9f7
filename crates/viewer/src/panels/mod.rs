//! What is around the image and over it.

mod diff;
mod film;
mod findings;
mod icons;
mod inspector;
mod messages;
#[cfg(test)]
mod motion_tests;
mod open;
mod pieces;
mod sheet;
mod target;
#[cfg(test)]
mod tests;
mod time;
mod top;
mod tree;
pub(crate) mod viewport;

use eframe::egui::{self, Frame, Margin, Panel, Rect, Stroke, Ui};

pub(crate) use inspector::Thumbnails;

use crate::state::State;
use crate::theme;

/// Shows the panels; gives back what is left for the image.
pub(crate) fn around(ui: &mut Ui, state: &mut State, thumbnails: &mut Thumbnails) -> Rect {
    if !state.panels.hidden {
        let width = ui.available_width();
        let slim = width < 1100.0;
        Panel::top("top").frame(frame(8, 5)).exact_size(36.0).show(ui, |ui| top::show(ui, state));
        if state.panels.timeline {
            let panel = Panel::bottom("time").frame(frame(10, 8)).exact_size(96.0);
            panel.show(ui, |ui| time::show(ui, state));
        }
        if state.panels.tree {
            let panel = Panel::left("tree").frame(frame(8, 8)).size_range(150.0..=420.0);
            let panel = panel.default_size(if slim { 180.0 } else { 230.0 });
            panel.show(ui, |ui| tree::show(ui, state));
        }
        if state.panels.inspector {
            let panel = Panel::right("inspector").frame(frame(10, 8)).size_range(210.0..=460.0);
            let panel = panel.default_size(if slim { 228.0 } else { 270.0 });
            panel.show(ui, |ui| inspector::show(ui, state, thumbnails));
        }
    }
    ui.available_rect_before_wrap()
}

/// Shows what lies over the image and over everything.
pub(crate) fn over(ui: &mut Ui, state: &mut State, rect: Rect) {
    viewport::labels(ui, state, rect);
    messages::show(ui, state, rect);
    findings::show(ui.ctx(), state, rect);
    diff::show(ui.ctx(), state, rect);
    film::progress(ui.ctx(), state, rect);
    film::ask(ui.ctx(), state);
    open::show(ui.ctx(), state);
    sheet::show(ui.ctx(), state);
}

fn frame(side: i8, top: i8) -> Frame {
    Frame::new()
        .fill(theme::PANEL)
        .stroke(Stroke::new(1.0, theme::EDGE))
        .inner_margin(Margin::symmetric(side, top))
}

/// A shape of our own: how much room it takes.
fn room(ui: &mut Ui, width: f32, height: f32, sense: egui::Sense) -> (Rect, egui::Response) {
    ui.allocate_exact_size(egui::vec2(width, height), sense)
}
