//! Fewer influences per vertex, for renderers that take only a few.
//!
//! In:  any number of influences per vertex.
//! Out: the largest few, divided by their sum, so that they still add up to one; and a note on what
//! that cost.

use sinew_scene::{Influence, Influences, SceneParts};

use crate::Place;
use crate::note::{Notes, counted};

/// Keeps the `most` largest influences of each vertex; at least one.
pub(super) fn limit(parts: &mut SceneParts, most: usize, notes: &mut Notes) {
    let most = most.max(1);
    let mut cost = Cost::default();
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if primitive.influences.most() > most {
            primitive.influences = limited(&primitive.influences, most, &mut cost);
        }
    }
    if cost.vertices > 0 {
        let text = format!(
            "{} had more than {most} influences and kept the largest; a vertex lost up to {:.1} % of \
             its weight",
            counted(cost.vertices, "vertex", "vertices"),
            cost.largest_share * 100.0
        );
        notes.add(Place::Whole, text);
    }
}

#[derive(Default)]
struct Cost {
    vertices: usize,
    /// Of one vertex's weight.
    largest_share: f32,
}

fn limited(influences: &Influences, most: usize, cost: &mut Cost) -> Influences {
    let mut fewer = Influences::with_capacity(influences.len(), most);
    let mut sorted: Vec<Influence> = Vec::new();
    for of_vertex in influences.iter() {
        if of_vertex.len() <= most {
            fewer.push(of_vertex.iter().copied());
            continue;
        }
        sorted.clear();
        sorted.extend_from_slice(of_vertex);
        // Stable: of equals, the file's first ones stay.
        sorted.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let lost: f32 = sorted[most..].iter().map(|one| one.weight).sum();
        cost.vertices += 1;
        cost.largest_share = cost.largest_share.max(lost);
        fewer.push(sorted[..most].iter().copied());
    }
    fewer
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::{Geometry, Mesh, Primitive};

    fn parts(vertices: &[&[f32]]) -> SceneParts {
        let mut influences = Influences::default();
        for weights in vertices {
            let influence =
                |(joint, &weight): (usize, &f32)| Influence { joint: joint as u32, weight };
            influences.push(weights.iter().enumerate().map(influence));
        }
        let primitives = vec![Primitive::from(Geometry { influences, ..Geometry::default() })];
        SceneParts { meshes: vec![Mesh { primitives, ..Mesh::default() }], ..SceneParts::default() }
    }

    /// The largest, not the first; and their sum is one again.
    #[test]
    fn the_four_largest_stay_and_sum_to_one() {
        let mut parts = parts(&[&[0.05, 0.1, 0.2, 0.15, 0.25, 0.25], &[0.5, 0.5]]);
        let mut notes = Notes::default();
        limit(&mut parts, 4, &mut notes);
        let influences = &parts.meshes[0].primitives[0].influences;
        let joints: Vec<u32> = influences.of(0).iter().map(|one| one.joint).collect();
        assert_eq!(joints, [4, 5, 2, 3]);
        // 0.25 of 0.25 + 0.25 + 0.2 + 0.15 = 0.85.
        assert!((influences.of(0)[0].weight - 0.25 / 0.85).abs() < 1e-6);
        let sum: f32 = influences.of(0).iter().map(|one| one.weight).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        assert_eq!(influences.of(1).len(), 2);
        assert_eq!(
            notes.into_vec()[0].to_string(),
            "1 vertex had more than 4 influences and kept the largest; a vertex lost up to 15.0 % of \
             its weight"
        );
    }

    #[test]
    fn nothing_changes_where_nothing_is_too_much() {
        let mut few = parts(&[&[0.25, 0.75], &[]]);
        let before = few.clone();
        let mut notes = Notes::default();
        limit(&mut few, 2, &mut notes);
        assert_eq!(few, before);
        assert!(notes.into_vec().is_empty());
        limit(&mut few, 0, &mut Notes::default());
        assert_eq!(few.meshes[0].primitives[0].influences.of(0).len(), 1);
    }
}
