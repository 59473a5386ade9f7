//! Fields of a few bits, eight tracks at a time.
//!
//! In:  where the fields of up to eight tracks lie in the frames of a segment, and where frames lie.
//! Out: their values in those frames.
//!
//! A lane's field begins somewhere in a byte: the four bytes from there are fetched, and all bits but the
//! field's are cleared. Where it began is made good by the step, which is as much smaller: no bit is moved.

use sinew_lanes::{Ints, Places, Wide};

use crate::table::{Field, Tracks};

/// The values in frames of one segment that begin at these places. `NARROW` where the field has one
/// window for all lanes.
#[inline(always)]
pub(crate) fn values<W: Wide, const NARROW: bool, const COUNT: usize>(
    tracks: &Tracks,
    field: &Field,
    frames: &Places<'_, COUNT>,
) -> [W; COUNT] {
    let [first, second] = field.windows;
    let low = frames.sixteen(first as usize);
    let high = if NARROW { low } else { frames.sixteen(second as usize) };
    let (at, mask) = (whole::<W::Ints>(field.at), W::Ints::load(&field.mask));
    // Less by so many powers of two; steps are 2⁻²⁸ at least, so they can be.
    let less = whole::<W::Ints>(field.shift).shift_left::<23>();
    let step = (W::Ints::load(&tracks.step) - less).as_floats();
    let base = W::Ints::from_signed_bytes(u64::from_le_bytes(field.base));
    let base = base.to_floats() * W::load(&tracks.unit);
    let mut values = [base; COUNT];
    for (value, (low, high)) in values.iter_mut().zip(low.into_iter().zip(high)) {
        let four = W::Ints::gather([low, high], at);
        *value = (four & mask).to_floats().mul_add(step, base);
    }
    values
}

#[inline(always)]
fn whole<I: Ints>(bytes: [u8; 8]) -> I {
    I::from_bytes(u64::from_le_bytes(bytes))
}
