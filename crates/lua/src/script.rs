//! A script at work: read once, `Awake` called once, `Update` once a frame.
//!
//! In:  a file of Lua, and seconds as they pass.
//! Out: a stage to be drawn, and lines of text; or an error with file, line and traceback.
//!
//! Whose `Awake` and `Update` are called: those of the table that the script returns; else the global functions; else
//! those of the one global table that has them, as in `function LoginScene:Awake()`.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};
use sinew::Stage;
use sinew::render::Camera;

use crate::api::{self, Shared};
use crate::limits::{Limits, Meter};
use crate::sandbox::{self, Folder};
use crate::world::{Show, World};
use crate::{ScriptError, log};

/// Takes a script's lines, each without its end.
pub type Say = Rc<dyn Fn(&[u8])>;

/// How a script is run.
#[derive(Clone, Default)]
pub struct Options {
    /// What it may use.
    pub limits: Limits,
    /// Whether each bone's matrix is written out in every frame.
    pub log: bool,
    /// Where its lines go, each without its end; `None` is standard output.
    pub say: Option<Say>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("limits", &self.limits).field("log", &self.log).finish()
    }
}

/// A script at work.
pub struct Script {
    lua: Lua,
    shared: Rc<Shared>,
    file: String,
    /// What the two are called on, where they are methods.
    own: Option<Table>,
    awake: Option<Function>,
    update: Option<Function>,
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Script {
    /// Reads a script and runs its body, which defines `Awake` and `Update`.
    ///
    /// # Errors
    /// When it cannot be read, is no Lua, fails, or has neither of the two.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let cannot = |why: &dyn fmt::Display| {
            ScriptError::plain(format!("cannot read {}: {why}", path.display()))
        };
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => cannot(&"there is no such file"),
            _ => cannot(&error),
        })?;
        let folder = Rc::new(Folder::of(path).map_err(|error| cannot(&error))?);
        let meter = Rc::new(Meter::new(options.limits));
        let say = options.say.clone().unwrap_or_else(|| Rc::new(to_stdout));
        let shared = Rc::new(Shared {
            meter: Rc::clone(&meter),
            folder: Rc::clone(&folder),
            world: RefCell::new(World::default()),
            say: Rc::clone(&say),
            log: options.log,
        });
        let file = path.to_string_lossy().into_owned();
        let made = sandbox::open(&meter, &folder, say);
        let lua = made.map_err(|error| ScriptError::from_lua(&error, &meter, &file))?;
        let mut script = Self { lua, shared, file, own: None, awake: None, update: None };
        let found = script.call(|script| script.body(&bytes))?;
        (script.own, script.awake, script.update) = found;
        if script.awake.is_none() && script.update.is_none() {
            let words = "expected a function Awake or Update, or a table that has them";
            return Err(ScriptError::plain(format!("{}: {words}", script.file)));
        }
        Ok(script)
    }

    fn body(&self, bytes: &[u8]) -> mlua::Result<Found> {
        let lua = &self.lua;
        api::install(lua, &self.shared)?;
        let known: Vec<String> = names(&lua.globals())?;
        // The first line may be for a shell.
        let text = if bytes.starts_with(b"#") {
            &bytes[bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())..]
        } else {
            bytes
        };
        let name = sandbox::shown(&self.file);
        let chunk = sandbox::chunk(lua, &self.shared.meter, text, &name, None)?;
        find(lua, chunk.call::<Value>(())?, &known)
    }

    /// Calls `Awake`, where there is one.
    ///
    /// # Errors
    /// When it fails or passes a limit.
    pub fn awake(&mut self) -> Result<(), ScriptError> {
        if let Some(awake) = self.awake.clone() {
            self.call(|script| awake.call::<()>(script.own.clone()))?;
        }
        Ok(())
    }

    /// Lets time pass, calls `Update(seconds)`, and brings every pose up to date. The first frame's seconds are 0.
    ///
    /// # Errors
    /// When it fails or passes a limit.
    pub fn update(&mut self, seconds: f64) -> Result<(), ScriptError> {
        self.shared.world.borrow_mut().advance(seconds);
        if let Some(update) = self.update.clone() {
            self.call(|script| match script.own.clone() {
                Some(own) => update.call::<()>((own, seconds)),
                None => update.call::<()>(seconds),
            })?;
        }
        let mut world = self.shared.world.borrow_mut();
        world.settle();
        if self.shared.log {
            self.log_bones(&world);
        }
        world.frame += 1;
        Ok(())
    }

    /// Writes out the bones of every actor.
    fn log_bones(&self, world: &World) {
        let say = |words: String| (self.shared.say)(words.as_bytes());
        for member in world.running() {
            say(format!("{} current_frame_index:{}", member.name, world.frame));
            let nodes = member.actor.scene().skeleton().nodes().iter();
            let both = nodes.zip(member.actor.pose().model_from_joint()).zip(&member.bones);
            for ((node, matrix), _) in both.filter(|(_, shown)| **shown) {
                say(log::bone(&node.name, *matrix));
            }
        }
    }

    /// Calls into the script, with fresh limits.
    fn call<T>(&self, work: impl FnOnce(&Self) -> mlua::Result<T>) -> Result<T, ScriptError> {
        let meter = &self.shared.meter;
        meter.begin();
        // The interpreter's bindings give up in this way when a script has used up what they need themselves.
        let done = catch_unwind(AssertUnwindSafe(|| sandbox::counted(meter, || work(self))));
        match done {
            Ok(done) => done.map_err(|error| ScriptError::from_lua(&error, meter, &self.file)),
            Err(_) => Err(ScriptError::plain(format!(
                "{}: the script used up the interpreter",
                self.file
            ))),
        }
    }

    /// Seconds since `Awake`.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.shared.world.borrow().time
    }

    /// What the script has built.
    #[must_use]
    pub fn stage(&self) -> RefMut<'_, Stage> {
        RefMut::map(self.shared.world.borrow_mut(), |world| &mut world.stage)
    }

    /// The camera: the script's, or one that sees all actors.
    #[must_use]
    pub fn camera(&self, aspect: f32) -> Camera {
        self.shared.world.borrow_mut().camera(aspect)
    }

    pub(crate) fn shows(&self) -> Show {
        self.shared.world.borrow().show
    }
}

