//! How an accessor's bytes lie: the type of its components and the shape of its elements.

use crate::{ImportError, Place, files};

/// The type of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    /// Only inside Draco streams; glTF itself has none.
    I32,
    U32,
    F32,
}

impl Component {
    pub(super) fn from_code(code: usize, place: &Place) -> Result<Self, ImportError> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5124 => Self::I32,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => {
                let text = format!("expected a component type from 5120 to 5126, found {code}");
                return Err(ImportError::malformed(place.clone(), text));
            }
        })
    }

    /// In bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
        }
    }
}

impl Component {
    /// Whether it is a whole number from zero up.
    pub(super) fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// The largest whole number, for types that indices have.
    pub(super) fn largest(self) -> u32 {
        match self.size() {
            1 => u32::from(u8::MAX),
            2 => u32::from(u16::MAX),
            _ => u32::MAX,
        }
    }

    /// The value of one where integers are weights: a file that forgot to mark them as
    /// normalised still means parts of the whole.
    pub(super) fn full(self, normalized: bool) -> f32 {
        match self {
            Self::U8 if !normalized => 255.0,
            Self::U16 if !normalized => 65535.0,
            _ => 1.0,
        }
    }
}

/// Columns and rows of an element; a vector is one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Shape {
    pub(super) fn from_name(name: &str, place: &Place) -> Result<Self, ImportError> {
        let (columns, rows) = match name {
            "SCALAR" => (1, 1),
            "VEC2" => (1, 2),
            "VEC3" => (1, 3),
            "VEC4" => (1, 4),
            "MAT2" => (2, 2),
            "MAT3" => (3, 3),
            "MAT4" => (4, 4),
            _ => {
                let found = files::shorten(name);
                let text =
                    format!("expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4, found \"{found}\"");
                return Err(ImportError::malformed(place.clone(), text));
            }
        };
        Ok(Self { columns, rows })
    }

    /// How many numbers.
    pub(super) fn len(self) -> usize {
        self.columns * self.rows
    }

    /// From one column to the next, in bytes: a matrix's columns begin at multiples of four.
    pub(super) fn column_stride(self, component: Component) -> usize {
        let column = self.rows * component.size();
        if self.columns > 1 { column.next_multiple_of(4) } else { column }
    }

    /// From one element to the next when the view does not say, in bytes.
    pub(super) fn size(self, component: Component) -> usize {
        self.columns * self.column_stride(component)
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.columns, self.rows) {
            (1, 1) => f.write_str("SCALAR"),
            (1, rows) => write!(f, "VEC{rows}"),
            (columns, _) => write!(f, "MAT{columns}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_small_matrices_begin_at_multiples_of_four() {
        let shape = |name| Shape::from_name(name, &Place::Whole).expect("a shape");
        assert_eq!(shape("MAT2").size(Component::U8), 8);
        assert_eq!(shape("MAT3").size(Component::U8), 12);
        assert_eq!(shape("MAT3").size(Component::U16), 24);
        assert_eq!(shape("MAT4").size(Component::F32), 64);
        assert_eq!(shape("VEC3").size(Component::U8), 3);
    }
}
