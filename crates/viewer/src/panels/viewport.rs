//! The image itself: mouse on it, labels over it.

use eframe::egui::{
    self, Align2, Color32, FontId, Mesh, PointerButton, Pos2, Rect, Role, Sense, Shape, Ui,
    WidgetInfo, pos2, vec2,
};
use sinew::glam::{Vec2, Vec3};

use crate::keys::Action;
use crate::outline::Item;
use crate::state::State;
use crate::theme;

/// How near a click must be to a joint, in points.
const NEAR: f32 = 16.0;
/// Seconds after a drag or a step of the wheel until the image is at rest.
const HANDLED: f32 = 0.3;

/// Rotates, pans, zooms and selects.
pub(crate) fn listen(ui: &mut Ui, state: &mut State, rect: Rect) {
    let size = Vec2::new(rect.width().max(1.0), rect.height().max(1.0));
    state.aspect = size.x / size.y;
    if state.frame_soon && rect.width() > 8.0 && rect.height() > 8.0 {
        state.frame_soon = false;
        let bounds = state.bounds();
        let facing = state.facing();
        state.orbit = crate::orbit::Orbit { flat: state.orbit.flat, ..Default::default() };
        state.orbit.look(crate::orbit::View::ThreeQuarter, facing);
        let exact =
            state.set.as_ref().is_some_and(|set| set.place_camera(&mut state.orbit, facing));
        if !exact {
            state.orbit.frame(bounds, state.aspect);
        }
    }
    let response = ui.interact(rect, ui.scope_id().with("image"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Image"));
    let drag = response.drag_delta();
    let drag = Vec2::new(drag.x, drag.y);
    let shift = ui.input(|input| input.modifiers.shift);
    let aside = response.dragged_by(PointerButton::Secondary) || shift;
    if super::target::drag(&response, state, rect) {
        // A target is dragged, not the camera.
    } else if response.dragged() && drag != Vec2::ZERO {
        state.goal = None;
        state.handled = HANDLED;
        if aside {
            state.orbit.pan(drag, size.y);
        } else {
            state.orbit.rotate(drag);
        }
    }
    if let Some(at) = response.hover_pos() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let wheel = wheel + pinch.ln() * 450.0;
        if wheel != 0.0 {
            state.goal = None;
            state.handled = HANDLED;
            let pointer = Vec2::new(at.x - rect.left(), at.y - rect.top());
            state.orbit.zoom(wheel, pointer, size);
        }
    }
    if response.clicked() {
        if let Some(focused) = ui.memory(|memory| memory.focused()) {
            ui.memory_mut(|memory| memory.surrender_focus(focused));
        }
        if let Some(at) = response.interact_pointer_pos() {
            pick(state, rect, at);
        }
    }
    if response.double_clicked() {
        state.act(Action::Frame);
    }
}

/// Selects the joint nearest to a click, or nothing.
fn pick(state: &mut State, rect: Rect, at: Pos2) {
    let mut best: Option<(f32, usize, Item)> = None;
    for (index, model) in state.models.iter().enumerate() {
        for joint in model.scene().skeleton().ids().filter(|joint| model.facts.bones[joint.index()])
        {
            let place = Vec3::from(model.world_from_joint(joint).translation);
            let Some(seen) = project(state, rect, place) else { continue };
            let gap = seen.distance(at);
            if gap < best.map_or(NEAR, |best| best.0) {
                best = Some((gap, index, Item::Joint(joint)));
            }
        }
    }
    match best {
        Some((_, model, item)) => state.select(model, Some(item)),
        None => state.select(state.active, None),
    }
}

pub(super) fn project(state: &State, rect: Rect, point: Vec3) -> Option<Pos2> {
    let size = Vec2::new(rect.width(), rect.height());
    let seen = state.orbit.camera().project(point, size)?;
    Some(pos2(rect.left() + seen.x, rect.top() + seen.y))
}

/// Legend, selection: labels over the image.
pub(crate) fn labels(ui: &Ui, state: &State, rect: Rect) {
    let painter = ui.painter().with_clip_rect(rect);
    let joint = state.joint().filter(|_| !state.modes.names);
    if let (Some(joint), Some(model)) = (joint, state.model()) {
        let place = Vec3::from(model.world_from_joint(joint).translation);
        if let Some(at) = project(state, rect, place) {
            tag(&painter, at + vec2(10.0, -10.0), &model.name_of(joint), theme::ACCENT);
        }
    }
    if state.modes.heat && state.joint().is_some() {
        legend(&painter, state, rect);
    }
    super::target::draw(&painter, state, rect);
    compass(&painter, state, rect);
}

fn tag(painter: &egui::Painter, at: Pos2, words: &str, color: Color32) {
    let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(12.0), color);
    let place = Rect::from_min_size(at - vec2(0.0, galley.size().y), galley.size());
    painter.rect_filled(place.expand2(vec2(5.0, 2.0)), 3.0, Color32::from_black_alpha(170));
    painter.galley(place.min, galley, color);
}

