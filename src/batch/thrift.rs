//! Thrift's compact protocol, as far as Parquet's footer needs it.
//!
//! In:  fields in the order of their numbers. Out: bytes.

/// A structure that is being written.
#[derive(Debug, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    /// The bytes, with the mark of its end.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    pub(super) fn i32(self, field: u8, value: i32) -> Self {
        self.field(field, 5, &zigzag(i64::from(value)))
    }

    pub(super) fn i64(self, field: u8, value: i64) -> Self {
        self.field(field, 6, &zigzag(value))
    }

    pub(super) fn text(self, field: u8, value: &str) -> Self {
        self.field(field, 8, &text(value))
    }

    pub(super) fn child(self, field: u8, value: Self) -> Self {
        self.field(field, 12, &value.end())
    }

    pub(super) fn children(self, field: u8, values: impl IntoIterator<Item = Self>) -> Self {
        let values = values.into_iter().map(Self::end).collect();
        self.field(field, 9, &list(12, values))
    }

    pub(super) fn i32s(self, field: u8, values: &[i32]) -> Self {
        let values = values.iter().map(|&value| zigzag(i64::from(value))).collect();
        self.field(field, 9, &list(5, values))
    }

    pub(super) fn texts(self, field: u8, values: &[&str]) -> Self {
        let values = values.iter().map(|value| text(value)).collect();
        self.field(field, 9, &list(8, values))
    }

    /// A field by its number, at most 15 after the one before.
    fn field(mut self, field: u8, kind: u8, value: &[u8]) -> Self {
        self.bytes.push((field - self.last) << 4 | kind);
        self.bytes.extend_from_slice(value);
        self.last = field;
        self
    }
}

fn list(kind: u8, values: Vec<Vec<u8>>) -> Vec<u8> {
    let mut bytes = match values.len() {
        few @ 0..15 => vec![(few as u8) << 4 | kind],
        many => [vec![0xf0 | kind], varint(many as u64)].concat(),
    };
    values.iter().for_each(|value| bytes.extend_from_slice(value));
    bytes
}

fn text(value: &str) -> Vec<u8> {
    [varint(value.len() as u64), value.as_bytes().to_vec()].concat()
}

/// Small numbers of either sign in few bytes.
fn zigzag(value: i64) -> Vec<u8> {
    varint((value << 1 ^ value >> 63) as u64)
}

/// Seven bits a byte, the lowest first.
pub(super) fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_as_the_protocol_has_them() {
        let inner = Struct::default().i32(1, -1);
        let found = Struct::default().i64(1, 300).text(3, "ab").child(4, inner).end();
        // 300 zigzagged is 600, in two bytes; -1 is 1.
        assert_eq!(found, [0x16, 0xd8, 0x04, 0x28, 2, b'a', b'b', 0x1c, 0x15, 1, 0, 0]);
        let many = Struct::default().i32s(1, &[1; 15]).end();
        assert_eq!(many[..3], [0x19, 0xf5, 15]);
    }
}
