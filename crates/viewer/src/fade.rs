//! One clip changes to the next: gently while it plays, at once where a hand holds time still.
//!
//! In:  the clip to come, and seconds. Out: a model that shows both for a while.
//!
//! Whatever sets the time by hand ends the change first, so what is scrubbed to is what was filed.

use crate::model::Model;

impl Model {
    /// Another clip from its start, over some seconds; the rest pose, or a graph that ends, at once.
    pub(crate) fn fade_to(&mut self, clip: Option<usize>, seconds: f32) {
        let known = clip.filter(|index| *index < self.scene().clips.len());
        let (Some(index), Some(_), true) = (known, self.clip, seconds > 0.0) else {
            return self.choose(clip);
        };
        self.clip = known;
        self.bounds = self.whole_bounds();
        self.actor.fade_to_index(index, seconds);
        self.fading = seconds;
        self.hold();
    }

    /// Shows the clip alone, where it is.
    pub(crate) fn end_fade(&mut self) {
        let (Some(index), true) = (self.clip, self.fading > 0.0) else { return };
        let player = *self.actor.player();
        self.actor.play_index(index);
        *self.actor.player_mut() = player;
        self.fading = 0.0;
        self.actor.seek(player.time());
        self.hold();
    }

    /// Whether anything moves it.
    pub(crate) fn plays(&self) -> bool {
        self.clip.is_some() || self.graph.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Action;
    use crate::state::State;
    use sinew::glam::Affine3A;

    fn ossi() -> State {
        State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() }
    }

    fn pose(model: &Model) -> Vec<Affine3A> {
        model.actor.pose().model_from_joint().to_vec()
    }

    /// The pose of a clip at a time, with nothing else in it.
    fn filed(clip: usize, time: f32) -> Vec<Affine3A> {
        let mut model = Model::built_in("Ossi", sinew::ossi());
        model.choose(Some(clip));
        model.seek(time);
        pose(&model)
    }

    fn differ(a: &[Affine3A], b: &[Affine3A]) -> f32 {
        let gap = |(a, b): (&Affine3A, &Affine3A)| a.translation.distance(b.translation);
        a.iter().zip(b).map(gap).fold(0.0, f32::max)
    }

    #[test]
    fn a_change_of_clips_goes_gently_while_it_plays_and_is_done_in_time() {
        let mut state = ossi();
        state.advance(0.2);
        let before = pose(&state.models[0]);
        state.choose_clip(Some(2));
        state.advance(0.001);
        let after = pose(&state.models[0]);
        assert!(differ(&before, &after) < 0.02, "{}", differ(&before, &after));
        assert!(differ(&after, &filed(2, 0.001)) > 0.05);
        state.advance(state.fade);
        let time = state.models[0].actor.player().time();
        assert!(differ(&pose(&state.models[0]), &filed(2, time)) < 1e-5);
        assert_eq!(state.models[0].fading, 0.0);
    }

    #[test]
    fn with_no_time_to_fade_or_while_paused_a_change_is_exact_at_once() {
        for (fade, playing) in [(0.0, true), (0.25, false)] {
            let mut state = State { fade, playing, ..ossi() };
            state.choose_clip(Some(2));
            assert!(differ(&pose(&state.models[0]), &filed(2, 0.0)) < 1e-6);
        }
    }

    #[test]
    fn a_step_in_the_middle_of_a_change_shows_the_clip_as_filed() {
        let mut state = ossi();
        state.advance(0.2);
        state.choose_clip(Some(2));
        state.advance(0.1);
        state.act(Action::Step(1));
        let time = state.models[0].actor.player().time();
        assert!(time > 0.09, "{time}");
        assert!(differ(&pose(&state.models[0]), &filed(2, time)) < 1e-6);
    }

    #[test]
    fn a_pause_holds_a_change_where_it_is() {
        let mut state = ossi();
        state.advance(0.2);
        state.choose_clip(Some(2));
        state.advance(0.1);
        state.act(Action::Play);
        state.advance(0.01);
        let held = pose(&state.models[0]);
        state.advance(1.0);
        assert_eq!(differ(&pose(&state.models[0]), &held), 0.0);
        assert!(state.models[0].fading > 0.1);
    }
}
