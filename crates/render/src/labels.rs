//! Words in an image: names that stand beside what they name, as large wherever it is.
//!
//! In:  points of the world with a text each, the camera, the image's size.
//! Out: lines. A word that would lie on an earlier one is left out, and so is one outside of the image.
//!
//! The lines lie on a plane square to the view, half way to the camera, so that a pixel is the same length all over a
//! word and nothing stands before it.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};

use crate::letters::{self, CAPITAL};
use crate::overlay::Line;
use crate::{Camera, Lens};

/// More words than this hide the image.
const MAX_LABELS: usize = 500;
/// Behind the letters.
const PLATE: [f32; 4] = [0.006, 0.007, 0.010, 0.88];
/// Of the letters' lines, for each pixel of a capital's height.
const STROKE: f32 = 0.155;

/// Words, each with where it stands. Kept and filled anew.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Height of a capital, in pixels.
    pub height: f32,
    all: Vec<Label>,
    text: String,
    /// Known once there is a word: a program that writes none has no letters inside, which counts on web pages.
    writer: Option<Writer>,
}

type Writer = fn(&Labels, &Camera, Vec2, &mut Vec<[Vec2; 2]>, &mut Vec<Line>);

#[derive(Clone, Debug)]
struct Label {
    at: Vec3,
    text: Range<usize>,
    color: Vec4,
}

impl Default for Labels {
    fn default() -> Self {
        Self { height: 8.0, all: Vec::new(), text: String::new(), writer: None }
    }
}

impl Labels {
    /// Writes a text beside a point of the world; `color` is linear, with plain alpha. Those that come first have room first.
    pub fn add(&mut self, at: Vec3, text: &str, color: Vec4) {
        self.writer = Some(Self::write_all);
        let start = self.text.len();
        self.text.push_str(text);
        self.all.push(Label { at, text: start..self.text.len(), color });
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.text.clear();
    }

    /// Adds the lines of every word that has room in an image of this size.
    pub(crate) fn write(
        &self,
        camera: &Camera,
        size: Vec2,
        taken: &mut Vec<[Vec2; 2]>,
        lines: &mut Vec<Line>,
    ) {
        taken.clear();
        if let Some(writer) = self.writer {
            writer(self, camera, size, taken, lines);
        }
    }

    fn write_all(
        &self,
        camera: &Camera,
        size: Vec2,
        taken: &mut Vec<[Vec2; 2]>,
        lines: &mut Vec<Line>,
    ) {
        let unit = self.height / CAPITAL;
        for label in &self.all {
            if taken.len() >= MAX_LABELS {
                return;
            }
            let Some(seen) = camera.project(label.at, size) else { continue };
            let text = &self.text[label.text.clone()];
            let room = Vec2::new(letters::width(text) * unit, self.height);
            let margin = Vec2::new(self.height * 0.4, self.height * 0.45);
            // On the right of its point; on the left where that is taken.
            let aside = [self.height, -self.height - room.x];
            let corners = aside.map(|x| seen + Vec2::new(x, -self.height * 0.5));
            let place = |corner: Vec2| [corner - margin, corner + room + margin];
            let free = |corner: &Vec2| {
                let [low, high] = place(*corner);
                let outside = high.cmplt(Vec2::ZERO).any() || low.cmpgt(size).any();
                !outside && !taken.iter().any(|other| meet(*other, [low, high]))
            };
            let Some(corner) = corners.into_iter().find(free).filter(|_| !text.is_empty()) else {
                continue;
            };
            let place = place(corner);
            taken.push(place);
            let plane = Plane::before(label.at, camera, size);
            let ends = [place[0].x, place[1].x]
                .map(|x| plane.point(Vec2::new(x, corner.y + room.y * 0.5)));
            let width = place[1].y - place[0].y;
            lines.push(Line { from: ends[0], to: ends[1], color: PLATE, width });
            let foot = corner + Vec2::new(0.0, room.y);
            let (color, width) = (label.color.to_array(), self.height * STROKE);
            letters::pieces(text, |from, to| {
                let [from, to] =
                    [from, to].map(|[x, y]| plane.point(foot + Vec2::new(x, -y) * unit));
                lines.push(Line { from, to, color, width });
            });
        }
    }
}

