//! Small files written by hand, and motions compared with ufbx's own evaluation.

use glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, Scene};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, Imported, NoFiles, Options};

/// Two bones, a strip of four points that they bend, a turn of the second bone and a shape.
/// Metres, Y up; one second is 46186158000 ticks.
const ARM: &str = include_str!("arm.fbx.txt");

fn read(text: &str) -> Imported {
    Options::default().read_as(Format::Fbx, text.as_bytes(), &NoFiles).expect("a good file")
}
