//! Pixels as a PNG file, for formats that hold image files.
//!
//! In:  eight bits each of red, green, blue and alpha, rows from the top.
//! Out: the bytes of a PNG of one data chunk; each row is stored as its difference from the row above.

/// A PNG file of these pixels. What the list is short of is filled with zeros.
pub(crate) fn png(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let stride = width as usize * 4;
    let mut rows = Vec::with_capacity((stride + 1) * height as usize);
    for row in 0..height as usize {
        let at = |row: usize, column: usize| rgba.get(row * stride + column).copied().unwrap_or(0);
        // Filter 2: up.
        rows.push(2);
        rows.extend((0..stride).map(|column| {
            let above = if row > 0 { at(row - 1, column) } else { 0 };
            at(row, column).wrapping_sub(above)
        }));
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Eight bits, red, green, blue and alpha; the usual packing and filters, not interlaced.
    head.extend_from_slice(&[8, 6, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &head);
    chunk(&mut file, b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&rows, 6));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    file.extend_from_slice(&(content.len() as u32).to_be_bytes());
    let from = file.len();
    file.extend_from_slice(kind);
    file.extend_from_slice(content);
    let check = crc(&file[from..]);
    file.extend_from_slice(&check.to_be_bytes());
}

/// The cyclic redundancy check of the PNG specification, annex D.
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
    let table: [u32; 256] = std::array::from_fn(|at| (0..8).fold(at as u32, step));
    let add = |sum: u32, &byte: &u8| table[((sum ^ u32::from(byte)) & 0xff) as usize] ^ (sum >> 8);
    !bytes.iter().fold(!0, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_that_of_the_specification() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn rows_are_told_by_what_changes() {
        let file = png(1, 2, &[10, 20, 30, 255, 11, 20, 29, 255]);
        let from = file.windows(4).position(|four| four == b"IDAT").expect("it has data") + 4;
        let packed = &file[from..file.len() - 16];
        let rows = miniz_oxide::inflate::decompress_to_vec_zlib(packed).expect("it unpacks");
        assert_eq!(rows, [2, 10, 20, 30, 255, 2, 1, 0, 255, 0]);
    }
}
