//! A joint of an actor: where it stands, and changes to it that last.

use mlua::{Table, UserData, UserDataMethods};
use sinew::glam::{Affine3A, Vec3};
use sinew::motion::ik::{Aim, TwoBone};
use sinew::{JointId, Transform};

use super::actor::ActorHandle;
use super::fault;
use super::fields::{Fields, Num};
use crate::edit::{self, Edit};
use crate::goal::Goal;
use crate::log::columns;

/// A joint in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct JointHandle {
    pub(super) actor: ActorHandle,
    pub(super) joint: JointId,
}

impl JointHandle {
    fn edit(&self, change: impl FnOnce(&mut Edit)) -> mlua::Result<()> {
        let mut world = self.actor.shared.world.borrow_mut();
        world.edit(self.actor.id, self.joint, change).map_err(fault)
    }

    fn aim(&self, change: impl FnOnce(&mut Goal)) -> mlua::Result<()> {
        let mut world = self.actor.shared.world.borrow_mut();
        world.aim(self.actor.id, self.joint, change).map_err(fault)
    }

    /// Looks at a place from now on; without one, no longer.
    fn look_at(&self, (x, y, z, options): Place) -> mlua::Result<()> {
        let Some(place) = place(x, y, z)? else { return self.aim(|goal| goal.look = None) };
        let options = fields("look_at", options, &["forward", "most", "weight"])?;
        let mut aim = Aim::new(self.joint, Vec3::Z);
        if let Some(options) = options {
            aim.forward = options.vector("forward")?.unwrap_or(aim.forward);
            let most =
                options.within("most", "degrees from 0 to 180", |a| (0.0..=180.0).contains(&a))?;
            aim.most = most.map_or(aim.most, f32::to_radians);
            aim.weight = weight(&options)?;
        }
        self.aim(|goal| goal.look = Some((aim, place)))
    }

    /// Reaches for a place with the two bones above it from now on; without one, no longer.
    fn reach(&self, (x, y, z, options): Place) -> mlua::Result<()> {
        let Some(place) = place(x, y, z)? else { return self.aim(|goal| goal.reach = None) };
        let options = fields("reach", options, &["pole", "softness", "weight"])?;
        let limb = {
            let mut world = self.actor.shared.world.borrow_mut();
            let (member, _) = world.of(self.actor.id).map_err(fault)?;
            TwoBone::new(member.actor.scene().skeleton(), self.joint).ok()
        };
        let mut limb = limb.ok_or_else(|| fault("reach: expected a joint with two above it"))?;
        let mut pole = None;
        if let Some(options) = options {
            pole = options.vector("pole")?;
            let softness =
                options.within("softness", "a number from 0 to 1", |s| (0.0..=1.0).contains(&s))?;
            limb.softness = softness.unwrap_or(limb.softness);
            limb.weight = weight(&options)?;
        }
        self.aim(|goal| goal.reach = Some((limb, place, pole)))
    }

    /// Where it stands in the model and in its parent, and where the model stands.
    fn stand(&self) -> mlua::Result<(Affine3A, Transform, Affine3A)> {
        let shared = &self.actor.shared;
        let mut world = shared.world.borrow_mut();
        let actor = &world.posed(self.actor.id).map_err(fault)?.actor;
        shared.meter.spend(actor.pose().len() as u64 / 8)?;
        let model = actor.pose().model_from_joint()[self.joint.index()];
        Ok((model, actor.pose().local(self.joint), actor.world_from_model()))
    }
}

/// A place or none, and options.
type Place = (Option<Num>, Option<Num>, Option<Num>, Option<Table>);

fn place(x: Option<Num>, y: Option<Num>, z: Option<Num>) -> mlua::Result<Option<Vec3>> {
    match (x, y, z) {
        (None, None, None) => Ok(None),
        (Some(x), Some(y), Some(z)) => Ok(Some(Vec3::new(x.0, y.0, z.0))),
        _ => Err(fault("expected a place as x, y, z, or nothing")),
    }
}

fn fields(
    what: &'static str,
    options: Option<Table>,
    known: &[&str],
) -> mlua::Result<Option<Fields>> {
    options.map(|table| Fields::new(what, table, known)).transpose()
}

fn weight(options: &Fields) -> mlua::Result<f32> {
    let weight = options.within("weight", "a number from 0 to 1", |w| (0.0..=1.0).contains(&w))?;
    Ok(weight.unwrap_or(1.0))
}

fn vector((x, y, z): (Num, Num, Num)) -> Vec3 {
    Vec3::new(x.0, y.0, z.0)
}

impl UserData for JointHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        reading(methods);
        methods.add_method("turn", |_, this, angles: (Num, Num, Num)| {
            this.edit(|edit| edit.turn = edit::turn(vector(angles)))
        });
        methods.add_method("move", |_, this, by: (Num, Num, Num)| {
            this.edit(|edit| edit.shift = vector(by))
        });
        methods.add_method("set_rotation", |_, this, angles: (Num, Num, Num)| {
            this.edit(|edit| edit.rotation = Some(edit::turn(vector(angles))))
        });
        methods.add_method("set_translation", |_, this, to: (Num, Num, Num)| {
            this.edit(|edit| edit.translation = Some(vector(to)))
        });
        methods.add_method("set_scale", |_, this, (x, y, z): (Num, Option<Num>, Option<Num>)| {
            let scale = match (y, z) {
                (None, None) => Vec3::splat(x.0),
                (Some(y), Some(z)) => Vec3::new(x.0, y.0, z.0),
                _ => return Err(fault("set_scale: expected one number or three, found two")),
            };
            this.edit(|edit| edit.scale = Some(scale))
        });
        methods.add_method("look_at", |_, this, asked: Place| this.look_at(asked));
        methods.add_method("reach", |_, this, asked: Place| this.reach(asked));
        methods.add_method("reset", |_, this, ()| {
            this.aim(|goal| *goal = Goal::default())?;
            this.edit(|edit| *edit = Edit::default())
        });
    }
}

fn reading<M: UserDataMethods<JointHandle>>(methods: &mut M) {
    methods.add_method("name", |_, this, ()| {
        let mut world = this.actor.shared.world.borrow_mut();
        let (member, _) = world.of(this.actor.id).map_err(fault)?;
        Ok(member.actor.scene().skeleton().node(this.joint).name.clone())
    });
    methods.add_method("parent", |_, this, ()| {
        let mut world = this.actor.shared.world.borrow_mut();
        let (member, _) = world.of(this.actor.id).map_err(fault)?;
        let parent = member.actor.scene().skeleton().node(this.joint).parent;
        Ok(parent.map(|joint| JointHandle { actor: this.actor.clone(), joint }))
    });
    methods.add_method("position", |_, this, ()| {
        let (model, _, world) = this.stand()?;
        let at = (world * model).translation;
        Ok((at.x, at.y, at.z))
    });
    methods.add_method("rotation", |_, this, ()| {
        let angles = edit::degrees(this.stand()?.1.rotation);
        Ok((angles.x, angles.y, angles.z))
    });
    methods.add_method("translation", |_, this, ()| {
        let at = this.stand()?.1.translation;
        Ok((at.x, at.y, at.z))
    });
    methods.add_method("matrix", |_, this, ()| Ok(columns(this.stand()?.0).to_vec()));
}
