//! Linear skinning, eight vertices at a time.
//!
//! In:  a primitive, its [`Blocks`], a palette.
//! Out: the very vertices that [`deform`](crate::deform) gives for a linear skin, within rounding.
//!
//! The matrices of eight vertices are added up one by one, where a matrix fills two registers, and
//! then turned over, so that positions, normals and tangents are worked out eight to a register:
//! cofactors, lengths and all.

use sinew_lanes::{Ints, Kernel, Path, Wide, quads, quads_mut, run, triples, triples_mut};
use sinew_scene::Primitive;
use sinew_scene::glam::{Affine3A, Vec3, Vec4};

use crate::blocks::{Blocks, EIGHT, Slot, Slots};
use crate::{Vertices, morph};

/// Outputs of more bytes than this are written past the caches, which they would only empty.
const STREAM_FROM: usize = 8 << 20;

/// Skins one primitive over and over, without allocating after the first time.
///
/// ```
/// # use sinew_deform::{Skinner, Vertices, Weights};
/// # use sinew_scene::{Influence, Influences, Primitive, glam::{Affine3A, Vec3}};
/// let mut influences = Influences::default();
/// influences.push([Influence { joint: 0, weight: 1.0 }]);
/// let primitive = Primitive { positions: vec![Vec3::X], influences, ..Primitive::default() };
/// let mut skinner = Skinner::new(&primitive, Weights::Exact).expect("few joints");
/// let mut out = Vertices::default();
/// let palette = [Affine3A::from_translation(Vec3::Y)];
/// skinner.skin(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
/// assert_eq!(out.positions, [Vec3::new(1.0, 1.0, 0.0)]);
/// ```
#[derive(Clone, Debug)]
pub struct Skinner {
    blocks: Blocks,
    palette: Vec<Matrix>,
    morphed: Vertices,
}

/// Four columns of three numbers, each with an idle fourth.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Matrix([[f32; 8]; 2]);

impl Skinner {
    /// For a primitive; `None` when it has more joints or pulls than [`Blocks`] can hold.
    #[must_use]
    pub fn new(primitive: &Primitive, weights: crate::Weights) -> Option<Self> {
        let blocks = Blocks::new(&primitive.influences, weights)?;
        Some(Self { blocks, palette: Vec::new(), morphed: Vertices::default() })
    }

    /// Writes the primitive's vertices, morphed by `weights` and bent by the palette, into `out`.
    /// A vertex that no joint pulls goes by `without_pull`.
    ///
    /// # Panics
    /// When the primitive is not the one the skinner was made for, there is not one weight per morph
    /// target, or the palette lacks a joint.
    pub fn skin(
        &mut self,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_pull: Affine3A,
        out: &mut Vertices,
    ) {
        self.skin_on(Path::current(), primitive, weights, model_from_mesh, without_pull, out);
    }

