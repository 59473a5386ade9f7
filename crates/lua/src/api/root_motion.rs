//! What any motion of an actor reports and does: markers that were passed, root motion, mirroring.

use mlua::{Lua, Table, UserDataMethods, Value};
use sinew::motion::RootMode;
use sinew::{Mirror, Modifier};

use super::actor::ActorHandle;
use super::fault;
use super::fields::choose;
use crate::actor_state::Slot;
use crate::angles;

const ROOT_MODES: &[(&str, RootMode)] = &[("floor", RootMode::Floor), ("all", RootMode::All)];

impl ActorHandle {
    fn set_root_motion(&self, joint: &Value, mode: &Value) -> mlua::Result<()> {
        let joint = match joint {
            Value::Nil => None,
            joint => Some(self.joint(joint)?.joint),
        };
        let mode = match mode {
            Value::Nil => RootMode::Floor,
            mode => {
                choose(mode, ROOT_MODES).map_err(|why| fault(format!("set_root_motion: {why}")))?
            }
        };
        self.with(|actor, state| state.set_root_joint(actor, joint, mode))
    }

    fn apply_root_motion(&self, applied: Option<bool>) -> mlua::Result<()> {
        self.with(|actor, state| state.apply_root_motion(actor, applied.unwrap_or(true)))
    }

    fn root_motion(&self) -> mlua::Result<(f32, f32, f32, f32, f32, f32)> {
        let delta = self.read(|actor| actor.root_motion())?;
        let by = delta.translation;
        let angles = angles::degrees(delta.rotation);
        Ok((by.x, by.y, by.z, angles.x, angles.y, angles.z))
    }

    fn mirror(&self, mirrored: Option<bool>) -> mlua::Result<()> {
        self.with(|actor, state| {
            let mirror = || Modifier::Mirror(Mirror::of(actor.scene()));
            let mirror = mirrored.unwrap_or(true).then(mirror);
            state.set_modifier(actor, Slot::Mirror, mirror);
        })
    }

    fn events(&self, lua: &Lua) -> mlua::Result<Table> {
        let passed = self.with(|_, state| state.events.clone())?;
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
}

/// Each under its name, and under the older one where it had another.
pub(super) fn methods<M: UserDataMethods<ActorHandle>>(methods: &mut M) {
    methods.add_method("events", |lua, this, ()| this.events(lua));
    methods.add_method("mirror", |_, this, mirrored: Option<bool>| this.mirror(mirrored));
    for name in ["root_motion", "moved"] {
        methods.add_method(name, |_, this, ()| this.root_motion());
    }
    for name in ["set_root_motion", "set_root"] {
        methods.add_method(name, |_, this, (joint, mode): (Value, Value)| {
            this.set_root_motion(&joint, &mode)
        });
    }
    for name in ["apply_root_motion", "carry"] {
        methods.add_method(name, |_, this, applied: Option<bool>| this.apply_root_motion(applied));
    }
}
