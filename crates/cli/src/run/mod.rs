//! `sinew run`: a script in Lua, in a window or as an image or film.
//!
//! In:  a script. Out: what it prints, what it shows; its errors with file, line and traceback, and exit code 1.

mod args;
#[cfg(feature = "lua")]
mod film;
#[cfg(feature = "lua")]
mod watch;
#[cfg(all(feature = "lua", feature = "view"))]
mod window;

pub(crate) use self::args::{EXAMPLES, Run};
use crate::args::Talk;
use crate::fault::Fault;

#[cfg(not(feature = "lua"))]
pub(crate) fn run(run: &Run, _: Talk) -> Result<(), Fault> {
    let _ = (&run.script, run.frames, &run.out, run.format, run.size, run.fps, run.log);
    let text =
        "this build of sinew has no Lua; build it with the feature `lua` (it is on by default)";
    Err(Fault::Work(text.into()))
}

#[cfg(feature = "lua")]
pub(crate) fn run(run: &Run, talk: Talk) -> Result<(), Fault> {
    match run.frames {
        Some(frames) => film::run(run, frames, talk),
        None => in_window(run),
    }
}

#[cfg(all(feature = "lua", feature = "view"))]
fn in_window(run: &Run) -> Result<(), Fault> {
    window::run(run)
}

#[cfg(all(feature = "lua", not(feature = "view")))]
fn in_window(_: &Run) -> Result<(), Fault> {
    Err(Fault::Usage("this build of sinew has no window: expected --frames".into()))
}

/// A script that has woken, under watch.
#[cfg(feature = "lua")]
struct Woken {
    script: sinew_lua::Script,
    watch: watch::Watch,
}

#[cfg(feature = "lua")]
impl Woken {
    /// Its lines go to standard output; to standard error where an image goes there.
    fn new(run: &Run) -> Result<Self, Fault> {
        let taken = run.out.as_deref() == Some(std::path::Path::new("-"));
        let to_stderr = |line: &[u8]| crate::output::tell!("{}", String::from_utf8_lossy(line));
        let options = sinew_lua::Options {
            log: run.log,
            say: taken.then(|| std::rc::Rc::new(to_stderr) as sinew_lua::Say),
            ..sinew_lua::Options::default()
        };
        let watch = watch::Watch::new(&run.script);
        let opened = watch.over(|| sinew_lua::Script::open(&run.script, &options));
        let mut script = opened.map_err(fault)?;
        watch.over(|| script.awake()).map_err(fault)?;
        Ok(Self { script, watch })
    }

    fn update(&mut self, seconds: f64) -> Result<(), Fault> {
        self.watch.over(|| self.script.update(seconds)).map_err(fault)
    }
}

#[cfg(feature = "lua")]
fn fault(error: sinew_lua::ScriptError) -> Fault {
    Fault::Work(error.to_string())
}
