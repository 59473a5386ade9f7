//! `sinew.light`: lights that a script places, changes and takes away.

use std::rc::Rc;

use mlua::{Lua, Table, UserData, UserDataMethods};
use sinew::glam::Vec3;
use sinew::render::Light;
use sinew::scene::LightKind;

use super::fields::Fields;
use super::{Shared, fault};

/// Most lights at a time.
const MAX_LIGHTS: usize = 64;

const FIELDS: &[&str] =
    &["kind", "position", "direction", "color", "intensity", "range", "inner", "outer"];

/// A light in a script's hands.
#[derive(Clone, Debug)]
struct LightHandle {
    shared: Rc<Shared>,
    id: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Directional,
    Point,
    Spot,
}

const KINDS: &[(&str, Kind)] =
    &[("directional", Kind::Directional), ("point", Kind::Point), ("spot", Kind::Spot)];

pub(super) fn install(lua: &Lua, sinew: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let own = Rc::clone(shared);
    let make = lua.create_function(move |_, table: Table| {
        let light = read(table, None)?;
        let mut world = own.world.borrow_mut();
        let id = world.new_id();
        let lights = world.lights.get_or_insert_default();
        if lights.len() >= MAX_LIGHTS {
            return Err(fault(format!("light: expected at most {MAX_LIGHTS} lights")));
        }
        lights.push((id, light));
        Ok(LightHandle { shared: Rc::clone(&own), id })
    })?;
    sinew.raw_set("light", make)
}

/// A light of these fields; what they leave out stays as it was, or has its default.
fn read(table: Table, old: Option<Light>) -> mlua::Result<Light> {
    let fields = Fields::new("light", table, FIELDS)?;
    let degrees = |name: &str| {
        let angle = fields.within(name, "degrees above 0 and below 90", |a| a > 0.0 && a < 90.0);
        Ok::<_, mlua::Error>(angle?.map(f32::to_radians))
    };
    let (inner, outer) = (degrees("inner")?, degrees("outer")?);
    let kind = fields.word("kind", KINDS)?;
    let spot =
        |outer: f32| LightKind::Spot { inner: inner.unwrap_or(outer * 0.7).min(outer), outer };
    let mut light = match (kind, old) {
        (None, Some(old)) => old,
        (None | Some(Kind::Directional), _) => {
            Light::directional(Vec3::new(0.4, -0.8, -0.5), Vec3::ONE, 3.0)
        }
        (Some(Kind::Point), _) => Light::point(Vec3::new(0.0, 3.0, 0.0), Vec3::ONE, 10.0),
        (Some(Kind::Spot), _) => {
            let angles = [0.7 * 0.52, 0.52];
            Light::spot(Vec3::new(0.0, 3.0, 0.0), Vec3::NEG_Y, angles, 20.0)
        }
    };
    if let LightKind::Spot { outer: was, .. } = light.kind
        && (inner.is_some() || outer.is_some())
    {
        light.kind = spot(outer.unwrap_or(was));
    }
    light.position = fields.vector("position")?.unwrap_or(light.position);
    if let Some(direction) = fields.vector("direction")? {
        let unit = direction.try_normalize();
        light.direction =
            unit.ok_or_else(|| fault("light.direction: expected a direction other than 0"))?;
    }
    light.color = fields.color("color")?.unwrap_or(light.color);
    light.intensity = fields.amount("intensity")?.unwrap_or(light.intensity);
    let range = fields.within("range", "a number above 0", |range| range > 0.0)?;
    light.range = range.or(light.range);
    Ok(light)
}

impl UserData for LightHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("set", |_, this, table: Table| {
            let old = {
                let world = this.shared.world.borrow();
                let mut lights = world.lights.iter().flatten();
                lights.find(|(id, _)| *id == this.id).map(|(_, light)| *light)
            };
            let old = old.ok_or_else(|| fault("the light was removed"))?;
            let new = read(table, Some(old))?;
            let mut world = this.shared.world.borrow_mut();
            let slot = world.lights.iter_mut().flatten().find(|(id, _)| *id == this.id);
            if let Some((_, light)) = slot {
                *light = new;
            }
            Ok(())
        });
        methods.add_method("remove", |_, this, ()| {
            let mut world = this.shared.world.borrow_mut();
            world.lights.get_or_insert_default().retain(|(id, _)| *id != this.id);
            Ok(())
        });
    }
}
