//! A joint of an actor: where it is, and changes to it that last.

use mlua::{Table, UserData, UserDataMethods};
use sinew::glam::{Affine3A, Vec3};
use sinew::motion::ik::{Aim, TwoBone};
use sinew::{JointId, JointOverride, Modifier, Target, Transform};

use super::actor::ActorHandle;
use super::fault;
use super::fields::{Fields, FiniteNumber};
use crate::actor_state::Slot;
use crate::angles;
use crate::log::columns;

/// A joint in a script's hands.
#[derive(Clone, Debug)]
pub(super) struct JointHandle {
    pub(super) actor: ActorHandle,
    pub(super) joint: JointId,
}

/// Where a joint is.
struct Placed {
    model_from_joint: Affine3A,
    parent_from_joint: Transform,
    world_from_model: Affine3A,
}

impl JointHandle {
    fn change(&self, change: impl FnOnce(&mut JointOverride)) -> mlua::Result<()> {
        self.actor.with(|actor, state| state.override_joint(actor, self.joint, change))
    }

    fn remove(&self, slot: Slot) -> mlua::Result<()> {
        self.actor.with(|actor, state| {
            state.set_modifier(actor, slot, None);
        })
    }

    /// Adds a modifier that reaches for or looks at a point of the world.
    fn target(
        &self,
        slot: Slot,
        modifier: Modifier,
        point: Vec3,
        pole: Option<Vec3>,
    ) -> mlua::Result<()> {
        self.actor.with(|actor, state| {
            if let Some(id) = state.set_modifier(actor, slot, Some(modifier)) {
                actor.modifiers_mut().set_target(id, Target::World(point));
                actor.modifiers_mut().set_pole(id, pole);
            }
        })
    }

    /// Looks at a point from now on; without one, no longer.
    fn look_at(&self, (x, y, z, options): PointAndOptions) -> mlua::Result<()> {
        let slot = Slot::LookAt(self.joint);
        let Some(point) = point(x, y, z)? else { return self.remove(slot) };
        let options = Fields::optional("look_at", options, &["forward", "max_angle", "weight"])?;
        let mut aim = Aim::new(self.joint, Vec3::Z);
        aim.forward = options.vector("forward")?.unwrap_or(aim.forward);
        let in_range = |angle: f32| (0.0..=180.0).contains(&angle);
        let max_angle = options.within("max_angle", "degrees from 0 to 180", in_range)?;
        aim.most = max_angle.map_or(aim.most, f32::to_radians);
        aim.weight = weight(&options)?;
        self.target(slot, Modifier::Aim(aim), point, None)
    }

    /// Reaches for a point with the two bones above it from now on; without one, no longer.
    fn reach(&self, (x, y, z, options): PointAndOptions) -> mlua::Result<()> {
        let slot = Slot::Reach(self.joint);
        let Some(point) = point(x, y, z)? else { return self.remove(slot) };
        let options = Fields::optional("reach", options, &["pole", "softness", "weight"])?;
        let limb =
            self.actor.read(|actor| TwoBone::new(actor.scene().skeleton(), self.joint).ok())?;
        let mut limb = limb.ok_or_else(|| fault("reach: expected a joint with two above it"))?;
        let share = |number: f32| (0.0..=1.0).contains(&number);
        let softness = options.within("softness", "a number from 0 to 1", share)?;
        limb.softness = softness.unwrap_or(limb.softness);
        limb.weight = weight(&options)?;
        let pole = options.vector("pole")?;
        self.target(slot, Modifier::TwoBone(limb), point, pole)
    }

    fn set_scale(
        &self,
        x: FiniteNumber,
        y: Option<FiniteNumber>,
        z: Option<FiniteNumber>,
    ) -> mlua::Result<()> {
        let scale = match (y, z) {
            (None, None) => Vec3::splat(x.0),
            (Some(y), Some(z)) => Vec3::new(x.0, y.0, z.0),
            _ => return Err(fault("set_scale: expected one number or three, found two")),
        };
        self.change(|change| change.scale = Some(scale))
    }

