//! One character: a playhead, a pose and palettes over a shared scene.
//!
//! In:  a scene, a clip's name, and seconds as they pass.
//! Out: palettes for a shader, or skinned vertices.
//!
//! Everything is made when the actor is made; a frame allocates nothing.

mod mix;
mod motion;
mod skinners;

use std::fmt;
use std::sync::Arc;

use glam::Affine3A;
use sinew_deform::{Batch, Binding, Bounds, Reach, Vertices, deform, palette};
use sinew_motion::{Cursor, Hidden, Mode, Player, Pose, Progress, Socket};
use sinew_scene::{Clip, Instance, InstanceId, Scene, Skeleton, SkinId};

use mix::Mix;
use skinners::Skinners;

/// One character over a scene that many may share.
///
/// ```
/// use sinew::Actor;
/// let mut actor = Actor::new(sinew::demo());
/// actor.play("wave")?;
/// actor.advance(1.0 / 60.0);
/// let palette = actor.palette(0);
/// assert_eq!(palette.len(), actor.scene().skins[0].joints.len());
/// # Ok::<(), sinew::NoSuchClip>(())
/// ```
#[derive(Clone, Debug)]
pub struct Actor {
    scene: Arc<Scene>,
    clip: Option<usize>,
    player: Player,
    cursor: Cursor,
    pose: Pose,
    mix: Mix,
    hidden: Hidden,
    /// One per skin.
    palettes: Vec<Vec<Affine3A>>,
    /// One per instance; shared, since it depends on the scene alone.
    reaches: Arc<[Reach]>,
    skinners: Skinners,
    world_from_model: Affine3A,
}

/// The scene has no clip of the name asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchClip {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub available: Vec<String>,
}

impl fmt::Display for NoSuchClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.available[..] {
            [] => write!(f, "there is no clip \"{}\": the scene has no clips", self.name),
            names => write!(f, "there is no clip \"{}\": there are {names:?}", self.name),
        }
    }
}

impl std::error::Error for NoSuchClip {}

