//! Frames that are denser where a clip needs it: most of a curve is gentle, and a few turns are sharp.
//!
//! In:  how often gaps may be, and how far off frames are in each.
//! Out: as few frames as keep the bound in every gap.
//!
//! What happens in a gap depends on its own frames alone, so each gap finds its number by itself.

use sinew_scene::Clip;

use crate::Course;
use crate::beats::Beat;
use crate::clock::{Clock, gaps};
use crate::ground::Worst;
use crate::jump::{Need, WORTH};
use crate::pack::Job;
use crate::rate::Unrounded;
use crate::source::Source;

/// How many frames, or spans, a gap may have.
const COUNTS: [u32; 13] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64];
/// The most gaps a second: where more is needed, all gaps have more frames.
pub(crate) const MOST_OFTEN: f32 = 61.0;
/// The most gaps.
const MOST_GAPS: usize = 1 << 16;
/// Gaps a second that are so few that haste in one of them may need more frames than it may have.
const SELDOM: f32 = 7.0;
/// How many of the most promising are followed: of those, and of the others.
const SELDOM_FOLLOWED: usize = 3;
const OFTEN_FOLLOWED: usize = 5;
/// A cubic takes longer to sample: it must have fewer frames by so much.
const CUBIC: f32 = 0.87;
/// Bytes of a track in a frame, about.
const BYTES: f32 = 2.5;

/// Gaps, and what each has so far.
struct Attempt {
    way: Way,
    counts: Vec<u32>,
    /// How far off each is at its worst, in parts of the limit.
    off: Vec<f32>,
    /// What its steps ask of each.
    needs: Vec<Option<Need>>,
    source: Source,
    /// `None` where it jumps.
    errors: Vec<Option<Worst>>,
    /// Between how many frames and the next a step is late.
    late: usize,
}

/// How often gaps are, and how it goes from frame to frame.
#[derive(Clone, Copy, Debug)]
struct Way {
    beat: Beat,
    course: Course,
    gaps: usize,
}

impl Job<'_> {
    /// The fewest frames that keep the limit, when they are fewer than what is known.
    pub(crate) fn fewest_uneven(&self, limit: f32, known: usize) -> Option<Unrounded> {
        let tracks = moving(self.clip).max(1) as f32;
        let cost = |way: Way, frames: usize| {
            let frames = frames as f32 / if way.course == Course::Straight { 1.0 } else { CUBIC };
            frames + way.gaps as f32 / (BYTES * tracks)
        };
        let late = |attempt: &Attempt| (attempt.late * WORTH as usize) as f32;
        let (mut best, mut fewest) = (None, known as f32);
        for way in self.promising(limit, |way| cost(way, way.least()) < known as f32) {
            let mut attempt = self.attempt(way, vec![1; way.gaps], limit);
            while !attempt.done() && cost(way, attempt.frames()) < fewest {
                let Some(counts) = attempt.denser() else { break };
                attempt = self.attempt(way, counts, limit);
            }
            let all = cost(way, attempt.frames()) + late(&attempt);
            if attempt.done() && all < fewest {
                fewest = all;
                let Attempt { source, errors, late, .. } = attempt;
                let jumps = errors.iter().filter(|off| off.is_none()).count();
                let errors = errors.into_iter().map(|off| off.unwrap_or_default().error).collect();
                best = Some(Unrounded { source, truth: None, errors, jumps, late, values: true });
            }
        }
        best
    }

    /// The ways that will take the fewest frames, by their first attempt.
    fn promising(&self, limit: f32, good: impl Fn(Way) -> bool) -> Vec<Way> {
        let beats = self.beats().into_iter().filter(|beat| beat.rate <= MOST_OFTEN);
        let ways = beats.flat_map(|beat| {
            let gaps = gaps(beat.rate, beat.phase, self.clip.duration);
            [Course::Straight, Course::Spans].map(|course| Way { beat, course, gaps })
        });
        let ways = ways.filter(|way| (2..=MOST_GAPS).contains(&way.gaps) && good(*way));
        let guess = |way: Way| (self.attempt(way, vec![1; way.gaps], limit).guess(), way);
        let mut ways: Vec<(f32, Way)> = ways.map(guess).collect();
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        let seldom = |way: &(f32, Way)| way.1.beat.rate < SELDOM;
        let (seldom, often): (Vec<_>, Vec<_>) = ways.into_iter().partition(seldom);
        let seldom = seldom.into_iter().take(SELDOM_FOLLOWED);
        often.into_iter().take(OFTEN_FOLLOWED).chain(seldom).map(|(_, way)| way).collect()
    }

    fn attempt(&self, way: Way, counts: Vec<u32>, limit: f32) -> Attempt {
        let Way { beat: Beat { rate, phase }, course, .. } = way;
        let frames: Vec<u32> = counts.iter().map(|count| count * course.each()).collect();
        let mut source = self.source(Clock::uneven(rate, phase, self.clip.duration, &frames));
        source.course = course;
        let errors = self.off_each(&self.truth, &source);
        let late = self.late_gaps(&errors, &source);
        let needs = self.needs(rate, phase, counts.len(), course.each());
        let mut off = vec![0.0_f32; counts.len()];
        for (&time, &error) in self.truth.times.iter().zip(&errors) {
            let off = &mut off[source.clock.gap_at(time)];
            *off = off.max(error.unwrap_or_default().error / limit);
        }
        Attempt { way, counts, off, needs, source, errors, late }
    }
}

impl Attempt {
    fn frames(&self) -> usize {
        self.source.clock.frames
    }

    fn done(&self) -> bool {
        self.off.iter().all(|&off| off <= 1.0)
    }

    /// How many frames it will have at last: twice as many are a quarter as far off.
    fn guess(&self) -> f32 {
        let gaps = self.counts.iter().zip(&self.off).zip(&self.needs);
        let counts = gaps.map(|((&count, &off), need)| match need {
            // How far off a step is says nothing of how many frames it needs.
            Some(need) if off > 1.0 => {
                let late = if need.exact { 0 } else { WORTH / self.way.course.each() };
                (need.count.max(count) + late) as f32
            }
            _ => count as f32 * off.max(1.0).sqrt().ceil(),
        });
        counts.sum::<f32>() * self.way.course.each() as f32
    }

    /// More frames for the gaps that have too few; `None` when one has as many as there may be.
    fn denser(&self) -> Option<Vec<u32>> {
        let gaps = self.counts.iter().zip(&self.off).zip(&self.needs);
        let most = COUNTS[COUNTS.len() - 1];
        let counts = gaps.map(|((&count, &off), need)| match need {
            _ if off <= 1.0 => Some(count),
            Some(Need { count: of, exact: true }) => {
                Some(count / of * of + of).filter(|&more| more <= most)
            }
            Some(Need { count: least, .. }) if count < *least => Some(*least),
            _ => COUNTS.into_iter().find(|&more| more > count),
        });
        counts.collect()
    }
}

impl Way {
    /// The fewest frames.
    fn least(self) -> usize {
        self.gaps * self.course.each() as usize + 1
    }
}

/// How many tracks of a clip move.
fn moving(clip: &Clip) -> usize {
    fn changes<V: PartialEq>(values: &[V]) -> bool {
        values.iter().any(|value| *value != values[0])
    }
    let turns = clip.rotations.iter().filter(|track| changes(track.curve.values()));
    let moves = clip.translations.iter().chain(&clip.scales);
    let weights = clip.weights.iter().filter(|track| changes(track.rows.values()));
    turns.count() + moves.filter(|track| changes(track.curve.values())).count() + weights.count()
}
