//! `sinew.actor`: a character on the stage: what it plays, its time, and where it is.

use std::rc::Rc;

use mlua::{Lua, Table, UserData, UserDataMethods, Value};
use sinew::glam::{Affine3A, Vec3};
use sinew::{Actor, LoopMode, Motion, Transform, Transition};

use super::fields::{Fields, FiniteNumber, choose, found};
use super::joint::JointHandle;
use super::scene::{self, SceneHandle, find_clip};
use super::{Shared, fault, graph, root_motion};
use crate::actor_state::ActorState;
use crate::angles;

/// An actor in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct ActorHandle {
    pub(super) shared: Rc<Shared>,
    pub(super) id: u64,
}

const LOOP_MODES: &[(&str, LoopMode)] =
    &[("once", LoopMode::Once), ("loop", LoopMode::Loop), ("ping-pong", LoopMode::PingPong)];

pub(super) fn install(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let own = Rc::clone(shared);
    let make = lua.create_function(move |_, of: Value| {
        let held = of.as_userdata().and_then(|data| data.borrow::<SceneHandle>().ok());
        let opened = match (held, &of) {
            (Some(scene), _) => Rc::clone(&scene.0),
            (None, Value::String(file)) => {
                scene::open(&own, vec![file.to_string_lossy()]).map_err(fault)?
            }
            (None, other) => {
                let found = found(other);
                return Err(fault(format!("actor: expected a scene or a file, found {found}")));
            }
        };
        let added = own.world.borrow_mut().add(&opened.name, &opened.scene, true);
        Ok(ActorHandle { shared: Rc::clone(&own), id: added.map_err(fault)? })
    })?;
    sinew.raw_set("actor", make)
}

/// How to change to the next motion: the fields `fade` and `inertialize`, in seconds.
pub(super) fn transition(options: &Fields) -> mlua::Result<Transition> {
    let seconds = |name: &str| Ok::<_, mlua::Error>(options.amount(name)?.filter(|s| *s > 0.0));
    match (seconds("fade")?, seconds("inertialize")?) {
        (Some(_), Some(_)) => Err(options.fault("expected fade or inertialize, found both")),
        (Some(seconds), None) => Ok(Transition::fade(seconds)),
        (None, Some(seconds)) => Ok(Transition::inertialize(seconds)),
        (None, None) => Ok(Transition::Cut),
    }
}

impl ActorHandle {
    /// Does something with the actor and what the script keeps about it.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Actor, &mut ActorState) -> T,
    ) -> mlua::Result<T> {
        let mut world = self.shared.world.borrow_mut();
        let (member, state) = world.of(self.id).map_err(fault)?;
        Ok(work(&mut member.actor, state))
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Actor) -> T) -> mlua::Result<T> {
        self.with(|actor, _| read(actor))
    }

    fn play(&self, clip: &Value, options: Option<Table>) -> mlua::Result<()> {
        let known = ["speed", "loop", "at", "fade", "inertialize"];
        let options = Fields::optional("play", options, &known)?;
        let clip = self.read(|actor| find_clip(actor.scene(), clip))?.map_err(fault)?;
        let speed = options.number("speed")?;
        let loop_mode = options.word("loop", LOOP_MODES)?;
        let at = options.number("at")?.unwrap_or(0.0);
        let how = transition(&options)?;
        self.with(|actor, _| {
            actor.edit(|animator| {
                animator.start_at(clip, how, at);
                if !animator.is_playing() {
                    animator.resume();
                }
                animator.set_speed(speed.unwrap_or(animator.speed()));
                if let Some(mode) = loop_mode {
                    animator.set_loop_mode(mode);
                }
            });
        })
    }

    /// Shows it in one of its file's material variants; without a name as filed.
    fn variant(&self, name: Option<String>) -> mlua::Result<()> {
        let mut world = self.shared.world.borrow_mut();
        let (member, _) = world.of(self.id).map_err(fault)?;
        match name {
            Some(name) => member.show_variant(&name).map_err(|error| fault(error.to_string())),
            None => {
                member.set_variant(None);
                Ok(())
            }
        }
    }

    fn place(&self, table: Table) -> mlua::Result<()> {
        let fields = Fields::new("place", table, &["position", "rotation", "scale"])?;
        let place = Transform {
            translation: fields.vector("position")?.unwrap_or(Vec3::ZERO),
            rotation: angles::rotation(fields.vector("rotation")?.unwrap_or(Vec3::ZERO)),
            scale: fields.scale("scale")?.unwrap_or(Vec3::ONE),
        };
        self.with(|actor, state| {
            actor.place(place.to_affine());
            state.touch();
        })
    }

    pub(super) fn joint(&self, wanted: &Value) -> mlua::Result<JointHandle> {
        let joint = self.read(|actor| {
            let skeleton = actor.scene().skeleton();
            match wanted {
                Value::String(name) => skeleton.find(&name.to_string_lossy()),
                Value::Integer(number) => usize::try_from(*number - 1)
                    .ok()
                    .filter(|index| *index < skeleton.len())
                    .map(sinew::JointId::new),
                _ => None,
            }
        })?;
        let wanted = found(wanted);
        let missing = || fault(format!("there is no joint {wanted}; scene:joints() lists them"));
        Ok(JointHandle { actor: self.clone(), joint: joint.ok_or_else(missing)? })
    }

    fn set_speed(&self, speed: f32) -> mlua::Result<()> {
        if speed < 0.0 && self.read(|actor| actor.graph().is_some())? {
            let message =
                format!("set_speed: a graph runs forward: expected 0 or more, found {speed}");
            return Err(fault(message));
        }
        self.with(|actor, _| actor.set_speed(speed))
    }
}

