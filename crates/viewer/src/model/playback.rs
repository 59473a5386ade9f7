//! What a model plays: clips by any transition, a jump to a time, time that passes.
//!
//! In:  clips to play, transitions, seconds.
//! Out: the model's actor at that time, and the box around all that the clip does.

use sinew::glam::{Affine3A, Vec3};
use sinew::{Actor, Bounds, ClipId, LoopMode, Motion, Transition};

use super::Model;
use crate::root_path::RootPath;
use crate::timeline::Timeline;

/// How many times of a clip are sampled to find the box around it.
const BOUNDS_SAMPLES: usize = 24;

impl Model {
    /// The clip that plays; `None` at rest and while a graph plays.
    pub(crate) fn clip(&self) -> Option<ClipId> {
        self.actor.clip_id()
    }

    /// The timeline of the clip that plays.
    pub(crate) fn timeline(&self) -> Option<&Timeline> {
        self.clip().map(|clip| &self.facts.timelines[clip.index()])
    }

    /// Whether anything moves it.
    pub(crate) fn plays(&self) -> bool {
        !matches!(self.actor.motion(), Motion::Rest) || self.actor.in_transition()
    }

    /// Plays another clip from its start, or goes to the rest pose.
    pub(crate) fn start(&mut self, clip: Option<ClipId>, transition: Transition) {
        let known = clip.filter(|clip| clip.index() < self.scene().clips.len());
        self.actor.start(known.map_or(Motion::Rest, Motion::Clip), transition);
        self.graph = None;
        self.bounds = self.whole_bounds();
    }

    /// Jumps to a time, with what is filed for it and nothing else.
    pub(crate) fn seek(&mut self, time: f32) {
        self.actor.seek(time);
        if self.graph.is_some() {
            self.root_path = RootPath::replayed(&self.actor, self.root_joint());
        }
    }

