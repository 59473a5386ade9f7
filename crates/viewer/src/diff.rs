//! Two models in one place: the first coloured by how far the second is off, the second seen through.
//!
//! In:  two scenes. Out: a model of each to show, the worst places as a list, and what each colour means.
//!
//! Both are compared once, by every pair of clips. What is shown follows the first model: its clip, and its time.

mod painted;

use std::sync::Arc;

use sinew::compare::{CompareOptions, Comparer, Comparison, Measure};
use sinew::{ClipId, JointId, Scene, Transition};

use crate::model::{Model, Source};
use crate::outline::Item;
use crate::state::State;

/// Places that are listed at most.
const LINES: usize = 40;
/// Joints of one clip that are listed at most.
const JOINTS: usize = 6;
/// Metres below which two models are the same to people.
const SAME_METRES: f64 = 1e-6;

/// Two models that were compared.
#[derive(Debug)]
pub(crate) struct Diff {
    pub(crate) titles: [String; 2],
    /// Worst first.
    pub(crate) lines: Vec<Line>,
    /// What one has and the other has not.
    pub(crate) only: Vec<String>,
    /// The first one as it was read.
    scene: Arc<Scene>,
    /// The rest poses, then every pair of clips.
    pairs: Vec<Pair>,
    /// Which of them is shown.
    shown: usize,
    /// What was open before.
    before: Vec<Model>,
}

/// How far apart two clips are, or the rest poses.
#[derive(Debug)]
struct Pair {
    clips: Option<[ClipId; 2]>,
    /// The worst of every vertex, in metres.
    heat: Vec<f32>,
    /// The worst of all.
    worst: f32,
}

/// A place where the two differ.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) metres: f64,
    pub(crate) words: String,
    clip: Option<ClipId>,
    time: f32,
    joint: Option<JointId>,
}

impl Diff {
    /// Compares two scenes; the models are the first, coloured, and the second, seen through.
    pub(crate) fn new(
        titles: [String; 2],
        a: Scene,
        b: Scene,
    ) -> Result<(Self, Vec<Model>), String> {
        let options = CompareOptions { keep_vertices: true, ..CompareOptions::default() };
        let comparer = Comparer::new(&a, &b, &options).map_err(|error| error.to_string())?;
        let mut found = comparer.compare();
        let ids = |clip: usize| Some([comparer.clip_of_a(clip), comparer.clip_of_b(clip)]);
        let clips = (0..found.clips.len()).map(ids);
        let ids: Vec<Option<[ClipId; 2]>> = std::iter::once(None).chain(clips).collect();
        let lines = lines(&a, &found, &ids);
        let only = only(&found, &titles);
        let measures = found.clips.iter_mut().map(|clip| &mut clip.measure);
        let measures = std::iter::once(&mut found.rest).chain(measures);
        let pairs = ids.into_iter().zip(measures).map(|(clips, measure)| Pair {
            clips,
            worst: worst(measure) as f32,
            heat: std::mem::take(&mut measure.vertices),
        });
        let pairs: Vec<Pair> = pairs.collect();
        let ghost = painted::ghost(&b)?;
        let shown = usize::from(pairs.len() > 1);
        let scene = Arc::new(a);
        let mut diff = Self { titles, lines, only, scene, pairs, shown, before: Vec::new() };
        let mut model = diff.model()?;
        model.start(diff.pairs[shown].clips.map(|clips| clips[0]), Transition::Cut);
        let mut other = Model::new(ghost.into(), diff.titles[1].clone(), Source::default());
        other.placement.fixed = true;
        diff.before.clear();
        Ok((diff, vec![model, other]))
    }

    /// The first model, coloured by what is shown.
    fn model(&self) -> Result<Model, String> {
        let pair = &self.pairs[self.shown];
        let scene = painted::heat(&self.scene, &pair.heat, pair.worst)?;
        let mut model = Model::new(scene.into(), self.titles[0].clone(), Source::default());
        model.placement.fixed = true;
        Ok(model)
    }

    /// Metres of the hottest colour.
    pub(crate) fn hottest(&self) -> f32 {
        self.pairs[self.shown].worst
    }