    /// The same on a given path. [`Path::Fast`] strays from the others by less than 1e-6 of the
    /// size of the numbers.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    pub fn skin_on(
        &mut self,
        path: Path,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_pull: Affine3A,
        out: &mut Vertices,
    ) {
        let vertices = primitive.positions.len();
        assert_eq!(self.blocks.len(), vertices, "the primitive that the skinner was made for");
        assert!(self.blocks.joints() <= model_from_mesh.len(), "one matrix per joint of the skin");
        assert_eq!(weights.len(), primitive.morphs.len(), "one weight per morph target");
        let still = weights.iter().all(|&weight| weight == 0.0);
        if !still {
            morph::morph(primitive, weights, &mut self.morphed);
        }
        let (positions, normals, tangents) = match still {
            true => (&primitive.positions, &primitive.normals, &primitive.tangents),
            false => (&self.morphed.positions, &self.morphed.normals, &self.morphed.tangents),
        };
        let joints = self.blocks.joints();
        self.palette.resize(joints + 1, matrix(&without_pull));
        for (to, from) in self.palette.iter_mut().zip(&model_from_mesh[..joints]) {
            *to = matrix(from);
        }
        self.palette[joints] = matrix(&without_pull);
        if joints < 256 {
            self.palette.resize(256, Matrix([[0.0; 8]; 2]));
        }
        out.positions.resize(vertices, Vec3::ZERO);
        out.normals.resize(normals.len(), Vec3::ZERO);
        out.tangents.resize(tangents.len(), Vec4::ZERO);
        let work = Work {
            counts: self.blocks.counts(),
            positions: triples(positions),
            normals: triples(normals),
            tangents: quads(tangents),
            to_positions: triples_mut(&mut out.positions),
            to_normals: triples_mut(&mut out.normals),
            to_tangents: quads_mut(&mut out.tangents),
        };
        let stream = vertices * (12 + 12 * usize::from(!normals.is_empty())) >= STREAM_FROM;
        let small = self.palette.first_chunk::<256>();
        match (self.blocks.slots(), small) {
            (Slots::Exact(slots), Some(table)) => run(path, Skin { slots, table, stream, work }),
            (Slots::Packed(slots), Some(table)) => run(path, Skin { slots, table, stream, work }),
            (Slots::Many(slots), _) => {
                run(path, Skin { slots, table: &self.palette[..], stream, work });
            }
            (_, None) => unreachable!("bytes name 256 joints, and the palette has as many"),
        }
    }
}

fn matrix(affine: &Affine3A) -> Matrix {
    let [a, b, c, d, e, f, g, h, i, x, y, z] = affine.to_cols_array();
    Matrix([[a, b, c, 0.0, d, e, f, 0.0], [g, h, i, 0.0, x, y, z, 0.0]])
}

/// Eight weights as they are kept, and as numbers.
trait Eight: Copy {
    fn read(&self) -> impl std::ops::Deref<Target = [f32; EIGHT]>;
}

impl Eight for [f32; EIGHT] {
    #[inline(always)]
    fn read(&self) -> impl std::ops::Deref<Target = [f32; EIGHT]> {
        self
    }
}

impl Eight for [u16; EIGHT] {
    #[inline(always)]
    fn read(&self) -> impl std::ops::Deref<Target = [f32; EIGHT]> {
        let mut numbers = [0.0; EIGHT];
        for (number, &parts) in numbers.iter_mut().zip(self) {
            *number = f32::from(parts) * (1.0 / 65535.0);
        }
        Own(numbers)
    }
}

struct Own([f32; EIGHT]);

impl std::ops::Deref for Own {
    type Target = [f32; EIGHT];

    #[inline(always)]
    fn deref(&self) -> &[f32; EIGHT] {
        &self.0
    }
}

struct Work<'a> {
    counts: &'a [u8],
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    tangents: &'a [[f32; 4]],
    to_positions: &'a mut [[f32; 3]],
    to_normals: &'a mut [[f32; 3]],
    to_tangents: &'a mut [[f32; 4]],
}

struct Skin<'a, S, T: Table + ?Sized> {
    slots: &'a [Slot<S, T::Index>],
    table: &'a T,
    stream: bool,
    work: Work<'a>,
}

