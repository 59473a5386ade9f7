//! Everything that an image depends on: the same again needs no drawing, for panels are often shown anew and the image
//! is not.

use sinew::ClipId;
use sinew::glam::Affine3A;

use crate::model::Model;
use crate::modes::Look;
use crate::outline::Item;
use crate::state::State;

/// Everything that an image depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    size: (u32, u32),
    smooth: bool,
    orbit: crate::orbit::Orbit,
    modes: crate::modes::Modes,
    look: Look,
    environment: Option<String>,
    selection: Option<(usize, Item)>,
    place: bool,
    models: Vec<SeenModel>,
}

/// What one model's share of an image depends on.
#[derive(Clone, Debug, PartialEq)]
struct SeenModel {
    id: u64,
    /// Materials may follow the clip.
    clip: Option<ClipId>,
    time: f32,
    world_from_model: Affine3A,
    model_from_joint: Vec<Affine3A>,
    weights: Vec<f32>,
}

impl Seen {
    pub(super) fn new(state: &State, size: (u32, u32), smooth: bool) -> Self {
        let model = |model: &Model| SeenModel {
            id: model.id,
            clip: model.clip(),
            time: model.actor.time(),
            world_from_model: model.actor.world_from_model(),
            model_from_joint: model.actor.pose().model_from_joint().to_vec(),
            weights: model.actor.pose().all_weights().to_vec(),
        };
        Self {
            size,
            smooth,
            orbit: state.orbit,
            modes: state.modes,
            look: state.look,
            environment: state.environment.as_ref().map(|(name, _)| name.clone()),
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
    fn an_image_is_drawn_again_when_anything_in_it_is_another() {
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, ..State::default() };
        let now = |state: &State| Seen::new(state, (640, 480), true);
        let first = now(&state);
        assert_eq!(first, now(&state));
        state.models[0].seek(0.1);
        let moved = now(&state);
        assert_ne!(first, moved);
        state.orbit.yaw += 0.1;
        let orbited = now(&state);
        assert_ne!(moved, orbited);
        state.modes.wireframe = true;
        assert_ne!(orbited, now(&state));
    }
}
