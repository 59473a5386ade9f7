//! A playing graph: parameters in, a pose, root motion and events out.
//!
//! In:  seconds that pass, and parameters.
//! Out: the pose, how far it moved the character, and the markers that were passed.
//!
//! One frame is three walks over a flat list. Down from what is shown: who is seen how much, and
//! for how long. Over the clips: time passes. Up again: poses. All memory is made with the
//! player; a frame allocates nothing and cannot fail. What is not seen stands still.

use std::fmt;
use std::sync::Arc;

use sinew_scene::{ClipId, Transform};

use super::compiled::{CompiledGraph, Kind, Work};
use super::machine::Standing;
use crate::fade::whole;
use crate::ik::{LookAt, LookAtState};
use crate::rigid::Screw;
use crate::step::Step;
use crate::{Cursor, Inertialization, LoopMode, Player, Pose, SyncGroup};

/// A graph at play, for one character.
#[derive(Clone, Debug)]
#[doc(alias = "state machine")]
#[doc(alias = "animator")]
pub struct GraphPlayer {
    pub(crate) plan: Arc<CompiledGraph>,
    pub(crate) values: Vec<f32>,
    pub(crate) players: Vec<Player>,
    pub(crate) cursors: Vec<Cursor>,
    /// What the last frame did to each clip.
    pub(crate) steps: Vec<Step>,
    pub(crate) syncs: Vec<SyncGroup>,
    /// Whether a group's clips were seen in the last frame, and whether it has had its time in this.
    pub(crate) seen: Vec<bool>,
    pub(crate) ticked: Vec<bool>,
    pub(crate) machines: Vec<Standing>,
    /// For machines that change by inertialization.
    pub(crate) inertializations: Vec<Option<Box<Inertialization>>>,
    /// Who looks, with the weight of now, and where.
    pub(crate) looks: Vec<(LookAt, LookAtState)>,
    /// How much each node is seen: over the frame, and at its end.
    pub(crate) mean: Vec<f32>,
    pub(crate) now: Vec<f32>,
    /// How long each node is seen in this frame.
    pub(crate) seconds: Vec<f32>,
    /// The same of each input of each node, as a share of the node's own.
    pub(crate) edge_mean: Vec<f32>,
    pub(crate) edge_now: Vec<f32>,
    pub(crate) screws: Vec<Screw>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) spare: Pose,
    /// What a frame does. Behind a pointer that only [`GraphPlayer::new`] sets, so that a program that makes no graph
    /// carries none of its code: it counts on web pages.
    frame: fn(&mut Self, f32),
}

/// Something that a clip passed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "animation event")]
#[doc(alias = "notify")]
pub struct Event<'a> {
    /// The marker's name.
    pub name: &'a str,
    /// Which of the scene's clips.
    pub clip: ClipId,
    /// Seconds from the clip's start.
    pub time: f32,
    /// How much the clip was seen in this frame, from just above zero to one.
    pub weight: f32,
}

/// What a frame did.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// How far the character was moved, seen from where it stood. None without a root.
    #[doc(alias = "root motion delta")]
    pub root: Transform,
    player: &'a GraphPlayer,
}

impl<'a> Update<'a> {
    /// The markers that were passed: clip by clip, in the order of passing.
    pub fn events(&self) -> impl Iterator<Item = Event<'a>> + use<'a> {
        self.player.events()
    }
}

/// The graph has no parameter of the name asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterError {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub available: Vec<String>,
}

impl ParameterError {
    /// No parameter of this name among those that there are.
    #[must_use]
    pub fn new(name: impl Into<String>, available: Vec<String>) -> Self {
        Self { name: name.into(), available }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.available[..] {
            [] => {
                write!(f, "there is no parameter \"{}\": no graph with parameters plays", self.name)
            }
            names => write!(f, "there is no parameter \"{}\": there are {names:?}", self.name),
        }
    }
}

impl std::error::Error for ParameterError {}

/// Which shares are worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Mean,
    Now,
}

impl GraphPlayer {
    /// At the beginning, with the first pose made.
    #[must_use]
    pub fn new(plan: impl Into<Arc<CompiledGraph>>) -> Self {
        let plan = plan.into();
        let (nodes, edges) = (plan.steps.len(), plan.edges.len());
        let clip = |at: usize| &plan.scene.clips[plan.clips[at].clip];
        let cursors = (0..plan.clips.len()).map(|at| Cursor::with_capacity(clip(at).track_count()));
        let inertialization = |inertialization: bool| {
            inertialization.then(|| Box::new(Inertialization::new(&plan.scene)))
        };
        let look = |work: &Work| match &work.kind {
            Kind::LookAt(look, ..) => Some((look.clone(), LookAtState::new())),
            _ => None,
        };
        let mut player = Self {
            values: plan.parameters.iter().map(|(_, parameter)| start_value(*parameter)).collect(),
            players: vec![Player::new(0.0, LoopMode::Loop); plan.clips.len()],
            cursors: cursors.collect(),
            steps: vec![Step::still(0.0, 0.0); plan.clips.len()],
            syncs: plan.syncs.iter().map(|sync| sync.start.clone()).collect(),
            seen: vec![false; plan.syncs.len()],
            ticked: vec![false; plan.syncs.len()],
            machines: plan.machines.iter().map(|machine| Standing::at(machine.start)).collect(),
            inertializations: plan
                .machines
                .iter()
                .map(|machine| inertialization(machine.inertialization))
                .collect(),
            looks: plan.steps.iter().filter_map(look).collect(),
            mean: vec![0.0; nodes],
            now: vec![0.0; nodes],
            seconds: vec![0.0; nodes],
            edge_mean: vec![0.0; edges],
            edge_now: vec![0.0; edges],
            screws: vec![Screw::default(); nodes],
            poses: vec![Pose::new(&plan.scene); plan.slots],
            spare: Pose::new(&plan.scene),
            frame: Self::frame,
            plan,
        };
        player.restart();
        player
    }

