//! Light, sky, fog and background.

use eframe::egui::{ComboBox, Label, RichText, Slider, Ui};

use crate::keys::Action;
use crate::modes::{Look, Studio, ToneCurve};
use crate::panels::pieces::{row, section, words};
use crate::state::State;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    let fog = state.modes.fog;
    let sky = state.modes.sky;
    let set = state.set.is_some();
    let mut open = false;
    section(ui, "Light and air", false, |ui| {
        let look = &mut state.look;
        slide(ui, "Exposure", &mut look.exposure, 0.1..=4.0, "×", 2);
        row(ui, "Tone", |ui| {
            ComboBox::from_id_salt("tone").selected_text(look.tone.label()).show_ui(ui, |ui| {
                for tone in ToneCurve::ALL {
                    ui.selectable_value(&mut look.tone, tone, tone.label());
                }
            });
        });
        row(ui, "Shadows", |ui| ui.checkbox(&mut state.modes.shadows, ""));
        row(ui, "Occlusion", |ui| ui.checkbox(&mut state.modes.occlusion, ""));
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
        if let Some((name, _)) = &state.environment {
            let name = name.clone();
            row(ui, "Image", |ui| {
                if ui.button("×").on_hover_text("light without the image").clicked() {
                    state.environment = None;
                }
                ui.add(Label::new(RichText::new(name).size(12.0)).truncate());
            });
            slide(ui, "Rotation", &mut look.sun_yaw, -180.0..=180.0, "°", 0);
            slide(ui, "Strength", &mut look.sky_strength, 0.0..=3.0, "×", 2);
            row(ui, "Backdrop", |ui| ui.checkbox(&mut state.modes.sky, "show the image"));
            return;
        }
        row(ui, "Image", |ui| {
            let about = "an .hdr or .exr image all around as light; it may be dropped too";
            if ui.button("Open…").on_hover_text(about).clicked() {
                open = true;
            }
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
    if open {
        state.act(Action::Open);
    }
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
