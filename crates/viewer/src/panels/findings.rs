//! What is wrong with the model: a list over the image; a click shows the place.

use eframe::egui::{self, Area, Color32, Id, Order, Rect, RichText};
use sinew::check::Severity;

use super::messages::card;
use crate::findings::Line;
use crate::state::State;
use crate::theme;

pub(super) fn show(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some(findings) = state.findings.clone() else { return };
    let width = (rect.width() - 24.0).clamp(200.0, 440.0);
    let at = egui::pos2(rect.right() - width - 12.0, rect.top() + 12.0);
    let (mut close, mut clicked) = (false, None);
    Area::new(Id::unique("findings")).order(Order::Middle).fixed_pos(at).show(context, |ui| {
        card(theme::ACCENT).show(ui, |ui| {
            ui.set_width(width - 30.0);
            ui.horizontal(|ui| {
                ui.label(RichText::new(findings.title()).size(14.0));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    close = ui.button("×").on_hover_text("[Esc]").clicked();
                });
            });
            match &findings.lines {
                Err(why) => drop(ui.label(RichText::new(why).color(theme::RED))),
                Ok(lines) => {
                    let height = (rect.height() - 90.0).max(80.0);
                    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                        for line in lines {
                            if one(ui, line).clicked() {
                                clicked = Some(line);
                            }
                        }
                    });
                }
            }
        });
    });
    if let Some(line) = clicked {
        state.go_to(line);
    }
    if close {
        state.findings = None;
    }
}

fn color(severity: Severity) -> Color32 {
    match severity {
        Severity::Error => theme::RED,
        Severity::Warning => theme::YELLOW,
        _ => theme::WEAK,
    }
}

fn one(ui: &mut egui::Ui, line: &Line) -> egui::Response {
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        let severity = RichText::new(line.severity.word()).size(11.5);
        ui.label(severity.color(color(line.severity)));
        ui.label(RichText::new(line.code).size(11.5).color(theme::WEAK));
    });
    let words = if line.place.is_empty() { "Show the model" } else { &line.place };
    ui.label(RichText::new(&line.message).size(12.5));
    let place = ui.link(RichText::new(words).size(12.0).color(theme::ACCENT));
    place.on_hover_text(format!("{}\n\n{}", line.why, line.how))
}
