//! Pictures of rules on weights and skins: vertices where an engine that takes the file as it is puts them.

use sinew::glam::{Affine3A, Vec3};

use super::half::{Extra, Half, Vertex, below, joint, ossi};

pub(super) fn halves(code: &str) -> Option<[Half; 2]> {
    let sound = || Half::at("run", 0.1);
    Some(match code {
        "weight-sum" => [sound(), spikes().ring("hand.L")],
        "weight-none" => [
            sound(),
            collapsed("hand.L").with(Extra::RingAt(Vec3::ZERO)).words("vertices at the origin"),
        ],
        "influences" => {
            let cut = Half::placed("run", 0.1, |vertex, palette| first(vertex, 1, palette));
            [sound(), cut.words("the rest is dropped and not made up for").ring("spine")]
        }
        "joint-limit" => [sound(), stuck().words("joints over the limit stay").ring("foot.L")],
        "joint-index" => [
            sound(),
            collapsed("forearm.R").with(Extra::RingAt(Vec3::ZERO)).words("a matrix of zeros"),
        ],
        "joint-scene" => {
            [sound(), Half::rest(|_| ()).words("the same moment: nothing moves").ring("hips")]
        }
        "binds" => {
            let unbound =
                Half::rest(|parts| parts.skins[0].joint_from_mesh.fill(Affine3A::IDENTITY));
            [Half::rest(|_| ()), unbound.words("without inverse binds").ring("head")]
        }
        "skin-node" => {
            let away = Vec3::new(0.8, 0.0, 0.0);
            let moved = Half::placed("run", 0.1, |vertex, _| vertex.right + away);
            let beside = moved.with(Extra::Skeleton).words("the skin is beside its joints");
            [sound().with(Extra::Skeleton), beside.ring("hips")]
        }
        _ => return None,
    })
}

/// Some vertices lack part of their weight, and are drawn to the origin by as much.
fn spikes() -> Half {
    let hand = joint("hand.L");
    Half::placed("run", 0.1, |vertex, _| {
        let every = if vertex.share(|at| at == hand) > 0.5 { 7 } else { 29 };
        if vertex.index % every == 0 { vertex.right * 0.65 } else { vertex.right }
    })
}

/// What follows a joint counts nothing: the vertices go to the origin by as much.
fn collapsed(name: &'static str) -> Half {
    let gone = joint(name);
    Half::placed("run", 0.1, |vertex, palette| {
        sum(vertex, palette, |at, _| if at == gone { 0.0 } else { 1.0 })
    })
}

/// Only the first influences of a vertex.
fn first(vertex: &Vertex<'_>, count: usize, palette: &[Affine3A]) -> Vec3 {
    let mut largest: Vec<f32> =
        vertex.influences.iter().map(|influence| influence.weight).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let least = largest.get(count.max(1) - 1).copied().unwrap_or(0.0);
    sum(vertex, palette, |_, weight| if weight >= least { 1.0 } else { 0.0 })
}

/// Joints after the first twenty keep the pose in which they were bound.
fn stuck() -> Half {
    let legs = [below("thigh.L"), below("thigh.R")].concat();
    Half::placed("run", 0.1, |vertex, _| {
        let share = vertex.share(|at| legs.contains(&at));
        vertex.right.lerp(vertex.bind, share)
    })
}

/// The skinning sum, each influence times a factor.
fn sum(vertex: &Vertex<'_>, palette: &[Affine3A], factor: impl Fn(usize, f32) -> f32) -> Vec3 {
    let of = |influence: &sinew::scene::Influence| {
        let at = influence.joint as usize;
        let matrix = palette.get(at).copied().unwrap_or(Affine3A::IDENTITY);
        let weight = influence.weight * factor(at, influence.weight);
        matrix.transform_point3(vertex.bind) * weight
    };
    debug_assert!(palette.len() == ossi().skins[0].joints.len(), "one matrix per joint");
    vertex.influences.iter().map(of).sum()
}
