//! The model as a whole, its clip, and what drawing takes.

use eframe::egui::{DragValue, RichText, Ui};
use sinew::ClipFit;

use super::title;
use crate::figures;
use crate::load;
use crate::panels::pieces::{number, row, section, words};
use crate::state::State;
use crate::theme;

pub(crate) fn model(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.model() else {
        ui.label(RichText::new("Nothing is open.").color(theme::WEAK));
        return;
    };
    let scene = model.scene();
    title(ui, &model.title, "");
    section(ui, "Model", true, |ui| {
        match &model.source.file {
            Some(file) if model.placement.fixed => {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                words(ui, "Scene file", name).on_hover_text(file.display().to_string());
            }
            Some(file) => {
                words(ui, "File", model.title.clone()).on_hover_text(file.display().to_string());
                let size = figures::bytes(model.source.size);
                words(ui, "Format", format!("{}, {size}", model.report.format));
            }
            None => {
                words(ui, "File", "built in");
            }
        }
        let size = model.bounds.size();
        if size.is_finite() {
            words(ui, "Size", figures::sides(size.to_array()))
                .on_hover_text("width × height × depth, over the whole clip");
        }
        number(ui, "Vertices", figures::count(model.facts.totals.vertices));
        number(ui, "Triangles", figures::count(model.facts.totals.triangles));
        number(ui, "Meshes", figures::count(scene.instances.len()));
        number(ui, "Nodes", figures::count(scene.skeleton().len()));
        let mut used: Vec<_> = scene.skins.iter().flat_map(|skin| &skin.joints).collect();
        used.sort();
        used.dedup();
        number(ui, "Joints", figures::count(used.len()));
        if model.facts.totals.influences > 0 {
            number(ui, "Influences", format!("at most {} a vertex", model.facts.totals.influences));
        }
        if model.facts.totals.morphs > 0 {
            number(ui, "Morphs", figures::count(model.facts.totals.morphs));
        }
        number(ui, "Materials", figures::count(scene.materials.len()));
        if !scene.images.is_empty() {
            number(ui, "Images", figures::count(scene.images.len()));
        }
        number(ui, "Clips", figures::count(scene.clips.len()));
        if !model.report.extensions.is_empty() {
            let all = model.report.extensions.join(", ");
            words(ui, "Extensions", all.clone()).on_hover_text(all);
        }
        for clips in &model.source.clips {
            let name =
                clips.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
            words(ui, "Clips from", name).on_hover_text(clips.display().to_string());
        }
    });
}

pub(crate) fn clip(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.model() else { return };
    let (Some(id), Some(line)) = (model.clip(), model.timeline()) else { return };
    let clip = &model.scene()[id];
    let fit = model.report.clip(id).filter(|source| !matches!(source.fit, ClipFit::Own));
    let mut fade = state.fade;
    section(ui, "Clip", state.selection.is_none(), |ui| {
        words(ui, "Name", clip.name.clone());
        if let Some(source) = fit {
            let fit = source.fit.to_string();
            words(ui, "From", load::title(source.file.as_ref())).on_hover_text(&source.file);
            words(ui, "Fit", fit.clone()).on_hover_text(fit);
        }
        number(ui, "Length", format!("{:.3} s", clip.duration));
        number(ui, "Frames", format!("{} at {} fps", line.last_frame(), line.rate));
        number(ui, "Tracks", figures::count(clip.track_count()));
        number(ui, "Keys", figures::count(clip.key_count()));
        if clip.start != 0.0 {
            number(ui, "Starts at", format!("{:.3} s", clip.start))
                .on_hover_text("on the file's own clock");
        }
        row(ui, "Fade", |ui| {
            let value = DragValue::new(&mut fade).speed(0.005).range(0.0..=2.0);
            ui.add(value.fixed_decimals(2).suffix(" s")).on_hover_text(
                "how long a cross-fade to the next clip or graph takes; 0 changes at once",
            );
        });
    });
    state.fade = fade;
}

pub(crate) fn drawing(ui: &mut Ui, state: &State) {
    section(ui, "Drawing", state.selection.is_none(), |ui| {
        let cost = &state.cost;
        number(ui, "Speed", format!("{:5.1} frames/s", cost.frames_a_second));
        number(ui, "Draw calls", format!("{:>5}", cost.draws));
        number(ui, "Uploaded", format!("{:>9} a frame", figures::bytes(cost.uploaded)));
        let vertices = state.models.iter().map(|model| model.facts.totals.vertices).sum();
        number(ui, "Vertices", figures::count(vertices));
        words(ui, "Device", state.device.clone()).on_hover_text(state.device.clone());
    });
}
