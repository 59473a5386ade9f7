//! The way of a clip from one skeleton to another.
//!
//! In:  a clip, the scene it is from, the character, and a joint map.
//! Out: a clip of the character, and figures that say how good it is.
//!
//! A joint's turn away from the T-pose is the same in both bodies, in the body's own axes. The pelvis goes the
//! same way at the ratio of the legs. What is then wrong with the feet is put right by the legs.

use glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, Track};

use crate::contact::slide;
use crate::error::Error;
use crate::figure::Figure;
use crate::leg::{self, STRAIGHT};
use crate::link::{self, Link};
use crate::map::JointMap;
use crate::plant::{self, Feet, Plan};
use crate::posture::{self, Posture};
use crate::quality::{Quality, Slide};
use crate::record::{Record, doubled, key_times};
use crate::size;
use crate::slot::{Part, Side, Slot};
use crate::stance::{Flat, Stance};
use crate::tree::is_below;

/// What a person may choose about retargeting. The defaults suit most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Keep feet where they stand.
    pub plant_feet: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { plant_feet: true }
    }
}

/// A clip of the character, and how good it is.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// Turns of joints and the way of the hips; scales are left alone.
    pub clip: Clip,
    /// How good it is, measured.
    pub quality: Quality,
}

/// Makes a clip of `from` drive the character `to`.
///
/// ```
/// use sinew_retarget::{JointMap, Options, retarget};
/// let ossi = sinew_import::ossi();
/// let map = JointMap::find(&ossi, &ossi)?;
/// let walk = retarget(ossi.clip("walk").unwrap(), &ossi, &ossi, &map, &Options::default())?;
/// assert!(walk.quality.hip_ratio > 0.999 && walk.quality.hip_ratio < 1.001);
/// # Ok::<(), sinew_retarget::Error>(())
/// ```
///
/// # Errors
/// When the clip moves nothing of the body.
///
/// # Panics
/// When the map or the clip speak of joints that the scenes do not have.
pub fn retarget(
    clip: &Clip,
    from: &Scene,
    to: &Scene,
    map: &JointMap,
    options: &Options,
) -> Result<Retargeted, Error> {
    let Some((mut times, thinned)) = key_times(clip, from, &map.from) else {
        return Err(Error::EmptyClip(format!(
            "clip \"{}\" moves no joint of the body: expected tracks for hips, limbs or spine",
            clip.name
        )));
    };
    // Where straight lines between keys are not near enough, there are more keys.
    for _ in 0..FINER {
        let made = Work::new(clip, from, to, map, options, doubled(&times)).run();
        let near = made.quality.key_error <= NEAR * made.quality.leg;
        if near || thinned || !(2..=MOST / 2).contains(&times.len()) {
            return Ok(made);
        }
        times = doubled(&times);
    }
    Ok(Work::new(clip, from, to, map, options, doubled(&times)).run())
}

/// Joints that are nearer than this between keys to where they belong are near enough; as a share of a leg.
const NEAR: f32 = 0.004;
/// More keys than this are not made.
const MOST: usize = 20_000;
/// Keys are doubled no more often than this: beyond, it is a jump that no line follows.
const FINER: usize = 2;

/// Everything that is known while a clip is made.
struct Work<'a> {
    clip: &'a Clip,
    to: &'a Scene,
    map: &'a JointMap,
    options: &'a Options,
    record: Record,
    links: Vec<Link>,
    source: Stance,
    target: Stance,
    /// Character's legs over those of the clip's skeleton.
    ratio: f32,
    leg: f32,
    flats: [Flat; 2],
    /// Where the clip's origin lies for the character, in the body's axes; level.
    offset: Vec3,
    postures: [Posture; 2],
    source_keys: usize,
    left_out: usize,
}

/// One leg of the character.
#[derive(Clone, Copy, Debug)]
struct Leg {
    thigh: JointId,
    shin: JointId,
    foot: JointId,
    toes: Option<JointId>,
    /// The foot hangs elsewhere than on the shin: where the ankle is in the shin's own axes.
    loose: Option<Vec3>,
}

/// Where a leg is at one time, in the model.
#[derive(Clone, Copy, Debug)]
struct LegAt {
    hip: Vec3,
    knee: Vec3,
    ankle: Vec3,
    pivot: Vec3,
}

