//! `.md5anim`: a base pose, and for every frame the few numbers that differ from it.

use glam::{Quat, Vec3};
use sinew_scene::{Clip, JointId, SceneParts, Track};

use super::joints::{self, Joint, Pose};
use super::words::{Words, keyword, with_real_part};
use super::{check_count, check_version};
use crate::files::own_stem;
use crate::keys::{curve, frame_times};
use crate::note::counted;
use crate::open::Context;
use crate::{ImportError, Place};

/// For files that give none: the rate Doom 3 plays at.
const USUAL_RATE: f64 = 24.0;

/// Which of a joint's six numbers change, and where they begin in a frame.
struct Animated {
    /// Bits 0 to 2: where it is; 3 to 5: how it is rotated.
    flags: i64,
    start: usize,
}

#[derive(Default)]
struct File {
    frame_count: Option<usize>,
    joint_count: Option<usize>,
    frame_rate: Option<f64>,
    /// Numbers in a frame.
    width: usize,
    joints: Vec<Joint>,
    animated: Vec<Animated>,
    base: Vec<Pose>,
    /// By frame number.
    frames: Vec<Option<Vec<f64>>>,
    /// How many of them are there.
    frames_read: usize,
}

impl File {
    /// Whether every frame that the file announced has been read.
    fn is_whole(&self) -> bool {
        self.frame_count.is_some_and(|count| count > 0 && self.frames_read >= count)
    }
}

pub(super) fn read(
    words: &mut Words<'_>,
    context: &mut Context<'_>,
) -> Result<SceneParts, ImportError> {
    check_version(words, context)?;
    let mut file = File::default();
    while let Some(word) = words.next() {
        match keyword(word).as_slice() {
            b"numframes" => file.frame_count = Some(words.count("a number of frames")?),
            b"numjoints" => file.joint_count = Some(words.count("a number of joints")?),
            b"framerate" => file.frame_rate = Some(words.number()?),
            b"numanimatedcomponents" => file.width = words.count("a number of components")?,
            b"commandline" => words.skip_line(),
            b"hierarchy" => read_hierarchy(words, &mut file)?,
            b"bounds" => words.skip_block()?,
            b"baseframe" => file.base = read_base(words)?,
            b"frame" => {
                let whole = file.is_whole();
                match read_frame(words, &mut file, context) {
                    Err(_) if whole => {
                        words.leave_tail("the last frame", word, context);
                        break;
                    }
                    read => read?,
                }
            }
            _ if file.is_whole() => {
                words.leave_tail("the last frame", word, context);
                break;
            }
            _ => return Err(words.unexpected("hierarchy, baseframe or frame", Some(word))),
        }
    }
    if file.joint_count.is_none() && file.joints.is_empty() {
        return Err(words.unexpected("hierarchy", None));
    }
    words.report(context);
    build(file, context)
}

fn read_hierarchy(words: &mut Words<'_>, file: &mut File) -> Result<(), ImportError> {
    words.expect(b"{")?;
    while !words.passes(b'}') {
        let name = words.name("a joint's name or }")?;
        file.joints.push(Joint { name, parent: joints::parent(words)? });
        let flags = words.integer("a joint's flags")?;
        // Joints without animated numbers may begin anywhere, also before the first.
        let start = usize::try_from(words.integer("a joint's first number")?).unwrap_or(0);
        file.animated.push(Animated { flags, start });
    }
    Ok(())
}

fn read_base(words: &mut Words<'_>) -> Result<Vec<Pose>, ImportError> {
    words.expect(b"{")?;
    let mut base = Vec::new();
    while !words.passes(b'}') {
        base.push(Pose::read(words)?);
    }
    Ok(base)
}

fn read_frame(
    words: &mut Words<'_>,
    file: &mut File,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let number = words.count("a frame's number")?;
    words.expect(b"{")?;
    let mut values = Vec::new();
    while !words.passes(b'}') {
        values.push(words.number()?);
    }
    if values.len() != file.width {
        let text = format!("expected {} numbers in a frame, found {}", file.width, values.len());
        return Err(ImportError::malformed(words.place(), text));
    }
    if number >= file.frames.len() {
        let new = number.saturating_add(1) - file.frames.len();
        context.budget.take(new, size_of::<Option<Vec<f64>>>(), &words.place())?;
        file.frames.resize(number + 1, None);
    }
    file.frames_read += usize::from(file.frames[number].is_none());
    file.frames[number] = Some(values);
    Ok(())
}

