//! One character: its motion, palettes and skinned vertices over a shared scene.
//!
//! In:  a scene, motions to play, and seconds as they pass.
//! Out: palettes for a shader, or skinned vertices.
//!
//! Everything is made when the actor is made; a frame allocates nothing.

mod skinners;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use glam::Affine3A;
use sinew_deform::{Batch, Binding, Bounds, SkinBounds, Vertices, deform, palette};
use sinew_motion::graph::{Graph, GraphError, GraphPlayer, ParameterError};
use sinew_motion::{Hidden, LoopMode, Pose, Progress, RootMode, Socket};
use sinew_scene::{ClipId, Instance, InstanceId, JointId, Primitive, Scene, Skeleton, SkinId};

use crate::{Animator, Modifiers, Motion, RootMotionPolicy, Transition};
use skinners::Skinners;

/// One character over a scene that many may share: an [`Animator`] with palettes and skin. All that an
/// animator reports can be read from an actor too.
///
/// ```
/// use sinew::Actor;
/// let mut actor = Actor::new(sinew::demo());
/// actor.play("wave")?;
/// actor.advance(1.0 / 60.0);
/// let palette = actor.palette(0);
/// assert_eq!(palette.len(), actor.scene().skins[0].joints.len());
/// # Ok::<(), sinew::ClipNotFoundError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Actor {
    animator: Animator,
    hidden: Hidden,
    /// One per skin.
    palettes: Vec<Vec<Affine3A>>,
    /// One per instance; shared, since it depends on the scene alone.
    skin_bounds: Arc<[SkinBounds]>,
    skinners: Skinners,
}

/// The scene has no clip of the name asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClipNotFoundError {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub available: Vec<String>,
}

impl fmt::Display for ClipNotFoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.available[..] {
            [] => write!(f, "there is no clip \"{}\": the scene has no clips", self.name),
            names => write!(f, "there is no clip \"{}\": there are {names:?}", self.name),
        }
    }
}

impl std::error::Error for ClipNotFoundError {}

impl Deref for Actor {
    type Target = Animator;

    fn deref(&self) -> &Animator {
        &self.animator
    }
}

impl From<Animator> for Actor {
    fn from(animator: Animator) -> Self {
        let scene = Arc::clone(animator.scene());
        let bounds = scene.instances.iter().map(|instance| skin_bounds(&scene, instance));
        let joints = scene.skins.iter().map(|skin| vec![Affine3A::IDENTITY; skin.joints.len()]);
        let mut actor = Self {
            hidden: Hidden::new(&scene),
            palettes: joints.collect(),
            skin_bounds: bounds.collect(),
            skinners: Skinners::new(&scene),
            animator,
        };
        actor.update_palettes();
        actor
    }
}

