//! The codecs of `EXT_meshopt_compression` and `KHR_meshopt_compression`.
//!
//! In:  one compressed buffer view and the layout its extension object states.
//! Out: `count * stride` bytes, little-endian, as if the view had never been compressed.
//!
//! Each codec first works out the fewest bytes that could hold `count` elements and refuses a
//! shorter source, so what is allocated is bounded by what was read: at most 1024 bytes for each
//! byte of an attribute stream, 12 for triangles, 4 for indices.

mod filter;
mod index;
mod unpack;
mod vertex;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;

/// How the view was compressed: the extension's `mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

impl Mode {
    /// The mode an extension object names, or numbers, as before the extension was agreed on.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "ATTRIBUTES" | "0" => Some(Self::Attributes),
            "TRIANGLES" | "1" => Some(Self::Triangles),
            "INDICES" | "2" => Some(Self::Indices),
            _ => None,
        }
    }
}

/// What happens to each decompressed element: the extension's `filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Filter {
    /// The filter an extension object names or numbers.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "NONE" | "0" => Some(Self::None),
            "OCTAHEDRAL" | "1" => Some(Self::Octahedral),
            "QUATERNION" | "2" => Some(Self::Quaternion),
            "EXPONENTIAL" | "3" => Some(Self::Exponential),
            "COLOR" => Some(Self::Color),
            _ => None,
        }
    }
}

/// Decompresses one buffer view of `count` elements of `stride` bytes.
pub(crate) fn decode(
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
    source: &[u8],
) -> Result<Vec<u8>, String> {
    check_layout(mode, filter, count, stride)?;
    match mode {
        Mode::Attributes => {
            let mut elements = vertex::decode(count, stride, source)?;
            filter::apply(filter, stride, &mut elements);
            Ok(elements)
        }
        Mode::Triangles => index::decode_triangles(count, stride, source),
        Mode::Indices => index::decode_sequence(count, stride, source),
    }
}

/// The rules both extensions state for the members of their object.
fn check_layout(mode: Mode, filter: Filter, count: usize, stride: usize) -> Result<(), String> {
    let (holds, rule) = match mode {
        Mode::Attributes => (
            stride.is_multiple_of(4) && (4..=256).contains(&stride),
            "a multiple of 4 from 4 to 256",
        ),
        Mode::Triangles | Mode::Indices => (stride == 2 || stride == 4, "2 or 4"),
    };
    if !holds {
        return Err(format!("byteStride of {mode:?} must be {rule}, found {stride}"));
    }
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(format!("count of Triangles must be a multiple of 3, found {count}"));
    }
    if mode != Mode::Attributes && filter != Filter::None {
        return Err(format!("filter {filter:?} is only for Attributes, found {mode:?}"));
    }
    let (holds, rule) = match filter {
        Filter::None | Filter::Exponential => (true, ""),
        Filter::Octahedral | Filter::Color => (stride == 4 || stride == 8, "4 or 8"),
        Filter::Quaternion => (stride == 8, "8"),
    };
    if !holds {
        return Err(format!("byteStride under filter {filter:?} must be {rule}, found {stride}"));
    }
    Ok(())
}

/// The error of a source too short for the elements it is said to hold.
fn too_short(what: &str, found: usize, count: usize, stride: usize, least: u64) -> String {
    format!(
        "{what} stream has {found} bytes, but {count} elements of {stride} bytes \
         take at least {least}"
    )
}

/// The error of a source which a decoder did not use up.
fn left_over(what: &str, used: usize, end: usize) -> String {
    if used > end {
        format!("{what} stream ends after {end} bytes of data, in the middle of an element")
    } else {
        format!("{what} stream has {end} bytes of data, but its elements take only {used}")
    }
}
