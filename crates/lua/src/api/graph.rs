//! Graphs of an actor: parameters, states; and what any motion tells: markers passed, the way it was moved.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, UserDataMethods, Value};
use sinew::graph::{GraphPlayer, Parameter};
use sinew::motion::{Mirror, RootMode};

use super::actor::ActorHandle;
use super::fault;
use super::fields::{Fields, Num, choose, found};
use super::scene::name;
use crate::edit;
use crate::fading::Fading;
use crate::graphs::{self, Bound};
use crate::sandbox::Folder;

/// Most different graphs that a script may read.
const MOST_GRAPHS: usize = 256;

const ROOTS: &[(&str, RootMode)] = &[("floor", RootMode::Floor), ("all", RootMode::All)];

impl ActorHandle {
    /// Follows a graph from its beginning.
    fn follow(&self, file: &Value, options: Option<Table>) -> mlua::Result<()> {
        let file = name("graph", file)?;
        let options = options.map(|table| Fields::new("graph", table, &["fade"])).transpose()?;
        let fade = match &options {
            Some(options) => options.amount("fade")?.filter(|seconds| *seconds > 0.0),
            None => None,
        };
        let bound = self.bound(&file)?;
        self.change(|member, part| {
            let actor = &mut member.actor;
            part.strip(actor);
            let under_way = part.fading.take();
            part.fading = fade.map(|seconds| Fading::new(actor, under_way, seconds));
            actor.stop();
            actor.player_mut().set_speed(1.0);
            actor.player_mut().resume();
            actor.follow(GraphPlayer::new(Arc::clone(&bound.plan)));
            part.graph = Some(bound);
        })
    }

    /// A graph for the actor's scene; read and bound once, however often it is asked for.
    fn bound(&self, file: &str) -> mlua::Result<Rc<Bound>> {
        let (shared, scene) = (&self.shared, self.read(|member| Arc::clone(member.actor.scene()))?);
        let plain = Folder::plain(file).map_err(fault)?;
        let key = (plain, Arc::as_ptr(&scene) as usize);
        let (held, count) = {
            let world = shared.world.borrow();
            (world.graphs.get(&key).cloned(), world.graphs.len())
        };
        let used = shared.world.borrow().graph_bytes();
        if let Some(bound) = held {
            shared.meter.spend(bound.bytes as u64 / 1024)?;
            shared.meter.fits(used.saturating_add(bound.bytes))?;
            return Ok(bound);
        }
        if count >= MOST_GRAPHS {
            return Err(fault(format!("graph: expected at most {MOST_GRAPHS} different graphs")));
        }
        let read = || graphs::read(&key.0, &shared.folder.read(&key.0)?);
        let graph = shared.meter.aside(read).map_err(fault)?;
        let bytes = graphs::bytes(&graph, &scene);
        shared.meter.spend(bytes as u64 / 1024)?;
        // The plan has poses of its own.
        shared.meter.fits(used.saturating_add(bytes.saturating_mul(2)))?;
        let bind = || graphs::bind(&key.0, &graph, &scene);
        let bound = Rc::new(shared.meter.aside(bind).map_err(fault)?);
        shared.world.borrow_mut().graphs.insert(key, Rc::clone(&bound));
        Ok(bound)
    }

    /// Does something with the graph that it follows.
    fn graph<T>(
        &self,
        what: &str,
        with: impl FnOnce(&mut GraphPlayer) -> Result<T, String>,
    ) -> mlua::Result<T> {
        let mut world = self.shared.world.borrow_mut();
        let (member, _) = world.of(self.id).map_err(fault)?;
        let none = "the actor follows no graph; actor:graph(file) gives it one";
        let graph = member.actor.graph_mut().ok_or_else(|| none.to_owned());
        graph.and_then(with).map_err(|why| fault(format!("{what}: {why}")))
    }

    fn set(&self, name: &str, value: &Value) -> mlua::Result<()> {
        self.graph("set", |graph| {
            let (at, kind) = parameter(graph, name)?;
            let wrong = |expected: &str| {
                format!("parameter \"{name}\": expected {expected}, found {}", found(value))
            };
            let number = match (kind, value) {
                (Parameter::Bool(_), Value::Boolean(on)) => f32::from(u8::from(*on)),
                (Parameter::Bool(_), _) => return Err(wrong("true or false")),
                (Parameter::Float(_), Value::Integer(number)) => *number as f32,
                (Parameter::Float(_), Value::Number(number)) if (*number as f32).is_finite() => {
                    *number as f32
                }
                (Parameter::Float(_), _) => return Err(wrong("a finite number")),
                (Parameter::Trigger(_), _) => {
                    return Err(format!("\"{name}\" is a trigger; actor:trigger(name) fires it"));
                }
            };
            graph.set_at(at, number);
            Ok(())
        })
    }

    fn trigger(&self, name: &str) -> mlua::Result<()> {
        self.graph("trigger", |graph| match parameter(graph, name)? {
            (at, Parameter::Trigger(_)) => {
                graph.set_at(at, 1.0);
                Ok(())
            }
            _ => Err(format!("\"{name}\" is no trigger; actor:set(name, value) sets it")),
        })
    }

