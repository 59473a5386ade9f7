//! When a foot stands on the ground, and how far it slides there.
//!
//! In:  the paths of both feet over time (metres, Y up, 0 where a flat foot is), and how long a leg is.
//! Out: phases of contact, and the speed of the ground: a character that walks in place has its feet carried
//! backward by a ground that moves, as on a treadmill.

use std::ops::Range;

use glam::Vec3;

/// Phases of contact of the left and the right foot, and how the ground moves under them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Contacts {
    pub(crate) phases: [Vec<Range<usize>>; 2],
    /// In metres a second.
    pub(crate) ground: Vec3,
}

/// Below this height a foot may stand, as a share of a leg's length.
const LOW: f32 = 0.07;
/// Below this speed a foot may stand, in leg lengths a second.
const SLOW: f32 = 0.45;
/// Shorter than this, a phase is a foot that passes by; shorter than half of it, a gap is a tremble. Seconds.
const SHORT: f32 = 0.06;

/// The speed at each time, over the neighbours before and after; level alone.
fn speeds(times: &[f32], way: &[Vec3]) -> Vec<Vec3> {
    let last = way.len().saturating_sub(1);
    (0..way.len())
        .map(|at| {
            let (from, to) = (at.saturating_sub(1), (at + 1).min(last));
            let passed = times[to] - times[from];
            let moved = way[to] - way[from];
            if passed > 0.0 { Vec3::new(moved.x, 0.0, moved.z) / passed } else { Vec3::ZERO }
        })
        .collect()
}

/// Finds when feet stand.
pub(crate) fn contacts(times: &[f32], ways: &[Vec<Vec3>; 2], leg: f32) -> Contacts {
    let speeds = [speeds(times, &ways[0]), speeds(times, &ways[1])];
    let ground = ground(ways, &speeds, leg);
    let of = |side: usize| {
        let stands = |at: usize| {
            ways[side][at].y < LOW * leg && (speeds[side][at] - ground).length() < SLOW * leg
        };
        let low_and_slow = phases(times, &(0..times.len()).map(stands).collect::<Vec<bool>>());
        let foot = Foot { times, way: &ways[side], speeds: &speeds[side], ground, leg };
        let mut settled = Vec::with_capacity(low_and_slow.len());
        low_and_slow.into_iter().for_each(|phase| foot.settle(phase, &mut settled));
        settled
    };
    Contacts { phases: [of(0), of(1)], ground }
}

/// Further than this from the middle of a phase a foot does not stand, it slides: it is let go. As a share of a leg.
const DRIFT: f32 = 0.045;
/// For this long a foot is free where it goes on to another place; seconds.
const FREE: f32 = 0.16;

/// One foot, for the question where it stays.
struct Foot<'a> {
    times: &'a [f32],
    way: &'a [Vec3],
    speeds: &'a [Vec3],
    ground: Vec3,
    leg: f32,
}

impl Foot<'_> {
    /// The parts of a phase in which the foot stays at one place: one that creeps from place to place, as when somebody
    /// turns slowly, is free in between. Held at the middle of it all, it would drag the leg after it.
    fn settle(&self, phase: Range<usize>, settled: &mut Vec<Range<usize>>) {
        if phase.len() < 2 || self.seconds(&phase) < SHORT {
            return;
        }
        let place = |at: usize| {
            let place = self.way[at] - self.ground * self.times[at];
            Vec3::new(place.x, 0.0, place.z)
        };
        let middle = phase.clone().map(place).sum::<Vec3>() / phase.len() as f32;
        let farthest = phase.clone().map(|at| place(at).distance(middle)).fold(0.0, f32::max);
        if farthest <= DRIFT * self.leg {
            return settled.push(phase);
        }
        let cut = self.times[self.cut(&phase)];
        let before = phase.clone().find(|&at| self.times[at] > cut - FREE / 2.0);
        let after = phase.clone().find(|&at| self.times[at] >= cut + FREE / 2.0);
        self.settle(phase.start..before.unwrap_or(phase.end), settled);
        self.settle(after.unwrap_or(phase.end)..phase.end, settled);
    }

    /// Where the foot goes on to another place: where it is fastest, or half-way where it creeps evenly.
    fn cut(&self, phase: &Range<usize>) -> usize {
        let speed = |at: usize| (self.speeds[at] - self.ground).length();
        let mean = phase.clone().map(speed).sum::<f32>() / phase.len() as f32;
        let fastest = phase.clone().max_by(|&a, &b| speed(a).total_cmp(&speed(b)));
        let fastest = fastest.filter(|&at| speed(at) > 2.0 * mean);
        fastest.unwrap_or((phase.start + phase.end) / 2)
    }

    fn seconds(&self, phase: &Range<usize>) -> f32 {
        self.times[phase.end - 1] - self.times[phase.start]
    }
}

