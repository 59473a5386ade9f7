//! Extensions that few files have: a page that shows the others need not load their reader.

use crate::{ImportError, Place};

/// Whether this build reads them.
pub(super) const ARE_READ: bool = cfg!(feature = "gltf_rare");

/// Where it does not.
pub(super) fn unread(extension: &str, place: &Place) -> ImportError {
    let text = format!("{extension}, which this build does not read (feature `gltf_rare`)");
    ImportError::unsupported(place.clone(), text)
}
