//! From a file's own space to Sinew's: metres, Y up, right-handed.
//!
//! The change of basis is applied to everything: with `C` for `world_from_file`, a vertex becomes
//! `C v` and every matrix `C M C⁻¹`. So no scale or rotation is left at the root, a joint's translation
//! is in metres, and what was a unit is a metre everywhere. Axes are only ever permuted and
//! mirrored, so scales stay scales.

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3, Vec3A};
use sinew_scene::{
    Camera, Clip, Geometry, JointId, Light, Node, Projection, Property, SceneParts, Topology,
    Transform,
};

/// How a file's space lies in Sinew's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldFromFile {
    /// Metres in one of the file's units; above zero.
    unit: f32,
    /// Where the file's x, y and z point: a signed permutation.
    axes: Mat3,
}

impl WorldFromFile {
    /// Metres and Y up already.
    pub(crate) const SAME: Self = Self { unit: 1.0, axes: Mat3::IDENTITY };

    /// Z up, Y to the back, as Blender, 3ds Max and Doom 3 have it: (x, y, z) becomes (x, z, -y).
    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) const Z_UP: Mat3 = Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y);

    /// X up: (x, y, z) becomes (-y, x, z), as COLLADA has it.
    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) const X_UP: Mat3 = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);

    /// `axes` holds where the file's x, y and z point in Sinew's space; each is a signed unit axis.
    /// `None` when they are not, or the unit is not a positive number.
    pub(crate) fn new(unit: f32, axes: Mat3) -> Option<Self> {
        let is_axis = |axis: Vec3| {
            let absolute = axis.abs();
            absolute == Vec3::X || absolute == Vec3::Y || absolute == Vec3::Z
        };
        let good = unit > 0.0
            && unit.is_finite()
            && (1.0 / unit).is_finite()
            && is_axis(axes.x_axis)
            && is_axis(axes.y_axis)
            && is_axis(axes.z_axis)
            && axes.determinant() != 0.0;
        good.then_some(Self { unit, axes })
    }

    /// The same axes with another unit; `None` when that is not a positive number.
    pub(crate) fn with_unit(self, unit: f32) -> Option<Self> {
        Self::new(unit, self.axes)
    }

    pub(crate) fn to_affine(self) -> Affine3A {
        Affine3A::from_mat3(self.axes * self.unit)
    }

    fn mirrors(self) -> bool {
        self.axes.determinant() < 0.0
    }

    fn point(self, point: Vec3) -> Vec3 {
        self.axes * point * self.unit
    }

    fn direction(self, direction: Vec3) -> Vec3 {
        self.axes * direction
    }

    /// A rotation about an axis: a mirror reverses the axis and the sense of the rotation with it.
    fn rotation(self, rotation: Quat) -> Quat {
        let axis = self.axes * rotation.xyz() * self.axes.determinant();
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// Axes move, signs stay: a mirror on both sides of a diagonal matrix cancels.
    fn scale(self, scale: Vec3) -> Vec3 {
        let absolute =
            Mat3::from_cols(self.axes.x_axis.abs(), self.axes.y_axis.abs(), self.axes.z_axis.abs());
        absolute * scale
    }

    fn linear(self, matrix: Mat3A) -> Mat3A {
        let axes = Mat3A::from(self.axes);
        axes * matrix * axes.transpose()
    }

    fn matrix(self, matrix: Affine3A) -> Affine3A {
        Affine3A {
            matrix3: self.linear(matrix.matrix3),
            translation: Vec3A::from(self.point(matrix.translation.into())),
        }
    }
}

/// Takes all parts to Sinew's space and keeps the inverse.
pub(crate) fn to_world(parts: &mut SceneParts, world_from_file: WorldFromFile) {
    let c = world_from_file;
    parts.file_from_world = c.to_affine().inverse();
    if c == WorldFromFile::SAME {
        return;
    }
    for node in &mut parts.nodes {
        node.rest.translation = c.point(node.rest.translation);
        node.rest.rotation = c.rotation(node.rest.rotation);
        node.rest.scale = c.scale(node.rest.scale);
        node.shear = node.shear.map(|shear| c.linear(shear));
    }
    for skin in &mut parts.skins {
        for matrix in &mut skin.joint_from_mesh {
            *matrix = c.matrix(*matrix);
        }
    }
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive_to_world(primitive, c);
    }
    for clip in &mut parts.clips {
        clip_to_world(clip, c);
    }
    measures_to_world(parts, c.unit);
    if c.axes != Mat3::IDENTITY {
        rotate_lights_and_cameras(parts, c);
    }
}

