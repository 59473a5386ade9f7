//! `sinew.open`: a file below the script's folder, or a built-in character, and what is in it.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, UserData, UserDataMethods, Value};
use sinew::import::Imported;
use sinew::{ClipId, Fit, Model, Options, Scene};

use super::{Shared, fault, fields};
use crate::sandbox::Folder;
use crate::world::OpenedModel;

/// Most different scenes that a script may open.
const MAX_SCENES: usize = 256;
/// Most files whose clips one scene may take.
const MAX_FILES: usize = 64;

/// A scene in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct SceneHandle(pub(super) Rc<OpenedModel>);

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
            for index in 1..=list.raw_len().min(MAX_FILES + 1) {
                all.push(name("open", &list.raw_get(index)?)?);
            }
        }
        one => all.push(name("open", one)?),
    }
    if all.len() > MAX_FILES {
        return Err(fault(format!("open: expected at most {MAX_FILES} files")));
    }
    Ok(all)
}

/// A model with the clips of other files; read once, however often it is asked for.
pub(super) fn open(shared: &Shared, names: Vec<String>) -> Result<Rc<OpenedModel>, String> {
    if let Some(opened) = shared.world.borrow().opened.get(&names) {
        return Ok(Rc::clone(opened));
    }
    if shared.world.borrow().opened.len() >= MAX_SCENES {
        return Err(format!("open: expected at most {MAX_SCENES} different scenes"));
    }
    let model = shared.meter.aside(|| read(&shared.folder, &names))?;
    let sources = model.clips.iter().map(|clip| (clip.file.clone(), clip.fit.to_string()));
    let opened = Rc::new(OpenedModel {
        name: Folder::plain(&names[0]).unwrap_or_default(),
        sources: sources.collect(),
        notes: model.notes.iter().map(ToString::to_string).collect(),
        format: model.format,
        scene: Arc::new(model.scene),
    });
    shared.world.borrow_mut().opened.insert(names, Rc::clone(&opened));
    Ok(opened)
}

fn read(folder: &Folder, names: &[String]) -> Result<Model, String> {
    let options = Options { decode_images: true, ..Options::default() };
    let mut model = match folder.read(&names[0]) {
        Ok(bytes) => {
            let plain = Folder::plain(&names[0])?;
            let read = options.read(&bytes, &folder.beside(&plain));
            Model::from(read.map_err(|error| format!("cannot read \"{plain}\": {error}"))?)
        }
        Err(why) => built_in(&names[0]).ok_or(why)?,
    };
    for name in &names[1..] {
        let added = match folder.read(name) {
            Ok(bytes) => {
                let plain = Folder::plain(name)?;
                let files = folder.beside(&plain);
                model.read_clips(&plain, &bytes, &files, &options, Fit::Best)
            }
            Err(why) => model.add_model(name, built_in(name).ok_or(why)?, Fit::Best),
        };
        added.map_err(|error| format!("cannot take the clips of \"{name}\": {error}"))?;
    }
    Ok(model)
}

/// What is made by code is opened by its name, where no file has that name.
fn built_in(name: &str) -> Option<Model> {
    let scene = sinew::built_in(name)?;
    Some(Imported { name: name.to_owned(), ..Imported::from(scene) }.into())
}

/// A clip by its name, or counted from 1.
pub(super) fn find_clip(scene: &Scene, wanted: &Value) -> Result<ClipId, String> {
    let found = match wanted {
        Value::String(name) => scene.find_clip(&name.to_string_lossy()),
        Value::Integer(number) => {
            let index = usize::try_from(*number - 1).ok();
            index.filter(|index| *index < scene.clips.len()).map(ClipId::new)
        }
        other => {
            let found = fields::found(other);
            return Err(format!("expected a clip's name or number, found {found}"));
        }
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        let wanted = fields::found(wanted);
        if names.is_empty() {
            format!("there is no clip {wanted}: the scene has no clips")
        } else {
            format!("there is no clip {wanted}: there are {names:?}")
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
            let clip = find_clip(&this.0.scene, &clip).map_err(fault)?;
            Ok(this.0.scene[clip].duration)
        });
        methods.add_method("source", |_, this, clip: Value| {
            let clip = find_clip(&this.0.scene, &clip).map_err(fault)?;
            Ok(this.0.sources.get(clip.index()).cloned().unwrap_or_default())
        });
        methods.add_method("notes", |_, this, ()| Ok(this.0.notes.clone()));
    }
}
