//! A clip while it is made for a character: what is known, and in which order it is used.
//!
//! In:  the clip, both scenes and the map.
//! Out: the finished clip with its figures.
//!
//! Twice over all times: once to see where the feet go by themselves, once to put them where they stand.

use glam::Vec3;
use sinew_scene::{Clip, JointId, Scene};

use crate::contact::slide;
use crate::drive::Drives;
use crate::feet::{Leg, LegAt, leg_at};
use crate::figure::Figure;
use crate::link::{self, Link};
use crate::made::Made;
use crate::map::JointMap;
use crate::plant::{self, Feet, Plan};
use crate::posture::{self, Posture};
use crate::quality::{Quality, Slide};
use crate::record::Record;
use crate::retarget::{Options, Retargeted};
use crate::size;
use crate::slot::{BodyPart, Side, Slot};
use crate::stance::{Flat, Stance};
use crate::tree::{Stand, line};

/// Everything that is known while a clip is made.
pub(crate) struct Work<'a> {
    pub(crate) clip: &'a Clip,
    pub(crate) from: &'a Scene,
    pub(crate) to: &'a Scene,
    pub(crate) map: &'a JointMap,
    pub(crate) options: &'a Options,
    pub(crate) record: Record,
    pub(crate) links: Vec<Link>,
    drives: Drives,
    pub(crate) source: Stance,
    pub(crate) target: Stance,
    /// Character's legs over those of the clip's skeleton.
    pub(crate) ratio: f32,
    pub(crate) leg: f32,
    pub(crate) flats: [Flat; 2],
    /// Where the clip's origin lies for the character, in the body's axes; level.
    pub(crate) offset: Vec3,
    pub(crate) postures: [Posture; 2],
    /// The columns of both thighs of the clip's skeleton.
    thighs: [Option<usize>; 2],
    /// The character's thighs.
    own_thighs: [Option<JointId>; 2],
    source_keys: usize,
    left_out: usize,
}

