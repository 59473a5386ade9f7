//! Camera, sky, fog, ground and what is drawn over the actors, in the words of scene files.

use std::rc::Rc;

use mlua::{Lua, Table, Value};
use sinew::glam::Vec3;
use sinew::render::{Background, Environment, Floor, Fog, Occlusion, Sky, Tone, View};
use sinew::stage::{CameraSetup, Color, Ground, Shape, Surroundings, Theme};

use super::fields::{Fields, FiniteNumber, found};
use super::{Shared, fault};
use crate::sandbox::Folder;
use crate::world::World;

/// The camera's vertical field of view where the script does not say, in degrees.
const DEFAULT_FOV: f32 = 32.0;

const VIEWS: &[(&str, View)] = &[
    ("three-quarter", View::ThreeQuarter),
    ("front", View::Front),
    ("side", View::Side),
    ("back", View::Back),
    ("top", View::Top),
];

#[derive(Clone, Copy)]
enum FogKind {
    Linear,
    Exponential,
    ExponentialSquared,
}

const FOGS: &[(&str, FogKind)] = &[
    ("linear", FogKind::Linear),
    ("exponential", FogKind::Exponential),
    ("exponential-squared", FogKind::ExponentialSquared),
];

const SHAPES: &[(&str, Shape)] =
    &[("flat", Shape::Flat), ("hills", Shape::Hills), ("dunes", Shape::Dunes)];

