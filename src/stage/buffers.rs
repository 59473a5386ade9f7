//! What a camera sees as numbers: depth, normals, ids and joint weights of every pixel, for training data.
//!
//! In:  a stage as it is now, and a camera.
//! Out: [`Buffers`], one value for each pixel, taken at its middle: nothing is mixed at edges.
//!
//! Drawn on the processor, so the numbers are the same on every machine. Vertices are those of the renderer; holes that a
//! texture cuts are not seen.

use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};
use sinew_deform::Vertices;
use sinew_render::Camera;
use sinew_scene::{InstanceId, JointId, Topology};

use super::{Member, Stage};

/// What every pixel of an image shows, as numbers; rows from the top.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Metres in front of the camera, along its view; infinite where nothing is.
    pub depth: Vec<f32>,
    /// In the world, of unit length; zero where nothing is.
    pub normals: Vec<Vec3>,
    /// Which mesh is seen, counted from 1 through all members and their instances; 0 where nothing is.
    pub ids: Vec<u32>,
    /// How strongly the joint that was asked for influences the surface, from 0 to 1.
    pub weights: Vec<f32>,
}

/// A vertex in clip space, with what goes with it.
#[derive(Clone, Copy)]
struct Corner {
    clip: Vec4,
    normal: Vec3,
    weight: f32,
}

impl Stage {
    /// What a camera sees as numbers. `joint` names the joint whose weights are wanted.
    #[must_use]
    pub fn buffers(
        &self,
        camera: &Camera,
        width: u32,
        height: u32,
        joint: Option<&str>,
    ) -> Buffers {
        let count = width as usize * height as usize;
        let mut buffers = Buffers {
            width,
            height,
            depth: vec![f32::INFINITY; count],
            normals: vec![Vec3::ZERO; count],
            ids: vec![0; count],
            weights: vec![0.0; count],
        };
        if count == 0 {
            return buffers;
        }
        let clip_from_world = camera.clip_from_world(width as f32 / height as f32);
        let mut id = 0;
        for member in self.members.iter().filter(|member| member.shown) {
            let found =
                joint.and_then(|name| super::subject::find_joint(member.actor.scene(), name));
            for index in 0..member.actor.scene().instances.len() {
                id += 1;
                let instance = InstanceId::new(index);
                if !member.actor.hides(instance) {
                    buffers.draw(member, instance, found, (clip_from_world, camera), id);
                }
            }
        }
        buffers
    }
}

