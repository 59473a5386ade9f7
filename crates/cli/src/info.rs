//! `sinew info`.

use crate::args::{Info, Talk};
use crate::fault::Fault;

pub(crate) fn run(_: &Info, _: Talk) -> Result<(), Fault> {
    Ok(())
}