    /// How time runs from now on. A clip that has come to its end stays there.
    pub(crate) fn set_time(&mut self, mode: LoopMode, speed: f32, runs: bool) {
        if self.actor.loop_mode() != mode {
            self.actor.set_loop_mode(mode);
        }
        self.actor.set_speed(speed * self.placement.speed);
        if !runs {
            self.actor.pause();
        } else if !self.actor.is_playing() && !self.actor.is_finished() {
            self.actor.resume();
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, seconds: f32) {
        let before = self.actor.time();
        self.actor.advance(seconds);
        let passed = self.actor.time() - before;
        if self.graph.is_some() && passed > 0.0 {
            let root = self.root_position();
            self.root_path.step(self.actor.root_motion(), root, passed);
        }
    }

    /// Puts the model elsewhere.
    pub(crate) fn place(&mut self, at: Vec3) {
        self.actor.place(Affine3A::from_translation(at));
        self.actor.update();
        self.bounds = self.whole_bounds();
    }

    /// A box around everything, over the whole clip. Models without meshes have one around their joints.
    pub(super) fn whole_bounds(&self) -> Bounds {
        let mut actor = self.actor.clone();
        actor.modifiers_mut().clear();
        let Some(clip) = self.clip() else {
            actor.stop();
            return bounds_of(&actor, &self.facts.bones);
        };
        let duration = self.facts.timelines[clip.index()].duration;
        let mut bounds = Bounds::EMPTY;
        for sample in 0..=BOUNDS_SAMPLES {
            actor.seek(duration * sample as f32 / BOUNDS_SAMPLES as f32);
            bounds = bounds.union(bounds_of(&actor, &self.facts.bones));
        }
        bounds
    }

    /// The same again, after the motion has changed.
    pub(crate) fn update_bounds(&mut self) {
        self.bounds = self.whole_bounds();
    }
}

/// Around what is drawn; where nothing is, around the joints.
fn bounds_of(actor: &Actor, bones: &[bool]) -> Bounds {
    let bounds = actor.bounds();
    if !bounds.is_empty() {
        return bounds;
    }
    let mut bounds = Bounds::EMPTY;
    for (joint, shown) in actor.pose().model_from_joint().iter().zip(bones) {
        if *shown {
            bounds.add(actor.world_from_model().transform_point3a(joint.translation).into());
        }
    }
    if !bounds.is_empty() {
        // The last bone of a chain is drawn beyond its joint; the floor stays where it is.
        let margin = bounds.size().length() * 0.1;
        bounds.min -= Vec3::new(margin, 0.0, margin);
        bounds.max += Vec3::splat(margin);
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Action;
    use crate::state::State;

    fn ossi() -> State {
        State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() }
    }

    fn pose(model: &Model) -> Vec<Affine3A> {
        model.actor.pose().model_from_joint().to_vec()
    }

    /// The pose of a clip at a time, with nothing else in it.
    fn filed(clip: usize, time: f32) -> Vec<Affine3A> {
        let mut model = Model::built_in("Ossi", sinew::ossi());
        model.start(Some(ClipId::new(clip)), Transition::Cut);
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
        state.choose_clip(Some(ClipId::new(2)));
        state.advance(0.001);
        let after = pose(&state.models[0]);
        assert!(differ(&before, &after) < 0.02, "{}", differ(&before, &after));
        assert!(differ(&after, &filed(2, 0.001)) > 0.05);
        state.advance(state.fade);
        let time = state.models[0].actor.time();
        assert!(differ(&pose(&state.models[0]), &filed(2, time)) < 1e-5);
        assert!(!state.models[0].actor.in_transition());
    }

    #[test]
    fn with_no_time_to_fade_or_while_paused_a_change_is_exact_at_once() {
        for (fade, playing) in [(0.0, true), (0.25, false)] {
            let mut state = State { fade, playing, ..ossi() };
            state.choose_clip(Some(ClipId::new(2)));
            assert!(differ(&pose(&state.models[0]), &filed(2, 0.0)) < 1e-6);
        }
    }

    #[test]
    fn a_step_in_the_middle_of_a_change_shows_the_clip_as_filed() {
        let mut state = ossi();
        state.advance(0.2);
        state.choose_clip(Some(ClipId::new(2)));
        state.advance(0.1);
        state.act(Action::Step(1));
        let time = state.models[0].actor.time();
        assert!(time > 0.09, "{time}");
        assert!(differ(&pose(&state.models[0]), &filed(2, time)) < 1e-6);
    }

    #[test]
    fn a_pause_holds_a_change_where_it_is() {
        let mut state = ossi();
        state.advance(0.2);
        state.choose_clip(Some(ClipId::new(2)));
        state.advance(0.1);
        state.act(Action::Play);
        state.advance(0.01);
        let held = pose(&state.models[0]);
        state.advance(1.0);
        assert_eq!(differ(&pose(&state.models[0]), &held), 0.0);
        assert!(state.models[0].actor.in_transition());
    }

    #[test]
    fn from_a_graph_to_a_clip_and_on_to_the_rest_pose_nothing_jumps() {
        let mut state = crate::graph::tests::gait();
        state.advance(0.3);
        for next in [Some(ClipId::new(2)), None] {
            let before = pose(&state.models[0]);
            state.choose_clip(next);
            state.advance(0.001);
            let jump = differ(&before, &pose(&state.models[0]));
            assert!(jump < 0.02, "{jump}");
            state.advance(0.1);
        }
    }

    #[test]
    fn the_box_of_a_clip_holds_every_moment_of_it() {
        let mut model = Model::built_in("demo", sinew::demo());
        let whole = model.bounds;
        for step in 0..=BOUNDS_SAMPLES {
            let duration = model.facts.timelines[0].duration;
            model.seek(duration * step as f32 / BOUNDS_SAMPLES as f32);
            let now = model.actor.bounds();
            assert!(whole.union(now) == whole, "{step}: {now:?} is not within {whole:?}");
        }
    }

    #[test]
    fn bones_without_a_mesh_have_a_box_too() {
        let mut parts = sinew::demo().into_parts();
        parts.instances.clear();
        for clip in &mut parts.clips {
            clip.weights.clear();
        }
        let model = Model::built_in("bones", sinew::Scene::new(parts).expect("still whole"));
        assert!(!model.bounds.is_empty());
        assert_eq!(model.facts.totals, crate::model::facts::Totals::default());
    }
}
