//! A part of a clip as a clip of its own.
//!
//! In:  a clip, and from when to when, in seconds from its start.
//! Out: a clip that starts at zero and shows, at every time, what the first showed then.
//!
//! Where the cut falls between two keys there is a new key exactly at the cut. A cubic piece stays the same cubic: its
//! new ends have the value and the rate of change that the spline has there. A rotation's spline is made unit after it is
//! mixed, so its parts are no splines of their own; they get more keys until they are within a hundred-thousandth of a radian.

use sinew_scene::{Clip, Interpolation};

use crate::EditError;
use crate::keys::{Keys, edit_tracks};
use crate::segment;

/// How far a part of a rotation's spline may be off, in radians.
const ROTATION_ERROR: f64 = 1e-5;
/// How often a part of a rotation's spline is halved at most.
const MAX_HALVINGS: u32 = 8;

/// The part of a clip between two times; markers in it are kept.
///
/// ```
/// use sinew_edit::cut;
/// let ossi = sinew_ossi::ossi();
/// let step = cut(ossi.clip("walk").unwrap(), 0.25, 0.75)?;
/// assert_eq!(step.duration, 0.5);
/// # Ok::<(), sinew_edit::EditError>(())
/// ```
///
/// # Errors
/// When the times are not within the clip, or the second is before the first.
pub fn cut(clip: &Clip, from: f32, to: f32) -> Result<Clip, EditError> {
    // Times are written with a few digits; a clip of 1.2 s may be one of 1.1999999.
    let late = 1e-3 + clip.duration * 1e-6;
    if !(0.0..=to).contains(&from) || !to.is_finite() || to > clip.duration + late {
        return Err(EditError::Range {
            clip: clip.name.clone(),
            duration: clip.duration,
            from,
            to,
        });
    }
    let to = to.min(clip.duration);
    let mut part = clip.clone();
    part.start += f64::from(from);
    part.duration = to - from;
    part.markers.retain(|marker| (from..=to).contains(&marker.time));
    for marker in &mut part.markers {
        marker.time = (marker.time - from).min(part.duration);
    }
    edit_tracks(&mut part, |keys| cut_keys(&keys, from, to));
    Ok(part)
}

fn cut_keys(keys: &Keys, from: f32, to: f32) -> Keys {
    let last = keys.len() - 1;
    let mut part = keys.empty(keys.interpolation);
    let mut value = vec![0.0; keys.width];
    let still = vec![0.0; keys.width];
    if keys.len() == 1 || to < keys.times[0] || from >= keys.times[last] {
        keys.at(from, &mut value);
        part.push(0.0, &value, &still);
        return part;
    }
    let inside = |key: &usize| keys.times[*key] > from && keys.times[*key] <= to;
    // Of keys at the very start the last one holds.
    let at_start = keys.times.iter().rposition(|&time| time == from);
    if let Some(key) = at_start {
        part.push_key_of(keys, key, 0.0);
    } else if from > keys.times[0] {
        push_cut(keys, &mut part, from, 0.0);
    }
    let begun = part.len();
    for key in (0..keys.len()).filter(inside) {
        part.push_key_of(keys, key, keys.times[key] - from);
    }
    // What steps holds to the end without a key there.
    let ends_between = to < keys.times[last] && part.times.last() != Some(&(to - from));
    if ends_between && keys.interpolation != Interpolation::Step {
        push_cut(keys, &mut part, to, to - from);
    }
    if keys.interpolation == Interpolation::Cubic && keys.rotates {
        if at_start.is_none() && begun == 1 && part.len() > 1 {
            refine(keys, &mut part, 0, from);
        }
        if ends_between && part.len() > 2 {
            let key = part.len() - 2;
            refine(keys, &mut part, key, from);
        }
    }
    part
}

/// A new key where the curve is at a time.
fn push_cut(keys: &Keys, part: &mut Keys, time: f32, at: f32) {
    let mut value = vec![0.0; keys.width];
    let mut rate = vec![0.0; keys.width];
    keys.at(time, &mut value);
    if keys.interpolation == Interpolation::Cubic {
        keys.rate(time, &mut rate);
    }
    part.push(at, &value, &rate);
}