impl UserData for ActorHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        playing(methods);
        time(methods);
        graph::methods(methods);
        root_motion::methods(methods);
        methods.add_method("place", |_, this, table: Table| this.place(table));
        methods.add_method("position", |_, this, ()| {
            let at: Affine3A = this.read(|actor| actor.world_from_model())?;
            Ok((at.translation.x, at.translation.y, at.translation.z))
        });
        methods.add_method("joint", |_, this, wanted: Value| this.joint(&wanted));
        methods.add_method("show", |_, this, ()| this.with(|_, state| state.hidden = false));
        methods.add_method("hide", |_, this, ()| this.with(|_, state| state.hidden = true));
        methods.add_method("scenery", |_, this, scenery: Option<bool>| {
            let mut world = this.shared.world.borrow_mut();
            world.of(this.id).map_err(fault)?.0.scenery = scenery.unwrap_or(true);
            Ok(())
        });
        methods.add_method("variant", |_, this, name: Option<String>| this.variant(name));
        methods.add_method("remove", |_, this, ()| {
            this.shared.world.borrow_mut().remove(this.id);
            Ok(())
        });
        methods.add_method("reset_joints", |_, this, ()| {
            this.with(|actor, state| state.reset_joints(actor))
        });
    }
}

/// What plays.
fn playing<M: UserDataMethods<ActorHandle>>(methods: &mut M) {
    methods.add_method("play", |_, this, (clip, options): (Value, Option<Table>)| {
        this.play(&clip, options)
    });
    methods.add_method("stop", |_, this, options: Option<Table>| {
        let options = Fields::optional("stop", options, &["fade", "inertialize"])?;
        let how = transition(&options)?;
        this.with(|actor, _| actor.start(Motion::Rest, how))
    });
    methods.add_method("pause", |_, this, ()| this.with(|actor, _| actor.pause()));
    methods.add_method("resume", |_, this, ()| this.with(|actor, _| actor.resume()));
    methods.add_method("is_playing", |_, this, ()| {
        this.read(|actor| !matches!(actor.motion(), Motion::Rest) && actor.is_playing())
    });
    methods.add_method("clip", |_, this, ()| {
        this.read(|actor| actor.clip().map(|clip| clip.name.clone()))
    });
}

fn time<M: UserDataMethods<ActorHandle>>(methods: &mut M) {
    methods
        .add_method("seek", |_, this, time: FiniteNumber| this.with(|actor, _| actor.seek(time.0)));
    methods.add_method("set_speed", |_, this, speed: FiniteNumber| this.set_speed(speed.0));
    methods.add_method("set_loop", |_, this, mode: Value| {
        let mode = choose(&mode, LOOP_MODES).map_err(|why| fault(format!("set_loop: {why}")))?;
        this.with(|actor, _| actor.set_loop_mode(mode))
    });
    methods.add_method("time", |_, this, ()| this.read(|actor| actor.time()));
    methods.add_method("speed", |_, this, ()| this.read(|actor| actor.speed()));
    methods.add_method("duration", |_, this, ()| this.read(|actor| actor.duration()));
}
