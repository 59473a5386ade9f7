//! Keys put in where other tracks have theirs, so that both share one set of times.
//!
//! In:  the keys of all straight tracks of a clip.
//! Out: the same motion, with the few keys that a track lacks of another's times.
//!
//! A key on the line or arc between two others changes nothing. Where a track lacks few of them, their values take less than times of its
//! own and the accessor's text.

use sinew_scene::Interpolation;

use super::share::ACCESSOR_BYTES;
use crate::keys::Keys;

/// What a number of a value takes.
const NUMBER_BYTES: usize = 2;

/// Gives each straight track the times of another that has all of its times and few more.
pub(super) fn insert_keys<'a>(tracks: impl Iterator<Item = &'a mut Keys>) {
    let straight = |keys: &&mut Keys| keys.interpolation == Interpolation::Linear;
    let mut tracks: Vec<&mut Keys> = tracks.filter(straight).collect();
    let mut sets: Vec<Vec<f32>> = tracks.iter().map(|keys| keys.times.clone()).collect();
    sets.sort_by(|a, b| {
        b.len().cmp(&a.len()).then_with(|| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
    });
    sets.dedup();
    for keys in &mut tracks {
        let lacks = |set: &&Vec<f32>| {
            let more = set.len().saturating_sub(keys.len());
            let own = 4 * keys.len() + ACCESSOR_BYTES;
            more > 0 && more * keys.width * NUMBER_BYTES < own && has_all(set, &keys.times)
        };
        if let Some(set) = sets.iter().find(lacks) {
            **keys = at_times(keys, set);
        }
    }
}

/// Whether all of a track's times are among these; both rise, and both begin and end together.
fn has_all(set: &[f32], times: &[f32]) -> bool {
    let rises = |times: &[f32]| times.windows(2).all(|pair| pair[0] < pair[1]);
    let mut rest = set.iter();
    set.first() == times.first()
        && set.last() == times.last()
        && rises(set)
        && rises(times)
        && times.iter().all(|time| rest.any(|known| known == time))
}

/// The same track with a key at each of these times; those that it had stay as they were.
fn at_times(keys: &Keys, times: &[f32]) -> Keys {
    let mut more = keys.empty(keys.interpolation);
    let mut value = vec![0.0; keys.width];
    for &time in times {
        match keys.times.binary_search_by(|known| known.total_cmp(&time)) {
            Ok(key) => more.push_key_of(keys, key, time),
            Err(_) => {
                keys.at(time, &mut value);
                more.push(time, &value, &[]);
            }
        }
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(times: &[f32]) -> Keys {
        let values = times.iter().map(|&time| f64::from(time * time)).collect();
        let (times, width) = (times.to_vec(), 1);
        Keys { times, values, width, interpolation: Interpolation::Linear, rotates: false }
    }

    #[test]
    fn a_track_that_lacks_a_key_gets_it_on_its_line() {
        let mut tracks = [track(&[0.0, 1.0, 2.0, 3.0]), track(&[0.0, 1.0, 3.0])];
        insert_keys(tracks.iter_mut());
        assert_eq!(tracks[1].times, tracks[0].times);
        assert_eq!(tracks[1].values, [0.0, 1.0, 5.0, 9.0]);
    }

    #[test]
    fn other_times_and_far_fewer_keys_stay() {
        let long: Vec<f32> = (0..=1000).map(|key| key as f32).collect();
        let others = [vec![0.0, 1000.0], vec![0.5, 1000.0], vec![0.0, 1.0, 2.0]];
        let mut tracks: Vec<Keys> = others.iter().chain([&long]).map(|it| track(it)).collect();
        let before = tracks.clone();
        insert_keys(tracks.iter_mut());
        assert_eq!(tracks, before);
    }
}
