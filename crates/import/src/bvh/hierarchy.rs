//! The first half of a BVH file: joints, where they sit and which numbers of a frame are theirs.
//!
//! In:  the text from `HIERARCHY` to `MOTION`.
//! Out: joints in file order, which puts parents before children.

use glam::Vec3;

use crate::open::Context;
use crate::text::{Text, name};
use crate::{ImportError, Place};

/// One joint or end site.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// In the parent, when no channel says otherwise.
    pub(super) offset: Vec3,
    /// What its numbers in a frame mean, in order.
    pub(super) channels: Vec<Channel>,
}

/// What one number of a frame means. Axes count from 0 for X.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Position(usize),
    Rotation(usize),
    /// Nothing that can be used.
    Unknown,
}

impl Channel {
    fn parse(word: &[u8]) -> Self {
        let Some((first, kind)) = word.split_first() else { return Self::Unknown };
        let axis = match first.to_ascii_lowercase() {
            b'x' => 0,
            b'y' => 1,
            b'z' => 2,
            _ => return Self::Unknown,
        };
        if kind.eq_ignore_ascii_case(b"position") {
            Self::Position(axis)
        } else if kind.eq_ignore_ascii_case(b"rotation") {
            Self::Rotation(axis)
        } else {
            Self::Unknown
        }
    }
}

/// The words that may follow a joint's channels.
const KEYWORDS: [&[u8]; 8] =
    [b"root", b"joint", b"end", b"offset", b"channels", b"motion", b"{", b"}"];

fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Reads joints up to and with the word `MOTION`, and whether it was there.
pub(super) fn read(
    text: &mut Text<'_>,
    context: &mut Context<'_>,
) -> Result<(Vec<Joint>, bool), ImportError> {
    let mut joints: Vec<Joint> = Vec::new();
    // Joints whose brace is open; the flag says whether it has come yet.
    let mut open: Vec<(usize, bool)> = Vec::new();
    if text.word().is_none_or(|word| !word.eq_ignore_ascii_case(b"HIERARCHY")) {
        return Err(ImportError::malformed(text.place(), "expected HIERARCHY at the top"));
    }
    let motion = loop {
        let Some(word) = next_word(text) else { break false };
        match word.to_ascii_lowercase().as_slice() {
            b"root" | b"joint" | b"end" => {
                let parent = open.last().map(|&(joint, _)| joint);
                let is_end = word.eq_ignore_ascii_case(b"end");
                let name = if is_end { end_name(text, &joints, parent)? } else { own_name(text) };
                context.budget.take(1, size_of::<Joint>() + name.len(), &Place::Whole)?;
                open.push((joints.len(), false));
                joints.push(Joint { name, parent, offset: Vec3::ZERO, channels: Vec::new() });
            }
            b"{" => match open.last_mut() {
                Some((_, opened)) if !*opened => *opened = true,
                _ => return Err(unexpected(text, "a joint before {", word)),
            },
            b"}" => {
                open.pop().ok_or_else(|| unexpected(text, "ROOT or MOTION", word))?;
            }
            b"offset" => current(&open, &mut joints, text)?.offset = offset(text, context)?,
            b"channels" => {
                let channels = channels(text, context)?;
                current(&open, &mut joints, text)?.channels.extend(channels);
            }
            b"motion" => break true,
            _ => return Err(unexpected(text, "JOINT, OFFSET, CHANNELS, End Site or }", word)),
        }
    };
    if !open.is_empty() {
        let text_of = format!("expected }} after {}, found ", joints[open[open.len() - 1].0].name);
        let found = if motion { "MOTION" } else { "the end of the file" };
        return Err(ImportError::truncated(text.place(), text_of + found));
    }
    if joints.is_empty() {
        return Err(ImportError::malformed(text.place(), "expected a ROOT, found no joint at all"));
    }
    Ok((joints, motion))
}

/// The next word; a brace is a word of its own wherever it is.
fn next_word<'a>(text: &mut Text<'a>) -> Option<&'a [u8]> {
    text.skip_space();
    if matches!(text.peek(), Some(b'{' | b'}')) {
        let brace = &text.rest()[..1];
        text.skip(1);
        return Some(brace);
    }
    text.take_while(|byte| byte > b' ' && byte != b'{' && byte != b'}')
}

/// All of the line up to a brace; names may have spaces. Else the next line's first word.
fn own_name(text: &mut Text<'_>) -> String {
    text.skip_blanks();
    let of_line = |byte| !matches!(byte, b'\n' | b'\r' | b'{');
    let found = text.take_while(of_line).unwrap_or_default().trim_ascii();
    if !found.is_empty() {
        return name(found);
    }
    text.skip_space();
    if text.peek() == Some(b'{') {
        return String::new();
    }
    name(text.take_while(of_line).unwrap_or_default().trim_ascii())
}

fn end_name(
    text: &mut Text<'_>,
    joints: &[Joint],
    parent: Option<usize>,
) -> Result<String, ImportError> {
    text.take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'{'));
    match parent.and_then(|parent| joints.get(parent)) {
        Some(parent) => Ok(format!("{}_End", parent.name)),
        None => Err(ImportError::malformed(text.place(), "expected an End Site inside a joint")),
    }
}

/// The joint whose brace is open.
fn current<'j>(
    open: &[(usize, bool)],
    joints: &'j mut [Joint],
    text: &Text<'_>,
) -> Result<&'j mut Joint, ImportError> {
    match open.last() {
        Some(&(joint, true)) => Ok(&mut joints[joint]),
        _ => Err(ImportError::malformed(text.place(), "expected { of a joint first")),
    }
}

fn offset(text: &mut Text<'_>, context: &mut Context<'_>) -> Result<Vec3, ImportError> {
    let mut offset = [0.0; 3];
    for value in &mut offset {
        *value = match text.number() {
            Some(number) => number,
            None => {
                let word = text.word().unwrap_or_default();
                return Err(unexpected(text, "three numbers after OFFSET", word));
            }
        };
    }
    let offset = Vec3::from(offset);
    if !offset.is_finite() {
        context.notes.add(text.place(), "an OFFSET that is not finite is taken as zero");
        return Ok(Vec3::ZERO);
    }
    Ok(offset)
}

fn channels(text: &mut Text<'_>, context: &mut Context<'_>) -> Result<Vec<Channel>, ImportError> {
    let Some(count) = text.integer().filter(|&count| count >= 0) else {
        let word = text.word().unwrap_or_default();
        return Err(unexpected(text, "a count after CHANNELS", word));
    };
    let mut channels = Vec::new();
    while i64::try_from(channels.len()).is_ok_and(|found| found < count) {
        let before = text.clone();
        let word = next_word(text).filter(|word| !is_keyword(word));
        let Some(word) = word else {
            *text = before;
            let found = channels.len();
            let note = format!("expected {count} channels, found {found}: those are used");
            context.notes.add(text.place(), note);
            break;
        };
        let channel = Channel::parse(word);
        if channel == Channel::Unknown {
            let word = name(word);
            context.notes.add(Place::Whole, format!("the channel {word} is left out"));
        }
        channels.push(channel);
    }
    Ok(channels)
}

fn unexpected(text: &Text<'_>, expected: &str, word: &[u8]) -> ImportError {
    if word.is_empty() {
        let message = format!("expected {expected}, found the end of the file");
        return ImportError::truncated(text.place(), message);
    }
    let found = crate::files::shorten(&name(word));
    ImportError::malformed(text.place(), format!("expected {expected}, found \"{found}\""))
}
