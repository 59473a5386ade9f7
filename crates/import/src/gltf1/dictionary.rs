//! What glTF 1.0 has in place of lists: objects keyed by an id.
//!
//! In:  a JSON object. Out: its members in file order, each found by its id.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::{ImportError, Place, files};

/// Members in file order. An id that is there twice keeps its first place and its last value.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    entries: Vec<(String, Value)>,
    index: HashMap<String, usize>,
}

impl Dictionary {
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(id, value)| (id.as_str(), value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn id(&self, at: usize) -> &str {
        self.entries.get(at).map_or("", |(id, _)| id)
    }

    pub(super) fn value(&self, at: usize) -> &Value {
        self.entries.get(at).map_or(&Value::Null, |(_, value)| value)
    }

    /// The number of the member that `id`, a JSON string, names.
    pub(super) fn at(&self, id: &Value) -> Option<usize> {
        self.index.get(id.as_str()?).copied()
    }

    /// The same, as an error where there is none.
    pub(super) fn find(&self, id: &Value, what: &str, place: &Place) -> Result<usize, ImportError> {
        self.at(id).ok_or_else(|| {
            let found = files::shorten(&id.to_string());
            let text = format!("expected the id of {what}, found {found}, which names none");
            ImportError::out_of_range(place.clone(), text)
        })
    }

    pub(super) fn insert(&mut self, id: String, value: Value) {
        match self.index.get(&id) {
            Some(&at) => self.entries[at].1 = value,
            None => {
                self.index.insert(id.clone(), self.entries.len());
                self.entries.push((id, value));
            }
        }
    }

    /// Moves a member to the front.
    pub(super) fn put_first(&mut self, id: &str) {
        if let Some(&at) = self.index.get(id) {
            self.entries[..=at].rotate_right(1);
            for (at, (id, _)) in self.entries.iter().enumerate() {
                self.index.insert(id.clone(), at);
            }
        }
    }
}

impl<'de> Deserialize<'de> for Dictionary {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Dictionary;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object keyed by id")
            }

            fn visit_unit<E>(self) -> Result<Dictionary, E> {
                Ok(Dictionary::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Dictionary, A::Error> {
                let mut all = Dictionary::default();
                while let Some((id, value)) = map.next_entry()? {
                    all.insert(id, value);
                }
                Ok(all)
            }
        }
        source.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_keep_their_order_and_are_found_by_id() {
        let text = r#"{"b": 1, "a": 2, "b": 3}"#;
        let mut all: Dictionary = serde_json::from_str(text).expect("a dictionary");
        assert_eq!(all.iter().map(|(id, _)| id).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!((all.at(&json!("a")), all.value(0)), (Some(1), &json!(3)));
        all.put_first("a");
        assert_eq!((all.at(&json!("a")), all.at(&json!("b"))), (Some(0), Some(1)));
        let error = all.find(&json!("c"), "a mesh", &Place::Whole).expect_err("none");
        assert_eq!(error.message, "expected the id of a mesh, found \"c\", which names none");
    }
}
