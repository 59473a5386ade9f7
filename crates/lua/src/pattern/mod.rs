//! `string.find`, `match`, `gmatch`, `gsub` and `rep`, with every step counted.
//!
//! In:  texts, patterns and replacements of a script.
//! Out: what Lua's own functions give, or an error when the work passes the limits.

mod class;
mod matcher;
mod replace;

use std::rc::Rc;

use mlua::{Lua, LuaString, MultiValue, Value};

use self::matcher::{Capture, Matcher};
use crate::limits::Meter;

/// Puts the functions into Lua's `string` table; gives the one that `gmatch` is made of.
pub(crate) fn install(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<mlua::Function> {
    let string: mlua::Table = lua.globals().get("string")?;
    let own = Rc::clone(meter);
    let find = lua.create_function(move |lua, (text, pattern, init, plain): Sought| {
        look(lua, &own, &text, &pattern, (init, plain.unwrap_or(false)), true)
    })?;
    string.raw_set("find", find)?;
    let own = Rc::clone(meter);
    let matched = lua.create_function(move |lua, (text, pattern, init): (_, _, Option<i64>)| {
        look(lua, &own, &text, &pattern, (init, false), false)
    })?;
    string.raw_set("match", matched)?;
    string.raw_set("gsub", replace::gsub(lua, meter)?)?;
    string.raw_set("rep", replace::rep(lua, meter)?)?;
    let own = Rc::clone(meter);
    lua.create_function(move |lua, (text, pattern, at, last, check): Step| match check {
        true => Ok(MultiValue::new()),
        false => step(lua, &own, &text, &pattern, (at, last)),
    })
}

type Sought = (LuaString, LuaString, Option<i64>, Option<bool>);
type Step = (LuaString, LuaString, i64, usize, bool);

/// Where a search begins, counted from 0; `None` beyond the end.
fn start(init: Option<i64>, length: usize) -> Option<usize> {
    let at = match init.unwrap_or(1) {
        0 => 0,
        init if init > 0 => usize::try_from(init).ok()? - 1,
        back => length.saturating_sub(usize::try_from(back.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    (at <= length).then_some(at)
}

fn look(
    lua: &Lua,
    meter: &Meter,
    text: &LuaString,
    pattern: &LuaString,
    (init, plain): (Option<i64>, bool),
    find: bool,
) -> mlua::Result<MultiValue> {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    meter.check()?;
    let nothing = || Ok(MultiValue::from_iter([Value::Nil]));
    let Some(begin) = start(init, text.len()) else { return nothing() };
    if find && (plain || !pattern.iter().any(|sign| b"^$*+?.([%-".contains(sign))) {
        return match plainly(meter, &text[begin..], pattern)? {
            Some(at) => Ok(span(begin + at, begin + at + pattern.len())),
            None => nothing(),
        };
    }
    let (anchored, pattern) = match pattern.split_first() {
        Some((b'^', rest)) => (true, rest),
        _ => (false, pattern),
    };
    let mut matcher = Matcher::new(text, pattern, meter);
    for at in begin..=text.len() {
        if let Some(end) = matcher.at(at)? {
            let mut found = if find { span(at, end) } else { MultiValue::new() };
            found.extend(captured(lua, text, matcher.captures(), (!find).then_some((at, end)))?);
            return Ok(found);
        }
        if anchored {
            break;
        }
    }
    nothing()
}

/// The first and the last place, counted from 1.
fn span(at: usize, end: usize) -> MultiValue {
    MultiValue::from_iter([Value::Integer(at as i64 + 1), Value::Integer(end as i64)])
}

fn plainly(meter: &Meter, text: &[u8], wanted: &[u8]) -> mlua::Result<Option<usize>> {
    let Some((first, rest)) = wanted.split_first() else { return Ok(Some(0)) };
    let mut at = 0;
    while let Some(gap) = text[at..].iter().position(|byte| byte == first) {
        at += gap;
        let same = text[at + 1..].iter().zip(rest).take_while(|(a, b)| a == b).count();
        if same == rest.len() {
            return Ok(Some(at));
        }
        meter.spend((gap + same) as u64 / 16 + 1)?;
        at += 1;
    }
    meter.spend(text.len() as u64 / 64)?;
    Ok(None)
}

/// The captures as values; `whole` stands in where there are none.
fn captured(
    lua: &Lua,
    text: &[u8],
    captures: &[Capture],
    whole: Option<(usize, usize)>,
) -> mlua::Result<MultiValue> {
    if let (Some((at, end)), []) = (whole, captures) {
        return Ok(MultiValue::from_iter([Value::String(lua.create_string(&text[at..end])?)]));
    }
    captures.iter().map(|capture| value(lua, text, *capture)).collect()
}

fn value(lua: &Lua, text: &[u8], capture: Capture) -> mlua::Result<Value> {
    match capture {
        Capture::Part(from, to) => lua.create_string(&text[from..to]).map(Value::String),
        Capture::Place(at) => Ok(Value::Integer(at as i64 + 1)),
        Capture::Open(_) => Err(mlua::Error::runtime("unfinished capture")),
    }
}

/// The next match of a `gmatch`: where it ends, then what it captured; nothing when there is none.
fn step(
    lua: &Lua,
    meter: &Meter,
    text: &LuaString,
    pattern: &LuaString,
    (at, last): (i64, usize),
) -> mlua::Result<MultiValue> {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let Some(begin) = start(Some(at), text.len()) else { return Ok(MultiValue::new()) };
    let mut matcher = Matcher::new(text, pattern, meter);
    for at in begin..=text.len() {
        if let Some(end) = matcher.at(at)?.filter(|end| end + 1 != last) {
            let mut found = captured(lua, text, matcher.captures(), Some((at, end)))?;
            found.push_front(Value::Integer(end as i64 + 1));
            return Ok(found);
        }
    }
    Ok(MultiValue::new())
}
