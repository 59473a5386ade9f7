//! A clip as a row of frames and keys.
//!
//! In:  a clip.
//! Out: its frame rate, its key times, and where a step or a jump leads.
//!
//! Files do not say their frame rate; it is the smallest usual one that has a frame at every key.

use sinew::{Clip, JointId};

/// Usual rates, from slow to fast.
const RATES: [f32; 10] = [10.0, 12.0, 15.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
/// The rate of a clip whose keys fit none.
const PLAIN_RATE: f32 = 30.0;
/// Keys nearer than this are one, in seconds.
const SAME: f32 = 1e-4;

/// A clip as a row of frames and keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timeline {
    /// Frames a second.
    pub(crate) rate: f32,
    /// In seconds.
    pub(crate) duration: f32,
    /// When any track has a key; rising, in seconds.
    pub(crate) keys: Vec<f32>,
}

impl Timeline {
    pub(crate) fn new(clip: &Clip) -> Self {
        let keys = merged(clip.all_times(), clip.duration);
        Self { rate: rate_of(&keys), duration: clip.duration, keys }
    }

    /// The number of the last frame.
    pub(crate) fn last_frame(&self) -> i64 {
        self.frame_at(self.duration)
    }

    /// The frame nearest to a time.
    pub(crate) fn frame_at(&self, time: f32) -> i64 {
        (f64::from(time) * f64::from(self.rate)).round() as i64
    }

    /// The time of the frame that lies `frames` away, held within the clip.
    pub(crate) fn stepped(&self, time: f32, frames: i64) -> f32 {
        let exact = f64::from(time) * f64::from(self.rate);
        // Between two frames, a step leads to the next one, not past it.
        let from = if frames > 0 { (exact + 1e-3).floor() } else { (exact - 1e-3).ceil() };
        let frame = from as i64 + frames;
        let last = self.last_frame();
        if frame >= last {
            return self.duration;
        }
        ((frame.max(0) as f64) / f64::from(self.rate)) as f32
    }

    /// The first key after a time; the end where there is none.
    pub(crate) fn next_key(&self, time: f32) -> f32 {
        let later = self.keys.partition_point(|key| *key <= time + SAME);
        self.keys.get(later).copied().unwrap_or(self.duration)
    }

    /// The last key before a time; the start where there is none.
    pub(crate) fn previous_key(&self, time: f32) -> f32 {
        let later = self.keys.partition_point(|key| *key < time - SAME);
        later.checked_sub(1).map_or(0.0, |index| self.keys[index])
    }

    /// How many frames lie between two labels, so that labels are at least `gap` apart on a ruler of `width`.
    pub(crate) fn label_step(&self, width: f32, gap: f32) -> i64 {
        let frames = self.last_frame().max(1) as f32;
        let least = (gap * frames / width.max(1.0)).max(1.0);
        let mut decade = 1_i64;
        loop {
            for part in [1, 2, 5] {
                if (part * decade) as f32 >= least {
                    return part * decade;
                }
            }
            decade = decade.saturating_mul(10);
        }
    }
}

/// When a node has keys of its own; rising, in seconds.
pub(crate) fn keys_of(clip: &Clip, joint: JointId) -> Vec<f32> {
    let translations = clip.translations.iter().filter(|track| track.joint == joint);
    let rotations = clip.rotations.iter().filter(|track| track.joint == joint);
    let scales = clip.scales.iter().filter(|track| track.joint == joint);
    let times = translations.map(|track| &track.curve.times()[..]);
    let times = times.chain(rotations.map(|track| &track.curve.times()[..]));
    merged(times.chain(scales.map(|track| &track.curve.times()[..])), clip.duration)
}

/// All times within the clip in order, each once.
fn merged<'a>(lists: impl Iterator<Item = &'a [f32]>, duration: f32) -> Vec<f32> {
    let mut known: Vec<*const f32> = Vec::new();
    let mut all = Vec::new();
    for times in lists {
        // Most tracks of a file share one list of times.
        if known.last() == Some(&times.as_ptr()) || known.contains(&times.as_ptr()) {
            continue;
        }
        if known.len() < 64 {
            known.push(times.as_ptr());
        }
        all.extend(times.iter().copied().filter(|time| (-SAME..=duration + SAME).contains(time)));
    }
    all.sort_by(f32::total_cmp);
    all.dedup_by(|later, kept| *later - *kept < SAME);
    all
}

