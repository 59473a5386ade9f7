//! The character's legs and feet: where they go by themselves, and how they are put where they stand.
//!
//! Rigs with baked inverse kinematics hang their feet elsewhere than on their shins: such a foot is moved along.

use glam::Vec3;
use sinew_scene::JointId;

use crate::figure::Figure;
use crate::leg::{self, STRAIGHT};
use crate::plant::{self, Feet, Plan};
use crate::slot::{BodyPart, Side};
use crate::tree::is_below;
use crate::work::Work;

/// One leg of the character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) thigh: JointId,
    pub(crate) shin: JointId,
    pub(crate) foot: JointId,
    pub(crate) toes: Option<JointId>,
    /// The foot hangs elsewhere than on the shin: where the ankle is in the shin's own axes.
    pub(crate) loose: Option<Vec3>,
}

/// Where a leg is at one time, in the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegAt {
    pub(crate) hip: Vec3,
    pub(crate) knee: Vec3,
    pub(crate) ankle: Vec3,
    pub(crate) pivot: Vec3,
}

impl Work<'_> {
    pub(crate) fn leg(&self, side: Side) -> Leg {
        let on = |part| self.map.to.on(side, part);
        let hips = self.map.to.hips();
        let joint = |part| on(part).unwrap_or(hips);
        let (thigh, shin, foot) =
            (joint(BodyPart::Thigh), joint(BodyPart::Shin), joint(BodyPart::Foot));
        let stand = &self.postures[1].stand;
        let loose = !is_below(self.to.skeleton(), foot, shin);
        let ankle = stand.rotation(shin).inverse() * stand.way(shin, foot);
        // Balls of feet are compared only where both bodies have them.
        let toes = on(BodyPart::Toes).filter(|_| self.map.from.on(side, BodyPart::Toes).is_some());
        Leg { thigh, shin, foot, toes, loose: loose.then_some(ankle) }
    }

    /// What the feet do: in the clip, and on the character without help.
    pub(crate) fn feet(&self, plain: &[[LegAt; 2]]) -> Feet {
        let body_from_model = self.target.model_from_body.inverse();
        let [source, target] = self.flats;
        let mut feet = Feet {
            times: self.record.times.clone(),
            source: Default::default(),
            own: Default::default(),
            lift: Default::default(),
            travel: self.travel(),
            leg: self.leg,
        };
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            let both = self.map.to.on(side, BodyPart::Toes).is_some();
            let toes = self.map.from.on(side, BodyPart::Toes).filter(|_| both);
            let way =
                |joint: Option<JointId>| joint.map_or(Vec::new(), |joint| self.record.way(joint));
            let ankles = way(self.map.from.on(side, BodyPart::Foot));
            let balls = toes.map(|toes| self.record.way(toes));
            for at in 0..self.record.len() {
                let own = plain[at][index];
                let ankle = self.ratio * (ankles[at].y - source.ankle);
                let ball = balls.as_ref().map(|balls| self.ratio * (balls[at].y - source.toes));
                let stands = balls.as_ref().map_or(ankles[at], |balls| balls[at]);
                let height = ball.unwrap_or(ankle);
                let sized = self.sized(stands);
                feet.source[index].push(Vec3::new(sized.x, height, sized.z));
                feet.own[index].push(body_from_model * own.pivot);
                // Whatever is lower decides: the ball while the heel is up, the ankle while the toes are.
                let by_ankle = target.ankle + ankle - own.ankle.y;
                let by_ball = ball.map(|ball| target.toes + ball - own.pivot.y);
                let heel_up = (ankle - height) / (0.06 * self.leg) + 0.5;
                let lift = by_ball.map_or(by_ankle, |by_ball| {
                    by_ankle + (by_ball - by_ankle) * plant::ease(heel_up)
                });
                let low = height.min(ankle);
                let near = 1.0 - ((low / self.leg - 0.3) / 0.4).clamp(0.0, 1.0);
                feet.lift[index].push(lift * near);
            }
        }
        feet
    }

    /// How far the clip goes in one round, where it comes round.
    pub(crate) fn travel(&self) -> Option<Vec3> {
        let last = self.record.len().checked_sub(1)?;
        let (first, last) = (self.record.rotations(0), self.record.rotations(last));
        let near = 6_f32.to_radians();
        let closed = first.iter().zip(last).all(|(a, b)| a.angle_between(*b) < near);
        let long = self.clip.duration > 0.3;
        let pelvis = self.record.pelvis(&self.map.from);
        let (first, last) = (pelvis.first()?, pelvis.last()?);
        let way = self.sized(*last) - self.sized(*first);
        (closed && long && way.y.abs() < 0.02 * self.leg).then_some(Vec3::new(way.x, 0.0, way.z))
    }

    /// How far the hips must come down for the feet to reach the ground.
    pub(crate) fn drops(&self, plain: &[[LegAt; 2]], plan: &Plan, round: bool) -> Vec<f32> {
        let mut needed = vec![0.0_f32; plain.len()];
        for (side, phases) in plan.contacts.phases.iter().enumerate() {
            for at in phases.iter().cloned().flatten() {
                let leg = plain[at][side];
                let goal = leg.ankle + self.target.model_from_body * plan.shifts[side][at];
                let whole = STRAIGHT * (leg.hip.distance(leg.knee) + leg.knee.distance(leg.ankle));
                let way = goal - leg.hip;
                let level = Vec3::new(way.x, 0.0, way.z).length();
                let reach = (whole * whole - level * level).max(0.0).sqrt();
                // Not beyond a tenth of a leg: then something else is wrong.
                needed[at] = needed[at].max((-way.y - reach).clamp(0.0, 0.1 * self.leg));
            }
        }
        if !self.options.plant_feet {
            return vec![0.0; plain.len()];
        }
        plant::smooth_drop(&self.record.times, &needed, round)
    }

    /// Makes a leg reach for `goal` and keeps the rotation of its foot.
    pub(crate) fn step(&self, leg: Leg, goal: Vec3, figure: &mut Figure<'_>) {
        let now = leg_at(figure, leg);
        let foot = figure.wanted(leg.foot);
        if self.options.plant_feet {
            let knee_looks = self.target.rotation(leg.thigh).inverse() * Vec3::Z;
            let forward = figure.rotation(leg.thigh) * knee_looks;
            let [thigh, shin] = leg::reach(now.hip, now.knee, now.ankle, goal, forward);
            let moved = (shin * thigh * figure.wanted(leg.shin)).normalize();
            figure.want(leg.thigh, (thigh * figure.wanted(leg.thigh)).normalize());
            figure.want(leg.shin, moved);
            figure.want(leg.foot, foot);
        }
        if let Some(ankle) = leg.loose {
            figure.unshift(leg.foot);
            figure.stand();
            let place = figure.place(leg.shin) + figure.rotation(leg.shin) * ankle;
            let by = place - figure.place(leg.foot);
            figure.shift(leg.foot, by);
        }
    }
}

/// Where a leg is.
pub(crate) fn leg_at(figure: &Figure<'_>, leg: Leg) -> LegAt {
    let (hip, knee, foot) =
        (figure.place(leg.thigh), figure.place(leg.shin), figure.place(leg.foot));
    let ankle = leg.loose.map_or(foot, |ankle| knee + figure.rotation(leg.shin) * ankle);
    let pivot = leg.toes.map_or(ankle, |toes| ankle + figure.place(toes) - foot);
    LegAt { hip, knee, ankle, pivot }
}
