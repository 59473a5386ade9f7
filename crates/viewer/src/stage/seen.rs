//! Everything that a picture depends on: the same again needs no drawing, for panels are often shown anew and the picture
//! is not.

use sinew::JointId;
use sinew::glam::{Affine3A, Vec3};

use crate::model::Model;
use crate::modes::Look;
use crate::outline::Item;
use crate::state::State;

/// Everything that a picture depends on. The same again needs no drawing: panels are often shown anew, the picture is not.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    size: (u32, u32),
    smooth: bool,
    orbit: crate::orbit::Orbit,
    modes: crate::modes::Modes,
    look: Look,
    selection: Option<(usize, Item)>,
    place: bool,
    models: Vec<SeenModel>,
}

/// What one model's share of a picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct SeenModel {
    id: u64,
    clip: Option<usize>,
    time: f32,
    place: Affine3A,
    /// Morph weights held by hand.
    held: Vec<Option<f32>>,
    /// Seconds until a change of clips is done.
    fading: f32,
    /// Steps of a graph.
    moved: u64,
    targets: Vec<(JointId, Vec3)>,
}

impl Seen {
    pub(super) fn new(state: &State, size: (u32, u32), smooth: bool) -> Self {
        let model = |model: &Model| SeenModel {
            id: model.id,
            clip: model.clip,
            time: model.actor.player().time(),
            place: model.actor.world_from_model(),
            held: model.held.clone(),
            fading: model.fading,
            moved: model.moved,
            targets: model.targets.iter().map(|target| (target.joint, target.at)).collect(),
        };
        Self {
            size,
            smooth,
            orbit: state.orbit,
            modes: state.modes,
            look: state.look,
            selection: state.selection.map(|item| (state.active, item)),
            place: state.show_place && state.place.is_some(),
            models: state.models.iter().map(model).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_drawn_again_when_anything_in_it_is_another() {
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, ..State::default() };
        let now = |state: &State| Seen::new(state, (640, 480), true);
        let first = now(&state);
        assert_eq!(first, now(&state));
        state.models[0].seek(0.1);
        let moved = now(&state);
        assert_ne!(first, moved);
        state.orbit.yaw += 0.1;
        let turned = now(&state);
        assert_ne!(moved, turned);
        state.modes.wireframe = true;
        assert_ne!(turned, now(&state));
    }
}
