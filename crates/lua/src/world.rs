//! What a script has built: scenes, a stage with actors on it, light, and time.
//!
//! In:  calls of the script, and seconds as they pass.
//! Out: a [`Stage`] to be drawn.
//!
//! Each member of the stage has one [`ActorState`] here, in the same order; ids only rise, so one is found by bisection.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use sinew::render::{Camera, Light};
use sinew::stage::{CameraSetup, Ground, Member, Stage};
use sinew::{Actor, GraphPlayer, Scene};

use crate::actor_state::ActorState;
use crate::graphs::LoadedGraph;

/// Most actors at a time.
const MAX_ACTORS: usize = 1024;

/// A model that was read, with the clips of other files.
#[derive(Debug)]
pub(crate) struct OpenedModel {
    pub(crate) name: String,
    pub(crate) scene: Arc<Scene>,
    pub(crate) format: sinew::import::Format,
    /// Of each clip: the file that it came from, and how well it fits.
    pub(crate) sources: Vec<(String, String)>,
    pub(crate) notes: Vec<String>,
}

/// What is drawn over the actors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Show {
    pub(crate) skeleton: bool,
    pub(crate) axes: bool,
    pub(crate) bounds: bool,
    pub(crate) wireframe: bool,
    pub(crate) grid: bool,
}

/// What a script has built.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) stage: Stage,
    actors: Vec<ActorState>,
    last_id: u64,
    /// Those that the script placed; `None` leaves the stage's own.
    pub(crate) lights: Option<Vec<(u64, Light)>>,
    pub(crate) show: Show,
    /// The actors that the script drew in this frame; `None` draws all.
    pub(crate) drawn: Option<Vec<u64>>,
    pub(crate) opened: HashMap<Vec<String>, Rc<OpenedModel>>,
    /// By file and scene; scenes stay where they are.
    pub(crate) graphs: HashMap<(String, usize), Rc<LoadedGraph>>,
    /// Seconds since `Awake`.
    pub(crate) time: f64,
    /// Frames since `Awake`.
    pub(crate) frame: u64,
    /// The camera that sees all actors, with what it was made for: how many actors, aspect, view.
    framed: Option<(usize, f32, Option<CameraSetup>, Camera)>,
    ground: Option<u64>,
}

impl World {
    /// An id that nothing had before.
    pub(crate) fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Puts an actor on the stage; gives its id.
    pub(crate) fn add(
        &mut self,
        name: &str,
        scene: &Arc<Scene>,
        runs: bool,
    ) -> Result<u64, String> {
        if self.actors.len() >= MAX_ACTORS {
            return Err(format!("expected at most {MAX_ACTORS} actors: remove some first"));
        }
        let id = self.new_id();
        self.stage.push(Member::new(name, Arc::clone(scene)));
        self.actors.push(ActorState::new(id, runs));
        Ok(id)
    }

    /// Takes an actor off the stage; it is no error when it is gone already.
    pub(crate) fn remove(&mut self, id: u64) {
        if let Ok(index) = self.index_of(id) {
            self.actors.remove(index);
            self.stage.members.remove(index);
        }
    }

    /// Ground under all actors, in the place of the one before.
    pub(crate) fn set_ground(&mut self, ground: &Ground) -> Result<(), String> {
        if let Some(old) = self.ground.take() {
            self.remove(old);
        }
        let id = self.add("ground", &Arc::new(ground.scene()), false)?;
        self.of(id)?.0.scenery = true;
        self.ground = Some(id);
        Ok(())
    }

    fn index_of(&self, id: u64) -> Result<usize, String> {
        let found = self.actors.binary_search_by_key(&id, |state| state.id);
        found.map_err(|_| "the actor was removed from the stage".to_owned())
    }

    /// An actor's member, and what the script keeps about it.
    pub(crate) fn of(&mut self, id: u64) -> Result<(&mut Member, &mut ActorState), String> {
        let index = self.index_of(id)?;
        Ok((&mut self.stage.members[index], &mut self.actors[index]))
    }

    /// An actor with its pose worked out.
    pub(crate) fn posed(&mut self, id: u64) -> Result<&Actor, String> {
        let (member, state) = self.of(id)?;
        state.settle(&mut member.actor);
        Ok(&member.actor)
    }

    /// A frame begins: time passes for all actors whose time runs.
    pub(crate) fn advance(&mut self, seconds: f64) {
        self.time += seconds;
        self.drawn = None;
        for (member, state) in self.stage.members.iter_mut().zip(&mut self.actors) {
            state.advance(&mut member.actor, seconds as f32);
        }
    }

    /// A frame ends: every pose is worked out, and which actors are shown is known.
    pub(crate) fn settle(&mut self) {
        for (member, state) in self.stage.members.iter_mut().zip(&mut self.actors) {
            state.settle(&mut member.actor);
            let chosen = self.drawn.as_ref().is_none_or(|drawn| drawn.contains(&state.id));
            member.shown = chosen && !state.hidden;
        }
        if let Some(lights) = &self.lights {
            self.stage.surroundings.lights = lights.iter().map(|(_, light)| *light).collect();
        }
    }

    /// About what all graphs take, and those that play them.
    pub(crate) fn graph_bytes(&self) -> usize {
        let loaded = self.graphs.values();
        let sizes: HashMap<_, _> =
            loaded.map(|graph| (Arc::as_ptr(&graph.compiled), graph.bytes)).collect();
        let playing = self.stage.members.iter().flat_map(|member| member.actor.graphs());
        let size = |graph: &GraphPlayer| sizes.get(&Arc::as_ptr(graph.compiled()));
        playing.filter_map(size).chain(sizes.values()).sum()
    }

    /// Those whose time runs, with their members.
    pub(crate) fn running(&self) -> impl Iterator<Item = &Member> {
        let both = self.stage.members.iter().zip(&self.actors);
        both.filter(|(_, state)| state.runs).map(|(member, _)| member)
    }

    /// The camera: as the script has it, or one that sees all actors over the whole of their clips.
    pub(crate) fn camera(&mut self, aspect: f32) -> Camera {
        if let Some(CameraSetup::Exact { position, look_at, fov_y }) = self.stage.camera_setup {
            return Camera::look_at(position, look_at, fov_y);
        }
        let key = (self.actors.len(), aspect, self.stage.camera_setup);
        if let Some((actors, aspect, setup, camera)) = self.framed
            && (actors, aspect, setup) == key
        {
            return camera;
        }
        let camera = self.frame_all(aspect);
        self.framed = Some((key.0, key.1, key.2, camera));
        camera
    }

    /// Looks over all clips, and puts all actors back: fades, events and places too.
    fn frame_all(&mut self, aspect: f32) -> Camera {
        let kept = self.stage.members.iter().map(|member| member.actor.clone());
        let kept: Vec<Actor> = kept.collect();
        let camera = self.stage.camera_for(aspect);
        for (member, actor) in self.stage.members.iter_mut().zip(kept) {
            member.actor = actor;
        }
        camera
    }
}
