//! Not read yet.

mod draco;
mod meshopt;

use crate::door::{Context, Raw};
use crate::{Error, Place};

pub(crate) fn read(_: &[u8], _: &mut Context<'_>) -> Result<Raw, Error> {
    Err(Error::unsupported(Place::Whole, "not read yet"))
}