impl<'a> Work<'a> {
    fn new(
        clip: &'a Clip,
        from: &Scene,
        to: &'a Scene,
        map: &'a JointMap,
        options: &'a Options,
        times: Vec<f32>,
    ) -> Self {
        let record = Record::new(clip, from, &map.from, times);
        let before = posture::choose(from, &map.from, Some(clip));
        let after = posture::choose(to, &map.to, None);
        let first = crate::tree::Stand::at(clip, from, 0.0);
        let source_leg = size::leg(&map.from, &first);
        let target_leg = size::leg(&map.to, &crate::tree::Stand::rest(to));
        let source_flat = size::source_flat(&map.from, &before, &record, source_leg);
        let source = Stance::new(&map.from, &before, Some(source_flat));
        let target = Stance::new(&map.to, &after, None);
        let mut figure = Figure::new(to);
        let target_flat = size::target_flat(&map.to, &after, &target, &mut figure, to.skeleton());
        let ratio = if source_leg > 1e-9 { target_leg / source_leg } else { 1.0 };
        let ratio = if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 };
        let offset = size::pelvis(&map.to, &after) - ratio * size::pelvis(&map.from, &before);
        let source_keys = key_times(clip, from, &map.from).map_or(0, |(times, _)| times.len());
        let links = link::links(map, &before.stand, &after.stand);
        let driven = clip.rotations.iter().filter(|track| record.column(track.joint).is_none());
        let left_out = driven.count() + clip.weights.len() + clip.properties.len();
        Self {
            clip,
            to,
            map,
            options,
            record,
            links,
            source,
            target,
            ratio,
            leg: target_leg,
            flats: [source_flat, target_flat],
            offset,
            postures: [before, after],
            source_keys,
            left_out,
        }
    }

    fn run(&self) -> Retargeted {
        let mut figure = Figure::new(self.to);
        let legs = Side::BOTH.map(|side| self.leg(side));
        let mut plain: Vec<[LegAt; 2]> = Vec::with_capacity(self.record.len());
        for at in 0..self.record.len() {
            self.pose(at, Vec3::ZERO, &mut figure);
            plain.push(legs.map(|leg| leg_at(&figure, leg)));
        }
        let feet = self.feet(&plain);
        let mut plan = plant::plan(&feet);
        if !self.options.plant_feet {
            plan.shifts = [0, 1].map(|_| vec![Vec3::ZERO; feet.times.len()]);
        }
        let drops = self.drops(&plain, &plan, feet.travel.is_some());
        let mut made = Made::new(self, &legs);
        let mut planted: [Vec<Vec3>; 2] = [Vec::new(), Vec::new()];
        let body_from_model = self.target.model_from_body.inverse();
        for at in 0..self.record.len() {
            self.pose(at, -drops[at] * Vec3::Y, &mut figure);
            for side in 0..2 {
                let shift = self.target.model_from_body * plan.shifts[side][at];
                let goal = plain[at][side].ankle + shift;
                self.step(legs[side], goal, &mut figure);
            }
            figure.stand();
            for side in 0..2 {
                planted[side].push(body_from_model * leg_at(&figure, legs[side]).pivot);
            }
            made.add(self, at, &figure);
        }
        let slides = Slides { feet: &feet, plan: &plan, planted: &planted };
        self.finish(made, &slides)
    }

    fn leg(&self, side: Side) -> Leg {
        let on = |part| self.map.to.on(side, part);
        let hips = self.map.to.hips();
        let joint = |part| on(part).unwrap_or(hips);
        let (thigh, shin, foot) = (joint(Part::Thigh), joint(Part::Shin), joint(Part::Foot));
        let stand = &self.postures[1].stand;
        let loose = !is_below(self.to.skeleton(), foot, shin);
        let ankle = stand.turn(shin).inverse() * stand.way(shin, foot);
        // Balls of feet are compared only where both bodies have them.
        let toes = on(Part::Toes).filter(|_| self.map.from.on(side, Part::Toes).is_some());
        Leg { thigh, shin, foot, toes, loose: loose.then_some(ankle) }
    }

    /// The clip's turns at a time, on the character; its pelvis where it belongs, and `by` further.
    fn pose(&self, at: usize, by: Vec3, figure: &mut Figure<'_>) {
        for link in &self.links {
            figure.want(link.to, self.turn(link, at));
        }
        let hips = self.map.to.hips();
        let root = self.map.to.joint(Slot::middle(Part::Root));
        figure.unshift(hips);
        if let Some((root, way)) = root.and_then(|root| Some((root, self.root_way(at)?))) {
            figure.unshift(root);
            figure.stand();
            figure.shift(root, way);
        }
        figure.stand();
        let thigh = |side| {
            self.map.to.on(side, Part::Thigh).map_or(Vec3::ZERO, |joint| figure.place(joint))
        };
        let middle = (thigh(Side::Left) + thigh(Side::Right)) / 2.0;
        figure.shift(hips, self.pelvis(at) + by - middle);
        figure.stand();
    }

    /// How a joint of the character is turned in the model.
    fn turn(&self, link: &Link, at: usize) -> Quat {
        let body_from_model = self.source.model_from_body.inverse();
        let away = |joint: JointId| {
            let turn =
                self.record.column(joint).map_or(Quat::IDENTITY, |to| self.record.turns[at][to]);
            body_from_model * turn * self.source.turn(joint).inverse()
        };
        let [a, b] = link.from;
        let away =
            if a == b || link.share == 0.0 { away(a) } else { away(a).slerp(away(b), link.share) };
        (self.target.model_from_body * away * self.target.turn(link.to)).normalize()
    }

    /// A place of the clip's skeleton, at the character's size, in the body's axes.
    fn sized(&self, place: Vec3) -> Vec3 {
        let body = self.source.model_from_body.inverse() * place;
        self.ratio * body + self.offset
    }

    /// Where the middle of the pelvis belongs, in the model.
    fn pelvis(&self, at: usize) -> Vec3 {
        let place = |side| {
            let joint = self.map.from.on(side, Part::Thigh);
            let column = joint.and_then(|joint| self.record.column(joint));
            column.map_or(Vec3::ZERO, |column| self.record.places[at][column])
        };
        let middle = (place(Side::Left) + place(Side::Right)) / 2.0;
        let [source, target] = self.flats;
        let height = target.ankle + self.ratio * (middle.y - source.ankle);
        let sized = self.sized(middle);
        self.target.model_from_body * Vec3::new(sized.x, height, sized.z)
    }

    /// How far the root has gone, in the model.
    fn root_way(&self, at: usize) -> Option<Vec3> {
        let root = self.map.from.joint(Slot::middle(Part::Root))?;
        let column = self.record.column(root)?;
        let rest = self.postures[0].stand.place(root);
        let way = self.source.model_from_body.inverse() * (self.record.places[at][column] - rest);
        Some(self.target.model_from_body * (self.ratio * way))
    }

    /// What the feet do: in the clip, and on the character without help.
    fn feet(&self, plain: &[[LegAt; 2]]) -> Feet {
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
            let both = self.map.to.on(side, Part::Toes).is_some();
            let toes = self.map.from.on(side, Part::Toes).filter(|_| both);
            let way =
                |joint: Option<JointId>| joint.map_or(Vec::new(), |joint| self.record.way(joint));
            let ankles = way(self.map.from.on(side, Part::Foot));
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
    fn travel(&self) -> Option<Vec3> {
        let (first, last) = (self.record.turns.first()?, self.record.turns.last()?);
        let near = 6_f32.to_radians();
        let closed = first.iter().zip(last).all(|(a, b)| a.angle_between(*b) < near);
        let long = self.clip.duration > 0.3;
        let pelvis = self.record.pelvis(&self.map.from);
        let (first, last) = (pelvis.first()?, pelvis.last()?);
        let way = self.sized(*last) - self.sized(*first);
        (closed && long && way.y.abs() < 0.02 * self.leg).then_some(Vec3::new(way.x, 0.0, way.z))
    }

    /// How far the hips must come down for the feet to reach the ground.
    fn drops(&self, plain: &[[LegAt; 2]], plan: &Plan, round: bool) -> Vec<f32> {
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

    /// Makes a leg reach for `goal` and keeps its foot turned as it was.
    fn step(&self, leg: Leg, goal: Vec3, figure: &mut Figure<'_>) {
        let now = leg_at(figure, leg);
        let foot = figure.wanted(leg.foot);
        if self.options.plant_feet {
            let knee_looks = self.target.turn(leg.thigh).inverse() * Vec3::Z;
            let forward = figure.turn(leg.thigh) * knee_looks;
            let [thigh, shin] = leg::reach(now.hip, now.knee, now.ankle, goal, forward);
            let carried = (shin * thigh * figure.wanted(leg.shin)).normalize();
            figure.want(leg.thigh, (thigh * figure.wanted(leg.thigh)).normalize());
            figure.want(leg.shin, carried);
            figure.want(leg.foot, foot);
        }
        if let Some(ankle) = leg.loose {
            figure.unshift(leg.foot);
            figure.stand();
            let place = figure.place(leg.shin) + figure.turn(leg.shin) * ankle;
            let by = place - figure.place(leg.foot);
            figure.shift(leg.foot, by);
        }
    }

    fn finish(&self, made: Made, slides: &Slides<'_>) -> Retargeted {
        let feet = slides.feet;
        let of = |ways: &[Vec<Vec3>; 2]| {
            let (mean, worst) = slide(&feet.times, ways, &slides.plan.contacts);
            Slide { mean, worst }
        };
        let stands: f32 = slides
            .plan
            .contacts
            .phases
            .iter()
            .flatten()
            .map(|phase| feet.times[phase.end - 1] - feet.times[phase.start])
            .sum();
        let whole = 2.0 * (feet.times[feet.times.len() - 1] - feet.times[0]);
        let quality = Quality {
            hip_ratio: self.ratio,
            leg: self.leg,
            source_slide: of(&feet.source),
            plain_slide: of(&feet.own),
            slide: of(slides.planted),
            contact: if whole > 0.0 { stands / whole } else { 0.0 },
            ground_speed: slides.plan.contacts.ground.length(),
            worst_direction: made.worst_direction,
            worst_bone: made.worst_bone,
            mean_direction: made.direction_sum / made.direction_count.max(1.0),
            key_error: made.key_error(self),
            keys: self.record.len().div_ceil(2),
            source_keys: self.source_keys,
            joints: self.links.len(),
            tracks_left_out: self.left_out,
            comes_round: feet.travel.is_some(),
            sides_swapped: [self.map.from.sides_swapped, self.map.to.sides_swapped],
            stands: self.postures.each_ref().map(|posture| posture.stands),
        };
        Retargeted { clip: made.into_clip(self), quality }
    }
}

/// What slides are measured on.
struct Slides<'a> {
    feet: &'a Feet,
    plan: &'a Plan,
    planted: &'a [Vec<Vec3>; 2],
}

