//! Blend spaces: clips placed on a line or in a plane, and the weights at a place between them.
//!
//! In:  points, anywhere; then a place.
//! Out: a weight per point; never below zero, always summing to one.
//!
//! Inside a triangle of points the weights are linear, so they change without a jump; outside the
//! hull the nearest place on it counts. A line is a plane of no height: the same code.

use std::fmt;

use sinew_scene::glam::{DVec2, Vec2};

use crate::triangulate::{Mesh, area, triangulate};

/// More points than anybody places by hand.
const MAX_POINTS: usize = 256;

/// Points with weights between them.
///
/// ```
/// use sinew_motion::Space;
/// let speeds = BlendSpace::line(&[0.0, 1.4, 3.2])?;
/// let mut weights = [0.0; 3];
/// speeds.weights([0.7, 0.0].into(), &mut weights);
/// assert_eq!(weights, [0.5, 0.5, 0.0]);
/// speeds.weights([99.0, 0.0].into(), &mut weights);
/// assert_eq!(weights, [0.0, 0.0, 1.0]);
/// # Ok::<(), sinew_motion::BlendSpaceError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "blend tree")]
pub struct BlendSpace {
    /// Distinct, and scaled so that both axes count alike.
    places: Vec<DVec2>,
    mesh: Mesh,
    scale: DVec2,
    /// The place of each point, and its share of the place's weight.
    owners: Vec<(usize, f32)>,
}

/// Why points are no blend space.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlendSpaceError {
    /// There is none.
    Empty,
    /// There are more than 256.
    Many(usize),
    /// One is not at a finite place.
    NotFinite(usize),
}

impl fmt::Display for BlendSpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "expected at least one point, found none"),
            Self::Many(found) => write!(f, "expected at most {MAX_POINTS} points, found {found}"),
            Self::NotFinite(at) => write!(f, "the place of point {at} is not a finite number"),
        }
    }
}

impl std::error::Error for BlendSpaceError {}

impl BlendSpace {
    /// Points in a plane, in any order. Points at one place share its weight.
    ///
    /// # Errors
    /// When there is no point, one is not finite, or there are more than 256.
    pub fn new(points: &[Vec2]) -> Result<Self, BlendSpaceError> {
        if points.is_empty() {
            return Err(BlendSpaceError::Empty);
        }
        if points.len() > MAX_POINTS {
            return Err(BlendSpaceError::Many(points.len()));
        }
        if let Some(at) = points.iter().position(|point| !point.is_finite()) {
            return Err(BlendSpaceError::NotFinite(at));
        }
        let scale = scale(points);
        let mut places: Vec<DVec2> = Vec::new();
        let mut of = Vec::with_capacity(points.len());
        for point in points {
            let place = point.as_dvec2() * scale;
            let known = places.iter().position(|known| *known == place);
            of.push(known.unwrap_or(places.len()));
            if known.is_none() {
                places.push(place);
            }
        }
        let share = |place: usize| 1.0 / of.iter().filter(|&&other| other == place).count() as f32;
        let owners = of.iter().map(|&place| (place, share(place))).collect();
        Ok(Self { mesh: triangulate(&places), places, scale, owners })
    }

    /// Points on a line.
    ///
    /// # Errors
    /// As [`BlendSpace::new`].
    pub fn line(points: &[f32]) -> Result<Self, BlendSpaceError> {
        let points: Vec<Vec2> = points.iter().map(|&x| Vec2::new(x, 0.0)).collect();
        Self::new(&points)
    }

    /// The weight of each point at a place. What is not a number counts as zero.
    ///
    /// # Panics
    /// When `out` has not one place per point.
    pub fn weights(&self, at: Vec2, out: &mut [f32]) {
        assert_eq!(out.len(), self.owners.len(), "one weight per point");
        let number = |value: f32| if value.is_nan() { 0.0 } else { value };
        let at = Vec2::new(number(at.x), number(at.y)).clamp(Vec2::MIN, Vec2::MAX);
        let found = self.find(at.as_dvec2() * self.scale);
        for (weight, (place, share)) in out.iter_mut().zip(&self.owners) {
            let here = found.iter().filter(|(found, _)| found == place);
            *weight = here.map(|(_, weight)| *weight as f32 * share).sum();
        }
    }

    /// At most three places and their weights.
    fn find(&self, at: DVec2) -> [(usize, f64); 3] {
        self.inside(at).unwrap_or_else(|| self.nearest(at))
    }

    fn inside(&self, at: DVec2) -> Option<[(usize, f64); 3]> {
        self.mesh.triangles.iter().find_map(|&[a, b, c]| {
            let [pa, pb, pc] = [a, b, c].map(|place| self.places[place]);
            let whole = area(pa, pb, pc);
            let parts = [area(pb, pc, at), area(pc, pa, at), area(pa, pb, at)];
            if parts.iter().any(|part| *part < -1e-9 * whole || part.is_nan()) {
                return None;
            }
            let parts = parts.map(|part| part.max(0.0));
            let sum: f64 = parts.iter().sum();
            Some([(a, parts[0] / sum), (b, parts[1] / sum), (c, parts[2] / sum)])
        })
    }

    fn nearest(&self, at: DVec2) -> [(usize, f64); 3] {
        let mut best = [(0, 1.0), (0, 0.0), (0, 0.0)];
        let mut least = f64::INFINITY;
        for &[a, b] in &self.mesh.edges {
            let (from, along) = (self.places[a], self.places[b] - self.places[a]);
            let fraction = ((at - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let distance = (from + along * fraction).distance_squared(at);
            if distance < least {
                least = distance;
                best = [(a, 1.0 - fraction), (b, fraction), (a, 0.0)];
            }
        }
        best
    }
}

/// Brings both axes to about the same extent. A power of two, so that nothing is rounded.
fn scale(points: &[Vec2]) -> DVec2 {
    let low = points.iter().copied().fold(Vec2::MAX, Vec2::min).as_dvec2();
    let high = points.iter().copied().fold(Vec2::MIN, Vec2::max).as_dvec2();
    let factor = |extent: f64| if extent > 0.0 { (-extent.log2().round()).exp2() } else { 1.0 };
    DVec2::new(factor(high.x - low.x), factor(high.y - low.y))
}
