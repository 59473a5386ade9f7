//! Points of the model that a page's labels are bound to: a place, a joint, or a point of the skin.
//!
//! In:  what a label is bound to. Out: where that is in the image now, and whether it faces the camera.

#[cfg(feature = "full")]
use sinew::Vertices;
use sinew::glam::{Vec2, Vec3};
use sinew::scene::JointId;
#[cfg(feature = "full")]
use sinew::scene::{Geometry, InstanceId, MorphTarget, Primitive};
use wasm_bindgen::prelude::*;

use crate::{Viewer, js};

/// What a label is bound to.
#[derive(Clone, Debug)]
pub(crate) enum Hotspot {
    Nowhere,
    Place {
        position: Vec3,
        normal: Vec3,
    },
    Joint {
        joint: JointId,
        offset: Vec3,
    },
    /// A triangle of an instance's mesh, as a primitive of its own, and each corner's share.
    #[cfg(feature = "full")]
    Surface {
        instance: InstanceId,
        triangle: Box<Primitive>,
        weights: Vec3,
    },
}

#[wasm_bindgen]
impl Viewer {
    /// No labels.
    #[wasm_bindgen(js_name = clearHotspots)]
    pub fn clear_hotspots(&mut self) {
        self.hotspots.clear();
    }

    /// A label at a place of the world, with the direction that it faces; a zero direction is always seen.
    #[wasm_bindgen(js_name = addPlace)]
    pub fn add_place(&mut self, position: &[f32], normal: &[f32]) {
        let (position, normal) = (js::vector(position), js::vector(normal));
        self.hotspots.push(Hotspot::Place { position, normal });
    }

    /// A label at a joint, with an offset in the joint's own space.
    #[wasm_bindgen(js_name = addJoint)]
    pub fn add_joint(&mut self, joint: usize, offset: &[f32]) {
        let known = joint < self.actor().scene().skeleton().len();
        let offset = js::vector(offset);
        self.hotspots.push(if known {
            Hotspot::Joint { joint: JointId::new(joint), offset }
        } else {
            Hotspot::Nowhere
        });
    }

    /// A label at a point of the skin: instance, primitive, three vertices and their weights.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = addSurface)]
    pub fn add_surface(&mut self, numbers: &[f32]) {
        self.hotspots.push(self.surface_of(numbers).unwrap_or(Hotspot::Nowhere));
    }

    /// For each label four numbers: x and y as shares of the image from its top left, whether it is in front of
    /// the camera, and whether it faces it.
    #[wasm_bindgen(js_name = hotspotsNow)]
    pub fn hotspots_now(&mut self, aspect: f32) -> Vec<f32> {
        let camera = self.camera(aspect);
        let size = Vec2::new(aspect.max(1e-3), 1.0);
        let places: Vec<_> = self.hotspots.iter().map(|spot| self.place_of(spot)).collect();
        let shown = places.into_iter().flat_map(|place| {
            let seen = place.and_then(|(at, normal)| Some((camera.project(at, size)?, at, normal)));
            match seen {
                Some((pixel, at, normal)) => {
                    let facing = normal == Vec3::ZERO || normal.dot(camera.position - at) > 0.0;
                    let facing = f32::from(u8::from(facing));
                    [pixel.x / size.x, pixel.y, 1.0, facing]
                }
                None => [0.0; 4],
            }
        });
        shown.collect()
    }

    /// The point of the skin at a place of the image (shares from its top left): the eight numbers of
    /// [`addSurface`](Self::add_surface), then its position and normal; nothing where there is no surface.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = surfaceAt)]
    pub fn surface_at(&mut self, x: f32, y: f32, aspect: f32) -> Vec<f32> {
        let camera = self.camera(aspect);
        let size = Vec2::new(aspect.max(1e-3), 1.0);
        let (from, along) = camera.ray(Vec2::new(x * size.x, y), size);
        self.nearest(from, along)
    }
}

