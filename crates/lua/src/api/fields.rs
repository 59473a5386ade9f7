//! What a script hands over, checked: finite numbers, vectors, colours, words, and tables with known fields.
//!
//! In:  values of Lua. Out: values of Rust, or one sentence: what, expected and found.

use mlua::{FromLua, Lua, Table, Value};
use sinew::glam::Vec3;
use sinew::stage::Color;

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Num(pub(super) f32);

impl FromLua for Num {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Self> {
        number(&value).map(Self).map_err(mlua::Error::runtime)
    }
}

/// A value in a message.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::String(text) => {
            format!("\"{}\"", text.to_string_lossy().chars().take(60).collect::<String>())
        }
        other => other.type_name().to_owned(),
    }
}

fn number(value: &Value) -> Result<f32, String> {
    let number = match value {
        Value::Integer(number) => *number as f32,
        Value::Number(number) => *number as f32,
        _ => f32::NAN,
    };
    match number.is_finite() {
        true => Ok(number),
        false => Err(format!("expected a finite number, found {}", found(value))),
    }
}

fn triple(value: &Value) -> Result<Vec3, String> {
    let wrong = || format!("expected three numbers as {{x, y, z}}, found {}", found(value));
    let Value::Table(table) = value else { return Err(wrong()) };
    if table.raw_len() != 3 {
        return Err(format!("{} of {}", wrong(), table.raw_len()));
    }
    let mut numbers = [0.0; 3];
    for (index, slot) in numbers.iter_mut().enumerate() {
        *slot =
            table.raw_get(index + 1).map_err(|error| error.to_string()).and_then(|v| number(&v))?;
    }
    Ok(Vec3::from_array(numbers))
}

/// A table whose fields are known by name.
pub(super) struct Fields {
    what: &'static str,
    table: Table,
}

impl Fields {
    /// A field that nobody knows is an error.
    pub(super) fn new(what: &'static str, table: Table, known: &[&str]) -> mlua::Result<Self> {
        for pair in table.pairs::<Value, Value>() {
            let (key, _) = pair?;
            let name = key.as_string().map(mlua::LuaString::to_string_lossy).unwrap_or_default();
            if !known.contains(&name.as_str()) {
                let (key, known) = (found(&key), known.join(", "));
                let words = format!("{what}: there is no field {key}; there are {known}");
                return Err(mlua::Error::runtime(words));
            }
        }
        Ok(Self { what, table })
    }

    fn get<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> mlua::Result<Option<T>> {
        let value = self.table.raw_get::<Value>(name)?;
        if value.is_nil() {
            return Ok(None);
        }
        let read = read(&value);
        read.map(Some).map_err(|why| mlua::Error::runtime(format!("{}.{name}: {why}", self.what)))
    }

    pub(super) fn number(&self, name: &str) -> mlua::Result<Option<f32>> {
        self.get(name, number)
    }

    /// Not below zero.
    pub(super) fn amount(&self, name: &str) -> mlua::Result<Option<f32>> {
        self.within(name, "a number of 0 or more", |number| number >= 0.0)
    }

    pub(super) fn within(
        &self,
        name: &str,
        expected: &str,
        fits: impl FnOnce(f32) -> bool,
    ) -> mlua::Result<Option<f32>> {
        self.get(name, |value| match number(value) {
            Ok(number) if fits(number) => Ok(number),
            _ => Err(format!("expected {expected}, found {}", found(value))),
        })
    }

    pub(super) fn vector(&self, name: &str) -> mlua::Result<Option<Vec3>> {
        self.get(name, triple)
    }

    /// One number for all three, or three; none is 0.
    pub(super) fn scale(&self, name: &str) -> mlua::Result<Option<Vec3>> {
        self.get(name, |value| {
            let scale = number(value).map(Vec3::splat).or_else(|_| triple(value))?;
            match scale.cmpne(Vec3::ZERO).all() {
                true => Ok(scale),
                false => Err("expected a scale other than 0".into()),
            }
        })
    }

    pub(super) fn flag(&self, name: &str) -> mlua::Result<Option<bool>> {
        self.get(name, |value| match value {
            Value::Boolean(flag) => Ok(*flag),
            other => Err(format!("expected true or false, found {}", found(other))),
        })
    }

    pub(super) fn color(&self, name: &str) -> mlua::Result<Option<Vec3>> {
        self.get(name, |value| match value {
            Value::String(text) => match text.to_string_lossy().parse() {
                Ok(Color(color)) => Ok(color),
                Err(error) => Err(format!("{error}")),
            },
            other => match triple(other) {
                Ok(color) if color.cmpge(Vec3::ZERO).all() => Ok(color),
                Ok(_) => Err("expected a colour's numbers to be 0 or more".into()),
                Err(_) => Err(format!(
                    "expected a colour (a name, \"#rrggbb\" or {{r, g, b}}), found {}",
                    found(other)
                )),
            },
        })
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> mlua::Result<Option<T>> {
        self.get(name, |value| choose(value, words))
    }
}

/// One of some words, with what it stands for.
pub(super) fn choose<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, String> {
    let text = value.as_string().map(mlua::LuaString::to_string_lossy);
    let known = words.iter().find(|(word, _)| text.as_deref() == Some(word));
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("expected one of {}, found {}", all.join(", "), found(value))
    })
}
