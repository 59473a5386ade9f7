//! Skins: vertices with four pulls each, on one core.

use std::hint::black_box;

use sinew::Vertices;
use sinew::deform::{Precision, Skinner};
use sinew::glam::{Affine3A, Vec3};
use sinew::scene::{Influence, Primitive};

use super::super::motion::character::JOINTS;
use super::super::motion::work::Bench;

/// Rows: name, vertices, tangents too.
const SKINS: &[(&str, usize, bool)] = &[
    ("skin_pn", 10_000, false),
    ("skin_pnt", 10_000, true),
    ("skin_pn_of_500000", 500_000, false),
];

pub(super) fn rows(bench: &mut Bench) {
    let palette: Vec<Affine3A> = (0..JOINTS)
        .map(|joint| Affine3A::from_rotation_x(joint as f32) * Affine3A::from_translation(Vec3::X))
        .collect();
    for &(name, count, tangents) in SKINS {
        if !bench.wants(name) {
            continue;
        }
        let (primitive, mut out) = (model(count, tangents), Vertices::default());
        let Ok(skinner) = Skinner::new(&primitive, JOINTS, Precision::Packed) else { continue };
        bench.part(name, "vertex", count as f64, || {
            skinner.skin(&primitive, &[], black_box(&palette), Affine3A::IDENTITY, &mut out);
        });
    }
}

/// Vertices that follow each other down the joints, as those of a character do.
fn model(vertices: usize, tangents: bool) -> Primitive {
    let mut primitive = Primitive::default();
    for vertex in 0..vertices {
        let at = vertex as f32;
        primitive.positions.push(Vec3::new(at.sin(), at.cos(), at * 1e-4));
        primitive.normals.push(Vec3::new(at.sin(), at.cos(), 0.3).normalize());
        if tangents {
            primitive.tangents.push(Vec3::new(at.cos(), -at.sin(), 0.0).extend(1.0));
        }
        primitive.influences.push((0..4).map(|slot| Influence {
            joint: ((vertex * JOINTS / vertices + slot * (1 + vertex % 3)) % JOINTS) as u32,
            weight: 1.0 + slot as f32,
        }));
    }
    primitive
}
