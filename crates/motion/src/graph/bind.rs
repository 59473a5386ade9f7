//! Binds the names in one node after the other.
//!
//! In:  nodes, inputs before users.
//! Out: for each what it does, in numbers; clips and state machines listed apart.

use std::collections::BTreeMap;

use sinew_scene::glam::{Vec2, Vec3};
use sinew_scene::{Marker, Scene};

use super::compile::{GraphError, Names, at_node};
use super::compiled::{BoundTransition, ClipWork, Kind, Machine, Number, State, Veil};
use super::condition::Condition;
use super::data::{Chain, Change, Graph, Node, Point, Reference, Transition, Value};
use crate::ik::{LookAt, Pole, TwoBone};
use crate::{BlendSpace, Cursor, Mask, MaskPart, Mirror, Pose, Root, sample};

pub(crate) struct Bind<'a> {
    graph: &'a Graph,
    names: &'a Names<'a>,
    root: Option<&'a Root>,
    at: &'a BTreeMap<&'a str, usize>,
    bound: Bound,
}

/// What is bound so far.
#[derive(Default)]
pub(crate) struct Bound {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) clips: Vec<ClipWork>,
    pub(crate) machines: Vec<Machine>,
    /// How many nodes look at something over time.
    looks: usize,
}

impl<'a> Bind<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        names: &'a Names<'a>,
        root: Option<&'a Root>,
        at: &'a BTreeMap<&'a str, usize>,
    ) -> Self {
        Self { graph, names, root, at, bound: Bound::default() }
    }

    pub(crate) fn done(self) -> Bound {
        self.bound
    }

    fn scene(&self) -> &'a Scene {
        self.names.scene
    }

    pub(crate) fn node(&mut self, index: usize, name: &str, node: &Node) -> Result<(), GraphError> {
        let kind = self.kind(index, name, node).map_err(|message| at_node(name, message))?;
        self.bound.kinds.push(kind);
        Ok(())
    }

    fn kind(&mut self, index: usize, own: &str, node: &Node) -> Result<Kind, String> {
        let number = |value: &Value| self.names.number(value);
        Ok(match node {
            Node::Clip { name, speed, looped, start, .. } => {
                let (clip, speed) = (self.names.clip(name)?, number(speed)?);
                self.clip(index, clip, speed, *looped, *start)?
            }
            Node::Blend { inputs, .. } => {
                if inputs.is_empty() {
                    return Err("expected at least one input, found none".into());
                }
                Kind::Blend(
                    inputs.iter().map(|input| number(&input.weight)).collect::<Result<_, _>>()?,
                )
            }
            Node::BlendSpace { by, points, .. } => self.space(by, points)?,
            Node::Layer { weight, mask, .. } => Kind::Layer(number(weight)?, self.veil(mask)?),
            Node::Additive { weight, reference, mask, .. } => {
                let reference = Box::new(self.reference(reference)?);
                Kind::Additive(number(weight)?, reference, self.veil(mask)?.map(|veil| veil.mask))
            }
            Node::Mask { parts, .. } => {
                Kind::Mask(self.veil(parts)?.ok_or("expected at least one joint, found none")?)
            }
            Node::Mirror { .. } => Kind::Mirror(Box::new(Mirror::of(self.scene()))),
            Node::States { start, states, transitions } => {
                self.states(index, own, start, states, transitions)?
            }
            Node::Ik { chain, target, weight, .. } => {
                let [x, y, z] = target;
                let target = [number(x)?, number(y)?, number(z)?];
                self.chain(chain, target, number(weight)?)?
            }
            Node::Cache { .. } => Kind::Cache,
        })
    }

    fn clip(
        &mut self,
        node: usize,
        clip: usize,
        speed: Number,
        looped: bool,
        start: f32,
    ) -> Result<Kind, String> {
        let data = &self.scene().clips[clip];
        if !(0.0..=data.duration).contains(&start) {
            let end = data.duration;
            return Err(format!("expected a start from 0 to {end} s, found {start}"));
        }
        let more = self.graph.markers.get(&data.name).map_or(&[][..], |markers| markers);
        let more = more.iter().map(|marker| Marker::new(&marker.name, marker.time));
        let mut markers: Vec<Marker> = data.markers.iter().cloned().chain(more).collect();
        markers.sort_by(|a, b| a.time.total_cmp(&b.time));
        let tracks = self.root.map(|root| root.tracks(data));
        let work = ClipWork { node, clip, speed, looped, start, sync: None, markers, tracks };
        self.bound.clips.push(work);
        Ok(Kind::Clip(self.bound.clips.len() - 1))
    }

    fn space(&self, by: &[Value], points: &[Point]) -> Result<Kind, String> {
        let (x, y) = match by {
            [x] => (self.names.number(x)?, Number::Fixed(0.0)),
            [x, y] => (self.names.number(x)?, self.names.number(y)?),
            _ => return Err(format!("expected one or two values, found {}", by.len())),
        };
        let mut places = Vec::with_capacity(points.len());
        for (at, point) in points.iter().enumerate() {
            if point.at.len() != by.len() {
                let (wanted, found) = (by.len(), point.at.len());
                return Err(format!("point {at}: expected {wanted} numbers, found {found}"));
            }
            places.push(Vec2::new(point.at[0], point.at.get(1).copied().unwrap_or(0.0)));
        }
        let space = BlendSpace::new(&places).map_err(|error| error.to_string())?;
        Ok(Kind::BlendSpace(space, [x, y]))
    }

    /// No part at all is no mask.
    fn veil(&self, parts: &[MaskPart]) -> Result<Option<Veil>, String> {
        if parts.is_empty() {
            return Ok(None);
        }
        let mask = Mask::new(self.scene(), parts).map_err(|error| error.to_string())?;
        let at_root = self.root.map_or(1.0, |root| mask.joint(root.joint()));
        Ok(Some(Veil { inverse: mask.clone().inverted(), mask, at_root }))
    }

    fn reference(&self, reference: &Reference) -> Result<Pose, String> {
        let mut pose = Pose::new(self.scene());
        if let Reference::Clip { name, at } = reference {
            let clip = &self.scene().clips[self.names.clip(name)?];
            sample(clip, *at, &mut Cursor::new(), &mut pose);
            if let Some(root) = self.root {
                root.hold(&mut pose);
            }
        }
        Ok(pose)
    }

    fn states(
        &mut self,
        node: usize,
        own: &str,
        start: &str,
        states: &BTreeMap<String, String>,
        transitions: &[Transition],
    ) -> Result<Kind, String> {
        let known: Vec<&String> = states.keys().collect();
        let find = |name: &str| {
            known
                .iter()
                .position(|known| *known == name)
                .ok_or_else(|| format!("there is no state \"{name}\": there are {known:?}"))
        };
        if known.is_empty() {
            return Err("expected at least one state, found none".into());
        }
        let start = find(start)?;
        let bind = |transition: &Transition| {
            let Transition { from, to, .. } = transition;
            self.transition(transition, &find)
                .map_err(|message| format!("transition {from} → {to}: {message}"))
        };
        let transitions: Vec<BoundTransition> =
            transitions.iter().map(bind).collect::<Result<_, _>>()?;
        let inertialization =
            transitions.iter().any(|transition| transition.kind == Change::Inertialization);
        let state = |name: &&String| State { name: (*name).clone(), nodes: Vec::new() };
        let states = known.iter().map(state).collect();
        debug_assert_eq!(self.at[own], node);
        self.bound.machines.push(Machine { node, start, states, transitions, inertialization });
        Ok(Kind::States(self.bound.machines.len() - 1))
    }

    fn transition(
        &self,
        transition: &Transition,
        find: &impl Fn(&str) -> Result<usize, String>,
    ) -> Result<BoundTransition, String> {
        let from = if transition.from == "*" { None } else { Some(find(&transition.from)?) };
        let when = transition.when.iter().map(|text| Condition::read(text, self.names));
        let when: Vec<Condition> = when.collect::<Result<_, _>>()?;
        if when.is_empty() && transition.exit.is_none() {
            return Err("expected a condition or an exit time, found neither".into());
        }
        if !(transition.seconds >= 0.0 && transition.seconds.is_finite()) {
            return Err(format!("expected seconds from zero up, found {}", transition.seconds));
        }
        if let Some(exit) = transition.exit.filter(|exit| !(0.0..=1.0).contains(exit)) {
            return Err(format!("expected an exit from 0 to 1, found {exit}"));
        }
        Ok(BoundTransition {
            from,
            to: find(&transition.to)?,
            when,
            seconds: transition.seconds,
            ease: transition.ease,
            exit: transition.exit,
            interrupt: transition.interrupt,
            kind: transition.kind,
        })
    }

    fn chain(
        &mut self,
        chain: &Chain,
        target: [Number; 3],
        weight: Number,
    ) -> Result<Kind, String> {
        let skeleton = self.scene().skeleton();
        match chain {
            Chain::TwoBone { end, pole, softness } => {
                let joint = self.names.joint(end)?;
                let mut limb = TwoBone::new(skeleton, joint).map_err(|error| error.to_string())?;
                limb.softness = *softness;
                limb.pole = pole.map_or(Pole::Keep, |pole| Pole::Toward(Vec3::from(pole)));
                Ok(Kind::TwoBone(limb, target, weight))
            }
            Chain::LookAt { joints, forward, up, half_life } => {
                let joints = joints.iter().map(|name| self.names.joint(name));
                let joints: Vec<_> = joints.collect::<Result<_, _>>()?;
                let mut look = LookAt::new(&joints, Vec3::from(*forward), Vec3::from(*up))
                    .map_err(|error| error.to_string())?;
                look.half_life = *half_life;
                self.bound.looks += 1;
                Ok(Kind::LookAt(look, self.bound.looks - 1, target, weight))
            }
        }
    }

    /// Markers of clips that are not there, or not within them, are mistakes too.
    pub(crate) fn check_markers(&self) -> Result<(), GraphError> {
        for (clip, markers) in &self.graph.markers {
            let place =
                || GraphError { place: format!("markers of \"{clip}\""), message: String::new() };
            let found =
                self.names.clip(clip).map_err(|message| GraphError { message, ..place() })?;
            let end = self.scene().clips[found].duration;
            if let Some(marker) = markers.iter().find(|marker| !(0.0..=end).contains(&marker.time))
            {
                let (name, time) = (&marker.name, marker.time);
                let message =
                    format!("\"{name}\": expected a time from 0 to {end} s, found {time}");
                return Err(GraphError { message, ..place() });
            }
        }
        Ok(())
    }
}
