//! Feet on uneven ground.
//!
//! In:  a pose made for a flat floor, and how high the ground is at any place.
//! Out: hips lowered or raised, feet on the ground and along its slope, as smooth as wished.
//!
//! A foot keeps its height above the floor, counted from the ground instead; so steps stay steps.
//! Hips go with the lowest foot, and further down if a leg would not reach.

use sinew_scene::glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use crate::Pose;
use crate::ik::{IkError, TwoBone, arc, orient, part_of, rotation_of};

/// The ground below a place, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its y, in metres.
    pub height: f32,
    /// Upright on it; any length.
    pub normal: Vec3,
}

/// A foot and its leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// From hip to ankle.
    pub leg: TwoBone,
    /// How high the ankle is above the floor when the foot stands, in metres.
    pub sole: f32,
}

/// Puts feet on the ground.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "foot IK")]
#[doc(alias = "foot placement")]
pub struct Feet {
    /// What is lowered: both legs hang on it.
    pub hips: JointId,
    /// The y of the floor that the clips were made for.
    pub floor: f32,
    /// The most that the hips go down, and up, in metres.
    pub most: [f32; 2],
    /// The most that a foot tilts, in radians.
    pub most_tilt: f32,
    /// Seconds in which half of a change is done; 0 follows at once.
    pub half_life: f32,
    /// How much of it to do, 0 to 1.
    pub weight: f32,
    feet: Vec<Foot>,
    states: Vec<State>,
    hips_up: f32,
    begun: bool,
}

/// What one foot remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    /// How far its ground is above the floor.
    up: f32,
    normal: Vec3A,
}

/// What one foot wants, this frame.
#[derive(Clone, Copy)]
struct Wish {
    ankle: Vec3A,
    tilt: Quat,
}

impl Feet {
    /// From the hips and the ankles; legs are an ankle's parent and grandparent, and their soles are
    /// taken from the rest pose standing on y = 0.
    ///
    /// # Errors
    /// When an ankle has no parent or no grandparent.
    pub fn new(skeleton: &Skeleton, hips: JointId, ankles: &[JointId]) -> Result<Self, IkError> {
        let rest = crate::mirror::rest(skeleton);
        let feet = ankles.iter().map(|&ankle| foot(skeleton, &rest, ankle));
        let feet: Vec<Foot> = feet.collect::<Result<_, _>>()?;
        let state = State { up: 0.0, normal: Vec3A::Y };
        Ok(Self {
            hips,
            floor: 0.0,
            most: [0.6, 0.6],
            most_tilt: 0.7,
            half_life: 0.04,
            weight: 1.0,
            states: vec![state; feet.len()],
            feet,
            hips_up: 0.0,
            begun: false,
        })
    }

    /// The feet.
    #[must_use]
    pub fn feet(&self) -> &[Foot] {
        &self.feet
    }

    /// The feet, to change soles and how knees bend.
    pub fn feet_mut(&mut self) -> &mut [Foot] {
        &mut self.feet
    }

    /// Forgets the ground: the next frame takes it as it is, without a change to smooth. For jumps.
    pub fn reset(&mut self) {
        self.begun = false;
    }

    /// How many numbers the state has.
    #[must_use]
    pub fn state_len(&self) -> usize {
        2 + 4 * self.states.len()
    }

    /// Writes the state as flat numbers.
    ///
    /// # Panics
    /// When `out` is not [`state_len`](Self::state_len) long.
    pub fn save(&self, out: &mut [f32]) {
        assert_eq!(out.len(), self.state_len(), "the numbers of one state");
        out[..2].copy_from_slice(&[self.hips_up, if self.begun { 1.0 } else { 0.0 }]);
        for (state, out) in self.states.iter().zip(out[2..].chunks_exact_mut(4)) {
            let [x, y, z] = state.normal.to_array();
            out.copy_from_slice(&[state.up, x, y, z]);
        }
    }

