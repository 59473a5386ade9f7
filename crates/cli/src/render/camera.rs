//! From where a stage is seen: as the person asked, or else the scene file, or else a photographer.

use sinew::glam::{Quat, Vec3};
use sinew::render::{Camera, Lens, View};
use sinew::stage::{CameraSetup, Framing, Shot, Stage};

use super::args::{Render, Viewpoint};
use super::plan::Moment;
use crate::fault::Fault;

/// The camera's vertical angle where nobody chose one, in radians.
const FOV: f32 = 0.55;

/// The cameras of all moments.
#[derive(Debug)]
pub(crate) enum Cameras {
    /// In one place, but for going around.
    Fixed(Camera),
    Framed(Framing),
}

impl Cameras {
    /// The camera of one moment.
    pub(crate) fn at(&self, moment: Moment) -> Camera {
        match self {
            Self::Fixed(camera) => turned(camera, moment.turn),
            Self::Framed(framing) => framing.camera(moment.time, moment.turn),
        }
    }
}

/// What the camera is to show.
pub(crate) fn shot(args: &Render, stage: &Stage) -> Shot {
    let own = stage.shot();
    let choice = args.camera.clone().unwrap_or_default();
    let view = choice.viewpoint.and_then(Viewpoint::view);
    Shot {
        view: view.unwrap_or(if args.camera.is_some() { View::ThreeQuarter } else { own.view }),
        subject: choice.subject,
        follow: args.follow,
        fov_y: args.fov.map_or(own.fov_y, f32::to_radians),
        turntable: args.turntable,
    }
}

/// A camera in one place, where one was asked for.
pub(crate) fn fixed(args: &Render, stage: &Stage) -> Result<Option<Camera>, Fault> {
    let fov = args.fov.map(f32::to_radians);
    if let (Some(position), Some(look_at)) = (args.eye, args.look_at) {
        return exact(position.0, look_at.0, fov.unwrap_or(FOV)).map(Some);
    }
    match (&args.camera, stage.camera_setup) {
        (Some(choice), _) if choice.viewpoint == Some(Viewpoint::Own) => own(stage, fov).map(Some),
        (None, Some(CameraSetup::Exact { position, look_at, fov_y })) => {
            exact(position, look_at, fov.unwrap_or(fov_y)).map(Some)
        }
        _ => Ok(None),
    }
}

fn exact(position: Vec3, look_at: Vec3, fov_y: f32) -> Result<Camera, Fault> {
    if position == look_at {
        return Err(Fault::Usage("--eye and --look-at: expected two places, found one".into()));
    }
    Ok(Camera::look_at(position, look_at, fov_y))
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

/// The camera gone around its target by an angle.
fn turned(camera: &Camera, angle: f32) -> Camera {
    let turn = Quat::from_rotation_y(angle);
    Camera {
        position: camera.target + turn * (camera.position - camera.target),
        up: turn * camera.up,
        ..*camera
    }
}
