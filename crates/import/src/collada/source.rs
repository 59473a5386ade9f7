//! Sources: arrays of numbers or names, seen in rows through an accessor.
//!
//! In:  a `<source>`.
//! Out: rows. A count that exceeds the array is cut to it, so every row below `count` is whole.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{Vec2, Vec3, Vec4};

use super::xml::{self, ElementId, Tag, Xml};
use crate::ImportError;
use crate::finish::hash::Seed;
use crate::note::Notes;

/// Rows of numbers.
#[derive(Clone, Debug)]
pub(super) struct Floats {
    values: Rc<Vec<f32>>,
    offset: usize,
    stride: usize,
    /// How many rows there are.
    pub(super) count: usize,
    /// How many of a row's numbers count.
    width: usize,
    /// Which of them: those with a name, where only some have one. `None` for the first.
    columns: Option<Vec<usize>>,
}

/// A file's sources, each read once.
#[derive(Default)]
pub(super) struct Sources {
    arrays: HashMap<ElementId, Rc<Vec<f32>>, Seed>,
}

impl Sources {
    /// The numbers of a source. `width` is the row length when the file has no accessor.
    pub(super) fn floats(
        &mut self,
        xml: &Xml<'_>,
        source: Tag<'_>,
        width: usize,
        notes: &mut Notes,
    ) -> Result<Floats, ImportError> {
        let accessor = xml::descend(source, &["technique_common", "accessor"]);
        let named = accessor.and_then(|tag| tag.attribute("source"));
        let array = named.and_then(|reference| xml.find_near(source, "float_array", reference));
        let values = match array.or_else(|| xml::child(source, "float_array")) {
            Some(array) => self.array(xml, array, notes)?,
            None => Rc::default(),
        };
        let rows = Rows::of(accessor, width, values.len());
        if rows.cut {
            notes.add(xml.place(source), "a source has fewer numbers than its accessor says");
        }
        let Rows { offset, stride, count, .. } = rows;
        let columns = named_columns(accessor, stride);
        // A row longer than any that is used: a matrix has sixteen numbers.
        let width = columns.as_ref().map_or(stride.min(64), Vec::len);
        Ok(Floats { values, offset, stride, count, width, columns })
    }

    fn array(
        &mut self,
        xml: &Xml<'_>,
        array: Tag<'_>,
        notes: &mut Notes,
    ) -> Result<Rc<Vec<f32>>, ImportError> {
        if let Some(known) = self.arrays.get(&array.id()) {
            return Ok(Rc::clone(known));
        }
        let values = Rc::new(xml.floats(array, notes)?);
        self.arrays.insert(array.id(), Rc::clone(&values));
        Ok(values)
    }
}

struct Rows {
    offset: usize,
    stride: usize,
    count: usize,
    cut: bool,
}

impl Rows {
    fn of(accessor: Option<Tag<'_>>, width: usize, len: usize) -> Self {
        let Some(accessor) = accessor else {
            let stride = width.max(1);
            return Self { offset: 0, stride, count: len / stride, cut: false };
        };
        // A stride of one is the default; several parameters without a stride mean a row of them.
        let params = xml::children(accessor, "param").count();
        let stride = xml::count(accessor, "stride", params).max(1);
        let offset = xml::count(accessor, "offset", 0);
        let whole = len.saturating_sub(offset) / stride;
        let wanted = xml::count(accessor, "count", whole);
        Self { offset, stride, count: wanted.min(whole), cut: wanted > whole }
    }
}

/// The parameters with a name, where only some have one; all others count as they come, since many
/// exporters write no names at all.
fn named_columns(accessor: Option<Tag<'_>>, stride: usize) -> Option<Vec<usize>> {
    let is_named = |param: &Tag<'_>| param.attribute("name").is_some_and(|name| !name.is_empty());
    let params = || accessor.iter().flat_map(|tag| xml::children(*tag, "param"));
    let count = params().count();
    let named = params().filter(is_named).count();
    let mixed = named > 0 && named < count && count <= stride;
    let all = || params().enumerate().filter(|(_, param)| is_named(param));
    mixed.then(|| all().map(|(at, _)| at).collect())
}

impl Floats {
    /// How many numbers of each row count.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A number of a row; `None` past the last row or the last number.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<f32> {
        if row >= self.count || column >= self.width {
            return None;
        }
        let column = match &self.columns {
            Some(columns) => *columns.get(column)?,
            None => column,
        };
        self.values.get(self.offset + row * self.stride + column).copied()
    }

    fn or(&self, row: usize, column: usize, default: f32) -> f32 {
        self.at(row, column).unwrap_or(default)
    }

    /// The first numbers of a row, where they are the first that count.
    #[inline]
    fn first<const N: usize>(&self, row: usize) -> Option<&[f32; N]> {
        if row >= self.count || self.width < N || self.columns.is_some() {
            return None;
        }
        self.values.get(self.offset + row * self.stride..)?.first_chunk()
    }

    /// Numbers that a row lacks are zero.
    pub(super) fn vec2(&self, row: usize) -> Vec2 {
        if let Some(numbers) = self.first::<2>(row) {
            return Vec2::from(*numbers);
        }
        Vec2::new(self.or(row, 0, 0.0), self.or(row, 1, 0.0))
    }

    /// Numbers that a row lacks are zero.
    pub(super) fn vec3(&self, row: usize) -> Vec3 {
        if let Some(numbers) = self.first::<3>(row) {
            return Vec3::from(*numbers);
        }
        Vec3::new(self.or(row, 0, 0.0), self.or(row, 1, 0.0), self.or(row, 2, 0.0))
    }

    /// A colour; without a fourth number it is opaque.
    pub(super) fn color(&self, row: usize) -> Vec4 {
        self.vec3(row).extend(self.or(row, 3, 1.0))
    }

    /// Every row's counted numbers, one after the other.
    pub(super) fn flat(&self) -> Vec<f32> {
        if self.width() == self.stride {
            let end = self.offset + self.count * self.stride;
            return self.values.get(self.offset..end).unwrap_or_default().to_vec();
        }
        let rows = 0..self.count;
        rows.flat_map(|row| (0..self.width()).map(move |c| self.or(row, c, 0.0))).collect()
    }
}

/// The words of a source of names or ids.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) words: Vec<String>,
    /// Whether they are ids, which are unique, or names to be looked for.
    pub(super) are_ids: bool,
    /// How many the file says there are: fewer than the words when names have spaces in them.
    pub(super) declared: usize,
}

/// The array of a source of names or ids, and its kind.
pub(super) fn name_array<'a>(xml: &Xml<'a>, source: Tag<'a>) -> Option<(Tag<'a>, &'static str)> {
    let accessor = xml::descend(source, &["technique_common", "accessor"]);
    let named = accessor.and_then(|tag| tag.attribute("source"));
    ["Name_array", "IDREF_array", "SIDREF_array"].into_iter().find_map(|kind| {
        let array = named.and_then(|reference| xml.find_near(source, kind, reference));
        array.or_else(|| xml::child(source, kind)).map(|array| (array, kind))
    })
}

pub(super) fn names<'a>(xml: &Xml<'a>, source: Tag<'a>) -> Names {
    let Some((array, kind)) = name_array(xml, source) else { return Names::default() };
    let words: Vec<String> = array.text().split_ascii_whitespace().map(str::to_owned).collect();
    let declared = xml::count(array, "count", words.len());
    Names { are_ids: kind == "IDREF_array", declared, words }
}
