//! Structs whose members are those of a JSON object.
//!
//! A member that the object lacks has its type's default value, unless it is `required`; other keys are skipped.

use super::{Json, JsonError};

/// Declares structs that are read from JSON objects: `member: Type = "key"`, or `= "key" required`.
macro_rules! filed {
    ($(
        $(#[$about:meta])*
        $name:ident $(<$life:lifetime>)? {
            $($(#[$note:meta])* $member:ident: $type:ty = $key:literal $($required:ident)?,)*
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Default)]
        pub(in crate::gltf) struct $name $(<$life>)? {
            $($(#[$note])* pub(in crate::gltf) $member: $type,)*
        }

        filed!(@read $name $(<$life>)? {
            $($member = $key $($required)?,)*
        });
    )*};
    (@read $name:ident { $($members:tt)* }) => {
        impl<'a> $crate::json::Read<'a> for $name {
            filed!(@body { $($members)* });
        }
    };
    (@read $name:ident <$life:lifetime> { $($members:tt)* }) => {
        impl<'a> $crate::json::Read<'a> for $name<'a> {
            filed!(@body { $($members)* });
        }
    };
    (@body { $($member:ident = $key:literal $($required:ident)?,)* }) => {
        fn read(json: &mut $crate::json::Json<'a>) -> Result<Self, $crate::json::JsonError> {
            let mut filed = Self::default();
            json.members(
                &[$($(filed!(@key $key $required),)?)*],
                &mut |json, key| {
                    match key {
                        $($key => filed.$member = $crate::json::Read::read(json)?,)*
                        _ => json.skip()?,
                    }
                    Ok(())
                },
            )?;
            Ok(filed)
        }
    };
    (@key $key:literal required) => { $key };
}
pub(crate) use filed;

impl Json<'_> {
    /// An object that must have some members.
    pub(crate) fn members(
        &mut self,
        required: &[&str],
        member: &mut dyn FnMut(&mut Self, &str) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        let mut seen = 0_u32;
        self.object(&mut |json, key| {
            if let Some(at) = required.iter().position(|name| *name == key) {
                seen |= 1 << at;
            }
            member(json, key)
        })?;
        match required.get(seen.trailing_ones() as usize) {
            Some(missing) => {
                Err(self.wrong(format!("expected an object with {missing}, found none")))
            }
            None => Ok(()),
        }
    }
}
