//! Makes directions unit length, whatever an importer left.
//!
//! In:  parts as an importer made them.
//! Out: unit normals and tangents, and clips whose length is a number.
//!
//! Only what has one sensible answer is mended here. Positions and matrices that are not finite stay,
//! for the scene's checks to refuse: they are an importer's fault or a broken file's.

use glam::{Vec3, Vec4};
use sinew_scene::{Clip, Geometry, SceneParts, Topology};

use super::vertices::is_sound;
use crate::note::Notes;
use crate::{NoteCode, Place};

pub(super) fn mend(parts: &mut SceneParts, notes: &mut Notes) {
    for (at, mesh) in parts.meshes.iter_mut().enumerate() {
        for primitive in &mut mesh.primitives {
            let place = || Place::part(format!("meshes[{at}]"));
            mend_normals(primitive, || notes.add(place(), "a normal had no direction"));
            mend_tangents(primitive, || notes.add(place(), "a tangent had no direction"));
            mend_morphs(primitive, || notes.add(place(), "a morph target's normal was not finite"));
        }
    }
    for (at, clip) in parts.clips.iter_mut().enumerate() {
        mend_span(clip, || {
            let text = "a clip's length was not a number from zero up: its last key is taken";
            notes.add_as(NoteCode::TakeWithoutSpan, Place::part(format!("clips[{at}]")), text);
        });
    }
}

/// Within this of one, a squared length is left to the last bit.
const UNIT: f32 = 1e-4;

fn mend_normals(primitive: &mut Geometry, mut report: impl FnMut()) {
    let mut lost = Vec::new();
    for (at, normal) in primitive.normals.iter_mut().enumerate() {
        if (normal.length_squared() - 1.0).abs() <= UNIT {
            continue;
        }
        match unit(*normal) {
            Some(unit) => *normal = unit,
            None => lost.push(at),
        }
    }
    if lost.is_empty() {
        return;
    }
    if lost.len() == primitive.normals.len() {
        report();
        primitive.normals.clear();
        return;
    }
    let faces = face_normals(primitive, &lost);
    for (&at, face) in lost.iter().zip(faces) {
        report();
        primitive.normals[at] = unit(face).unwrap_or(Vec3::Y);
    }
}

/// Whether it has no normals, or may lose them all here.
pub(super) fn lacks_normals(primitive: &Geometry) -> bool {
    primitive.normals.first().is_none_or(|normal| unit(*normal).is_none())
}

/// Also of vectors whose squared length is too small or too large for a number.
fn unit(vector: Vec3) -> Option<Vec3> {
    let largest = vector.abs().max_element();
    if !vector.is_finite() || largest < f32::MIN_POSITIVE {
        return None;
    }
    (vector / largest).try_normalize()
}

/// For each of these vertices, the sum of its faces' normals by area.
fn face_normals(primitive: &Geometry, vertices: &[usize]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices.len()];
    if primitive.topology != Topology::Triangles || !is_sound(primitive) {
        return sums;
    }
    for triangle in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
        for index in triangle {
            if let Ok(at) = vertices.binary_search(&(*index as usize)) {
                sums[at] += (b - a).cross(c - a);
            }
        }
    }
    sums
}

fn mend_tangents(primitive: &mut Geometry, mut report: impl FnMut()) {
    let normals = &primitive.normals;
    for (at, tangent) in primitive.tangents.iter_mut().enumerate() {
        let side = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        let direction = tangent.truncate();
        let is_unit = (direction.length_squared() - 1.0).abs() <= UNIT;
        let mended = if is_unit { Some(direction) } else { unit(direction) };
        let found = mended.unwrap_or_else(|| {
            report();
            normals.get(at).copied().unwrap_or(Vec3::Y).any_orthonormal_vector()
        });
        *tangent = Vec4::from((found, side));
    }
}

fn mend_morphs(primitive: &mut Geometry, mut report: impl FnMut()) {
    for morph in &mut primitive.morphs {
        for shift in morph.normals.iter_mut().chain(&mut morph.tangents) {
            if !shift.is_finite() {
                *shift = Vec3::ZERO;
                report();
            }
        }
    }
}

