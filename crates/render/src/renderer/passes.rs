//! The passes of a frame, each begun with what it draws into and filled by the files of `pass`.

use glam::Vec4;

use super::{Renderer, timed};
use crate::floor::{FloorParts, Part};
use crate::mirror::Mirror;
use crate::pass::mesh::{Crowd, Whom};
use crate::pass::{Brush, Stream, bones, lines, mesh, shadow};
use crate::pipelines::{Key, Pipelines};
use crate::shaders::{OVERLAYS, Shader};
use crate::skin::Skinner;
use crate::surroundings::view_offset;
use crate::timing::Pass;
use crate::upload::Layouts;
use crate::{Background, Fog, Frame};

impl Renderer {
    pub(super) fn shadow_pass(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) -> u32 {
        let Some(around) = &self.surroundings else { return 0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth(&around.shadow_map, 1.0, wgpu::StoreOp::Store)),
            timestamp_writes: timed(&self.stopwatch).map(|watch| watch.writes(Pass::Shadow)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &around.map_view, &[view_offset(0)]);
        let mut brush = brush(&mut pass, &mut self.pipelines, &self.layouts, (frame, 1));
        let skinned = self.skinner.as_ref().map(Skinner::vertices);
        let crowd = Crowd { frame, batches: &self.batches, rows: &self.rows, skinned };
        shadow::draw(&mut brush, crowd, Whom::Casting, false);
        self.triangles += crowd.triangles(Whom::Casting);
        brush.draws
    }

    /// Everyone's depth as each part of the environment sees it, tile by tile.
    pub(super) fn occlusion_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        maps: usize,
    ) -> u32 {
        let Some(around) = &self.surroundings else { return 0 };
        let map = &around.occlusion_map;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("occlusion"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth(map, 1.0, wgpu::StoreOp::Store)),
            timestamp_writes: timed(&self.stopwatch).map(|watch| watch.writes(Pass::Occlusion)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        let mut brush = brush(&mut pass, &mut self.pipelines, &self.layouts, (frame, 1));
        let skinned = self.skinner.as_ref().map(Skinner::vertices);
        let crowd = Crowd { frame, batches: &self.batches, rows: &self.rows, skinned };
        let side = frame.occlusion.map_size;
        let columns = frame.occlusion.columns();
        for index in 0..maps {
            let corner = [index as u32 % columns * side, index as u32 / columns * side];
            let [x, y, size] = [corner[0] as f32, corner[1] as f32, side as f32];
            brush.pass.set_viewport(x, y, size, size, 0.0, 1.0);
            brush.pass.set_scissor_rect(corner[0], corner[1], side, side);
            brush.pass.set_bind_group(1, &around.map_view, &[view_offset(index + 1)]);
            shadow::draw(&mut brush, crowd, Whom::All, true);
        }
        self.triangles += maps as u64 * crowd.triangles(Whom::All);
        brush.draws
    }

    /// Who stands on the floor, as it mirrors them.
    pub(super) fn mirror_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        size: [u32; 2],
    ) -> u32 {
        let Some(around) = &self.surroundings else { return 0 };
        let mirror = Mirror::fitting(&mut self.mirror, &self.gpu.device, &self.layouts, size);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mirror"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &mirror.color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(depth(&mirror.depth, 0.0, wgpu::StoreOp::Discard)),
            timestamp_writes: timed(&self.stopwatch).map(|watch| watch.writes(Pass::Mirror)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &around.bind_group, &[]);
        let mut brush = brush(&mut pass, &mut self.pipelines, &self.layouts, (frame, 1));
        let skinned = self.skinner.as_ref().map(Skinner::vertices);
        let crowd = Crowd { frame, batches: &self.batches, rows: &self.rows, skinned };
        mesh::mirrored(&mut brush, crowd);
        self.triangles += crowd.triangles(Whom::Seen);
        brush.draws
    }

    pub(super) fn main_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        samples: u32,
        (color, resolve, depth_view): Attachments<'_>,
        part: MainPart,
    ) -> u32 {
        let Some(around) = &self.surroundings else { return 0 };
        let clear = match frame.background {
            Background::Color(color) => color.extend(1.0),
            Background::Transparent => Vec4::ZERO,
            Background::Sky(_) | Background::Backdrop { .. } => Vec4::W,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("main"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: resolve.filter(|_| part.resolved),
                ops: wgpu::Operations {
                    load: match part.solid {
                        true => wgpu::LoadOp::Clear(wgpu::Color {
                            r: clear.x.into(),
                            g: clear.y.into(),
                            b: clear.z.into(),
                            a: clear.w.into(),
                        }),
                        false => wgpu::LoadOp::Load,
                    },
                    store: store(resolve.is_none() || part.kept),
                },
            })],
            depth_stencil_attachment: Some(part.depth(depth_view)),
            timestamp_writes: timed(&self.stopwatch)
                .map(|watch| watch.part_writes(Pass::Main, [part.solid, part.see_through])),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &around.bind_group, &[]);
        let mut brush = brush(&mut pass, &mut self.pipelines, &self.layouts, (frame, samples));
        brush.plain = self.plain;
        brush.encoded = self.encoded;
        let skinned = self.skinner.as_ref().map(Skinner::vertices);
        let crowd = Crowd { frame, batches: &self.batches, rows: &self.rows, skinned };
        if part.solid && frame.surfaces {
            mesh::solid(&mut brush, crowd);
            self.triangles += crowd.triangles(Whom::Seen);
        }
        let behind = match frame.background {
            Background::Sky(_) => Some(Shader::Sky),
            Background::Backdrop { .. } => Some(Shader::Backdrop),
            _ => None,
        };
        if let Some(shader) = behind.filter(|_| part.solid) {
            brush.set(Key::new(shader, samples));
            brush.pass.draw(0..3, 0..1);
            brush.draws += 1;
        }
        if part.solid {
            draw_floor(&mut brush, frame, part.floor, self.mirror.as_ref());
        }
        if part.see_through {
            if frame.surfaces {
                mesh::blended(&mut brush, crowd);
            }
            if OVERLAYS && frame.wireframe {
                mesh::wires(&mut brush, crowd, &self.gpu.device);
            }
            if OVERLAYS {
                let streams = (&self.lines, &self.bones);
                draw_overlay(&mut brush, frame, streams, self.shapes.as_ref(), false);
            }
        }
        brush.draws
    }

    pub(super) fn overlay_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        samples: u32,
        (color, resolve, depth_view): Attachments<'_>,
    ) -> u32 {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("overlay"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: resolve,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: store(resolve.is_none()) },
            })],
            depth_stencil_attachment: Some(depth(depth_view, 0.0, wgpu::StoreOp::Discard)),
            timestamp_writes: timed(&self.stopwatch).map(|watch| watch.writes(Pass::Overlay)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        let mut brush = brush(&mut pass, &mut self.pipelines, &self.layouts, (frame, samples));
        draw_overlay(&mut brush, frame, (&self.lines, &self.bones), self.shapes.as_ref(), true);
        // Words lie over everything.
        let words = frame.overlay.lines.len()..self.all_lines.len();
        lines::draw(&mut brush, &self.lines, words, false);
        brush.draws
    }
}

