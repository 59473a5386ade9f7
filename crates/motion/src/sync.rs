//! Clips in step: one phase for all of them, by time or by markers.
//!
//! In:  clips of different lengths, each with its weight and speed.
//! Out: where each of them is, so that all are at the same part of their cycle.
//!
//! The phase counts beats: from marker to marker where markers are given, else from start to end. A beat
//! lasts as long as the weighted mean of the clips' own beats, so half walk and half run take
//! steps of a length between. A clip may hold the beats several times over; the phase does not mind.

use std::fmt;

use sinew_scene::Marker;

use crate::Progress;
use crate::step::Step;

/// A clip that goes in step with others.
#[derive(Clone, Copy, Debug)]
pub struct SyncMember<'a> {
    /// Its length in seconds.
    pub duration: f32,
    /// Its markers, in order of time.
    pub markers: &'a [Marker],
}

/// Why clips cannot go in step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncError {
    /// Which of the members.
    pub member: usize,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyncError {}

/// A phase that several clips share.
///
/// ```
/// use sinew_motion::{SyncMember, SyncGroup};
/// let (walk, run) = (SyncMember { duration: 1.0, markers: &[] }, SyncMember { duration: 0.5, markers: &[] });
/// let mut sync = SyncGroup::new(&[walk, run], &[], true)?;
/// sync.advance(0.375, &[(0.5, 1.0), (0.5, 1.0)]);
/// // A cycle lasts 0.75 s: half of it is over, in both.
/// assert_eq!((sync.time(0), sync.time(1)), (0.5, 0.25));
/// # Ok::<(), sinew_motion::SyncError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "sync group")]
#[doc(alias = "sync markers")]
pub struct SyncGroup {
    cycles: Vec<Cycle>,
    /// After so many beats every clip is where it was.
    beats: i64,
    looped: bool,
    pub(crate) now: Phase,
    before: Phase,
    pub(crate) fresh: bool,
    pub(crate) moved: bool,
    forward: bool,
}

/// A beat, and how much of it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Phase {
    pub(crate) beat: i64,
    pub(crate) part: f64,
}

/// Where the beats of one clip are. From the first on, rising; those before it in the clip come
/// a pass later.
#[derive(Clone, Debug)]
struct Cycle {
    beats: Vec<f64>,
    duration: f64,
}

impl Cycle {
    fn length(&self, beat: i64) -> f64 {
        let at = beat.rem_euclid(self.beats.len() as i64) as usize;
        let next = self.beats.get(at + 1).copied().unwrap_or(self.beats[0] + self.duration);
        (next - self.beats[at]).max(0.0)
    }

    /// The pass and the time in it.
    fn at(&self, phase: Phase, looped: bool) -> (f64, f64) {
        let count = self.beats.len() as i64;
        let begin = self.beats[phase.beat.rem_euclid(count) as usize];
        let time = begin + phase.part * self.length(phase.beat);
        if self.duration == 0.0 {
            return (0.0, 0.0);
        }
        if !looped {
            return (0.0, time.clamp(0.0, self.duration));
        }
        let pass = (time / self.duration).floor();
        let time = (time - pass * self.duration).clamp(0.0, self.duration);
        (pass + phase.beat.div_euclid(count) as f64, time)
    }
}

/// So many passes of the longest clip at most are worth a common multiple.
const MAX_BEATS: i64 = 1 << 16;

