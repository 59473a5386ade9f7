//! What indices make: strips, fans and loops taken apart into triangles and lines.
//!
//! In:  the indices of a primitive, with restart values or without.
//! Out: a plain list of whole points, lines or triangles.

use sinew_scene::Topology;

use crate::note::Notes;
use crate::{ImportError, Place};

/// The mode of triangles one by one.
pub(super) const TRIANGLES: usize = 4;

/// Indices as filed.
#[derive(Default)]
pub(super) struct Indices {
    pub(super) list: Vec<u32>,
    /// The value after which a new strip, loop, fan or list begins, where there is one among them.
    pub(super) restart: Option<u32>,
}

/// Whether indices of this mode become more when they are taken apart: up to three times as many.
pub(super) fn grows(mode: usize) -> bool {
    matches!(mode, 2 | 3 | 5 | 6)
}

/// The indices of `mode` as a plain list.
pub(super) fn plain(
    mode: usize,
    indices: Indices,
    place: &Place,
    notes: &mut Notes,
) -> Result<(Topology, Vec<u32>), ImportError> {
    let topology = match mode {
        0 => Topology::Points,
        1..=3 => Topology::Lines,
        4..=6 => Topology::Triangles,
        _ => {
            let text = format!("expected a mode from 0 to 6, found {mode}");
            return Err(ImportError::malformed(place.clone(), text));
        }
    };
    let Some(restart) = indices.restart else {
        return Ok((topology, whole(topology, one_run(mode, indices.list), place, notes)));
    };
    let mut all = Vec::with_capacity(indices.list.len());
    for run in indices.list.split(|&index| index == restart) {
        all.extend(whole(topology, one_run(mode, run.to_vec()), place, notes));
    }
    Ok((topology, all))
}

/// One strip, loop, fan or list.
fn one_run(mode: usize, mut indices: Vec<u32>) -> Vec<u32> {
    match mode {
        2 => {
            let first = indices.first().copied().filter(|_| indices.len() > 2);
            indices.extend(first);
            pairs(&indices)
        }
        3 => pairs(&indices),
        5 => strip(&indices),
        6 => fan(&indices),
        _ => indices,
    }
}

fn pairs(indices: &[u32]) -> Vec<u32> {
    indices.windows(2).flatten().copied().collect()
}

/// glTF 2.0, 3.7.2.1: p_i = {v_i, v_(i+1+i%2), v_(i+2-i%2)}.
fn strip(indices: &[u32]) -> Vec<u32> {
    let triangles = indices.windows(3).enumerate();
    let wound = triangles.flat_map(|(at, corners)| match at % 2 {
        0 => [corners[0], corners[1], corners[2]],
        _ => [corners[0], corners[2], corners[1]],
    });
    wound.collect()
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

    fn restarted(mode: usize, indices: &[u32], restart: Option<u32>) -> Vec<u32> {
        let mut notes = Notes::default();
        let indices = Indices { list: indices.to_vec(), restart };
        plain(mode, indices, &Place::Whole, &mut notes).expect("a mode").1
    }

    fn made(mode: usize, indices: &[u32]) -> Vec<u32> {
        restarted(mode, indices, None)
    }

    #[test]
    fn a_restart_value_begins_a_new_strip_loop_fan_or_list() {
        let again = |mode: usize, indices: &[u32]| restarted(mode, indices, Some(255));
        assert_eq!(again(1, &[0, 1, 255, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(again(1, &[0, 255, 2, 3]), [2, 3]);
        assert_eq!(again(2, &[0, 1, 2, 255, 3, 4]), [0, 1, 1, 2, 2, 0, 3, 4]);
        assert_eq!(again(3, &[0, 1, 255, 255, 2, 3, 4]), [0, 1, 2, 3, 3, 4]);
        // The second strip begins with an even triangle again.
        assert_eq!(again(5, &[0, 1, 2, 3, 255, 4, 5, 6]), [0, 1, 2, 1, 3, 2, 4, 5, 6]);
        assert_eq!(again(6, &[9, 1, 2, 255, 8, 3, 4]), [1, 2, 9, 3, 4, 8]);
        assert!(again(5, &[255, 255]).is_empty());
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