    /// The pair of a clip of the first model.
    fn pair_of(&self, clip: Option<ClipId>) -> Option<usize> {
        self.pairs.iter().position(|pair| pair.clips.map(|clips| clips[0]) == clip)
    }
}

/// The worst of a measure, at the skin or else at the joints.
fn worst(measure: &Measure) -> f64 {
    let joints = || measure.joints.worst.as_ref().map_or(0.0, |worst| worst.metres);
    measure.skin.as_ref().map_or_else(joints, |skin| skin.worst.metres)
}

fn lines(a: &Scene, found: &Comparison, ids: &[Option<[ClipId; 2]>]) -> Vec<Line> {
    let measures = found.clips.iter().map(|clip| &clip.measure);
    let measures = std::iter::once(&found.rest).chain(measures);
    let mut lines: Vec<Line> = Vec::new();
    for (clips, measure) in ids.iter().zip(measures) {
        let clip = clips.map(|clips| clips[0]);
        let name = clip.map_or("rest pose", |clip| &a[clip].name);
        if let Some(worst) = measure.skin.as_ref().map(|skin| &skin.worst) {
            let words = format!("{name}: skin at {}, {:.2} s", worst.joint, worst.time);
            let joint = a.skeleton().find(&worst.joint);
            lines.push(Line { metres: worst.metres, words, clip, time: worst.time, joint });
        }
        let mut joints: Vec<_> = measure.joints.each.iter().collect();
        joints.sort_by(|one, other| other.metres.total_cmp(&one.metres));
        for joint in joints.into_iter().take(JOINTS) {
            let time = joint.metres_at;
            let words = format!("{name}: joint {}, {:.2}°, {time:.2} s", joint.a, joint.degrees);
            let id = a.skeleton().find(&joint.a);
            lines.push(Line { metres: joint.metres, words, clip, time, joint: id });
        }
    }
    lines.retain(|line| line.metres > SAME_METRES);
    lines.sort_by(|one, other| other.metres.total_cmp(&one.metres));
    lines.truncate(LINES);
    lines
}

/// What one has and the other has not, a sentence each.
fn only(found: &Comparison, titles: &[String; 2]) -> Vec<String> {
    let structure = &found.structure;
    let mut sentences = Vec::new();
    for (what, only) in [
        ("joints", &structure.joints),
        ("clips", &structure.clips),
        ("meshes", &structure.meshes),
        ("materials", &structure.materials),
    ] {
        for (names, title) in [(&only.a, &titles[0]), (&only.b, &titles[1])] {
            if let Some(first) = names.first() {
                sentences.push(format!("{} {what} only in {title}: {first} …", names.len()));
            }
        }
    }
    sentences
}

impl State {
    /// The model that is compared, as it was before.
    pub(crate) fn compared(&self) -> Option<&Model> {
        self.diff.as_ref()?.before.first()
    }

    /// Shows two models that were compared in place of what is open.
    pub(crate) fn begin_diff(&mut self, mut diff: Diff, models: Vec<Model>) {
        // What was compared before that stays what is gone back to.
        let old = self.diff.take().map(|old| old.before);
        let open = std::mem::replace(&mut self.models, models);
        diff.before = old.unwrap_or_else(|| {
            let mut open = open;
            let active = self.active.min(open.len().saturating_sub(1));
            // The one that is compared comes first.
            open.rotate_left(active);
            open
        });
        self.active = 0;
        self.findings = None;
        self.diff = Some(diff);
        self.opened();
    }

    /// Goes back to what was open.
    pub(crate) fn end_diff(&mut self) {
        let Some(diff) = self.diff.take() else { return };
        self.models = diff.before;
        self.active = 0;
        self.opened();
    }

    /// Has the second model do what the first one does, and the first one wear the colours of its clip.
    pub(crate) fn keep_together(&mut self) {
        let Some(diff) = &mut self.diff else { return };
        let [first, second, ..] = &mut self.models[..] else { return };
        let pair = diff.pair_of(first.clip());
        let clip = pair.and_then(|pair| diff.pairs[pair].clips).map(|clips| clips[1]);
        if second.clip() != clip {
            second.start(clip, Transition::Cut);
        }
        if second.actor.time() != first.actor.time() {
            second.seek(first.actor.time());
        }
        // A clip that the other has not keeps the colours of the last one.
        let Some(pair) = pair.filter(|pair| *pair != diff.shown) else { return };
        diff.shown = pair;
        let id = first.id;
        if let Ok(model) = diff.model() {
            self.exchange(id, model, None);
        }
    }

