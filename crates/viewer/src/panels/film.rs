//! The window that asks how a film is to be, and the bar that reports how far it is.

use eframe::egui::{
    self, Align2, Area, DragValue, Id, Order, ProgressBar, Rect, RichText, Ui, vec2,
};

use super::messages::card;
use super::pieces::row;
use crate::film;
use crate::state::{Request, State};
use crate::theme;

/// Asks how large and how fast.
pub(crate) fn ask(context: &egui::Context, state: &mut State) {
    if !state.ask_film {
        return;
    }
    let mut open = true;
    let mut go = false;
    egui::Window::new("Save a GIF")
        .anchor(Align2::CENTER_CENTER, vec2(0.0, -10.0))
        .fixed_size(vec2(300.0, 140.0))
        .resizable(false)
        .collapsible(false)
        .open(&mut open)
        .show(context, |ui| go = body(ui, state));
    if go {
        state.requests.push(Request::Film);
    }
    state.ask_film = open && !go;
}

fn body(ui: &mut Ui, state: &mut State) -> bool {
    let plan = film::plan(state);
    let options = &mut state.film;
    row(ui, "Width", |ui| {
        let width = DragValue::new(&mut options.width).range(64..=1920).suffix(" px");
        ui.add(width).on_hover_text("width of the image");
        let height = format!("× {} px high", plan.height);
        ui.label(RichText::new(height).size(12.0).color(theme::WEAK));
    });
    row(ui, "Speed", |ui| {
        let fps =
            DragValue::new(&mut options.fps).range(5.0..=50.0).fixed_decimals(0).suffix(" fps");
        ui.add(fps).on_hover_text("frames a second");
    });
    row(ui, "Camera", |ui| {
        ui.checkbox(&mut options.turntable, "once around");
    });
    let words = format!("{} frames, {:.2} s", plan.moments.len(), plan.seconds());
    ui.label(RichText::new(words).size(12.0).color(theme::WEAK));
    ui.add_space(6.0);
    let button = egui::Button::new(RichText::new("Save the GIF").color(theme::SUNKEN));
    let enter = ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.add(button.fill(theme::ACCENT)).on_hover_text("[Enter]").clicked() || enter
}

/// How far it is.
pub(crate) fn progress(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some((done, all)) = state.filming else { return };
    let at = rect.left_bottom() + vec2(12.0, -76.0);
    Area::new(Id::unique("filming")).order(Order::Middle).fixed_pos(at).show(context, |ui| {
        card(theme::ACCENT).inner_margin(10.0).show(ui, |ui| {
            ui.set_width(230.0);
            let words = format!("Making a GIF: frame {} of {all}", (done + 1).min(all));
            ui.label(RichText::new(words).size(12.5));
            ui.horizontal(|ui| {
                let share = done as f32 / all.max(1) as f32;
                ui.add(ProgressBar::new(share).desired_width(170.0).fill(theme::ACCENT));
                if ui.button("Stop").on_hover_text("[Esc]").clicked() {
                    state.requests.push(Request::StopFilm);
                }
            });
        });
    });
}
