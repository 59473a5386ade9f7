//! How far two models are apart: a scale of the colours and a list of the worst places over the image; a click goes there.

use eframe::egui::{self, Area, Color32, Id, Order, Rect, RichText, Sense, vec2};
use sinew::glam::Vec3;
use sinew::stage::heat_color;

use super::messages::card;
use crate::diff::{Diff, Line};
use crate::state::State;
use crate::theme;

/// Pieces of the scale.
const PIECES: usize = 64;

pub(super) fn show(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some(diff) = &state.diff else { return };
    let width = (rect.width() - 24.0).clamp(200.0, 320.0);
    let at = egui::pos2(rect.left() + 12.0, rect.top() + 12.0);
    let (mut close, mut clicked) = (false, None);
    Area::new(Id::unique("diff")).order(Order::Middle).fixed_pos(at).show(context, |ui| {
        card(theme::ACCENT).show(ui, |ui| {
            ui.set_width(width - 30.0);
            ui.horizontal(|ui| {
                let title = format!("{} and {}", diff.titles[0], diff.titles[1]);
                ui.add(egui::Label::new(RichText::new(title).size(14.0)).truncate());
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    close = ui.button("×").on_hover_text("end the comparison [Esc]").clicked();
                });
            });
            scale(ui, diff.hottest());
            clicked = list(ui, diff, (rect.height() - 150.0).clamp(80.0, 240.0)).cloned();
        });
    });
    if let Some(line) = clicked {
        state.go_to_difference(&line);
    }
    if close {
        state.end_diff();
    }
}

/// The colours from nothing to the worst of the clip.
fn scale(ui: &mut egui::Ui, hottest: f32) {
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let step = bar.width() / PIECES as f32;
    for piece in 0..PIECES {
        let color = heat_color((piece as f32 + 0.5) / PIECES as f32);
        let from = egui::pos2(bar.left() + step * piece as f32, bar.top());
        let piece = Rect::from_min_size(from, vec2(step + 0.5, bar.height()));
        ui.painter().rect_filled(piece, 0.0, srgb(color));
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new("0 mm").size(11.5).color(theme::WEAK));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let words = format!("{} in this clip", millimetres(f64::from(hottest)));
            ui.label(RichText::new(words).size(11.5).color(theme::WEAK));
        });
    });
}

fn list<'a>(ui: &mut egui::Ui, diff: &'a Diff, height: f32) -> Option<&'a Line> {
    let mut clicked = None;
    if diff.lines.is_empty() {
        ui.label(RichText::new("The two move alike").size(12.5));
    }
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for line in &diff.lines {
            let words = format!("{}  {}", millimetres(line.metres), line.words);
            let link = ui.link(RichText::new(words).size(12.0).color(theme::ACCENT));
            if link.clicked() {
                clicked = Some(line);
            }
        }
        for sentence in &diff.only {
            ui.label(RichText::new(sentence).size(12.0).color(theme::YELLOW));
        }
    });
    clicked
}

fn millimetres(metres: f64) -> String {
    let millimetres = metres * 1000.0;
    let digits = match millimetres {
        large if large >= 100.0 => 0,
        middling if middling >= 1.0 => 1,
        _ => 3,
    };
    format!("{millimetres:.digits$} mm")
}

/// A linear colour as a screen has it.
fn srgb(color: Vec3) -> Color32 {
    let byte = |part: f32| {
        let part =
            if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
        (part.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    Color32::from_rgb(byte(color.x), byte(color.y), byte(color.z))
}
