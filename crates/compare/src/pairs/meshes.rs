//! Which mesh instances belong together.
//!
//! In:  two surfaces.
//! Out: groups of instances: mostly one and one; what no name pairs is compared as one whole.

use std::collections::HashSet;

use super::{pair_by_key, stem};
use crate::surface::Surface;

/// Instances of A and those of B that show the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    pub(crate) a: Vec<usize>,
    pub(crate) b: Vec<usize>,
}

/// Groups of instances that are compared with each other, and those left over, which are all of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<Group>,
    pub(crate) left: [Vec<usize>; 2],
}

/// Pairs instances by the names of node and mesh, by either, by stems; the rest of both is one group.
pub(crate) fn group(a: &Surface<'_>, b: &Surface<'_>) -> Groups {
    let surfaces = [a, b];
    let mut left = surfaces.map(drawn);
    let mut groups = Vec::new();
    let keys: [fn(&Surface<'_>, usize) -> String; 4] = [
        |surface, at| format!("{}\n{}", surface.node_name(at), surface.mesh_name(at)),
        |surface, at| surface.mesh_name(at).to_owned(),
        |surface, at| surface.node_name(at).to_owned(),
        |surface, at| stem(surface.mesh_name(at)),
    ];
    for key in keys {
        let keyed = |side: usize| {
            let keys = left[side].iter().map(|&at| (at, key(surfaces[side], at)));
            keys.filter(|(_, key)| !key.trim().is_empty()).collect::<Vec<_>>()
        };
        let [of_a, of_b] = [keyed(0), keyed(1)];
        let mut pairs = Vec::new();
        pair_by_key(of_a.into_iter(), of_b.into_iter(), |a, b| pairs.push((a, b)));
        let taken: [HashSet<usize>; 2] =
            [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
        left.iter_mut().zip(&taken).for_each(|(left, taken)| left.retain(|at| !taken.contains(at)));
        groups.extend(pairs.into_iter().map(|(a, b)| Group { a: vec![a], b: vec![b] }));
    }
    if !left[0].is_empty() && !left[1].is_empty() {
        let [a, b] = std::mem::take(&mut left);
        // As many on both sides, each with as many vertices as its partner: the names alone are new.
        let counts = |side: usize, list: &[usize]| {
            list.iter().map(|&at| vertex_count(surfaces[side], at)).collect::<Vec<_>>()
        };
        if counts(0, &a) == counts(1, &b) {
            let pairs = a.into_iter().zip(b);
            groups.extend(pairs.map(|(a, b)| Group { a: vec![a], b: vec![b] }));
        } else {
            groups.push(Group { a, b });
        }
    }
    join_parts(surfaces, &mut groups, &mut left);
    groups.sort_by_key(|group| group.a[0]);
    Groups { groups, left }
}

/// Puts what one model alone has into the group of the mesh that it is a part of: where a mesh was split, its parts are called `body`,
/// `body.1`, `body.2`, and the first of them has fewer vertices than the whole.
fn join_parts(surfaces: [&Surface<'_>; 2], groups: &mut [Group], left: &mut [Vec<usize>; 2]) {
    for (side, left) in left.iter_mut().enumerate() {
        let name = |at: usize| surfaces[side].mesh_name(at);
        let count = |side: usize, list: &[usize]| -> usize {
            list.iter().map(|&at| vertex_count(surfaces[side], at)).sum()
        };
        left.retain(|&at| {
            let Some(whole) = whole_name(name(at)) else { return true };
            let group = groups.iter_mut().find(|group| {
                let lists = [&group.a, &group.b];
                name(lists[side][0]) == whole
                    && count(side, lists[side]) < count(1 - side, lists[1 - side])
            });
            let Some(group) = group else { return true };
            let list = if side == 0 { &mut group.a } else { &mut group.b };
            list.push(at);
            false
        });
    }
}

/// What the whole is called that a part of this name is of.
fn whole_name(name: &str) -> Option<&str> {
    let (whole, number) = name.rsplit_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(whole)
}

/// The instances that have vertices.
fn drawn(surface: &Surface<'_>) -> Vec<usize> {
    let mut found: Vec<usize> = surface
        .parts()
        .iter()
        .filter(|part| !surface.shape(part).1.positions.is_empty())
        .map(|part| part.instance)
        .collect();
    found.dedup();
    found
}

pub(crate) fn vertex_count(surface: &Surface<'_>, instance: usize) -> usize {
    surface.parts_of(instance).iter().map(|part| surface.shape(part).1.positions.len()).sum()
}
