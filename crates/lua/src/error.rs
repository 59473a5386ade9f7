//! What went wrong in a script: file, line, message and the calls that led there.

use std::fmt;

use mlua::Error as LuaError;

use crate::limits::Meter;

/// Why a script stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// File, line and what is wrong: `walk.lua:12: …`.
    pub message: String,
    /// The calls that led there, innermost first; empty where there are none, as for a syntax error.
    pub traceback: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.traceback.is_empty() {
            write!(f, "\n{}", self.traceback)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptError {}

const HEAD: &str = "stack traceback:";

impl ScriptError {
    /// Without a place in a script.
    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), traceback: String::new() }
    }

    /// As the interpreter has it; `file` is named where the interpreter knows no place.
    pub(crate) fn from_lua(error: &LuaError, meter: &Meter, file: &str) -> Self {
        let (message, traceback) = split(error, meter);
        let message = match place(&traceback) {
            _ if has_place(&message) => message,
            Some(place) => format!("{place}: {message}"),
            None => format!("{file}: {message}"),
        };
        Self { message, traceback: traceback.trim_end().to_owned() }
    }
}

/// What a script that catches an error gets: file, line and message.
pub(crate) fn message_of(error: &LuaError, meter: &Meter) -> String {
    ScriptError::from_lua(error, meter, "script").message
}

/// The message of an error, and its traceback.
fn split(error: &LuaError, meter: &Meter) -> (String, String) {
    match error {
        LuaError::CallbackError { traceback, cause } => {
            let (message, inner) = split(cause, meter);
            let traceback = if inner.is_empty() { traceback.clone() } else { inner };
            (message, traceback)
        }
        LuaError::SyntaxError { message, .. } => (message.clone(), String::new()),
        LuaError::MemoryError(_) => (memory(meter), String::new()),
        LuaError::RuntimeError(text) => match text.find(HEAD) {
            Some(at) => (text[..at].trim_end().to_owned(), text[at..].to_owned()),
            None => (text.clone(), String::new()),
        },
        LuaError::BadArgument { to, pos, name, cause } => {
            let (message, traceback) = split(cause, meter);
            // A method's first argument is the value before the colon.
            let method = to.as_ref().is_some_and(|to| to.contains(':') || to.contains('.'));
            let which = match name {
                Some(name) => format!("argument `{name}`"),
                None if method && *pos == 1 => "value before the colon".to_owned(),
                None if method => format!("argument #{}", pos - 1),
                None => format!("argument #{pos}"),
            };
            let of = to.as_ref().map(|to| format!(" of {to}")).unwrap_or_default();
            (format!("bad {which}{of}: {message}"), traceback)
        }
        LuaError::FromLuaConversionError { from, to, message } => {
            let to =
                if to.contains("::") || to == "userdata" { "another kind of object" } else { to };
            let why = message.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            (format!("expected {}, found {from}{why}", to.to_lowercase()), String::new())
        }
        LuaError::UserDataTypeMismatch => (
            "expected another kind of object; is a `.` in the place of a `:`?".into(),
            String::new(),
        ),
        other => (other.to_string(), String::new()),
    }
}

fn memory(meter: &Meter) -> String {
    let limit = meter.limits().memory as f64 / f64::from(1 << 20);
    format!("not enough memory: a script may use {limit:.0} MiB")
}

/// The innermost place in a script: `walk.lua:12`.
fn place(traceback: &str) -> Option<&str> {
    traceback.lines().find_map(|line| {
        let place = line.trim().split(": in ").next()?;
        has_line(place).then_some(place)
    })
}

/// Whether something ends as `….lua:12` does, outside of what is built in.
fn has_line(place: &str) -> bool {
    let line = place.rsplit_once(':').map(|(_, line)| line);
    !place.starts_with("[C]")
        && !place.starts_with("[sinew]")
        && line.is_some_and(|line| !line.is_empty() && line.bytes().all(|c| c.is_ascii_digit()))
}

/// Whether a message begins with a place.
fn has_place(message: &str) -> bool {
    let mut ends = message.match_indices(": ").map(|(at, _)| at);
    ends.next().is_some_and(|at| has_line(&message[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn an_error_of_ours_is_placed_by_its_traceback() {
        let meter = Meter::new(Limits::default());
        let traceback = "stack traceback:\n\t[C]: in ?\n\t[sinew]:3: in function 'x'\n\twalk.lua:12: in function 'Awake'".to_owned();
        #[allow(clippy::arc_with_non_send_sync, reason = "the bindings want one")]
        let cause = std::sync::Arc::new(LuaError::runtime("no such clip"));
        let error = LuaError::CallbackError { traceback, cause };
        assert_eq!(ScriptError::from_lua(&error, &meter, "x").message, "walk.lua:12: no such clip");
    }

    #[test]
    fn an_error_of_lua_keeps_its_own_place() {
        let meter = Meter::new(Limits::default());
        let error = LuaError::runtime("a.lua:3: oh\nstack traceback:\n\tb.lua:9: in ?");
        let error = ScriptError::from_lua(&error, &meter, "x");
        assert_eq!(error.message, "a.lua:3: oh");
        assert_eq!(error.traceback, "stack traceback:\n\tb.lua:9: in ?");
    }

    #[test]
    fn what_has_no_place_names_the_file() {
        let meter = Meter::new(Limits::default());
        let error = ScriptError::from_lua(&LuaError::MemoryError(String::new()), &meter, "a.lua");
        assert_eq!(error.message, "a.lua: not enough memory: a script may use 128 MiB");
    }
}
