//! Colours, sizes and fonts: dark and calm, with one accent.

use eframe::egui::style::WidgetVisuals;
use eframe::egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Vec2,
    Visuals,
};

/// What is chosen, what is on, the playhead.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(0xff, 0x9a, 0x4a);
/// Text.
pub(crate) const TEXT: Color32 = Color32::from_rgb(0xd6, 0xd9, 0xde);
/// Labels beside values.
pub(crate) const WEAK: Color32 = Color32::from_rgb(0x93, 0x9a, 0xa4);
/// Lines that are hardly there.
pub(crate) const FAINT: Color32 = Color32::from_rgb(0x5c, 0x63, 0x6d);
/// Behind panels.
pub(crate) const PANEL: Color32 = Color32::from_rgb(0x1a, 0x1c, 0x20);
/// Behind what can be typed in or dragged.
pub(crate) const SUNKEN: Color32 = Color32::from_rgb(0x12, 0x13, 0x16);
/// Behind buttons.
pub(crate) const RAISED: Color32 = Color32::from_rgb(0x2a, 0x2d, 0x33);
/// Between panels.
pub(crate) const EDGE: Color32 = Color32::from_rgb(0x0c, 0x0d, 0x0f);
/// Diagnostic.
pub(crate) const RED: Color32 = Color32::from_rgb(0xf2, 0x6d, 0x6d);
/// Notes.
pub(crate) const YELLOW: Color32 = Color32::from_rgb(0xe3, 0xc0, 0x5c);

/// The accent, laid over what is behind.
pub(crate) fn accent(alpha: f32) -> Color32 {
    ACCENT.gamma_multiply(alpha)
}

/// Digits that are all as wide.
pub(crate) fn figures() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

/// Makes a window look like ours.
pub(crate) fn apply(context: &Context) {
    context.set_theme(Theme::Dark);
    context.all_styles_mut(|style| {
        style.visuals = visuals();
        style.text_styles = [
            (TextStyle::Heading, FontId::new(15.0, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Small, FontId::new(11.0, FontFamily::Proportional)),
            (TextStyle::Monospace, figures()),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(6.0, 4.0);
        style.spacing.button_padding = Vec2::new(7.0, 3.0);
        style.spacing.window_margin = Margin::same(14);
        style.spacing.interact_size = Vec2::new(24.0, 20.0);
        style.spacing.slider_width = 90.0;
        style.interaction.tooltip_delay = 0.5;
        style.animation_time = 0.09;
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    let radius = CornerRadius::same(4);
    let widget = |fill: Color32, text: Color32, edge: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, edge),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(PANEL, TEXT, Color32::from_rgb(0x2b, 0x2e, 0x34));
    visuals.widgets.inactive = widget(RAISED, TEXT, Color32::TRANSPARENT);
    visuals.widgets.hovered = widget(Color32::from_rgb(0x35, 0x39, 0x41), Color32::WHITE, FAINT);
    visuals.widgets.active = widget(Color32::from_rgb(0x40, 0x45, 0x4e), Color32::WHITE, ACCENT);
    visuals.widgets.open = widget(RAISED, Color32::WHITE, FAINT);
    visuals.panel_fill = PANEL;
    visuals.window_fill = Color32::from_rgb(0x20, 0x23, 0x28);
    visuals.window_stroke = Stroke::new(1.0, Color32::from_rgb(0x3a, 0x3e, 0x46));
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = SUNKEN;
    visuals.faint_bg_color = Color32::from_rgb(0x20, 0x22, 0x27);
    visuals.selection.bg_fill = Color32::from_rgb(0x5a, 0x3a, 0x22);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT;
    visuals.warn_fg_color = YELLOW;
    visuals.error_fg_color = RED;
    visuals.slider_trailing_fill = true;
    visuals.weak_text_color = Some(WEAK);
    visuals
}