/// A character that is posed, and the parts of it that move alone.
pub(crate) struct Stage<'a> {
    pub(crate) figure: Figure<'a>,
    pub(crate) legs: [Leg; 2],
    /// What is above the root.
    above_root: Vec<usize>,
    /// What hangs below the hips, and below each thigh.
    under_hips: Vec<usize>,
    under_thighs: [Vec<usize>; 2],
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        clip: &'a Clip,
        from: &'a Scene,
        to: &'a Scene,
        map: &'a JointMap,
        options: &'a Options,
        times: Vec<f32>,
        source_keys: usize,
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
        let links = link::links(map, &before.stand, &after.stand);
        let driven = clip.rotations.iter().filter(|track| record.column(track.joint).is_none());
        let left_out = driven.count() + clip.weights.len() + clip.properties.len();
        let thigh = |side| map.from.on(side, BodyPart::Thigh);
        let column = |side| thigh(side).and_then(|joint| record.column(joint));
        Self {
            drives: Drives::new(&links, &record, &source, &target),
            thighs: Side::BOTH.map(column),
            own_thighs: Side::BOTH.map(|side| map.to.on(side, BodyPart::Thigh)),
            clip,
            from,
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
        let mut stage = self.stage();
        let mut made = Made::new(self, &stage.legs);
        let plain = self.plain(&mut stage, &mut made);
        let feet = self.feet(&plain);
        let mut plan = plant::plan(&feet);
        if !self.options.plant_feet {
            plan.shifts = [0, 1].map(|_| vec![Vec3::ZERO; feet.times.len()]);
        }
        let drops = self.drops(&plain, &plan, feet.travel.is_some());
        let planted = match self.is_planted(&stage) {
            true => self.planted(&mut stage, &plain, &plan, &drops, &mut made),
            false => feet.own.clone(),
        };
        let key_error = match self.options.measure {
            true => self.key_error(&mut stage, &plan, &drops, &made),
            false => 0.0,
        };
        self.finish(made, &Slides { feet: &feet, plan: &plan, planted: &planted }, key_error)
    }

    fn stage(&self) -> Stage<'a> {
        let legs = Side::BOTH.map(|side| self.leg(side));
        let body = &self.map.to;
        let figure = Figure::of(self.to, body.slots().flat_map(|slot| body.joints(slot).to_vec()));
        let root = body.joint(Slot::middle(BodyPart::Root));
        let mut above_root = root.map_or(Vec::new(), |root| line(self.to.skeleton(), root));
        above_root.pop();
        Stage {
            legs,
            above_root: above_root.into_iter().map(JointId::index).collect(),
            under_hips: figure.below(body.hips()),
            under_thighs: legs.map(|leg| figure.below(leg.thigh)),
            figure,
        }
    }

    /// Feet that hang elsewhere than on their shins are moved along even where nothing is planted.
    pub(crate) fn is_planted(&self, stage: &Stage<'_>) -> bool {
        self.options.plant_feet || stage.legs.iter().any(|leg| leg.loose.is_some())
    }

    /// The first time over all moments: where legs go by themselves. Where nothing is planted, that is the clip.
    fn plain(&self, stage: &mut Stage<'_>, made: &mut Made) -> Vec<[LegAt; 2]> {
        let is_planted = self.is_planted(stage);
        let mut plain = Vec::with_capacity(self.record.len());
        for at in 0..self.record.len() {
            self.pose(&self.record, at, Vec3::ZERO, stage);
            plain.push(stage.legs.map(|leg| leg_at(&stage.figure, leg)));
            if !is_planted {
                made.add(self, at, &stage.figure);
            }
        }
        plain
    }

    /// The second time: feet are put where they stand. Gives where that is.
    fn planted(
        &self,
        stage: &mut Stage<'_>,
        plain: &[[LegAt; 2]],
        plan: &Plan,
        drops: &[f32],
        made: &mut Made,
    ) -> [Vec<Vec3>; 2] {
        let body_from_model = self.target.model_from_body.inverse();
        let mut planted = [(); 2].map(|()| Vec::with_capacity(plain.len()));
        for at in 0..self.record.len() {
            let shifts = [plan.shifts[0][at], plan.shifts[1][at]];
            self.plant(&self.record, at, &plain[at], shifts, drops[at], stage);
            for (side, way) in planted.iter_mut().enumerate() {
                way.push(body_from_model * leg_at(&stage.figure, stage.legs[side]).pivot);
            }
            made.add(self, at, &stage.figure);
        }
        planted
    }

    /// A pose with its feet where they belong.
    pub(crate) fn plant(
        &self,
        record: &Record,
        at: usize,
        plain: &[LegAt; 2],
        shifts: [Vec3; 2],
        drop: f32,
        stage: &mut Stage<'_>,
    ) {
        self.pose(record, at, -drop * Vec3::Y, stage);
        for side in 0..2 {
            let goal = plain[side].ankle + self.target.model_from_body * shifts[side];
            self.step(stage.legs[side], goal, &mut stage.figure);
        }
        if stage.legs.iter().any(|leg| leg.loose.is_some()) {
            return stage.figure.stand();
        }
        for nodes in &stage.under_thighs {
            stage.figure.stand_among(nodes);
        }
    }

    /// The clip's rotations at a time, on the character; its pelvis where it belongs, and `by` further.
    pub(crate) fn pose(&self, record: &Record, at: usize, by: Vec3, stage: &mut Stage<'_>) {
        let figure = &mut stage.figure;
        let row = record.rotations(at);
        for drive in &self.drives.all {
            figure.want(drive.to, self.drives.rotation(drive, row));
        }
        let hips = self.map.to.hips();
        let root = self.map.to.joint(Slot::middle(BodyPart::Root));
        figure.unshift(hips);
        if let Some((root, way)) = root.and_then(|root| Some((root, self.root_way(record, at)?))) {
            figure.unshift(root);
            figure.stand_among(&stage.above_root);
            figure.shift(root, way);
        }
        figure.stand();
        let [left, right] =
            self.own_thighs.map(|joint| joint.map_or(Vec3::ZERO, |joint| figure.place(joint)));
        let moved = self.pelvis(record, at) + by - (left + right) / 2.0;
        figure.carry(hips, &stage.under_hips, moved);
    }

    /// A place of the clip's skeleton, at the character's size, in the body's axes.
    pub(crate) fn sized(&self, place: Vec3) -> Vec3 {
        let body = self.source.model_from_body.inverse() * place;
        self.ratio * body + self.offset
    }

    /// Where the middle of the pelvis belongs, in the model.
    fn pelvis(&self, record: &Record, at: usize) -> Vec3 {
        let row = record.places(at);
        let [left, right] = self.thighs.map(|column| column.map_or(Vec3::ZERO, |at| row[at]));
        let middle = (left + right) / 2.0;
        let [source, target] = self.flats;
        let height = target.ankle + self.ratio * (middle.y - source.ankle);
        let sized = self.sized(middle);
        self.target.model_from_body * Vec3::new(sized.x, height, sized.z)
    }

    /// How far the root has gone, in the model.
    fn root_way(&self, record: &Record, at: usize) -> Option<Vec3> {
        let root = self.map.from.joint(Slot::middle(BodyPart::Root))?;
        let column = record.column(root)?;
        let rest = self.postures[0].stand.place(root);
        let way = self.source.model_from_body.inverse() * (record.places(at)[column] - rest);
        Some(self.target.model_from_body * (self.ratio * way))
    }

    fn finish(&self, made: Made, slides: &Slides<'_>, key_error: f32) -> Retargeted {
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
            key_error,
            keys: self.record.len(),
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
