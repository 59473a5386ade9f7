//! Drawing in pixels over an image: words, lines and rings at places of the image or around places of the world.
//!
//! In:  the camera and the image's size.
//! Out: lines and labels of an overlay, on a plane just before the camera, so that nothing is in front of them.

use sinew::glam::{Vec2, Vec3, Vec4};
use sinew::render::{Camera, Lens, Line, Overlay};

/// Pieces of a ring.
const PIECES: usize = 40;

/// A plane just before the camera, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    camera: Camera,
    size: Vec2,
    middle: Vec3,
    right: Vec3,
    down: Vec3,
}

impl Screen {
    pub(crate) fn new(camera: &Camera, size: Vec2) -> Self {
        let [right, up, forward] = camera.axes();
        let away = camera.near * 2.0;
        let tall = match camera.lens {
            Lens::Perspective { fov_y } => 2.0 * away * (fov_y * 0.5).tan(),
            Lens::Orthographic { half_height } => 2.0 * half_height,
        };
        let pixel = tall / size.y;
        let middle = camera.position + forward * away;
        Self { camera: *camera, size, middle, right: right * pixel, down: -up * pixel }
    }

    /// Where in the world a pixel of the plane is.
    pub(crate) fn point(&self, pixel: Vec2) -> Vec3 {
        let from_middle = pixel - self.size * 0.5;
        self.middle + self.right * from_middle.x + self.down * from_middle.y
    }

    /// A line from pixel to pixel.
    pub(crate) fn line(&self, overlay: &mut Overlay, ends: [Vec2; 2], width: f32, color: Vec4) {
        let [from, to] = ends.map(|end| self.point(end));
        overlay.lines.push(Line { from, to, color: color.to_array(), width });
    }

    /// Words that begin at a pixel.
    pub(crate) fn text(&self, overlay: &mut Overlay, pixel: Vec2, text: &str, color: Vec4) {
        overlay.labels.add(self.point(pixel), text, color);
    }

    /// A ring of so many pixels about a place of the world; nothing where the camera does not see it.
    pub(crate) fn ring(&self, overlay: &mut Overlay, at: Vec3, radius: f32, color: Vec4) {
        let seen = self.camera.project(at, self.size).filter(|pixel| pixel.is_finite());
        let Some(middle) = seen else { return };
        let corner = |piece: usize| {
            let angle = piece as f32 / PIECES as f32 * std::f32::consts::TAU;
            middle + Vec2::from_angle(angle) * radius
        };
        for piece in 0..PIECES {
            self.line(overlay, [corner(piece), corner(piece + 1)], 3.0, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen() -> (Screen, Camera, Vec2) {
        let camera = Camera::look_at(Vec3::new(1.0, 2.0, 5.0), Vec3::Y, 0.6);
        let size = Vec2::new(640.0, 480.0);
        (Screen::new(&camera, size), camera, size)
    }

    #[test]
    fn a_pixel_of_the_plane_is_seen_at_that_pixel() {
        let (screen, camera, size) = screen();
        for pixel in [Vec2::new(0.0, 0.0), Vec2::new(28.0, 120.0), Vec2::new(600.0, 400.0)] {
            let seen = camera.project(screen.point(pixel), size).expect("before the camera");
            assert!(seen.distance(pixel) < 0.1, "{seen} {pixel}");
        }
    }

    #[test]
    fn a_ring_is_as_many_pixels_from_the_place_as_it_says() {
        let (screen, camera, size) = screen();
        let mut overlay = Overlay::default();
        screen.ring(&mut overlay, Vec3::new(0.2, 1.1, 0.0), 20.0, Vec4::ONE);
        let middle = camera.project(Vec3::new(0.2, 1.1, 0.0), size).expect("seen");
        assert_eq!(overlay.lines.len(), PIECES);
        for line in &overlay.lines {
            let pixel = camera.project(line.from, size).expect("seen");
            assert!((pixel.distance(middle) - 20.0).abs() < 0.2, "{pixel} {middle}");
        }
        overlay.clear();
        screen.ring(&mut overlay, Vec3::new(1.0, 2.0, 50.0), 20.0, Vec4::ONE);
        assert!(overlay.is_empty(), "behind the camera");
    }
}
