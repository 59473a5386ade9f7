//! From an accessor's bytes to numbers.
//!
//! In:  [`Elements`], whose bytes are known to be there.
//! Out: floats or whole numbers, element by element, in whatever type the caller makes of them.
//!
//! One loop serves all types: it knows the number and size of components when it is compiled, so
//! that tightly packed floats become a plain copy.

use std::array;

use super::accessor::Elements;
use super::component::{Component, Shape};
use super::json::{Number, Quantized};
use crate::ImportError;
use crate::budget::Budget;

/// Elements one `stride` after the other; the bytes reach to the end of the last one.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) stride: usize,
}

impl Elements<'_> {
    /// Every element as `N` floats; integers are scaled when they are normalised.
    pub(super) fn floats<const N: usize, V: Clone>(
        &self,
        budget: &mut Budget,
        make: impl Fn([f32; N]) -> V + Copy,
    ) -> Result<Vec<V>, ImportError> {
        self.expect_len(&[N])?;
        if let Some(quantized) = self.quantized {
            let matrix = self.decode_matrix::<N>(quantized)?;
            let make = |v: [f32; N]| make(decoded(v, matrix));
            let read = |run: Run<'_>, count: usize| Ok(self.read_floats(run, count, make));
            return self.all(budget, read, || make([0.0; N]));
        }
        let read = |run: Run<'_>, count: usize| Ok(self.read_floats(run, count, make));
        self.all(budget, read, || make([0.0; N]))
    }

    fn decode_matrix<'q, const N: usize>(
        &self,
        quantized: &'q Quantized,
    ) -> Result<&'q [Number], ImportError> {
        let (matrix, wanted) = (&quantized.decode_matrix, (N + 1) * (N + 1));
        if matrix.len() != wanted {
            let text =
                format!("expected a decodeMatrix of {wanted} numbers, found {}", matrix.len());
            return Err(ImportError::malformed(self.place.clone(), text));
        }
        Ok(matrix)
    }

    /// Every element as `N` whole numbers.
    pub(super) fn wholes<const N: usize>(
        &self,
        budget: &mut Budget,
    ) -> Result<Vec<[u32; N]>, ImportError> {
        self.expect_len(&[N])?;
        let read = |run: Run<'_>, count: usize| {
            let layout = Layout { run, count, shape: self.shape };
            layout.wholes(self.component).ok_or_else(|| self.not_whole(self.component))
        };
        self.all(budget, read, || [0; N])
    }

    fn all<V: Clone>(
        &self,
        budget: &mut Budget,
        read: impl Fn(Run<'_>, usize) -> Result<Vec<V>, ImportError>,
        zero: impl FnOnce() -> V,
    ) -> Result<Vec<V>, ImportError> {
        budget.take(self.count, size_of::<V>(), &self.place)?;
        let mut values = match self.run {
            Some(run) => read(run, self.count)?,
            None => vec![zero(); self.count],
        };
        if let Some(changes) = &self.changes {
            budget.take(changes.count, size_of::<V>() + 4, &self.place)?;
            let one = Shape { columns: 1, rows: 1 };
            let indices = Layout { run: changes.indices, count: changes.count, shape: one };
            let indices = indices.wholes::<1>(changes.component);
            let indices = indices.ok_or_else(|| self.not_whole(changes.component))?;
            for ([index], value) in indices.into_iter().zip(read(changes.values, changes.count)?) {
                let known = values.get_mut(index as usize);
                *known.ok_or_else(|| {
                    let text =
                        format!("expected a sparse index below {}, found {index}", self.count);
                    ImportError::out_of_range(self.place.clone(), text)
                })? = value;
            }
        }
        Ok(values)
    }

    fn not_whole(&self, found: Component) -> ImportError {
        let text = format!("expected unsigned whole numbers, found {found:?}");
        ImportError::malformed(self.place.clone(), text)
    }

    fn read_floats<const N: usize, V>(
        &self,
        run: Run<'_>,
        count: usize,
        make: impl Fn([f32; N]) -> V,
    ) -> Vec<V> {
        let layout = Layout { run, count, shape: self.shape };
        match (self.component, self.normalized) {
            (Component::F32, _) => layout.each(f32::from_le_bytes, make),
            (Component::I8, false) => layout.each(|b| f32::from(i8::from_le_bytes(b)), make),
            (Component::U8, false) => layout.each(|b| f32::from(u8::from_le_bytes(b)), make),
            (Component::I16, false) => layout.each(|b| f32::from(i16::from_le_bytes(b)), make),
            (Component::U16, false) => layout.each(|b| f32::from(u16::from_le_bytes(b)), make),
            (Component::I32, false) => layout.each(|b| i32::from_le_bytes(b) as f32, make),
            (Component::U32, false) => layout.each(|b| u32::from_le_bytes(b) as f32, make),
            // Glossary of glTF 2.0, 3.6.2.2: the most negative number stands for -1 too.
            (Component::I8, true) => {
                layout.each(|b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0), make)
            }
            (Component::U8, true) => layout.each(|b| f32::from(u8::from_le_bytes(b)) / 255.0, make),
            (Component::I16, true) => {
                layout.each(|b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0), make)
            }
            (Component::U16, true) => {
                layout.each(|b| f32::from(u16::from_le_bytes(b)) / 65535.0, make)
            }
            (Component::I32, true) => {
                let part = |b| (f64::from(i32::from_le_bytes(b)) / f64::from(i32::MAX)).max(-1.0);
                layout.each(|b| part(b) as f32, make)
            }
            (Component::U32, true) => layout
                .each(|b| (f64::from(u32::from_le_bytes(b)) / f64::from(u32::MAX)) as f32, make),
        }
    }
}

