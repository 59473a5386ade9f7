//! Instructions instead of nanoseconds: what a busy machine does not change.
//!
//! This very program is run under callgrind twice, once with more calls; the difference is the work,
//! without what it takes to start.

use std::process::Command;

use crate::BenchError;

/// Calls of the shorter run, and of the longer.
const CALLS: [u32; 2] = [2, 6];

/// Instructions of one call of a row's work.
pub(super) fn instructions(name: &str) -> Result<f64, BenchError> {
    let [few, more] = CALLS;
    let apart = collected(name, more)? - collected(name, few)?;
    Ok(apart / f64::from(more - few))
}

fn collected(name: &str, calls: u32) -> Result<f64, BenchError> {
    let program = std::env::current_exe().map_err(|error| {
        BenchError::Work(format!("cannot find this program to run it again: {error}"))
    })?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["bench", "--only", name, "--calls", &calls.to_string()])
        .output()
        .map_err(|error| {
            BenchError::Work(format!(
                "--count: cannot run valgrind ({error}); install the package valgrind"
            ))
        })?;
    let said = String::from_utf8_lossy(&output.stderr);
    found(&said).ok_or_else(|| {
        let last = said.lines().last().unwrap_or_default();
        BenchError::Work(format!("--count: expected a count from callgrind, found \"{last}\""))
    })
}

/// The number after "Collected :".
fn found(said: &str) -> Option<f64> {
    let (_, rest) = said.split_once("Collected :")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_what_callgrind_says_it_collected() {
        let said = "==7== Events    : Ir\n==7== Collected : 123456789\n==7== \n";
        assert_eq!(found(said), Some(123_456_789.0));
        assert_eq!(found("==7== valgrind: no such program\n"), None);
    }
}
