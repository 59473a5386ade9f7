//! An actor that changes its clip gently, is carried by its root, tells what it passes, or follows
//! a graph.

use sinew_motion::graph::{Event, Playback};
use sinew_motion::{Ease, Inertia, Progress, Root, RootMode};
use sinew_scene::{JointId, Transform};

use super::{Actor, NoSuchClip, find_clip, mix};

impl Actor {
    /// Changes to the clip of this name over some seconds, while the old one plays on. May be called
    /// again before the change is done.
    ///
    /// ```
    /// use sinew::Actor;
    /// let mut actor = Actor::new(sinew::demo());
    /// actor.play("wave")?;
    /// actor.advance(0.5);
    /// actor.fade_to("flex", 0.3)?;
    /// actor.advance(1.0 / 60.0);
    /// # Ok::<(), sinew::NoSuchClip>(())
    /// ```
    ///
    /// # Errors
    /// When the scene has no such clip; the actor goes on as it was.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<(), NoSuchClip> {
        let index = find_clip(&self.scene, name)?;
        self.fade_to_index(index, seconds);
        Ok(())
    }

    /// The same by the clip's number.
    ///
    /// # Panics
    /// When there is no such clip.
    pub fn fade_to_index(&mut self, index: usize, seconds: f32) {
        assert!(index < self.scene.clips.len(), "there is no clip {index}");
        self.mix.graph = None;
        let fade = mix::smooth(seconds);
        self.mix.push(self.clip, self.player, &self.cursor, &self.pose, fade);
        self.begin(index);
        self.update();
    }

    /// Changes to the clip of this name by inertia: the old clip is not played any more, its last
    /// motion dies away over some seconds. Cheaper than a fade, and livelier.
    ///
    /// # Errors
    /// When the scene has no such clip; the actor goes on as it was.
    pub fn glide_to(&mut self, name: &str, seconds: f32) -> Result<(), NoSuchClip> {
        let index = find_clip(&self.scene, name)?;
        self.glide_to_index(index, seconds);
        Ok(())
    }

    /// The same by the clip's number.
    ///
    /// # Panics
    /// When there is no such clip.
    pub fn glide_to_index(&mut self, index: usize, seconds: f32) {
        assert!(index < self.scene.clips.len(), "there is no clip {index}");
        if self.mix.inertia.is_none() {
            self.watch();
        }
        if let Some(inertia) = &mut self.mix.inertia {
            inertia.start(seconds, Ease::Smooth);
        }
        let inertia = self.mix.inertia.take();
        self.play_index(index);
        self.mix.inertia = inertia;
        self.settle(0.0);
        self.update_palettes();
    }

    /// The first time, inertia has seen no motion: it is shown what was just before.
    fn watch(&mut self) {
        const BEFORE: f32 = 1.0 / 60.0;
        let mut inertia = Box::new(Inertia::new(&self.scene));
        let now = self.player;
        let mut pose = self.pose.clone();
        let mut earlier = now;
        earlier.advance(-BEFORE);
        self.player = earlier;
        self.update_pose();
        inertia.apply(&mut self.pose, BEFORE);
        self.player = now;
        inertia.apply(&mut pose, BEFORE);
        self.mix.inertia = Some(inertia);
    }

    /// Follows a graph made for this actor's scene, until a clip is played.
    ///
    /// # Panics
    /// When the graph is bound to a scene with other nodes.
    pub fn follow(&mut self, graph: Playback) {
        self.mix.clear();
        // It sees no poses of a graph, so what it knows would be old by the next clip.
        self.mix.inertia = None;
        self.mix.graph = Some(Box::new(graph));
        self.update();
    }

    /// The graph that it follows, if any.
    #[must_use]
    pub fn graph(&self) -> Option<&Playback> {
        self.mix.graph.as_deref()
    }

    /// The graph that it follows, to set its parameters.
    pub fn graph_mut(&mut self) -> Option<&mut Playback> {
        self.mix.graph.as_deref_mut()
    }

    /// From now on the motion of this joint carries the character instead of moving it in its
    /// place; `None` puts an end to it. Graphs have a root of their own.
    pub fn set_root(&mut self, joint: Option<JointId>, mode: RootMode) {
        self.mix.root = joint.map(|joint| {
            let root = Root::new(&self.scene, joint, mode);
            let tracks = self.scene.clips.iter().map(|clip| root.tracks(clip)).collect();
            Box::new((root, tracks))
        });
        self.mix.carried = Transform::IDENTITY;
        self.update();
    }

    /// How far the last [`advance`](Self::advance) carried the character, seen from where it stood.
    ///
    /// ```
    /// use sinew::{Actor, motion::RootMode};
    /// let mut actor = Actor::new(sinew::ossi());
    /// actor.set_root(actor.scene().skeleton().find("root"), RootMode::Floor);
    /// actor.play("walk")?;
    /// actor.advance(2.0);
    /// actor.place(actor.world_from_model() * actor.carried().to_affine());
    /// // Ossi walks at 1.4 m/s.
    /// assert!((actor.world_from_model().translation.z - 2.8).abs() < 1e-4);
    /// # Ok::<(), sinew::NoSuchClip>(())
    /// ```
    #[must_use]
    pub fn carried(&self) -> Transform {
        self.mix.carried
    }

    /// The marks that the last [`advance`](Self::advance) passed, each with how much its clip was seen.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        self.mix.events(&self.scene, self.clip)
    }

    /// Lets time pass, up to the pose and its model matrices.
    pub(super) fn pass(&mut self, seconds: f32) -> Progress {
        if let Some(graph) = &mut self.mix.graph {
            self.mix.carried = graph.advance(seconds).root;
            self.update_pose();
            return Progress::default();
        }
        self.mix.settle();
        self.mix.advance(seconds);
        let step = self.player.step(seconds);
        self.mix.step = Some(step);
        self.mix.carry(&self.scene, self.clip);
        self.update_pose();
        self.settle(seconds);
        step.progress()
    }

    /// Mixes in what the inertia of an earlier motion still does.
    fn settle(&mut self, seconds: f32) {
        if let Some(inertia) = &mut self.mix.inertia {
            inertia.apply(&mut self.pose, seconds);
            if inertia.is_active() {
                self.pose.to_model(self.scene.skeleton());
            }
        }
    }
}