pub(super) fn install(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let fields: &[(&'static str, Setter, &[&str])] = &[
        ("camera", camera, &["position", "look_at", "fov", "view"]),
        ("ambient", ambient, &["color", "strength"]),
        ("sky", sky, &["zenith", "horizon", "ground", "sun", "sun_color", "strength"]),
        ("fog", fog, &["kind", "color", "density", "start", "stop"]),
        ("floor", floor, &["grid", "shadow", "height", "cell"]),
        ("ground", ground, &["shape", "size", "height", "color"]),
        ("show", show, &["skeleton", "axes", "bounds", "wireframe", "grid"]),
    ];
    for (name, set, known) in fields {
        let (own, name, set) = (Rc::clone(shared), *name, *set);
        let known: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
        let function = lua.create_function(move |_, table: Table| {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let fields = Fields::new(name, table, &known)?;
            set(&fields, &mut own.world.borrow_mut())
        })?;
        sinew.raw_set(name, function)?;
    }
    let own = Rc::clone(shared);
    let background = lua.create_function(move |_, what: Value| {
        own.world.borrow_mut().stage.surroundings.background = background(&what)?;
        Ok(())
    })?;
    sinew.raw_set("background", background)?;
    let own = Rc::clone(shared);
    let environment = lua.create_function(move |_, table: Table| {
        let fields = Fields::new("environment", table, &["file", "strength", "rotation"])?;
        environment(&fields, &own.folder, &mut own.world.borrow_mut())
    })?;
    sinew.raw_set("environment", environment)?;
    let own = Rc::clone(shared);
    let tone = lua.create_function(move |_, name: String| {
        let tone: Tone = name.parse().map_err(|why| fault(format!("tone: {why}")))?;
        own.world.borrow_mut().stage.surroundings.tone = tone;
        Ok(())
    })?;
    sinew.raw_set("tone", tone)?;
    let own = Rc::clone(shared);
    let occlusion = lua.create_function(move |_, name: String| {
        let kind: Occlusion = name.parse().map_err(|why| fault(format!("occlusion: {why}")))?;
        own.world.borrow_mut().stage.surroundings.occlusion = kind;
        Ok(())
    })?;
    sinew.raw_set("occlusion", occlusion)?;
    let own = Rc::clone(shared);
    let theme = lua.create_function(move |_, name: String| {
        let theme: Theme = name.parse().map_err(|why| fault(format!("theme: {why}")))?;
        let around = &mut own.world.borrow_mut().stage.surroundings;
        let floor = around.floor;
        *around = Surroundings { floor, ..Surroundings::studio(theme) };
        Ok(())
    })?;
    sinew.raw_set("theme", theme)?;
    let own = Rc::clone(shared);
    let exposure = lua.create_function(move |_, exposure: FiniteNumber| {
        own.world.borrow_mut().stage.surroundings.exposure = exposure.0.max(0.0);
        Ok(())
    })?;
    sinew.raw_set("exposure", exposure)?;
    let own = Rc::clone(shared);
    let reflection = lua.create_function(move |_, share: FiniteNumber| {
        own.world.borrow_mut().stage.surroundings.reflection = Some(share.0.clamp(0.0, 1.0));
        Ok(())
    })?;
    sinew.raw_set("reflection", reflection)?;
    let own = Rc::clone(shared);
    let shadows = lua.create_function(move |_, share: FiniteNumber| {
        own.world.borrow_mut().stage.surroundings.shadow_strength = share.0.clamp(0.0, 1.0);
        Ok(())
    })?;
    sinew.raw_set("shadows", shadows)
}

type Setter = fn(&Fields, &mut World) -> mlua::Result<()>;

fn camera(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let fov = fields.within("fov", "degrees between 0 and 180", |fov| fov > 0.0 && fov < 180.0)?;
    let fov_y = fov.unwrap_or(DEFAULT_FOV).to_radians();
    let position = fields.vector("position")?;
    let look_at = fields.vector("look_at")?;
    let view = fields.word("view", VIEWS)?;
    world.stage.camera_setup = Some(match (view, position, look_at) {
        (None, Some(position), Some(look_at)) if position == look_at => {
            return Err(fault("camera: expected position and look_at to be two points"));
        }
        (None, Some(position), Some(look_at)) => CameraSetup::Exact { position, look_at, fov_y },
        (view, None, None) => CameraSetup::View { view: view.unwrap_or(View::ThreeQuarter), fov_y },
        _ => return Err(fault("camera: expected both position and look_at, or a view")),
    });
    Ok(())
}

fn ambient(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let color = fields.color("color")?.unwrap_or(Vec3::ONE);
    world.stage.surroundings.ambient = color * fields.amount("strength")?.unwrap_or(1.0);
    Ok(())
}

fn sky(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let default = Sky::default();
    let sun = fields.vector("sun")?.map(|sun| sun.normalize_or(default.sun));
    let sky = Sky {
        zenith: fields.color("zenith")?.unwrap_or(default.zenith),
        horizon: fields.color("horizon")?.unwrap_or(default.horizon),
        ground: fields.color("ground")?.unwrap_or(default.ground),
        sun: sun.unwrap_or(default.sun),
        sun_color: fields.color("sun_color")?.unwrap_or(default.sun_color),
        sun_size: default.sun_size,
    };
    let around = &mut world.stage.surroundings;
    around.occlusion = Occlusion::NORMAL;
    around.environment_strength = fields.amount("strength")?.unwrap_or(1.0);
    around.environment = Environment::Sky(sky);
    around.background = Background::Sky(1.0);
    Ok(())
}

/// Light from an image all around, below the script's folder.
fn environment(fields: &Fields, folder: &Folder, world: &mut World) -> mlua::Result<()> {
    let Some(file) = fields.text("file")? else {
        return Err(fault("environment: expected the field file"));
    };
    let bytes = folder.read(&file).map_err(|why| fault(format!("environment: {why}")))?;
    let read = sinew::stage::read_environment(&bytes);
    let around = &mut world.stage.surroundings;
    around.environment = read.map_err(|(place, why)| {
        fault(format!("environment: cannot use \"{file}\": {place}: {why}"))
    })?;
    around.environment_strength = fields.amount("strength")?.unwrap_or(1.0);
    around.environment_rotation = fields.number("rotation")?.unwrap_or(0.0).to_radians();
    Ok(())
}

fn fog(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let color = fields.color("color")?.unwrap_or(Vec3::new(0.6, 0.66, 0.74));
    let density = fields.amount("density")?.unwrap_or(0.02);
    let start = fields.amount("start")?.unwrap_or(10.0);
    let end = fields.amount("stop")?.unwrap_or(100.0).max(start + 1e-3);
    let kind = fields.word("kind", FOGS)?.unwrap_or(FogKind::Exponential);
    world.stage.surroundings.fog = match kind {
        FogKind::Linear => Fog::Linear { color, start, end },
        FogKind::Exponential => Fog::Exponential { color, density },
        FogKind::ExponentialSquared => Fog::ExponentialSquared { color, density },
    };
    Ok(())
}

fn floor(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let none = Floor::NONE;
    let cell = fields.within("cell", "a number above 0", |cell| cell > 0.0)?;
    world.stage.surroundings.floor = Some(Floor {
        grid: fields.flag("grid")?.unwrap_or(false),
        shadow: fields.flag("shadow")?.unwrap_or(true),
        height: fields.number("height")?.unwrap_or(0.0),
        cell: cell.unwrap_or(none.cell),
        ..none
    });
    Ok(())
}

/// Ground under all actors, in the place of the one before.
fn ground(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let default = Ground::default();
    let size = fields.within("size", "metres above 0", |size| size > 0.0)?;
    let ground = Ground {
        shape: fields.word("shape", SHAPES)?.unwrap_or(default.shape),
        size: size.unwrap_or(default.size),
        height: fields.number("height")?.unwrap_or(default.height),
        color: fields.color("color")?.map_or(default.color, Color),
    };
    world.set_ground(&ground).map_err(fault)
}

fn show(fields: &Fields, world: &mut World) -> mlua::Result<()> {
    let now = world.show;
    world.show = crate::world::Show {
        skeleton: fields.flag("skeleton")?.unwrap_or(now.skeleton),
        axes: fields.flag("axes")?.unwrap_or(now.axes),
        bounds: fields.flag("bounds")?.unwrap_or(now.bounds),
        wireframe: fields.flag("wireframe")?.unwrap_or(now.wireframe),
        grid: fields.flag("grid")?.unwrap_or(now.grid),
    };
    Ok(())
}

fn background(what: &Value) -> mlua::Result<Background> {
    let text = what.as_string().map(mlua::LuaString::to_string_lossy);
    match text.as_deref() {
        Some("sky") => Ok(Background::Sky(1.0)),
        Some("transparent") => Ok(Background::Transparent),
        Some(color) => match color.parse() {
            Ok(Color(color)) => Ok(Background::Color(color)),
            Err(error) => Err(fault(format!("background: {error}, sky or transparent"))),
        },
        None => Err(fault(format!(
            "background: expected a colour, \"sky\" or \"transparent\", found {}",
            found(what)
        ))),
    }
}