fn mend_span(clip: &mut Clip, mut report: impl FnMut()) {
    if !clip.start.is_finite() {
        clip.start = 0.0;
        report();
    }
    let good = clip.duration >= 0.0 && clip.duration.is_finite();
    if !good {
        clip.duration = clip.last_key();
        report();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use sinew_scene::Primitive;
    use sinew_scene::{Curve, Interpolation, JointId, Mesh, MorphTarget, Track};

    fn mended(primitive: Primitive) -> (Primitive, Vec<String>) {
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        let mut parts = SceneParts { meshes: vec![mesh], ..SceneParts::default() };
        let mut notes = Notes::default();
        mend(&mut parts, &mut notes);
        let texts = notes.into_vec().iter().map(ToString::to_string).collect();
        (parts.meshes.remove(0).primitives.remove(0), texts)
    }

    fn triangle(normals: Vec<Vec3>) -> Primitive {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        Primitive::from(Geometry {
            positions,
            normals,
            indices: vec![0, 1, 2],
            ..Geometry::default()
        })
    }

    #[test]
    fn normals_become_unit_and_the_lost_ones_take_their_faces() {
        let tiny = Vec3::new(0.0, 3e-30, 4e-30);
        let (primitive, notes) = mended(triangle(vec![tiny, Vec3::NAN, Vec3::Z]));
        let expected = [Vec3::new(0.0, 0.6, 0.8), Vec3::Z, Vec3::Z];
        for (found, expected) in primitive.normals.iter().zip(expected) {
            assert!(found.abs_diff_eq(expected, 1e-6), "{found} is not {expected}");
        }
        assert_eq!(notes, ["a normal had no direction (meshes[0])"]);
    }

    #[test]
    fn normals_that_are_all_zero_are_as_good_as_none() {
        let (primitive, notes) = mended(triangle(vec![Vec3::ZERO; 3]));
        assert!(primitive.normals.is_empty());
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn a_good_normal_keeps_its_bits() {
        let almost = Vec3::new(0.600_000_1, 0.8, 0.0);
        let (primitive, notes) = mended(triangle(vec![almost; 3]));
        assert_eq!(primitive.normals, [almost; 3]);
        assert!(notes.is_empty());
    }

    #[test]
    fn tangents_become_unit_with_a_side_of_one_or_minus_one() {
        let mut primitive = triangle(vec![Vec3::Z; 3]);
        primitive.tangents =
            vec![Vec4::new(2.0, 0.0, 0.0, -0.5), Vec4::new(0.0, 1.0, 0.0, f32::NAN), Vec4::ZERO];
        let (primitive, notes) = mended(primitive);
        assert_eq!(primitive.tangents[0], Vec4::new(1.0, 0.0, 0.0, -1.0));
        assert_eq!(primitive.tangents[1], Vec4::new(0.0, 1.0, 0.0, 1.0));
        assert_eq!(primitive.tangents[2].truncate().dot(Vec3::Z), 0.0);
        assert!(primitive.tangents[2].truncate().is_normalized());
        assert_eq!(notes, ["a tangent had no direction (meshes[0])"]);
    }

    #[test]
    fn positions_that_are_not_finite_stay_an_error() {
        let mut primitive = triangle(vec![Vec3::Z; 3]);
        primitive.positions[1].x = f32::INFINITY;
        primitive.morphs.push(MorphTarget { normals: vec![Vec3::NAN; 3], ..Default::default() });
        let (primitive, notes) = mended(primitive);
        assert_eq!(primitive.positions[1].x, f32::INFINITY);
        assert_eq!(primitive.morphs[0].normals, [Vec3::ZERO; 3]);
        assert_eq!(notes, ["a morph target's normal was not finite (3 times, first in meshes[0])"]);
    }

    #[test]
    fn a_clip_without_a_length_ends_with_its_last_key() {
        let keys = Curve::new(vec![0.0, 2.5], vec![Quat::IDENTITY; 2], Interpolation::Linear);
        let track = Track { joint: JointId::new(0), curve: keys.expect("good keys") };
        let clip = |duration| Clip { duration, rotations: vec![track.clone()], ..Clip::default() };
        let clips = vec![clip(-1.0), clip(f32::NAN), clip(9.0)];
        let mut parts = SceneParts { clips, ..SceneParts::default() };
        mend(&mut parts, &mut Notes::default());
        let found: Vec<f32> = parts.clips.iter().map(|clip| clip.duration).collect();
        assert_eq!(found, [2.5, 2.5, 9.0]);
    }
}
