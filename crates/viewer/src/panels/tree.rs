//! The scene tree on the left: search, fold, select.

use eframe::egui::{
    self, Color32, FontId, RichText, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2,
};

use super::icons::{self, Icon};
use crate::keys::Action;
use crate::outline::{self, Item, Row};
use crate::state::State;
use crate::theme;

const HEIGHT: f32 = 20.0;
const INDENT: f32 = 12.0;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    search(ui, state);
    ui.add_space(2.0);
    if state.reveal {
        unfold(state);
    }
    let rows = outline::rows(&state.models, &state.folded, &state.search);
    if rows.is_empty() {
        let words =
            if state.models.is_empty() { "Nothing is open." } else { "No name holds this." };
        ui.label(RichText::new(words).color(theme::WEAK));
        return;
    }
    let mut area = ScrollArea::vertical().auto_shrink([false, false]);
    if std::mem::take(&mut state.reveal)
        && let Some(place) = place_of(&rows, state)
    {
        let id = ui.make_persistent_id("tree rows");
        let seen =
            egui::scroll_area::State::load(ui.ctx(), id).map_or(0.0, |s| s.clamped_offset().y);
        let top = place as f32 * HEIGHT;
        let bottom = top + HEIGHT;
        let room = ui.available_height();
        if top < seen || bottom > seen + room {
            area = area.vertical_scroll_offset((top - room * 0.4).max(0.0));
        }
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    area.id_salt("tree rows").show_rows(ui, HEIGHT, rows.len(), |ui, seen| {
        for row in &rows[seen] {
            line(ui, state, row);
        }
    });
}

fn search(ui: &mut Ui, state: &mut State) {
    // From the right: the line takes what the button leaves, and the panel keeps its width.
    let row = vec2(ui.available_width(), 24.0);
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(row, layout, |ui| {
        if !state.search.is_empty() {
            let button = ui.button("×").on_hover_text("show everything");
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Clear the search"));
            if button.clicked() {
                state.search.clear();
                state.reveal = true;
            }
        }
        let wide = ui.available_width();
        // Its own name keeps the keyboard when the button comes and goes.
        let edit = TextEdit::singleline(&mut state.search)
            .id(egui::Id::unique("search nodes"))
            .hint_text("Search nodes  [Ctrl F]")
            .desired_width(wide)
            .font(FontId::proportional(12.5))
            .margin(egui::Margin::symmetric(7, 4));
        let response = ui.add(edit);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search nodes"));
        if std::mem::take(&mut state.focus_search) {
            response.request_focus();
        }
        let entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if entered {
            let rows = outline::rows(&state.models, &state.folded, &state.search);
            if let Some(row) = rows.iter().find(|row| row.found) {
                state.select(row.model, Some(row.item));
            }
        }
    });
}

/// Unfolds the parents of the selection.
fn unfold(state: &mut State) {
    let Some(model) = state.model() else { return };
    let skeleton = model.scene().skeleton();
    let mut up = match state.selection {
        Some(Item::Joint(joint)) => skeleton.parents()[joint.index()],
        Some(Item::Mesh(instance)) => Some(model.scene().instances[instance.index()].joint),
        Some(Item::Model) | None => return,
    };
    let mut parents = vec![Item::Model];
    while let Some(joint) = up {
        parents.push(Item::Joint(joint));
        up = skeleton.parents()[joint.index()];
    }
    for item in parents {
        state.folded.remove(&(state.active, item));
    }
}

fn place_of(rows: &[Row], state: &State) -> Option<usize> {
    let selected = state.selection?;
    rows.iter().position(|row| row.model == state.active && row.item == selected)
}

fn line(ui: &mut Ui, state: &mut State, row: &Row) {
    let chosen = row.model == state.active && state.selection == Some(row.item);
    let (rect, response) = super::room(ui, ui.available_width(), HEIGHT, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &row.name));
    let painter = ui.painter();
    if chosen {
        painter.rect_filled(rect, 3.0, theme::accent(0.18));
    } else if response.hovered() {
        painter.rect_filled(rect, 3.0, theme::RAISED);
    }
    // Deep trees stay readable: from some depth on, each level takes less room.
    let depth = row.depth as f32;
    let step = INDENT * (rect.width() / 212.0).clamp(0.5, 1.0);
    let indent = depth.min(8.0) * step + (depth - 8.0).clamp(0.0, 24.0) * step / 3.0;
    let middle = rect.left_center() + vec2(7.0 + indent, 0.0);
    let fold = egui::Rect::from_center_size(middle, vec2(12.0, 12.0));
    if let Some(open) = row.open {
        icons::draw(painter, fold, Icon::Open(open), theme::FAINT);
    }
    let sign = egui::Rect::from_center_size(middle + vec2(13.0, 0.0), vec2(13.0, 13.0));
    icons::draw(painter, sign, icon_of(state, row), color_of(chosen, row));
    let text = match (chosen, row.found, row.depth) {
        (true, _, _) => theme::ACCENT,
        (_, true, _) => Color32::WHITE,
        (_, _, 0) => Color32::WHITE,
        _ => theme::TEXT,
    };
    let text = if !state.search.is_empty() && !row.found && !chosen { theme::FAINT } else { text };
    let from = middle + vec2(24.0, 0.0);
    let font = FontId::proportional(12.5);
    let room = (rect.right() - from.x).max(8.0);
    let whole = painter.layout_no_wrap(row.name.clone(), font.clone(), text);
    let cut = whole.size().x > room;
    let galley = if cut {
        painter.layout_no_wrap(ending(&row.name, &whole, room - 11.0), font, text)
    } else {
        whole
    };
    painter.galley(from - vec2(0.0, galley.size().y * 0.5), galley, text);
    let response = if cut { response.on_hover_text(&row.name) } else { response };
    if response.clicked() {
        let on_fold = response.interact_pointer_pos().is_some_and(|at| at.x < fold.right() + 1.0);
        match row.open {
            Some(open) if on_fold && state.search.is_empty() => {
                let entry = (row.model, row.item);
                if open {
                    state.folded.insert(entry)
                } else {
                    state.folded.remove(&entry)
                };
            }
            _ => {
                state.select(row.model, Some(row.item));
                state.reveal = false;
            }
        }
    }
    if response.double_clicked() {
        state.act(Action::Frame);
    }
}

/// As much of a name's end as there is room for: joints of one rig differ there, and begin alike.
fn ending(name: &str, laid_out: &egui::Galley, room: f32) -> String {
    let wide = laid_out.size().x;
    let glyphs = laid_out.rows.iter().flat_map(|row| &row.glyphs);
    let gone = glyphs.take_while(|glyph| wide - glyph.pos.x > room).count();
    let mut end = String::from("…");
    end.extend(name.chars().skip(gone));
    end
}

fn icon_of(state: &State, row: &Row) -> Icon {
    match row.item {
        Item::Model => Icon::Model,
        Item::Mesh(_) => Icon::Mesh,
        Item::Joint(joint) => {
            let model = &state.models[row.model];
            let bone = !model.scene().skins.is_empty() && model.facts.bones[joint.index()];
            if bone { Icon::Joint } else { Icon::Node }
        }
    }
}

fn color_of(chosen: bool, row: &Row) -> Color32 {
    match row.item {
        _ if chosen => theme::ACCENT,
        Item::Mesh(_) => Color32::from_rgb(0x7f, 0xb3, 0xd9),
        Item::Model => theme::TEXT,
        Item::Joint(_) => theme::WEAK,
    }
}
