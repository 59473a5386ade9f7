//! Cameras.

use sinew_scene::{Camera, JointId, Projection};

use super::buffer::no_such;
use super::json::Document;
use crate::{Error, Place};

/// The camera with this index, under a node.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
    joint: JointId,
    place: &Place,
) -> Result<Camera, Error> {
    let cameras = &document.cameras;
    let filed = cameras.get(index).ok_or_else(|| no_such("camera", index, cameras.len(), place))?;
    let projection = match (&filed.perspective, &filed.orthographic) {
        (Some(filed), _) => Projection::Perspective {
            fov_y: filed.yfov.0,
            aspect: filed.aspect_ratio.map(|aspect| aspect.0).filter(|&aspect| aspect > 0.0),
            near: filed.znear.0,
            far: filed.zfar.map(|far| far.0),
        },
        (None, Some(filed)) => Projection::Orthographic {
            half_width: filed.xmag.0,
            half_height: filed.ymag.0,
            near: filed.znear.0,
            far: filed.zfar.0,
        },
        (None, None) => {
            let place = Place::part(format!("cameras[{index}]"));
            let text = "expected perspective or orthographic, found neither";
            return Err(Error::malformed(place, text));
        }
    };
    Ok(Camera { name: filed.name.clone().unwrap_or_default(), joint, projection })
}
