//! From where a stage is seen, and how the eye goes around it.

use sinew::glam::{Quat, Vec3};
use sinew::render::{Camera, Lens, View};
use sinew::stage::{Eye, Outline, Stage};

use super::args::{Render, Viewpoint};
use crate::fault::Fault;

/// The eye's vertical angle where nobody chose one, in radians.
const FOV: f32 = 0.55;

/// The eye as it was asked for, before it goes around. `outline` is what the clips must not leave.
pub(crate) fn eye(
    args: &Render,
    stage: &Stage,
    outline: &Outline,
    aspect: f32,
) -> Result<Camera, Fault> {
    let fov = args.fov.map(f32::to_radians);
    if let (Some(eye), Some(look_at)) = (args.eye, args.look_at) {
        return exact(eye.0, look_at.0, fov.unwrap_or(FOV));
    }
    let framed = |view: View, fov_y: f32| match args.turntable {
        false => outline.seen(view.direction(), fov_y, aspect),
        true => outline.seen_around(view.direction(), fov_y, aspect),
    };
    match (args.camera, stage.eye) {
        (Some(Viewpoint::Own), _) => own(stage, fov),
        (Some(side), _) => {
            Ok(framed(side.view().unwrap_or(View::ThreeQuarter), fov.unwrap_or(FOV)))
        }
        (None, Some(Eye::Exact { eye, look_at, fov_y })) => {
            exact(eye, look_at, fov.unwrap_or(fov_y))
        }
        (None, Some(Eye::View { view, fov_y })) => Ok(framed(view, fov.unwrap_or(fov_y))),
        (None, None) => Ok(framed(View::ThreeQuarter, fov.unwrap_or(FOV))),
    }
}

fn exact(eye: Vec3, look_at: Vec3, fov_y: f32) -> Result<Camera, Fault> {
    if eye == look_at {
        return Err(Fault::Usage("--eye and --look-at: expected two places, found one".into()));
    }
    Ok(Camera::look_at(eye, look_at, fov_y))
}

/// The first camera of the first file that has one.
fn own(stage: &Stage, fov: Option<f32>) -> Result<Camera, Fault> {
    for member in &stage.members {
        let actor = &member.actor;
        if let Some(camera) = actor.scene().cameras.first() {
            let node = actor.pose().model_from_joint()[camera.joint.index()];
            let mut seen = Camera::from_scene(camera, actor.world_from_model() * node);
            if let Some(fov_y) = fov {
                seen.lens = Lens::Perspective { fov_y };
            }
            return Ok(seen);
        }
    }
    Err(Fault::Work("there is no camera in the file: expected another --camera".into()))
}

/// The eye gone around its target by an angle.
pub(crate) fn turned(camera: &Camera, angle: f32) -> Camera {
    let turn = Quat::from_rotation_y(angle);
    Camera {
        eye: camera.target + turn * (camera.eye - camera.target),
        up: turn * camera.up,
        ..*camera
    }
}
