//! Frames that are denser where a clip needs it: most of a curve is gentle, and a few turns are sharp.
//!
//! In:  how often gaps may be, and how far off frames are in each.
//! Out: as few frames as keep the bound in every gap.
//!
//! What happens in a gap depends on its own frames alone, so each gap finds its number by itself.

use crate::Course;
use crate::clock::{Clock, gaps};
use crate::pack::Job;
use crate::rate::{Beat, Unrounded};
use crate::source::Source;

/// How many frames, or spans, a gap may have.
const COUNTS: [u32; 13] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64];
/// The most gaps a second: where more is needed, all gaps have more frames.
pub(crate) const MOST_OFTEN: f32 = 61.0;
/// The most gaps.
const MOST_GAPS: usize = 1 << 16;
/// How many of the most promising are followed to the end.
const FOLLOWED: usize = 3;
/// A cubic takes longer to sample: it must have fewer frames by so much.
const CUBIC: f32 = 0.87;

/// Gaps, and what each has so far.
struct Attempt {
    beat: Beat,
    course: Course,
    counts: Vec<u32>,
    /// How far off each is at its worst, in parts of the limit.
    off: Vec<f32>,
    source: Source,
    errors: Vec<f32>,
}

impl Job<'_> {
    /// The fewest frames that keep the limit, when they are fewer than what is known.
    pub(crate) fn fewest_uneven(&self, limit: f32, known: usize) -> Option<Unrounded> {
        let beats = self.beats().into_iter().filter(|beat| beat.rate <= MOST_OFTEN);
        let mut attempts: Vec<Attempt> = beats
            .flat_map(|beat| [Course::Straight, Course::Spans].map(|course| (beat, course)))
            .filter_map(|(beat, course)| {
                let gaps = gaps(beat.rate, beat.phase, self.clip.duration);
                let least = gaps * course.each() as usize;
                let good = gaps > 1 && gaps <= MOST_GAPS && cost(least, course) < known as f32;
                good.then(|| self.attempt(beat, course, vec![1; gaps], limit))
            })
            .collect();
        attempts.sort_by(|a, b| a.guess().total_cmp(&b.guess()));
        let (mut best, mut fewest) = (None, known as f32);
        for mut attempt in attempts.into_iter().take(FOLLOWED) {
            while !attempt.done() && cost(attempt.frames(), attempt.course) < fewest {
                let Some(counts) = attempt.denser() else { break };
                attempt = self.attempt(attempt.beat, attempt.course, counts, limit);
            }
            let frames = cost(attempt.frames(), attempt.course);
            if attempt.done() && frames < fewest {
                fewest = frames;
                best =
                    Some(Unrounded { source: attempt.source, truth: None, errors: attempt.errors });
            }
        }
        best
    }

    fn attempt(&self, beat: Beat, course: Course, counts: Vec<u32>, limit: f32) -> Attempt {
        let Beat { rate, phase } = beat;
        let frames: Vec<u32> = counts.iter().map(|count| count * course.each()).collect();
        let mut source = self.source(Clock::uneven(rate, phase, self.clip.duration, &frames));
        source.course = course;
        let errors = self.off_each(&self.truth, &source);
        let mut off = vec![0.0_f32; counts.len()];
        for (&time, &error) in self.truth.times.iter().zip(&errors) {
            let off = &mut off[source.clock.gap_at(time)];
            *off = off.max(error / limit);
        }
        Attempt { beat, course, counts, off, source, errors }
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
        let gaps = self.counts.iter().zip(&self.off);
        let counts = gaps.map(|(&count, off)| count as f32 * off.max(1.0).sqrt().ceil());
        counts.sum::<f32>() * self.course.each() as f32
    }

    /// More frames for the gaps that have too few; `None` when one has as many as there may be.
    fn denser(&self) -> Option<Vec<u32>> {
        let gaps = self.counts.iter().zip(&self.off);
        let counts = gaps.map(|(&count, &off)| {
            let enough = if off > 1.0 { count + 1 } else { count };
            COUNTS.into_iter().find(|&more| more >= enough)
        });
        counts.collect()
    }
}

/// How many straight frames so many are worth.
fn cost(frames: usize, course: Course) -> f32 {
    if course == Course::Straight { frames as f32 } else { frames as f32 / CUBIC }
}
