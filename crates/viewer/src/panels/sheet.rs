//! The help sheet: every key and what the mouse does.

use eframe::egui::{self, Align, Align2, Context, Layout, RichText, Ui, vec2};

use crate::keys::{Group, KEYS, MOUSE};
use crate::state::State;
use crate::theme;

pub(crate) fn show(context: &Context, state: &mut State) {
    if !state.help {
        return;
    }
    let mut open = true;
    egui::Window::new("Keys and mouse")
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .resizable(false)
        .collapsible(false)
        .open(&mut open)
        .show(context, |ui| {
            let height = context.content_rect().height() - 110.0;
            let area = egui::ScrollArea::vertical().max_height(height);
            area.min_scrolled_height(height.min(520.0)).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 26.0;
                    let both = [
                        [Some(Group::Time), Some(Group::View)],
                        [Some(Group::Show), None],
                        [Some(Group::Window), None],
                    ];
                    for (index, column) in both.into_iter().enumerate() {
                        ui.vertical(|ui| {
                            ui.spacing_mut().item_spacing = vec2(8.0, 3.0);
                            ui.spacing_mut().interact_size.y = 16.0;
                            for group in column.into_iter().flatten() {
                                keys(ui, group);
                            }
                            if index == 2 {
                                mouse(ui);
                            }
                        });
                    }
                });
            });
        });
    state.help = open;
}

fn keys(ui: &mut Ui, group: Group) {
    ui.label(RichText::new(group.title()).color(theme::ACCENT).size(12.5));
    for entry in KEYS.iter().filter(|entry| entry.group == group) {
        line(ui, 74.0, &entry.chord.words(), entry.words);
    }
    ui.add_space(8.0);
}

fn mouse(ui: &mut Ui) {
    ui.label(RichText::new("Mouse").color(theme::ACCENT).size(12.5));
    for (what, words) in MOUSE {
        line(ui, 142.0, what, words);
    }
}

fn line(ui: &mut Ui, width: f32, left: &str, right: &str) {
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(width, 16.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.label(RichText::new(left).font(theme::figures()).color(egui::Color32::WHITE));
        });
        ui.label(RichText::new(right).size(12.0).color(theme::TEXT));
    });
}