fn leg_at(figure: &Figure<'_>, leg: Leg) -> LegAt {
    let (hip, knee, foot) =
        (figure.place(leg.thigh), figure.place(leg.shin), figure.place(leg.foot));
    let ankle = leg.loose.map_or(foot, |ankle| knee + figure.turn(leg.shin) * ankle);
    let pivot = leg.toes.map_or(ankle, |toes| ankle + figure.place(toes) - foot);
    LegAt { hip, knee, ankle, pivot }
}

/// The clip as it grows.
struct Made {
    turned: Vec<JointId>,
    moved: Vec<JointId>,
    /// For each time, of each joint.
    turns: Vec<Vec<Quat>>,
    ways: Vec<Vec<Vec3>>,
    worst_direction: f32,
    worst_bone: Option<(Slot, f32)>,
    direction_sum: f32,
    direction_count: f32,
}

impl Made {
    fn new(work: &Work<'_>, legs: &[Leg; 2]) -> Self {
        let mut turned: Vec<JointId> = work.links.iter().map(|link| link.to).collect();
        for leg in legs {
            for joint in [leg.thigh, leg.shin, leg.foot] {
                if work.options.plant_feet && !turned.contains(&joint) {
                    turned.push(joint);
                }
            }
        }
        let mut moved = vec![work.map.to.hips()];
        moved.extend(legs.iter().filter(|leg| leg.loose.is_some()).map(|leg| leg.foot));
        let root = work.map.to.joint(Slot::middle(Part::Root));
        moved.extend(root.filter(|_| work.map.from.joint(Slot::middle(Part::Root)).is_some()));
        turned.sort_unstable();
        moved.sort_unstable();
        moved.dedup();
        Self {
            turned,
            moved,
            turns: Vec::new(),
            ways: Vec::new(),
            worst_direction: 0.0,
            worst_bone: None,
            direction_sum: 0.0,
            direction_count: 0.0,
        }
    }

