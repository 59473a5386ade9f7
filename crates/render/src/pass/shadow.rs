//! The shadow map: depth as the main light sees it, fitted to who is in the image.

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Affine3A, Vec2, Vec3};
use sinew_deform::Bounds;
use sinew_scene::{AlphaMode, LightKind, Topology};

use super::Brush;
use super::mesh::{Crowd, Whom, vertices};
use crate::Frame;
use crate::camera::corners;
use crate::globals::ShadowFit;
use crate::pipelines::{Cull, Key};
use crate::shaders::Shader;

/// Fits the map around everyone seen; `None` when no light casts shadows on anyone.
///
/// Who is not in the image casts too: sideways the map holds those seen, along the light it holds everyone before and behind them.
pub(crate) fn fit(frame: &Frame, seen: &[bool]) -> Option<ShadowFit> {
    if !frame.shadows.on || frame.shadows.map_size == 0 {
        return None;
    }
    let light = frame.lights.iter().find(|light| light.kind == LightKind::Directional)?;
    let of = |bounds: &Option<Bounds>| {
        bounds.unwrap_or_else(|| around(frame.camera.target, frame.shadows.reach))
    };
    let mut near_by = Bounds::EMPTY;
    for (bounds, _) in frame.characters.iter().zip(seen).filter(|(_, seen)| **seen) {
        near_by = near_by.union(of(bounds));
    }
    let limit = around(frame.camera.target, frame.shadows.reach);
    let held = Bounds { min: near_by.min.max(limit.min), max: near_by.max.min(limit.max) };
    if held.is_empty() {
        return None;
    }
    let direction = light.direction.normalize_or(Vec3::NEG_Y);
    let up = if direction.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    let light_from_world = look_to_mat4(Vec3::ZERO, direction, up);
    let mut low = Vec2::INFINITY;
    let mut high = Vec2::NEG_INFINITY;
    for corner in corners(held) {
        let at = light_from_world.transform_point3(corner).truncate();
        (low, high) = (low.min(at), high.max(at));
    }
    // The light looks along -Z: what is nearest to it has the largest z.
    let (mut near, mut far) = (f32::NEG_INFINITY, f32::INFINITY);
    let turn = Affine3A::from_mat4(light_from_world);
    for bounds in frame.characters.iter().map(of).filter(|bounds| !bounds.is_empty()) {
        let own = bounds.moved(turn);
        let is_beside = own.max.truncate().cmplt(low).any() || own.min.truncate().cmpgt(high).any();
        if !is_beside {
            (near, far) = (near.max(own.max.z), far.min(own.min.z));
        }
    }
    // Room for the filter's reach at the edge.
    let size = (high - low).max_element().max(1e-4) * 1.04;
    let middle = (low + high) * 0.5;
    let margin = (near - far).max(size) * 0.02;
    let half = size * 0.5;
    let clip_from_light = orthographic(
        middle.x - half,
        middle.x + half,
        middle.y - half,
        middle.y + half,
        -near - margin,
        -far + margin,
    );
    Some(ShadowFit {
        shadow_from_world: clip_from_light * light_from_world,
        texel: size / frame.shadows.map_size as f32,
        map_size: frame.shadows.map_size,
        depth: (near - far + 2.0 * margin) / size,
    })
}

fn around(middle: Vec3, reach: f32) -> Bounds {
    let reach = Vec3::splat(reach.max(1e-3));
    Bounds { min: middle - reach, max: middle + reach }
}

/// Draws the depth of these; `culls` leaves out what faces away from the light and could not be seen from there.
pub(crate) fn draw(brush: &mut Brush<'_, '_>, crowd: Crowd<'_>, whom: Whom, culls: bool) {
    crowd.each(whom, |batch, scene, parts, rows| {
        crowd.bind(brush, batch, batch.start);
        for part in parts {
            let material = scene.material(part.material);
            if part.topology != Topology::Triangles || part.indices.is_empty() {
                continue;
            }
            let mask = material.alpha_mode != AlphaMode::Opaque;
            let dual = scene.has_dual() && !batch.skinned;
            let vertices = vertices(batch);
            // Where nothing is cut out no image is read, and one pipeline does for all scenes.
            let maps = if mask { scene.maps() } else { 0 };
            let cull = if culls && !material.double_sided { Cull::Back } else { Cull::None };
            let mirrored = batch.mirrored && cull == Cull::Back;
            let plain = Key::new(Shader::Shadow, 1);
            brush.set(Key { dual, mask, maps, vertices, cull, mirrored, ..plain });
            if mask {
                brush.pass.set_bind_group(3, &material.bind_group, &[]);
            }
            brush.pass.draw_indexed(part.indices.clone(), 0, rows.clone());
            brush.draws += 1;
        }
    });
}