/// What of the main pass is drawn: all at once, or before and after what is behind glass was kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct MainPart {
    solid: bool,
    floor: FloorParts,
    see_through: bool,
    /// Whether the image is finished by it.
    resolved: bool,
    /// Whether another pass draws over it.
    kept: bool,
}

impl MainPart {
    pub(super) fn whole(floor: FloorParts, has_overlay: bool) -> Self {
        let [resolved, kept] = [!has_overlay, has_overlay];
        Self { solid: true, floor, see_through: true, resolved, kept }
    }

    /// All that is behind glass.
    pub(super) fn solid(floor: FloorParts) -> Self {
        Self { solid: true, floor, see_through: false, resolved: true, kept: true }
    }

    pub(super) fn see_through(floor: FloorParts, has_overlay: bool) -> Self {
        Self { solid: false, ..Self::whole(floor, has_overlay) }
    }

    /// Depth from 1 near to 0 far.
    fn depth(self, view: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        let load = if self.solid { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load };
        let depth_ops = Some(wgpu::Operations { load, store: store(!self.see_through) });
        wgpu::RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None }
    }
}

/// What is drawn into, what it is resolved to, and depth.
type Attachments<'a> =
    (&'a wgpu::TextureView, Option<&'a wgpu::TextureView>, &'a wgpu::TextureView);

/// Grid and light everywhere; shadow and reflection over them where there are any.
fn draw_floor(
    brush: &mut Brush<'_, '_>,
    frame: &Frame,
    parts: FloorParts,
    mirror: Option<&Mirror>,
) {
    let draw = |brush: &mut Brush<'_, '_>, shader: Shader, part: Part| {
        let [x, y, width, height] = part;
        brush.pass.set_scissor_rect(x, y, width, height);
        brush.set(Key::new(shader, brush.samples));
        brush.pass.draw(0..4, 0..1);
        brush.draws += 1;
    };
    if frame.floor.grid || (frame.floor.pool > 0.0 && !frame.pool_is_behind()) {
        draw(brush, Shader::Floor, parts.image);
    }
    if let Some(part) = parts.shaded {
        draw(brush, Shader::FloorShadow, part);
    }
    if let (Some(part), Some(mirror)) = (parts.mirrors, mirror) {
        brush.pass.set_bind_group(2, &mirror.group, &[]);
        draw(brush, Shader::Reflection, part);
    }
    let [x, y, width, height] = parts.image;
    brush.pass.set_scissor_rect(x, y, width, height);
}

fn draw_overlay(
    brush: &mut Brush<'_, '_>,
    frame: &Frame,
    (all_lines, all_bones): (&Stream, &Stream),
    shapes: Option<&bones::Shapes>,
    over: bool,
) {
    let overlay = &frame.overlay;
    if let Some(shapes) = shapes {
        shapes.draw(brush, all_bones, [overlay.bones.len(), overlay.balls.len()], over);
    }
    lines::draw(brush, all_lines, 0..overlay.lines.len(), over);
}

fn brush<'a, 'e>(
    pass: &'a mut wgpu::RenderPass<'e>,
    pipelines: &'a mut Pipelines,
    layouts: &'a Layouts,
    (frame, samples): (&Frame, u32),
) -> Brush<'a, 'e> {
    let tone = frame.tone.number();
    let fog = frame.fog != Fog::None;
    let (plain, encoded, sun) = (false, false, frame.has_sun_alone());
    Brush { pass, pipelines, layouts, samples, tone, fog, plain, sun, encoded, draws: 0 }
}

fn store(keep: bool) -> wgpu::StoreOp {
    if keep { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard }
}

fn depth(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}
