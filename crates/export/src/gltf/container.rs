//! GLB: a header, the JSON, the buffer.

use super::bin::Bin;
use crate::ExportError;

/// The parts in one file. Chunks are padded to four bytes: JSON with spaces, the buffer with zeros.
pub(super) fn glb(mut json: Vec<u8>, bin: Bin<'_>) -> Result<Vec<u8>, ExportError> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks = if bin.len() == 0 { 8 } else { 16 };
    let total = 12 + chunks + json.len() + bin.len();
    let long = |length: usize| {
        let most = u32::MAX as usize;
        let error = ExportError::TooMany { what: "bytes in a GLB file", most, found: total };
        u32::try_from(length).map(u32::to_le_bytes).map_err(|_| error)
    };
    let mut file = Vec::with_capacity(total - bin.len());
    file.extend_from_slice(b"glTF");
    file.extend_from_slice(&2_u32.to_le_bytes());
    file.extend_from_slice(&long(total)?);
    file.extend_from_slice(&long(json.len())?);
    file.extend_from_slice(b"JSON");
    file.append(&mut json);
    if bin.len() > 0 {
        file.extend_from_slice(&long(bin.len())?);
        file.extend_from_slice(b"BIN\0");
    }
    Ok(bin.behind(&file))
}
