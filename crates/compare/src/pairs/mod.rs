//! What of A belongs to what of B: clips, joints, vertices.

pub(crate) mod clips;
pub(crate) mod joints;
pub(crate) mod meshes;
pub(crate) mod vertices;

use std::collections::HashMap;
use std::hash::Hash;

/// Pairs what has the same key, the first with the first, the second with the second; only what is not taken yet.
fn pair_by_key<K: Hash + Eq>(
    a: impl Iterator<Item = (usize, K)>,
    b: impl Iterator<Item = (usize, K)>,
    mut pair: impl FnMut(usize, usize),
) {
    let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
    for (index, key) in b {
        waiting.entry(key).or_default().push(index);
    }
    waiting.values_mut().for_each(|list| list.reverse());
    for (index, key) in a {
        if let Some(other) = waiting.get_mut(&key).and_then(Vec::pop) {
            pair(index, other);
        }
    }
}

/// What of a name is left without namespaces (`mixamorig:Hips`, `Armature|walk`) and capitals.
fn stem(name: &str) -> String {
    name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase()
}
