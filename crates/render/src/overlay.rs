//! What is drawn over a scene to take it apart: bones, axes, boxes, normals, names.
//!
//! In:  where joints stand, boxes, vertices; all in the world.
//! Out: lists of lines and bones. Where a thing is hidden by a surface it is drawn fainter.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Vec3, Vec4};
use sinew_deform::{Bounds, Vertices};
use sinew_scene::{JointId, Skeleton};

use crate::Labels;
use crate::camera::corners;

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Line {
    /// In the world.
    pub from: Vec3,
    /// In the world.
    pub to: Vec3,
    /// Linear, with plain alpha.
    pub color: [f32; 4],
    /// In pixels.
    pub width: f32,
}

impl Line {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32];
}

/// A bone, or a ball.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Bone {
    /// Where it begins, in the world; half its width in `w`.
    pub(crate) head: [f32; 4],
    /// Where it ends; 1 in `w` for a ball about the head.
    pub(crate) tail: [f32; 4],
    pub(crate) color: [f32; 4],
}

impl Bone {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4];

    /// An octahedron, widest near its head.
    #[must_use]
    pub fn new(head: Vec3, tail: Vec3, color: Vec4) -> Self {
        let wide = head.distance(tail) * 0.1;
        Self {
            head: head.extend(wide).to_array(),
            tail: tail.extend(0.0).to_array(),
            color: color.to_array(),
        }
    }

    /// A ball.
    #[must_use]
    pub fn ball(middle: Vec3, radius: f32, color: Vec4) -> Self {
        Self {
            head: middle.extend(radius).to_array(),
            tail: (middle + Vec3::Y).extend(1.0).to_array(),
            color: color.to_array(),
        }
    }
}

/// How a skeleton is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneStyle<'a> {
    /// Linear, with plain alpha.
    pub color: Vec4,
    /// Of the chosen joint.
    pub chosen_color: Vec4,
    /// Of everything under the chosen joint.
    pub below_color: Vec4,
    /// Drawn in its own colour.
    pub chosen: Option<JointId>,
    /// Which nodes are drawn; empty for all. Usually those that skins use.
    pub shown: &'a [bool],
}

impl Default for BoneStyle<'_> {
    fn default() -> Self {
        Self {
            color: Vec4::new(0.24, 0.40, 0.66, 1.0),
            chosen_color: Vec4::new(1.0, 0.42, 0.06, 1.0),
            below_color: Vec4::new(0.95, 0.72, 0.45, 1.0),
            chosen: None,
            shown: &[],
        }
    }
}

/// What is drawn over a scene. Kept and filled anew.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// Of any use.
    pub lines: Vec<Line>,
    /// Octahedra.
    pub bones: Vec<Bone>,
    /// At the ends of bones.
    pub balls: Vec<Bone>,
    /// Names.
    pub labels: Labels,
    /// Which nodes have a child; of the skeleton being added.
    has_child: Vec<bool>,
}

const RED: Vec4 = Vec4::new(0.80, 0.05, 0.08, 1.0);
const GREEN: Vec4 = Vec4::new(0.20, 0.60, 0.05, 1.0);
const BLUE: Vec4 = Vec4::new(0.05, 0.18, 0.85, 1.0);

