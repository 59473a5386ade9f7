//! Feet kept where they stand: how far each ankle is to be moved, and how far the hips come down for it.
//!
//! In:  where the character's feet went without help, and when they stand.
//! Out: a shift for each foot and a drop of the hips at each time.
//!
//! In a phase of contact a foot stays at one place of the ground; before and after, the shift fades. A clip
//! that comes round is laid out three times in a row and the middle is taken, so that its seam stays closed.

use glam::Vec3;

use crate::contact::{Contacts, contacts};

/// A shift fades in and out over this time, in seconds.
const FADE: f32 = 0.16;

/// What the feet do, over time.
#[derive(Clone, Debug)]
pub(crate) struct Feet {
    pub(crate) times: Vec<f32>,
    /// Of the clip, at the character's size; 0 is the height of a flat foot. What stands: balls or ankles.
    pub(crate) source: [Vec<Vec3>; 2],
    /// Of the character, without help; the same joints.
    pub(crate) own: [Vec<Vec3>; 2],
    /// How far each foot is to be lifted to be at the right height.
    pub(crate) lift: [Vec<f32>; 2],
    /// The clip comes round: how far it goes in one.
    pub(crate) travel: Option<Vec3>,
    pub(crate) leg: f32,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) contacts: Contacts,
    pub(crate) shifts: [Vec<Vec3>; 2],
}

pub(crate) fn plan(feet: &Feet) -> Plan {
    let contacts_once = contacts(&feet.times, &feet.source, feet.leg);
    let count = feet.times.len();
    let rounds = match feet.travel {
        Some(_) if count > 2 => 3,
        _ => 1,
    };
    let laid = lay_out(feet, rounds);
    let all = contacts(&laid.times, &laid.source, feet.leg);
    let from = if rounds == 3 { count - 1 } else { 0 };
    let shifts = [0, 1].map(|side| {
        let locked = lock(&laid, &all, side);
        let level = &locked[from..from + count];
        let lifted = level.iter().zip(&feet.lift[side]);
        lifted.map(|(level, &lift)| Vec3::new(level.x, lift, level.z)).collect()
    });
    Plan {
        contacts: Contacts { ground: all.ground, ..cut(&all, from, count, contacts_once) },
        shifts,
    }
}

/// The phases of the middle round.
fn cut(all: &Contacts, from: usize, count: usize, once: Contacts) -> Contacts {
    if from == 0 {
        return once;
    }
    let of = |side: usize| {
        let within = all.phases[side].iter().filter_map(|phase| {
            let (start, end) = (phase.start.max(from), phase.end.min(from + count));
            (start + 1 < end).then(|| start - from..end - from)
        });
        within.collect()
    };
    Contacts { phases: [of(0), of(1)], ground: all.ground }
}

/// Several rounds in a row, each further by what the clip travels.
fn lay_out(feet: &Feet, rounds: usize) -> Feet {
    let count = feet.times.len();
    let travel = feet.travel.unwrap_or(Vec3::ZERO);
    let duration =
        feet.times.last().copied().unwrap_or(0.0) - feet.times.first().copied().unwrap_or(0.0);
    let mut laid = Feet {
        times: Vec::new(),
        source: Default::default(),
        own: Default::default(),
        ..feet.clone()
    };
    for round in 0..rounds {
        // The last of a round is the first of the next.
        let skip = usize::from(round > 0);
        let times = round as f32;
        laid.times.extend(feet.times[skip..].iter().map(|time| time + times * duration));
        for side in 0..2 {
            let moved = |place: &Vec3| place + times * travel;
            laid.source[side].extend(feet.source[side][skip..count].iter().map(moved));
            laid.own[side].extend(feet.own[side][skip..count].iter().map(moved));
        }
    }
    laid
}

/// Level shifts that keep a foot at one place of the ground in each phase.
fn lock(feet: &Feet, contacts: &Contacts, side: usize) -> Vec<Vec3> {
    let own = &feet.own[side];
    let on_ground = |at: usize| own[at] - contacts.ground * feet.times[at];
    let mut shifts = vec![Vec3::ZERO; own.len()];
    for phase in &contacts.phases[side] {
        let sum: Vec3 = phase.clone().map(on_ground).sum();
        let middle = sum / phase.len().max(1) as f32;
        for at in phase.clone() {
            let shift = middle - on_ground(at);
            shifts[at] = Vec3::new(shift.x, 0.0, shift.z);
        }
    }
    fade(feet, contacts, side, &mut shifts);
    shifts
}

