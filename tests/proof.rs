//! The proof of a conversion, which skins only what can be the worst, against every vertex at every moment.

use sinew::Scene;
use sinew::compare::{CompareOptions, Comparison, SkinPlace, compare};
use sinew::edit::{ReduceOptions, byte_weights, reduce_all, round_weights};
use sinew::glam::Vec3;
use sinew::scene::{Influence, Influences};

/// The worst of the rest pose and of every clip.
fn worst(found: &Comparison) -> Vec<SkinPlace> {
    let clips = found.clips.iter().map(|clip| &clip.measure);
    let skins = clips.chain([&found.rest]).filter_map(|measure| measure.skin.as_ref());
    skins.map(|skin| skin.worst.clone()).collect()
}

fn same_worst(a: &Scene, b: &Scene, what: &str) {
    let every = CompareOptions { rate: 15.0, ..CompareOptions::default() };
    let alone = CompareOptions { worst_only: true, ..every.clone() };
    let found = |options: &CompareOptions| worst(&compare(a, b, options).expect("a pair"));
    let [full, quick] = [found(&every), found(&alone)];
    assert_eq!(full.len(), a.clips.len() + 1, "{what}");
    for (full, quick) in full.iter().zip(&quick) {
        if full.metres < 1e-10 {
            assert!(quick.metres < 1e-10, "{what}: {quick:?}");
            continue;
        }
        assert_eq!(full, quick, "{what}");
    }
    let most = full.iter().map(|place| place.metres).fold(0.0, f64::max);
    for below in [f64::INFINITY, 0.5 * most] {
        let of_all = found(&CompareOptions { worst_of_all_below: below, ..alone.clone() });
        for (full, found) in full.iter().zip(&of_all).filter(|(full, _)| full.metres >= 1e-10) {
            // Of a clip within what is enough something is known that is there.
            match full.metres == most || full.metres > below {
                true => assert_eq!(full, found, "{what}"),
                false => assert!(found.metres <= full.metres, "{what}: {found:?}"),
            }
        }
    }
}

#[test]
fn the_worst_of_all_clips_is_found_without_skinning_all_of_them() {
    let ossi = sinew::ossi();
    for (error, short_values) in [(1e-4, true), (1e-3, false), (1e-2, true)] {
        let mut parts = ossi.clone().into_parts();
        let options = ReduceOptions { error, short_values };
        parts.clips = reduce_all(&ossi, &options).into_iter().map(|made| made.clip).collect();
        let thin = Scene::new(parts.clone()).expect("fewer keys");
        same_worst(&ossi, &thin, "keys");
        round_weights(&mut parts);
        same_worst(&ossi, &Scene::new(parts.clone()).expect("rounded"), "keys and weights");
        byte_weights(&ossi, &mut parts, 0.7 * error);
        same_worst(&ossi, &Scene::new(parts.clone()).expect("rounded"), "bytes");
        // Places that are rounded, and one far off.
        for (at, place) in parts.meshes[0].primitives[0].positions.iter_mut().enumerate() {
            *place = (*place * 4096.0).round() / 4096.0;
            if at == 100 {
                *place += 0.01 * Vec3::Y;
            }
        }
        same_worst(&ossi, &Scene::new(parts).expect("moved"), "places");
    }
}

#[test]
fn a_single_vertex_that_follows_another_joint_is_found() {
    let ossi = sinew::ossi();
    let mut parts = ossi.clone().into_parts();
    let influences = &mut parts.meshes[0].primitives[0].influences;
    let mut changed = Influences::default();
    for (vertex, old) in influences.iter().enumerate() {
        if vertex == 57 {
            changed
                .push([Influence { joint: 20, weight: 0.4 }, Influence { joint: 3, weight: 0.6 }]);
        } else {
            changed.push_exact(old.iter().copied());
        }
    }
    *influences = changed;
    let other = Scene::new(parts).expect("a vertex astray");
    same_worst(&ossi, &other, "a vertex");
    same_worst(&other, &ossi, "the other way");
}

/// The vertices of every primitive in another order, with the triangles as they were.
fn shuffled(scene: &Scene, step: usize) -> Scene {
    let mut parts = scene.clone().into_parts();
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let count = primitive.positions.len();
        let step = (step..).find(|step| are_prime(*step, count)).expect("some step");
        // Where the vertex of each new number was, and the other way round.
        let old: Vec<u32> = (0..count).map(|at| (at * step % count) as u32).collect();
        let mut new = vec![0; count];
        old.iter().zip(0..).for_each(|(old, at)| new[*old as usize] = at);
        primitive.positions = old.iter().map(|at| primitive.positions[*at as usize]).collect();
        primitive.influences = primitive.influences.select(&old);
        primitive.normals.clear();
        primitive.tangents.clear();
        primitive.uvs.clear();
        primitive.colors.clear();
        primitive.indices.iter_mut().for_each(|index| *index = new[*index as usize]);
    }
    Scene::new(parts).expect("the same in another order")
}

fn are_prime(a: usize, b: usize) -> bool {
    if b == 0 { a == 1 } else { are_prime(b, a % b) }
}

#[test]
fn vertices_in_no_order_at_all_are_proven_the_same() {
    let ossi = sinew::ossi();
    let options = ReduceOptions { error: 1e-3, short_values: true };
    let clips: Vec<_> = reduce_all(&ossi, &options).into_iter().map(|made| made.clip).collect();
    let with_clips = |scene: &Scene| {
        let mut parts = scene.clone().into_parts();
        parts.clips.clone_from(&clips);
        round_weights(&mut parts);
        Scene::new(parts).expect("fewer keys")
    };
    // In one order for both: neighbours in the list lie far apart.
    let astray = shuffled(&ossi, 617);
    same_worst(&astray, &with_clips(&astray), "no order");
    // In two orders: partners are found by place.
    same_worst(&ossi, &with_clips(&astray), "two orders");
}