fn meet(a: [Vec2; 2], b: [Vec2; 2]) -> bool {
    a[0].cmplt(b[1]).all() && b[0].cmplt(a[1]).all()
}

/// A plane square to the view, in pixels.
struct Plane {
    /// What the middle of the image shows of it.
    middle: Vec3,
    /// One pixel to the right, and one down.
    right: Vec3,
    down: Vec3,
    half: Vec2,
}

impl Plane {
    /// Half way between the nearest that is drawn and a point.
    fn before(point: Vec3, camera: &Camera, size: Vec2) -> Self {
        let [right, up, forward] = camera.axes();
        let away = 0.5 * (camera.near + (point - camera.position).dot(forward));
        let tall = match camera.lens {
            Lens::Perspective { fov_y } => 2.0 * away * (fov_y * 0.5).tan(),
            Lens::Orthographic { half_height } => 2.0 * half_height,
        };
        let pixel = tall / size.y;
        Self {
            middle: camera.position + forward * away,
            right: right * pixel,
            down: -up * pixel,
            half: size * 0.5,
        }
    }

    fn point(&self, pixel: Vec2) -> Vec3 {
        let from_middle = pixel - self.half;
        self.middle + self.right * from_middle.x + self.down * from_middle.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(200.0, 100.0);

    fn written(camera: &Camera, points: &[(Vec3, &str)]) -> Vec<Line> {
        let mut labels = Labels::default();
        points.iter().for_each(|(at, text)| labels.add(*at, text, Vec4::ONE));
        let mut lines = Vec::new();
        labels.write(camera, SIZE, &mut Vec::new(), &mut lines);
        lines
    }

    #[test]
    fn a_word_stands_right_of_its_point_whatever_the_lens_and_the_distance() {
        let far = Camera::look_at(Vec3::new(3000.0, 2.0, 9.0), Vec3::new(3000.0, 1.0, 0.0), 0.6);
        for camera in [far, far.orthographic()] {
            let lines = written(&camera, &[(Vec3::new(3000.0, 1.0, 0.0), "L")]);
            // The plate, then the two strokes of an L: down, then to the right, three units of 8 / 6 pixels.
            let [_, down, foot] = &lines[..] else { panic!("{lines:?}") };
            let seen = |point: Vec3| camera.project(point, SIZE).expect("in front");
            let near = |a: Vec2, b: Vec2| assert!(a.distance(b) < 0.2, "{a} is not {b}");
            near(seen(down.from), Vec2::new(108.0, 46.0));
            near(seen(down.to), Vec2::new(108.0, 54.0));
            near(seen(foot.to), Vec2::new(112.0, 54.0));
        }
    }

    #[test]
    fn a_word_that_would_lie_on_another_stands_on_the_left_and_a_third_is_left_out() {
        let camera = Camera::look_at(Vec3::Z * 5.0, Vec3::ZERO, 0.6);
        let one = written(&camera, &[(Vec3::ZERO, "L")]).len();
        let beside = [(Vec3::ZERO, "L"), (Vec3::X * 0.01, "L"), (Vec3::X * 0.02, "L")];
        let lines = written(&camera, &beside);
        assert_eq!(lines.len(), 2 * one);
        let left = camera.project(lines[one + 1].from, SIZE).expect("in front");
        assert!(left.x < 95.0, "{left}");
        assert_eq!(written(&camera, &[(Vec3::ZERO, "L"), (Vec3::Y, "L")]).len(), 2 * one);
    }

    #[test]
    fn what_is_behind_the_eye_or_outside_of_the_image_has_no_word() {
        let camera = Camera::look_at(Vec3::Z * 5.0, Vec3::ZERO, 0.6);
        let away = [(Vec3::Z * 6.0, "L"), (Vec3::X * 100.0, "L"), (Vec3::ZERO, "")];
        assert!(written(&camera, &away).is_empty());
    }
}
