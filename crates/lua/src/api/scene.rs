//! `sinew.open`: a file below the script's folder, or a built-in character, and what is in it.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, UserData, UserDataMethods, Value};
use sinew::import::Format;
use sinew::{Imported, Options, Scene};

use super::{Shared, fault, fields};
use crate::sandbox::Folder;
use crate::world::Opened;

/// Most different scenes that a script may open.
const MOST_SCENES: usize = 256;
/// Most files whose clips one scene may take.
const MOST_FILES: usize = 64;

/// A scene in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct SceneHandle(pub(super) Opened);

pub(super) fn install(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let own = Rc::clone(shared);
    let open = lua.create_function(move |_, (file, clips): (Value, Value)| {
        let file = name("open", &file)?;
        open(&own, names(file, &clips)?).map(SceneHandle).map_err(fault)
    })?;
    sinew.raw_set("open", open)
}

pub(super) fn name(what: &str, value: &Value) -> mlua::Result<String> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        other => {
            let found = fields::found(other);
            Err(fault(format!("{what}: expected the name of a file, found {found}")))
        }
    }
}

/// A file and those whose clips it takes: one name, or a list of names.
fn names(file: String, clips: &Value) -> mlua::Result<Vec<String>> {
    let mut all = vec![file];
    match clips {
        Value::Nil => {}
        Value::Table(list) => {
            for index in 1..=list.raw_len().min(MOST_FILES + 1) {
                all.push(name("open", &list.raw_get(index)?)?);
            }
        }
        one => all.push(name("open", one)?),
    }
    match all.len() > MOST_FILES {
        true => Err(fault(format!("open: expected at most {MOST_FILES} files"))),
        false => Ok(all),
    }
}

/// A file with the clips of others; read once, however often it is asked for.
pub(super) fn open(shared: &Shared, names: Vec<String>) -> Result<Opened, String> {
    if let Some(opened) = shared.world.borrow().opened.get(&names) {
        return Ok(opened.clone());
    }
    if shared.world.borrow().opened.len() >= MOST_SCENES {
        return Err(format!("open: expected at most {MOST_SCENES} different scenes"));
    }
    let imported = shared.meter.aside(|| read(&shared.folder, &names))?;
    let name = Folder::plain(&names[0]).unwrap_or_default();
    let (scene, format) = (Arc::new(imported.scene), imported.format);
    let opened = Opened { name, scene, format };
    shared.world.borrow_mut().opened.insert(names, opened.clone());
    Ok(opened)
}

fn read(folder: &Folder, names: &[String]) -> Result<Imported, String> {
    let mut made = read_one(folder, &names[0], folder.read(&names[0]))?;
    for name in &names[1..] {
        let joined = match folder.read(name) {
            Ok(bytes) if sinew::is_packed(&bytes) => sinew::attach_packed(made, &bytes),
            bytes => sinew::import::attach(made, read_one(folder, name, bytes)?),
        };
        made = joined.map_err(|error| format!("cannot take the clips of \"{name}\": {error}"))?;
    }
    Ok(made)
}

fn read_one(
    folder: &Folder,
    name: &str,
    bytes: Result<Vec<u8>, String>,
) -> Result<Imported, String> {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        // What is made by code is opened by its name alone, where no file has that name.
        Err(why) => return built_in(name).ok_or(why),
    };
    let plain = Folder::plain(name)?;
    let read =
        Options { decode_images: true, ..Options::default() }.read(&bytes, &folder.beside(&plain));
    read.map_err(|error| format!("cannot read \"{plain}\": {error}"))
}

fn built_in(name: &str) -> Option<Imported> {
    Some(Imported {
        scene: sinew::built_in(name)?,
        notes: Vec::new(),
        name: name.to_owned(),
        format: Format::Demo,
        extensions: Vec::new(),
    })
}

/// The number of a clip by its name, or counted from 1.
pub(super) fn find_clip(scene: &Scene, wanted: &Value) -> Result<usize, String> {
    let found = match wanted {
        Value::String(name) => {
            let name = name.to_string_lossy();
            scene.clips.iter().position(|clip| clip.name == name)
        }
        Value::Integer(number) => {
            usize::try_from(*number - 1).ok().filter(|index| *index < scene.clips.len())
        }
        other => {
            let found = fields::found(other);
            return Err(format!("expected a clip's name or number, found {found}"));
        }
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        let wanted = fields::found(wanted);
        match names.is_empty() {
            true => format!("there is no clip {wanted}: the scene has no clips"),
            false => format!("there is no clip {wanted}: there are {names:?}"),
        }
    })
}

impl UserData for SceneHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("name", |_, this, ()| Ok(this.0.name.clone()));
        methods.add_method("clips", |_, this, ()| {
            Ok(this.0.scene.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>())
        });
        methods.add_method("joints", |_, this, ()| {
            let nodes = this.0.scene.skeleton().nodes().iter();
            Ok(nodes.map(|node| node.name.clone()).collect::<Vec<_>>())
        });
        methods.add_method("duration", |_, this, clip: Value| {
            let index = find_clip(&this.0.scene, &clip).map_err(fault)?;
            Ok(this.0.scene.clips[index].duration)
        });
    }
}
