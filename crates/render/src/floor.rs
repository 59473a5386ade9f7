//! Where in the image the floor takes shadows, and where it mirrors anyone: only there is it drawn with them.
//!
//! In:  the frame's characters and floor, the shadow's map.
//! Out: rectangles of pixels.
//!
//! A shader that looks for shadows everywhere would take longer than everything else where a processor draws.

use glam::{Vec2, Vec3, Vec4Swizzles};
use sinew_deform::Bounds;

use crate::camera::corners;
use crate::globals::ShadowFit;
use crate::{Floor, Frame, Lens};

/// The radius of a floor over the height where its reflections end; as in globals.wgsl.
const REACH: f32 = 18.0;
/// How far from where it is a reflection may be blurred to, as a share of that height; more than SPREAD of reflection.wgsl.
const BLUR: f32 = 0.16;

/// How wide half of a shadow's edge is at most, as a share of the map's width; as in surroundings.wgsl.
const WIDEST_EDGE: f32 = 0.06;
/// So many characters are looked at one by one.
const MAX_BOXES: usize = 64;

/// Left, top, width and height, in pixels.
pub(crate) type Part = [u32; 4];

/// Parts of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloorParts {
    pub(crate) image: Part,
    pub(crate) shaded: Option<Part>,
    pub(crate) mirrors: Option<Part>,
}

impl FloorParts {
    pub(crate) fn of(
        frame: &Frame,
        seen: &[bool],
        fit: Option<&ShadowFit>,
        [width, height]: [u32; 2],
    ) -> Self {
        let image = [0, 0, width, height];
        let view = View { frame, image };
        let fit = fit.filter(|_| frame.floor.shadow);
        let shaded = fit.and_then(|fit| view.around(&shaded(frame, fit)));
        let is_seen = frame.floor.reflection > 0.0 && frame.surfaces && is_above(frame);
        let mirrors = if is_seen { view.around(&mirrored(frame, seen)) } else { None };
        Self { image, shaded, mirrors }
    }
}

/// Places all around something; or none that can be said.
type Around = Option<Vec<Vec3>>;

/// Where everyone's shadow may fall on the floor: that of the box around each, and of the widest edge. Of many, that of all of the map.
fn shaded(frame: &Frame, fit: &ShadowFit) -> Around {
    let world_from_shadow = fit.shadow_from_world.inverse();
    let along = world_from_shadow.transform_vector3(Vec3::Z).normalize();
    // Light that grazes the floor reaches far.
    let falls = |from: Vec3| {
        let way = (frame.floor.height - from.y) / along.y;
        (along.y < -0.02).then_some(from + along * way)
    };
    if frame.characters.len() > MAX_BOXES {
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        let places = corners.map(|[x, y]| world_from_shadow.project_point3(Vec3::new(x, y, 0.0)));
        return places.into_iter().map(falls).collect();
    }
    let edge = Vec3::splat(WIDEST_EDGE * fit.texel * fit.map_size as f32);
    let mut all = Vec::new();
    for bounds in &frame.characters {
        let Bounds { min, max } = (*bounds)?;
        if max.cmpge(min).all() {
            all.extend(corners(Bounds { min: min - edge, max: max + edge }));
        }
    }
    all.into_iter().map(falls).collect()
}

/// Boxes around everyone's reflection and its blur.
fn mirrored(frame: &Frame, seen: &[bool]) -> Around {
    let mut all = Vec::new();
    for (bounds, _) in frame.characters.iter().zip(seen).filter(|(_, seen)| **seen) {
        all.extend(mirrored_box((*bounds)?, &frame.floor).into_iter().flat_map(corners));
    }
    Some(all)
}

/// `None` for who is too high above the floor, or below it.
fn mirrored_box(bounds: Bounds, floor: &Floor) -> Option<Bounds> {
    let reach = floor.radius / REACH;
    let top = (bounds.max.y - floor.height).min(reach);
    if bounds.is_empty() || bounds.min.y - floor.height >= reach || top <= 0.0 {
        return None;
    }
    let blur = Vec3::splat(reach * BLUR);
    let min = Vec3::new(bounds.min.x, floor.height - top, bounds.min.z) - blur;
    let max = Vec3::new(bounds.max.x, floor.height, bounds.max.z) + blur;
    Some(Bounds { min, max })
}

/// Whether the floor is seen from above.
fn is_above(frame: &Frame) -> bool {
    match frame.camera.lens {
        Lens::Perspective { .. } => frame.camera.position.y > frame.floor.height,
        Lens::Orthographic { .. } => frame.camera.forward().y < 0.0,
    }
}

