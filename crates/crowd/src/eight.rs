//! Eight characters at once, from sampled clips to matrices.
//!
//! Sampling and blending go eight joints wide, for one character after the other, and stay in
//! registers. The hierarchy goes eight characters wide: a lane each, so that no product waits for the
//! one before.

use std::sync::Arc;

use sinew_lanes::{Kernel, SimdLevel, Wide, run};
use sinew_motion::{LANES, Lanes, SampledClip, Strip};
use sinew_scene::Skeleton;
use sinew_scene::glam::{Affine3A, Mat3A};

use crate::bones::Bones;
use crate::{CharacterState, Matrix};

/// One joint of eight characters in its parent's space, a lane each: translation, rotation, scale. Whole cache
/// lines: a row that lay across two would be read at half the speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct LocalsOfEight(pub [[f32; LANES]; 10]);
/// One joint's matrix of eight characters in the model, a lane each: three rows of four. Whole cache lines too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct ModelsOfEight(pub [[[f32; LANES]; 4]; 3]);

/// Working memory of one thread.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Block after block of one character, then of the next.
    locals: Vec<Lanes>,
    models: Vec<ModelsOfEight>,
    /// For characters that are only there to fill up eight.
    spare: Vec<Matrix>,
}

impl Scratch {
    pub(crate) fn new(bones: &Bones) -> Self {
        Self {
            locals: vec![Lanes::IDENTITY; bones.blocks() * LANES],
            models: vec![ModelsOfEight::default(); bones.len()],
            spare: vec![[[0.0; 4]; 3]; bones.len() * (LANES - 1)],
        }
    }
}

/// Up to eight characters.
pub(crate) struct Eight<'a> {
    pub(crate) bones: &'a Bones,
    pub(crate) sampled_clips: &'a [Arc<SampledClip>],
    pub(crate) states: &'a [CharacterState],
    /// Which blocks are not left at rest.
    pub(crate) moving: &'a [bool],
    /// Character after character.
    pub(crate) models: &'a mut [Matrix],
    pub(crate) scratch: &'a mut Scratch,
}

impl Kernel for Eight<'_> {
    type Output = ();
    const MANY: bool = true;

    #[inline(always)]
    fn run<W: Wide>(self) {
        let joints = self.bones.len();
        let (Some(last), true) = (self.states.last(), joints > 0) else { return };
        let Scratch { locals, models, spare } = self.scratch;
        let blocks = self.bones.blocks();
        for (at, locals) in locals.chunks_exact_mut(blocks).enumerate() {
            let state = self.states.get(at).unwrap_or(last);
            let [one, other] = state.clips.map(|sampled| {
                &*self.sampled_clips[usize::from(sampled).min(self.sampled_clips.len() - 1)]
            });
            let strips = (one.strip(state.times[0]), other.strip(state.times[1]));
            mix::<W>(strips, state.clamped_weight(), self.moving, locals);
        }
        let mut rows = self.models.chunks_mut(joints).chain(spare.chunks_mut(joints));
        let mut outs: [&mut [Matrix]; LANES] =
            std::array::from_fn(|_| rows.next().unwrap_or_default());
        let mut transposed = [LocalsOfEight::default(); LANES];
        for (block, moving) in self.moving.iter().enumerate() {
            if *moving {
                transpose_locals::<W>(&locals[block..], blocks, &mut transposed);
            }
            let from = block * LANES;
            for joint in from..(from + LANES).min(joints) {
                let local = if *moving {
                    matrix::<W>(&transposed[joint - from], &self.bones.shears[joint])
                } else {
                    splat_matrix::<W>(&self.bones.rest[joint])
                };
                let (before, rest) = models.split_at_mut(joint);
                let parent = before.get(self.bones.parents[joint] as usize);
                let [a, b, c, d, e, f, g, h] = &mut outs;
                let to = [
                    &mut a[joint],
                    &mut b[joint],
                    &mut c[joint],
                    &mut d[joint],
                    &mut e[joint],
                    &mut f[joint],
                    &mut g[joint],
                    &mut h[joint],
                ];
                write::<W>(parent, &local, &mut rest[0], to);
            }
        }
    }
}

/// Writes one joint's matrix of eight characters: side by side for its children, and to each character.
#[inline(always)]
fn write<W: Wide>(
    parent: Option<&ModelsOfEight>,
    local: &[[W; 4]; 3],
    model: &mut ModelsOfEight,
    to: [&mut Matrix; LANES],
) {
    let [a, b, c, d, e, f, g, h] = to;
    for row in 0..3 {
        let found = model_row::<W>(parent, row, local);
        store::<W>(found, &mut model.0[row]);
        let [a, b, c, d] = [&mut a[row], &mut b[row], &mut c[row], &mut d[row]];
        let [e, f, g, h] = [&mut e[row], &mut f[row], &mut g[row], &mut h[row]];
        W::scatter4(found, [a, b, c, d, e, f, g, h]);
    }
}

/// One character, eight joints at a time.
#[inline(always)]
fn mix<W: Wide>(
    strips: (Strip<'_>, Strip<'_>),
    weight: f32,
    moving: &[bool],
    locals: &mut [Lanes],
) {
    let (mut one, mut other) = strips;
    let mixed = weight > 0.0;
    let weight = W::splat(weight);
    for (moving, out) in moving.iter().zip(locals) {
        if !*moving {
            one.skip();
            other.skip();
            continue;
        }
        let Some(first) = one.eight::<W>() else { return };
        if mixed && let Some(second) = other.eight::<W>() {
            first.mean(&second, weight).store(out);
        } else {
            first.store(out);
        }
    }
}

