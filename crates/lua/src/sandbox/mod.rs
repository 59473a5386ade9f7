//! A Lua without doors: what a script finds when it wakes.
//!
//! In:  limits, and the folder whose files the script may read.
//! Out: an interpreter with Lua's own library, less all that reaches out of it or loops out of the limits' sight.
//!
//! Left out: `os`, `io`, `debug`, `package`, `dofile`, `loadfile`, `warn`, `string.dump`, finalizers and bytecode.

mod folder;
mod hook;
mod load;

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, LuaString, StdLib, Value};

pub(crate) use self::folder::Folder;
pub(crate) use self::hook::counted;
pub(crate) use self::load::{chunk, shown};
use crate::limits::Meter;
use crate::{error, pattern};

pub(crate) use crate::script::Say;

/// References to Lua values that are made room for at the start, while there is memory.
const REFERENCES: usize = 2048;

/// An interpreter for one script.
pub(crate) fn open(meter: &Rc<Meter>, folder: &Rc<Folder>, say: Say) -> mlua::Result<Lua> {
    let libraries =
        StdLib::COROUTINE | StdLib::TABLE | StdLib::STRING | StdLib::UTF8 | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    let globals = lua.globals();
    for name in ["dofile", "loadfile", "warn"] {
        globals.raw_set(name, Value::Nil)?;
    }
    let string: mlua::Table = globals.get("string")?;
    string.raw_set("dump", Value::Nil)?;
    // The same numbers in every run.
    let math: mlua::Table = globals.get("math")?;
    math.get::<mlua::Function>("randomseed")?.call::<()>(1)?;
    load::install(&lua, meter, folder)?;
    prelude(&lua, meter, say)?;
    make_room(&lua)?;
    lua.set_memory_limit(meter.limits().memory)?;
    hook::watch(&lua)?;
    Ok(lua)
}

fn prelude(lua: &Lua, meter: &Rc<Meter>, say: Say) -> mlua::Result<()> {
    let native = lua.create_table()?;
    let own = Rc::clone(meter);
    native.set("check", lua.create_function(move |_, ()| own.check())?)?;
    let own = Rc::clone(meter);
    let text_of = lua.create_function(move |lua, value: Value| match value {
        Value::Error(error) => {
            lua.create_string(error::message_of(&error, &own)).map(Value::String)
        }
        other => Ok(other),
    })?;
    native.set("text_of", text_of)?;
    let write = lua.create_function(move |_, line: LuaString| {
        say(&line.as_bytes());
        Ok(())
    })?;
    native.set("write", write)?;
    native.set("step", pattern::install(lua, meter)?)?;
    let table: mlua::Table = lua.globals().get("table")?;
    native.set("concat", table.get::<mlua::Function>("concat")?)?;
    lua.load(include_str!("prelude.lua"))
        .set_name("=[sinew]")
        .set_mode(ChunkMode::Text)
        .call::<()>(native)
}

/// Has the interpreter make room for references to values: later, memory may be short.
fn make_room(lua: &Lua) -> mlua::Result<()> {
    let held: mlua::Result<Vec<_>> = (0..REFERENCES).map(|_| lua.create_table()).collect();
    held.map(drop)
}
