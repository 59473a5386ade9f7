//! JSON objects, written small: members at their default are left out, numbers have as few digits as single
//! precision needs.
//!
//! In:  a member's name and value. Out: a [`Value`] for the document.

use glam::{Quat, Vec2, Vec3, Vec4};
use serde_json::{Map, Number, Value};

/// What can be a member of the document.
pub(super) trait ToJson {
    fn to_json(self) -> Value;
}

/// A JSON object that grows member by member.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Object(Map<String, Value>);

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn set(&mut self, key: &str, value: impl ToJson) {
        self.0.insert(key.to_owned(), value.to_json());
    }

    pub(super) fn with(mut self, key: &str, value: impl ToJson) -> Self {
        self.set(key, value);
        self
    }

    /// Left out where it says nothing new.
    pub(super) fn unless<V: ToJson + PartialEq>(self, key: &str, value: V, default: V) -> Self {
        if value == default { self } else { self.with(key, value) }
    }

    /// Left out where there is none.
    pub(super) fn some(self, key: &str, value: Option<impl ToJson>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// A list or object; left out when it is empty, which glTF does not allow.
    pub(super) fn filled(mut self, key: &str, value: impl ToJson) -> Self {
        let value = value.to_json();
        let empty = match &value {
            Value::Array(list) => list.is_empty(),
            Value::Object(members) => members.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        if !empty {
            self.0.insert(key.to_owned(), value);
        }
        self
    }

    /// One extension's object; empty for one that only has to be there.
    pub(super) fn extension(mut self, name: &str, value: Object) -> Self {
        let all = self.0.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(all) = all {
            all.insert(name.to_owned(), value.to_json());
        }
        self
    }

    /// Whether it is another with some of these members added.
    pub(super) fn is_with(&self, other: &Self, added: &[&str]) -> bool {
        let mut own = self.0.iter().filter(|(key, _)| !added.contains(&key.as_str()));
        other.0.iter().all(|member| own.next() == Some(member)) && own.next().is_none()
    }

    /// The members as text.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.to_json().to_string().into_bytes()
    }
}

impl ToJson for Object {
    fn to_json(self) -> Value {
        Value::Object(self.0)
    }
}

impl ToJson for Value {
    fn to_json(self) -> Value {
        self
    }
}

impl ToJson for f32 {
    /// The shortest digits that single precision reads back as this number, also by way of double precision.
    fn to_json(self) -> Value {
        let short = self.to_string().parse::<f64>().ok().filter(|&short| short as f32 == self);
        let number = short.unwrap_or(f64::from(self));
        // Whole numbers need no point.
        if number.fract() == 0.0 && number.abs() < 1e15 {
            return Value::from(number as i64);
        }
        Number::from_f64(number).map_or(Value::from(0), Value::Number)
    }
}

impl ToJson for f64 {
    fn to_json(self) -> Value {
        Number::from_f64(self).map_or(Value::from(0), Value::Number)
    }
}

macro_rules! plain {
    ($($plain:ty),*) => {$(
        impl ToJson for $plain {
            fn to_json(self) -> Value {
                Value::from(self)
            }
        }
    )*};
}
plain!(bool, usize, u32, &str, String);

macro_rules! arrays {
    ($($vector:ty),*) => {$(
        impl ToJson for $vector {
            fn to_json(self) -> Value {
                Value::Array(self.to_array().into_iter().map(ToJson::to_json).collect())
            }
        }
    )*};
}
arrays!(Vec2, Vec3, Vec4, Quat);

impl<V: ToJson> ToJson for Vec<V> {
    fn to_json(self) -> Value {
        Value::Array(self.into_iter().map(ToJson::to_json).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back_to_the_last_bit() {
        assert_eq!(0.1_f32.to_json().to_string(), "0.1");
        assert_eq!((-3.0_f32).to_json().to_string(), "-3");
        let mut bits = 0x0012_3456_u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = f32::from_bits(bits);
            if number.is_finite() {
                let text = number.to_json().to_string();
                let back: f64 = serde_json::from_str(&text).expect("a number");
                assert_eq!(back as f32, number, "{text}");
            }
        }
    }

    #[test]
    fn what_is_empty_or_at_its_default_is_left_out() {
        let object = Object::new()
            .unless("scale", 1.0_f32, 1.0)
            .filled("nodes", Vec::<usize>::new())
            .some("mesh", None::<usize>)
            .filled("name", "");
        assert_eq!(object, Object::new());
        let object = object.unless("scale", 2.0_f32, 1.0).extension("KHR_x", Object::new());
        assert_eq!(object.into_bytes(), br#"{"extensions":{"KHR_x":{}},"scale":2}"#);
    }
}
