//! `.weight`: four bones and four percentages for every vertex of a `.mesh`.

use sinew_scene::{Influence, Influences};

use super::file::File;
use crate::open::Context;
use crate::{ImportError, Place};

/// Filed in a signed byte as -1: no bone.
const NONE: u8 = 255;
/// Four percentages, each cut to a whole number, lose less than this.
const ROUNDING: f32 = 0.04;

/// The influences on each of `vertices`, and how many bones they speak of.
pub(super) fn read(
    bytes: &[u8],
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<(Influences, usize), ImportError> {
    let place = Place::part("its .weight");
    let mut file = File::new(bytes);
    file.magic(b"weight")?;
    let rows = file.take(file.left())?.as_chunks::<8>().0;
    if bytes.len() - 6 != vertices * 8 {
        let note = format!("expected weights for {vertices} vertices, found {}", rows.len());
        context.notes.add(place.clone(), note);
    }
    let mut influences = Influences::with_capacity(vertices, 4);
    let (mut bones, mut uneven) = (0, 0_usize);
    for row in rows.iter().map(Some).chain(std::iter::repeat(None)).take(vertices) {
        let row = row.copied().unwrap_or([NONE, NONE, NONE, NONE, 0, 0, 0, 0]);
        let own = influences_of(row);
        for influence in own.clone().filter(|influence| influence.weight > 0.0) {
            bones = bones.max(influence.joint as usize + 1);
        }
        let sum = influences.push(own);
        uneven += usize::from(sum > 0.0 && (sum - 1.0).abs() > ROUNDING);
    }
    if uneven > 0 {
        let vertices = crate::note::counted(uneven, "vertex", "vertices");
        let note = format!("the weights of {vertices} do not sum to one: they are scaled to");
        context.notes.add(place, note);
    }
    Ok((influences, bones))
}

/// Numbers above 127 do not fit in the signed byte they are filed in; read unsigned, they do.
fn influences_of([a, b, c, d, pa, pb, pc, pd]: [u8; 8]) -> impl Iterator<Item = Influence> + Clone {
    [(a, pa), (b, pb), (c, pc), (d, pd)].into_iter().filter(|(bone, _)| *bone != NONE).map(
        |(bone, percent)| Influence {
            joint: u32::from(bone),
            weight: f32::from(percent.cast_signed()) / 100.0,
        },
    )
}