/// From eight joints a row, character by character, to eight characters a row, joint by joint.
#[inline(always)]
fn transpose_locals<W: Wide>(
    locals: &[Lanes],
    apart: usize,
    transposed: &mut [LocalsOfEight; LANES],
) {
    let locals: [&Lanes; LANES] = std::array::from_fn(|at| &locals[at * apart]);
    #[allow(clippy::needless_range_loop)]
    for row in 0..10 {
        let mut rows = [W::splat(0.0); LANES];
        for at in 0..LANES {
            rows[at] = W::load(match row {
                0..3 => &locals[at].translation[row],
                3..7 => &locals[at].rotation[row - 3],
                _ => &locals[at].scale[row - 7],
            });
        }
        let columns = W::transpose8(rows);
        for joint in 0..LANES {
            columns[joint].store(&mut transposed[joint].0[row]);
        }
    }
}

/// Translation, rotation and scale as rows of a matrix.
#[inline(always)]
fn matrix<W: Wide>(local: &LocalsOfEight, shear: &Option<Mat3A>) -> [[W; 4]; 3] {
    let LocalsOfEight([tx, ty, tz, x, y, z, w, sx, sy, sz]) = local;
    let (x, y, z, w) = (W::load(x), W::load(y), W::load(z), W::load(w));
    let (sx, sy, sz) = (W::load(sx), W::load(sy), W::load(sz));
    let one = W::splat(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz, yy, yz) = (x * x2, x * y2, x * z2, y * y2, y * z2);
    let rows = [
        [
            (one - z.mul_add(z2, yy)) * sx,
            w.mul_sub_from(z2, xy) * sy,
            w.mul_add(y2, xz) * sz,
            W::load(tx),
        ],
        [
            w.mul_add(z2, xy) * sx,
            (one - z.mul_add(z2, xx)) * sy,
            w.mul_sub_from(x2, yz) * sz,
            W::load(ty),
        ],
        [w.mul_sub_from(y2, xz) * sx, w.mul_add(x2, yz) * sy, (one - (xx + yy)) * sz, W::load(tz)],
    ];
    let Some(shear) = shear else { return rows };
    let shear = Affine3A { matrix3: *shear, ..Affine3A::IDENTITY };
    let mut sheared = rows;
    for row in 0..3 {
        sheared[row] = times::<W>(rows[row], &splat_matrix::<W>(&shear));
    }
    sheared
}

/// One matrix in every lane.
#[inline(always)]
fn splat_matrix<W: Wide>(matrix: &Affine3A) -> [[W; 4]; 3] {
    let [a, b, c, d, e, f, g, h, i, x, y, z] = matrix.to_cols_array();
    let mut rows = [[W::splat(0.0); 4]; 3];
    for (row, values) in rows.iter_mut().zip([[a, d, g, x], [b, e, h, y], [c, f, i, z]]) {
        for (to, value) in row.iter_mut().zip(values) {
            *to = W::splat(value);
        }
    }
    rows
}

/// A row of `model_from_parent · local`; without a parent, of `local`.
#[inline(always)]
fn model_row<W: Wide>(parent: Option<&ModelsOfEight>, row: usize, local: &[[W; 4]; 3]) -> [W; 4] {
    let Some(parent) = parent else { return local[row] };
    let [a, b, c, d] = &parent.0[row];
    times([W::load(a), W::load(b), W::load(c), W::load(d)], local)
}

/// One row of a product.
#[inline(always)]
fn times<W: Wide>([a, b, c, d]: [W; 4], by: &[[W; 4]; 3]) -> [W; 4] {
    let mut out = [d; 4];
    for column in 0..3 {
        let sum = by[1][column].mul_add(b, by[0][column] * a);
        out[column] = by[2][column].mul_add(c, sum);
    }
    out[3] = by[2][3].mul_add(c, by[1][3].mul_add(b, by[0][3].mul_add(a, d)));
    out
}

#[inline(always)]
fn store<W: Wide>(found: [W; 4], to: &mut [[f32; LANES]; 4]) {
    for (value, to) in found.into_iter().zip(to) {
        value.store(to);
    }
}

/// From parent space to model space for eight characters side by side.
///
/// # Panics
/// When there is not one entry for each joint.
pub fn to_model_of_eight(
    skeleton: &Skeleton,
    locals: &[LocalsOfEight],
    models: &mut [ModelsOfEight],
) {
    struct ToModel<'a>(&'a Skeleton, &'a [LocalsOfEight], &'a mut [ModelsOfEight]);
    impl Kernel for ToModel<'_> {
        type Output = ();
        const MANY: bool = true;
        #[inline(always)]
        fn run<W: Wide>(self) {
            let Self(skeleton, locals, models) = self;
            let mut shears = skeleton.sheared().iter().peekable();
            for (joint, parent) in skeleton.parents().iter().enumerate() {
                let shear = shears.next_if(|(id, _)| id.index() == joint).map(|(_, shear)| *shear);
                let local = matrix::<W>(&locals[joint], &shear);
                let (before, rest) = models.split_at_mut(joint);
                let parent = parent.and_then(|id| before.get(id.index()));
                let Some(model) = rest.first_mut() else { return };
                for (row, to) in model.0.iter_mut().enumerate() {
                    store::<W>(model_row::<W>(parent, row, &local), to);
                }
            }
        }
    }
    assert_eq!(locals.len(), skeleton.len(), "one entry for each joint");
    assert_eq!(models.len(), skeleton.len(), "one entry for each joint");
    run(SimdLevel::current(), ToModel(skeleton, locals, models));
}