/// Where low feet agree on one speed that is not small, that is the ground's.
fn ground(ways: &[Vec<Vec3>; 2], speeds: &[Vec<Vec3>; 2], leg: f32) -> Vec3 {
    let low: Vec<Vec3> = (0..2)
        .flat_map(|side| ways[side].iter().zip(&speeds[side]))
        .filter(|(place, _)| place.y < 0.5 * LOW * leg)
        .map(|(_, speed)| *speed)
        .collect();
    if low.len() < 8 {
        return Vec3::ZERO;
    }
    let middle = |pick: fn(&Vec3) -> f32| median(low.iter().map(pick).collect());
    let common = Vec3::new(middle(|v| v.x), 0.0, middle(|v| v.z));
    let apart = median(low.iter().map(|speed| speed.distance(common)).collect());
    let standing = low.iter().filter(|speed| speed.length() < 0.15 * leg).count();
    let moves =
        common.length() > 0.5 * leg && apart < 0.35 * common.length() && standing * 5 < low.len();
    if moves { common } else { Vec3::ZERO }
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Runs of true; short gaps are closed, short runs are left out.
fn phases(times: &[f32], stands: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in stands.iter().enumerate().filter(|(_, stands)| **stands) {
        match runs.last_mut() {
            Some(run) if run.end == at || times[at] - times[run.end - 1] < SHORT / 2.0 => {
                run.end = at + 1;
            }
            _ => runs.push(at..at + 1),
        }
    }
    runs.retain(|run| times[run.end - 1] - times[run.start] >= SHORT);
    runs
}

/// Slides are measured over at least this time, so that a tremble of a hair's breadth is not called fast. Seconds.
const STEP: f32 = 1.0 / 60.0;

/// How fast feet slide while they stand: on average and at worst, in metres a second.
pub(crate) fn slide(times: &[f32], ways: &[Vec<Vec3>; 2], contacts: &Contacts) -> (f32, f32) {
    let (mut way, mut passed, mut worst) = (0.0, 0.0, 0.0_f32);
    for (side, phase) in [0, 1]
        .into_iter()
        .flat_map(|side| contacts.phases[side].iter().map(move |phase| (side, phase)))
    {
        let mut before = phase.start;
        for at in phase.start + 1..phase.end {
            let step = times[at] - times[before];
            if step < STEP - 1e-4 {
                continue;
            }
            let moved = ways[side][at] - ways[side][before] - contacts.ground * step;
            let level = Vec3::new(moved.x, 0.0, moved.z).length();
            way += level;
            passed += step;
            worst = worst.max(level / step);
            before = at;
        }
    }
    if passed > 0.0 { (way / passed, worst) } else { (0.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot that stands for a second, swings for half a second 0.75 m ahead, and stands again.
    fn steps() -> (Vec<f32>, Vec<Vec3>) {
        let times: Vec<f32> = (0..=75).map(|frame| frame as f32 / 30.0).collect();
        let way = |time: f32| {
            let swing = ((time - 1.0) / 0.5).clamp(0.0, 1.0);
            Vec3::new(0.0, 0.2 * (swing * std::f32::consts::PI).sin(), 0.75 * swing)
        };
        (times.clone(), times.into_iter().map(way).collect())
    }

    #[test]
    fn a_foot_stands_before_and_after_its_swing() {
        let (times, way) = steps();
        let contacts = contacts(&times, &[way.clone(), way], 0.9);
        assert_eq!(contacts.ground, Vec3::ZERO);
        let [before, after] = &contacts.phases[0][..] else { panic!("{contacts:?}") };
        assert_eq!((before.start, after.end), (0, 76));
        assert!(
            (28..=31).contains(&before.end) && (45..=47).contains(&after.start),
            "{contacts:?}"
        );
    }

    #[test]
    fn a_foot_that_creeps_at_three_centimetres_a_second_is_said_to() {
        let (times, mut way) = steps();
        for (time, place) in times.iter().zip(&mut way) {
            place.x += 0.03 * time;
        }
        let contacts = contacts(&times, &[way.clone(), way.clone()], 0.9);
        let (mean, worst) = slide(&times, &[way.clone(), way], &contacts);
        assert!((mean - 0.03).abs() < 0.005 && worst < 0.4, "{mean} {worst}");
    }

    #[test]
    fn a_foot_that_creeps_far_is_let_go_between_its_places() {
        let times: Vec<f32> = (0..=120).map(|frame| frame as f32 / 60.0).collect();
        // Somebody who turns slowly: the foot goes 40 cm in two seconds, never fast.
        let way: Vec<Vec3> = times.iter().map(|time| Vec3::X * 0.2 * *time).collect();
        let contacts = contacts(&times, &[way.clone(), way.clone()], 0.9);
        assert!(contacts.phases[0].len() >= 2, "{contacts:?}");
        for phase in &contacts.phases[0] {
            let gone = way[phase.end - 1].distance(way[phase.start]);
            assert!(gone <= 2.0 * DRIFT * 0.9 + 1e-4, "{gone} m in {phase:?}");
        }
        for two in contacts.phases[0].windows(2) {
            assert!(times[two[1].start] - times[two[0].end - 1] > 0.9 * FREE, "{contacts:?}");
        }
    }

    #[test]
    fn a_walk_in_place_has_a_ground_that_moves() {
        let times: Vec<f32> = (0..=90).map(|frame| frame as f32 / 30.0).collect();
        // Back on the ground for 0.6 s at 1.2 m/s, forward through the air for 0.4 s.
        let foot = |shift: f32| {
            let at = move |time: &f32| {
                let phase = (time + shift).fract();
                match phase < 0.6 {
                    true => Vec3::new(0.0, 0.0, 0.36 - 1.2 * phase),
                    false => Vec3::new(0.0, 0.15, -0.36 + 1.8 * (phase - 0.6)),
                }
            };
            times.iter().map(at).collect::<Vec<_>>()
        };
        let ways = [foot(0.0), foot(0.5)];
        let contacts = contacts(&times, &ways, 0.9);
        assert!(
            contacts.ground.abs_diff_eq(Vec3::new(0.0, 0.0, -1.2), 1e-3),
            "{}",
            contacts.ground
        );
        assert!(slide(&times, &ways, &contacts).0 < 0.1);
        assert!(contacts.phases[0].len() >= 3, "{contacts:?}");
    }
}
