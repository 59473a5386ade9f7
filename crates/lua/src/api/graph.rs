//! Graphs of an actor: parameters, triggers and states.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Table, UserDataMethods, Value};
use sinew::graph::{GraphPlayer, Parameter};

use super::actor::{ActorHandle, transition};
use super::fault;
use super::fields::{Fields, found};
use super::scene::name;
use crate::graphs::{self, LoadedGraph};
use crate::sandbox::Folder;

/// Most different graphs that a script may read.
const MAX_GRAPHS: usize = 256;

impl ActorHandle {
    /// Plays a graph from its start, at the speed of its clips.
    fn play_graph(&self, file: &Value, options: Option<Table>) -> mlua::Result<()> {
        let file = name("graph", file)?;
        let options = Fields::optional("graph", options, &["fade", "inertialize"])?;
        let how = transition(&options)?;
        let graph = self.load_graph(&file)?;
        self.with(|actor, _| {
            actor.edit(|animator| {
                animator.start(GraphPlayer::new(Arc::clone(&graph.compiled)), how);
                animator.set_speed(1.0);
                animator.resume();
            });
        })
    }

    /// A graph for the actor's scene; read and compiled once, however often it is asked for.
    fn load_graph(&self, file: &str) -> mlua::Result<Rc<LoadedGraph>> {
        let shared = &self.shared;
        let scene = self.read(|actor| Arc::clone(actor.scene()))?;
        let plain = Folder::plain(file).map_err(fault)?;
        let key = (plain, Arc::as_ptr(&scene) as usize);
        let (held, count, used) = {
            let world = shared.world.borrow();
            (world.graphs.get(&key).cloned(), world.graphs.len(), world.graph_bytes())
        };
        if let Some(graph) = held {
            shared.meter.spend(graph.bytes as u64 / 1024)?;
            shared.meter.fits(used.saturating_add(graph.bytes))?;
            return Ok(graph);
        }
        if count >= MAX_GRAPHS {
            return Err(fault(format!("graph: expected at most {MAX_GRAPHS} different graphs")));
        }
        let read = || graphs::read(&key.0, &shared.folder.read(&key.0)?);
        let graph = shared.meter.aside(read).map_err(fault)?;
        let bytes = graphs::bytes(&graph, &scene);
        shared.meter.spend(bytes as u64 / 1024)?;
        // A compiled graph has poses of its own.
        shared.meter.fits(used.saturating_add(bytes.saturating_mul(2)))?;
        let compile = || graphs::compile(&key.0, &graph, &scene);
        let graph = Rc::new(shared.meter.aside(compile).map_err(fault)?);
        shared.world.borrow_mut().graphs.insert(key, Rc::clone(&graph));
        Ok(graph)
    }

    /// Does something with the graph that plays.
    fn graph<T>(
        &self,
        what: &str,
        work: impl FnOnce(&mut GraphPlayer) -> Result<T, String>,
    ) -> mlua::Result<T> {
        self.with(|actor, _| {
            let none = "the actor plays no graph; actor:graph(file) starts one";
            let graph = actor.graph_mut().ok_or_else(|| none.to_owned());
            graph.and_then(work).map_err(|why| fault(format!("{what}: {why}")))
        })?
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
            _ => Err(format!("\"{name}\" is not a trigger; actor:set(name, value) sets it")),
        })
    }

    /// The state of a node; of the only one with states, where none is named.
    fn state(&self, node: Option<&str>) -> mlua::Result<String> {
        self.graph("state", |graph| {
            let machines = state_machines(graph);
            let node = match (node, &machines[..]) {
                (Some(node), _) => node,
                (None, [only]) => *only,
                (None, _) => {
                    return Err(format!(
                        "expected the name of a node with states: there are {machines:?}"
                    ));
                }
            };
            let state = graph.state(node).map(str::to_owned);
            state.ok_or_else(|| {
                format!("there is no node \"{node}\" with states: there are {machines:?}")
            })
        })
    }
}

/// The names of the nodes that have states.
fn state_machines(graph: &GraphPlayer) -> Vec<&str> {
    let names = graph.shares().map(|(name, _)| name);
    let mut machines: Vec<&str> = names.filter(|name| graph.state(name).is_some()).collect();
    machines.sort_unstable();
    machines
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
        this.play_graph(&file, options)
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
}
