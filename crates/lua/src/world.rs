//! What a script has built: scenes, a stage with actors on it, light, and time.
//!
//! In:  calls of the script, and seconds as they pass.
//! Out: a [`Stage`] to be drawn.
//!
//! Each member of the stage has one [`Part`] here, in the same order; numbers only rise, so one is found by halving.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use sinew::render::{Camera, Light};
use sinew::stage::{Eye, Ground, Member, Stage};
use sinew::{JointId, Scene};

use crate::edit::Edit;
use crate::goal::Goal;
use crate::graphs::Bound;
use crate::part::Part;

/// Most actors at a time.
const MOST_ACTORS: usize = 1024;

/// A file that was read, with the clips of others.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) name: String,
    pub(crate) scene: Arc<Scene>,
    pub(crate) format: sinew::import::Format,
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
    parts: Vec<Part>,
    next: u64,
    /// Those that the script placed; `None` leaves the stage's own.
    pub(crate) lights: Option<Vec<(u64, Light)>>,
    pub(crate) show: Show,
    /// Whom the script drew in this frame; `None` draws everyone.
    pub(crate) drawn: Option<Vec<u64>>,
    pub(crate) opened: HashMap<Vec<String>, Opened>,
    /// By file and scene; scenes stay where they are.
    pub(crate) graphs: HashMap<(String, usize), Rc<Bound>>,
    /// Seconds since the script woke.
    pub(crate) time: f64,
    /// Frames since the script woke.
    pub(crate) frame: u64,
    framed: Option<(usize, f32, Option<Eye>, Camera)>,
    ground: Option<u64>,
}

impl World {
    /// A number that nothing had before.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Puts an actor on the stage; gives its number.
    pub(crate) fn add(
        &mut self,
        name: &str,
        scene: &Arc<Scene>,
        runs: bool,
    ) -> Result<u64, String> {
        if self.parts.len() >= MOST_ACTORS {
            return Err(format!("expected at most {MOST_ACTORS} actors: remove some first"));
        }
        let id = self.number();
        self.stage.push(Member::new(name, Arc::clone(scene)));
        self.parts.push(Part::new(id, runs));
        Ok(id)
    }

    /// Takes an actor off the stage; it is no error when it is gone already.
    pub(crate) fn remove(&mut self, id: u64) {
        if let Ok(index) = self.place(id) {
            self.parts.remove(index);
            self.stage.members.remove(index);
        }
    }

    /// Ground under everyone, in the place of the one before.
    pub(crate) fn set_ground(&mut self, ground: &Ground) -> Result<(), String> {
        if let Some(old) = self.ground.take() {
            self.remove(old);
        }
        let id = self.add("ground", &Arc::new(ground.scene()), false)?;
        self.of(id)?.0.scenery = true;
        self.ground = Some(id);
        Ok(())
    }

    fn place(&self, id: u64) -> Result<usize, String> {
        let found = self.parts.binary_search_by_key(&id, |part| part.id);
        found.map_err(|_| "the actor was removed from the stage".to_owned())
    }

    /// An actor's member and part.
    pub(crate) fn of(&mut self, id: u64) -> Result<(&mut Member, &mut Part), String> {
        let index = self.place(id)?;
        Ok((&mut self.stage.members[index], &mut self.parts[index]))
    }

    /// The same, with the pose worked out.
    pub(crate) fn posed(&mut self, id: u64) -> Result<&mut Member, String> {
        let (member, part) = self.of(id)?;
        part.settle(member);
        Ok(member)
    }

    /// Changes how a joint stands after the clip.
    pub(crate) fn edit(
        &mut self,
        id: u64,
        joint: JointId,
        change: impl FnOnce(&mut Edit),
    ) -> Result<(), String> {
        let (_, part) = self.of(id)?;
        let edit = part.edits.entry(joint.index()).or_default();
        change(edit);
        if *edit == Edit::default() {
            part.edits.remove(&joint.index());
        }
        part.stale = true;
        Ok(())
    }

    /// Changes what a joint is after.
    pub(crate) fn aim(
        &mut self,
        id: u64,
        joint: JointId,
        change: impl FnOnce(&mut Goal),
    ) -> Result<(), String> {
        let (_, part) = self.of(id)?;
        let goal = part.goals.entry(joint.index()).or_default();
        change(goal);
        if *goal == Goal::default() {
            part.goals.remove(&joint.index());
        }
        part.stale = true;
        Ok(())
    }

    /// A frame begins: time passes for everyone whose time runs.
    pub(crate) fn advance(&mut self, seconds: f64) {
        self.time += seconds;
        self.drawn = None;
        for (member, part) in self.stage.members.iter_mut().zip(&mut self.parts) {
            part.advance(member, seconds as f32);
        }
    }

    /// A frame ends: every pose is worked out, and who is to be seen is known.
    pub(crate) fn settle(&mut self) {
        for (member, part) in self.stage.members.iter_mut().zip(&mut self.parts) {
            part.settle(member);
            let chosen = self.drawn.as_ref().is_none_or(|drawn| drawn.contains(&part.id));
            member.shown = chosen && !part.hidden;
        }
        if let Some(lights) = &self.lights {
            self.stage.surroundings.lights = lights.iter().map(|(_, light)| *light).collect();
        }
    }

    /// About what all graphs take, and those that play them.
    pub(crate) fn graph_bytes(&self) -> usize {
        let playing = self.parts.iter().filter_map(|part| part.graph.as_ref());
        playing.chain(self.graphs.values()).map(|bound| bound.bytes).sum()
    }

    /// Those whose time runs, with their members.
    pub(crate) fn actors(&self) -> impl Iterator<Item = &Member> {
        let both = self.stage.members.iter().zip(&self.parts);
        both.filter(|(_, part)| part.runs).map(|(member, _)| member)
    }

    /// The eye: as the script has it, or one that sees everyone over the whole of their clips.
    pub(crate) fn camera(&mut self, aspect: f32) -> Camera {
        if let Some(Eye::Exact { eye, look_at, fov_y }) = self.stage.eye {
            return Camera::look_at(eye, look_at, fov_y);
        }
        let key = (self.parts.len(), aspect, self.stage.eye);
        if let Some((parts, aspect, eye, camera)) = self.framed
            && (parts, aspect, eye) == key
        {
            return camera;
        }
        let camera = self.frame_all(aspect);
        self.framed = Some((key.0, key.1, key.2, camera));
        camera
    }

    /// Looks over everyone's clips, and puts everyone back.
    fn frame_all(&mut self, aspect: f32) -> Camera {
        let kept = self.stage.members.iter().map(|member| &member.actor);
        let kept: Vec<_> = kept.map(|actor| (*actor.player(), actor.pose().clone())).collect();
        let camera = self.stage.camera_for(aspect);
        for (member, (player, pose)) in self.stage.members.iter_mut().zip(kept) {
            // A seek would have a marker at this very time told again.
            *member.actor.player_mut() = player;
            member.actor.adjust(|now| now.copy_from(&pose));
        }
        camera
    }
}
