//! What a script hands over, checked: finite numbers, vectors, colours, words, and tables with known fields.
//!
//! In:  values of Lua. Out: values of Rust, or one sentence: what, expected and found.

use mlua::{FromLua, Lua, Table, Value};
use sinew::glam::Vec3;
use sinew::stage::Color;

/// Fields that had another name in older scripts: whose, the older name, and the name. Both mean the same.
const OLDER_NAMES: &[(&str, &str, &str)] = &[
    ("play", "glide", "inertialize"),
    ("look_at", "most", "max_angle"),
    ("camera", "eye", "position"),
];

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FiniteNumber(pub(super) f32);

impl FromLua for FiniteNumber {
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
    if number.is_finite() {
        Ok(number)
    } else {
        Err(format!("expected a finite number, found {}", found(value)))
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
    table: Option<Table>,
}

impl Fields {
    /// An unknown field is an error.
    pub(super) fn new(what: &'static str, table: Table, known: &[&str]) -> mlua::Result<Self> {
        Self::optional(what, Some(table), known)
    }

    /// The same, where there may be no table; then there is no field.
    pub(super) fn optional(
        what: &'static str,
        table: Option<Table>,
        known: &[&str],
    ) -> mlua::Result<Self> {
        let fields = Self { what, table };
        for pair in fields.table.iter().flat_map(Table::pairs::<Value, Value>) {
            let (key, _) = pair?;
            let name = key.as_string().map(mlua::LuaString::to_string_lossy).unwrap_or_default();
            if !known.contains(&fields.current(&name)) {
                let key = found(&key);
                let known = known.join(", ");
                return Err(fields.fault(&format!("there is no field {key}; there are {known}")));
            }
        }
        Ok(fields)
    }

    /// What is wrong with the fields together.
    pub(super) fn fault(&self, why: &str) -> mlua::Error {
        mlua::Error::runtime(format!("{}: {why}", self.what))
    }

    /// The name of a field that may be written under its older one.
    fn current<'a>(&self, name: &'a str) -> &'a str {
        let mut renamed = OLDER_NAMES.iter().filter(|(what, ..)| *what == self.what);
        renamed.find(|(_, older, _)| *older == name).map_or(name, |(_, _, now)| *now)
    }

    /// A field's value, under its name or its older one.
    fn value(&self, name: &str) -> mlua::Result<Value> {
        let Some(table) = &self.table else { return Ok(Value::Nil) };
        let value = table.raw_get::<Value>(name)?;
        let mut renamed = OLDER_NAMES.iter().filter(|(what, ..)| *what == self.what);
        let Some((_, older, _)) = renamed.find(|(_, _, now)| *now == name) else {
            return Ok(value);
        };
        let older_value = table.raw_get::<Value>(*older)?;
        match (value.is_nil(), older_value.is_nil()) {
            (true, _) => Ok(older_value),
            (false, true) => Ok(value),
            (false, false) => {
                let why = format!("expected {name} or {older}, its older name, found both");
                Err(self.fault(&why))
            }
        }
    }

    fn get<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> mlua::Result<Option<T>> {
        let value = self.value(name)?;
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

    pub(super) fn text(&self, name: &str) -> mlua::Result<Option<String>> {
        self.get(name, |value| match value {
            Value::String(text) => Ok(text.to_string_lossy()),
            other => Err(format!("expected text, found {}", found(other))),
        })
    }

    pub(super) fn vector(&self, name: &str) -> mlua::Result<Option<Vec3>> {
        self.get(name, triple)
    }

    /// One number for all three axes, or three numbers; none is 0.
    pub(super) fn scale(&self, name: &str) -> mlua::Result<Option<Vec3>> {
        self.get(name, |value| {
            let scale = number(value).map(Vec3::splat).or_else(|_| triple(value))?;
            if scale.cmpne(Vec3::ZERO).all() {
                Ok(scale)
            } else {
                Err("expected a scale other than 0".into())
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

/// What one of some words means.
pub(super) fn choose<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, String> {
    let text = value.as_string().map(mlua::LuaString::to_string_lossy);
    let known = words.iter().find(|(word, _)| text.as_deref() == Some(word));
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("expected one of {}, found {}", all.join(", "), found(value))
    })
}
