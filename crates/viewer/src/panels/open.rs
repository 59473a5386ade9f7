//! The window that opens files: folders and models, found by typing.

use eframe::egui::{
    self, Align, Align2, Context, FontId, Key, Layout, RichText, Role, ScrollArea, Sense, TextEdit,
    Ui, WidgetInfo, vec2,
};

use super::icons::{self, Icon};
use crate::browser::{Browser, Line};
use crate::figures;
use crate::state::{How, Request, State};
use crate::theme;

pub(crate) fn show(context: &Context, state: &mut State) {
    let Some(mut browser) = state.browser.take() else { return };
    let room = context.content_rect().size();
    let size = vec2((room.x - 60.0).min(620.0), (room.y - 120.0).min(460.0));
    let mut open = true;
    let mut picked = None;
    let title =
        if browser.compares { "Compare with another file" } else { "Open a model or clips" };
    egui::Window::new(title)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, -10.0))
        .fixed_size(size)
        .collapsible(false)
        .open(&mut open)
        .show(context, |ui| picked = body(ui, &mut browser));
    match picked {
        Some((path, how)) => state.requests.push(Request::Open(vec![path], how)),
        None if open => state.browser = Some(browser),
        None => {}
    }
}

fn body(ui: &mut Ui, browser: &mut Browser) -> Option<(std::path::PathBuf, How)> {
    location(ui, browser);
    let edit = TextEdit::singleline(&mut browser.filter)
        .hint_text("Type a part of the name, or a path")
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(7, 5));
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "File name"));
    if std::mem::take(&mut browser.fresh) {
        response.request_focus();
    }
    if response.changed() {
        browser.chosen = None;
    }
    let mut accepted = None;
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        accepted = browser.accept();
        response.request_focus();
    }
    if let Some(error) = &browser.error {
        ui.label(RichText::new(error).color(theme::RED));
    }
    let shown = browser.shown();
    let height = (ui.available_height() - 36.0).max(60.0);
    let area = ScrollArea::vertical().auto_shrink([false, false]).max_height(height);
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut entered = None;
    area.show_rows(ui, 22.0, shown.len(), |ui, seen| {
        for index in &shown[seen] {
            let chosen = browser.chosen == Some(*index);
            let response = line(ui, &browser.lines[*index], chosen);
            if response.clicked() {
                browser.chosen = Some(*index);
            }
            let folder = browser.lines[*index].is_folder;
            if response.double_clicked() || (folder && response.clicked()) {
                entered = Some(*index);
            }
        }
    });
    if shown.is_empty() && browser.error.is_none() {
        ui.label(RichText::new("No models here.").color(theme::WEAK));
    }
    if let Some(index) = entered {
        browser.chosen = Some(index);
        accepted = accepted.or_else(|| browser.accept());
    }
    let with = ends(ui, browser);
    match accepted {
        Some(path) if browser.compares => Some((path, How::Compare)),
        Some(path) => Some((path, How::Replace)),
        None => with.and_then(|how| browser.accept().map(|path| (path, how))),
    }
}

/// The folder, each part a button.
fn location(ui: &mut Ui, browser: &mut Browser) {
    let mut go = None;
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("the folder above").clicked() {
            go = browser.folder.parent().map(std::path::Path::to_owned);
        }
        let path = browser.folder.display().to_string();
        ui.add(egui::Label::new(RichText::new(path).color(theme::WEAK).size(12.0)).truncate());
    });
    if let Some(folder) = go {
        browser.enter(folder);
    }
}

fn line(ui: &mut Ui, line: &Line, chosen: bool) -> egui::Response {
    let (rect, response) = super::room(ui, ui.available_width(), 22.0, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &line.name));
    let painter = ui.painter();
    if chosen {
        painter.rect_filled(rect, 3.0, theme::accent(0.2));
    } else if response.hovered() {
        painter.rect_filled(rect, 3.0, theme::RAISED);
    }
    let sign = egui::Rect::from_center_size(rect.left_center() + vec2(13.0, 0.0), vec2(14.0, 14.0));
    let (icon, color) =
        if line.is_folder { (Icon::Folder, theme::WEAK) } else { (Icon::File, theme::ACCENT) };
    icons::draw(painter, sign, icon, color);
    let from = rect.left_center() + vec2(28.0, 0.0);
    painter.text(from, Align2::LEFT_CENTER, &line.name, FontId::proportional(13.0), theme::TEXT);
    if !line.is_folder {
        let size = figures::bytes(line.size);
        let from = rect.right_center() - vec2(8.0, 0.0);
        painter.text(from, Align2::RIGHT_CENTER, size, theme::figures(), theme::WEAK);
    }
    response
}

fn ends(ui: &mut Ui, browser: &mut Browser) -> Option<How> {
    let mut how = None;
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if ui.checkbox(&mut browser.every_file, "all files").changed() {
            let filter = std::mem::take(&mut browser.filter);
            browser.enter(browser.folder.clone());
            browser.filter = filter;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let some = browser.chosen.is_some() || !browser.filter.is_empty();
            ui.add_enabled_ui(some, |ui| {
                if browser.compares {
                    let compare = egui::Button::new(RichText::new("Compare").color(theme::SUNKEN));
                    if ui.add(compare.fill(theme::ACCENT)).clicked() {
                        how = Some(How::Compare);
                    }
                    return;
                }
                let open = egui::Button::new(RichText::new("Open").color(theme::SUNKEN));
                if ui.add(open.fill(theme::ACCENT)).clicked() {
                    how = Some(How::Replace);
                }
                if ui.button("Put beside").on_hover_text("as another model").clicked() {
                    how = Some(How::Add);
                }
                if ui.button("Compare").on_hover_text("with the model that is open").clicked() {
                    how = Some(How::Compare);
                }
                if ui.button("Add its clips").on_hover_text("to the model that is open").clicked() {
                    how = Some(How::Clips);
                }
            });
        });
    });
    how
}
