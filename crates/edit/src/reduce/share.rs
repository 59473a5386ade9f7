//! Times shared between tracks, where that takes fewer bytes than own times.
//!
//! In:  straight tracks with the same samples' times, each with the samples that it needs as keys.
//! Out: the samples that are keys of each: its own, or those of others that do as well.
//!
//! In a glTF file a set of times is an accessor, which most tracks of a clip can share. A key less saves the bytes of its value; a
//! set of times of its own costs a number per key and the accessor's text.

use std::collections::HashMap;

use super::fit::knots;
use super::samples::Samples;

/// About what an accessor takes in a file's text.
pub(super) const ACCESSOR_BYTES: usize = 110;
/// Sets of times that are tried for a track.
const MAX_SETS: usize = 12;

/// A straight track that shares the times of its samples with others.
#[derive(Debug)]
pub(super) struct Straight<'a> {
    pub(super) samples: &'a Samples,
    /// How far off it may be, in metres at the skin.
    pub(super) metres: f64,
    /// The samples that are keys.
    pub(super) knots: Vec<usize>,
    /// What the value of a key takes.
    pub(super) key_bytes: usize,
}

impl Straight<'_> {
    fn value_bytes(&self, keys: usize) -> usize {
        self.key_bytes * keys
    }

    /// Whether these samples as keys keep the track within its bound.
    fn fits(&self, set: &[usize]) -> bool {
        set.windows(2).all(|pair| self.samples.is_straight(pair[0], pair[1], self.metres))
    }
}

fn set_bytes(set: &[usize]) -> usize {
    4 * set.len() + ACCESSOR_BYTES
}

/// Gives tracks the times of others where that takes fewer bytes. All have samples at the same times.
pub(super) fn share_times(tracks: &mut [Straight<'_>]) {
    if tracks.len() < 2 {
        return;
    }
    let common = knots(tracks[0].samples, |from, to| {
        tracks.iter().all(|track| track.samples.is_straight(from, to, track.metres))
    });
    let [alone, with_common] = [assigned(tracks, None), assigned(tracks, Some(common))];
    let chosen = if with_common.1 < alone.1 { with_common.0 } else { alone.0 };
    for (track, knots) in tracks.iter_mut().zip(chosen) {
        track.knots = knots;
    }
}

/// The knots of each track, and what all of them take.
fn assigned(tracks: &[Straight<'_>], common: Option<Vec<usize>>) -> (Vec<Vec<usize>>, usize) {
    let mut sets: Vec<Vec<usize>> = common.into_iter().collect();
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); tracks.len()];
    let mut order: Vec<usize> = (0..tracks.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(tracks[at].knots.len()));
    for at in order {
        let track = &tracks[at];
        let own = track.value_bytes(track.knots.len()) + set_bytes(&track.knots);
        let cheaper = |set: &&Vec<usize>| track.value_bytes(set.len()) < own;
        let known =
            sets.iter().filter(cheaper).filter(|set| track.fits(set)).min_by_key(|set| set.len());
        chosen[at] = match known {
            Some(set) => set.clone(),
            None => {
                // Small sets, such as both ends alone, are met again most often.
                if sets.len() == MAX_SETS {
                    sets.remove(1);
                }
                sets.push(track.knots.clone());
                track.knots.clone()
            }
        };
    }
    let mut used: HashMap<&[usize], usize> = HashMap::new();
    chosen.iter().for_each(|set| *used.entry(set).or_default() += 1);
    let times: usize = used.keys().map(|set| set_bytes(set)).sum();
    let values: usize =
        tracks.iter().zip(&chosen).map(|(track, set)| track.value_bytes(set.len())).sum();
    (chosen, times + values)
}

#[cfg(test)]
mod tests {
    use sinew_scene::Interpolation;

    use super::super::samples::Weighting;
    use super::*;
    use crate::keys::Keys;

    fn samples(values: &[f64]) -> Samples {
        let times = (0..values.len()).map(|key| key as f32).collect();
        let (width, interpolation) = (1, Interpolation::Linear);
        let keys = Keys { times, values: values.to_vec(), width, interpolation, rotates: false };
        Samples::new(keys, Weighting::Each(vec![1.0]))
    }

    #[test]
    fn short_tracks_share_and_a_long_quiet_one_keeps_its_own_times() {
        // Two that bend at 10 and 11 of 21 samples, and one straight line.
        let bend = |at: usize| (0..21).map(|key: usize| key.min(at) as f64).collect::<Vec<_>>();
        let all = [samples(&bend(10)), samples(&bend(11)), samples(&bend(20))];
        let own = [vec![0, 10, 20], vec![0, 11, 20], vec![0, 20]];
        let mut tracks: Vec<_> = all
            .iter()
            .zip(own)
            .map(|(samples, knots)| Straight { samples, metres: 1e-6, knots, key_bytes: 4 })
            .collect();
        share_times(&mut tracks);
        for track in &tracks {
            assert_eq!(track.knots, [0, 10, 11, 20]);
        }
    }

    #[test]
    fn a_line_among_tracks_with_a_thousand_keys_has_two() {
        let noise: Vec<f64> =
            (0..1000_u32).map(|key| f64::from(key.wrapping_mul(2_654_435_761) >> 20)).collect();
        let line: Vec<f64> = (0..1000).map(f64::from).collect();
        let all = [samples(&noise), samples(&noise), samples(&line)];
        let every: Vec<usize> = (0..1000).collect();
        let own = [every.clone(), every.clone(), vec![0, 999]];
        let mut tracks: Vec<_> = all
            .iter()
            .zip(own)
            .map(|(samples, knots)| Straight { samples, metres: 1e-6, knots, key_bytes: 4 })
            .collect();
        share_times(&mut tracks);
        assert_eq!(tracks[2].knots, [0, 999]);
        assert!(tracks[0].knots.len() > 950, "{}", tracks[0].knots.len());
        assert_eq!(tracks[0].knots, tracks[1].knots);
    }
}
