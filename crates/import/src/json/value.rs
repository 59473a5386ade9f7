//! JSON of which nobody knows the types beforehand: `extras`, and extensions that are not read.

use std::fmt;
use std::ops::Index;

use sinew_scene::Decimal;

use super::{Json, JsonError, Read};

/// Any JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// In the order of the file.
    Object(Vec<(String, Value)>),
}

impl<'a> Read<'a> for Value {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        Ok(match json.next_token() {
            Some(b'{') => {
                let mut members = Vec::new();
                json.object(&mut |json, key| {
                    members.push((key.to_owned(), Self::read(json)?));
                    Ok(())
                })?;
                Self::Object(members)
            }
            Some(b'[') => Self::List(Vec::read(json)?),
            Some(b'"') => Self::Text(String::read(json)?),
            Some(b't' | b'f') => Self::Bool(json.bool()?),
            Some(b'n') if json.null() => Self::Null,
            _ => Self::Number(json.number("a value")?),
        })
    }
}

impl Value {
    /// A member of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        // Of a key that is there twice the last counts.
        members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entries of a list.
    pub(crate) fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// A string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// A number.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// As it is filed, lists and objects by their kind.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => Decimal(*number).fmt(f),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::List(_) => f.write_str("a list"),
            Self::Object(_) => f.write_str("an object"),
        }
    }
}

/// A member of an object, null where there is none.
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, key: &str) -> &Self {
        self.get(key).unwrap_or(&Self::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_key_and_missing_ones_are_null() {
        let text = r#"{"a":[1,"x",true,null,{"b":2}],"c":1,"c":3}"#;
        let value: Value = crate::json::parse(text).expect("JSON");
        let list = value["a"].as_list().expect("a list");
        assert_eq!(list[1].as_str(), Some("x"));
        assert_eq!(list[2], Value::Bool(true));
        assert_eq!(list[3], Value::Null);
        assert_eq!(list[4]["b"].as_f64(), Some(2.0));
        assert_eq!(value["c"].as_f64(), Some(3.0));
        assert_eq!(value["d"]["e"], Value::Null);
    }
}
