//! Types that a JSON text can be read into.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Json, JsonError};

/// Something that is read from JSON.
pub(crate) trait Read<'a>: Sized {
    /// Reads the next value.
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError>;
}

impl<'a> Read<'a> for bool {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        json.bool()
    }
}

impl<'a> Read<'a> for Cow<'a, str> {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        json.string()
    }
}

impl<'a> Read<'a> for String {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        json.string().map(Cow::into_owned)
    }
}

/// Any value, of which nothing is kept.
impl<'a> Read<'a> for () {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        json.skip()
    }
}

/// `null` is none.
impl<'a, T: Read<'a>> Read<'a> for Option<T> {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        if json.null() { Ok(None) } else { T::read(json).map(Some) }
    }
}

impl<'a, T: Read<'a>> Read<'a> for Box<T> {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        T::read(json).map(Box::new)
    }
}

impl<'a, T: Read<'a>> Read<'a> for Vec<T> {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        let mut list = Self::new();
        json.list(&mut |json| {
            list.push(T::read(json)?);
            Ok(())
        })?;
        Ok(list)
    }
}

impl<'a, T: Read<'a>, const N: usize> Read<'a> for [T; N] {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        let list = Vec::read(json)?;
        let found = list.len();
        list.try_into().map_err(|_| json.wrong(format!("expected a list of {N}, found {found}")))
    }
}

impl<'a, T: Read<'a>> Read<'a> for BTreeMap<String, T> {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        let mut map = Self::new();
        json.object(&mut |json, key| {
            map.insert(key.to_owned(), T::read(json)?);
            Ok(())
        })?;
        Ok(map)
    }
}