impl<S: Eight, T: Table + ?Sized> Kernel for Skin<'_, S, T> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let Work { counts, positions, normals, tangents, .. } = self.work;
        let (mut slots, table) = (self.slots, self.table);
        let (to_positions, last_positions) = self.work.to_positions.as_chunks_mut::<EIGHT>();
        let (to_normals, last_normals) = self.work.to_normals.as_chunks_mut::<EIGHT>();
        let (to_tangents, last_tangents) = self.work.to_tangents.as_chunks_mut::<EIGHT>();
        let (positions, rest_positions) = positions.as_chunks::<EIGHT>();
        let (normals, rest_normals) = normals.as_chunks::<EIGHT>();
        let (tangents, rest_tangents) = tangents.as_chunks::<EIGHT>();
        let whole = positions.len();
        for block in 0..whole {
            let (mine, after) = slots.split_at(usize::from(counts[block]));
            slots = after;
            let columns = add_up::<W, S, T>(mine, table);
            let moved = place(&columns, W::load3(&positions[block]));
            put(moved, self.stream, &mut to_positions[block]);
            let Some(normal) = normals.get(block) else { continue };
            let (normal, side) = turn(&columns, W::load3(normal));
            put(normal, self.stream, &mut to_normals[block]);
            let Some(tangent) = tangents.get(block) else { continue };
            let tangent = along(&columns, normal, side, W::load4(tangent));
            W::store4(tangent, &mut to_tangents[block]);
        }
        if !rest_positions.is_empty() {
            // The same with idle vertices behind the last.
            let columns = add::<W, S, T>(slots, table);
            let mut three = [[0.0; 3]; EIGHT];
            W::store3(place(&columns, W::load3(&filled(rest_positions))), &mut three);
            last_positions.copy_from_slice(&three[..last_positions.len()]);
            let (normal, side) = turn(&columns, W::load3(&filled(rest_normals)));
            W::store3(normal, &mut three);
            last_normals.copy_from_slice(&three[..last_normals.len()]);
            let tangent = along(&columns, normal, side, W::load4(&filled(rest_tangents)));
            let mut four = [[0.0; 4]; EIGHT];
            W::store4(tangent, &mut four);
            last_tangents.copy_from_slice(&four[..last_tangents.len()]);
        }
        if self.stream {
            W::fence();
        }
    }
}

fn filled<const N: usize>(rest: &[[f32; N]]) -> [[f32; N]; EIGHT] {
    let mut eight = [[0.0; N]; EIGHT];
    eight[..rest.len()].copy_from_slice(rest);
    eight
}

#[inline(always)]
fn put<W: Wide>(xyz: [W; 3], stream: bool, to: &mut [[f32; 3]; EIGHT]) {
    if stream { W::stream3(xyz, to) } else { W::store3(xyz, to) }
}

/// A palette that is asked by a number. With a byte no number is out of its range.
trait Table {
    type Index: Copy;
    fn matrix(&self, index: Self::Index) -> &Matrix;
}

impl Table for [Matrix; 256] {
    type Index = u8;

    #[inline(always)]
    fn matrix(&self, index: u8) -> &Matrix {
        &self[usize::from(index)]
    }
}

impl Table for [Matrix] {
    type Index = u16;

    #[inline(always)]
    fn matrix(&self, index: u16) -> &Matrix {
        &self[usize::from(index)]
    }
}

/// The four columns of eight vertices' matrices.
type Columns<W> = [[W; 3]; 4];

/// Each vertex's matrix is the weighted sum of its joints'. The usual counts, one and
/// four, are known when compiled, so that their loops are unrolled.
#[inline(always)]
fn add_up<W: Wide, S: Eight, T: Table + ?Sized>(
    slots: &[Slot<S, T::Index>],
    table: &T,
) -> Columns<W> {
    match slots.len() {
        1 => add::<W, S, T>(&slots[..1], table),
        4 => add::<W, S, T>(&slots[..4], table),
        _ => add::<W, S, T>(slots, table),
    }
}

#[inline(always)]
fn add<W: Wide, S: Eight, T: Table + ?Sized>(slots: &[Slot<S, T::Index>], table: &T) -> Columns<W> {
    let [a, e, i, m] = two::<W, S, T>(slots, 0, table);
    let [b, f, j, n] = two::<W, S, T>(slots, 1, table);
    let [c, g, k, o] = two::<W, S, T>(slots, 2, table);
    let [d, h, l, p] = two::<W, S, T>(slots, 3, table);
    let [ax, ay, az, _] = W::transpose([a, b, c, d]);
    let [bx, by, bz, _] = W::transpose([e, f, g, h]);
    let [cx, cy, cz, _] = W::transpose([i, j, k, l]);
    let [dx, dy, dz, _] = W::transpose([m, n, o, p]);
    [[ax, ay, az], [bx, by, bz], [cx, cy, cz], [dx, dy, dz]]
}

