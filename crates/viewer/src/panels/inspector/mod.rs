//! The inspector on the right: what is selected, in numbers.

mod graph;
mod joint;
mod light;
mod mesh;
mod summary;
mod thumbnails;

use eframe::egui::{RichText, ScrollArea, Ui};

pub(crate) use thumbnails::Thumbnails;

use crate::outline::Item;
use crate::state::State;
use crate::theme;

pub(crate) fn show(ui: &mut Ui, state: &mut State, thumbnails: &mut Thumbnails) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.set_width(ui.available_width() - 6.0);
        graph::show(ui, state);
        match state.selection {
            Some(Item::Joint(joint)) => joint::show(ui, state, joint),
            Some(Item::Mesh(instance)) => mesh::show(ui, state, instance, thumbnails),
            Some(Item::Model) | None => summary::model(ui, state),
        }
        summary::clip(ui, state);
        light::show(ui, state);
        summary::drawing(ui, state);
    });
}

/// The name of what is selected, with what it is.
fn title(ui: &mut Ui, name: &str, what: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(name).size(15.0).color(eframe::egui::Color32::WHITE));
        ui.label(RichText::new(what).size(11.5).color(theme::WEAK));
    });
}
