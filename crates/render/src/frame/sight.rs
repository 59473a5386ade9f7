//! Who is in the image, who only casts a shadow into it, and how large everyone is in it.
//!
//! In:  the frame's characters with their boxes, the camera, and later the maps of depth.
//! Out: for each character whether it is seen, its rank, and how many pixels a metre has there.

use glam::Mat4;
use sinew_deform::Bounds;

use super::Frame;
use crate::{Frustum, Lens};

/// Seen without casting, seen and casting, casting alone, hiding the environment alone.
pub(crate) const RANKS: usize = 4;

/// What the camera and the maps see of everyone; kept, so that nothing is allocated.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    /// By character.
    pub(crate) seen: Vec<bool>,
    /// By character: see [`RANKS`]; `None` for who is in no map and not in the image.
    pub(crate) ranks: Vec<Option<u8>>,
    /// By character, where it is nearest; without bound for who has no box.
    pub(crate) pixels_per_metre: Vec<f32>,
    maps: Vec<Frustum>,
}

impl Sight {
    /// Who is in an image of this size.
    pub(crate) fn look(&mut self, frame: &Frame, (width, height): (u32, u32)) {
        let aspect = width as f32 / height.max(1) as f32;
        let frustum = frame.camera.frustum(aspect);
        self.seen.clear();
        self.pixels_per_metre.clear();
        for bounds in &frame.characters {
            self.seen.push(bounds.is_none_or(|bounds| frustum.sees(bounds)));
            let pixels = bounds.map_or(f32::INFINITY, |bounds| pixels(frame, bounds, aspect));
            self.pixels_per_metre.push(pixels * height as f32);
        }
    }

    /// Who is in the shadow map, and in any map of the environment.
    pub(crate) fn rank(&mut self, frame: &Frame, shadow_from_world: Option<Mat4>, maps: &[Mat4]) {
        let shadow = shadow_from_world.map(Frustum::new);
        self.maps.clear();
        self.maps.extend(maps.iter().map(|map| Frustum::new(*map)));
        self.ranks.clear();
        for (bounds, seen) in frame.characters.iter().zip(&self.seen) {
            let is_in = |map: &Frustum| bounds.is_none_or(|bounds| map.sees(bounds));
            let casts = shadow.as_ref().is_some_and(is_in);
            self.ranks.push(match (seen, casts) {
                (true, false) => Some(0),
                (true, true) => Some(1),
                (false, true) => Some(2),
                (false, false) => self.maps.iter().any(is_in).then_some(3),
            });
        }
    }
}

/// How much of the image's height a metre takes at the nearest point of a box, at most.
fn pixels(frame: &Frame, bounds: Bounds, aspect: f32) -> f32 {
    let camera = &frame.camera;
    match camera.lens {
        Lens::Orthographic { half_height } => 0.5 / half_height,
        Lens::Perspective { fov_y } => {
            let near = camera.position.clamp(bounds.min, bounds.max) - camera.position;
            let forward = camera.forward();
            let depth = (bounds.center() - camera.position).dot(forward)
                - forward.abs().dot(bounds.size() * 0.5);
            // Who is beside or behind the camera counts by its distance.
            let depth = if depth > 0.0 { depth } else { near.length() };
            let up = (fov_y * 0.5).tan();
            // Towards the corners, what comes nearer moves outwards too.
            let aslant = (1.0 + up * up * (1.0 + aspect * aspect)).sqrt();
            0.5 * aslant / (up * depth.max(camera.near))
        }
    }
}