fn primitive_to_world(primitive: &mut Geometry, c: WorldFromFile) {
    each(&mut primitive.positions, |position| c.point(position));
    each(&mut primitive.normals, |normal| c.direction(normal));
    let side = if c.mirrors() { -1.0 } else { 1.0 };
    for tangent in &mut primitive.tangents {
        *tangent = c.direction(tangent.truncate()).extend(tangent.w * side);
    }
    for morph in &mut primitive.morphs {
        each(&mut morph.positions, |position| c.point(position));
        each(&mut morph.normals, |normal| c.direction(normal));
        each(&mut morph.tangents, |tangent| c.direction(tangent));
    }
    if c.mirrors() && primitive.topology == Topology::Triangles {
        for triangle in primitive.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}

fn each<V: Copy>(values: &mut [V], change: impl Fn(V) -> V) {
    for value in values {
        *value = change(*value);
    }
}

fn clip_to_world(clip: &mut Clip, c: WorldFromFile) {
    for track in &mut clip.translations {
        each(track.curve.values_mut(), |key| c.point(key));
    }
    for track in &mut clip.rotations {
        each(track.curve.values_mut(), |key| c.rotation(key));
    }
    for track in &mut clip.scales {
        each(track.curve.values_mut(), |key| c.scale(key));
    }
}

/// Distances that are not points: ranges of lights, planes of cameras, and tracks that drive them.
fn measures_to_world(parts: &mut SceneParts, unit: f32) {
    for light in &mut parts.lights {
        light.range = light.range.map(|range| range * unit);
    }
    for camera in &mut parts.cameras {
        match &mut camera.projection {
            Projection::Perspective { near, far, .. } => {
                *near *= unit;
                *far = far.map(|far| far * unit);
            }
            Projection::Orthographic { half_width, half_height, near, far } => {
                for measure in [half_width, half_height, near, far] {
                    *measure *= unit;
                }
            }
        }
    }
    let is_measure: Vec<bool> = parts
        .properties
        .iter()
        .map(|entry| {
            matches!(
                entry.property,
                Property::LightRange(_)
                    | Property::Near(_)
                    | Property::Far(_)
                    | Property::HalfWidth(_)
                    | Property::HalfHeight(_)
            )
        })
        .collect();
    for (entry, _) in parts.properties.iter_mut().zip(&is_measure).filter(|(_, is)| **is) {
        entry.rest[0] *= unit;
    }
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.properties) {
        // An index out of range is for the scene's own check to refuse.
        if is_measure.get(track.property.index()) == Some(&true) {
            each(track.rows.values_mut(), |value| value * unit);
        }
    }
}

/// A light shines and a camera looks along its node's -Z, which the change of basis has moved:
/// each gets a node of its own that rotates it back.
fn rotate_lights_and_cameras(parts: &mut SceneParts, c: WorldFromFile) {
    // A mirror is no rotation; what keeps -Z and +Y reverses X instead.
    let side = if c.mirrors() { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::ONE };
    let proper = c.axes * Mat3::from_diagonal(side);
    let rotation = Transform::from_rotation(Quat::from_mat3(&proper).normalize());
    let nodes = &mut parts.nodes;
    let mut under = |joint: JointId, name: &str| {
        nodes.push(Node::new(name, Some(joint), rotation));
        JointId::new(nodes.len() - 1)
    };
    for Light { name, joint, .. } in &mut parts.lights {
        *joint = under(*joint, &format!("{name} (light)"));
    }
    for Camera { name, joint, .. } in &mut parts.cameras {
        *joint = under(*joint, &format!("{name} (camera)"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::Primitive;

    fn z_up_in_centimetres() -> WorldFromFile {
        WorldFromFile::new(0.01, WorldFromFile::Z_UP).expect("a permutation")
    }

    /// Left-handed: x to the left.
    fn mirrored() -> WorldFromFile {
        WorldFromFile::new(1.0, Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::Z))
            .expect("a permutation")
    }

    fn some_transform() -> Transform {
        Transform {
            translation: Vec3::new(100.0, -20.0, 3.0),
            rotation: Quat::from_rotation_x(0.3) * Quat::from_rotation_z(1.1),
            scale: Vec3::new(1.0, -2.0, 3.0),
        }
    }

    #[test]
    fn a_z_up_axis_points_up() {
        let c = z_up_in_centimetres();
        assert_eq!(c.point(Vec3::new(0.0, 0.0, 180.0)), Vec3::new(0.0, 1.8, 0.0));
        assert_eq!(c.point(Vec3::new(0.0, 100.0, 0.0)), Vec3::new(0.0, 0.0, -1.0));
    }

    #[test]
    fn every_matrix_is_the_old_one_seen_from_the_new_space() {
        for c in [z_up_in_centimetres(), mirrored()] {
            let old = some_transform();
            let parts =
                &mut SceneParts { nodes: vec![Node::new("a", None, old)], ..SceneParts::default() };
            to_world(parts, c);
            let expected = c.to_affine() * old.to_affine() * c.to_affine().inverse();
            let found = parts.nodes[0].parent_from_node();
            assert!(found.abs_diff_eq(expected, 1e-4), "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn a_mirrored_file_reverses_its_triangles() {
        let mut primitive =
            Primitive::from(Geometry { indices: vec![0, 1, 2], ..Geometry::default() });
        primitive_to_world(&mut primitive, mirrored());
        assert_eq!(primitive.indices, [0, 2, 1]);
    }

    #[test]
    fn a_light_still_shines_where_it_shone() {
        for c in [z_up_in_centimetres(), mirrored()] {
            check_light(c);
        }
    }

    fn check_light(c: WorldFromFile) {
        let old = some_transform();
        let mut parts = SceneParts {
            nodes: vec![Node::new("a", None, Transform { scale: Vec3::ONE, ..old })],
            lights: vec![Light {
                name: "sun".into(),
                joint: JointId::new(0),
                kind: sinew_scene::LightKind::Directional,
                color: Vec3::ONE,
                intensity: 1.0,
                range: None,
            }],
            ..SceneParts::default()
        };
        to_world(&mut parts, c);
        let world = parts.nodes[0].parent_from_node() * parts.nodes[1].parent_from_node();
        let found = world.transform_vector3(Vec3::NEG_Z);
        let expected = c.direction(old.rotation * Vec3::NEG_Z);
        assert_eq!(parts.lights[0].joint, JointId::new(1));
        assert!(found.abs_diff_eq(expected, 1e-5), "{found} is not {expected}");
    }
}
