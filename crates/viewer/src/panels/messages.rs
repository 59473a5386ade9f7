//! Sentences over the image: diagnostics, notes, what is being read, what was done.

use eframe::egui::{
    self, Align2, Area, Color32, FontId, Frame, Id, Order, Rect, RichText, Stroke, Ui, vec2,
};

use crate::keys::Action;
use crate::state::State;
use crate::theme;

pub(crate) fn show(ui: &Ui, state: &mut State, rect: Rect) {
    let context = ui.ctx().clone();
    diagnostics(&context, state, rect);
    notes(&context, state, rect);
    let painter = ui.painter().with_clip_rect(rect);
    let mut line = rect.left_bottom() + vec2(12.0, -12.0);
    if let Some(doing) = &state.loading {
        let angle = ui.input(|input| input.time) as f32 * 5.0;
        pill(&painter, line, doing, Some(angle), 1.0);
        line.y -= 32.0;
    }
    if let Some(toast) = &state.toast {
        pill(&painter, line, &toast.text, None, (toast.left * 2.0).min(1.0));
    }
    let hovers = ui.input(|input| !input.raw.hovered_files.is_empty());
    if hovers {
        painter.rect_filled(rect, 0.0, Color32::from_black_alpha(120));
        let stroke = Stroke::new(2.0, theme::ACCENT);
        painter.rect_stroke(rect.shrink(10.0), 8.0, stroke, egui::StrokeKind::Inside);
        let words = "Drop to open a model or to add clips; hold Shift to put it beside";
        let font = FontId::proportional(16.0);
        painter.text(rect.center(), Align2::CENTER_CENTER, words, font, Color32::WHITE);
    }
}

/// A line of words at the bottom left; with a turning sign while something goes on.
fn pill(painter: &egui::Painter, at: egui::Pos2, words: &str, spinner: Option<f32>, alpha: f32) {
    let color = theme::TEXT.gamma_multiply(alpha);
    let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(12.5), color);
    let sign = if spinner.is_some() { 20.0 } else { 0.0 };
    let size = galley.size() + vec2(20.0 + sign, 10.0);
    let place = Rect::from_min_size(at - vec2(0.0, size.y), size);
    painter.rect_filled(place, 6.0, Color32::from_black_alpha((185.0 * alpha) as u8));
    if let Some(start) = spinner {
        let middle = place.left_center() + vec2(16.0, 0.0);
        let points = (0..14).map(|index| {
            let angle = start + index as f32 * 0.3;
            middle + vec2(angle.cos(), angle.sin()) * 6.0
        });
        painter.add(egui::Shape::line(points.collect(), Stroke::new(2.0, theme::ACCENT)));
    }
    painter.galley(place.min + vec2(10.0 + sign, 5.0), galley, color);
}

pub(super) fn card(color: Color32) -> Frame {
    Frame::new()
        .fill(Color32::from_rgb(0x23, 0x26, 0x2b))
        .stroke(Stroke::new(1.0, color.gamma_multiply(0.6)))
        .corner_radius(8.0)
        .inner_margin(14.0)
        .shadow(egui::Shadow {
            offset: [0, 6],
            blur: 24,
            spread: 0,
            color: Color32::from_black_alpha(120),
        })
}

/// The last diagnostic; those before it wait.
fn diagnostics(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some(diagnostic) = state.diagnostics.last().cloned() else { return };
    let width = (rect.width() - 48.0).clamp(200.0, 440.0);
    let at = egui::pos2(rect.center().x - width * 0.5, rect.top() + 24.0);
    Area::new(Id::unique("diagnostic")).order(Order::Middle).fixed_pos(at).show(context, |ui| {
        card(theme::RED).show(ui, |ui| {
            ui.set_width(width - 30.0);
            ui.spacing_mut().item_spacing.y = 6.0;
            ui.label(RichText::new(&diagnostic.title).size(15.0).color(theme::RED));
            ui.label(RichText::new(&diagnostic.sentence).color(theme::TEXT));
            ui.label(RichText::new(&diagnostic.advice).color(theme::WEAK));
            ui.add_space(2.0);
            ui.horizontal(|ui| {
                if ui.button("Close").on_hover_text("[Esc]").clicked() {
                    state.diagnostics.pop();
                }
                if ui.button("Open another…").clicked() {
                    state.diagnostics.pop();
                    state.act(Action::Open);
                }
                let more = state.diagnostics.len().saturating_sub(1);
                if more > 0 {
                    ui.label(RichText::new(format!("{more} more")).color(theme::WEAK));
                }
            });
        });
    });
}

/// What was mended or left out while reading.
fn notes(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some(model) = state.model().filter(|_| state.show_notes) else { return };
    if model.report.note_count() == 0 {
        state.show_notes = false;
        return;
    }
    let width = (rect.width() - 24.0).clamp(200.0, 480.0);
    let at = egui::pos2(rect.right() - width - 12.0, rect.top() + 12.0);
    let lines: Vec<String> = model.report.all_notes().collect();
    let mut close = false;
    Area::new(Id::unique("notes")).order(Order::Middle).fixed_pos(at).show(context, |ui| {
        card(theme::YELLOW).show(ui, |ui| {
            ui.set_width(width - 30.0);
            ui.horizontal(|ui| {
                ui.label(RichText::new("Notes from reading the file").size(14.0));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    close = ui.button("×").clicked();
                });
            });
            let height = (rect.height() - 90.0).max(80.0);
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                for line in &lines {
                    ui.horizontal_wrapped(|ui| {
                        ui.label(RichText::new("-").color(theme::YELLOW));
                        ui.label(RichText::new(line).size(12.5));
                    });
                }
            });
        });
    });
    if close {
        state.show_notes = false;
    }
}