/// Between phases, the shift of one end goes over into that of the other.
fn fade(feet: &Feet, contacts: &Contacts, side: usize, shifts: &mut [Vec3]) {
    let phases = &contacts.phases[side];
    let mut gaps: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    gaps.push((None, phases.first().map(|phase| phase.start)));
    gaps.extend(phases.windows(2).map(|two| (Some(two[0].end - 1), Some(two[1].start))));
    gaps.push((phases.last().map(|phase| phase.end - 1), None));
    for (before, after) in gaps {
        let from = before.map_or(0, |before| before + 1);
        let to = after.unwrap_or(shifts.len());
        let whole = match (before, after) {
            (Some(before), Some(after)) => feet.times[after] - feet.times[before],
            _ => f32::INFINITY,
        };
        let length = FADE.min(whole).max(1e-6);
        let kept = |end: Option<usize>, at: usize| {
            end.map_or(0.0, |end| ease(1.0 - (feet.times[at] - feet.times[end]).abs() / length))
        };
        let ends = [before, after].map(|end| end.map_or(Vec3::ZERO, |end| shifts[end]));
        for (at, shift) in shifts.iter_mut().enumerate().take(to).skip(from) {
            *shift = ends[0] * kept(before, at) + ends[1] * kept(after, at);
        }
    }
}

pub(crate) fn ease(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// A drop that is nowhere less than what is needed, and has no corners: the greatest within a window, then averaged over it.
pub(crate) fn smooth_drop(times: &[f32], needed: &[f32], round: bool) -> Vec<f32> {
    const WINDOW: f32 = 0.12;
    let count = needed.len();
    if needed.iter().all(|&drop| drop <= 0.0) || count < 2 {
        return needed.to_vec();
    }
    let period = times[count - 1] - times[0];
    let near = |at: usize, other: usize| {
        let apart = (times[at] - times[other]).abs();
        let apart = if round { apart.min((period - apart).abs()) } else { apart };
        apart <= WINDOW
    };
    let within = |at: usize, values: &[f32], fold: &dyn Fn(f32, f32) -> f32| {
        let (mut sum, mut number) = (0.0, 0.0);
        let mut visit = |other: usize| {
            sum = fold(sum, values[other]);
            number += 1.0;
        };
        // Only neighbours in time: outward until the window ends.
        visit(at);
        for sign in [-1_isize, 1] {
            let mut step = 1;
            while step < count as isize {
                let other = at as isize + sign * step;
                let other = if round { other.rem_euclid(count as isize) } else { other };
                if other < 0 || other >= count as isize || !near(at, other as usize) {
                    break;
                }
                visit(other as usize);
                step += 1;
            }
        }
        (sum, number)
    };
    let greatest: Vec<f32> = (0..count).map(|at| within(at, needed, &f32::max).0).collect();
    let averaged = (0..count).map(|at| {
        let (sum, number) = within(at, &greatest, &|a, b| a + b);
        sum / number
    });
    averaged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_creeps_stays_and_its_shift_fades() {
        let times: Vec<f32> = (0..=60).map(|frame| frame as f32 / 30.0).collect();
        let source: Vec<Vec3> = times
            .iter()
            .map(|time| if *time <= 1.0 { Vec3::ZERO } else { Vec3::new(0.0, 0.3, time - 1.0) })
            .collect();
        let own: Vec<Vec3> = source
            .iter()
            .zip(&times)
            .map(|(place, time)| *place + Vec3::X * 0.02 * *time)
            .collect();
        let flat = vec![0.0; times.len()];
        let feet = Feet {
            times: times.clone(),
            source: [source.clone(), source],
            own: [own.clone(), own.clone()],
            lift: [flat.clone(), flat],
            travel: None,
            leg: 0.9,
        };
        let plan = plan(&feet);
        let held: Vec<f32> = (2..28).map(|at| own[at].x + plan.shifts[0][at].x).collect();
        assert!(held.iter().all(|x| (x - held[0]).abs() < 1e-6), "{held:?}");
        assert!(plan.shifts[0][20].x.abs() < 0.011 && plan.shifts[0][60].length() < 1e-6);
        let jump = plan.shifts[0].windows(2).map(|two| two[0].distance(two[1])).fold(0.0, f32::max);
        assert!(jump < 0.004, "{jump}");
    }

    #[test]
    fn hips_come_down_in_time_and_smoothly() {
        let times: Vec<f32> = (0..=60).map(|frame| frame as f32 / 30.0).collect();
        let mut needed = vec![0.0; 61];
        needed[30] = 0.05;
        let drop = smooth_drop(&times, &needed, false);
        assert!(drop[30] >= 0.05 - 1e-6, "{drop:?}");
        assert!(drop.windows(2).all(|two| (two[0] - two[1]).abs() < 0.01), "{drop:?}");
        assert_eq!((drop[0], drop[60]), (0.0, 0.0));
    }
}
