//! `string.gsub` and `string.rep`: texts made of texts, never larger than a script's memory.

use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::matcher::{Capture, Matcher};
use super::{captured, value};
use crate::limits::Meter;

/// What a match is replaced by.
enum By {
    Text(LuaString),
    Table(Table),
    Function(Function),
}

impl By {
    fn new(value: Value) -> mlua::Result<Self> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Table(table) => Ok(Self::Table(table)),
            Value::Function(function) => Ok(Self::Function(function)),
            other => Err(mlua::Error::runtime(format!(
                "bad argument #3 to 'gsub' (string/function/table expected, got {})",
                other.type_name()
            ))),
        }
    }
}

/// `string.gsub(text, pattern, by, most)`.
pub(super) fn gsub(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<Function> {
    let meter = Rc::clone(meter);
    type Asked = (LuaString, LuaString, Value, Option<i64>);
    lua.create_function(move |lua, (text, pattern, by, most): Asked| {
        let by = match by {
            Value::Integer(_) | Value::Number(_) => By::new(match lua.coerce_string(by)? {
                Some(text) => Value::String(text),
                None => Value::Nil,
            }),
            by => By::new(by),
        }?;
        let text = text.as_bytes();
        let (out, count) = replaced(lua, &meter, &text, &pattern.as_bytes(), (&by, most))?;
        Ok((lua.create_string(out)?, count))
    })
}

fn replaced(
    lua: &Lua,
    meter: &Meter,
    text: &[u8],
    pattern: &[u8],
    (by, most): (&By, Option<i64>),
) -> mlua::Result<(Vec<u8>, i64)> {
    let (anchored, pattern) = match pattern.split_first() {
        Some((b'^', rest)) => (true, rest),
        _ => (false, pattern),
    };
    let most = most.unwrap_or(i64::MAX);
    let mut matcher = Matcher::new(text, pattern, meter);
    let (mut out, mut count, mut at, mut last) = (Vec::new(), 0, 0, None);
    while count < most {
        let before = out.len();
        match matcher.at(at)?.filter(|end| last != Some(*end)) {
            Some(end) => {
                count += 1;
                add(lua, meter, (text, matcher.captures()), (at, end), by, &mut out)?;
                (at, last) = (end, Some(end));
            }
            None if at < text.len() => {
                out.push(text[at]);
                at += 1;
            }
            None => break,
        }
        meter.fits(out.len())?;
        meter.spend((out.len() - before) as u64 / 64)?;
        if anchored {
            break;
        }
    }
    out.extend_from_slice(&text[at..]);
    Ok((out, count))
}

/// Adds what one match is replaced by.
fn add(
    lua: &Lua,
    meter: &Meter,
    (text, captures): (&[u8], &[Capture]),
    (at, end): (usize, usize),
    by: &By,
    out: &mut Vec<u8>,
) -> mlua::Result<()> {
    let made = match by {
        By::Text(words) => return fill(meter, (text, captures), (at, end), &words.as_bytes(), out),
        By::Table(table) => {
            let key = match captures.first() {
                Some(capture) => value(lua, text, *capture)?,
                None => Value::String(lua.create_string(&text[at..end])?),
            };
            table.get::<Value>(key)?
        }
        By::Function(function) => {
            function.call::<Value>(captured(lua, text, captures, Some((at, end)))?)?
        }
    };
    match made {
        Value::Nil | Value::Boolean(false) => out.extend_from_slice(&text[at..end]),
        Value::String(made) => out.extend_from_slice(&made.as_bytes()),
        made @ (Value::Integer(_) | Value::Number(_)) => {
            if let Some(made) = lua.coerce_string(made)? {
                out.extend_from_slice(&made.as_bytes());
            }
        }
        other => {
            let words = format!("invalid replacement value (a {})", other.type_name());
            return Err(mlua::Error::runtime(words));
        }
    }
    Ok(())
}

/// Adds a replacement's words, with `%0` to `%9` filled in.
fn fill(
    meter: &Meter,
    (text, captures): (&[u8], &[Capture]),
    (at, end): (usize, usize),
    words: &[u8],
    out: &mut Vec<u8>,
) -> mlua::Result<()> {
    let mut rest = words.iter();
    while let Some(&sign) = rest.next() {
        if sign != b'%' {
            out.push(sign);
            continue;
        }
        match (rest.next(), captures) {
            (Some(b'%'), _) => out.push(b'%'),
            (Some(b'0'), _) | (Some(b'1'), []) => out.extend_from_slice(&text[at..end]),
            (Some(digit @ b'1'..=b'9'), _) => {
                let index = usize::from(digit - b'1');
                match captures.get(index) {
                    Some(Capture::Part(from, to)) => out.extend_from_slice(&text[*from..*to]),
                    Some(Capture::Place(at)) => out.extend((at + 1).to_string().bytes()),
                    Some(Capture::Open(_)) => {
                        return Err(mlua::Error::runtime("unfinished capture"));
                    }
                    None => {
                        let words =
                            format!("invalid capture index %{} in replacement string", index + 1);
                        return Err(mlua::Error::runtime(words));
                    }
                }
            }
            _ => return Err(mlua::Error::runtime("invalid use of '%' in replacement string")),
        }
        meter.fits(out.len())?;
    }
    Ok(())
}

/// `string.rep(text, count, between)`.
pub(super) fn rep(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<Function> {
    let meter = Rc::clone(meter);
    lua.create_function(move |lua, (text, count, between): (LuaString, i64, Option<LuaString>)| {
        let text = text.as_bytes();
        let between = between.as_ref().map(LuaString::as_bytes);
        let between = between.as_deref().unwrap_or(&[]);
        let count = usize::try_from(count).unwrap_or(0);
        let whole = text.len().saturating_mul(count);
        let whole = whole.saturating_add(between.len().saturating_mul(count.saturating_sub(1)));
        if whole == 0 {
            return lua.create_string("");
        }
        meter.fits(whole)?;
        meter.spend(whole as u64 / 64 + count as u64 / 8)?;
        let mut out = Vec::with_capacity(whole);
        for index in 0..count {
            if index > 0 {
                out.extend_from_slice(between);
            }
            out.extend_from_slice(&text);
        }
        lua.create_string(out)
    })
}
