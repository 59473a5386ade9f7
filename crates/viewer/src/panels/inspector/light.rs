//! Light, sky, fog and background.

use eframe::egui::{ComboBox, Slider, Ui};

use crate::modes::{Look, Studio};
use crate::panels::pieces::{row, section, words};
use crate::state::State;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    let fog = state.modes.fog;
    let sky = state.modes.sky;
    let set = state.set.is_some();
    section(ui, "Light and air", false, |ui| {
        let look = &mut state.look;
        slide(ui, "Exposure", &mut look.exposure, 0.1..=4.0, "×", 2);
        if set {
            words(ui, "Light", "of the scene file");
            return;
        }
        row(ui, "Light", |ui| {
            ComboBox::from_id_salt("studio").selected_text(look.studio.label()).show_ui(ui, |ui| {
                for studio in Studio::ALL {
                    ui.selectable_value(&mut look.studio, studio, studio.label());
                }
            });
        });
        if look.studio != Studio::Sun && !sky {
            return;
        }
        slide(ui, "Sun azimuth", &mut look.sun_yaw, -180.0..=180.0, "°", 0);
        slide(ui, "Sun height", &mut look.sun_height, 2.0..=90.0, "°", 0);
        slide(ui, "Sun", &mut look.sun_strength, 0.0..=10.0, " lx", 1);
        slide(ui, "Sky light", &mut look.sky_strength, 0.0..=3.0, "×", 2);
        if fog {
            slide(ui, "Fog from", &mut look.fog_distance, 1.0..=60.0, "×", 1);
        }
        if !sky {
            row(ui, "Background", |ui| {
                ui.color_edit_button_srgb(&mut look.background);
            });
        }
        if *look != Look::default() && ui.button("As it was").clicked() {
            *look = Look::default();
        }
    });
}

fn slide(
    ui: &mut Ui,
    label: &str,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    unit: &str,
    decimals: usize,
) {
    row(ui, label, |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 64.0).max(40.0);
        let slider = Slider::new(value, range).suffix(unit).fixed_decimals(decimals);
        ui.add(slider).on_hover_text(label);
    });
}
