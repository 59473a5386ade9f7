//! Transport and timeline at the bottom.

use eframe::egui::{
    self, Align, Align2, Color32, ComboBox, DragValue, FontId, Layout, Rect, RichText, Role, Sense,
    Stroke, Ui, WidgetInfo, pos2, vec2,
};
use sinew::{ClipId, LoopMode};

use super::icons::Icon;
use super::pieces::{hint, icon_button};
use crate::figures;
use crate::keys::Action;
use crate::state::State;
use crate::theme;
use crate::timeline::Timeline;

pub(crate) fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        ui.spacing_mut().item_spacing.x = 2.0;
        clips(ui, state);
        ui.add_space(8.0);
        transport(ui, state);
        ui.add_space(8.0);
        readout(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| speed(ui, state));
    });
    ui.add_space(6.0);
    line(ui, state);
}

fn clips(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.model() else { return };
    let name = |clip: ClipId| match &model.scene()[clip].name {
        name if name.is_empty() => format!("clip {}", clip.index()),
        name => name.clone(),
    };
    let shown = match model.clip() {
        Some(clip) => name(clip),
        None if model.graph.is_some() => "graph".to_owned(),
        None if model.scene().clips.is_empty() => "no clips".to_owned(),
        None => "rest pose".to_owned(),
    };
    let width = if ui.available_width() < 800.0 { 110.0 } else { 170.0 };
    let mut chosen = None;
    let length = |clip: ClipId| figures::clock(model.scene()[clip].duration);
    let labels: Vec<(ClipId, String, String)> =
        model.scene().clip_ids().map(|clip| (clip, name(clip), length(clip))).collect();
    let now = model.clip();
    ComboBox::from_id_salt("clips")
        .width(width)
        .selected_text(RichText::new(shown).color(Color32::WHITE))
        .truncate()
        .show_ui(ui, |ui| {
            ui.set_min_width(220.0);
            if ui.selectable_label(now.is_none(), "rest pose").clicked() {
                chosen = Some(None);
            }
            for (clip, name, length) in &labels {
                ui.horizontal(|ui| {
                    if ui.selectable_label(now == Some(*clip), name).clicked() {
                        chosen = Some(Some(*clip));
                    }
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ui.label(RichText::new(length).font(theme::figures()).color(theme::WEAK));
                    });
                });
            }
        })
        .response
        .on_hover_text("clips of the model  [Page Up, Page Down]");
    if let Some(chosen) = chosen {
        state.choose_clip(chosen);
    }
}

fn transport(ui: &mut Ui, state: &mut State) {
    let play = if state.playing { Icon::Pause } else { Icon::Play };
    let name = if state.playing { "Pause" } else { "Play" };
    let buttons = [
        (Icon::First, "To the start", "to the start", Action::First),
        (Icon::PreviousKey, "Previous key", "previous key", Action::PreviousKey),
        (Icon::Backward, "Previous frame", "previous frame", Action::Step(-1)),
        (play, name, "play or pause", Action::Play),
        (Icon::Forward, "Next frame", "next frame", Action::Step(1)),
        (Icon::NextKey, "Next key", "next key", Action::NextKey),
        (Icon::Last, "To the end", "to the end", Action::Last),
    ];
    for (icon, name, words, action) in buttons {
        if icon_button(ui, icon, name, &hint(words, action)).clicked() {
            state.act(action);
        }
    }
}

/// Frame and seconds; digits keep their places.
fn readout(ui: &mut Ui, state: &State) {
    let Some(model) = state.model() else { return };
    let Some(line) = model.timeline() else { return };
    let time = model.actor.time();
    let last = line.last_frame();
    let digits = last.to_string().len().max(3);
    let figures_font = FontId::new(13.0, egui::FontFamily::Monospace);
    let frame = format!("{:>digits$}", line.frame_at(time));
    ui.label(RichText::new(frame).font(figures_font.clone()).color(Color32::WHITE));
    ui.add_space(3.0);
    ui.label(RichText::new(format!("/ {last} f")).font(theme::figures()).color(theme::WEAK));
    ui.add_space(14.0);
    let clock = figures::clock(time);
    ui.label(RichText::new(clock).font(figures_font).color(Color32::WHITE));
    if ui.available_width() > 330.0 {
        ui.add_space(3.0);
        let length = format!("/ {} s", figures::clock(line.duration));
        ui.label(RichText::new(length).font(theme::figures()).color(theme::WEAK));
    }
}

/// Speed, loop mode and rate; from the right.
fn speed(ui: &mut Ui, state: &mut State) {
    if ui.available_width() > 210.0
        && let Some(line) = state.model().and_then(|model| model.timeline())
    {
        let rate = format!("{} fps", line.rate);
        ui.label(RichText::new(rate).font(theme::figures()).color(theme::WEAK))
            .on_hover_text("frames a second, read from the keys");
        ui.add_space(6.0);
    }
    let (icon, name, words) = match state.loop_mode {
        LoopMode::Loop => (Icon::Loop, "Loop", "starts over at the end"),
        LoopMode::PingPong => (Icon::PingPong, "Ping-pong", "reverses at the end"),
        LoopMode::Once => (Icon::Once, "Once", "stops at the end"),
    };
    if icon_button(ui, icon, name, &hint(words, Action::LoopMode)).clicked() {
        state.act(Action::LoopMode);
    }
    ui.add_space(4.0);
    let value = DragValue::new(&mut state.speed)
        .speed(0.01)
        .range(-8.0..=16.0)
        .fixed_decimals(2)
        .suffix(" ×");
    ui.add_sized([64.0, 22.0], value)
        .on_hover_text("speed; below zero plays backward  [-  =  Backspace]");
}