    fn placed(&self) -> mlua::Result<Placed> {
        let shared = &self.actor.shared;
        let mut world = shared.world.borrow_mut();
        let actor = world.posed(self.actor.id).map_err(fault)?;
        shared.meter.spend(actor.pose().len() as u64 / 8)?;
        Ok(Placed {
            model_from_joint: actor.pose().model_from_joint()[self.joint.index()],
            parent_from_joint: actor.pose().local(self.joint),
            world_from_model: actor.world_from_model(),
        })
    }
}

/// A point or none, and options.
type PointAndOptions =
    (Option<FiniteNumber>, Option<FiniteNumber>, Option<FiniteNumber>, Option<Table>);

fn point(
    x: Option<FiniteNumber>,
    y: Option<FiniteNumber>,
    z: Option<FiniteNumber>,
) -> mlua::Result<Option<Vec3>> {
    match (x, y, z) {
        (None, None, None) => Ok(None),
        (Some(x), Some(y), Some(z)) => Ok(Some(Vec3::new(x.0, y.0, z.0))),
        _ => Err(fault("expected a point as x, y, z, or nothing")),
    }
}

fn weight(options: &Fields) -> mlua::Result<f32> {
    let weight = options.within("weight", "a number from 0 to 1", |w| (0.0..=1.0).contains(&w))?;
    Ok(weight.unwrap_or(1.0))
}

type Triple = (FiniteNumber, FiniteNumber, FiniteNumber);

fn vector((x, y, z): Triple) -> Vec3 {
    Vec3::new(x.0, y.0, z.0)
}

/// Each under its name, and under the older one where it had another.
impl UserData for JointHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        reading(methods);
        for name in ["rotate", "turn"] {
            methods.add_method(name, |_, this, degrees: Triple| {
                this.change(|change| change.rotate = angles::rotation(vector(degrees)))
            });
        }
        for name in ["translate", "move"] {
            methods.add_method(name, |_, this, by: Triple| {
                this.change(|change| change.offset = vector(by))
            });
        }
        methods.add_method("set_rotation", |_, this, degrees: Triple| {
            this.change(|change| change.rotation = Some(angles::rotation(vector(degrees))))
        });
        methods.add_method("set_translation", |_, this, to: Triple| {
            this.change(|change| change.translation = Some(vector(to)))
        });
        methods.add_method("set_scale", |_, this, (x, y, z)| this.set_scale(x, y, z));
        methods.add_method("look_at", |_, this, asked: PointAndOptions| this.look_at(asked));
        methods.add_method("reach", |_, this, asked: PointAndOptions| this.reach(asked));
        methods.add_method("reset", |_, this, ()| {
            this.actor.with(|actor, state| state.reset_joint(actor, this.joint))
        });
    }
}

fn reading<M: UserDataMethods<JointHandle>>(methods: &mut M) {
    methods.add_method("name", |_, this, ()| {
        this.actor.read(|actor| actor.scene().skeleton().node(this.joint).name.clone())
    });
    methods.add_method("parent", |_, this, ()| {
        let parent = this.actor.read(|actor| actor.scene().skeleton().node(this.joint).parent)?;
        Ok(parent.map(|joint| JointHandle { actor: this.actor.clone(), joint }))
    });
    methods.add_method("position", |_, this, ()| {
        let placed = this.placed()?;
        let at = (placed.world_from_model * placed.model_from_joint).translation;
        Ok((at.x, at.y, at.z))
    });
    methods.add_method("rotation", |_, this, ()| {
        let angles = angles::degrees(this.placed()?.parent_from_joint.rotation);
        Ok((angles.x, angles.y, angles.z))
    });
    methods.add_method("translation", |_, this, ()| {
        let at = this.placed()?.parent_from_joint.translation;
        Ok((at.x, at.y, at.z))
    });
    methods
        .add_method("matrix", |_, this, ()| Ok(columns(this.placed()?.model_from_joint).to_vec()));
}