impl Viewer {
    #[cfg(feature = "full")]
    fn surface_of(&self, numbers: &[f32]) -> Option<Hotspot> {
        let [instance, primitive, a, b, c, weights @ ..] = numbers else { return None };
        let instance = InstanceId::new(*instance as usize);
        let scene = self.actor().scene();
        let mesh = &scene[scene.instances.get(instance.index())?.mesh];
        let whole = mesh.primitives.get(*primitive as usize)?;
        let triangle = Box::new(triangle_of(whole, [*a as usize, *b as usize, *c as usize])?);
        Some(Hotspot::Surface { instance, triangle, weights: js::vector(weights) })
    }

    fn place_of(&self, hotspot: &Hotspot) -> Option<(Vec3, Vec3)> {
        match hotspot {
            Hotspot::Nowhere => None,
            Hotspot::Place { position, normal } => Some((*position, *normal)),
            Hotspot::Joint { joint, offset } => {
                let actor = self.actor();
                let joint = actor.pose().model_from_joint()[joint.index()];
                Some(((actor.world_from_model() * joint).transform_point3(*offset), Vec3::ZERO))
            }
            #[cfg(feature = "full")]
            Hotspot::Surface { instance, triangle, weights } => {
                let mut vertices = Vertices::default();
                self.actor().deform(*instance, triangle, &mut vertices);
                let [a, b, c] = vertices.positions[..] else { return None };
                let at = a * weights.x + b * weights.y + c * weights.z;
                Some((at, (b - a).cross(c - a).normalize_or_zero()))
            }
        }
    }

    /// The triangle that a ray meets first, by Möller and Trumbore.
    #[cfg(feature = "full")]
    fn nearest(&self, from: Vec3, along: Vec3) -> Vec<f32> {
        let scene = self.actor().scene();
        let mut best = (f32::INFINITY, Vec::new());
        let mut vertices = Vertices::default();
        for (at, instance) in scene.instances.iter().enumerate() {
            for (part, primitive) in scene[instance.mesh].primitives.iter().enumerate() {
                self.actor().deform(InstanceId::new(at), primitive, &mut vertices);
                for corners in primitive.indices.as_chunks::<3>().0 {
                    let [a, b, c] = corners.map(|corner| vertices.positions[corner as usize]);
                    let Some((far, u, v)) = meet(from, along, [a, b, c]) else { continue };
                    if far < best.0 {
                        let normal = (b - a).cross(c - a).normalize_or_zero();
                        let mut numbers = vec![at as f32, part as f32];
                        numbers.extend(corners.iter().map(|corner| *corner as f32));
                        numbers.extend([1.0 - u - v, u, v]);
                        numbers.extend((from + along * far).to_array());
                        numbers.extend(normal.to_array());
                        best = (far, numbers);
                    }
                }
            }
        }
        best.1
    }
}

/// Three vertices of a primitive, with all that moves them.
#[cfg(feature = "full")]
fn triangle_of(whole: &Primitive, corners: [usize; 3]) -> Option<Primitive> {
    let three = |list: &[Vec3]| -> Option<Vec<Vec3>> {
        let corners = if list.is_empty() { &[][..] } else { &corners };
        corners.iter().map(|corner| list.get(*corner).copied()).collect()
    };
    let mut triangle =
        Primitive::from(Geometry { positions: three(&whole.positions)?, ..Geometry::default() });
    if !whole.influences.is_empty() {
        for corner in corners {
            triangle.influences.push(whole.influences.iter().nth(corner)?.iter().copied());
        }
    }
    let dual = |corner: &usize| whole.dual_weights.get(*corner).copied();
    triangle.dual_weights = corners.iter().filter_map(dual).collect();
    for morph in &whole.morphs {
        let positions = three(&morph.positions)?;
        triangle.morphs.push(MorphTarget { positions, ..MorphTarget::default() });
    }
    Some(triangle)
}

/// How far along the ray, and the second and third corner's share.
#[cfg(feature = "full")]
fn meet(from: Vec3, along: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, f32, f32)> {
    let (ab, ac) = (b - a, c - a);
    let across = along.cross(ac);
    let det = ab.dot(across);
    if det.abs() < 1e-12 {
        return None;
    }
    let to = from - a;
    let u = to.dot(across) / det;
    let over = to.cross(ab);
    let v = along.dot(over) / det;
    let far = ac.dot(over) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && far > 0.0).then_some((far, u, v))
}
