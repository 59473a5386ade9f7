//! The second half of a BVH file: how long a frame is, and a row of numbers for each.
//!
//! In:  the text after `MOTION`, and the joints with their channels.
//! Out: one clip; a joint has a track for what its channels drive, in file order.
//!
//! Numbers are read as one stream, since rows may be wrapped.

use std::sync::Arc;

use glam::{Quat, Vec3};
use sinew_scene::{Clip, JointId, Track};

use super::hierarchy::{Channel, Joint};
use crate::files::own_stem;
use crate::keys::{curve, frame_times};
use crate::note::counted;
use crate::open::Context;
use crate::text::{Text, parse_f32};
use crate::{ImportError, Place};

/// For files that give no time: that of video.
const USUAL_FRAME_TIME: f32 = 1.0 / 30.0;

pub(super) fn read(
    text: &mut Text<'_>,
    joints: &[Joint],
    context: &mut Context<'_>,
) -> Result<Clip, ImportError> {
    let (declared, frame_time) = head(text, context)?;
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let values = numbers(text, context)?;
    let frames = frame_count(declared, values.len(), width, text, context);
    let name = own_stem(context.files).unwrap_or("motion").to_owned();
    if frames == 0 {
        return Ok(Clip { name, ..Clip::default() });
    }
    context.budget.take(frames, size_of::<f32>(), &Place::Whole)?;
    let times = frame_times(frames, f64::from(frame_time), &Place::part("MOTION"))?;
    let duration = times.last().copied().unwrap_or_default();
    let mut clip = Clip { name, duration, ..Clip::default() };
    let mut from = 0;
    for (id, joint) in joints.iter().enumerate() {
        let rows = Rows { values: &values, width, from, frames };
        add_tracks(&mut clip, JointId::new(id), joint, &rows, &times, context)?;
        from += joint.channels.len();
    }
    Ok(clip)
}

/// `Frames:` and `Frame Time:`, in either order; the numbers follow.
fn head(
    text: &mut Text<'_>,
    context: &mut Context<'_>,
) -> Result<(Option<usize>, f32), ImportError> {
    let (mut frames, mut frame_time) = (None, None);
    loop {
        text.skip_space();
        let before = text.clone();
        let line = text.line();
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            *text = before;
            break;
        };
        let key: Vec<u8> = line[..colon].iter().filter(|b| **b > b' ').copied().collect();
        let value = parse_f32(line[colon + 1..].trim_ascii());
        match (key.to_ascii_lowercase().as_slice(), value) {
            (b"frames", Some(value)) if value >= 0.0 => frames = Some(value as usize),
            (b"frametime", Some(value)) => frame_time = Some(value),
            _ => {
                let found = crate::files::shorten(&crate::text::name(line));
                let message = format!("expected Frames: or Frame Time:, found \"{found}\"");
                return Err(ImportError::malformed(before.place(), message));
            }
        }
    }
    match frame_time {
        Some(time) if time > 0.0 && time.is_finite() => Ok((frames, time)),
        found => {
            let found = found.map_or("none".to_owned(), |time| format!("{time}"));
            let note = format!("expected a Frame Time above zero, found {found}: 1/30 s is used");
            context.notes.add(text.place(), note);
            Ok((frames, USUAL_FRAME_TIME))
        }
    }
}

/// Every number up to the end, or up to the first thing that is none.
fn numbers(text: &mut Text<'_>, context: &mut Context<'_>) -> Result<Vec<f32>, ImportError> {
    // A number and its blank take two bytes at least; most take eight.
    let left = text.rest().len();
    context.budget.take(left / 2, size_of::<f32>(), &Place::Whole)?;
    let mut values = Vec::with_capacity(left / 8);
    let mut unusable = 0_usize;
    while let Some(value) = text.number() {
        unusable += usize::from(!value.is_finite());
        values.push(if value.is_finite() { value } else { 0.0 });
    }
    if unusable > 0 {
        let numbers = counted(unusable, "number is", "numbers are");
        let note = format!("{numbers} not finite: taken as zero");
        context.notes.add(Place::part("MOTION"), note);
    }
    text.skip_space();
    if text.peek().is_some() {
        let word = text.clone().word().map(crate::text::name).unwrap_or_default();
        let word = crate::files::shorten(&word);
        context.notes.add(text.place(), format!("the motion ends at \"{word}\", no number"));
    }
    Ok(values)
}

