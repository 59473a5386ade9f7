//! From an accessor's bytes to numbers.
//!
//! In:  [`Elements`], whose bytes are known to be there.
//! Out: floats or whole numbers, element by element, in whatever type the caller makes of them.
//!
//! Numbers of every type become floats in one plain list first, which is then cut into elements. Only plain
//! floats, the usual case, go straight to what the caller wants.

use super::accessor::{Changes, Elements};
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
    pub(super) fn floats<const N: usize, V>(
        &self,
        budget: &mut Budget,
        make: impl Fn([f32; N]) -> V,
    ) -> Result<Vec<V>, ImportError> {
        self.expect_len(&[N])?;
        self.take(budget, size_of::<V>())?;
        if let Some(Run { bytes, stride }) = self.plain_floats() {
            let read = |element: &[[u8; 4]; N]| make(element.map(f32::from_le_bytes));
            if stride == N * 4 {
                let (elements, _) = bytes.as_chunks::<4>().0.as_chunks::<N>();
                return Ok(elements.iter().take(self.count).map(read).collect());
            }
            let elements = bytes.chunks(stride.max(N * 4)).take(self.count);
            let first = |element: &'_ [u8]| element.as_chunks::<4>().0.first_chunk().copied();
            return Ok(elements
                .map(|element| read(&first(element).unwrap_or([[0; 4]; N])))
                .collect());
        }
        let numbers = self.numbers()?;
        Ok(numbers.as_chunks::<N>().0.iter().map(|element| make(*element)).collect())
    }

    /// Whether all elements are filed as they stand, none of them changed or packed.
    pub(super) fn is_plain(&self) -> bool {
        self.run.is_some() && self.changes.is_none() && self.quantized.is_none()
    }

    /// At most `count` of the elements from one on, of those that are [plain](Self::is_plain).
    pub(super) fn part(&self, from: usize, count: usize) -> Self {
        let count = count.min(self.count.saturating_sub(from));
        let run = self.run.map(|run| Run {
            bytes: run.bytes.get(from.saturating_mul(run.stride)..).unwrap_or_default(),
            ..run
        });
        let Self { shape, component, normalized, .. } = *self;
        let place = self.place.clone();
        Self { count, shape, component, normalized, place, run, changes: None, quantized: None }
    }

    /// Every element as `N` whole numbers.
    pub(super) fn wholes<const N: usize>(
        &self,
        budget: &mut Budget,
    ) -> Result<Vec<[u32; N]>, ImportError> {
        self.expect_len(&[N])?;
        self.take(budget, size_of::<[u32; N]>())?;
        if let Some(wholes) = self.packed_wholes() {
            return Ok(wholes);
        }
        let read = |run, count| self.layout(run, count).wholes(self.component);
        let mut wholes = match self.run {
            Some(run) => read(run, self.count).ok_or_else(|| self.not_whole(self.component))?,
            None => vec![0; self.count * N],
        };
        if let Some(changes) = &self.changes {
            let values = read(changes.values, changes.count);
            let values = values.ok_or_else(|| self.not_whole(self.component))?;
            self.change(&mut wholes, &values, changes)?;
        }
        Ok(wholes.as_chunks::<N>().0.to_vec())
    }

    /// The elements, where they are unsigned numbers one after the other and nothing else.
    fn packed_wholes<const N: usize>(&self) -> Option<Vec<[u32; N]>> {
        let run = self.run.filter(|_| self.changes.is_none() && self.shape.columns == 1)?;
        let packed = run.stride == N * self.component.size();
        let run = packed.then_some(run.bytes)?;
        match self.component {
            Component::U8 => Some(packed_elements(run, self.count, |[byte]| u32::from(byte))),
            Component::U16 => {
                Some(packed_elements(run, self.count, |both| u16::from_le_bytes(both).into()))
            }
            Component::U32 => Some(packed_elements(run, self.count, u32::from_le_bytes)),
            _ => None,
        }
    }

    /// The elements as they lie in the file, `B` bytes each: where they are vectors of four plain
    /// numbers, one after the other, and nothing changes them.
    pub(super) fn packed_fours<const B: usize>(&self) -> Option<&[[u8; B]]> {
        let four = self.shape.columns == 1 && self.shape.rows == 4;
        let plain = self.changes.is_none() && self.quantized.is_none();
        let fits = self.component.size() * 4 == B;
        let run = self.run.filter(|run| four && plain && fits && run.stride == B)?;
        run.bytes.as_chunks::<B>().0.get(..self.count)
    }

    /// Memory for all elements, and for those that change.
    fn take(&self, budget: &mut Budget, size: usize) -> Result<(), ImportError> {
        budget.take(self.count, size, &self.place)?;
        match &self.changes {
            Some(changes) => budget.take(changes.count, size + 4, &self.place),
            None => Ok(()),
        }
    }

    /// The elements, where they are floats as they stand.
    fn plain_floats(&self) -> Option<Run<'_>> {
        let plain =
            self.component == Component::F32 && self.changes.is_none() && self.quantized.is_none();
        self.run.filter(|_| plain)
    }

    /// The numbers of all elements, one after the other.
    fn numbers(&self) -> Result<Vec<f32>, ImportError> {
        let mut numbers = match self.run {
            Some(run) => self.read(run, self.count)?,
            None => vec![0.0; self.count * self.shape.len()],
        };
        if let Some(changes) = &self.changes {
            let values = self.read(changes.values, changes.count)?;
            self.change(&mut numbers, &values, changes)?;
        }
        Ok(numbers)
    }

    fn read(&self, run: Run<'_>, count: usize) -> Result<Vec<f32>, ImportError> {
        let mut numbers = self.layout(run, count).floats(self.component, self.normalized);
        if let Some(quantized) = self.quantized {
            let length = self.shape.len();
            let matrix = self.decode_matrix(quantized)?;
            for element in numbers.chunks_exact_mut(length) {
                decode(element, matrix);
            }
        }
        Ok(numbers)
    }

    fn layout<'r>(&self, run: Run<'r>, count: usize) -> Layout<'r> {
        Layout { run, count, shape: self.shape }
    }

    fn decode_matrix<'q>(&self, quantized: &'q Quantized) -> Result<&'q [Number], ImportError> {
        let matrix = &quantized.decode_matrix;
        let wanted = (self.shape.len() + 1).pow(2);
        if matrix.len() != wanted {
            let text =
                format!("expected a decodeMatrix of {wanted} numbers, found {}", matrix.len());
            return Err(ImportError::malformed(self.place.clone(), text));
        }
        Ok(matrix)
    }

    /// Puts the values of sparse elements where their indices say.
    fn change<T: Copy>(
        &self,
        all: &mut [T],
        values: &[T],
        changes: &Changes<'_>,
    ) -> Result<(), ImportError> {
        let one = Shape { columns: 1, rows: 1 };
        let indices = Layout { run: changes.indices, count: changes.count, shape: one };
        let indices = indices.wholes(changes.component);
        let indices = indices.ok_or_else(|| self.not_whole(changes.component))?;
        let length = self.shape.len();
        for (index, value) in indices.into_iter().zip(values.chunks_exact(length)) {
            let from = (index as usize).saturating_mul(length);
            let known = all.get_mut(from..from.saturating_add(length));
            known
                .ok_or_else(|| {
                    let text =
                        format!("expected a sparse index below {}, found {index}", self.count);
                    ImportError::out_of_range(self.place.clone(), text)
                })?
                .copy_from_slice(value);
        }
        Ok(())
    }

    fn not_whole(&self, found: Component) -> ImportError {
        let text = format!("expected unsigned whole numbers, found {found:?}");
        ImportError::malformed(self.place.clone(), text)
    }
}