    /// Back to the beginning; parameters stay as they are.
    pub fn restart(&mut self) {
        let plan = Arc::clone(&self.plan);
        self.seen.fill(false);
        for node in 0..plan.steps.len() {
            self.restart_node(&plan, node);
        }
        self.advance(0.0);
    }

    /// Takes over the values of all parameters of another player of the same graph.
    ///
    /// # Panics
    /// When the other plays a graph with other parameters.
    pub fn copy_parameters(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }

    /// Whether all parameters are as another player of the same graph has them.
    #[must_use]
    pub fn has_parameters_of(&self, other: &Self) -> bool {
        self.values == other.values
    }

    /// The graph that it plays.
    #[must_use]
    pub fn compiled(&self) -> &Arc<CompiledGraph> {
        &self.plan
    }

    /// Sets a parameter. A switch is on for anything but zero, and so is a trigger fired. A value
    /// that is not finite changes nothing.
    ///
    /// # Errors
    /// When the graph has no parameter of this name.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), ParameterError> {
        match self.plan.parameter(name) {
            Some(parameter) => {
                self.set_at(parameter, value);
                Ok(())
            }
            None => Err(ParameterError {
                name: name.to_owned(),
                available: self.plan.parameters().map(|(name, _)| name.to_owned()).collect(),
            }),
        }
    }

    /// The same by the parameter's number, for every frame.
    ///
    /// # Panics
    /// When there is no such parameter.
    pub fn set_at(&mut self, parameter: usize, value: f32) {
        use super::data::Parameter;
        if value.is_finite() {
            self.values[parameter] = match self.plan.parameters[parameter].1 {
                Parameter::Float(_) => value,
                Parameter::Bool(_) | Parameter::Trigger(_) => f32::from(value != 0.0),
            };
        }
    }

    /// What a parameter is now; a switch or trigger is one or zero.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f32> {
        self.plan.parameter(name).map(|at| self.values[at])
    }

    /// The state that a node of states is in, or changes to.
    #[must_use]
    pub fn state(&self, node: &str) -> Option<&str> {
        let at = self.plan.machines.iter();
        let mut at = at.zip(&self.machines);
        let (machine, standing) =
            at.find(|(machine, _)| self.plan.steps[machine.node].name == node)?;
        Some(&machine.states[standing.top().state].name)
    }

    /// Every node by name, inputs before users, with how much of it is seen now: 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (&str, f32)> {
        self.plan.steps.iter().zip(&self.now).map(|(work, share)| (&work.name[..], *share))
    }

    /// The pose, model matrices included.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.poses[self.plan.steps[self.plan.steps.len() - 1].slot]
    }

    /// Lets `seconds` pass. Seconds below zero and such as are not finite pass nothing: to go
    /// backward, give a clip a negative speed.
    pub fn advance(&mut self, seconds: f32) -> Update<'_> {
        (self.frame)(self, whole(seconds));
        Update { root: self.screws[self.plan.steps.len() - 1].exp().to_transform(), player: self }
    }

    fn frame(&mut self, seconds: f32) {
        let plan = Arc::clone(&self.plan);
        let shown = plan.steps.len() - 1;
        self.mean.fill(0.0);
        self.seconds.fill(0.0);
        self.ticked.fill(false);
        for step in &mut self.steps {
            *step = Step::still(step.to, step.duration);
        }
        (self.mean[shown], self.seconds[shown]) = (1.0, seconds);
        self.flow(&plan, (0..=shown).rev(), Moment::Mean);
        self.tick(&plan, 0..=shown);
        for machine in 0..plan.machines.len() {
            self.leave(&plan, machine);
        }
        for (seen, work) in self.seen.iter_mut().zip(&plan.syncs) {
            *seen = work.members.iter().any(|&clip| self.mean[plan.clips[clip].node] > 0.0);
        }
        self.show(&plan, seconds);
    }

    /// Works out who is seen at the end of the frame, and their poses.
    pub(crate) fn show(&mut self, plan: &CompiledGraph, seconds: f32) {
        let shown = plan.steps.len() - 1;
        self.now.fill(0.0);
        self.now[shown] = 1.0;
        self.flow(plan, (0..=shown).rev(), Moment::Now);
        self.evaluate(plan, seconds);
        self.poses[plan.steps[shown].slot].to_model(plan.scene.skeleton());
    }

    /// The markers that were passed in the last frame.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        self.plan.clips.iter().zip(&self.steps).flat_map(|(work, step)| {
            let weight = self.mean[work.node];
            let markers = if weight > 0.0 { &work.markers[..] } else { &[] };
            step.markers(markers).map(move |marker| Event {
                name: &marker.name,
                clip: ClipId::new(work.clip),
                time: marker.time,
                weight,
            })
        })
    }
}

fn start_value(parameter: super::data::Parameter) -> f32 {
    use super::data::Parameter;
    match parameter {
        Parameter::Float(number) => number,
        Parameter::Bool(on) => f32::from(on),
        Parameter::Trigger(_) => 0.0,
    }
}
