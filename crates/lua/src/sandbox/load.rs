//! `load` and `require`: more Lua, as text only, and of files only those below the script's folder.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use super::Folder;
use crate::error;
use crate::limits::Meter;

/// Most bytes of one piece of source text.
const MAX_SCRIPT_BYTES: usize = 4 << 20;
/// What the interpreter shows of a chunk's name, less a little.
const NAME: usize = 56;

pub(super) fn install(lua: &Lua, meter: &Rc<Meter>, folder: &Rc<Folder>) -> mlua::Result<()> {
    let globals = lua.globals();
    let own = Rc::clone(meter);
    type Asked = (Value, Option<LuaString>, Option<LuaString>, Option<Table>);
    let load = lua.create_function(move |lua, (source, name, mode, environment): Asked| {
        let made = loaded(lua, &own, source, name, mode, environment);
        match made {
            Ok(function) => Ok(MultiValue::from_iter([Value::Function(function)])),
            Err(Refused::Syntax(error)) => {
                let message = lua.create_string(error::message_of(&error, &own))?;
                Ok(MultiValue::from_iter([Value::Nil, Value::String(message)]))
            }
            Err(Refused::Whole(error)) => Err(error),
        }
    })?;
    globals.raw_set("load", load)?;
    let (own, folder) = (Rc::clone(meter), Rc::clone(folder));
    let modules = lua.create_table()?;
    let require = lua.create_function(move |lua, name: LuaString| {
        required(lua, &own, &folder, &modules, &name.to_string_lossy())
    })?;
    globals.raw_set("require", require)
}

enum Refused {
    /// For the script to see.
    Syntax(mlua::Error),
    /// An error of the call itself.
    Whole(mlua::Error),
}

fn loaded(
    lua: &Lua,
    meter: &Meter,
    source: Value,
    name: Option<LuaString>,
    mode: Option<LuaString>,
    environment: Option<Table>,
) -> Result<Function, Refused> {
    if mode.is_some_and(|mode| !mode.as_bytes().contains(&b't')) {
        let message = "load: bytecode may not be loaded: expected the mode \"t\"";
        return Err(Refused::Whole(mlua::Error::runtime(message)));
    }
    let text = match source {
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Function(piece) => pieces(meter, &piece).map_err(Refused::Whole)?,
        other => {
            let message = format!("load: expected text, found {}", other.type_name());
            return Err(Refused::Whole(mlua::Error::runtime(message)));
        }
    };
    let name = match name {
        Some(name) => name.to_string_lossy(),
        None => String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned(),
    };
    chunk(lua, meter, &text, &name, environment).map_err(Refused::Syntax)
}

/// What a function gives piece by piece, until it gives nothing.
fn pieces(meter: &Meter, piece: &Function) -> mlua::Result<Vec<u8>> {
    let mut text = Vec::new();
    while let Some(more) = piece.call::<Option<LuaString>>(())? {
        if more.as_bytes().is_empty() {
            break;
        }
        text.extend_from_slice(&more.as_bytes());
        meter.spend(1)?;
        if text.len() > MAX_SCRIPT_BYTES {
            break;
        }
    }
    Ok(text)
}

/// A function from source text; bytecode is refused.
pub(crate) fn chunk(
    lua: &Lua,
    meter: &Meter,
    text: &[u8],
    name: &str,
    environment: Option<Table>,
) -> mlua::Result<Function> {
    if text.len() > MAX_SCRIPT_BYTES {
        let message =
            format!("expected at most {MAX_SCRIPT_BYTES} bytes of Lua, found {}", text.len());
        return Err(mlua::Error::runtime(message));
    }
    meter.spend(text.len() as u64)?;
    // A name that holds a zero byte would end there.
    let chunk = lua.load(text).set_name(name.replace('\0', " ")).set_mode(ChunkMode::Text);
    match environment {
        Some(environment) => chunk.set_environment(environment).into_function(),
        None => chunk.into_function(),
    }
}

/// How a file is called in errors: whole where that is short, else by its own name.
pub(crate) fn shown(path: &str) -> String {
    let own = path.rsplit('/').next().unwrap_or(path);
    format!("@{}", if path.len() <= NAME { path } else { own })
}

fn required(
    lua: &Lua,
    meter: &Meter,
    folder: &Folder,
    modules: &Table,
    name: &str,
) -> mlua::Result<Value> {
    let wrong = |why: String| mlua::Error::runtime(format!("require \"{name}\": {why}"));
    let file = match name.strip_suffix(".lua") {
        Some(stem) => format!("{stem}.lua"),
        // Leading dots would lead up; the folder refuses them.
        None if name.starts_with('.') => format!("{name}.lua"),
        None => format!("{}.lua", name.replace('.', "/")),
    };
    let plain = Folder::plain(&file).map_err(wrong)?;
    match modules.raw_get::<Value>(plain.as_str())? {
        Value::Nil => {}
        Value::Boolean(false) => {
            return Err(wrong(format!("{plain} is being loaded: two files require each other")));
        }
        Value::Table(held) => return held.raw_get(1),
        _ => {}
    }
    let bytes = meter.aside(|| folder.read(&plain)).map_err(wrong)?;
    modules.raw_set(plain.as_str(), false)?;
    let value = chunk(lua, meter, &bytes, &shown(&plain), None)
        .and_then(|function| function.call::<Value>(name));
    let value = value.inspect_err(|_| {
        let _ = modules.raw_set(plain.as_str(), Value::Nil);
    })?;
    let value = if value.is_nil() { Value::Boolean(true) } else { value };
    // Held in a table, so that false is a value like any other.
    let held = lua.create_table()?;
    held.raw_set(1, &value)?;
    modules.raw_set(plain.as_str(), held)?;
    Ok(value)
}
