//! Weights: of vertices that have none, and no more than four.

use sinew_edit::limit_influences;
use sinew_scene::{Influences, Primitive, Scene, SceneParts};

use crate::finding::counted;

/// What every engine reads.
const USUAL: usize = 4;

/// Vertices of a skinned mesh without weights take those of the nearest vertex that has some.
pub(super) fn fill(parts: &mut SceneParts) -> Option<String> {
    let mut filled = 0;
    let skinned: Vec<usize> = parts
        .instances
        .iter()
        .filter(|instance| instance.skin.is_some())
        .map(|instance| instance.mesh.index())
        .collect();
    for mesh in skinned {
        for primitive in &mut parts.meshes[mesh].primitives {
            filled += fill_primitive(primitive);
        }
    }
    (filled > 0).then(|| {
        format!(
            "{} the weights of the nearest vertex",
            counted(filled, "vertex has", "vertices have")
        )
    })
}

fn fill_primitive(primitive: &mut Primitive) -> usize {
    let empty: Vec<usize> = primitive
        .influences
        .iter()
        .enumerate()
        .filter(|(_, of)| of.is_empty())
        .map(|(vertex, _)| vertex)
        .collect();
    if empty.is_empty() || empty.len() == primitive.influences.len() {
        return 0;
    }
    // Looking at every pair is too much for large meshes; a few hundred candidates are near enough.
    let good: Vec<usize> = (0..primitive.influences.len())
        .filter(|vertex| !primitive.influences.of(*vertex).is_empty())
        .collect();
    let step = (good.len() * empty.len()).div_ceil(20_000_000).max(1);
    let mut influences = Influences::with_capacity(primitive.influences.len(), USUAL);
    for vertex in 0..primitive.influences.len() {
        let own = primitive.influences.of(vertex);
        if !own.is_empty() {
            influences.push_exact(own.iter().copied());
            continue;
        }
        let here = primitive.positions[vertex];
        let far = |other: &&usize| primitive.positions[**other].distance_squared(here);
        let nearest = good.iter().step_by(step).min_by(|a, b| far(a).total_cmp(&far(b)));
        let of = nearest.map_or(&[][..], |nearest| primitive.influences.of(*nearest));
        influences.push_exact(of.iter().copied());
    }
    primitive.influences = influences;
    empty.len()
}

/// Keeps the four largest influences of each vertex and makes them sum to one.
pub(super) fn limit(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let (limited, loss) = limit_influences(scene, USUAL).ok()?;
    if loss.vertices == 0 {
        return None;
    }
    *parts = limited.into_parts();
    let vertices = counted(loss.vertices, "vertex keeps its", "vertices keep their");
    Some(format!(
        "{vertices} {USUAL} largest influences, off by up to {:.3} mm",
        loss.farthest * 1000.0
    ))
}