fn build(mut file: File, context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    check_count("joints", file.joint_count, file.joints.len(), context);
    check_count("frames", file.frame_count, file.frames.len(), context);
    if file.base.len() != file.joints.len() {
        let (expected, found) = (file.joints.len(), file.base.len());
        let note = format!("expected a baseframe of {expected} joints, found {found}");
        context.notes.add(Place::part("baseframe"), note);
        file.base.resize(expected, Pose::IDENTITY);
    }
    check_numbers(&file)?;
    let frames = fill(&file.frames, context);
    let base = &file.base;
    let (nodes, node_of) = joints::nodes(file.joints, |joint| base[joint])?;
    let clip = clip(&file.animated, base, &frames, file.frame_rate, &node_of, context)?;
    Ok(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() })
}

/// Every joint's numbers must lie within a frame.
fn check_numbers(file: &File) -> Result<(), ImportError> {
    for (joint, animated) in file.joints.iter().zip(&file.animated) {
        let count = (animated.flags & 63).count_ones() as usize;
        let end = animated.start.saturating_add(count);
        if count > 0 && end > file.width {
            let name = crate::files::shorten(&joint.name);
            let text = format!("expected numbers up to {} in a frame, found {end}", file.width);
            return Err(ImportError::out_of_range(Place::part(format!("joint {name}")), text));
        }
    }
    Ok(())
}

/// A frame that is not there repeats the one before it.
fn fill<'f>(frames: &'f [Option<Vec<f64>>], context: &mut Context<'_>) -> Vec<&'f [f64]> {
    let missing = frames.iter().filter(|frame| frame.is_none()).count();
    if missing > 0 {
        let frames = counted(missing, "frame is", "frames are");
        let note = format!("{frames} not there: the last one before is repeated");
        context.notes.add(Place::Whole, note);
    }
    let mut last = frames.iter().flatten().next().map(Vec::as_slice).unwrap_or_default();
    let mut repeat = |frame: &'f Option<Vec<f64>>| {
        last = frame.as_deref().unwrap_or(last);
        last
    };
    frames.iter().map(&mut repeat).collect()
}

fn clip(
    animated: &[Animated],
    base: &[Pose],
    frames: &[&[f64]],
    rate: Option<f64>,
    node_of: &[JointId],
    context: &mut Context<'_>,
) -> Result<Clip, ImportError> {
    let name = own_stem(context.files).unwrap_or("anim").to_owned();
    if frames.is_empty() {
        context.notes.add(Place::Whole, "the file has no frames: the clip is empty");
        return Ok(Clip { name, ..Clip::default() });
    }
    let rate = match rate {
        Some(rate) if rate > 0.0 => rate,
        found => {
            let found = found.map_or("none".to_owned(), |rate| rate.to_string());
            let note = format!("expected a frameRate above zero, found {found}: 24 is used");
            context.notes.add(Place::Whole, note);
            USUAL_RATE
        }
    };
    let place = Place::part("frames");
    let times = frame_times(frames.len(), 1.0 / rate, &place)?;
    let duration = times.last().copied().unwrap_or_default();
    let mut clip = Clip { name, duration, ..Clip::default() };
    for (joint, animated) in animated.iter().enumerate() {
        context.budget.take(frames.len(), size_of::<(Vec3, Quat)>(), &place)?;
        let poses = frames.iter().map(|frame| animated.pose(base[joint], frame).to_transform());
        let (translations, rotations) = poses.map(|pose| (pose.translation, pose.rotation)).unzip();
        let joint = node_of[joint];
        clip.translations.push(Track { joint, curve: curve(&times, translations, &place)? });
        clip.rotations.push(Track { joint, curve: curve(&times, rotations, &place)? });
    }
    Ok(clip)
}

impl Animated {
    /// The base pose with this frame's numbers in place of its own.
    fn pose(&self, base: Pose, frame: &[f64]) -> Pose {
        if self.flags & 63 == 0 {
            return base;
        }
        let mut next = frame.get(self.start..).unwrap_or_default().iter().copied();
        let mut take = |bit: i64, own: f64| {
            if self.flags >> bit & 1 == 1 { next.next().unwrap_or(own) } else { own }
        };
        let mut translation = base.translation;
        for axis in 0..3 {
            translation[axis] = take(axis as i64, translation[axis]);
        }
        // The base's real part is not positive either, so its other parts may be used beside new ones.
        let mut imaginary = base.rotation.xyz();
        for axis in 0..3 {
            imaginary[axis] = take(3 + axis as i64, imaginary[axis]);
        }
        Pose { translation, rotation: with_real_part(imaginary) }
    }
}
