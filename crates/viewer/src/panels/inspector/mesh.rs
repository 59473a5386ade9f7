//! A mesh: its numbers, morph sliders, surfaces and images.

use eframe::egui::{self, Color32, Rgba, RichText, Slider, Ui, vec2};
use sinew::InstanceId;
use sinew::scene::{AlphaMode, Material, TextureUse};

use super::{Thumbnails, title};
use crate::figures;
use crate::model::Model;
use crate::outline::Item;
use crate::panels::pieces::{number, row, section, words};
use crate::state::State;
use crate::theme;

pub(crate) fn show(
    ui: &mut Ui,
    state: &mut State,
    instance: InstanceId,
    thumbnails: &mut Thumbnails,
) {
    let Some(model) = state.model() else { return };
    let Some(drawn) = model.scene().instances.get(instance.index()) else { return };
    let mesh = &model.scene().meshes[drawn.mesh.index()];
    title(ui, &model.name_of_mesh(instance), "mesh");
    let mut chosen = None;
    section(ui, "Mesh", true, |ui| {
        let vertices = mesh.primitives.iter().map(|part| part.positions.len()).sum();
        let corners: usize = mesh.primitives.iter().map(|part| part.indices.len()).sum();
        number(ui, "Vertices", figures::count(vertices));
        number(ui, "Triangles", figures::count(corners / 3));
        number(ui, "Parts", figures::count(mesh.primitives.len()));
        let most = mesh.primitives.iter().map(|part| part.influences.most()).max().unwrap_or(0);
        number(ui, "Influences", format!("at most {most} a vertex"));
        let sets = mesh.primitives.iter().map(|part| part.uvs.len()).max().unwrap_or(0);
        let colors = mesh.primitives.iter().any(|part| !part.colors.is_empty());
        number(ui, "UV sets", figures::count(sets));
        words(ui, "Colours", if colors { "per vertex" } else { "none" });
        row(ui, "Under", |ui| {
            if ui.link(RichText::new(model.name_of(drawn.joint)).size(12.0)).clicked() {
                chosen = Some(Item::Joint(drawn.joint));
            }
        });
        if let Some(skin) = drawn.skin {
            let skin = &model.scene().skins[skin.index()];
            let joints = figures::counted(skin.joints.len(), "joint", "joints");
            words(ui, "Skin", format!("{joints}, {:?}", skin.method).to_lowercase());
        }
        let size = model.actor.bounds_of(instance).size();
        if size.is_finite() {
            words(ui, "Size now", figures::sides(size.to_array()));
        }
    });
    let names = mesh.morph_names.clone();
    let mut seen = Vec::new();
    for part in &mesh.primitives {
        if let Some(id) = part.material
            && !seen.contains(&id)
        {
            seen.push(id);
            let material = &model.scene().materials[id.index()];
            surface(ui, model, material, id.index(), thumbnails);
        }
    }
    if !names.is_empty() {
        morphs(ui, state, instance, &names);
    }
    if let Some(item) = chosen {
        state.select(state.active, Some(item));
    }
}

fn morphs(ui: &mut Ui, state: &mut State, instance: InstanceId, names: &[String]) {
    let Some(model) = state.model_mut() else { return };
    let now: Vec<f32> = model.actor.pose().weights(instance).to_vec();
    section(ui, "Morph targets", true, |ui| {
        for (index, name) in names.iter().enumerate() {
            let held = model.held_weight(instance, index);
            let name = if name.is_empty() { format!("target {index}") } else { name.clone() };
            row(ui, &name, |ui| {
                let mut value = held.unwrap_or(now[index]);
                ui.spacing_mut().slider_width = (ui.available_width() - 84.0).max(40.0);
                let slider = Slider::new(&mut value, 0.0..=1.0).fixed_decimals(2);
                let slider = slider.clamping(egui::SliderClamping::Never);
                if ui.add(slider).on_hover_text(&name).changed() {
                    model.hold_weight(instance, index, Some(value));
                }
                let by_hand = held.is_some();
                let button = egui::Button::new(RichText::new("×").size(11.0)).frame(false);
                if ui
                    .add_visible(by_hand, button)
                    .on_hover_text("give it back to the clip")
                    .clicked()
                {
                    model.hold_weight(instance, index, None);
                }
            });
        }
    });
}

