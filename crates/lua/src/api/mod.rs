//! What Sinew adds to Lua: `AnimationClip`, as the engine course has it, and the table `sinew`.
//!
//! In:  calls of a script, every argument checked. Out: changes to its [`World`], or an error that names file and line.
//!
//! Objects in Lua hold ids of things in the world, never the things: whatever a script keeps or drops, the world is whole.

mod actor;
mod clip;
mod fields;
mod graph;
mod joint;
mod light;
mod root_motion;
mod scene;
mod surroundings;

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Lua, Table, Value};

use self::actor::ActorHandle;
use crate::limits::Meter;
use crate::sandbox::{Folder, Say};
use crate::world::World;

/// What all functions of one script share.
pub(crate) struct Shared {
    pub(crate) meter: Rc<Meter>,
    pub(crate) folder: Rc<Folder>,
    pub(crate) world: RefCell<World>,
    pub(crate) say: Say,
    /// Whether bone matrices are written out frame by frame.
    pub(crate) log: bool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("meter", &self.meter).field("world", &self.world).finish()
    }
}

/// An error of the script.
fn fault(message: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(message.into())
}

pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    let own = Rc::clone(shared);
    let make = move |_: &Lua, ()| Ok(clip::AnimationClip::new(Rc::clone(&own)));
    globals.raw_set("AnimationClip", lua.create_function(make)?)?;
    let sinew = lua.create_table()?;
    scene::install(lua, &sinew, shared)?;
    actor::install(lua, &sinew, shared)?;
    surroundings::install(lua, &sinew, shared)?;
    light::install(lua, &sinew, shared)?;
    clock(lua, &sinew, shared)?;
    globals.raw_set("sinew", sinew)
}

/// Time, and which actors to draw.
fn clock(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let own = Rc::clone(shared);
    let time = lua.create_function(move |_, ()| Ok(own.world.borrow().time))?;
    sinew.raw_set("time", time)?;
    let own = Rc::clone(shared);
    let frame = lua.create_function(move |_, ()| Ok(own.world.borrow().frame))?;
    sinew.raw_set("frame", frame)?;
    let own = Rc::clone(shared);
    let draw = lua.create_function(move |_, actors: Value| {
        let mut ids = own.world.borrow_mut().drawn.take().unwrap_or_default();
        match &actors {
            Value::Table(list) => {
                for actor in list.sequence_values::<Value>() {
                    ids.push(id_of(&actor?)?);
                }
            }
            one => ids.push(id_of(one)?),
        }
        own.world.borrow_mut().drawn = Some(ids);
        Ok(())
    })?;
    sinew.raw_set("draw", draw)
}

fn id_of(actor: &Value) -> mlua::Result<u64> {
    let held = actor.as_userdata().and_then(|data| data.borrow::<ActorHandle>().ok());
    held.map(|actor| actor.id).ok_or_else(|| {
        fault(format!(
            "draw: expected an actor or a list of actors, found {}",
            fields::found(actor)
        ))
    })
}
