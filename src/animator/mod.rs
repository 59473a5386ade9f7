//! One character's motion: what plays, how it changes, where the character goes.
//!
//! In:  clips, packed clips and graphs to play, transitions between them, modifiers, and seconds.
//! Out: a pose, root motion, and the markers that were passed.
//!
//! `sources → blend → inertialization → modifiers → pose`. The inertialization works on the pose before
//! the modifiers, so every transition begins where the motion really was. It sees every pose of graphs
//! and mixtures; a clip that plays alone is sampled again when its velocity is asked for, so that
//! thousands of characters with one clip each keep no history. A frame allocates nothing once each
//! kind of transition has been made.

mod blend;
mod fits;
mod graph;
mod modifier;
mod motion;
mod reach;
mod root_motion;
mod seek;
mod source;

use std::sync::Arc;

use glam::Affine3A;
use sinew_motion::graph::{Event, GraphPlayer};
use sinew_motion::{Fade, Inertialization, LoopMode, Pose, Progress, RootMode};
use sinew_scene::{Clip, ClipId, JointId, Scene, Skeleton, Transform};

pub use modifier::{GroundProbe, JointOverride, Modifier, ModifierId, Modifiers, Target};
pub use motion::{Motion, Transition};
pub use root_motion::RootMotionPolicy;

use crate::{COMPLETE, ClipNotFoundError};
use root_motion::RootJoint;
use seek::GraphStart;
use source::Source;

/// Events of clips that are seen less than this are not reported: nobody hears the footstep of a
/// walk that has hardly begun to fade in.
const MIN_EVENT_WEIGHT: f32 = 0.01;

/// How far back a motion is looked at for its velocity, where no earlier frame was shown, in seconds.
const VELOCITY_SPAN: f32 = 1.0 / 60.0;

/// Plays the motion of one character.
///
/// ```
/// use sinew::{Animator, Transition};
/// let mut animator = Animator::new(sinew::ossi());
/// animator.play("walk")?;
/// animator.advance(0.5);
/// animator.fade_to("run", 0.3)?;
/// animator.advance(1.0 / 60.0);
/// let head = animator.scene().skeleton().find("head").unwrap();
/// assert!(animator.pose().model_from_joint()[head.index()].translation.y > 1.0);
/// # Ok::<(), sinew::ClipNotFoundError>(())
/// ```
#[doc(alias = "AnimationPlayer")]
#[doc(alias = "AnimationMixer")]
#[doc(alias = "state machine")]
#[derive(Clone, Debug)]
pub struct Animator {
    scene: Arc<Scene>,
    /// What plays, oldest first; the last one is what was asked for. Never empty.
    sources: Vec<Source>,
    spare: Vec<Source>,
    scratch: Option<Pose>,
    paused: bool,
    speed: f32,
    loop_mode: LoopMode,
    /// The start of the graph that plays, to seek in it.
    graph_start: Option<Box<GraphStart>>,
    /// Made when it is first needed.
    inertialization: Option<Box<Inertialization>>,
    /// The root motion of the last step without inertialization, and how many seconds it took.
    root_velocity: (Transform, f32),
    root: Option<Box<RootJoint>>,
    policy: RootMotionPolicy,
    root_motion: Transform,
    modifiers: Modifiers,
    pose: Pose,
    world_from_model: Affine3A,
}