impl Buffers {
    fn draw(
        &mut self,
        member: &Member,
        instance: InstanceId,
        joint: Option<JointId>,
        (clip_from_world, camera): (Mat4, &Camera),
        id: u32,
    ) {
        let scene = member.actor.scene();
        let drawn = &scene.instances[instance.index()];
        let skin = drawn.skin.map(|skin| &scene.skins[skin.index()]);
        let wanted = skin.zip(joint).and_then(|(skin, joint)| {
            skin.joints.iter().position(|known| *known == joint).map(|at| at as u32)
        });
        let mut vertices = Vertices::default();
        for (at, primitive) in scene.meshes[drawn.mesh.index()].primitives.iter().enumerate() {
            if primitive.topology != Topology::Triangles {
                continue;
            }
            member.actor.skin(instance, at, &mut vertices);
            let weight = |vertex: usize| {
                let of = wanted.filter(|_| vertex < primitive.influences.len());
                of.map_or(0.0, |wanted| {
                    let influences = primitive.influences.of(vertex).iter();
                    influences.filter(|i| i.joint == wanted).map(|i| i.weight).sum()
                })
            };
            let corner = |vertex: usize| Corner {
                clip: clip_from_world * vertices.positions[vertex].extend(1.0),
                normal: vertices.normals.get(vertex).copied().unwrap_or(Vec3::ZERO),
                weight: weight(vertex),
            };
            let corners: Vec<Corner> = (0..vertices.positions.len()).map(corner).collect();
            for triangle in primitive.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| corners[triangle[at] as usize]);
                self.triangle(corners, camera, id);
            }
        }
    }

    /// Cuts a triangle off before the near plane, then fills it. Depth runs from 1 at the near plane to 0.
    fn triangle(&mut self, corners: [Corner; 3], camera: &Camera, id: u32) {
        let ahead = |corner: &Corner| corner.clip.w - corner.clip.z;
        let mut kept: Vec<Corner> = Vec::with_capacity(4);
        for at in 0..3 {
            let (a, b) = (corners[at], corners[(at + 1) % 3]);
            let (da, db) = (ahead(&a), ahead(&b));
            if da >= 0.0 {
                kept.push(a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                let part = da / (da - db);
                kept.push(Corner {
                    clip: a.clip.lerp(b.clip, part),
                    normal: a.normal.lerp(b.normal, part),
                    weight: a.weight + (b.weight - a.weight) * part,
                });
            }
        }
        for at in 2..kept.len() {
            self.fill([kept[0], kept[at - 1], kept[at]], camera, id);
        }
    }

    fn fill(&mut self, corners: [Corner; 3], camera: &Camera, id: u32) {
        let size = Vec3::new(self.width as f32, self.height as f32, 1.0);
        let place = |corner: &Corner| {
            let at = corner.clip.xyz() / corner.clip.w;
            Vec3::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5, at.z) * size
        };
        let [a, b, c] = [0, 1, 2].map(|at| place(&corners[at]));
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        if !area.is_finite() || area == 0.0 {
            return;
        }
        let first = |low: f32| (low - 0.5).ceil().max(0.0) as u32;
        let end =
            |high: f32, side: u32| ((high - 0.5).floor() + 1.0).clamp(0.0, side as f32) as u32;
        for y in first(low.y)..end(high.y, self.height) {
            for x in first(low.x)..end(high.x, self.width) {
                let p = glam::Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let share = |from: Vec3, to: Vec3| {
                    (to.truncate() - from.truncate()).perp_dot(p - from.truncate()) / area
                };
                let shares = [share(b, c), share(c, a), share(a, b)];
                if shares.iter().all(|share| *share >= 0.0) {
                    self.put((x, y), shares, &corners, camera, id);
                }
            }
        }
    }

    /// One pixel of a triangle, where nothing nearer is.
    fn put(
        &mut self,
        (x, y): (u32, u32),
        flat: [f32; 3],
        of: &[Corner; 3],
        camera: &Camera,
        id: u32,
    ) {
        // Shares on the screen become shares on the surface by one over w.
        let over: [f32; 3] = std::array::from_fn(|at| flat[at] / of[at].clip.w);
        let sum: f32 = over.iter().sum();
        let share = over.map(|value| value / sum);
        let mix =
            |value: fn(&Corner) -> f32| (0..3).map(|at| share[at] * value(&of[at])).sum::<f32>();
        let depth = match camera.lens {
            sinew_render::Lens::Perspective { .. } => mix(|corner| corner.clip.w),
            sinew_render::Lens::Orthographic { .. } => {
                let far = camera.far.unwrap_or(camera.near + 1000.0);
                far + mix(|corner| corner.clip.z) * (camera.near - far)
            }
        };
        let at = y as usize * self.width as usize + x as usize;
        if depth >= self.depth[at] || !depth.is_finite() {
            return;
        }
        self.depth[at] = depth;
        self.ids[at] = id;
        self.weights[at] = mix(|corner| corner.weight);
        let normal: Vec3 = (0..3).map(|at| of[at].normal * share[at]).sum();
        let normal = normal.normalize_or_zero();
        // A surface seen from behind faces the camera.
        let away = normal.dot(camera.forward()) > 0.0;
        self.normals[at] = if away { -normal } else { normal };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_the_distance_along_the_view_and_nearer_things_hide_others() {
        let mut stage = Stage::of(sinew_ossi::demo());
        stage.seek(0.0);
        stage.members[0].actor.stop();
        let camera = Camera::look_at(Vec3::new(0.0, 0.9, 3.0), Vec3::new(0.0, 0.9, 0.0), 0.6);
        let seen = stage.buffers(&camera, 64, 64, Some("elbow"));
        let middle = 32 * 64 + 32;
        // The arm is a few centimetres thick about the middle of the view.
        assert!((seen.depth[middle] - 3.0).abs() < 0.08, "{}", seen.depth[middle]);
        assert_eq!(seen.ids[middle], 1);
        assert!(seen.normals[middle].z > 0.7, "{}", seen.normals[middle]);
        // At 0.9 m the elbow has it all, at 0.3 m the shoulder does.
        assert!((seen.weights[middle] - 1.0).abs() < 1e-3, "{}", seen.weights[middle]);
        let low = stage.buffers(
            &Camera::look_at(Vec3::new(0.0, 0.3, 3.0), Vec3::new(0.0, 0.3, 0.0), 0.6),
            64,
            64,
            Some("elbow"),
        );
        assert!(low.weights[middle] < 1e-3);
        assert!(seen.depth[0].is_infinite() && seen.ids[0] == 0);
    }

    #[test]
    fn what_is_behind_the_camera_is_cut_off() {
        let stage = Stage::of(sinew_ossi::demo());
        let inside = Camera::look_at(Vec3::new(0.0, 0.9, 0.0), Vec3::new(0.0, 0.9, -1.0), 1.2);
        let seen = stage.buffers(&inside, 16, 16, None);
        assert!(seen.depth.iter().all(|depth| *depth > 0.0));
        assert!(stage.buffers(&inside, 0, 4, None).depth.is_empty());
    }
}
