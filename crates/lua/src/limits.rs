//! What a script may use, and the meter that stops it.
//!
//! In:  instructions as the interpreter counts them, steps of work done here on a script's behalf, time.
//! Out: an error, once a limit is passed; from then on at every question, until the next call into the script begins.
//!
//! Every way to catch an error asks the meter before it goes on, so no script can swallow the stop.

use std::cell::Cell;
use std::fmt;
use std::time::{Duration, Instant};

/// What a script may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of memory for all that the script makes in Lua.
    pub memory: usize,
    /// Instructions in one call: the script's body, `Awake`, or one `Update`.
    pub instructions: u64,
    /// Seconds in one call, without those that files take to be read.
    pub seconds: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 128 << 20, instructions: 100_000_000, seconds: 20.0 }
    }
}

/// How many times as long as the script itself files may take, in one call.
const MAX_FILE_TIME: f64 = 15.0;

/// Why a script was stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    Instructions,
    Seconds,
}

/// Counts what a call uses.
pub(crate) struct Meter {
    limits: Limits,
    spent: Cell<u64>,
    begun: Cell<Instant>,
    /// Time that files took.
    aside: Cell<Duration>,
    stop: Cell<Option<Stop>>,
    /// The message of each stop.
    messages: [String; 2],
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meter({} of {})", self.spent.get(), self.limits.instructions)
    }
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            spent: Cell::new(0),
            begun: Cell::new(Instant::now()),
            aside: Cell::new(Duration::ZERO),
            stop: Cell::new(None),
            messages: [
                stopped_after(&format!("{} instructions", limits.instructions)),
                stopped_after(&format!("{} seconds", limits.seconds)),
            ],
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A new call into the script begins.
    pub(crate) fn begin(&self) {
        self.spent.set(0);
        self.begun.set(Instant::now());
        self.aside.set(Duration::ZERO);
        self.stop.set(None);
    }

    /// So many steps were done for the script.
    pub(crate) fn spend(&self, steps: u64) -> mlua::Result<()> {
        match self.count(steps) {
            None => Ok(()),
            Some(message) => Err(mlua::Error::runtime(message)),
        }
    }

    /// Whether the script may go on.
    pub(crate) fn check(&self) -> mlua::Result<()> {
        self.spend(0)
    }

    /// So many steps were done; gives the message when that is the end.
    pub(crate) fn count(&self, steps: u64) -> Option<&str> {
        self.spent.set(self.spent.get().saturating_add(steps));
        if self.stop.get().is_none() {
            if self.spent.get() > self.limits.instructions {
                self.stop.set(Some(Stop::Instructions));
            } else if self.seconds() > self.limits.seconds {
                self.stop.set(Some(Stop::Seconds));
            }
        }
        self.stop.get().map(|stop| self.messages[stop as usize].as_str())
    }

    /// Whether something of so many bytes may be made.
    pub(crate) fn fits(&self, bytes: usize) -> mlua::Result<()> {
        if bytes > self.limits.memory {
            return Err(mlua::Error::MemoryError(String::new()));
        }
        Ok(())
    }

    /// Does work whose time is not the script's, within reason.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        let limit = Duration::from_secs_f64((self.limits.seconds * MAX_FILE_TIME).clamp(0.0, 1e6));
        self.aside.set((self.aside.get() + begun.elapsed()).min(limit));
        done
    }

    fn seconds(&self) -> f64 {
        self.begun.get().elapsed().saturating_sub(self.aside.get()).as_secs_f64()
    }
}

fn stopped_after(limit: &str) -> String {
    format!("stopped after {limit} in one call: is there a loop without an end?")
}
