//! Two models at many moments, on all cores.
//!
//! In:  pairs of joints and vertices, two clips, and moments.
//! Out: a [`Measure`].
//!
//! Moments are measured in runs, each with poses of its own. Speeds are differences between even moments, so a run
//! begins with the last even one before it.

use rayon::prelude::*;
use sinew_scene::glam::{DQuat, DVec3};
use sinew_scene::{Clip, JointId, Scene};

use crate::accumulate::{Accumulator, Worst};
use crate::align::{Aligner, degrees_between, rotation};
use crate::bound::{Least, Look, Scratch, SkinBound};
use crate::compare::MomentDistances;
use crate::posed::Posed;
use crate::report::Measure;
use crate::surface::Surface;
use crate::times::{Moment, thin};

/// Moments in a run.
const RUN: usize = 32;
/// The most vertices, over all moments, that are skinned for one pair of clips.
const MAX_SKINNED: usize = 1 << 29;
/// The most joints, over all moments, that are compared for one pair of clips.
const MAX_JOINTS: usize = 1 << 28;

/// Everything that stays the same over all clips.
pub(crate) struct Meter<'a> {
    pub(crate) scenes: [&'a Scene; 2],
    pub(crate) surfaces: [&'a Surface<'a>; 2],
    /// The pairs of joints that are measured.
    pub(crate) joints: &'a [(JointId, JointId)],
    /// How the joints of each pair are rotated at rest.
    pub(crate) rest: &'a [[DQuat; 2]],
    pub(crate) vertices: &'a [(u32, u32)],
    pub(crate) root: Option<(JointId, JointId)>,
    pub(crate) aligner: &'a Aligner,
    pub(crate) keep_vertices: bool,
    /// Where the worst alone is wanted.
    pub(crate) bound: Option<&'a SkinBound<'a>>,
}

/// What of the models is compared.
#[derive(Clone, Copy, PartialEq)]
struct Parts {
    joints: bool,
    skin: bool,
}

/// A measure, and at how many moments joints and vertices were compared.
pub(crate) struct Measured {
    pub(crate) measure: Measure,
    pub(crate) moments: usize,
    pub(crate) skin_moments: usize,
}

/// How two clips begin.
struct Start {
    aligner: Aligner,
    /// Where the root of B begins, seen from that of A.
    root: DVec3,
}

/// Both models at one moment, and where the vertices and joints of B were seen from A before.
struct State<'a> {
    a: Posed<'a>,
    b: Posed<'a>,
    apart: Vec<DVec3>,
    before: Vec<DVec3>,
    scratch: Scratch,
}