/// The four columns of the matrices of two vertices, one in each half.
#[inline(always)]
fn two<W: Wide, S: Eight, T: Table + ?Sized>(
    slots: &[Slot<S, T::Index>],
    vertex: usize,
    table: &T,
) -> [W; 4] {
    let [xy, zw] = sum::<W, S, T>(slots, vertex, table);
    let [other_xy, other_zw] = sum::<W, S, T>(slots, vertex + 4, table);
    [
        xy.first_halves(other_xy),
        xy.second_halves(other_xy),
        zw.first_halves(other_zw),
        zw.second_halves(other_zw),
    ]
}

/// One vertex's matrix: columns x and y, and z and the move.
#[inline(always)]
fn sum<W: Wide, S: Eight, T: Table + ?Sized>(
    slots: &[Slot<S, T::Index>],
    vertex: usize,
    table: &T,
) -> [W; 2] {
    let [xy, zw] = &table.matrix(slots[0].joints[vertex]).0;
    let weight = W::splat(slots[0].weights.read()[vertex]);
    let mut sum = [W::load(xy) * weight, W::load(zw) * weight];
    for slot in &slots[1..] {
        let [xy, zw] = &table.matrix(slot.joints[vertex]).0;
        let weight = W::splat(slot.weights.read()[vertex]);
        sum = [W::load(xy).mul_add(weight, sum[0]), W::load(zw).mul_add(weight, sum[1])];
    }
    sum
}

#[inline(always)]
fn place<W: Wide>([a, b, c, d]: &Columns<W>, [x, y, z]: [W; 3]) -> [W; 3] {
    let mut out = *d;
    for axis in 0..3 {
        out[axis] = z.mul_add(c[axis], y.mul_add(b[axis], x.mul_add(a[axis], d[axis])));
    }
    out
}

#[inline(always)]
fn dot<W: Wide>([a, b, c]: [W; 3], [x, y, z]: [W; 3]) -> W {
    c.mul_add(z, b.mul_add(y, a * x))
}

#[inline(always)]
fn cross<W: Wide>([a, b, c]: [W; 3], [x, y, z]: [W; 3]) -> [W; 3] {
    [c.mul_sub_from(y, b * z), a.mul_sub_from(z, c * x), b.mul_sub_from(x, a * y)]
}

/// Where a vector's square length can be worked with; the root of others is nothing to go by.
#[inline(always)]
fn good<W: Wide>(square: W) -> W::Ints {
    square.above(W::splat(1e-36)) & W::splat(1e36).above(square)
}

/// Normals by the cofactors, outward also where the matrix mirrors; and which side that is.
#[inline(always)]
fn turn<W: Wide>([a, b, c, _]: &Columns<W>, [x, y, z]: [W; 3]) -> ([W; 3], W) {
    let (bc, ca, ab) = (cross(*b, *c), cross(*c, *a), cross(*a, *b));
    let (zero, one) = (W::splat(0.0), W::splat(1.0));
    let side = zero.above(dot(*a, bc)).pick(W::splat(-1.0), one);
    let mut out = bc;
    for axis in 0..3 {
        out[axis] = z.mul_add(ab[axis], y.mul_add(ca[axis], x * bc[axis]));
    }
    let square = dot(out, out);
    let (good, scale) = (good(square), square.rsqrt() * side);
    (
        [
            good.pick(out[0] * scale, zero),
            good.pick(out[1] * scale, one),
            good.pick(out[2] * scale, zero),
        ],
        side,
    )
}

/// Tangents by the matrix itself, made square to the normal.
#[inline(always)]
fn along<W: Wide>(
    [a, b, c, _]: &Columns<W>,
    normal: [W; 3],
    side: W,
    [x, y, z, w]: [W; 4],
) -> [W; 4] {
    let mut out = normal;
    for axis in 0..3 {
        out[axis] = z.mul_add(c[axis], y.mul_add(b[axis], x * a[axis]));
    }
    let lean = dot(normal, out);
    for axis in 0..3 {
        out[axis] = normal[axis].mul_sub_from(lean, out[axis]);
    }
    let square = dot(out, out);
    let (good, scale) = (good(square), square.rsqrt());
    let mut unit = [out[0] * scale, out[1] * scale, out[2] * scale];
    if (W::Ints::splat(-1) - good).any() {
        let instead = any_square(normal);
        for axis in 0..3 {
            unit[axis] = good.pick(unit[axis], instead[axis]);
        }
    }
    [unit[0], unit[1], unit[2], w * side]
}

