//! How much light a surface sends back in all, for its roughness and the angle it is seen at: a table made once.
//!
//! In:  nothing. Out: 32 × 32 texels; from left to right the cosine of the angle, from the top down the roughness. Red and green are scale
//! and offset of what is reflected at right angles (B. Karis, "Real shading in Unreal Engine 4", 2013), with height-correlated Smith; blue is
//! what cloth of this roughness sends back (A. Estevez and C. Kulla, "Production friendly microfacet sheen BRDF", 2017).

use std::f32::consts::{PI, TAU};
use std::sync::OnceLock;

use glam::{Vec2, Vec3};

/// Texels on a side.
pub(crate) const SIDE: usize = 32;
const SAMPLES: usize = 96;

/// The table, row after row.
pub(crate) fn table() -> &'static [Vec3] {
    static TABLE: OnceLock<Vec<Vec3>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let place = |index: usize| (index as f32 + 0.5) / SIDE as f32;
        let texel = |index: usize| {
            let (n_v, roughness) = (place(index % SIDE), place(index / SIDE));
            reflected(n_v, roughness).extend(cloth(n_v, roughness))
        };
        (0..SIDE * SIDE).map(texel).collect()
    })
}

/// Points that cover a square evenly; R. Hammersley's.
fn points() -> impl Iterator<Item = Vec2> {
    (0..SAMPLES).map(|index| {
        let across = (index as f32 + 0.5) / SAMPLES as f32;
        Vec2::new(across, (index as u32).reverse_bits() as f32 / 4_294_967_296.0)
    })
}

fn reflected(n_v: f32, roughness: f32) -> Vec2 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let to_eye = Vec3::new((1.0 - n_v * n_v).max(0.0).sqrt(), 0.0, n_v);
    let mut sum = Vec2::ZERO;
    for point in points() {
        let half = visible_half(to_eye, alpha, point);
        let v_h = to_eye.dot(half).max(0.0);
        let n_l = (2.0 * v_h * half - to_eye).z;
        if n_l > 0.0 {
            let lambda =
                |cos: f32| ((square + (1.0 - square) * cos * cos).sqrt() / cos - 1.0) * 0.5;
            // What is not hidden from the light of what is not hidden from the camera.
            let shown = (1.0 + lambda(n_v)) / (1.0 + lambda(n_v) + lambda(n_l));
            let grazing = (1.0 - v_h).powi(5);
            sum += Vec2::new(1.0 - grazing, grazing) * shown;
        }
    }
    sum / SAMPLES as f32
}

/// A facet of GGX that the camera sees; E. Heitz, "Sampling the GGX distribution of visible normals" (2018).
fn visible_half(to_eye: Vec3, alpha: f32, point: Vec2) -> Vec3 {
    let stretched = Vec3::new(alpha * to_eye.x, alpha * to_eye.y, to_eye.z).normalize();
    let aside = Vec3::new(-stretched.y, stretched.x, 0.0).try_normalize().unwrap_or(Vec3::X);
    let ahead = stretched.cross(aside);
    let radius = point.x.sqrt();
    let (sin, cos) = (TAU * point.y).sin_cos();
    let share = 0.5 * (1.0 + stretched.z);
    let x = radius * cos;
    let y = (1.0 - share) * (1.0 - x * x).max(0.0).sqrt() + share * radius * sin;
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let half = aside * x + ahead * y + stretched * z;
    Vec3::new(alpha * half.x, alpha * half.y, half.z.max(1e-6)).normalize()
}

/// What cloth sends back of even light: its distribution with Neubelt's and Pettineo's visibility.
fn cloth(n_v: f32, roughness: f32) -> f32 {
    let alpha = (roughness * roughness).max(0.005);
    let to_eye = Vec3::new((1.0 - n_v * n_v).max(0.0).sqrt(), 0.0, n_v);
    let mut sum = 0.0;
    for point in points() {
        let n_l = point.x.max(1e-4);
        let sin = (1.0 - n_l * n_l).max(0.0).sqrt();
        let (across, along) = (TAU * point.y).sin_cos();
        let to_light = Vec3::new(sin * along, sin * across, n_l);
        let n_h = (to_eye + to_light).normalize_or(Vec3::Z).z;
        let sine = (1.0 - n_h * n_h).max(0.0).sqrt();
        let charlie = (2.0 + 1.0 / alpha) * sine.powf(1.0 / alpha) / TAU;
        let seen = 1.0 / (4.0 * (n_l + n_v - n_l * n_v));
        sum += charlie * seen * n_l * 2.0 * PI;
    }
    (sum / SAMPLES as f32).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_sends_back_all_and_rough_metal_loses_what_bounces_twice() {
        let whole = |n_v, roughness| reflected(n_v, roughness).element_sum();
        assert!((whole(0.7, 0.05) - 1.0).abs() < 0.01, "{}", whole(0.7, 0.05));
        // At roughness 1 facets lie all ways alike; seen straight, ∫ c / (c + 1) dc = 1 - ln 2 comes back at once.
        let rough = whole(0.95, 1.0);
        assert!((rough - 0.307).abs() < 0.02, "{rough}");
        assert!(table().iter().all(|texel| texel.cmpge(Vec3::ZERO).all()));
    }

    #[test]
    fn what_is_reflected_at_right_angles_matters_less_at_grazing_ones() {
        assert!(reflected(0.05, 0.3).y > 4.0 * reflected(0.9, 0.3).y);
    }
}
