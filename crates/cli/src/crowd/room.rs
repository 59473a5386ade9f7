//! Whether there is room for so many.

use std::fs;

use super::args::On;
use crate::fault::Fault;
use crate::info::bytes_text;

/// More is not taken, whatever there is.
const MAX_BYTES: u64 = 16 << 30;

/// What each character takes, at least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    pub(crate) joints: usize,
    /// Written by a GPU, or for an image.
    pub(crate) matrices: usize,
    /// How many crowds there are at once.
    pub(crate) crowds: usize,
    pub(crate) drawn: bool,
    pub(crate) on: On,
}

impl Needs {
    fn each(&self) -> u64 {
        let palette = 48 * self.matrices as u64;
        let drawn = if self.drawn { 400 + palette } else { 0 };
        let posed = match self.on {
            On::Cpu => self.crowds as u64 * (21 + 48 * self.joints as u64),
            On::Gpu => 96 + palette,
        };
        64 + posed + drawn
    }
}

/// Refuses more characters than there is memory for.
pub(crate) fn check(count: u64, needs: &Needs) -> Result<usize, Fault> {
    let each = needs.each();
    let bytes = count.saturating_mul(each);
    let most = free().unwrap_or(MAX_BYTES).min(MAX_BYTES);
    match usize::try_from(count) {
        Ok(count) if bytes <= most && count <= u32::MAX as usize => Ok(count),
        _ => Err(Fault::Work(format!(
            "{count} characters would take {} of memory, {each} bytes each, and there is room for {} ({})",
            bytes_text(bytes),
            most / each.max(1),
            bytes_text(most)
        ))),
    }
}

/// Bytes that the system can give, if it tells (Linux).
fn free() -> Option<u64> {
    let memory = fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_million_are_refused_with_what_they_would_take() {
        let needs = Needs { joints: 67, matrices: 0, crowds: 1, drawn: false, on: On::Cpu };
        // 64 + 21 + 67 · 48 bytes each.
        let Err(Fault::Work(told)) = check(100_000_000, &needs) else { panic!("refused") };
        assert!(told.contains("330.1 GB") && told.contains("3301 bytes each"), "{told}");
        assert!(check(u64::MAX, &needs).is_err());
        assert!(matches!(check(10, &needs), Ok(10)));
    }
}