    fn add(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        let before = self.turns.last();
        let turn = |(column, joint): (usize, &JointId)| {
            let turn = figure.locals[joint.index()].rotation;
            // Of the two signs of a turn, that of the key before: so nothing goes the long way round.
            let flip = before.is_some_and(|row| row[column].dot(turn) < 0.0);
            if flip { -turn } else { turn }
        };
        let turns = self.turned.iter().enumerate().map(turn).collect();
        let ways =
            self.moved.iter().map(|joint| figure.locals[joint.index()].translation).collect();
        self.turns.push(turns);
        self.ways.push(ways);
        self.compare(work, at, figure);
    }

    /// How far bones point from where the clip's point.
    fn compare(&mut self, work: &Work<'_>, at: usize, figure: &Figure<'_>) {
        let source = link::bones(&work.map.from);
        for (slot, start, end) in link::bones(&work.map.to) {
            let Some((_, from, to)) = source.iter().find(|bone| bone.0 == slot) else { continue };
            let (Some(from), Some(to)) = (work.record.column(*from), work.record.column(*to))
            else {
                continue;
            };
            let row = &work.record.places[at];
            let wanted = work.source.model_from_body.inverse() * (row[to] - row[from]);
            let found =
                work.target.model_from_body.inverse() * (figure.place(end) - figure.place(start));
            let (Some(wanted), Some(found)) = (wanted.try_normalize(), found.try_normalize())
            else {
                continue;
            };
            let angle = wanted.angle_between(found).to_degrees();
            self.direction_sum += angle;
            self.direction_count += 1.0;
            if angle > self.worst_direction {
                self.worst_direction = angle;
                self.worst_bone = Some((slot, work.record.times[at]));
            }
        }
    }