impl Meter<'_> {
    /// The rest poses.
    pub(crate) fn rest(&self) -> Measure {
        let moment = Moment { time: 0.0, even: true };
        self.measure(None, vec![moment], &Least::default()).measure
    }

    /// One moment, vertex by vertex and joint by joint.
    pub(crate) fn at(&self, clips: Option<[&Clip; 2]>, time: f32) -> MomentDistances {
        let start = self.starting(clips);
        let mut now = self.state();
        let mut found = MomentDistances {
            vertices: vec![f32::NAN; self.surfaces[0].len()],
            joints: vec![f32::NAN; self.scenes[0].skeleton().len()],
        };
        self.pose(&mut now, clips, time, Parts { joints: true, skin: true }, &start);
        for (pair, apart) in self.vertices.iter().zip(&now.apart) {
            let known = &mut found.vertices[pair.0 as usize];
            *known = known.max(length(*apart) as f32);
        }
        self.pose(&mut now, clips, time, Parts { joints: true, skin: false }, &start);
        for (pair, apart) in self.joints.iter().zip(&now.apart) {
            found.joints[pair.0.index()] = length(*apart) as f32;
        }
        found
    }

    fn state(&self) -> State<'_> {
        let [a, b] = self.scenes.map(Posed::new);
        State { a, b, apart: Vec::new(), before: Vec::new(), scratch: Scratch::default() }
    }

    /// Two clips; what of the skin is not farther apart than `least` need not be looked at.
    pub(crate) fn measure(
        &self,
        clips: Option<[&Clip; 2]>,
        moments: Vec<Moment>,
        least: &Least<'_>,
    ) -> Measured {
        let has_skin = !self.vertices.is_empty();
        let moments = thin(moments, MAX_JOINTS / self.joints.len().max(1));
        let skinned = self.surfaces[0].len() + self.surfaces[1].len();
        let most = MAX_SKINNED / skinned.max(1);
        let start = self.starting(clips);
        let pass = |moments: &[Moment], parts| self.pass(clips, moments, parts, &start, None);
        let (found, skin_moments) = if let Some(bound) = self.bound.filter(|_| has_skin) {
            let parts = Parts { joints: true, skin: false };
            let mut joints = self.pass(clips, &moments, parts, &start, Some((bound, least)));
            let looks = std::mem::take(&mut joints.looks);
            let (skin, count) = self.worst(bound, looks, least, clips, &moments, &start);
            (joints.merge(skin), count)
        } else if moments.len() <= most.max(2) || !has_skin {
            let parts = Parts { joints: true, skin: has_skin };
            (pass(&moments, parts), if has_skin { moments.len() } else { 0 })
        } else {
            let joints = pass(&moments, Parts { joints: true, skin: false });
            let fewer = thin(moments.clone(), most);
            let skin = pass(&fewer, Parts { joints: false, skin: true });
            (joints.merge(skin), fewer.len())
        };
        let end = moments.last().map_or(0.0, |last| last.time);
        let drift = self.drift_at(clips, end, &start);
        let measure = self.describe(found, clips, drift);
        Measured { measure, moments: moments.len(), skin_moments }
    }

    /// The worst of the skin, and at how many moments it was skinned: those of which one may be the worst, and there those
    /// vertices alone that may be.
    fn worst(
        &self,
        bound: &SkinBound<'_>,
        mut looks: Vec<Look>,
        least: &Least<'_>,
        clips: Option<[&Clip; 2]>,
        moments: &[Moment],
        start: &Start,
    ) -> (Accumulator, usize) {
        looks.retain(|look| look.most >= least.get());
        let any = || Look { moment: 0, most: f64::INFINITY, clusters: vec![(0, f64::INFINITY)] };
        if looks.is_empty() {
            // Nothing is apart anywhere, or no farther than in another clip: any vertex will do.
            looks.push(any());
        }
        let empty = || Accumulator::new(self.joints.len(), 0);
        let found = looks.par_iter().fold(
            || (empty(), None),
            |(mut known, state_of_thread), look| {
                let time = moments[look.moment].time;
                if look.clusters.is_empty() {
                    let whole = Moment { even: false, ..moments[look.moment] };
                    let parts = Parts { joints: false, skin: true };
                    let found = self.pass(clips, &[whole], parts, start, None);
                    return (known.merge(found), state_of_thread);
                }
                let mut now = state_of_thread.unwrap_or_else(|| self.state());
                self.pose(&mut now, clips, time, Parts { joints: true, skin: false }, start);
                let likely = look.clusters.iter().filter(|(_, most)| *most >= least.get());
                for &pair in likely.flat_map(|(cluster, _)| bound.numbers(*cluster)) {
                    let (a, b) = self.vertices[pair as usize];
                    let a = now.a.vertex(self.surfaces[0], a as usize);
                    let b = now.b.vertex(self.surfaces[1], b as usize);
                    known.skin.add(Worst { error: length(b - a), time, pair: pair as usize });
                }
                (known, Some(now))
            },
        );
        let found = found.map(|(known, _)| known).reduce(empty, Accumulator::merge);
        if found.skin.worst.is_none() {
            // Another clip was found to be worse since.
            return self.worst(bound, vec![any()], least, clips, moments, start);
        }
        (found, looks.len())
    }

    fn pass(
        &self,
        clips: Option<[&Clip; 2]>,
        moments: &[Moment],
        parts: Parts,
        start: &Start,
        bound: Option<(&SkinBound<'_>, &Least<'_>)>,
    ) -> Accumulator {
        let kept = if self.keep_vertices { self.surfaces[0].len() } else { 0 };
        let empty = || Accumulator::new(self.joints.len(), kept);
        let runs = moments.par_chunks(RUN).enumerate();
        let runs = runs.fold(
            || (empty(), None),
            |(mut known, state_of_thread), (run, chunk)| {
                let mut now: State<'_> = state_of_thread.unwrap_or_else(|| self.state());
                let earlier = moments[..run * RUN].iter().rev().find(|moment| moment.even);
                let mut since = earlier.map(|moment| {
                    self.pose(&mut now, clips, moment.time, parts, start);
                    std::mem::swap(&mut now.apart, &mut now.before);
                    moment.time
                });
                for (at, moment) in chunk.iter().enumerate() {
                    self.pose(&mut now, clips, moment.time, parts, start);
                    self.add(&mut known, &now, moment.time, parts, start);
                    if let Some((bound, least)) = bound {
                        let State { a, b, scratch, .. } = &mut now;
                        known.looks.extend(bound.look(run * RUN + at, a, b, least, scratch));
                    }
                    if !moment.even {
                        continue;
                    }
                    if let Some(since) = since {
                        add_speeds(&mut known, &now, since, moment.time, parts);
                    }
                    std::mem::swap(&mut now.apart, &mut now.before);
                    since = Some(moment.time);
                }
                (known, Some(now))
            },
        );
        runs.map(|(known, _)| known).reduce(empty, Accumulator::merge)
    }

    /// Where both begin.
    fn starting(&self, clips: Option<[&Clip; 2]>) -> Start {
        let [mut a, mut b] = self.scenes.map(Posed::new);
        a.set(clips.map(|clips| clips[0]), 0.0);
        b.set(clips.map(|clips| clips[1]), 0.0);
        let aligner = self.aligner.starting(&a, &b);
        b.move_by(aligner.matrix(&a, &b));
        Start { root: self.root_apart(&a, &b), aligner }
    }

    /// Where the root of B is, seen from that of A.
    fn root_apart(&self, a: &Posed<'_>, b: &Posed<'_>) -> DVec3 {
        self.root.map_or(DVec3::ZERO, |(of_a, of_b)| {
            b.joints()[of_b.index()].translation - a.joints()[of_a.index()].translation
        })
    }

    fn pose(
        &self,
        now: &mut State<'_>,
        clips: Option<[&Clip; 2]>,
        time: f32,
        parts: Parts,
        start: &Start,
    ) {
        now.a.set(clips.map(|clips| clips[0]), time);
        now.b.set(clips.map(|clips| clips[1]), time);
        let matrix = start.aligner.matrix(&now.a, &now.b);
        now.b.move_by(matrix);
        now.apart.clear();
        if parts.skin {
            now.a.skin(self.surfaces[0]);
            now.b.skin(self.surfaces[1]);
            let (a, b) = (now.a.vertices(), now.b.vertices());
            let pairs = self.vertices.iter();
            now.apart.extend(pairs.map(|pair| b[pair.1 as usize] - a[pair.0 as usize]));
        } else {
            let (a, b) = (now.a.joints(), now.b.joints());
            let place = |pair: &(JointId, JointId)| {
                b[pair.1.index()].translation - a[pair.0.index()].translation
            };
            now.apart.extend(self.joints.iter().map(place));
        }
    }

    fn add(
        &self,
        known: &mut Accumulator,
        now: &State<'_>,
        time: f32,
        parts: Parts,
        start: &Start,
    ) {
        if parts.skin {
            for (pair, apart) in now.apart.iter().enumerate() {
                let error = length(*apart);
                known.skin.add(Worst { error, time, pair });
                if let Some(worst) = known.vertices.get_mut(self.vertices[pair].0 as usize) {
                    *worst = worst.max(error as f32);
                }
            }
        }
        if !parts.joints {
            return;
        }
        let (a, b) = (now.a.joints(), now.b.joints());
        for (pair, (of_a, of_b)) in self.joints.iter().enumerate() {
            let (of_a, of_b) = (&a[of_a.index()], &b[of_b.index()]);
            let error = length(of_b.translation - of_a.translation);
            let place = Worst { error, time, pair };
            known.joints.add(place);
            known.each[pair][0].take(place);
            // A proof asks for the worst distance alone.
            if self.bound.is_some() {
                continue;
            }
            let same = of_a.matrix3 == of_b.matrix3 && self.rest[pair][0] == self.rest[pair][1];
            let [plain, from_rest] = if same {
                [0.0; 2]
            } else {
                let (of_a, of_b) = (rotation(of_a), rotation(of_b));
                let [rest_a, rest_b] = self.rest[pair];
                let from_rest = degrees_between(of_a * rest_a.inverse(), of_b * rest_b.inverse());
                [degrees_between(of_a, of_b), from_rest]
            };
            known.each[pair][1].take(Worst { error: plain, time, pair });
            known.each[pair][2].take(Worst { error: from_rest, time, pair });
        }
        let strayed = length(self.root_apart(&now.a, &now.b) - start.root);
        known.root.take(Worst { error: strayed, time, pair: 0 });
    }

    fn drift_at(&self, clips: Option<[&Clip; 2]>, time: f32, start: &Start) -> f64 {
        let [mut a, mut b] = self.scenes.map(Posed::new);
        a.set(clips.map(|clips| clips[0]), time);
        b.set(clips.map(|clips| clips[1]), time);
        b.move_by(start.aligner.matrix(&a, &b));
        length(self.root_apart(&a, &b) - start.root)
    }
}

/// How much faster or slower B is than A, pair by pair.
fn add_speeds(known: &mut Accumulator, now: &State<'_>, from: f32, to: f32, parts: Parts) {
    let seconds = f64::from(to) - f64::from(from);
    let kind = if parts.skin { &mut known.skin } else { &mut known.joints };
    let mut most = (f64::NEG_INFINITY, 0);
    for (pair, (apart, before)) in now.apart.iter().zip(&now.before).enumerate() {
        let square = (*apart - *before).length_squared();
        let square = if square.is_nan() { f64::INFINITY } else { square };
        if square > most.0 {
            most = (square, pair);
        }
    }
    let (square, pair) = most;
    if square >= 0.0 {
        kind.add_speed(Worst { error: square.sqrt() / seconds, time: to, pair }, from);
    }
}

/// A length; what is too far for numbers is infinitely far.
fn length(vector: DVec3) -> f64 {
    let length = vector.length();
    if length.is_nan() { f64::INFINITY } else { length }
}
