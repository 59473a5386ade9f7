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
    /// Which of a row's numbers count: those with a name, where only some have one.
    columns: Vec<usize>,
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
        let array = named.and_then(|reference| xml.find("float_array", reference));
        let values = match array.or_else(|| xml::child(source, "float_array")) {
            Some(array) => self.array(xml, array, notes)?,
            None => Rc::default(),
        };
        let rows = Rows::of(accessor, width, values.len());
        if rows.cut {
            notes.add(xml.place(source), "a source has fewer numbers than its accessor says");
        }
        let Rows { offset, stride, count, .. } = rows;
        Ok(Floats { values, offset, stride, count, columns: columns(accessor, stride) })
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

/// A parameter without a name is skipped, unless none has one, as many exporters write it.
fn columns(accessor: Option<Tag<'_>>, stride: usize) -> Vec<usize> {
    let params = accessor.iter().flat_map(|tag| xml::children(*tag, "param"));
    let named: Vec<bool> =
        params.map(|param| param.attribute("name").is_some_and(|name| !name.is_empty())).collect();
    let mixed = named.contains(&true) && named.contains(&false);
    if mixed && named.len() <= stride {
        return (0..named.len()).filter(|&at| named[at]).collect();
    }
    // A row longer than any that is used: a matrix has sixteen numbers.
    (0..stride.min(64)).collect()
}

impl Floats {
    /// How many numbers of each row count.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// A number of a row; `None` past the last row or the last number.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<f32> {
        let column = *self.columns.get(column)?;
        if row >= self.count {
            return None;
        }
        self.values.get(self.offset + row * self.stride + column).copied()
    }

    fn or(&self, row: usize, column: usize, default: f32) -> f32 {
        self.at(row, column).unwrap_or(default)
    }

    /// Numbers that a row lacks are zero.
    pub(super) fn vec2(&self, row: usize) -> Vec2 {
        Vec2::new(self.or(row, 0, 0.0), self.or(row, 1, 0.0))
    }

    /// Numbers that a row lacks are zero.
    pub(super) fn vec3(&self, row: usize) -> Vec3 {
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
        let array = named.and_then(|reference| xml.find(kind, reference));
        array.or_else(|| xml::child(source, kind)).map(|array| (array, kind))
    })
}

pub(super) fn names<'a>(xml: &Xml<'a>, source: Tag<'a>) -> Names {
    let Some((array, kind)) = name_array(xml, source) else { return Names::default() };
    let words: Vec<String> = array.text().split_ascii_whitespace().map(str::to_owned).collect();
    let declared = xml::count(array, "count", words.len());
    Names { are_ids: kind == "IDREF_array", declared, words }
}