/// The colours of the heat-map: as the shader mixes them.
fn heat(weight: f32) -> Color32 {
    let t = weight.clamp(0.0, 1.0) * 4.0;
    let warm = Vec3::new(t - 2.0, t.min(4.0 - t), 2.0 - t).clamp(Vec3::ZERO, Vec3::ONE);
    let cold = Vec3::new(0.01, 0.02, 0.12);
    let light = cold.lerp(warm * warm, (weight * 20.0).clamp(0.0, 1.0));
    egui::Rgba::from_rgb(light.x, light.y, light.z).into()
}

fn legend(painter: &egui::Painter, state: &State, rect: Rect) {
    let (Some(model), Some(joint)) = (state.model(), state.joint()) else { return };
    let bar = Rect::from_min_size(rect.right_bottom() - vec2(214.0, 40.0), vec2(200.0, 8.0));
    let card = Rect::from_min_max(bar.min - vec2(10.0, 24.0), bar.max + vec2(10.0, 22.0));
    painter.rect_filled(card, 6.0, Color32::from_black_alpha(170));
    let mut strip = Mesh::default();
    let parts = 40;
    for part in 0..=parts {
        let t = part as f32 / parts as f32;
        let x = egui::lerp(bar.x_range(), t);
        strip.colored_vertex(pos2(x, bar.top()), heat(t));
        strip.colored_vertex(pos2(x, bar.bottom()), heat(t));
        if part > 0 {
            let at = part as u32 * 2;
            strip.add_triangle(at - 2, at - 1, at);
            strip.add_triangle(at, at - 1, at + 1);
        }
    }
    painter.add(Shape::mesh(strip));
    let small = FontId::proportional(11.0);
    let title = format!("influence of {}", model.name_of(joint));
    painter.text(bar.left_top() - vec2(0.0, 5.0), Align2::LEFT_BOTTOM, title, small, theme::TEXT);
    let figures = FontId::new(10.0, egui::FontFamily::Monospace);
    for (share, words) in [(0.0, "0"), (0.5, "0.5"), (1.0, "1")] {
        let x = egui::lerp(bar.x_range(), share);
        let align =
            [Align2::LEFT_TOP, Align2::CENTER_TOP, Align2::RIGHT_TOP][(share * 2.0) as usize];
        painter.text(pos2(x, bar.bottom() + 4.0), align, words, figures.clone(), theme::WEAK);
    }
}

/// The world's axes in the corner.
fn compass(painter: &egui::Painter, state: &State, rect: Rect) {
    if rect.width() < 200.0 || rect.height() < 160.0 {
        return;
    }
    let middle = rect.right_top() + vec2(-36.0, 36.0);
    let [right, up, forward] = state.orbit.camera().axes();
    let mut arms = [
        (Vec3::X, "X", Color32::from_rgb(0xe0, 0x6c, 0x66)),
        (Vec3::Y, "Y", Color32::from_rgb(0x86, 0xc4, 0x6c)),
        (Vec3::Z, "Z", Color32::from_rgb(0x6a, 0x9c, 0xea)),
    ]
    .map(|(axis, name, color)| {
        (axis.dot(forward), vec2(axis.dot(right), -axis.dot(up)) * 21.0, name, color)
    });
    arms.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (away, arm, name, color) in arms {
        let color = if away > 0.3 { color.gamma_multiply(0.55) } else { color };
        painter.line_segment([middle, middle + arm], egui::Stroke::new(2.0, color));
        painter.circle_filled(middle + arm, 7.0, color);
        let font = FontId::proportional(10.0);
        painter.text(middle + arm, Align2::CENTER_CENTER, name, font, theme::SUNKEN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_runs_from_cold_to_hot() {
        let [cold, middle, hot] = [heat(0.0), heat(0.5), heat(1.0)];
        assert!(cold.b() > cold.r() && middle.g() > middle.r() && middle.g() > middle.b());
        assert_eq!((hot.r(), hot.g(), hot.b()), (255, 0, 0));
    }

    #[test]
    fn a_click_on_a_joint_selects_it_and_one_beside_selects_nothing() {
        let models = vec![crate::model::Model::built_in("demo", sinew::demo())];
        let mut state = State { models, ..State::default() };
        let rect = Rect::from_min_size(pos2(100.0, 50.0), vec2(600.0, 400.0));
        state.aspect = 1.5;
        state.orbit.frame(state.bounds(), 1.5);
        let joint = state.models[0].scene().skeleton().ids().last().expect("it has joints");
        let place = Vec3::from(state.models[0].world_from_joint(joint).translation);
        let at = project(&state, rect, place).expect("seen");
        pick(&mut state, rect, at);
        assert_eq!(state.joint(), Some(joint));
        pick(&mut state, rect, rect.left_top());
        assert_eq!(state.selection, None);
    }
}