struct View<'a> {
    frame: &'a Frame,
    image: Part,
}

impl View<'_> {
    /// The rectangle around some places, as far as it is in the image; all of it where one of them is behind the camera.
    fn around(&self, places: &Around) -> Option<Part> {
        let Some(places) = places else { return Some(self.image) };
        let size = Vec2::new(self.image[2] as f32, self.image[3] as f32);
        let clip_from_world = self.frame.camera.clip_from_world(size.x / size.y);
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for place in places {
            let at = clip_from_world * place.extend(1.0);
            if at.w <= 1e-6 {
                return Some(self.image);
            }
            let pixel = (at.xy() / at.w * Vec2::new(0.5, -0.5) + 0.5) * size;
            (low, high) = (low.min(pixel), high.max(pixel));
        }
        let low = low.floor().clamp(Vec2::ZERO, size);
        let extent = high.ceil().clamp(Vec2::ZERO, size) - low;
        let part = [low.x, low.y, extent.x, extent.y].map(|side| side as u32);
        (extent.min_element() >= 1.0).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;
    use glam::Mat4;

    /// From 2 m above, straight down, 1 m to each side.
    fn frame() -> Frame {
        let camera = Camera::look_at(Vec3::Y * 2.0, Vec3::ZERO, 1.0);
        let lens = Lens::Orthographic { half_height: 1.0 };
        let mut frame = Frame::new(Camera { up: Vec3::NEG_Z, lens, ..camera });
        frame.floor = Floor { reflection: 1.0, radius: 1.8, shadow: true, ..Floor::NONE };
        frame
    }

    #[test]
    fn a_reflection_is_where_its_character_is_and_no_wider_than_its_blur() {
        let mut frame = frame();
        let bounds = Bounds { min: Vec3::new(0.0, 0.0, -0.5), max: Vec3::new(0.5, 2.0, 0.0) };
        frame.characters.push(Some(bounds));
        let parts = FloorParts::of(&frame, &[true], None, [200, 200]);
        // A tenth of a metre is what the floor mirrors; 1.6 cm more on each side for the blur.
        assert_eq!(parts.mirrors, Some([98, 48, 54, 54]));
        assert_eq!(FloorParts::of(&frame, &[false], None, [200, 200]).mirrors, None);
        frame.floor.height = -0.2;
        assert_eq!(FloorParts::of(&frame, &[true], None, [200, 200]).mirrors, None, "too high");
        frame.characters[0] = None;
        assert_eq!(FloorParts::of(&frame, &[true], None, [9, 9]).mirrors, Some([0, 0, 9, 9]));
    }

    #[test]
    fn a_shadow_is_looked_for_where_its_map_falls_on_the_floor() {
        // Light along -X - Y; its map is 0.5 m wide to each side.
        let aside = Vec3::new(1.0, -1.0, 0.0).normalize() * 2.0;
        let along = Vec3::new(-1.0, -1.0, 0.0).normalize() * 0.25;
        let rows = [aside.extend(0.0), (Vec3::Z * 2.0).extend(0.0), along.extend(0.5)];
        let shadow_from_world =
            Mat4::from_cols(rows[0], rows[1], rows[2], glam::Vec4::W).transpose();
        let fit = ShadowFit { shadow_from_world, texel: 0.01, map_size: 100, depth: 4.0 };
        let mut frame = frame();
        let parts = |frame: &Frame| FloorParts::of(frame, &[], Some(&fit), [200, 200]);
        assert_eq!(parts(&frame).shaded, None, "nobody casts any");
        frame.characters = vec![None; MAX_BOXES + 1];
        // √½ m to each side in X, on an image of a hundred pixels a metre.
        assert_eq!(parts(&frame).shaded, Some([29, 50, 142, 100]));
        let bounds = Bounds { min: Vec3::new(0.0, 0.06, -0.1), max: Vec3::new(0.2, 0.34, 0.1) };
        frame.characters = vec![Some(bounds)];
        // 6 cm wider on each side: from -0.06 - 0.4 to 0.26 in X, from -0.16 to 0.16 in Z.
        let [left, top, width, height] = parts(&frame).shaded.expect("a shadow");
        assert!((53..=54).contains(&left) && (83..=84).contains(&top), "{left}, {top}");
        assert!((72..=74).contains(&width) && (32..=34).contains(&height), "{width}, {height}");
        frame.floor.shadow = false;
        assert_eq!(parts(&frame).shaded, None);
    }
}
