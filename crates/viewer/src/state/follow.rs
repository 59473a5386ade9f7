//! The camera goes along with the model, smoothly and over the floor.
//!
//! In:  where the model's hips are, seconds. Out: the camera's target moved by as much.

use sinew::glam::Vec3;

use super::State;
use crate::model::Model;

/// Seconds in which nine tenths of a step are made up for.
const LAG: f32 = 0.15;

/// How far the camera has gone along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Followed {
    model: u64,
    /// Where the model was when this began, over the floor.
    start: Vec3,
    /// What the camera has moved by since.
    moved: Vec3,
}

impl State {
    /// Moves the camera along with the active model.
    pub(super) fn follow(&mut self, seconds: f32) {
        let model = self.model().filter(|_| self.modes.follow);
        let Some((id, place)) = model.and_then(|model| Some((model.id, place(model)?))) else {
            self.followed = None;
            return;
        };
        let begun = Followed { model: id, start: place, moved: Vec3::ZERO };
        let known = self.followed.filter(|followed| followed.model == id);
        let mut followed = known.unwrap_or(begun);
        let wanted = place - followed.start;
        let size = self.bounds().size().length();
        let step = wanted - followed.moved;
        // At the seam of a clip that travels the model jumps, and so does the camera.
        let jumps = size.is_finite() && step.length() > 0.5 * size;
        let part = if jumps { 1.0 } else { 1.0 - 0.1_f32.powf(seconds.max(0.0) / LAG) };
        followed.moved += step * part;
        self.orbit.target += step * part;
        self.goal.iter_mut().for_each(|goal| goal.target += step * part);
        self.followed = Some(followed);
    }
}

/// Where a model is over the floor.
fn place(model: &Model) -> Option<Vec3> {
    let joint = model.world_from_joint(model.anchor?);
    Some(Vec3::from(joint.translation).with_y(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::scene::{Curve, Interpolation, Track};
    use sinew::{ClipId, JointId, Scene};

    /// The small rig, going two metres along X in a second.
    fn walking() -> State {
        let mut parts = sinew::demo().into_parts();
        let (times, places) = (vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::X * 2.0]);
        let curve = Curve::new(times, places, Interpolation::Linear).expect("two keys");
        let translations = vec![Track { joint: JointId::new(0), curve }];
        let clip = sinew::Clip { duration: 1.0, translations, ..sinew::Clip::default() };
        parts.clips = vec![clip];
        let mut model = Model::built_in("demo", Scene::new(parts).expect("whole"));
        model.start(Some(ClipId::new(0)), sinew::Transition::Cut);
        State { models: vec![model], playing: false, ..State::default() }
    }

    #[test]
    fn the_camera_goes_along_and_stays_when_it_is_switched_off() {
        let mut state = walking();
        state.modes.follow = true;
        let start = state.orbit.target;
        state.advance(0.0);
        state.models[0].seek(0.5);
        for _ in 0..60 {
            state.advance(0.02);
        }
        let moved = state.orbit.target - start;
        assert!(moved.abs_diff_eq(Vec3::X, 1e-3), "{moved}");
        state.modes.follow = false;
        state.models[0].seek(0.9);
        state.advance(0.02);
        assert_eq!(state.orbit.target - start, moved);
    }
}