impl Overlay {
    /// Takes everything out.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.bones.clear();
        self.balls.clear();
        self.labels.clear();
    }

    /// Whether there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let shapes = self.lines.len() + self.bones.len() + self.balls.len();
        shapes == 0 && self.labels.is_empty()
    }

    /// A line, one and a half pixels wide.
    pub fn line(&mut self, from: Vec3, to: Vec3, color: Vec4) {
        self.lines.push(Line { from, to, color: color.to_array(), width: 1.5 });
    }

    /// A skeleton: a bone from each node to each of its children, and a short one for nodes without.
    ///
    /// # Panics
    /// When there is not one matrix per node.
    pub fn skeleton(
        &mut self,
        skeleton: &Skeleton,
        world_from_joint: &[Affine3A],
        style: &BoneStyle<'_>,
    ) {
        let parents = skeleton.parents();
        assert_eq!(world_from_joint.len(), parents.len(), "one matrix per node");
        let at = |joint: usize| Vec3::from(world_from_joint[joint].translation);
        let shown =
            |joint: usize| style.shown.get(joint).copied().unwrap_or(style.shown.is_empty());
        let short = typical_length(parents, world_from_joint, &shown);
        self.has_child.clear();
        self.has_child.resize(parents.len(), false);
        for (joint, parent) in parents.iter().enumerate() {
            let Some(parent) = parent.map(JointId::index) else { continue };
            if !(shown(joint) && shown(parent)) {
                continue;
            }
            self.has_child[parent] = true;
            if at(parent).distance(at(joint)) > short * 1e-3 {
                let color = color_of(parent, parents, style);
                self.bones.push(Bone::new(at(parent), at(joint), color));
            }
        }
        for joint in (0..parents.len()).filter(|joint| shown(*joint)) {
            let color = color_of(joint, parents, style);
            let mut size = short;
            if let Some(parent) = parents[joint].map(JointId::index).filter(|p| shown(*p)) {
                size = size.min(at(parent).distance(at(joint)).max(short * 0.2));
            }
            if !self.has_child[joint] {
                let along = leaf_direction(joint, parents, world_from_joint);
                self.bones.push(Bone::new(at(joint), at(joint) + along * (size * 0.6), color));
            }
            self.balls.push(Bone::ball(at(joint), size * 0.055, color));
        }
    }

    /// The axes of a joint: x red, y green, z blue.
    pub fn axes(&mut self, world_from_joint: Affine3A, length: f32) {
        let from = Vec3::from(world_from_joint.translation);
        for (axis, color) in [(Vec3::X, RED), (Vec3::Y, GREEN), (Vec3::Z, BLUE)] {
            let along = world_from_joint.transform_vector3(axis).normalize_or_zero();
            let color = color.to_array();
            self.lines.push(Line { from, to: from + along * length, color, width: 2.0 });
        }
    }

    /// The name of each shown node, that of the chosen one first and in its colour.
    ///
    /// # Panics
    /// When there is not one matrix per node.
    pub fn names(
        &mut self,
        skeleton: &Skeleton,
        world_from_joint: &[Affine3A],
        style: &BoneStyle<'_>,
    ) {
        assert_eq!(world_from_joint.len(), skeleton.len(), "one matrix per node");
        let rest = skeleton.ids().filter(|joint| Some(*joint) != style.chosen);
        let shown = |joint: &JointId| {
            style.shown.get(joint.index()).copied().unwrap_or(style.shown.is_empty())
        };
        for joint in style.chosen.into_iter().chain(rest.filter(shown)) {
            let chosen = Some(joint) == style.chosen;
            let color = if chosen { style.chosen_color } else { Vec4::new(0.75, 0.77, 0.8, 1.0) };
            let at = world_from_joint[joint.index()].translation.into();
            self.labels.add(at, &skeleton.node(joint).name, color);
        }
    }

    /// The twelve edges of a box.
    pub fn bounds(&mut self, bounds: Bounds, color: Vec4) {
        if bounds.is_empty() {
            return;
        }
        let mut points = [Vec3::ZERO; 8];
        points.iter_mut().zip(corners(bounds)).for_each(|(point, corner)| *point = corner);
        for start in 0..8_usize {
            for axis in [1, 2, 4] {
                if start & axis == 0 {
                    self.line(points[start], points[start | axis], color);
                }
            }
        }
    }

    /// A line out of every vertex along its normal.
    pub fn normals(&mut self, vertices: &Vertices, length: f32) {
        let color = Vec4::new(0.10, 0.55, 0.75, 0.9);
        for (position, normal) in vertices.positions.iter().zip(&vertices.normals) {
            self.lines.push(Line {
                from: *position,
                to: *position + *normal * length,
                color: color.to_array(),
                width: 1.0,
            });
        }
    }
}

fn color_of(joint: usize, parents: &[Option<JointId>], style: &BoneStyle<'_>) -> Vec4 {
    let Some(chosen) = style.chosen.map(JointId::index) else { return style.color };
    if joint == chosen {
        return style.chosen_color;
    }
    let mut up = parents[joint];
    while let Some(parent) = up {
        if parent.index() == chosen {
            return style.below_color;
        }
        up = parents[parent.index()];
    }
    style.color
}

/// The middle length of all bones: what a bone without an end is drawn with.
fn typical_length(
    parents: &[Option<JointId>],
    world_from_joint: &[Affine3A],
    shown: &impl Fn(usize) -> bool,
) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (joint, parent) in parents.iter().enumerate() {
        let Some(parent) = parent.map(JointId::index).filter(|p| shown(*p) && shown(joint)) else {
            continue;
        };
        let gap =
            world_from_joint[parent].translation.distance(world_from_joint[joint].translation);
        if gap > 1e-6 {
            // The mean of logarithms: a root far away does not make every finger long.
            sum += gap.ln();
            count += 1.0;
        }
    }
    if count > 0.0 {
        return (sum / count).exp();
    }
    // Joints that hang on nothing: small beside the space that they take.
    let at = |(_, matrix): (usize, &Affine3A)| Vec3::from(matrix.translation);
    let mut space = Bounds::EMPTY;
    let placed = world_from_joint.iter().enumerate().filter(|(joint, _)| shown(*joint));
    placed.map(at).for_each(|place| space.add(place));
    let size = if space.is_empty() { 0.0 } else { space.size().length() };
    if size > 1e-6 { size * 0.1 } else { 0.1 }
}

/// A leaf goes on where its parent's bone was going.
fn leaf_direction(
    joint: usize,
    parents: &[Option<JointId>],
    world_from_joint: &[Affine3A],
) -> Vec3 {
    let own = world_from_joint[joint];
    let before = parents[joint].map(|parent| world_from_joint[parent.index()].translation);
    let along = before.map_or(Vec3::ZERO, |before| Vec3::from(own.translation - before));
    along.normalize_or(own.transform_vector3(Vec3::Y).normalize_or(Vec3::Y))
}
