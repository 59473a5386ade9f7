//! The most memory the process has held at once, where the system tells (Linux).

use std::fs;

/// Starts counting anew.
pub(crate) fn reset_peak() {
    // 5 resets the peak resident size (proc(5), clear_refs). Where that is refused, peaks only grow.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most bytes held since, if the system tells.
pub(crate) fn peak() -> Option<u64> {
    field("VmHWM:")
}

/// The bytes held now, if the system tells.
pub(crate) fn now() -> Option<u64> {
    field("VmRSS:")
}

fn field(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
