//! Arrays as numpy's .npz: a ZIP archive, not compressed, with one .npy file for each.
//!
//! NEP 1 has the format of .npy; the headers are padded so that data begins at a multiple of 64 bytes of its file.

/// An archive while it is written.
#[derive(Debug, Default)]
pub(super) struct Npz {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl Npz {
    /// Adds an array of float32.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(name, "<f4", shape, &data);
    }

    /// Adds an array of int32.
    pub(super) fn integers(&mut self, name: &str, numbers: &[i32]) {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(name, "<i4", &[numbers.len()], &data);
    }

    /// Adds an array of texts.
    pub(super) fn texts(&mut self, name: &str, texts: &[&str]) {
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let mut data = Vec::with_capacity(texts.len() * width * 4);
        for text in texts {
            let signs = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            data.extend(signs.flat_map(u32::to_le_bytes));
        }
        self.add(name, &format!("<U{width}"), &[texts.len()], &data);
    }

    fn add(&mut self, name: &str, dtype: &str, shape: &[usize], data: &[u8]) {
        let mut file = header(dtype, shape);
        file.extend_from_slice(data);
        self.store(&format!("{name}.npy"), &file);
    }

    /// A file in the archive, as it is.
    fn store(&mut self, name: &str, file: &[u8]) {
        let offset = self.bytes.len() as u32;
        let mut facts = Vec::new();
        // Version 2.0, no flags, stored, 1980-01-01: the same arrays give the same bytes.
        for number in [20_u16, 0, 0, 0, 0x21] {
            facts.extend(number.to_le_bytes());
        }
        for number in [crc32(file), file.len() as u32, file.len() as u32] {
            facts.extend(number.to_le_bytes());
        }
        facts.extend((name.len() as u16).to_le_bytes());
        facts.extend(0_u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&facts);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(file);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(20_u16.to_le_bytes());
        self.directory.extend(&facts);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
    }

    /// The whole; `None` where it is beyond what a ZIP archive holds.
    pub(super) fn finish(mut self) -> Option<Vec<u8>> {
        let start = u32::try_from(self.bytes.len()).ok()?;
        let length = u32::try_from(self.directory.len()).ok()?;
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.count.to_le_bytes());
        self.bytes.extend(self.count.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        Some(self.bytes)
    }
}

fn header(dtype: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|size| format!("{size},")).collect();
    let sizes = sizes.join(" ");
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let whole = (10 + text.len() + 1).div_ceil(64) * 64;
    text.push_str(&" ".repeat(whole - 11 - text.len()));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// As ZIP wants it: the polynomial 0xEDB88320, bits from the lowest.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |sum: u32, byte: &u8| (sum >> 8) ^ TABLE[((sum ^ u32::from(*byte)) & 0xFF) as usize];
    !bytes.iter().fold(!0, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut value = at as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_nine_digits_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn data_begins_at_a_multiple_of_64_bytes() {
        let header = header("<f4", &[3, 7]);
        assert_eq!(header.len() % 64, 0);
        let text = String::from_utf8_lossy(&header[10..]);
        assert!(
            text.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 7,), }"),
            "{text}"
        );
        assert!(text.ends_with('\n'));
    }
}
