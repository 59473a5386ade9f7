//! Influences whose weights fit in two bytes each.
//!
//! In:  the parts of a scene.
//! Out: the same with every weight a 65,535th, and the weights of each vertex summing to one exactly.
//!
//! What is rounded off is given to the weights that lost most. A weight is off by less than a 65,535th: a vertex between joints a
//! metre apart moves by less than a fiftieth of a millimetre.

use sinew_scene::{Influence, Influences, SceneParts};

const WHOLE: f32 = 65_535.0;

/// Rounds the weights of all vertices to 65,535ths. Those with a weight below zero stay as they are.
pub fn round_weights(parts: &mut SceneParts) {
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if primitive.influences.is_empty() || is_short(&primitive.influences) {
            continue;
        }
        let mut rounded = Influences::with_capacity(primitive.influences.len(), 4);
        let mut scratch = Vec::new();
        for of_vertex in primitive.influences.iter() {
            round_vertex(of_vertex, &mut scratch);
            rounded.push_exact(scratch.iter().copied());
        }
        primitive.influences = rounded;
    }
}

/// Whether all weights are 255ths or 65,535ths already, as most files have them.
fn is_short(influences: &Influences) -> bool {
    let part_of = |weight: f32, whole: f32| (weight * whole).round() / whole == weight;
    let all = influences.all();
    [255.0, WHOLE].into_iter().any(|whole| all.iter().all(|it| part_of(it.weight, whole)))
}

fn round_vertex(of_vertex: &[Influence], out: &mut Vec<Influence>) {
    out.clear();
    out.extend_from_slice(of_vertex);
    let sum: f32 = of_vertex.iter().map(|influence| influence.weight).sum();
    if of_vertex.iter().any(|influence| influence.weight < 0.0) || !(0.5..2.0).contains(&sum) {
        return;
    }
    let shares: Vec<f32> = of_vertex.iter().map(|it| it.weight / sum * WHOLE).collect();
    for (influence, whole) in out.iter_mut().zip(rounded(&shares, WHOLE as u32)) {
        influence.weight = whole as f32 / WHOLE;
    }
}

/// Shares as whole numbers that sum to `whole`: those that lose most by rounding down are rounded up.
pub(crate) fn rounded(shares: &[f32], whole: u32) -> Vec<u32> {
    let mut wholes: Vec<u32> = shares.iter().map(|share| share.floor() as u32).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| shares[b].fract().total_cmp(&shares[a].fract()));
    let missing = whole.saturating_sub(wholes.iter().sum());
    for at in order.iter().cycle().take(missing as usize) {
        wholes[*at] += 1;
    }
    wholes
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Geometry, Mesh, Primitive};

    use super::*;

    #[test]
    fn thirds_become_65535ths_that_sum_to_one() {
        let mut influences = Influences::default();
        influences.push([0, 1, 2].map(|joint| Influence { joint, weight: 1.0 / 3.0 }));
        influences.push([Influence { joint: 0, weight: 0.1 }, Influence { joint: 1, weight: 0.9 }]);
        let primitive = Primitive::from(Geometry {
            positions: vec![Vec3::ZERO; 2],
            influences,
            ..Geometry::default()
        });
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        let mut parts = SceneParts { meshes: vec![mesh], ..SceneParts::default() };
        round_weights(&mut parts);
        let rounded = &parts.meshes[0].primitives[0].influences;
        let wholes = |vertex: usize| -> Vec<u32> {
            rounded.of(vertex).iter().map(|it| (it.weight * WHOLE).round() as u32).collect()
        };
        assert_eq!(wholes(0), [21_845; 3]);
        // 6553.5 and 58981.5: one of them is rounded up.
        assert_eq!(wholes(1).iter().sum::<u32>(), 65_535);
        assert!(is_short(rounded));
        let once = parts.clone();
        round_weights(&mut parts);
        assert_eq!(parts, once);
    }
}
