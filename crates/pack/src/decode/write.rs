//! From eight lanes of a group to where its tracks lie in a pose.

use sinew_lanes::Wide;
use sinew_motion::Lanes;

use crate::format::kind::Kind;
use crate::format::read_u16;

/// What a kind drives of a transform.
#[inline(always)]
fn driven(kind: Kind, lanes: &mut Lanes) -> &mut [[f32; 8]] {
    match kind {
        Kind::Rotation | Kind::ConstantRotation => &mut lanes.rotation,
        Kind::Translation | Kind::ConstantTranslation => &mut lanes.translation,
        _ => &mut lanes.scale,
    }
}

/// Writes numbers into the first `count` of eight nodes. Eight that are a block of the pose go there at once.
#[inline(always)]
pub(crate) fn put<W: Wide, const N: usize>(
    nodes: &[u8; 16],
    count: usize,
    values: [W; N],
    kind: Kind,
    locals: &mut [Lanes],
) {
    // Nodes rise: eight are in a row where the last is seven after the first.
    let [first, last] = [0, 14].map(|at| read_u16(nodes, at));
    if count == 8 && first.is_multiple_of(8) && last - first == 7 {
        let Some(block) = locals.get_mut(usize::from(first / 8)) else { return };
        for (row, value) in driven(kind, block).iter_mut().zip(values) {
            value.store(row);
        }
        return;
    }
    let mut rows = [[0.0; 8]; N];
    for (row, value) in rows.iter_mut().zip(values) {
        value.store(row);
    }
    let (nodes, _) = nodes.as_chunks::<2>();
    for (lane, index) in nodes[..count].iter().enumerate() {
        let node = usize::from(u16::from_le_bytes(*index));
        let Some(block) = locals.get_mut(node / 8) else { return };
        for (to, row) in driven(kind, block).iter_mut().zip(&rows) {
            to[node % 8] = row[lane];
        }
    }
}

/// Writes morph weights or driven values.
#[inline(always)]
pub(crate) fn put_numbers<W: Wide>(indices: &[u8; 16], count: usize, values: W, to: &mut [f32]) {
    let mut row = [0.0; 8];
    values.store(&mut row);
    for (lane, value) in row[..count].iter().enumerate() {
        if let Some(to) = to.get_mut(usize::from(read_u16(indices, 2 * lane))) {
            *to = *value;
        }
    }
}
