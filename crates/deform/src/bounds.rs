//! The bounds of a pose, without touching its vertices.
//!
//! A vertex bent by linear skinning lies between the places to which its joints alone would take
//! it. So the boxes of each joint's vertices, moved by the palette, hold the whole mesh. Morph targets
//! widen the boxes by what they can add. Never too small for linear skins; a dual-quaternion skin may bulge out
//! by a little, since vertices travel on arcs.

use sinew_scene::glam::{Affine3A, Vec3, Vec3A};
use sinew_scene::{Mesh, Primitive};

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// Holds nothing; the start of any union.
    pub const EMPTY: Self =
        Self { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) };

    /// The smallest box around some points.
    #[must_use]
    pub fn of(points: &[Vec3]) -> Self {
        let mut bounds = Self::EMPTY;
        for &point in points {
            bounds.add(point);
        }
        bounds
    }

    /// Whether nothing is inside.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Grows to hold a point.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Width, height and depth.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The box around this one after a matrix has moved it.
    #[must_use]
    pub fn moved(self, matrix: Affine3A) -> Self {
        if self.is_empty() {
            return self;
        }
        let center = matrix.transform_point3a(self.center().into());
        let reach = reach_of(&matrix, Vec3A::from(self.size() * 0.5));
        Self { min: (center - reach).into(), max: (center + reach).into() }
    }

    /// Wider on every side.
    #[must_use]
    fn widened(self, below: Vec3, above: Vec3) -> Self {
        Self { min: self.min + below, max: self.max + above }
    }
}

/// Half the size of a box of this half size after a matrix has rotated it.
#[inline]
fn reach_of(matrix: &Affine3A, half: Vec3A) -> Vec3A {
    matrix.matrix3.x_axis.abs() * half.x
        + matrix.matrix3.y_axis.abs() * half.y
        + matrix.matrix3.z_axis.abs() * half.z
}

/// What hangs on one joint, in mesh space: kept as a middle and half a size, since that is what moving it takes.
#[derive(Clone, Copy, Debug)]
struct Held {
    joint: usize,
    middle: Vec3A,
    half: Vec3A,
}

/// How far a mesh reaches from each of its joints; made once for a mesh and its skin.
#[derive(Clone, Debug)]
pub struct SkinBounds {
    /// How many joints the skin has.
    count: usize,
    /// Of joints that influence anything.
    held: Vec<Held>,
    /// In mesh space, of vertices that no joint influences.
    without_influence: Bounds,
    /// The most that each morph target takes away from and adds to any vertex.
    morphs: Vec<Bounds>,
    /// The most that the weights of a vertex below zero sum to, as a number above zero: by as much
    /// of the whole box a vertex may lie outside of it.
    beyond: f32,
}

impl SkinBounds {
    /// For a mesh with `joints` joints in its skin; zero for a rigid mesh.
    #[must_use]
    pub fn new(mesh: &Mesh, joints: usize) -> Self {
        let mut boxes = vec![Bounds::EMPTY; joints];
        let mut reach = Self {
            count: joints,
            held: Vec::new(),
            without_influence: Bounds::EMPTY,
            morphs: vec![Bounds { min: Vec3::ZERO, max: Vec3::ZERO }; mesh.morph_count()],
            beyond: 0.0,
        };
        for primitive in &mesh.primitives {
            reach.add(primitive, &mut boxes);
        }
        let held = boxes.iter().enumerate().filter(|(_, held)| !held.is_empty());
        reach.held = held
            .map(|(joint, held)| Held {
                joint,
                middle: held.center().into(),
                half: (held.size() * 0.5).into(),
            })
            .collect();
        reach
    }

    fn add(&mut self, primitive: &Primitive, boxes: &mut [Bounds]) {
        for (widest, target) in self.morphs.iter_mut().zip(&primitive.morphs) {
            *widest = widest.union(Bounds::of(&target.positions));
        }
        let skinned = self.count > 0 && !primitive.influences.is_empty();
        if !skinned {
            self.without_influence = self.without_influence.union(Bounds::of(&primitive.positions));
            return;
        }
        for (&position, influences) in primitive.positions.iter().zip(primitive.influences.iter()) {
            if influences.is_empty() {
                self.without_influence.add(position);
            }
            let mut beyond = 0.0;
            for influence in influences {
                boxes[influence.joint as usize].add(position);
                beyond -= influence.weight.min(0.0);
            }
            self.beyond = self.beyond.max(beyond);
        }
    }