fn rate_of(keys: &[f32]) -> f32 {
    if keys.len() < 3 {
        return PLAIN_RATE;
    }
    let fits = |rate: f32| {
        let off = |key: &&f32| {
            let frame = f64::from(**key) * f64::from(rate);
            (frame - frame.round()).abs() > 0.02
        };
        // A stray key or two does not make a file of 30 frames one of 120.
        keys.iter().filter(off).count() * 50 <= keys.len()
    };
    let fitting = RATES.into_iter().find(|rate| fits(*rate));
    fitting.unwrap_or(PLAIN_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Vec3;
    use sinew::scene::{Curve, Interpolation, Track};

    fn clip(times: &[f32], duration: f32) -> Clip {
        let values = vec![Vec3::ZERO; times.len()];
        let curve = Curve::new(times.to_vec(), values, Interpolation::Linear).expect("good keys");
        let track = Track { joint: JointId::new(0), curve };
        Clip { name: "walk".into(), duration, translations: vec![track], ..Clip::default() }
    }

    fn even(rate: f32, frames: usize) -> Timeline {
        let times: Vec<f32> = (0..=frames).map(|frame| frame as f32 / rate).collect();
        Timeline::new(&clip(&times, frames as f32 / rate))
    }

    #[test]
    fn the_rate_is_read_from_the_keys() {
        assert_eq!(even(24.0, 48).rate, 24.0);
        assert_eq!(even(30.0, 31).rate, 30.0);
        assert_eq!(even(60.0, 7).rate, 60.0);
        assert_eq!(Timeline::new(&clip(&[0.0, 0.437], 0.437)).rate, PLAIN_RATE);
    }

    #[test]
    fn a_step_leads_to_the_next_frame_also_from_between_two() {
        let line = even(24.0, 48);
        assert_eq!(line.last_frame(), 48);
        assert!((line.stepped(0.0, 1) - 1.0 / 24.0).abs() < 1e-6);
        assert!((line.stepped(1.5 / 24.0, 1) - 2.0 / 24.0).abs() < 1e-6);
        assert!((line.stepped(1.5 / 24.0, -1) - 1.0 / 24.0).abs() < 1e-6);
        assert_eq!(line.stepped(0.0, -1), 0.0);
        assert_eq!(line.stepped(2.0, 1), 2.0);
    }

    #[test]
    fn all_frames_are_met_one_after_the_other() {
        let line = even(30.0, 90);
        let mut time = 0.0;
        let mut frame = 0;
        while frame < 90 {
            time = line.stepped(time, 1);
            frame += 1;
            assert_eq!(line.frame_at(time), frame);
        }
        assert_eq!(time, line.duration);
    }

    #[test]
    fn jumps_go_from_key_to_key_and_stop_at_the_ends() {
        let line = Timeline::new(&clip(&[0.25, 0.5, 1.0], 2.0));
        assert_eq!(line.next_key(0.0), 0.25);
        assert_eq!(line.next_key(0.25), 0.5);
        assert_eq!(line.next_key(1.0), 2.0);
        assert_eq!(line.previous_key(2.0), 1.0);
        assert_eq!(line.previous_key(0.3), 0.25);
        assert_eq!(line.previous_key(0.25), 0.0);
    }

    #[test]
    fn a_clip_without_keys_has_one_frame_and_steps_go_nowhere() {
        let line = Timeline::new(&Clip::default());
        assert_eq!((line.last_frame(), line.keys.len()), (0, 0));
        assert_eq!(line.stepped(0.0, 1), 0.0);
        assert_eq!(line.next_key(0.0), 0.0);
        assert_eq!(line.label_step(500.0, 60.0), 1);
    }

    #[test]
    fn labels_keep_their_distance() {
        // 100 frames on 400 pixels: 4 pixels each, so 60 pixels are 15 frames; 20 is the next round number.
        assert_eq!(even(30.0, 100).label_step(400.0, 60.0), 20);
    }
}