/// Makes the piece after `key` follow the unit quaternions of the whole curve, with more keys where it must.
fn refine(keys: &Keys, part: &mut Keys, key: usize, from: f32) {
    let [start, end] = [part.times[key], part.times[key + 1]];
    let mut made = keys.empty(Interpolation::Cubic);
    follow(keys, [start, end], from, MAX_HALVINGS, &mut made);
    let row = part.width;
    // The out-tangent of the first key and the in-tangent of the last are those of unit quaternions now.
    let [mut rate, mut value] = [[0.0; 4]; 2];
    unit_rate_at(keys, start + from, 1, &mut rate);
    part.values[(3 * key + 2) * row..][..row].copy_from_slice(&rate);
    unit_rate_at(keys, end + from, 0, &mut rate);
    part.values[3 * (key + 1) * row..][..row].copy_from_slice(&rate);
    for (at, &time) in made.times.iter().enumerate() {
        keys.at(time + from, &mut value);
        keys.rate(time + from, &mut rate);
        let place = 3 * (key + 1 + at) * row;
        part.times.insert(key + 1 + at, time);
        part.values.splice(place..place, rate.iter().chain(&value).chain(&rate).copied());
    }
}

/// Adds the times between two at which a spline of unit quaternions needs keys.
fn follow(keys: &Keys, [start, end]: [f32; 2], from: f32, halvings: u32, made: &mut Keys) {
    if halvings == 0 || is_followed(keys, [start, end], from) {
        return;
    }
    let middle = 0.5 * (start + end);
    follow(keys, [start, middle], from, halvings - 1, made);
    made.times.push(middle);
    follow(keys, [middle, end], from, halvings - 1, made);
}

fn is_followed(keys: &Keys, [start, end]: [f32; 2], from: f32) -> bool {
    let [mut a, mut b, mut leave, mut arrive, mut exact, mut found] = [[0.0; 4]; 6];
    keys.at(start + from, &mut a);
    before(keys, end + from, &mut b);
    unit_rate_at(keys, start + from, 1, &mut leave);
    unit_rate_at(keys, end + from, 0, &mut arrive);
    let length = f64::from(end - start);
    (1..8).all(|eighth| {
        let share = f64::from(eighth) / 8.0;
        keys.at((f64::from(start + from) + share * length) as f32, &mut exact);
        segment::hermite([&a, &leave, &arrive, &b], length, share, &mut found);
        segment::normalize(&mut found);
        2.0 * apart(&exact, &found) <= ROTATION_ERROR
    })
}

