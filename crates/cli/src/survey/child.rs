//! One file's process, with limits.
//!
//! In:  this program, a file, how long it may take and how much memory.
//! Out: what it found, or how it ended.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::one::Found;

/// What one file may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    pub(super) memory_mib: u64,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum Outcome {
    Found(Box<Found>),
    /// It took longer than it may.
    TimedOut,
    /// A panic, a signal, no memory: the last line that it said.
    Crashed(String),
}

/// Looks at a file in a process of its own.
pub(super) fn run(program: &Path, file: &Path, limits: Limits) -> Outcome {
    let mut child = match start(program, file, limits) {
        Ok(child) => child,
        Err(error) => return Outcome::Crashed(format!("its process did not start: {error}")),
    };
    // Read aside, so that a long answer does not block the process.
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let Some(status) = wait(&mut child, limits.time) else {
        let _ = child.kill();
        let _ = child.wait();
        return Outcome::TimedOut;
    };
    let out = out.join().unwrap_or_default();
    let err = err.join().unwrap_or_default();
    if status.success()
        && let Ok(found) = serde_json::from_slice(&out)
    {
        return Outcome::Found(Box::new(found));
    }
    Outcome::Crashed(last_words(status, &err))
}

fn start(program: &Path, file: &Path, limits: Limits) -> std::io::Result<Child> {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        let kib = limits.memory_mib.saturating_mul(1024);
        shell.arg("-c").arg(format!("ulimit -v {kib} 2>/dev/null; exec \"$0\" \"$@\""));
        shell.arg(program);
        shell
    } else {
        Command::new(program)
    };
    command.args(["survey", "--one"]).arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// `None` when it is not done in time.
fn wait(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if begun.elapsed() < time => std::thread::sleep(pause),
            _ => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn last_words(status: ExitStatus, err: &[u8]) -> String {
    let text = String::from_utf8_lossy(err);
    let panicked = text.lines().position(|line| line.contains("panicked at"));
    let said: Vec<&str> = match panicked {
        Some(at) => text.lines().skip(at).take(2).collect(),
        None => text.lines().last().into_iter().collect(),
    };
    format!("{status}: {}", said.join(" "))
}
