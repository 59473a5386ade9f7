//! Normals from smoothing groups: faces of one group that meet in a vertex share theirs.

use std::collections::HashMap;

use glam::Vec3;

use super::statements::{Element, Kind, Model, Smoothing};

/// The normals of every smoothing group, by position and group.
#[derive(Default)]
pub(super) struct Normals(HashMap<(i64, u32), Vec3>);

impl Normals {
    /// Sums the normals of all faces that have none of their own; materials and objects do not
    /// part them. A face counts by its angle at the vertex, so that cutting it changes nothing.
    pub(super) fn new(model: &Model) -> Self {
        let mut sums = HashMap::new();
        for element in &model.elements {
            let Smoothing::Group(group) = element.smoothing else { continue };
            if element.kind != Kind::Face || has_normals(model, element) {
                continue;
            }
            let corners = &model.corners[element.corners.clone()];
            let points: Vec<Vec3> = corners.iter().map(|c| point(model, c.position)).collect();
            let normal = face_normal(&points);
            for (at, corner) in corners.iter().enumerate() {
                let sum = sums.entry((corner.position, group)).or_insert(Vec3::ZERO);
                *sum += normal * angle(&points, at);
            }
        }
        Self(sums)
    }

    /// The normal at a vertex of a smoothing group.
    pub(super) fn at(&self, position: i64, group: u32) -> Vec3 {
        self.0.get(&(position, group)).map_or(Vec3::Y, |sum| sum.normalize_or(Vec3::Y))
    }
}

/// Whether every corner of an element has a normal in the file.
pub(super) fn has_normals(model: &Model, element: &Element) -> bool {
    let known = |index: i64| usize::try_from(index).is_ok_and(|at| at < model.normals.len());
    let corners = &model.corners[element.corners.clone()];
    !corners.is_empty() && corners.iter().all(|corner| known(corner.normal))
}

fn point(model: &Model, index: i64) -> Vec3 {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    model.positions.get(index).copied().unwrap_or_default()
}

/// Newell's sum: right for polygons that are bent or not convex.
pub(super) fn face_normal(points: &[Vec3]) -> Vec3 {
    let Some(&origin) = points.first() else { return Vec3::Y };
    let next = points.iter().cycle().skip(1);
    let sum: Vec3 = points.iter().zip(next).map(|(&a, &b)| (a - origin).cross(b - origin)).sum();
    sum.normalize_or(Vec3::Y)
}

fn angle(points: &[Vec3], at: usize) -> f32 {
    let count = points.len();
    let (before, after) = (points[(at + count - 1) % count], points[(at + 1) % count]);
    let angle = (before - points[at]).angle_between(after - points[at]);
    if angle.is_finite() { angle } else { 0.0 }
}