    /// Goes to a place where the two differ: its clip at its time, held still, with its joint selected and in the middle.
    pub(crate) fn go_to_difference(&mut self, line: &Line) {
        self.active = 0;
        let Some(model) = self.model_mut() else { return };
        model.start(line.clip, Transition::Cut);
        model.seek(line.time);
        self.playing = false;
        self.keep_together();
        self.select(0, line.joint.map(Item::Joint).or(Some(Item::Model)));
        self.act(crate::keys::Action::Frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Vec3;

    /// The character, and the same with one clip in which the left arm is elsewhere.
    fn compared() -> State {
        let a = sinew::ossi();
        let mut parts = sinew::ossi().into_parts();
        let arm = a.skeleton().find("upper_arm.L").expect("an arm");
        let walk = parts.clips.iter_mut().find(|clip| clip.name == "walk").expect("a walk");
        let track = walk.rotations.iter_mut().find(|track| track.joint == arm).expect("it swings");
        for key in track.curve.values_mut() {
            *key *= sinew::glam::Quat::from_axis_angle(Vec3::X, 0.2);
        }
        let b = Scene::new(parts).expect("whole");
        let models = vec![Model::built_in("A", a.clone())];
        let mut state = State { models, ..State::default() };
        let (diff, models) = Diff::new(["A".into(), "B".into()], a, b).expect("comparable");
        state.begin_diff(diff, models);
        state
    }

    #[test]
    fn the_worst_place_is_the_hand_of_the_arm_and_a_click_goes_there() {
        let mut state = compared();
        let line = state.diff.as_ref().expect("a diff").lines[0].clone();
        assert!(line.words.starts_with("walk: "), "{line:?}");
        state.go_to_difference(&line);
        let [a, b] = &state.models[..] else { panic!("two models") };
        assert_eq!((a.clip(), a.actor.time()), (line.clip, line.time));
        assert_eq!((b.clip(), b.actor.time()), (line.clip, line.time));
        assert_eq!(state.joint(), line.joint);
        assert!(!state.playing);
        let name = &a.scene().skeleton().node(line.joint.expect("a joint")).name;
        assert!(name.ends_with(".L"), "{name}");
    }

    #[test]
    fn the_colours_are_those_of_the_clip_that_plays() {
        let mut state = compared();
        let id = state.models[0].id;
        let idle = state.models[0].scene().find_clip("idle");
        let walk = state.models[0].scene().find_clip("walk");
        state.choose_clip(walk);
        state.advance(0.1);
        assert!(state.diff.as_ref().is_some_and(|diff| diff.hottest() > 0.05));
        assert_ne!(state.models[0].id, id);
        assert_eq!(state.models[0].clip(), walk);
        assert_eq!(state.models[1].actor.time(), state.models[0].actor.time());
        state.choose_clip(idle);
        state.advance(0.1);
        assert!(state.diff.as_ref().is_some_and(|diff| diff.hottest() == 0.0));
        assert_eq!(state.models[1].clip(), idle);
    }

    #[test]
    fn what_was_open_comes_back() {
        let mut state = compared();
        state.act(crate::keys::Action::Compare);
        assert!(state.diff.is_none());
        assert_eq!(state.models.len(), 1);
        assert_eq!(state.models[0].title, "A");
    }

    #[test]
    fn models_without_anything_in_common_are_a_sentence() {
        let mut parts = sinew::scene::SceneParts::default();
        let rest = sinew::Transform::IDENTITY;
        parts.nodes.push(sinew::scene::Node::new("alone", None, rest));
        let other = Scene::new(parts).expect("whole");
        let titles = ["A".to_owned(), "B".to_owned()];
        assert!(Diff::new(titles, sinew::demo(), other).is_err());
    }
}