    /// The bounds in a pose. `model_from_mesh` is the palette, empty for a rigid mesh;
    /// `model_from_node` carries what no joint influences.
    ///
    /// # Panics
    /// When there is not one matrix per joint or one weight per morph target.
    #[must_use]
    pub fn bounds(
        &self,
        model_from_mesh: &[Affine3A],
        model_from_node: Affine3A,
        weights: &[f32],
    ) -> Bounds {
        assert_eq!(model_from_mesh.len(), self.count, "one matrix per joint of the skin");
        assert_eq!(weights.len(), self.morphs.len(), "one weight per morph target");
        let (mut below, mut above) = (Vec3::ZERO, Vec3::ZERO);
        for (change, &weight) in self.morphs.iter().zip(weights) {
            let (a, b) = (change.min * weight, change.max * weight);
            below += a.min(b);
            above += a.max(b);
        }
        let rigid = self.without_influence.widened(below, above).moved(model_from_node);
        let (mut min, mut max) = (Vec3A::from(rigid.min), Vec3A::from(rigid.max));
        let shift = Vec3A::from((below + above) * 0.5);
        let wider = Vec3A::from((above - below) * 0.5);
        for held in &self.held {
            let matrix = &model_from_mesh[held.joint];
            let middle = matrix.transform_point3a(held.middle + shift);
            let reach = reach_of(matrix, held.half + wider);
            min = min.min(middle - reach);
            max = max.max(middle + reach);
        }
        if self.beyond > 0.0 {
            let wider = (max - min) * self.beyond;
            (min, max) = (min - wider, max + wider);
        }
        Bounds { min: min.into(), max: max.into() }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::Geometry;
    use sinew_scene::{Influence, Influences, MorphTarget, SkinMethod};

    use super::*;
    use crate::{Binding, Vertices, deform};

    /// Twice the joint less once the origin: x = 2 · 3 is outside of the box from 0 to 3.
    #[test]
    fn a_weight_below_zero_widens_the_bounds() {
        let mut influences = Influences::default();
        influences.push_exact([
            Influence { joint: 0, weight: 2.0 },
            Influence { joint: 1, weight: -1.0 },
        ]);
        let positions = vec![Vec3::X];
        let primitive = Primitive::from(Geometry { positions, influences, ..Geometry::default() });
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        let origin = Affine3A::from_mat3(sinew_scene::glam::Mat3::ZERO);
        let palette = [Affine3A::from_translation(2.0 * Vec3::X), origin];
        let bounds = SkinBounds::new(&mesh, 2).bounds(&palette, Affine3A::IDENTITY, &[]);
        assert_eq!((bounds.min.x, bounds.max.x), (-3.0, 6.0));
    }

    #[test]
    fn no_vertex_leaves_the_bounds_of_its_pose() {
        let mut influences = Influences::default();
        let mut positions = Vec::new();
        for step in 0..100 {
            let height = step as f32 / 50.0;
            positions.push(Vec3::new((step as f32).sin() * 0.2, height, (step as f32).cos() * 0.2));
            let share = (height - 0.5).clamp(0.0, 1.0);
            influences.push([
                Influence { joint: 0, weight: 1.0 - share },
                Influence { joint: 1, weight: share },
            ]);
        }
        let bulge = positions.iter().map(|position| *position * 0.3).collect();
        let primitive = Primitive::from(Geometry {
            positions,
            influences,
            morphs: vec![MorphTarget { positions: bulge, ..MorphTarget::default() }],
            ..Geometry::default()
        });
        let mesh = Mesh {
            primitives: vec![primitive],
            morph_names: vec![String::new()],
            ..Mesh::default()
        };
        let reach = SkinBounds::new(&mesh, 2);
        let mut out = Vertices::default();
        for step in 0..50 {
            let palette = [
                Affine3A::from_rotation_x(step as f32 * 0.2),
                Affine3A::from_rotation_z(step as f32 * 0.3) * Affine3A::from_translation(Vec3::X),
            ];
            let weight = [(step as f32).sin() * 2.0];
            let binding = Binding::Skinned {
                method: SkinMethod::Linear,
                model_from_mesh: &palette,
                without_influence: Affine3A::IDENTITY,
            };
            deform(&mesh.primitives[0], &weight, binding, &mut out);
            let bounds = reach.bounds(&palette, Affine3A::IDENTITY, &weight);
            let exact = Bounds::of(&out.positions);
            let slack = Vec3::splat(1e-5);
            assert!(bounds.min.cmple(exact.min + slack).all(), "{bounds:?} cuts {exact:?}");
            assert!(bounds.max.cmpge(exact.max - slack).all(), "{bounds:?} cuts {exact:?}");
        }
    }

    #[test]
    fn a_turned_box_is_held_whole() {
        let cube = Bounds { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) };
        let rotated = cube.moved(Affine3A::from_rotation_y(45_f32.to_radians()));
        assert!((rotated.max.x - 2_f32.sqrt()).abs() < 1e-6, "{rotated:?}");
    }
}
