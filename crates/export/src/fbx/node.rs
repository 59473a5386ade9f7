//! The tree that an FBX file is made of, and its binary form.
//!
//! In:  records with a name, properties and records below them.
//! Out: bytes, as version 7.4 has them: 32-bit offsets, arrays packed by zlib where that makes them smaller.
//!
//! Every record begins with where it ends, so records are written after each other and their ends filled in.

use std::sync::Arc;

use crate::ExportError;

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    Bytes(Arc<[u8]>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

macro_rules! from {
    ($($type:ty => $variant:ident;)*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )*};
}

from! {
    bool => Bool;
    i32 => Int;
    i64 => Long;
    f64 => Double;
    String => Text;
    Arc<[u8]> => Bytes;
    Vec<i32> => Ints;
    Vec<i64> => Longs;
    Vec<f32> => Floats;
    Vec<f64> => Doubles;
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// One record of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) name: &'static str,
    pub(super) values: Vec<Value>,
    pub(super) children: Vec<Node>,
}

impl Node {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, values: Vec::new(), children: Vec::new() }
    }

    /// A record of one value.
    pub(super) fn of(name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name).with(value)
    }

    /// The same with one more value.
    pub(super) fn with(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// The same with one more record below.
    pub(super) fn child(mut self, child: Node) -> Self {
        self.children.push(child);
        self
    }

    /// The same with a record of one value below.
    pub(super) fn field(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.child(Self::of(name, value))
    }
}

/// Twelve bytes of counts and one for a name that is not there.
const END_OF_LIST: [u8; 13] = [0; 13];
/// Arrays below this many bytes gain nothing by packing.
const WORTH_PACKING: usize = 128;

/// Writes records one after the other.
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    /// Whether long arrays are packed.
    pub(super) compress: bool,
}

impl Writer {
    pub(super) fn node(&mut self, node: &Node) -> Result<(), ExportError> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 12]);
        self.bytes.push(node.name.len() as u8);
        self.bytes.extend_from_slice(node.name.as_bytes());
        let values = self.bytes.len();
        for value in &node.values {
            self.value(value)?;
        }
        let length = self.bytes.len() - values;
        for child in &node.children {
            self.node(child)?;
        }
        if !node.children.is_empty() || node.values.is_empty() {
            self.bytes.extend_from_slice(&END_OF_LIST);
        }
        let head = [self.bytes.len(), node.values.len(), length];
        for (place, number) in head.into_iter().enumerate() {
            let at = start + 4 * place;
            self.bytes[at..at + 4].copy_from_slice(&short(number)?);
        }
        Ok(())
    }

    /// What ends a list of records.
    pub(super) fn end_of_list(&mut self) {
        self.bytes.extend_from_slice(&END_OF_LIST);
    }

    fn value(&mut self, value: &Value) -> Result<(), ExportError> {
        match value {
            Value::Bool(value) => self.scalar(b'C', &[u8::from(*value)]),
            Value::Int(value) => self.scalar(b'I', &value.to_le_bytes()),
            Value::Long(value) => self.scalar(b'L', &value.to_le_bytes()),
            Value::Double(value) => self.scalar(b'D', &value.to_le_bytes()),
            Value::Text(text) => self.blob(b'S', text.as_bytes())?,
            Value::Bytes(bytes) => self.blob(b'R', bytes)?,
            Value::Ints(list) => self.array(b'i', list.iter().map(|value| value.to_le_bytes()))?,
            Value::Longs(list) => self.array(b'l', list.iter().map(|value| value.to_le_bytes()))?,
            Value::Floats(list) => {
                self.array(b'f', list.iter().map(|value| value.to_le_bytes()))?;
            }
            Value::Doubles(list) => {
                self.array(b'd', list.iter().map(|value| value.to_le_bytes()))?;
            }
        }
        Ok(())
    }

    fn scalar(&mut self, kind: u8, bytes: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(bytes);
    }

    fn blob(&mut self, kind: u8, bytes: &[u8]) -> Result<(), ExportError> {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(&short(bytes.len())?);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn array<const N: usize>(
        &mut self,
        kind: u8,
        items: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> Result<(), ExportError> {
        let count = items.len();
        let plain: Vec<u8> = items.flatten().collect();
        let packed = (self.compress && plain.len() >= WORTH_PACKING)
            .then(|| miniz_oxide::deflate::compress_to_vec_zlib(&plain, 6))
            .filter(|packed| packed.len() < plain.len());
        let content = packed.as_deref().unwrap_or(&plain);
        self.bytes.push(kind);
        for number in [count, usize::from(packed.is_some()), content.len()] {
            self.bytes.extend_from_slice(&short(number)?);
        }
        self.bytes.extend_from_slice(content);
        Ok(())
    }
}

/// Counts and offsets have 32 bits in this version.
fn short(number: usize) -> Result<[u8; 4], ExportError> {
    let most = u32::MAX as usize;
    let short = u32::try_from(number).map_err(|_| ExportError::TooMany {
        what: "bytes in an FBX 7.4 file",
        most,
        found: number,
    })?;
    Ok(short.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(node: &Node, compress: bool) -> Vec<u8> {
        let mut writer = Writer { bytes: Vec::new(), compress };
        writer.node(node).expect("it is small");
        writer.bytes
    }

    #[test]
    fn a_record_says_where_it_ends_and_what_it_holds() {
        let bytes = written(&Node::of("Version", 7), false);
        let expected =
            [&[25, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 7][..], b"Version", &[b'I', 7, 0, 0, 0]];
        assert_eq!(bytes, expected.concat());
    }

    #[test]
    fn records_below_are_closed_by_an_empty_one() {
        let bytes = written(&Node::new("A").child(Node::of("B", true)), false);
        assert_eq!(bytes[0] as usize, bytes.len());
        assert_eq!(bytes[14], 14 + 16, "the end counts from the start of the file");
        assert_eq!(bytes[bytes.len() - 13..], END_OF_LIST);
    }

    #[test]
    fn a_long_array_is_packed_and_a_short_one_is_not() {
        let long = Node::of("Vertices", vec![1.0; 1000]);
        assert!(written(&long, true).len() < 200);
        assert_eq!(written(&long, false).len(), 13 + 8 + 13 + 8000);
        let short = Node::of("Vertices", vec![1.0; 4]);
        assert_eq!(written(&short, true), written(&short, false));
    }
}
