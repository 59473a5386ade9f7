//! `sinew.actor`: a character on the stage: its clip, its time, where it stands.

use std::rc::Rc;

use mlua::{Lua, Table, UserData, UserDataMethods, Value};
use sinew::glam::{Affine3A, Vec3};
use sinew::stage::Member;
use sinew::{LoopMode, Transform};

use super::fields::{Fields, Num, choose, found};
use super::joint::JointHandle;
use super::scene::{self, SceneHandle, find_clip};
use super::{Shared, fault, graph};
use crate::edit;
use crate::fading::Fading;
use crate::part::Part;

/// An actor in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct ActorHandle {
    pub(super) shared: Rc<Shared>,
    pub(super) id: u64,
}

const MODES: &[(&str, LoopMode)] =
    &[("once", LoopMode::Once), ("loop", LoopMode::Loop), ("ping-pong", LoopMode::PingPong)];

pub(super) fn install(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let own = Rc::clone(shared);
    let make = lua.create_function(move |_, of: Value| {
        let held = of.as_userdata().and_then(|data| data.borrow::<SceneHandle>().ok());
        let opened = match (held, &of) {
            (Some(scene), _) => scene.0.clone(),
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

impl ActorHandle {
    /// Changes the member; its pose is worked out anew when it is next needed.
    pub(super) fn change<T>(
        &self,
        change: impl FnOnce(&mut Member, &mut Part) -> T,
    ) -> mlua::Result<T> {
        let mut world = self.shared.world.borrow_mut();
        let (member, part) = world.of(self.id).map_err(fault)?;
        let changed = change(member, part);
        part.touch();
        Ok(changed)
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Member) -> T) -> mlua::Result<T> {
        let mut world = self.shared.world.borrow_mut();
        let (member, _) = world.of(self.id).map_err(fault)?;
        Ok(read(member))
    }

    fn play(&self, clip: &Value, options: Option<Table>) -> mlua::Result<()> {
        let known = ["speed", "loop", "at", "fade", "glide"];
        let options = options.map(|table| Fields::new("play", table, &known)).transpose()?;
        let index = self.read(|member| find_clip(member.actor.scene(), clip))?.map_err(fault)?;
        let (mut speed, mut mode, mut at, mut fade, mut glide) = (None, None, None, None, None);
        if let Some(options) = &options {
            speed = options.number("speed")?;
            mode = options.word("loop", MODES)?;
            at = options.number("at")?;
            fade = options.amount("fade")?.filter(|seconds| *seconds > 0.0);
            glide = options.amount("glide")?.filter(|seconds| *seconds > 0.0);
        }
        if fade.is_some() && glide.is_some() {
            return Err(fault("play: expected fade or glide, found both"));
        }
        self.change(|member, part| {
            let actor = &mut member.actor;
            part.strip(actor);
            match (fade, glide) {
                (Some(seconds), _) if actor.graph().is_some() => {
                    let under_way = part.fading.take();
                    part.fading = Some(Fading::new(actor, under_way, seconds));
                    actor.play_index(index);
                }
                (Some(seconds), _) => actor.fade_to_index(index, seconds),
                (None, Some(seconds)) => actor.inertialize_to_index(index, seconds),
                (None, None) => {
                    part.fading = None;
                    actor.play_index(index);
                }
            }
            part.graph = None;
            if let Some(speed) = speed {
                actor.player_mut().set_speed(speed);
            }
            if let Some(mode) = mode {
                actor.player_mut().set_mode(mode);
            }
            if let Some(at) = at {
                actor.player_mut().seek(at);
                // No time, so that what a glide still does stays in the pose.
                actor.advance(0.0);
            }
        })
    }

    fn place(&self, table: Table) -> mlua::Result<()> {
        let fields = Fields::new("place", table, &["position", "rotation", "scale"])?;
        let turn = edit::turn(fields.vector("rotation")?.unwrap_or(Vec3::ZERO));
        let place = Transform {
            translation: fields.vector("position")?.unwrap_or(Vec3::ZERO),
            rotation: turn,
            scale: fields.scale("scale")?.unwrap_or(Vec3::ONE),
        };
        self.change(|member, _| member.actor.place(place.to_affine()))
    }

    pub(super) fn joint(&self, wanted: &Value) -> mlua::Result<JointHandle> {
        let index = self.read(|member| {
            let skeleton = member.actor.scene().skeleton();
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
        Ok(JointHandle { actor: self.clone(), joint: index.ok_or_else(missing)? })
    }
}

impl UserData for ActorHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        playing(methods);
        graph::methods(methods);
        methods.add_method("place", |_, this, table: Table| this.place(table));
        methods.add_method("position", |_, this, ()| {
            let at: Affine3A = this.read(|member| member.actor.world_from_model())?;
            Ok((at.translation.x, at.translation.y, at.translation.z))
        });
        methods.add_method("joint", |_, this, wanted: Value| this.joint(&wanted));
        methods.add_method("show", |_, this, ()| this.change(|_, part| part.hidden = false));
        methods.add_method("hide", |_, this, ()| this.change(|_, part| part.hidden = true));
        methods.add_method("scenery", |_, this, scenery: Option<bool>| {
            this.change(|member, _| member.scenery = scenery.unwrap_or(true))
        });
        methods.add_method("remove", |_, this, ()| {
            this.shared.world.borrow_mut().remove(this.id);
            Ok(())
        });
        methods.add_method("reset_joints", |_, this, ()| {
            this.change(|_, part| {
                part.edits.clear();
                part.goals.clear();
            })
        });
    }
}

/// Clips and time.
fn playing<M: UserDataMethods<ActorHandle>>(methods: &mut M) {
    methods.add_method("play", |_, this, (clip, options): (Value, Option<Table>)| {
        this.play(&clip, options)
    });
    methods.add_method("stop", |_, this, ()| {
        this.change(|member, part| {
            part.strip(&mut member.actor);
            member.actor.stop();
            part.fading = None;
            part.graph = None;
        })
    });
    methods.add_method("pause", |_, this, ()| {
        this.change(|member, _| member.actor.player_mut().pause())
    });
    methods.add_method("resume", |_, this, ()| {
        this.change(|member, _| member.actor.player_mut().resume())
    });
    methods.add_method("seek", |_, this, time: Num| {
        this.without_graph("seek")?;
        this.change(|member, part| {
            part.strip(&mut member.actor);
            member.actor.seek(time.0);
        })
    });
    methods.add_method("set_speed", |_, this, speed: Num| this.set_speed(speed));
    methods.add_method("set_loop", |_, this, mode: Value| {
        this.without_graph("set_loop")?;
        let mode = choose(&mode, MODES).map_err(|why| fault(format!("set_loop: {why}")))?;
        this.change(|member, _| member.actor.player_mut().set_mode(mode))
    });
    methods.add_method("time", |_, this, ()| this.read(|member| member.actor.player().time()));
    methods.add_method("speed", |_, this, ()| this.read(|member| member.actor.player().speed()));
    methods.add_method("duration", |_, this, ()| {
        this.read(|member| member.actor.clip().map_or(0.0, |clip| clip.duration))
    });
    methods.add_method("is_playing", |_, this, ()| {
        this.read(|member| {
            let moves = member.actor.clip().is_some() || member.actor.graph().is_some();
            moves && member.actor.player().is_playing()
        })
    });
    methods.add_method("clip", |_, this, ()| {
        this.read(|member| member.actor.clip().map(|clip| clip.name.clone()))
    });
}
