//! Compiled pipelines, kept between runs by whoever has a place for them.
//!
//! In:  bytes from an earlier run; any bytes.
//! Out: wgpu's pipeline cache, and its bytes to keep.
//!
//! The bytes carry a checksum: what was cut short or changed on disk never reaches the driver.

use crate::Gpu;

const MAGIC: &[u8; 8] = b"sinewpc1";

/// The cache, with the bytes of an earlier run where they are whole; `None` where the device has none.
#[allow(unsafe_code)]
pub(crate) fn open(gpu: &Gpu, bytes: Option<&[u8]>) -> Option<wgpu::PipelineCache> {
    if !gpu.device.features().contains(wgpu::Features::PIPELINE_CACHE) {
        return None;
    }
    let data = bytes.and_then(unsealed);
    let descriptor = wgpu::PipelineCacheDescriptor { label: Some("sinew"), data, fallback: true };
    // SAFETY: the bytes came from `PipelineCache::get_data`, as the checksum says; wgpu
    // compares device and driver itself and starts empty where they differ.
    Some(unsafe { gpu.device.create_pipeline_cache(&descriptor) })
}

/// The cache's bytes, to be kept.
pub(crate) fn sealed(cache: &wgpu::PipelineCache) -> Option<Vec<u8>> {
    let data = cache.get_data()?;
    let mut bytes = Vec::with_capacity(data.len() + 16);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&checksum(&data).to_le_bytes());
    bytes.extend_from_slice(&data);
    Some(bytes)
}

fn unsealed(bytes: &[u8]) -> Option<&[u8]> {
    let (magic, rest) = bytes.split_first_chunk::<8>()?;
    let (sum, data) = rest.split_first_chunk::<8>()?;
    (magic == MAGIC && u64::from_le_bytes(*sum) == checksum(data)).then_some(data)
}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_were_cut_or_changed_are_not_used() {
        let data = b"pipelines";
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&checksum(data).to_le_bytes());
        bytes.extend_from_slice(data);
        assert_eq!(unsealed(&bytes), Some(&data[..]));
        for end in 0..bytes.len() {
            assert_eq!(unsealed(&bytes[..end]), None, "{end} bytes");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 4;
            assert_eq!(unsealed(&changed), None, "byte {place}");
        }
    }
}