/// `matrix * (v, 1)` without the last row.
fn decoded<const N: usize>(v: [f32; N], matrix: &[Number]) -> [f32; N] {
    array::from_fn(|row| {
        let entry = |column: usize| matrix[column * (N + 1) + row].0;
        let sum: f32 = v.iter().enumerate().map(|(column, number)| entry(column) * number).sum();
        sum + entry(N)
    })
}

struct Layout<'a> {
    run: Run<'a>,
    count: usize,
    shape: Shape,
}

impl Layout<'_> {
    /// `None` for components that are not unsigned and whole.
    fn wholes<const N: usize>(&self, component: Component) -> Option<Vec<[u32; N]>> {
        Some(match component {
            Component::U8 => self.each(|b| u32::from(u8::from_le_bytes(b)), |all| all),
            Component::U16 => self.each(|b| u32::from(u16::from_le_bytes(b)), |all| all),
            Component::U32 => self.each(u32::from_le_bytes, |all| all),
            _ => return None,
        })
    }

    /// Reads `N` numbers of `S` bytes from each element.
    fn each<const N: usize, const S: usize, T, V>(
        &self,
        read: impl Fn([u8; S]) -> T,
        make: impl Fn([T; N]) -> V,
    ) -> Vec<V> {
        let Run { bytes, stride } = self.run;
        let number = |element: &[u8], at: usize| {
            read(element.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; S]))
        };
        let vector = |element: &[u8]| make(array::from_fn(|at| number(element, at * S)));
        let column = (self.shape.rows * S).next_multiple_of(4);
        if self.shape.columns > 1 && column != self.shape.rows * S {
            let rows = self.shape.rows;
            let place = |at: usize| at / rows * column + at % rows * S;
            let matrix = |element: &[u8]| make(array::from_fn(|at| number(element, place(at))));
            return bytes.chunks(stride.max(1)).take(self.count).map(matrix).collect();
        }
        if stride == N * S {
            return bytes.chunks_exact(N * S).take(self.count).map(vector).collect();
        }
        bytes.chunks(stride.max(1)).take(self.count).map(vector).collect()
    }
}
