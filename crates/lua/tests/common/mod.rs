//! A folder of its own for each test, and scripts run in it.
#![allow(dead_code, reason = "each test uses its own few of these")]

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use sinew_lua::{Limits, Options, Script, ScriptError};

/// A folder that is gone with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sinew-lua-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("own")).expect("a folder");
        Self(path)
    }

    /// What is not the script's: above its own folder.
    pub(crate) fn above(&self) -> &Path {
        &self.0
    }

    /// The script's own folder.
    pub(crate) fn own(&self) -> PathBuf {
        self.0.join("own")
    }

    /// Writes a file into the script's folder.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.own().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Little of everything, so that what goes on forever ends soon.
pub(crate) fn tight() -> Limits {
    Limits { memory: 16 << 20, instructions: 3_000_000, seconds: 6.0 }
}

pub(crate) type Lines = Rc<RefCell<Vec<String>>>;

/// Options whose lines are kept.
pub(crate) fn listening(limits: Limits, log: bool) -> (Options, Lines) {
    let lines = Lines::default();
    let kept = Rc::clone(&lines);
    let say = move |line: &[u8]| kept.borrow_mut().push(String::from_utf8_lossy(line).into_owned());
    (Options { limits, log, say: Some(Rc::new(say)) }, lines)
}

/// Runs a script's body, `Awake` and some frames of a twenty-fourth of a second; gives its lines.
pub(crate) fn run_in(
    folder: &Folder,
    text: &str,
    limits: Limits,
    frames: u32,
) -> Result<Vec<String>, ScriptError> {
    let path = folder.write("script.lua", text);
    let (options, lines) = listening(limits, false);
    let mut script = Script::open(path, &options)?;
    script.awake()?;
    for frame in 0..frames {
        script.update(if frame == 0 { 0.0 } else { 1.0 / 24.0 })?;
    }
    drop(script);
    Ok(lines.take())
}

/// Runs lines of Lua as a script's `Awake`.
pub(crate) fn run(text: &str) -> Result<Vec<String>, ScriptError> {
    run_in(&Folder::new(), &format!("function Awake() {text}\nend"), Limits::default(), 0)
}

/// Runs lines of Lua that must go well, and gives what they printed.
pub(crate) fn good(text: &str) -> Vec<String> {
    run(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Runs lines of Lua that must fail, and gives the error.
pub(crate) fn bad(text: &str) -> ScriptError {
    match run(text) {
        Ok(lines) => panic!("{text}\nwent well: {lines:?}"),
        Err(error) => error,
    }
}

/// Runs lines of Lua under tight limits in a thread of its own, and fails when they do not come to an end.
pub(crate) fn ends(text: &str) -> Result<Vec<String>, ScriptError> {
    let (done, wait) = mpsc::channel();
    let body = format!("function Awake() {text}\nend");
    std::thread::spawn(move || {
        let _ = done.send(run_in(&Folder::new(), &body, tight(), 0));
    });
    let ended = wait.recv_timeout(Duration::from_secs(90));
    ended.unwrap_or_else(|_| panic!("{text}\ndid not come to an end"))
}