impl Animator {
    /// A character in its rest pose. Pass an `Arc<Scene>` to share one scene between several.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        let scene = scene.into();
        let pose = Pose::new(&scene);
        let mut animator = Self {
            sources: vec![source_for(&scene, &pose)],
            spare: Vec::new(),
            scratch: None,
            paused: false,
            speed: 1.0,
            loop_mode: LoopMode::Loop,
            graph_start: None,
            inertialization: None,
            root_velocity: (Transform::IDENTITY, 1.0),
            root: None,
            policy: RootMotionPolicy::Leave,
            root_motion: Transform::IDENTITY,
            modifiers: Modifiers::default(),
            pose,
            world_from_model: Affine3A::IDENTITY,
            scene,
        };
        animator.jump();
        animator
    }

    /// The scene, shared by all animators made from it.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Plays the clip of this name from its start, at once.
    ///
    /// # Errors
    /// When the scene has none; the animator goes on as it was.
    pub fn play(&mut self, name: &str) -> Result<(), ClipNotFoundError> {
        self.change_to(name, Transition::Cut)
    }

    /// Cross-fades to the clip of this name, from whatever plays, while that plays on.
    ///
    /// # Errors
    /// When the scene has none; the animator goes on as it was.
    #[doc(alias = "crossfade")]
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<(), ClipNotFoundError> {
        self.change_to(name, Transition::fade(seconds))
    }

    /// Changes to the clip of this name by inertialization: the last motion dies away over some
    /// seconds. Cheaper than a fade, and livelier.
    ///
    /// # Errors
    /// When the scene has none; the animator goes on as it was.
    pub fn inertialize_to(&mut self, name: &str, seconds: f32) -> Result<(), ClipNotFoundError> {
        self.change_to(name, Transition::inertialize(seconds))
    }

    fn change_to(&mut self, name: &str, how: Transition) -> Result<(), ClipNotFoundError> {
        let clip = crate::find_clip(&self.scene, name)?;
        self.start(clip, how);
        Ok(())
    }

    /// Begins a clip, a packed clip or a graph, by any transition, from whatever plays now.
    ///
    /// # Panics
    /// When the motion is not one of this scene: a clip that does not exist, a packed clip or a graph
    /// made for other nodes.
    pub fn start(&mut self, motion: impl Into<Motion>, how: Transition) {
        self.start_at(motion, how, 0.0);
    }

    /// [`start`](Self::start), but this many seconds into the motion.
    ///
    /// # Panics
    /// When the motion is not one of this scene.
    pub fn start_at(&mut self, motion: impl Into<Motion>, how: Transition, time: f32) {
        let motion = motion.into();
        self.check(&motion);
        self.graph_start = match &motion {
            Motion::Graph(graph) if COMPLETE => {
                Some(Box::new(GraphStart::new(graph, self.world_from_model)))
            }
            _ => None,
        };
        match how {
            Transition::Cut => self.replace(motion),
            Transition::Fade { seconds, ease } => self.push(motion, Fade::new(seconds, ease)),
            Transition::Inertialize { seconds } => {
                if COMPLETE {
                    self.begin_inertialization(seconds);
                }
                self.replace(motion);
            }
        }
        if time != 0.0 {
            self.set_playhead(time);
        }
        match how {
            Transition::Cut => self.jump(),
            Transition::Fade { .. } | Transition::Inertialize { .. } => self.update(),
        }
    }

    fn check(&self, motion: &Motion) {
        match motion {
            Motion::Rest => {}
            Motion::Clip(clip) => {
                let clips = self.scene.clips.len();
                assert!(clip.index() < clips, "{clip:?} is not one of the {clips} clips");
            }
            Motion::Packed(clip) => {
                assert!(clip.fits(&self.scene), "the clip was packed for another skeleton");
            }
            Motion::Graph(graph) => {
                let nodes = graph.compiled().scene().skeleton().len();
                assert_eq!(nodes, self.pose.len(), "the graph was compiled for another scene");
            }
        }
    }

    /// Goes back to the rest pose at once.
    pub fn stop(&mut self) {
        self.start(Motion::Rest, Transition::Cut);
    }

    /// What plays; while a transition is under way, what it leads to.
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.current().motion
    }

    /// The clip that plays, if it is one of the scene's.
    #[must_use]
    pub fn clip(&self) -> Option<&Clip> {
        self.clip_id().map(|clip| &self.scene[clip])
    }

    /// The same as an id.
    #[must_use]
    pub fn clip_id(&self) -> Option<ClipId> {
        match self.motion() {
            Motion::Clip(clip) => Some(*clip),
            _ => None,
        }
    }

    /// The graph that plays, if one does.
    #[must_use]
    pub fn graph(&self) -> Option<&GraphPlayer> {
        self.current().graph()
    }

    /// The graph that plays, to set its parameters.
    pub fn graph_mut(&mut self) -> Option<&mut GraphPlayer> {
        self.current_mut().graph_mut()
    }

    /// All graphs that play: those that a transition still shows, oldest first, and the one asked for.
    pub fn graphs(&self) -> impl Iterator<Item = &GraphPlayer> {
        self.sources.iter().filter_map(Source::graph)
    }

    /// Whether a transition is under way.
    #[must_use]
    pub fn in_transition(&self) -> bool {
        !self.current().fade.is_done() || self.is_inertializing()
    }

    fn current(&self) -> &Source {
        &self.sources[self.sources.len() - 1]
    }

    fn current_mut(&mut self) -> &mut Source {
        let last = self.sources.len() - 1;
        &mut self.sources[last]
    }

    /// Stops time until [`resume`](Self::resume), whatever plays.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Lets time run again. A clip that has played once to its end starts over.
    pub fn resume(&mut self) {
        self.paused = false;
        let backward = self.speed < 0.0;
        let player = &mut self.current_mut().player;
        player.set_speed(if backward { -1.0 } else { 1.0 });
        player.resume();
        player.set_speed(1.0);
    }

    /// Whether time runs: not paused, and not at the end of a clip that plays once.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        !self.paused && self.current().player.is_playing()
    }

    /// How fast time runs: 1 as filed, negative backward. Graphs do not run backward.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Changes how fast time runs, whatever plays. What is not a finite number is zero.
    pub fn set_speed(&mut self, speed: f32) {
        self.speed = if speed.is_finite() { speed } else { 0.0 };
    }

    /// What happens at the end of a clip.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Changes what happens at the end of clips: the one that plays, and all after it. A graph has
    /// no end; its nodes say for themselves.
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.loop_mode = mode;
        self.current_mut().player.set_mode(mode);
    }

    /// The length of the clip that plays, in seconds; zero at rest and for graphs, which have no end.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.current().player.duration()
    }

    /// Lets `seconds` pass.
    pub fn advance(&mut self, seconds: f32) -> Progress {
        let progress = self.advance_local(seconds);
        if self.modifiers.is_empty() {
            self.pose.to_model(self.scene.skeleton());
        }
        progress
    }

    /// [`advance`](Self::advance) for those who read local transforms alone: the model matrices of the
    /// pose are brought up to date only when there are modifiers, which need them.
    pub fn advance_local(&mut self, seconds: f32) -> Progress {
        let seconds = if self.paused || !seconds.is_finite() { 0.0 } else { seconds };
        self.drop_covered();
        self.step_sources(seconds);
        if let Some(start) = &mut self.graph_start {
            start.pass(seconds * self.speed);
        }
        self.evaluate(seconds);
        let root_motion = self.mean_root_motion(seconds);
        if COMPLETE {
            self.root_motion = self.modifiers.mirrored(root_motion);
        }
        if self.policy == RootMotionPolicy::Apply && self.root_motion != Transform::IDENTITY {
            self.world_from_model *= self.root_motion.to_affine();
        }
        if !self.modifiers.is_empty() {
            self.apply_modifiers(seconds);
        }
        self.current().progress()
    }

    /// [`advance`](Self::advance), then a change of one's own to the pose, before anybody reads it.
    pub fn advance_with(
        &mut self,
        seconds: f32,
        change: impl FnOnce(&mut Pose, &Skeleton),
    ) -> Progress {
        let progress = self.advance(seconds);
        self.modify(change);
        progress
    }

    /// Changes the pose by hand, after the modifiers. Lasts until the next frame. The model matrices
    /// must be up to date afterwards: modifiers leave them so, and after a
    /// [`set_local`](Pose::set_local) call [`to_model_from`](Pose::to_model_from).
    pub fn modify<R>(&mut self, change: impl FnOnce(&mut Pose, &Skeleton) -> R) -> R {
        change(&mut self.pose, self.scene.skeleton())
    }

    /// Works out the pose anew without letting time pass: after modifiers or parameters have changed.
    pub fn update(&mut self) {
        self.evaluate(0.0);
        self.apply_modifiers(0.0);
    }

    /// Chooses the root joint, what of its motion counts, and what happens to it; `None` leaves every
    /// joint as clips have it. A graph has a root joint of its own; the policy holds for it too. Between
    /// [`Remove`](RootMotionPolicy::Remove) and [`Apply`](RootMotionPolicy::Apply) of the same joint, what
    /// plays goes on as it is.
    ///
    /// ```
    /// use sinew::{Animator, RootMotionPolicy, motion::RootMode};
    /// let mut animator = Animator::new(sinew::ossi());
    /// let root = animator.scene().skeleton().find("root");
    /// animator.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Apply);
    /// animator.play("walk")?;
    /// animator.advance(2.0);
    /// // Ossi walks at 1.4 m/s.
    /// assert!((animator.world_from_model().translation.z - 2.8).abs() < 1e-4);
    /// # Ok::<(), sinew::ClipNotFoundError>(())
    /// ```
    ///
    /// # Panics
    /// When the scene has no such joint.
    pub fn set_root_motion(
        &mut self,
        joint: Option<JointId>,
        mode: RootMode,
        policy: RootMotionPolicy,
    ) {
        self.policy = policy;
        let joint = joint.filter(|_| policy != RootMotionPolicy::Leave);
        let held = self.root.as_ref().map(|root| (root.joint(), root.mode()));
        if held == joint.map(|joint| (joint, mode)) {
            return;
        }
        self.root = joint.map(|joint| Box::new(RootJoint::new(&self.scene, joint, mode)));
        self.root_motion = Transform::IDENTITY;
        self.jump();
    }

    /// The joint whose motion moves the character, and what happens to it.
    #[must_use]
    pub fn root_motion_policy(&self) -> (Option<JointId>, RootMotionPolicy) {
        (self.root.as_ref().map(|root| root.joint()), self.policy)
    }

    /// How far the last [`advance`](Self::advance) moved the character, seen from where it was: what
    /// [`RootMotionPolicy::Apply`] applied, or what there is to apply.
    #[doc(alias = "root motion delta")]
    #[doc(alias = "deltaPosition")]
    #[must_use]
    pub fn root_motion(&self) -> Transform {
        self.root_motion
    }

    /// Where the character is in the world.
    #[must_use]
    pub fn world_from_model(&self) -> Affine3A {
        self.world_from_model
    }

    /// From the world to the model. The identity when the character is scaled to nothing.
    #[must_use]
    pub fn model_from_world(&self) -> Affine3A {
        let inverse = self.world_from_model.inverse();
        if inverse.is_finite() { inverse } else { Affine3A::IDENTITY }
    }

    /// Puts the character elsewhere in the world. Modifiers meet the new place in the next frame. A graph
    /// that has just begun starts there, also when it is sought again.
    pub fn place(&mut self, world_from_model: Affine3A) {
        if let Some(start) = &mut self.graph_start {
            start.place(world_from_model);
        }
        self.world_from_model = world_from_model;
    }

    /// The markers that the last [`advance`](Self::advance) passed, each once, with the mean weight of
    /// its clip over the step.
    #[doc(alias = "animation event")]
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        let all = self.sources.iter().flat_map(|source| source.events(&self.scene));
        all.filter(|event| event.weight >= MIN_EVENT_WEIGHT)
    }

    /// What changes the pose after the motion.
    #[must_use]
    pub fn modifiers(&self) -> &Modifiers {
        &self.modifiers
    }

    /// What changes the pose after the motion, to add to or change. It counts from the next
    /// [`advance`](Self::advance) or [`update`](Self::update) on.
    pub fn modifiers_mut(&mut self) -> &mut Modifiers {
        &mut self.modifiers
    }

    /// The pose: local transforms, model matrices, morph weights.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The pose is somewhere else at once: nothing is taken for a motion from the old one.
    fn jump(&mut self) {
        if let Some(inertialization) = &mut self.inertialization {
            inertialization.forget();
        }
        if COMPLETE {
            self.modifiers.reset();
        }
        self.update();
    }

    fn apply_modifiers(&mut self, seconds: f32) {
        self.pose.to_model(self.scene.skeleton());
        if COMPLETE {
            self.modifiers.apply(&mut self.pose, &self.scene, &self.world_from_model, seconds);
        }
    }
}

/// A source that plays nothing yet.
fn source_for(scene: &Scene, pose: &Pose) -> Source {
    let tracks = scene.clips.iter().map(Clip::track_count).max().unwrap_or(0);
    Source::new(pose.clone(), tracks)
}
