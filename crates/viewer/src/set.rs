//! What a scene file brings beside its models: light, sky, fog, floor and camera.
//!
//! In:  what was read from the file, and the switches of the top bar.
//! Out: a frame in these surroundings, with what is switched off left out.

use std::path::PathBuf;

use sinew::Bounds;
use sinew::glam::Vec3;
use sinew::render::{Background, Floor, Fog, Frame, View};
use sinew::stage::{CameraSetup, Surroundings};

use crate::modes::Modes;
use crate::orbit::{self, Orbit};

/// The surroundings of an open scene file.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) file: PathBuf,
    pub(crate) around: Surroundings,
    pub(crate) camera_setup: Option<CameraSetup>,
}

impl Set {
    /// The switches as the file has it.
    pub(crate) fn modes(&self, own: Modes) -> Modes {
        Modes {
            sky: matches!(self.around.background, Background::Sky(_)),
            fog: self.around.fog != Fog::None,
            grid: self.around.floor.is_some_and(|floor| floor.grid),
            lights: false,
            ..own
        }
    }

    /// Gives a frame these surroundings; `plain` is behind everything where the sky is switched off.
    pub(crate) fn apply(
        &self,
        frame: &mut Frame,
        modes: &Modes,
        plain: Background,
        bounds: Bounds,
    ) {
        self.around.apply(frame);
        frame.background = match (modes.sky, self.around.background) {
            (false, Background::Sky(_)) => plain,
            (true, Background::Color(_) | Background::Transparent) => Background::Sky(1.0),
            (_, own) => own,
        };
        if !modes.fog {
            frame.fog = Fog::None;
        }
        frame.floor = Floor { grid: modes.grid, ..self.around.floor_under(bounds) };
        frame.floor.shadow &= modes.shadows;
    }

    /// Puts the camera where the file has it; false where that only names a side, which is in `orbit` then.
    pub(crate) fn place_camera(&self, orbit: &mut Orbit, facing: Vec3) -> bool {
        match self.camera_setup {
            Some(CameraSetup::Exact { position, look_at, fov_y }) => {
                orbit.look_from(position, look_at, fov_y);
                true
            }
            Some(CameraSetup::View { view, fov_y }) => {
                let view = match view {
                    View::ThreeQuarter => orbit::View::ThreeQuarter,
                    View::Front => orbit::View::Front,
                    View::Side => orbit::View::Left,
                    View::Back => orbit::View::Back,
                    View::Top => orbit::View::Top,
                };
                orbit.look(view, facing);
                orbit.fov_y = fov_y;
                false
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(around: Surroundings) -> Set {
        Set { file: PathBuf::new(), around, camera_setup: None }
    }

    #[test]
    fn what_is_switched_off_is_left_out_and_the_rest_is_the_files() {
        let fog = Fog::ExponentialSquared { color: Vec3::ONE, density: 0.1 };
        let around =
            Surroundings { background: Background::Sky(1.0), fog, ..Surroundings::default() };
        let set = set(around);
        let modes = set.modes(Modes::default());
        assert!(modes.sky && modes.fog && !modes.grid);
        let mut frame = Frame::new(Orbit::default().camera());
        let plain = Background::Color(Vec3::ZERO);
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
        set.apply(&mut frame, &modes, plain, bounds);
        assert_eq!((frame.background, frame.fog), (Background::Sky(1.0), fog));
        set.apply(&mut frame, &Modes { sky: false, fog: false, ..modes }, plain, bounds);
        assert_eq!((frame.background, frame.fog), (plain, Fog::None));
    }

    #[test]
    fn a_scene_file_without_a_place_has_the_floor_of_the_studio() {
        let set = set(Surroundings::default());
        let modes = set.modes(Modes::default());
        let mut frame = Frame::new(Orbit::default().camera());
        let bounds = Bounds { min: Vec3::Y, max: Vec3::splat(2.0) };
        set.apply(&mut frame, &modes, Background::default(), bounds);
        assert_eq!(frame.floor, set.around.floor_under(bounds));
        assert!(frame.floor.shadow && frame.floor.height == 1.0 && frame.floor.reflection > 0.0);
        set.apply(&mut frame, &Modes { shadows: false, ..modes }, Background::default(), bounds);
        assert!(!frame.floor.shadow);
    }

    #[test]
    fn the_camera_of_a_scene_file_can_be_moved_by_hand() {
        let setup =
            CameraSetup::Exact { position: Vec3::new(3.0, 1.0, 0.0), look_at: Vec3::Y, fov_y: 0.5 };
        let mut orbit = Orbit::default();
        assert!(
            Set { camera_setup: Some(setup), ..set(Surroundings::default()) }
                .place_camera(&mut orbit, Vec3::Z)
        );
        assert!(orbit.camera().position.abs_diff_eq(Vec3::new(3.0, 1.0, 0.0), 1e-5));
        assert_eq!((orbit.distance, orbit.fov_y), (3.0, 0.5));
    }
}
