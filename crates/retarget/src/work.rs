//! A clip while it is made for a character: what is known, and in which order it is used.
//!
//! In:  the clip, both scenes and the map.
//! Out: the finished clip with its figures.
//!
//! Twice over all times: once to see where the feet go by themselves, once to put them where they stand.

use glam::{Quat, Vec3};
use sinew_scene::{Clip, JointId, Scene};

use crate::contact::slide;
use crate::feet::{LegAt, leg_at};
use crate::figure::Figure;
use crate::link::{self, Link};
use crate::made::Made;
use crate::map::JointMap;
use crate::plant::{self, Feet, Plan};
use crate::posture::{self, Posture};
use crate::quality::{Quality, Slide};
use crate::record::{Record, key_times};
use crate::retarget::{Options, Retargeted};
use crate::size;
use crate::slot::{BodyPart, Side, Slot};
use crate::stance::{Flat, Stance};
use crate::tree::Stand;

/// Everything that is known while a clip is made.
pub(crate) struct Work<'a> {
    pub(crate) clip: &'a Clip,
    pub(crate) to: &'a Scene,
    pub(crate) map: &'a JointMap,
    pub(crate) options: &'a Options,
    pub(crate) record: Record,
    pub(crate) links: Vec<Link>,
    pub(crate) source: Stance,
    pub(crate) target: Stance,
    /// Character's legs over those of the clip's skeleton.
    pub(crate) ratio: f32,
    pub(crate) leg: f32,
    pub(crate) flats: [Flat; 2],
    /// Where the clip's origin lies for the character, in the body's axes; level.
    pub(crate) offset: Vec3,
    pub(crate) postures: [Posture; 2],
    pub(crate) source_keys: usize,
    pub(crate) left_out: usize,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
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
        let first = Stand::at(clip, from, 0.0);
        let source_leg = size::leg(&map.from, &first);
        let target_leg = size::leg(&map.to, &Stand::rest(to));
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

    pub(crate) fn run(&self) -> Retargeted {
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

    /// The clip's rotations at a time, on the character; its pelvis where it belongs, and `by` further.
    fn pose(&self, at: usize, by: Vec3, figure: &mut Figure<'_>) {
        for link in &self.links {
            figure.want(link.to, self.rotation(link, at));
        }
        let hips = self.map.to.hips();
        let root = self.map.to.joint(Slot::middle(BodyPart::Root));
        figure.unshift(hips);
        if let Some((root, way)) = root.and_then(|root| Some((root, self.root_way(at)?))) {
            figure.unshift(root);
            figure.stand();
            figure.shift(root, way);
        }
        figure.stand();
        let thigh = |side| {
            self.map.to.on(side, BodyPart::Thigh).map_or(Vec3::ZERO, |joint| figure.place(joint))
        };
        let middle = (thigh(Side::Left) + thigh(Side::Right)) / 2.0;
        figure.shift(hips, self.pelvis(at) + by - middle);
        figure.stand();
    }

    /// The rotation of a joint of the character in the model.
    fn rotation(&self, link: &Link, at: usize) -> Quat {
        let body_from_model = self.source.model_from_body.inverse();
        let away = |joint: JointId| {
            let rotation = self
                .record
                .column(joint)
                .map_or(Quat::IDENTITY, |to| self.record.rotations[at][to]);
            body_from_model * rotation * self.source.rotation(joint).inverse()
        };
        let [a, b] = link.from;
        let away =
            if a == b || link.share == 0.0 { away(a) } else { away(a).slerp(away(b), link.share) };
        (self.target.model_from_body * away * self.target.rotation(link.to)).normalize()
    }

    /// A place of the clip's skeleton, at the character's size, in the body's axes.
    pub(crate) fn sized(&self, place: Vec3) -> Vec3 {
        let body = self.source.model_from_body.inverse() * place;
        self.ratio * body + self.offset
    }

    /// Where the middle of the pelvis belongs, in the model.
    fn pelvis(&self, at: usize) -> Vec3 {
        let place = |side| {
            let joint = self.map.from.on(side, BodyPart::Thigh);
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
        let root = self.map.from.joint(Slot::middle(BodyPart::Root))?;
        let column = self.record.column(root)?;
        let rest = self.postures[0].stand.place(root);
        let way = self.source.model_from_body.inverse() * (self.record.places[at][column] - rest);
        Some(self.target.model_from_body * (self.ratio * way))
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