fn line(ui: &mut Ui, state: &mut State) {
    let (rect, response) = super::room(
        ui,
        ui.available_width(),
        ui.available_height().max(24.0),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Timeline"));
    let painter = ui.painter();
    painter.rect_filled(rect, 4.0, theme::SUNKEN);
    let Some(model) = state.model() else { return };
    let Some(line) = model.timeline() else {
        let words = if model.graph.is_some() {
            "A graph plays. Its parameters are in the inspector."
        } else if model.scene().clips.is_empty() {
            "This model has no clips. Drop a file with some on the window."
        } else {
            "The rest pose is shown. Choose a clip to play it."
        };
        let font = FontId::proportional(12.0);
        painter.text(rect.center(), Align2::CENTER_CENTER, words, font, theme::WEAK);
        return;
    };
    let inner = rect.shrink2(vec2(12.0, 0.0));
    let x_of = |time: f32| inner.left() + inner.width() * share(time, line.duration);
    ruler(painter, inner, line, &x_of);
    let keys = rect.bottom() - 9.0;
    ticks(painter, &line.keys, &x_of, keys, 3.0, theme::FAINT);
    ticks(painter, &state.selected_keys.1, &x_of, keys, 4.5, theme::ACCENT);
    head(painter, rect, x_of(model.actor.time()));
    let pointer = response.interact_pointer_pos();
    let duration = line.duration;
    let width = inner.width();
    let left = inner.left();
    let snap = ui.input(|input| input.modifiers.shift).then_some(line.rate);
    state.scrubbing = response.is_pointer_button_down_on();
    if state.scrubbing
        && let (Some(at), Some(model)) = (pointer, state.model_mut())
    {
        let time = time_at(at.x - left, width, duration, snap);
        model.seek(time);
    }
    response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
}

/// How far a time is through a clip, from 0 to 1.
fn share(time: f32, duration: f32) -> f32 {
    if duration > 0.0 { (time / duration).clamp(0.0, 1.0) } else { 0.0 }
}

/// The time under a pointer; with a rate, that of the nearest frame.
fn time_at(x: f32, width: f32, duration: f32, rate: Option<f32>) -> f32 {
    let time = (x / width.max(1.0)).clamp(0.0, 1.0) * duration;
    match rate {
        Some(rate) => ((time * rate).round() / rate).min(duration),
        None => time,
    }
}

fn ruler(painter: &egui::Painter, inner: Rect, line: &Timeline, x_of: &impl Fn(f32) -> f32) {
    let step = line.label_step(inner.width(), 58.0);
    let last = line.last_frame();
    let each = inner.width() / last.max(1) as f32;
    let font = FontId::new(10.0, egui::FontFamily::Monospace);
    let top = inner.top();
    let every = if each >= 5.0 { 1 } else { (step / 5).max(1) };
    let mut frame = 0;
    while frame <= last {
        let x = x_of(frame as f32 / line.rate);
        let named = frame % step == 0;
        let height = if named { 8.0 } else { 4.0 };
        let color = if named { theme::FAINT } else { theme::RAISED };
        painter.vline(x, top..=top + height, Stroke::new(1.0, color));
        // The last label has room before the end.
        if named && x + 24.0 < inner.right() + 12.0 {
            let at = pos2(x + 3.0, top + 2.0);
            painter.text(at, Align2::LEFT_TOP, frame, font.clone(), theme::WEAK);
        }
        frame += every;
    }
}

/// Diamonds where keys are; at most one to a pixel.
fn ticks(
    painter: &egui::Painter,
    keys: &[f32],
    x_of: &impl Fn(f32) -> f32,
    y: f32,
    size: f32,
    color: Color32,
) {
    let mut before = f32::NEG_INFINITY;
    let dense = keys.len() > 1 && (x_of(keys[1]) - x_of(keys[0])) < size * 2.0;
    for key in keys {
        let x = x_of(*key);
        if x - before < 1.0 {
            continue;
        }
        before = x;
        if dense {
            painter.vline(x, y - size..=y + size, Stroke::new(1.0, color.gamma_multiply(0.8)));
            continue;
        }
        let points =
            vec![pos2(x, y - size), pos2(x + size, y), pos2(x, y + size), pos2(x - size, y)];
        painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
    }
}

fn head(painter: &egui::Painter, rect: Rect, x: f32) {
    painter.vline(x, rect.y_range(), Stroke::new(1.5, theme::ACCENT));
    let top = rect.top();
    let points = vec![
        pos2(x - 5.0, top),
        pos2(x + 5.0, top),
        pos2(x + 5.0, top + 5.0),
        pos2(x, top + 10.0),
        pos2(x - 5.0, top + 5.0),
    ];
    painter.add(egui::Shape::convex_polygon(points, theme::ACCENT, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_finds_the_time_and_the_time_the_place() {
        assert_eq!(time_at(50.0, 200.0, 2.0, None), 0.5);
        assert_eq!(time_at(-50.0, 200.0, 2.0, None), 0.0);
        assert_eq!(time_at(900.0, 200.0, 2.0, None), 2.0);
        assert_eq!(time_at(52.0, 200.0, 2.0, Some(10.0)), 0.5);
        assert_eq!(share(0.5, 2.0), 0.25);
        assert_eq!(share(0.0, 0.0), 0.0);
    }
}