/// How many frames there are: as many as are there in full, but no more than the file says.
fn frame_count(
    declared: Option<usize>,
    values: usize,
    width: usize,
    text: &Text<'_>,
    context: &mut Context<'_>,
) -> usize {
    let found = values.checked_div(width).unwrap_or(0);
    if !values.is_multiple_of(width.max(1)) {
        let over = values - found * width;
        let note = format!("a last row with {over} of {width} numbers is left out");
        context.notes.add(text.place(), note);
    }
    match declared {
        Some(declared) if declared != found && width > 0 => {
            let used = if declared == 0 { found } else { declared.min(found) };
            let frames = counted(declared, "frame", "frames");
            let note = format!("expected {frames}, found {found}: {used} used");
            context.notes.add(Place::part("MOTION"), note);
            used
        }
        _ => found,
    }
}

/// The numbers of one joint in every frame.
struct Rows<'a> {
    values: &'a [f32],
    width: usize,
    from: usize,
    frames: usize,
}

impl<'a> Rows<'a> {
    fn of(&self, channels: usize) -> impl Iterator<Item = &'a [f32]> {
        let from = self.from;
        self.values
            .chunks_exact(self.width)
            .take(self.frames)
            .map(move |row| &row[from..from + channels])
    }
}

fn add_tracks(
    clip: &mut Clip,
    id: JointId,
    joint: &Joint,
    rows: &Rows<'_>,
    times: &Arc<[f32]>,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let place = Place::part(format!("the motion of {}", crate::files::shorten(&joint.name)));
    let channels = &joint.channels;
    let size = size_of::<Vec3>() + size_of::<Quat>();
    if channels.iter().any(|channel| matches!(channel, Channel::Position(_))) {
        context.budget.take(rows.frames, size, &place)?;
        let keys = rows.of(channels.len()).map(|row| position(joint, row)).collect();
        clip.translations.push(Track { joint: id, curve: curve(times, keys, &place)? });
    }
    if channels.iter().any(|channel| matches!(channel, Channel::Rotation(_))) {
        context.budget.take(rows.frames, size, &place)?;
        let keys = rows.of(channels.len()).map(|row| rotation(channels, row)).collect();
        clip.rotations.push(Track { joint: id, curve: curve(times, keys, &place)? });
    }
    Ok(())
}

/// Position channels replace the offset, each its own component.
fn position(joint: &Joint, row: &[f32]) -> Vec3 {
    let mut position = joint.offset;
    for (channel, &value) in joint.channels.iter().zip(row) {
        if let Channel::Position(axis) = *channel {
            position[axis] = value;
        }
    }
    position
}

/// Each channel rotates about an axis that the channels before it have rotated already.
fn rotation(channels: &[Channel], row: &[f32]) -> Quat {
    let mut rotation = Quat::IDENTITY;
    for (channel, &degrees) in channels.iter().zip(row) {
        if let Channel::Rotation(axis) = *channel {
            // Half the angle repeats after 720 degrees; what is above that costs precision.
            let (sin, cos) = ((degrees % 720.0).to_radians() * 0.5).sin_cos();
            let step = match axis {
                0 => Quat::from_xyzw(sin, 0.0, 0.0, cos),
                1 => Quat::from_xyzw(0.0, sin, 0.0, cos),
                _ => Quat::from_xyzw(0.0, 0.0, sin, cos),
            };
            rotation *= step;
        }
    }
    rotation.normalize()
}
