//! Small signs, drawn as shapes so that they are sharp at every size.

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

/// What a sign shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Play,
    Pause,
    Forward,
    Backward,
    NextKey,
    PreviousKey,
    First,
    Last,
    Model,
    Joint,
    Node,
    Mesh,
    Folder,
    File,
    Open(bool),
    Loop,
    PingPong,
    Once,
}

/// Draws a sign in the middle of a box.
pub(crate) fn draw(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let middle = rect.center();
    let r = (rect.width().min(rect.height()) * 0.5).min(7.0);
    let at = |x: f32, y: f32| middle + vec2(x, y) * r;
    let fill = |points: Vec<Pos2>| {
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    let bar = |x: f32, half: f32| {
        painter.rect_filled(
            Rect::from_min_max(at(x - half, -0.75), at(x + half, 0.75)),
            0.0,
            color,
        );
    };
    let right = |x: f32| fill(vec![at(x, -0.75), at(x + 1.1, 0.0), at(x, 0.75)]);
    let left = |x: f32| fill(vec![at(x, -0.75), at(x, 0.75), at(x - 1.1, 0.0)]);
    let diamond = |x: f32, s: f32| fill(vec![at(x, -s), at(x + s, 0.0), at(x, s), at(x - s, 0.0)]);
    let stroke = Stroke::new(1.3, color);
    let lines = |points: Vec<Pos2>| {
        painter.add(Shape::line(points, stroke));
    };
    match icon {
        Icon::Play => fill(vec![at(-0.65, -0.9), at(0.95, 0.0), at(-0.65, 0.9)]),
        Icon::Pause => {
            bar(-0.45, 0.2);
            bar(0.45, 0.2);
        }
        Icon::Forward => {
            bar(-0.65, 0.12);
            right(-0.25);
        }
        Icon::Backward => {
            bar(0.65, 0.12);
            left(0.25);
        }
        Icon::NextKey => {
            right(-0.95);
            diamond(0.65, 0.5);
        }
        Icon::PreviousKey => {
            left(0.95);
            diamond(-0.65, 0.5);
        }
        Icon::First => {
            bar(-0.75, 0.12);
            left(0.7);
        }
        Icon::Last => {
            bar(0.75, 0.12);
            right(-0.7);
        }
        Icon::Model => {
            let points = vec![at(0.0, -0.8), at(0.75, -0.4), at(0.75, 0.4), at(0.0, 0.8)];
            let more = [at(-0.75, 0.4), at(-0.75, -0.4), at(0.0, -0.8)];
            lines(points.into_iter().chain(more).collect());
            lines(vec![at(-0.75, -0.4), at(0.0, 0.0), at(0.75, -0.4)]);
            lines(vec![at(0.0, 0.0), at(0.0, 0.8)]);
        }
        Icon::Joint => fill(vec![at(-0.9, 0.0), at(-0.4, -0.5), at(1.0, 0.0), at(-0.4, 0.5)]),
        Icon::Node => {
            painter.circle_stroke(middle, r * 0.42, stroke);
        }
        Icon::Mesh => {
            lines(vec![at(0.0, -0.7), at(0.75, 0.6), at(-0.75, 0.6), at(0.0, -0.7)]);
        }
        Icon::Folder => {
            fill(vec![at(-0.85, -0.6), at(-0.2, -0.6), at(0.0, -0.35), at(-0.85, -0.35)]);
            painter.rect_filled(Rect::from_min_max(at(-0.85, -0.4), at(0.85, 0.65)), 1.0, color);
        }
        Icon::File => {
            let points = vec![at(-0.55, -0.8), at(0.2, -0.8), at(0.6, -0.4), at(0.6, 0.8)];
            lines(points.into_iter().chain([at(-0.55, 0.8), at(-0.55, -0.8)]).collect());
        }
        Icon::Open(true) => fill(vec![at(-0.5, -0.25), at(0.5, -0.25), at(0.0, 0.4)]),
        Icon::Open(false) => fill(vec![at(-0.25, -0.5), at(0.4, 0.0), at(-0.25, 0.5)]),
        Icon::Loop => {
            lines(vec![
                at(-0.2, -0.5),
                at(-0.8, -0.5),
                at(-0.8, 0.5),
                at(0.8, 0.5),
                at(0.8, -0.5),
                at(0.45, -0.5),
            ]);
            fill(vec![at(0.5, -0.9), at(-0.1, -0.5), at(0.5, -0.1)]);
        }
        Icon::PingPong => {
            lines(vec![at(-0.5, 0.0), at(0.5, 0.0)]);
            fill(vec![at(0.9, 0.0), at(0.35, -0.4), at(0.35, 0.4)]);
            fill(vec![at(-0.9, 0.0), at(-0.35, 0.4), at(-0.35, -0.4)]);
        }
        Icon::Once => {
            lines(vec![at(-0.85, 0.0), at(0.3, 0.0)]);
            fill(vec![at(0.6, 0.0), at(0.05, -0.4), at(0.05, 0.4)]);
            painter.line_segment(
                [pos2(at(0.75, 0.0).x, at(0.0, -0.6).y), pos2(at(0.75, 0.0).x, at(0.0, 0.6).y)],
                stroke,
            );
        }
    }
}