impl Actor {
    /// A character in its rest pose. Pass an `Arc<Scene>` to share one scene between several.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        let scene = scene.into();
        let tracks = scene.clips.iter().map(Clip::track_count).max().unwrap_or(0);
        let reaches = scene.instances.iter().map(|instance| reach(&scene, instance)).collect();
        let joints = scene.skins.iter().map(|skin| vec![Affine3A::IDENTITY; skin.joints.len()]);
        let mut actor = Self {
            clip: None,
            player: Player::new(0.0, Mode::Loop),
            cursor: Cursor::with_capacity(tracks),
            pose: Pose::new(&scene),
            mix: Mix::default(),
            hidden: Hidden::new(&scene),
            palettes: joints.collect(),
            reaches,
            skinners: Skinners::new(&scene),
            world_from_model: Affine3A::IDENTITY,
            scene,
        };
        actor.update();
        actor
    }

    /// The scene, shared by all actors made from it.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Plays the clip of this name from its start, looped.
    ///
    /// # Errors
    /// When the scene has none; the actor goes on as it was.
    pub fn play(&mut self, name: &str) -> Result<(), NoSuchClip> {
        self.play_index(find_clip(&self.scene, name)?);
        Ok(())
    }

    /// Plays the clip with this number from its start, looped, at the speed it had.
    ///
    /// # Panics
    /// When there is no such clip.
    pub fn play_index(&mut self, index: usize) {
        self.mix.clear();
        self.mix.graph = None;
        self.begin(index);
        self.update();
    }

    /// Puts the playhead at the start of a clip.
    fn begin(&mut self, index: usize) {
        let duration = self.scene.clips[index].duration;
        let speed = self.player.speed();
        self.clip = Some(index);
        self.player = Player::new(duration, self.player.mode());
        self.player.set_speed(speed);
    }

    /// Drops the clip and goes back to the rest pose.
    pub fn stop(&mut self) {
        self.mix.clear();
        self.mix.graph = None;
        self.clip = None;
        self.player.pause();
        self.update();
    }

    /// The clip that plays, if any.
    #[must_use]
    pub fn clip(&self) -> Option<&Clip> {
        self.clip.map(|index| &self.scene.clips[index])
    }

    /// The playhead: time, speed, what happens at the end.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The playhead, to change its speed or mode, pause or resume it.
    pub fn player_mut(&mut self) -> &mut Player {
        &mut self.player
    }

    /// Lets `seconds` pass and brings pose and palettes up to date.
    pub fn advance(&mut self, seconds: f32) -> Progress {
        let progress = self.pass(seconds);
        self.update_palettes();
        progress
    }

    /// Jumps to a time in the clip and brings pose and palettes up to date.
    pub fn seek(&mut self, time: f32) {
        self.player.seek(time);
        self.update();
    }

    /// Where the character stands in the world.
    #[must_use]
    pub fn world_from_model(&self) -> Affine3A {
        self.world_from_model
    }

    /// Puts the character elsewhere in the world.
    pub fn place(&mut self, world_from_model: Affine3A) {
        self.world_from_model = world_from_model;
        self.update_palettes();
    }

    /// The pose: local transforms, model matrices, morph weights.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Changes the pose by hand, after the clip: turn a head, reach for a cup. Lasts until the next
    /// [`advance`](Self::advance).
    pub fn adjust(&mut self, change: impl FnOnce(&mut Pose)) {
        change(&mut self.pose);
        self.pose.to_model(self.scene.skeleton());
        self.update_palettes();
    }

    /// Hands pose and skeleton to modifiers (IK, feet, springs, mirror), in an order of one's own,
    /// and brings the palettes up to date. Lasts until the next [`advance`](Self::advance).
    ///
    /// Modifiers find model matrices up to date and leave them so; after a
    /// [`set_local`](Pose::set_local) by hand call [`to_model_from`](Pose::to_model_from).
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
        let result = change(&mut self.pose, self.scene.skeleton());
        self.update_palettes();
        result
    }

    /// [`advance`](Self::advance) and [`modify`](Self::modify) in one, with the palettes made once.
    pub fn advance_with(
        &mut self,
        seconds: f32,
        change: impl FnOnce(&mut Pose, &Skeleton),
    ) -> Progress {
        let progress = self.pass(seconds);
        self.modify(change);
        progress
    }

    /// Where a socket is in the world, in this very frame.
    #[must_use]
    pub fn world_from_socket(&self, socket: &Socket) -> Affine3A {
        self.world_from_model * socket.model_from_socket(&self.pose)
    }

    /// From the world to the model, where targets of modifiers are. The identity when the actor
    /// stands flat in the world.
    #[must_use]
    pub fn model_from_world(&self) -> Affine3A {
        let inverse = self.world_from_model.inverse();
        if inverse.is_finite() { inverse } else { Affine3A::IDENTITY }
    }

    /// `world_from_mesh` for each joint of a skin: what a shader reads.
    #[must_use]
    pub fn palette(&self, skin: usize) -> &[Affine3A] {
        &self.palettes[skin]
    }

    /// As a renderer takes it: matrices, morph weights and bounds as they are now.
    #[cfg(feature = "render")]
    #[must_use]
    pub fn posed(&self) -> sinew_render::Posed<'_> {
        let bounds = self.bounds();
        sinew_render::Posed {
            model_from_joint: self.pose.model_from_joint(),
            world_from_model: self.world_from_model,
            palettes: Some(&self.palettes),
            weights: self.pose.all_weights(),
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

    fn skin_by(
        &self,
        instance: InstanceId,
        primitive: usize,
        out: &mut Vertices,
        skin: impl FnOnce(Batch<'_>),
    ) {
        let drawn = &self.scene.instances[instance.index()];
        let mesh = &self.scene.meshes[drawn.mesh.index()];
        let (mesh, weights) = (&mesh.primitives[primitive], self.pose.weights(instance));
        let skinner = self.skinners.of(&self.scene, instance, primitive);
        match (skinner, self.binding(drawn)) {
            (Some(skinner), Binding::Skinned { model_from_mesh, without_pull, .. }) => {
                skin(skinner.batch(mesh, weights, model_from_mesh, without_pull, out));
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
        let drawn = &self.scene.instances[instance.index()];
        let palette = drawn.skin.map_or(&[][..], |skin| &self.palettes[skin.index()]);
        let weights = self.pose.weights(instance);
        self.reaches[instance.index()].bounds(palette, self.world_from_node(drawn), weights)
    }

    /// A box around the whole character as it is now, in world space; empty when nothing is drawn.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        (0..self.scene.instances.len())
            .filter(|index| !self.hidden.hides(*index))
            .map(|index| self.bounds_of(InstanceId::new(index)))
            .fold(Bounds::EMPTY, Bounds::union)
    }

    fn binding(&self, drawn: &Instance) -> Binding<'_> {
        let node = self.world_from_node(drawn);
        match drawn.skin {
            None => Binding::Rigid(node),
            Some(skin) => Binding::Skinned {
                method: self.scene.skins[skin.index()].method,
                model_from_mesh: &self.palettes[skin.index()],
                without_pull: node,
            },
        }
    }

    fn world_from_node(&self, drawn: &Instance) -> Affine3A {
        self.world_from_model * self.pose.model_from_joint()[drawn.joint.index()]
    }

    fn update(&mut self) {
        self.update_pose();
        self.update_palettes();
    }

    fn update_pose(&mut self) {
        let (scene, pose) = (&*self.scene, &mut self.pose);
        match &self.mix.graph {
            Some(graph) => pose.copy_from(graph.pose()),
            None => {
                let time = self.player.time();
                self.mix.sample(scene, self.clip, time, &mut self.cursor, pose);
            }
        }
        pose.to_model(scene.skeleton());
    }

    fn update_palettes(&mut self) {
        self.hidden.update(&self.pose);
        for (skin, matrices) in self.scene.skins.iter().zip(&mut self.palettes) {
            palette(skin, self.pose.model_from_joint(), matrices);
            if self.world_from_model != Affine3A::IDENTITY {
                for matrix in matrices {
                    *matrix = self.world_from_model * *matrix;
                }
            }
        }
    }
}

/// The number of the clip of this name.
pub(crate) fn find_clip(scene: &Scene, name: &str) -> Result<usize, NoSuchClip> {
    let found = scene.clips.iter().position(|clip| clip.name == name);
    found.ok_or_else(|| NoSuchClip {
        name: name.to_owned(),
        available: scene.clips.iter().map(|clip| clip.name.clone()).collect(),
    })
}

fn reach(scene: &Scene, instance: &Instance) -> Reach {
    let joints = |skin: SkinId| scene.skins[skin.index()].joints.len();
    Reach::new(&scene.meshes[instance.mesh.index()], instance.skin.map_or(0, joints))
}