/// Some unit vectors square to unit vectors.
#[inline(always)]
fn any_square<W: Wide>(vectors: [W; 3]) -> [W; 3] {
    let (mut x, mut y, mut z) = ([0.0; EIGHT], [0.0; EIGHT], [0.0; EIGHT]);
    vectors[0].store(&mut x);
    vectors[1].store(&mut y);
    vectors[2].store(&mut z);
    for lane in 0..EIGHT {
        let square = Vec3::new(x[lane], y[lane], z[lane]).any_orthonormal_vector();
        [x[lane], y[lane], z[lane]] = square.to_array();
    }
    [W::load(&x), W::load(&y), W::load(&z)]
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3A};
    use sinew_scene::{Influence, Influences, MorphTarget, SkinMethod};

    use super::*;
    use crate::{Binding, Weights, deform};

    /// Numbers that look like chance, from -1 to 1.
    fn chance(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(seed: &mut u32) -> Vec3 {
        Vec3::new(chance(seed), chance(seed), chance(seed))
    }

    /// Vertices with none to nine pulls of a dozen joints, some mirrored, one flat.
    fn model(vertices: usize) -> (Primitive, Vec<Affine3A>) {
        let mut seed = 7;
        let mut primitive = Primitive::default();
        for vertex in 0..vertices {
            primitive.positions.push(vector(&mut seed));
            primitive.normals.push(vector(&mut seed).normalize());
            let along = vector(&mut seed).normalize();
            primitive.tangents.push(along.extend(if vertex % 3 == 0 { -1.0 } else { 1.0 }));
            let pulls = if vertex < 16 { vertex % 2 } else { vertex % 10 };
            primitive.influences.push((0..pulls).map(|slot| Influence {
                joint: ((vertex * 5 + slot) % 12) as u32,
                weight: 0.1 + chance(&mut seed).abs(),
            }));
        }
        let changes = |seed: &mut u32| (0..vertices).map(|_| vector(seed) * 0.1).collect();
        primitive.morphs = vec![MorphTarget {
            positions: changes(&mut seed),
            normals: changes(&mut seed),
            tangents: changes(&mut seed),
        }];
        let palette = (0..12).map(|joint| {
            let scale = match joint {
                3 => Vec3::new(-1.0, 1.0, 1.0),
                5 => Vec3::new(1.0, 0.0, 1.0),
                _ => Vec3::new(1.0, 1.2, 0.8),
            };
            let axis = vector(&mut seed).normalize();
            let turn = Quat::from_axis_angle(axis, chance(&mut seed));
            Affine3A::from_scale_rotation_translation(scale, turn, vector(&mut seed))
        });
        let palette = palette.collect();
        (primitive, palette)
    }

    const NODE: Affine3A =
        Affine3A { translation: Vec3A::new(0.0, 0.0, 10.0), ..Affine3A::IDENTITY };

    fn plain(primitive: &Primitive, weights: &[f32], palette: &[Affine3A]) -> Vertices {
        let mut out = Vertices::default();
        let method = SkinMethod::Linear;
        let binding = Binding::Skinned { method, model_from_mesh: palette, without_pull: NODE };
        deform(primitive, weights, binding, &mut out);
        out
    }

    fn on(path: Path, kind: Weights, vertices: usize, weight: f32) -> (Vertices, Vertices) {
        let (primitive, palette) = model(vertices);
        let mut skinner = Skinner::new(&primitive, kind).expect("few joints");
        let mut out = Vertices::default();
        skinner.skin_on(path, &primitive, &[weight], &palette, NODE, &mut out);
        (out, plain(&primitive, &[weight], &palette))
    }

    fn compare(found: &Vertices, expected: &Vertices, bound: f32, of: &str) {
        for vertex in 0..expected.positions.len() {
            let (a, b) = (found.positions[vertex], expected.positions[vertex]);
            assert!(a.abs_diff_eq(b, bound), "{of}: vertex {vertex} is at {a}, not {b}");
            // Directions of nearly flat matrices are as good as their length.
            let (a, b) = (found.normals[vertex], expected.normals[vertex]);
            assert!(a.abs_diff_eq(b, 60.0 * bound), "{of}: normal {vertex} is {a}, not {b}");
            let (a, b) = (found.tangents[vertex], expected.tangents[vertex]);
            assert!(a.abs_diff_eq(b, 60.0 * bound), "{of}: tangent {vertex} is {a}, not {b}");
        }
    }

    #[test]
    fn every_path_gives_what_the_plain_way_gives() {
        for path in Path::ALL {
            for vertices in [0, 1, 7, 8, 203] {
                for weight in [0.0, 0.7] {
                    let (found, expected) = on(path, Weights::Exact, vertices, weight);
                    compare(&found, &expected, 4e-6, &format!("{path:?} of {vertices}"));
                }
            }
        }
    }

    #[test]
    fn packed_weights_stay_within_their_bound() {
        // Nine pulls, each rounded by half a part and mended by four, of matrices 4 m apart.
        let (found, expected) = on(Path::current(), Weights::Packed, 203, 0.0);
        compare(&found, &expected, 9.0 / 65535.0, "packed");
    }

    #[test]
    fn the_deterministic_path_has_the_bits_of_the_plain_numbers() {
        let bits = |path| {
            let (found, _) = on(path, Weights::Exact, 203, 0.7);
            let numbers = triples(&found.positions).as_flattened().iter();
            let numbers = numbers.chain(triples(&found.normals).as_flattened());
            numbers.chain(quads(&found.tangents).as_flattened()).map(|n| n.to_bits()).collect()
        };
        let (found, expected): (Vec<u32>, Vec<u32>) =
            (bits(Path::Deterministic), bits(Path::Scalar));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_tangent_along_its_normal_becomes_any_that_is_square() {
        let mut influences = Influences::default();
        influences.push([Influence { joint: 0, weight: 1.0 }]);
        let primitive = Primitive {
            positions: vec![Vec3::ZERO],
            normals: vec![Vec3::Z],
            tangents: vec![Vec3::Z.extend(1.0)],
            influences,
            ..Primitive::default()
        };
        let mut out = Vertices::default();
        let mut skinner = Skinner::new(&primitive, Weights::Exact).expect("few joints");
        skinner.skin(&primitive, &[], &[Affine3A::IDENTITY], NODE, &mut out);
        let tangent = out.tangents[0].truncate();
        assert!(tangent.is_normalized() && tangent.dot(Vec3::Z).abs() < 1e-6, "{tangent}");
    }

    #[test]
    fn a_large_mesh_is_streamed_and_comes_out_the_same() {
        let vertices = STREAM_FROM / 24 + 11;
        let (mut primitive, palette) = model(64);
        for at in 64..vertices {
            primitive.positions.push(primitive.positions[at % 64]);
            primitive.normals.push(primitive.normals[at % 64]);
            let pulls = primitive.influences.of(at % 64).to_vec();
            primitive.influences.push(pulls);
        }
        (primitive.tangents, primitive.morphs) = (Vec::new(), Vec::new());
        let mut out = Vertices::default();
        let mut skinner = Skinner::new(&primitive, Weights::Exact).expect("few joints");
        skinner.skin(&primitive, &[], &palette, NODE, &mut out);
        assert_eq!(out.positions.len(), vertices);
        for at in 64..vertices {
            assert_eq!(out.positions[at], out.positions[at % 64], "vertex {at}");
            assert_eq!(out.normals[at], out.normals[at % 64], "normal {at}");
        }
        let (mut small, _) = model(64);
        (small.tangents, small.morphs) = (Vec::new(), Vec::new());
        let expected = plain(&small, &[], &palette);
        for at in 0..64 {
            assert!(out.positions[at].abs_diff_eq(expected.positions[at], 4e-6), "vertex {at}");
        }
    }
}