    /// How far joints are at worst, between two keys, from where they would be with twice the keys; metres.
    fn key_error(&self, work: &Work<'_>) -> f32 {
        let (mut exact, mut between) = (Figure::new(work.to), Figure::new(work.to));
        let mut worst = 0.0_f32;
        for at in (1..self.turns.len().saturating_sub(1)).step_by(2) {
            for (column, &joint) in self.turned.iter().enumerate() {
                exact.locals[joint.index()].rotation = self.turns[at][column];
                let (a, b) = (self.turns[at - 1][column], self.turns[at + 1][column]);
                between.locals[joint.index()].rotation = a.slerp(b, 0.5);
            }
            for (column, &joint) in self.moved.iter().enumerate() {
                exact.locals[joint.index()].translation = self.ways[at][column];
                let (a, b) = (self.ways[at - 1][column], self.ways[at + 1][column]);
                between.locals[joint.index()].translation = (a + b) / 2.0;
            }
            exact.stand();
            between.stand();
            let apart =
                self.turned.iter().map(|&joint| exact.place(joint).distance(between.place(joint)));
            worst = apart.fold(worst, f32::max);
        }
        worst
    }

    /// Every other moment is a key.
    fn into_clip(self, work: &Work<'_>) -> Clip {
        let times: std::sync::Arc<[f32]> = work.record.times.iter().copied().step_by(2).collect();
        let curve = |values: Vec<Quat>| Curve::new(times.clone(), values, Interpolation::Linear);
        let moves = |values: Vec<Vec3>| Curve::new(times.clone(), values, Interpolation::Linear);
        let column = |column: usize| self.turns.iter().step_by(2).map(|row| row[column]).collect();
        let way = |column: usize| self.ways.iter().step_by(2).map(|row| row[column]).collect();
        let rotations = self
            .turned
            .iter()
            .enumerate()
            .filter_map(|(at, &joint)| Some(Track { joint, curve: curve(column(at)).ok()? }));
        let translations = self
            .moved
            .iter()
            .enumerate()
            .filter_map(|(at, &joint)| Some(Track { joint, curve: moves(way(at)).ok()? }));
        Clip {
            name: work.clip.name.clone(),
            start: work.clip.start,
            duration: work.clip.duration,
            rotations: rotations.collect(),
            translations: translations.collect(),
            marks: work.clip.marks.clone(),
            ..Clip::default()
        }
    }
}
