//! What several panels are made of: rows of a label and a value, headings, switches.

use eframe::egui::{
    self, Align, Color32, CursorIcon, Label, Layout, Response, RichText, Role, Sense, Ui,
    WidgetInfo, vec2,
};

use super::icons::{self, Icon};
use crate::theme;

/// A heading that folds what is under it.
pub(crate) fn section(ui: &mut Ui, title: &str, open: bool, show: impl FnOnce(&mut Ui)) {
    let id = ui.make_persistent_id(("section", title));
    let mut fold =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, open);
    ui.add_space(4.0);
    let (rect, response) = super::room(ui, ui.available_width(), 22.0, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title));
    let hot = if response.hovered() { Color32::WHITE } else { theme::TEXT };
    let sign = egui::Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(12.0, 12.0));
    icons::draw(ui.painter(), sign, Icon::Open(fold.is_open()), theme::WEAK);
    let font = egui::FontId::proportional(12.5);
    let from = rect.left_center() + vec2(18.0, 0.0);
    let written = ui.painter().text(from, egui::Align2::LEFT_CENTER, title, font, hot);
    let line = egui::Stroke::new(1.0, theme::RAISED);
    ui.painter().hline(written.right() + 8.0..=rect.right(), rect.center().y, line);
    if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
        fold.toggle(ui);
    }
    fold.show_body_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        show(ui);
        ui.add_space(2.0);
    });
}

/// A label on the left and something on the right, aligned in all panels.
pub(crate) fn row<R>(ui: &mut Ui, label: &str, show: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let width = (ui.available_width() * 0.32).clamp(62.0, 100.0);
        ui.allocate_ui_with_layout(vec2(width, 18.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(Label::new(RichText::new(label).color(theme::WEAK).size(12.0)).truncate());
        });
        show(ui)
    })
    .inner
}

/// A label and words.
pub(crate) fn words(ui: &mut Ui, label: &str, value: impl Into<String>) -> Response {
    let value = value.into();
    row(ui, label, |ui| {
        let text = RichText::new(&value).size(12.0);
        ui.add(Label::new(text).truncate())
    })
}

/// A label and a number that keeps its place.
pub(crate) fn number(ui: &mut Ui, label: &str, value: impl Into<String>) -> Response {
    let value = value.into();
    row(ui, label, |ui| ui.add(Label::new(RichText::new(value).font(theme::figures())).truncate()))
}

/// Three numbers in the colours of the axes, with a unit.
pub(crate) fn triple(ui: &mut Ui, label: &str, values: [String; 3], unit: &str) {
    row(ui, label, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        // The panel keeps its width whatever the numbers are.
        let each = ((ui.available_width() - 16.0) / 3.0).clamp(30.0, 54.0);
        let colors = [
            Color32::from_rgb(0xf0, 0x90, 0x8c),
            Color32::from_rgb(0x9c, 0xd6, 0x8a),
            Color32::from_rgb(0x8f, 0xb6, 0xf5),
        ];
        for (value, color) in values.iter().zip(colors) {
            let text =
                RichText::new(value.trim_start_matches(' ')).font(theme::figures()).color(color);
            ui.allocate_ui_with_layout(
                vec2(each, 18.0),
                Layout::right_to_left(Align::Center),
                |ui| {
                    ui.set_min_width(each);
                    ui.add(Label::new(text).extend());
                },
            );
        }
        ui.add_space(4.0);
        ui.label(RichText::new(unit).size(11.0).color(theme::FAINT));
    });
}

/// A switch with a word on it: lit when on.
pub(crate) fn switch(ui: &mut Ui, label: &str, on: bool, hint: &str) -> Response {
    let font = egui::FontId::proportional(12.0);
    let galley = ui.painter().layout_no_wrap(label.to_owned(), font, theme::TEXT);
    let size = vec2(galley.size().x + 14.0, 24.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, label));
    let (fill, text) = match (on, response.hovered()) {
        (true, false) => (theme::accent(0.16), theme::ACCENT),
        (true, true) => (theme::accent(0.26), theme::ACCENT),
        (false, true) => (theme::RAISED, Color32::WHITE),
        (false, false) => (Color32::TRANSPARENT, theme::WEAK),
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    let place = rect.center() - galley.size() * 0.5;
    ui.painter().galley_with_override_text_color(place, galley, text);
    response.on_hover_text(hint).on_hover_cursor(CursorIcon::PointingHand)
}

/// A square button with a sign on it.
pub(crate) fn icon_button(ui: &mut Ui, icon: Icon, name: &str, hint: &str) -> Response {
    let (rect, response) = super::room(ui, 26.0, 26.0, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let fill = if response.hovered() { theme::RAISED } else { Color32::TRANSPARENT };
    ui.painter().rect_filled(rect, 4.0, fill);
    let color = if response.hovered() { Color32::WHITE } else { theme::TEXT };
    icons::draw(ui.painter(), rect, icon, color);
    response.on_hover_text(hint).on_hover_cursor(CursorIcon::PointingHand)
}

/// Words with the key that does the same.
pub(crate) fn hint(words: &str, action: crate::keys::Action) -> String {
    match crate::keys::key_of(action) {
        Some(key) => format!("{words}  [{key}]"),
        None => words.to_owned(),
    }
}