fn surface(
    ui: &mut Ui,
    model: &Model,
    material: &Material,
    number_of: usize,
    thumbnails: &mut Thumbnails,
) {
    let name = match &material.name {
        name if name.is_empty() => format!("Material {number_of}"),
        name => format!("Material {name}"),
    };
    section(ui, &name, true, |ui| {
        let color = material.base_color;
        row(ui, "Base colour", |ui| swatch(ui, [color.x, color.y, color.z], color.w));
        number(ui, "Metallic", format!("{:.2}", material.metallic));
        number(ui, "Roughness", format!("{:.2}", material.roughness));
        if material.emissive.max_element() > 0.0 {
            let glow = material.emissive * material.emissive_strength;
            row(ui, "Emissive", |ui| swatch(ui, glow.to_array(), 1.0));
        }
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => "opaque".to_owned(),
            AlphaMode::Mask => format!("cut below {:.2}", material.alpha_cutoff),
            AlphaMode::Blend => "blended".to_owned(),
        };
        words(ui, "Alpha", alpha);
        let sides = if material.double_sided { "both" } else { "front" };
        words(ui, "Sides", format!("{sides}{}", if material.unlit { ", unlit" } else { "" }));
        let maps = [
            ("Base colour", material.base_color_texture),
            ("Metal, rough", material.metallic_roughness_texture),
            ("Normal", material.normal_texture),
            ("Occlusion", material.occlusion_texture),
            ("Emissive", material.emissive_texture),
        ];
        for (label, used) in maps {
            if let Some(used) = used {
                map(ui, model, label, used, thumbnails);
            }
        }
    });
}

fn swatch(ui: &mut Ui, light: [f32; 3], alpha: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(26.0, 14.0), egui::Sense::hover());
    let color = Color32::from(Rgba::from_rgb(light[0], light[1], light[2]));
    ui.painter().rect_filled(rect, 3.0, color);
    let hex = format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b());
    ui.label(RichText::new(hex).font(theme::figures()));
    if alpha < 1.0 {
        ui.label(
            RichText::new(format!("alpha {alpha:.2}")).font(theme::figures()).color(theme::WEAK),
        );
    }
}

fn map(ui: &mut Ui, model: &Model, label: &str, used: TextureUse, thumbnails: &mut Thumbnails) {
    let texture = &model.scene().textures[used.texture.index()];
    row(ui, label, |ui| {
        let Some(image) = texture.image else {
            ui.label(RichText::new("missing").color(theme::YELLOW).size(12.0));
            return;
        };
        match thumbnails.of(ui.ctx(), model, image) {
            Some((shown, width, height)) => {
                let size =
                    vec2(40.0, 40.0 * height as f32 / width.max(1) as f32).min(vec2(40.0, 60.0));
                let response = ui.add(egui::Image::new((shown.id(), size)).corner_radius(3.0));
                let large = shown.size_vec2();
                response.on_hover_ui(|ui| {
                    ui.add(egui::Image::new((shown.id(), large)));
                });
                ui.vertical(|ui| {
                    let name = &model.scene().images[image.index()].name;
                    let words = if name.is_empty() { &texture.name } else { name };
                    ui.add(egui::Label::new(RichText::new(words).size(11.5)).truncate());
                    let size = format!("{width} × {height} px");
                    ui.label(RichText::new(size).font(theme::figures()).color(theme::WEAK));
                });
            }
            None => {
                ui.label(RichText::new("missing").color(theme::YELLOW).size(12.0));
            }
        }
    });
}
