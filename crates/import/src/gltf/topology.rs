//! What indices make: strips, fans and loops taken apart into triangles and lines.

use sinew_scene::Topology;

use crate::note::Notes;
use crate::{Error, Place};

/// The indices of `mode` as a plain list.
pub(super) fn plain(
    mode: usize,
    mut indices: Vec<u32>,
    place: &Place,
    notes: &mut Notes,
) -> Result<(Topology, Vec<u32>), Error> {
    let (topology, list) = match mode {
        0 => (Topology::Points, indices),
        1 => (Topology::Lines, indices),
        2 => {
            let first = indices.first().copied().filter(|_| indices.len() > 2);
            indices.extend(first);
            (Topology::Lines, pairs(&indices))
        }
        3 => (Topology::Lines, pairs(&indices)),
        4 => (Topology::Triangles, indices),
        5 => (Topology::Triangles, strip(&indices)),
        6 => (Topology::Triangles, fan(&indices)),
        _ => {
            let text = format!("expected a mode from 0 to 6, found {mode}");
            return Err(Error::malformed(place.clone(), text));
        }
    };
    Ok((topology, whole(topology, list, place, notes)))
}

fn pairs(indices: &[u32]) -> Vec<u32> {
    indices.windows(2).flatten().copied().collect()
}

/// glTF 2.0, 3.7.2.1: p_i = {v_i, v_(i+1+i%2), v_(i+2-i%2)}.
fn strip(indices: &[u32]) -> Vec<u32> {
    let triangles = indices.windows(3).enumerate();
    let turned = triangles.flat_map(|(at, corners)| match at % 2 {
        0 => [corners[0], corners[1], corners[2]],
        _ => [corners[0], corners[2], corners[1]],
    });
    turned.collect()
}

/// glTF 2.0, 3.7.2.1: p_i = {v_(i+1), v_(i+2), v_0}.
fn fan(indices: &[u32]) -> Vec<u32> {
    let Some((&hub, rim)) = indices.split_first() else { return Vec::new() };
    rim.windows(2).flat_map(|edge| [edge[0], edge[1], hub]).collect()
}

/// Without the indices of a last triangle or line that is not whole.
fn whole(topology: Topology, mut list: Vec<u32>, place: &Place, notes: &mut Notes) -> Vec<u32> {
    let each = match topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    let left = list.len() % each;
    if left > 0 {
        notes.add(
            place.clone(),
            "the last triangle or line of a primitive is not whole: it is left out",
        );
        list.truncate(list.len() - left);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(mode: usize, indices: &[u32]) -> Vec<u32> {
        let mut notes = Notes::default();
        plain(mode, indices.to_vec(), &Place::Whole, &mut notes).expect("a mode").1
    }

    #[test]
    fn every_second_triangle_of_a_strip_is_turned_round() {
        assert_eq!(made(5, &[0, 1, 2, 3, 4]), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
    }

    #[test]
    fn a_fan_turns_about_its_first_vertex() {
        assert_eq!(made(6, &[9, 1, 2, 3]), [1, 2, 9, 2, 3, 9]);
        assert!(made(6, &[]).is_empty());
    }

    #[test]
    fn a_line_loop_closes_and_a_line_strip_does_not() {
        assert_eq!(made(2, &[0, 1, 2]), [0, 1, 1, 2, 2, 0]);
        assert_eq!(made(2, &[0, 1]), [0, 1]);
        assert_eq!(made(3, &[0, 1, 2]), [0, 1, 1, 2]);
    }

    #[test]
    fn a_triangle_that_is_not_whole_is_left_out() {
        assert_eq!(made(4, &[0, 1, 2, 3]), [0, 1, 2]);
    }
}