    /// Takes a state that [`save`](Self::save) wrote. Numbers that are not finite are as
    /// [`reset`](Self::reset).
    ///
    /// # Panics
    /// When `state` is not [`state_len`](Self::state_len) long.
    pub fn load(&mut self, state: &[f32]) {
        assert_eq!(state.len(), self.state_len(), "the numbers of one state");
        self.begun = state[1] == 1.0 && state.iter().all(|number| number.is_finite());
        if !self.begun {
            return;
        }
        self.hips_up = state[0];
        for (own, from) in self.states.iter_mut().zip(state[2..].chunks_exact(4)) {
            *own = State { up: from[0], normal: Vec3A::new(from[1], from[2], from[3]) };
        }
    }

    /// Puts the feet on the ground and brings all below the hips up to date.
    ///
    /// `ground` is asked once for each foot, with the place of its ankle; where it has none, or says
    /// something that is not finite, the foot goes where the pose has it. Seconds that are negative or
    /// not a number are none.
    pub fn apply(
        &mut self,
        pose: &mut Pose,
        skeleton: &Skeleton,
        seconds: f32,
        mut ground: impl FnMut(Vec3) -> Option<Ground>,
    ) {
        let share = self.share(seconds);
        let weight = if self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) };
        let places = |pose: &Pose, foot: &Foot| place(pose, foot.leg.end);
        for index in 0..self.feet.len() {
            let ankle = places(pose, &self.feet[index]);
            let found = ground(ankle.into())
                .filter(|ground| ground.height.abs() < 1e12 && ground.normal.is_finite());
            self.follow(index, ankle, found, share);
        }
        let lowest = self.states.iter().map(|state| state.up).fold(f32::MAX, f32::min);
        let lowest = if self.states.is_empty() { 0.0 } else { lowest };
        let up = (0..self.feet.len()).map(|index| self.reach(pose, index)).fold(lowest, f32::min);
        let up = up.clamp(-self.most[0].max(0.0), self.most[1].max(0.0));
        self.hips_up += (up - self.hips_up) * if self.begun { share } else { 1.0 };
        self.begun = true;

        // What each foot wants counts from the pose before the hips move; legs follow in order.
        let before = pose.model_from_joint()[self.hips.index()].translation;
        self.lift(pose, skeleton, self.hips_up * weight);
        let moved = pose.model_from_joint()[self.hips.index()].translation - before;
        for index in 0..self.feet.len() {
            let foot = self.feet[index];
            let stood = place(pose, foot.leg.end) - moved;
            let wish = self.wish(index, stood);
            let joint = foot.leg.end;
            let rotation = rotation_of(&pose.model_from_joint()[joint.index()].matrix3);
            foot.leg.apply(pose, skeleton, stood.lerp(wish.ankle, weight).into());
            if let Some(rotation) = rotation {
                orient(pose, skeleton, joint, part_of(wish.tilt, weight) * rotation, 1.0);
            }
        }
    }

    /// How much of a change to do.
    fn share(&self, seconds: f32) -> f32 {
        let seconds = if seconds.is_nan() { 0.0 } else { seconds.max(0.0) };
        let at_once = !self.begun || self.half_life.is_nan() || self.half_life <= 0.0;
        if at_once { 1.0 } else { 1.0 - (-seconds / self.half_life).exp2() }
    }

    fn follow(&mut self, index: usize, ankle: Vec3A, ground: Option<Ground>, share: f32) {
        let (floor, sole) = (self.floor, self.feet[index].sole);
        let up = ground.map_or(0.0, |ground| ground.height - floor);
        let normal = ground.map_or(Vec3A::Y, |ground| ground.normal.into());
        let mut normal = normal.try_normalize().unwrap_or(Vec3A::Y);
        // Ground that hangs over is as good as a wall: nobody stands on it.
        normal = if normal.y > 0.05 { normal } else { Vec3A::Y };
        let state = &mut self.states[index];
        state.normal = state.normal.lerp(normal, share).try_normalize().unwrap_or(normal);
        state.up += (up - state.up) * share;
        // However slowly it follows, a foot does not sink in.
        let lifted = (ankle.y - floor - sole).max(0.0);
        state.up = state.up.max(up - lifted);
    }

    /// Where a foot should go that the pose has at `ankle`.
    fn wish(&self, index: usize, ankle: Vec3A) -> Wish {
        let (state, foot) = (self.states[index], self.feet[index]);
        let lifted = ankle.y - self.floor - foot.sole;
        // A foot in the air hangs as the pose has it; within its sole's height it turns to the slope.
        let stands = 1.0 - (lifted / (2.0 * foot.sole.max(0.01))).clamp(0.0, 1.0);
        let whole = arc(Vec3A::Y, state.normal, Vec3A::X);
        let angle = 2.0 * f32::atan2(whole.xyz().length(), whole.w.abs());
        let tilt = part_of(whole, stands * (self.most_tilt.max(0.0) / angle.max(1e-6)).min(1.0));
        let contact = Vec3A::new(ankle.x, self.floor + state.up, ankle.z);
        Wish { ankle: contact + tilt * Vec3A::Y * foot.sole + Vec3A::Y * lifted, tilt }
    }

    /// How high the hips may go for this leg to reach.
    fn reach(&self, pose: &Pose, index: usize) -> f32 {
        let leg = self.feet[index].leg;
        let [hip, knee, ankle] = [leg.upper, leg.middle, leg.end].map(|joint| place(pose, joint));
        let wish = self.wish(index, ankle).ankle;
        // As far as the pose itself stretches the leg, and nearly straight in any case.
        let length = (hip.distance(knee) + knee.distance(ankle)) * 0.98;
        let length = length.max(hip.distance(ankle));
        let flat = Vec3A::new(wish.x - hip.x, 0.0, wish.z - hip.z).length_squared();
        let high = (length * length - flat).max(0.0).sqrt();
        wish.y + high - hip.y
    }

    fn lift(&self, pose: &mut Pose, skeleton: &Skeleton, up: f32) {
        let parent = skeleton.parents()[self.hips.index()];
        let mut shift = Vec3A::Y * up;
        if let Some(parent) = parent {
            shift = pose.model_from_joint()[parent.index()].matrix3.inverse() * shift;
        }
        let mut local = pose.local(self.hips);
        local.translation += Vec3::from(shift);
        // A parent that is flat lets nothing move.
        if local.translation.is_finite() && local.translation.length_squared() < 1e24 {
            pose.set_local(self.hips, local);
            pose.to_model_from(skeleton, self.hips);
        }
    }
}

fn place(pose: &Pose, joint: JointId) -> Vec3A {
    pose.model_from_joint()[joint.index()].translation
}

/// A leg that bends its knee to where the toes point, if the rest pose does not bend it.
fn foot(skeleton: &Skeleton, rest: &[Affine3A], ankle: JointId) -> Result<Foot, IkError> {
    let mut leg = TwoBone::new(skeleton, ankle)?;
    let at = rest[ankle.index()].translation;
    if leg.bend == Vec3::ZERO {
        let toes = skeleton.ids().filter(|joint| skeleton.node(*joint).parent == Some(ankle));
        let toes = toes.map(|joint| rest[joint.index()].translation - at);
        let toes = toes.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let forward = toes.unwrap_or(Vec3A::Z) * Vec3A::new(1.0, 0.0, 1.0);
        let rotation = rotation_of(&rest[leg.upper.index()].matrix3).unwrap_or(Quat::IDENTITY);
        leg.bend = (rotation.conjugate() * forward.try_normalize().unwrap_or(Vec3A::Z)).into();
    }
    leg.softness = 0.01;
    Ok(Foot { leg, sole: at.y.max(0.0) })
}
