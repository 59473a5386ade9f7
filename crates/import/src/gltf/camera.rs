//! Cameras.
//!
//! In:  a camera of the document. Out: the scene's camera; a number that the file lacks is replaced by
//! a default, with a note.

use sinew_scene::{Camera, Decimal, JointId, Projection};

use super::buffer::no_such;
use super::json::{Document, Number, Orthographic, Perspective};
use crate::note::Notes;
use crate::{ImportError, Place};

/// Of a camera without `yfov`: 45 degrees.
const DEFAULT_FOV_Y: f32 = std::f32::consts::FRAC_PI_4;
/// Of a camera without `znear`, in metres.
const DEFAULT_NEAR: f32 = 0.1;
/// Of an orthographic camera without `zfar`, in metres.
const DEFAULT_FAR: f32 = 1000.0;
/// Of an orthographic camera without `xmag` or `ymag`, in metres.
const DEFAULT_HALF_SIZE: f32 = 1.0;

/// The camera with this index, under a node.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
    joint: JointId,
    place: &Place,
    notes: &mut Notes,
) -> Result<Camera, ImportError> {
    let cameras = &document.cameras;
    let filed = cameras.get(index).ok_or_else(|| no_such("camera", index, cameras.len(), place))?;
    let mut reader = Reader { place: Place::part(format!("cameras[{index}]")), notes };
    let projection = match (&filed.perspective, &filed.orthographic) {
        (Some(filed), _) => reader.perspective(filed),
        (None, Some(filed)) => reader.orthographic(filed),
        (None, None) => {
            let text = "a camera is neither perspective nor orthographic: a perspective of 45 degrees is used";
            reader.notes.add(reader.place, text);
            Projection::Perspective {
                fov_y: DEFAULT_FOV_Y,
                aspect: None,
                near: DEFAULT_NEAR,
                far: None,
            }
        }
    };
    Ok(Camera { name: filed.name.clone().unwrap_or_default(), joint, projection })
}

struct Reader<'a> {
    place: Place,
    notes: &'a mut Notes,
}

impl Reader<'_> {
    fn number(&mut self, name: &str, filed: Option<Number>, default: f32) -> f32 {
        if let Some(number) = filed {
            return number.0;
        }
        let text = format!("a camera has no {name}: {} is used", Decimal(default.into()));
        self.notes.add(self.place.clone(), text);
        default
    }

    fn perspective(&mut self, filed: &Perspective) -> Projection {
        Projection::Perspective {
            fov_y: self.number("yfov", filed.yfov, DEFAULT_FOV_Y),
            aspect: filed.aspect_ratio.map(|aspect| aspect.0).filter(|&aspect| aspect > 0.0),
            near: self.number("znear", filed.znear, DEFAULT_NEAR),
            far: filed.zfar.map(|far| far.0),
        }
    }

    fn orthographic(&mut self, filed: &Orthographic) -> Projection {
        Projection::Orthographic {
            half_width: self.number("xmag", filed.xmag, DEFAULT_HALF_SIZE),
            half_height: self.number("ymag", filed.ymag, DEFAULT_HALF_SIZE),
            near: self.number("znear", filed.znear, DEFAULT_NEAR),
            far: self.number("zfar", filed.zfar, DEFAULT_FAR),
        }
    }
}