    /// The state of a node; of the only one with states, where none is named.
    fn state(&self, node: Option<&str>) -> mlua::Result<String> {
        let machines = {
            let mut world = self.shared.world.borrow_mut();
            let (_, part) = world.of(self.id).map_err(fault)?;
            part.graph.as_ref().map(|bound| bound.machines.clone()).unwrap_or_default()
        };
        self.graph("state", |graph| {
            let there = format!("there are {machines:?}");
            let node = match (node, &machines[..]) {
                (Some(node), _) => node,
                (None, [only]) => only,
                (None, _) => {
                    return Err(format!("expected the name of a node with states: {there}"));
                }
            };
            let state = graph.state(node).map(str::to_owned);
            state.ok_or_else(|| format!("there is no node \"{node}\" with states: {there}"))
        })
    }

    fn set_root(&self, joint: &Value, mode: &Value) -> mlua::Result<()> {
        let joint = match joint {
            Value::Nil => None,
            joint => Some(self.joint(joint)?.joint),
        };
        let mode = match mode {
            Value::Nil => RootMode::Floor,
            mode => choose(mode, ROOTS).map_err(|why| fault(format!("set_root: {why}")))?,
        };
        self.change(|member, part| {
            part.strip(&mut member.actor);
            member.actor.set_root(joint, mode);
        })
    }

    fn events(&self, lua: &Lua) -> mlua::Result<Table> {
        let passed = {
            let mut world = self.shared.world.borrow_mut();
            world.of(self.id).map_err(fault)?.1.passed.clone()
        };
        let list = lua.create_table()?;
        for (index, marker) in passed.into_iter().enumerate() {
            let event = lua.create_table()?;
            event.raw_set("name", marker.name)?;
            event.raw_set("clip", marker.clip)?;
            event.raw_set("time", marker.time)?;
            event.raw_set("weight", marker.weight)?;
            list.raw_set(index + 1, event)?;
        }
        Ok(list)
    }

    fn moved(&self) -> mlua::Result<(f32, f32, f32, f32, f32, f32)> {
        let mut world = self.shared.world.borrow_mut();
        let way = world.of(self.id).map_err(fault)?.1.moved;
        let (by, turn) = (way.translation, edit::degrees(way.rotation));
        Ok((by.x, by.y, by.z, turn.x, turn.y, turn.z))
    }

    /// What a graph cannot do.
    pub(super) fn without_graph(&self, what: &str) -> mlua::Result<()> {
        match self.read(|member| member.actor.graph().is_some())? {
            true => Err(fault(format!("{what}: the actor follows a graph, which has no playhead"))),
            false => Ok(()),
        }
    }

    pub(super) fn set_speed(&self, speed: Num) -> mlua::Result<()> {
        if speed.0 < 0.0 && self.read(|member| member.actor.graph().is_some())? {
            let words =
                format!("set_speed: a graph runs forward: expected 0 or more, found {}", speed.0);
            return Err(fault(words));
        }
        self.change(|member, _| member.actor.player_mut().set_speed(speed.0))
    }
}

fn parameter(graph: &GraphPlayer, name: &str) -> Result<(usize, Parameter), String> {
    let mut all = graph.compiled().parameters().enumerate();
    let own = all.find(|(_, (known, _))| *known == name).map(|(at, (_, kind))| (at, kind));
    own.ok_or_else(|| {
        let known: Vec<&str> = graph.compiled().parameters().map(|(name, _)| name).collect();
        format!("there is no parameter \"{name}\": there are {known:?}")
    })
}

/// A parameter as Lua has it: a number, or true or false.
fn value(graph: &GraphPlayer, name: &str, kind: Parameter) -> Value {
    let number = graph.value(name).unwrap_or_default();
    match kind {
        Parameter::Float(_) => Value::Number(number.into()),
        Parameter::Bool(_) | Parameter::Trigger(_) => Value::Boolean(number != 0.0),
    }
}

pub(super) fn methods<M: UserDataMethods<ActorHandle>>(methods: &mut M) {
    methods.add_method("graph", |_, this, (file, options): (Value, Option<Table>)| {
        this.follow(&file, options)
    });
    methods.add_method("set", |_, this, (name, value): (String, Value)| this.set(&name, &value));
    methods.add_method("trigger", |_, this, name: String| this.trigger(&name));
    methods.add_method("get", |_, this, name: String| {
        this.graph("get", |graph| {
            let (_, kind) = parameter(graph, &name)?;
            Ok(value(graph, &name, kind))
        })
    });
    methods.add_method("parameters", |lua, this, ()| {
        let all: Vec<(String, Value)> = this.graph("parameters", |graph| {
            let all = graph.compiled().parameters();
            Ok(all.map(|(name, kind)| (name.to_owned(), value(graph, name, kind))).collect())
        })?;
        lua.create_table_from(all)
    });
    methods.add_method("state", |_, this, node: Option<String>| this.state(node.as_deref()));
    methods.add_method("events", |lua, this, ()| this.events(lua));
    methods.add_method("moved", |_, this, ()| this.moved());
    methods.add_method("set_root", |_, this, (joint, mode): (Value, Value)| {
        this.set_root(&joint, &mode)
    });
    methods.add_method("carry", |_, this, flag: Option<bool>| {
        this.change(|_, part| part.carries = flag.unwrap_or(true))
    });
    methods.add_method("mirror", |_, this, flag: Option<bool>| {
        this.change(|member, part| {
            let made = || Box::new(Mirror::of(member.actor.scene()));
            part.mirror = flag.unwrap_or(true).then(made);
        })
    });
}