type Found = (Option<Table>, Option<Function>, Option<Function>);

fn names(globals: &Table) -> mlua::Result<Vec<String>> {
    globals.pairs::<String, Value>().map(|pair| pair.map(|(name, _)| name)).collect()
}

/// The two functions of a table; methods, if it is not the globals.
fn two(table: &Table) -> mlua::Result<(Option<Function>, Option<Function>)> {
    let of = |name: &str| match table.get::<Value>(name)? {
        Value::Function(function) => Ok(Some(function)),
        Value::Nil => Ok(None),
        other => Err(mlua::Error::runtime(format!(
            "expected {name} to be a function, found {}",
            other.type_name()
        ))),
    };
    Ok((of("Awake")?, of("Update")?))
}

fn find(lua: &Lua, returned: Value, known: &[String]) -> mlua::Result<Found> {
    if let Value::Table(table) = returned {
        let (awake, update) = two(&table)?;
        if awake.is_some() || update.is_some() {
            return Ok((Some(table), awake, update));
        }
    }
    let globals = lua.globals();
    let (awake, update) = two(&globals)?;
    if awake.is_some() || update.is_some() {
        return Ok((None, awake, update));
    }
    let mut tables = Vec::new();
    for pair in globals.pairs::<Value, Value>() {
        let (Value::String(name), Value::Table(table)) = pair? else { continue };
        let name = name.to_string_lossy();
        if !known.contains(&name) {
            let (awake, update) = two(&table)?;
            if awake.is_some() || update.is_some() {
                tables.push((name, table, awake, update));
            }
        }
    }
    if tables.len() > 1 {
        let mut names: Vec<&str> = tables.iter().map(|(name, ..)| name.as_str()).collect();
        names.sort_unstable();
        return Err(mlua::Error::runtime(format!(
            "expected one table with Awake and Update, found {}: return the one that is meant",
            names.join(", ")
        )));
    }
    Ok(match tables.pop() {
        Some((_, table, awake, update)) => (Some(table), awake, update),
        None => (None, None, None),
    })
}

/// A reader that has gone away is no error.
fn to_stdout(line: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(line).and_then(|()| out.write_all(b"\n"));
}