fn apart(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The value just before a time: of keys at that time, the first.
fn before(keys: &Keys, time: f32, out: &mut [f64]) {
    match keys.times.iter().position(|&key| key == time) {
        Some(key) => out.copy_from_slice(keys.value(key)),
        None => keys.at(time, out),
    }
}

/// How the unit quaternion changes at a time: after it (side 1) or before it (side 0), where a key may bend it.
fn unit_rate_at(keys: &Keys, time: f32, side: usize, out: &mut [f64]) {
    let key = if side == 1 {
        keys.times.iter().rposition(|&key| key == time)
    } else {
        keys.times.iter().position(|&key| key == time)
    };
    match key {
        Some(key) => {
            out.copy_from_slice(keys.part(key, 2 * side));
            segment::unit_rate(keys.value(key), out);
        }
        None => keys.rate(time, out),
    }
}

#[cfg(test)]
mod tests {
    use sinew_motion::{Cursor, Pose, sample};
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{Curve, JointId, Marker, Node, Scene, SceneParts, Track, Transform};

    use super::*;

    const JOINT: JointId = JointId::new(0);

    fn clip(interpolation: Interpolation, times: &[f32], x: &[f32]) -> Clip {
        let values = x.iter().map(|&x| x * Vec3::X).collect();
        let curve = Curve::new(times, values, interpolation).expect("keys");
        let duration = times[times.len() - 1];
        let translations = vec![Track { joint: JOINT, curve }];
        Clip { name: "slide".into(), duration, translations, ..Clip::default() }
    }

    fn xs(clip: &Clip) -> Vec<f32> {
        clip.translations[0].curve.values().iter().map(|value| value.x).collect()
    }

    #[test]
    fn a_straight_track_has_new_keys_exactly_at_the_cut() {
        let clip = clip(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, 4.0, 0.0]);
        let part = cut(&clip, 0.5, 1.75).expect("within the clip");
        assert_eq!(part.translations[0].curve.times()[..], [0.0, 0.5, 1.25]);
        assert_eq!(xs(&part), [2.0, 4.0, 1.0]);
        assert_eq!((part.duration, part.start), (1.25, 0.5));
    }

    #[test]
    fn a_stepped_track_holds_what_held_at_the_cut() {
        let clip = clip(Interpolation::Step, &[0.0, 1.0, 2.0], &[0.0, 4.0, 7.0]);
        let part = cut(&clip, 0.5, 2.0).expect("within the clip");
        assert_eq!(part.translations[0].curve.times()[..], [0.0, 0.5, 1.5]);
        assert_eq!(xs(&part), [0.0, 4.0, 7.0]);
    }

    #[test]
    fn a_cubic_track_stays_the_same_cubic() {
        // x = t³ - t on 0…2: x' = 3t² - 1. At ½: -0.375 and -0.25; at 1.5: 1.875 and 5.75.
        let keys = [0.0, 0.0, -1.0, 11.0, 6.0, 0.0];
        let clip = clip(Interpolation::Cubic, &[0.0, 2.0], &keys);
        let part = cut(&clip, 0.5, 1.5).expect("within the clip");
        assert_eq!(part.translations[0].curve.times()[..], [0.0, 1.0]);
        assert_eq!(xs(&part), [-0.25, -0.375, -0.25, 5.75, 1.875, 5.75]);
    }

    #[test]
    fn a_jump_at_the_end_of_the_cut_is_kept_and_one_at_its_start_is_over() {
        let clip = clip(Interpolation::Linear, &[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0]);
        let before = cut(&clip, 0.0, 1.0).expect("within the clip");
        assert_eq!(before.translations[0].curve.times()[..], [0.0, 1.0, 1.0]);
        assert_eq!(xs(&before), [0.0, 1.0, 5.0]);
        let after = cut(&clip, 1.0, 2.0).expect("within the clip");
        assert_eq!(xs(&after), [5.0, 6.0]);
    }

    #[test]
    fn beside_its_keys_a_track_holds_one_value() {
        let late = clip(Interpolation::Linear, &[1.0, 2.0], &[3.0, 4.0]);
        assert_eq!(xs(&cut(&late, 0.0, 0.5).expect("within the clip")), [3.0]);
        let held = Clip { duration: 5.0, ..late };
        assert_eq!(xs(&cut(&held, 3.0, 5.0).expect("within the clip")), [4.0]);
    }

    #[test]
    fn a_rotations_spline_is_followed_within_a_hundred_thousandth() {
        // A wide rotation whose spline leaves the unit sphere far behind between its keys.
        let [a, b] = [Quat::IDENTITY, Quat::from_rotation_z(2.8)];
        let out = Quat::from_xyzw(1.5, 0.0, 0.5, 0.0);
        let still = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let values = vec![still, a, out, still, b, still];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Cubic).expect("two keys");
        let rotations = vec![Track { joint: JOINT, curve }];
        let whole = Clip { duration: 1.0, rotations, ..Clip::default() };
        let part = cut(&whole, 0.2, 0.9).expect("within the clip");
        let nodes = vec![Node::new("a", None, Transform::IDENTITY)];
        let clips = vec![whole, part];
        let scene = Scene::new(SceneParts { nodes, clips, ..SceneParts::default() });
        let scene = scene.expect("the parts fit");
        let [mut exact, mut found] = [(); 2].map(|()| Pose::new(&scene));
        for step in 0..=70 {
            let time = step as f32 * 0.01;
            sample(&scene.clips[0], 0.2 + time, &mut Cursor::new(), &mut exact);
            sample(&scene.clips[1], time, &mut Cursor::new(), &mut found);
            let [exact, found] = [&exact, &found].map(|pose| pose.local(JOINT).rotation);
            let off = 2.0 * (exact - found).length().min((exact + found).length());
            assert!(off < 2e-5, "{off} rad at {time} s");
        }
    }

    #[test]
    fn markers_come_with_their_part() {
        let mut clip = clip(Interpolation::Linear, &[0.0, 2.0], &[0.0, 1.0]);
        clip.markers = vec![Marker::new("left", 0.5), Marker::new("right", 1.5)];
        let part = cut(&clip, 1.0, 2.0).expect("within the clip");
        assert_eq!(part.markers, [Marker::new("right", 0.5)]);
    }

    #[test]
    fn times_outside_of_the_clip_are_an_error_that_says_where_it_ends() {
        let clip = clip(Interpolation::Linear, &[0.0, 2.0], &[0.0, 1.0]);
        for (from, to) in [(-1.0, 1.0), (1.0, 0.5), (0.0, 2.5), (f32::NAN, 1.0), (0.0, f32::NAN)] {
            let error = cut(&clip, from, to).expect_err("not within the clip");
            assert!(error.to_string().contains("0 to 2 s"), "{error}");
        }
    }
}