impl Actor {
    /// A character in its rest pose. Pass an `Arc<Scene>` to share one scene between several.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        Self::from(Animator::new(scene))
    }

    /// Changes the animator in any way, and brings the palettes up to date.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Animator) -> R) -> R {
        let result = change(&mut self.animator);
        self.update_palettes();
        result
    }

    /// [`Animator::play`]: the clip of this name, from its start, at once.
    ///
    /// # Errors
    /// When the scene has none; the actor goes on as it was.
    pub fn play(&mut self, name: &str) -> Result<(), ClipNotFoundError> {
        self.edit(|animator| animator.play(name))
    }

    /// [`Animator::fade_to`]: a cross-fade to the clip of this name, from whatever plays.
    ///
    /// # Errors
    /// When the scene has none; the actor goes on as it was.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<(), ClipNotFoundError> {
        self.edit(|animator| animator.fade_to(name, seconds))
    }

    /// [`Animator::inertialize_to`]: to the clip of this name, while the last motion dies away.
    ///
    /// # Errors
    /// When the scene has none; the actor goes on as it was.
    pub fn inertialize_to(&mut self, name: &str, seconds: f32) -> Result<(), ClipNotFoundError> {
        self.edit(|animator| animator.inertialize_to(name, seconds))
    }

    /// [`Animator::start`]: a clip, a packed clip or a graph, by any transition.
    ///
    /// # Panics
    /// When the motion was not made for this scene.
    pub fn start(&mut self, motion: impl Into<Motion>, how: Transition) {
        self.edit(|animator| animator.start(motion, how));
    }

    /// [`Animator::start_graph`]: compiles a graph for this scene and plays it.
    ///
    /// # Errors
    /// When the graph does not fit the scene; the actor goes on as it was.
    pub fn start_graph(&mut self, graph: &Graph, how: Transition) -> Result<(), GraphError> {
        self.edit(|animator| animator.start_graph(graph, how))
    }

    /// [`Animator::set_parameter`]: a parameter of the graph that plays.
    ///
    /// # Errors
    /// When no graph plays, or it has no parameter of this name.
    pub fn set_parameter(&mut self, name: &str, value: f32) -> Result<(), ParameterError> {
        self.animator.set_parameter(name, value)
    }

    /// Goes back to the rest pose at once.
    pub fn stop(&mut self) {
        self.edit(Animator::stop);
    }

    /// Lets `seconds` pass and brings pose and palettes up to date.
    pub fn advance(&mut self, seconds: f32) -> Progress {
        self.edit(|animator| animator.advance(seconds))
    }

    /// [`advance`](Self::advance), then a change of one's own to the pose, before anybody reads it.
    pub fn advance_with(
        &mut self,
        seconds: f32,
        change: impl FnOnce(&mut Pose, &Skeleton),
    ) -> Progress {
        self.edit(|animator| animator.advance_with(seconds, change))
    }

    /// Jumps to a time in what plays and brings pose and palettes up to date.
    pub fn seek(&mut self, time: f32) {
        self.edit(|animator| animator.seek(time));
    }

    /// Stops time until [`resume`](Self::resume), whatever plays.
    pub fn pause(&mut self) {
        self.animator.pause();
    }

    /// Lets time run again. A clip that has played once to its end starts over.
    pub fn resume(&mut self) {
        self.animator.resume();
    }

    /// Changes how fast time runs, whatever plays.
    pub fn set_speed(&mut self, speed: f32) {
        self.animator.set_speed(speed);
    }

    /// Changes what happens at the end of clips.
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.animator.set_loop_mode(mode);
    }

    /// [`Animator::set_root_motion`]: the root joint, and what happens to its motion.
    ///
    /// # Panics
    /// When the scene has no such joint.
    pub fn set_root_motion(
        &mut self,
        joint: Option<JointId>,
        mode: RootMode,
        policy: RootMotionPolicy,
    ) {
        self.edit(|animator| animator.set_root_motion(joint, mode, policy));
    }

    /// Puts the character elsewhere in the world.
    pub fn place(&mut self, world_from_model: Affine3A) {
        self.edit(|animator| animator.place(world_from_model));
    }

    /// The graph that plays, to set its parameters.
    pub fn graph_mut(&mut self) -> Option<&mut GraphPlayer> {
        self.animator.graph_mut()
    }

    /// What changes the pose after the motion. It counts from the next [`advance`](Self::advance) or
    /// [`update`](Self::update) on.
    pub fn modifiers_mut(&mut self) -> &mut Modifiers {
        self.animator.modifiers_mut()
    }

    /// Works out pose and palettes anew without letting time pass: after modifiers have changed.
    pub fn update(&mut self) {
        self.edit(Animator::update);
    }

    /// Changes the pose by hand and brings the palettes up to date. Lasts until the next frame; what
    /// is to last is a [`Modifier`](crate::Modifier).
    ///
    /// ```
    /// use sinew::motion::ik::TwoBone;
    /// # use sinew::{Actor, glam::Vec3};
    /// let mut actor = Actor::new(sinew::ossi());
    /// let hand = actor.scene().skeleton().find("hand.L").unwrap();
    /// let arm = TwoBone::new(actor.scene().skeleton(), hand).unwrap();
    /// actor.advance(1.0 / 60.0);
    /// let cup = Vec3::new(0.3, 1.2, 0.3);
    /// let outcome = actor.modify(|pose, skeleton| arm.apply(pose, skeleton, cup));
    /// assert!(outcome.reached());
    /// ```
    pub fn modify<R>(&mut self, change: impl FnOnce(&mut Pose, &Skeleton) -> R) -> R {
        self.edit(|animator| animator.modify(change))
    }

    /// Where a socket is in the world, in this very frame.
    #[must_use]
    pub fn world_from_socket(&self, socket: &Socket) -> Affine3A {
        self.world_from_model() * socket.model_from_socket(self.pose())
    }

    /// `world_from_mesh` for each joint of a skin: what a shader reads.
    #[must_use]
    pub fn palette(&self, skin: usize) -> &[Affine3A] {
        &self.palettes[skin]
    }

    /// As a renderer takes it: matrices, morph weights and bounds as they are now.
    #[cfg(feature = "render")]
    #[must_use]
    pub fn view(&self) -> sinew_render::ActorView<'_> {
        let bounds = self.bounds();
        sinew_render::ActorView {
            model_from_joint: self.pose().model_from_joint(),
            world_from_model: self.world_from_model(),
            palettes: Some(&self.palettes),
            weights: self.pose().all_weights(),
            hidden: self.hidden.flags(),
            bounds: (!bounds.is_empty()).then_some(bounds),
            heat: None,
        }
    }

    /// Writes the vertices of one primitive of an instance as they are now, in world space. The
    /// first time for a primitive takes longer: what never changes is put in order for the next.
    ///
    /// # Panics
    /// When there is no such instance or primitive.
    pub fn skin(&self, instance: InstanceId, primitive: usize, out: &mut Vertices) {
        self.skin_by(instance, primitive, out, |batch| batch.skin());
    }

    /// The same vertices, to the last bit; a large mesh is shared among all cores (rayon's threads).
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    pub fn skin_on_all_cores(&self, instance: InstanceId, primitive: usize, out: &mut Vertices) {
        self.skin_by(instance, primitive, out, skinners::on_all_cores);
    }

    /// The same for any primitive that is bound as the instance's own are, such as a few of their vertices. Takes
    /// longer for each vertex, and nothing for the first time.
    ///
    /// # Panics
    /// When there is no such instance, or the primitive does not fit its skin and morph weights.
    pub fn deform(&self, instance: InstanceId, primitive: &Primitive, out: &mut Vertices) {
        let drawn = &self.scene().instances[instance.index()];
        deform(primitive, self.pose().weights(instance), self.binding(drawn), out);
    }

    fn skin_by(
        &self,
        instance: InstanceId,
        primitive: usize,
        out: &mut Vertices,
        skin: impl FnOnce(Batch<'_>),
    ) {
        let drawn = &self.scene().instances[instance.index()];
        let mesh = &self.scene().meshes[drawn.mesh.index()];
        let (mesh, weights) = (&mesh.primitives[primitive], self.pose().weights(instance));
        let skinner = self.skinners.of(self.scene(), instance, primitive);
        match (skinner, self.binding(drawn)) {
            (Some(skinner), Binding::Skinned { model_from_mesh, without_influence, .. }) => {
                skin(skinner.batch(mesh, weights, model_from_mesh, without_influence, out));
            }
            (_, binding) => deform(mesh, weights, binding, out),
        }
    }

    /// Whether an instance is hidden now: its node or one above it, by the clip or by the file.
    #[must_use]
    pub fn hides(&self, instance: InstanceId) -> bool {
        self.hidden.hides(instance.index())
    }

    /// A box around an instance as it is now, in world space.
    #[must_use]
    pub fn bounds_of(&self, instance: InstanceId) -> Bounds {
        let drawn = &self.scene().instances[instance.index()];
        let palette = drawn.skin.map_or(&[][..], |skin| &self.palettes[skin.index()]);
        let weights = self.pose().weights(instance);
        self.skin_bounds[instance.index()].bounds(palette, self.world_from_node(drawn), weights)
    }

    /// A box around the whole character as it is now, in world space; empty when nothing is drawn.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        (0..self.scene().instances.len())
            .filter(|index| !self.hidden.hides(*index))
            .map(|index| self.bounds_of(InstanceId::new(index)))
            .fold(Bounds::EMPTY, Bounds::union)
    }

    fn binding(&self, drawn: &Instance) -> Binding<'_> {
        let node = self.world_from_node(drawn);
        match drawn.skin {
            None => Binding::Rigid(node),
            Some(skin) => Binding::Skinned {
                method: self.scene().skins[skin.index()].method,
                model_from_mesh: &self.palettes[skin.index()],
                without_influence: node,
            },
        }
    }

    fn world_from_node(&self, drawn: &Instance) -> Affine3A {
        self.world_from_model() * self.pose().model_from_joint()[drawn.joint.index()]
    }

    fn update_palettes(&mut self) {
        let pose = self.animator.pose();
        let world_from_model = self.animator.world_from_model();
        self.hidden.update(pose);
        for (skin, matrices) in self.animator.scene().skins.iter().zip(&mut self.palettes) {
            palette(skin, pose.model_from_joint(), matrices);
            if world_from_model != Affine3A::IDENTITY {
                for matrix in matrices {
                    *matrix = world_from_model * *matrix;
                }
            }
        }
    }
}

/// The clip of this name.
pub(crate) fn find_clip(scene: &Scene, name: &str) -> Result<ClipId, ClipNotFoundError> {
    scene.find_clip(name).ok_or_else(|| ClipNotFoundError {
        name: name.to_owned(),
        available: scene.clips.iter().map(|clip| clip.name.clone()).collect(),
    })
}

fn skin_bounds(scene: &Scene, instance: &Instance) -> SkinBounds {
    let joints = |skin: SkinId| scene[skin].joints.len();
    SkinBounds::new(&scene[instance.mesh], instance.skin.map_or(0, joints))
}