impl SyncGroup {
    /// Clips that go in step: from marker to marker of these names, or without names from start to end.
    ///
    /// # Errors
    /// When a clip lacks a marker or has them in another order. Clips that play once go by time only.
    pub fn new(
        members: &[SyncMember<'_>],
        names: &[&str],
        looped: bool,
    ) -> Result<Self, SyncError> {
        let mut cycles = Vec::with_capacity(members.len());
        for (member, clip) in members.iter().enumerate() {
            let beats = beats(clip, names).map_err(|message| SyncError { member, message })?;
            cycles.push(Cycle { beats, duration: f64::from(clip.duration.max(0.0)) });
        }
        if !looped && !names.is_empty() {
            let message = "expected a clip that loops, found one that plays once: only loops go \
                           in step by markers";
            return Err(SyncError { member: 0, message: message.into() });
        }
        let common = cycles.iter().fold(1, |all, cycle| multiple(all, cycle.beats.len() as i64));
        if common > MAX_BEATS {
            let message = format!("expected fewer markers: the clips meet again after {common}");
            return Err(SyncError { member: 0, message });
        }
        let (now, before) = (Phase::default(), Phase::default());
        Ok(Self {
            cycles,
            beats: common,
            looped,
            now,
            before,
            fresh: true,
            moved: false,
            forward: true,
        })
    }

    /// Back to the first beat.
    pub fn restart(&mut self) {
        (self.now, self.before) = (Phase::default(), Phase::default());
        (self.fresh, self.moved) = (true, false);
    }

    /// Lets `seconds` pass. Each member has a weight and a speed; without any weight nothing moves,
    /// and neither does it for seconds that are not finite.
    ///
    /// # Panics
    /// When there is not one pair per member.
    pub fn advance(&mut self, seconds: f32, members: &[(f32, f32)]) {
        assert_eq!(members.len(), self.cycles.len(), "a weight and a speed per member");
        self.advance_by(seconds, |member| members[member]);
    }

    pub(crate) fn advance_by(&mut self, seconds: f32, member: impl Fn(usize) -> (f32, f32)) {
        self.settle();
        let (mut total, mut speed) = (0.0, 0.0);
        for at in 0..self.cycles.len() {
            let (weight, own) = member(at);
            let weight = f64::from(crate::blend::weight(weight));
            total += weight;
            speed += weight * if own.is_finite() { f64::from(own) } else { 0.0 };
        }
        let step = f64::from(seconds) * speed / total;
        if total <= 0.0 || !step.is_finite() || step == 0.0 {
            return;
        }
        let length = |cycles: &[Cycle], beat: i64| {
            let parts = cycles.iter().enumerate().map(|(at, cycle)| {
                f64::from(crate::blend::weight(member(at).0)) * cycle.length(beat)
            });
            parts.sum::<f64>() / total
        };
        let round: f64 = (0..self.beats).map(|beat| length(&self.cycles, beat)).sum();
        if round <= 0.0 {
            return;
        }
        (self.moved, self.forward) = (true, step > 0.0);
        if self.looped {
            // Whole rounds at once, so that a long frame costs no more than a short one.
            let rounds = (step / round).trunc().clamp(-1e12, 1e12);
            self.now.beat += rounds as i64 * self.beats;
            let mut left = step % round;
            while left != 0.0 {
                left = self.beat(left, length(&self.cycles, self.now.beat));
            }
        } else {
            let part = self.now.part + step / round;
            self.now.part = part.clamp(0.0, 1.0);
        }
    }

    /// Goes on within this beat, or to the next; gives back what is left of the step.
    fn beat(&mut self, step: f64, length: f64) -> f64 {
        let Phase { beat, part } = self.now;
        if step > 0.0 {
            let room = length * (1.0 - part);
            if step < room {
                self.now.part = (part + step / length).min(1.0);
                return 0.0;
            }
            self.now = Phase { beat: beat + 1, part: 0.0 };
            (step - room).max(0.0)
        } else {
            let room = length * part;
            if -step <= room {
                self.now.part = if length > 0.0 { (part + step / length).max(0.0) } else { 0.0 };
                return 0.0;
            }
            self.now = Phase { beat: beat - 1, part: 1.0 };
            (step + room).min(0.0)
        }
    }

    /// Begins a step where the last one ended, with small numbers again.
    fn settle(&mut self) {
        if self.moved {
            self.fresh = false;
        }
        self.now.beat = self.now.beat.rem_euclid(self.beats);
        (self.before, self.moved, self.forward) = (self.now, false, true);
    }

    /// Where a member is, in seconds of its clip.
    #[must_use]
    pub fn time(&self, member: usize) -> f32 {
        self.cycles[member].at(self.now, self.looped).1 as f32
    }

    /// What the last step went over in a member: its markers, its passes.
    #[must_use]
    pub fn step(&self, member: usize) -> Step {
        let cycle = &self.cycles[member];
        let (from_pass, from) = cycle.at(self.before, self.looped);
        let (pass, to) = cycle.at(self.now, self.looped);
        let loops = (pass - from_pass).abs() as u32;
        let done = if self.forward { to >= cycle.duration } else { to <= 0.0 };
        let ended = !self.looped && self.moved && done && from != to;
        Step {
            from,
            to,
            duration: cycle.duration,
            loops,
            forward: self.forward,
            bounce: false,
            fresh: self.fresh,
            moved: self.moved,
            after: 0.0,
            progress: Progress { loops, ended },
        }
    }
}

/// When the beats of a clip are, from that of the first name on.
fn beats(clip: &SyncMember<'_>, names: &[&str]) -> Result<Vec<f64>, String> {
    let Some(first) = names.first() else { return Ok(vec![0.0]) };
    let markers: Vec<&Marker> =
        clip.markers.iter().filter(|marker| names.contains(&marker.name.as_str())).collect();
    if let Some(missing) =
        names.iter().find(|name| !markers.iter().any(|marker| marker.name == **name))
    {
        return Err(format!("expected a marker \"{missing}\" on the clip, found none"));
    }
    let from = markers.iter().position(|marker| marker.name == *first).unwrap_or(0);
    let mut out = Vec::with_capacity(markers.len());
    for at in 0..markers.len() {
        let marker = markers[(from + at) % markers.len()];
        let expected = names[at % names.len()];
        if marker.name != expected || !markers.len().is_multiple_of(names.len()) {
            let found: Vec<&str> = markers.iter().map(|marker| marker.name.as_str()).collect();
            return Err(format!("expected the markers {names:?} in turn, found {found:?}"));
        }
        let pass = if from + at < markers.len() { 0.0 } else { f64::from(clip.duration) };
        out.push(f64::from(marker.time) + pass);
    }
    Ok(out)
}

fn multiple(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}