/// Elements of `N` numbers of `S` bytes each, one after the other.
fn packed_elements<const N: usize, const S: usize>(
    bytes: &[u8],
    count: usize,
    read: impl Fn([u8; S]) -> u32,
) -> Vec<[u32; N]> {
    let (elements, _) = bytes.as_chunks::<S>().0.as_chunks::<N>();
    elements.iter().take(count).map(|element| element.map(&read)).collect()
}

/// `matrix * (element, 1)` without the last row.
fn decode(element: &mut [f32], matrix: &[Number]) {
    let length = element.len();
    let entry = |column: usize, row: usize| matrix[column * (length + 1) + row].0;
    let row = |row: usize| {
        let columns = element.iter().enumerate();
        let sum: f32 = columns.map(|(column, number)| entry(column, row) * number).sum();
        sum + entry(length, row)
    };
    let decoded: Vec<f32> = (0..length).map(row).collect();
    element.copy_from_slice(&decoded);
}

struct Layout<'a> {
    run: Run<'a>,
    count: usize,
    shape: Shape,
}

impl Layout<'_> {
    fn floats(&self, component: Component, normalized: bool) -> Vec<f32> {
        match (component, normalized) {
            (Component::F32, _) => self.each(f32::from_le_bytes),
            (Component::I8, false) => self.each(|b| f32::from(i8::from_le_bytes(b))),
            (Component::U8, false) => self.each(|b| f32::from(u8::from_le_bytes(b))),
            (Component::I16, false) => self.each(|b| f32::from(i16::from_le_bytes(b))),
            (Component::U16, false) => self.each(|b| f32::from(u16::from_le_bytes(b))),
            (Component::I32, false) => self.each(|b| i32::from_le_bytes(b) as f32),
            (Component::U32, false) => self.each(|b| u32::from_le_bytes(b) as f32),
            // Glossary of glTF 2.0, 3.6.2.2: the most negative number stands for -1 too.
            (Component::I8, true) => {
                self.each(|b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0))
            }
            (Component::U8, true) => self.each(|b| f32::from(u8::from_le_bytes(b)) / 255.0),
            (Component::I16, true) => {
                self.each(|b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0))
            }
            (Component::U16, true) => self.each(|b| f32::from(u16::from_le_bytes(b)) / 65535.0),
            (Component::I32, true) => {
                let part = |b| (f64::from(i32::from_le_bytes(b)) / f64::from(i32::MAX)).max(-1.0);
                self.each(|b| part(b) as f32)
            }
            (Component::U32, true) => {
                self.each(|b| (f64::from(u32::from_le_bytes(b)) / f64::from(u32::MAX)) as f32)
            }
        }
    }

    /// `None` for components that are not unsigned and whole.
    fn wholes(&self, component: Component) -> Option<Vec<u32>> {
        Some(match component {
            Component::U8 => self.each(|b| u32::from(u8::from_le_bytes(b))),
            Component::U16 => self.each(|b| u32::from(u16::from_le_bytes(b))),
            Component::U32 => self.each(u32::from_le_bytes),
            _ => return None,
        })
    }

    /// All numbers, each of `S` bytes.
    fn each<const S: usize, T>(&self, read: impl Fn([u8; S]) -> T) -> Vec<T> {
        let Run { bytes, stride } = self.run;
        let Shape { columns, rows } = self.shape;
        let column_stride = if columns > 1 { (rows * S).next_multiple_of(4) } else { rows * S };
        let mut numbers = Vec::with_capacity(self.count * columns * rows);
        // Nearly all numbers lie side by side.
        if columns == 1 && stride == rows * S {
            let (filed, _) = bytes.as_chunks::<S>();
            numbers.extend(filed.iter().take(self.count * rows).map(|&bytes| read(bytes)));
            numbers.extend((numbers.len()..self.count * rows).map(|_| read([0; S])));
            return numbers;
        }
        for element in bytes.chunks(stride.max(1)).take(self.count) {
            if let Some(filed) = element.as_chunks::<S>().0.get(..rows).filter(|_| columns == 1) {
                numbers.extend(filed.iter().map(|&bytes| read(bytes)));
                continue;
            }
            for column in 0..columns {
                let column = element.get(column * column_stride..).unwrap_or_default();
                let (filed, _) = column.as_chunks::<S>();
                numbers
                    .extend((0..rows).map(|row| read(filed.get(row).copied().unwrap_or([0; S]))));
            }
        }
        numbers
    }
}
