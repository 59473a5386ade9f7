//! Not read yet.

use crate::door::{Context, Raw};
use crate::{Error, Place};

pub(crate) fn read_mesh(_: &[u8], _: &mut Context<'_>) -> Result<Raw, Error> {
    Err(Error::unsupported(Place::Whole, "not read yet"))
}
pub(crate) fn read_anim(_: &[u8], _: &mut Context<'_>) -> Result<Raw, Error> {
    Err(Error::unsupported(Place::Whole, "not read yet"))
}
