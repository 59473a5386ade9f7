//! How a person says which clips, what they are called, and which part of each.
//!
//! In:  text such as `walk`, `walk=0..1.2s`, `run=Take 001`, `run=Take 001@40f..80f`; or a file of such lines.
//! Out: choices, which [`choose`](crate::choose) finds in a scene.

use crate::EditError;

const CHOICE: &str = "a clip's name, NAME=FROM..TO, NAME=CLIP or NAME=CLIP@FROM..TO, with times as 1.2s, 500ms or 30f";

/// A clip to be had: which, from when to when, and what it is called then.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipChoice {
    /// The clip's name or its number, counted from 0. Where no clip has it and the scene has one clip alone, that one
    /// when `or_only`.
    pub clip: String,
    /// Whether a scene's only clip will do, whatever it is called.
    pub or_only: bool,
    /// What it shall be called; `None` as it is.
    pub name: Option<String>,
    /// From when, in seconds; `None` from its start.
    pub from: Option<f32>,
    /// To when, in seconds; `None` to its end.
    pub to: Option<f32>,
}

impl ClipChoice {
    /// Reads a choice; a time in frames counts `fps` of them a second.
    ///
    /// ```
    /// use sinew_edit::ClipChoice;
    /// let run = ClipChoice::parse("run=Take 001@30f..60f", 30.0)?;
    /// assert_eq!((&run.clip[..], run.name.as_deref()), ("Take 001", Some("run")));
    /// assert_eq!((run.from, run.to), (Some(1.0), Some(2.0)));
    /// # Ok::<(), sinew_edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn parse(text: &str, fps: f32) -> Result<Self, EditError> {
        let error = || EditError::Choice { text: text.to_owned(), expected: CHOICE };
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) => (Some(name.trim()), rest.trim()),
            None => (None, text.trim()),
        };
        if rest.is_empty() || name == Some("") {
            return Err(error());
        }
        let made = |clip: &str, or_only: bool, range: Option<[Option<f32>; 2]>| {
            let [from, to] = range.unwrap_or_default();
            Ok(Self { clip: clip.to_owned(), or_only, name: name.map(str::to_owned), from, to })
        };
        if let Some(name) = name
            && let Some(range) = range(rest, fps)
        {
            return made(name, true, Some(range));
        }
        if let Some((clip, part)) = rest.rsplit_once('@')
            && let Some(range) = range(part.trim(), fps)
        {
            return made(clip.trim(), false, Some(range));
        }
        // What looks like a range and is none shall not be taken for a clip's name.
        if name.is_some() && rest.contains("..") && !rest.contains(char::is_alphabetic) {
            return Err(error());
        }
        made(rest, false, None)
    }
}

/// `FROM..TO`, either of which may be left out; a number without a unit has that of the other, or is in seconds.
fn range(text: &str, fps: f32) -> Option<[Option<f32>; 2]> {
    let (from, to) = text.split_once("..")?;
    let [from, to] = [from, to].map(|text| text.trim().trim_end_matches('.'));
    let units = [("ms", 0.001), ("s", 1.0), ("f", 1.0 / fps)];
    let unit_of = |text: &str| {
        units
            .iter()
            .find_map(|(unit, size)| Some((text.strip_suffix(unit)?.trim().to_owned(), *size)))
    };
    let common = unit_of(to).or_else(|| unit_of(from)).map_or(1.0, |(_, size)| size);
    let time = |text: &str| -> Option<Option<f32>> {
        if text.is_empty() {
            return Some(None);
        }
        let (number, size) = unit_of(text).unwrap_or((text.to_owned(), common));
        let time: f32 = number.parse().ok()?;
        time.is_finite().then_some(Some(time * size))
    };
    let [from, to] = [time(from)?, time(to)?];
    (from.is_some() || to.is_some()).then_some([from, to])
}

/// Reads the lines of a split file: `NAME = FROM..TO`, `NAME = CLIP`, `NAME = CLIP @ FROM..TO`, or `NAME, FROM, TO`.
/// `fps = 24` says how many frames a second has for the lines below it; `#` begins a comment.
///
/// ```
/// let text = "fps = 25\n# one take, three clips\nidle = 0..50f\nwalk = 50..75f\nrun, 3s, 3.6s\n";
/// let clips = sinew_edit::read_split(text, 30.0)?;
/// assert_eq!(clips[1].name.as_deref(), Some("walk"));
/// assert_eq!((clips[1].from, clips[1].to), (Some(2.0), Some(3.0)));
/// # Ok::<(), sinew_edit::EditError>(())
/// ```
///
/// # Errors
/// The first line that is none of these, by its number.
pub fn read_split(text: &str, fps: f32) -> Result<Vec<ClipChoice>, EditError> {
    let mut fps = fps;
    let mut choices = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or(line).trim();
        if line.is_empty() || (choices.is_empty() && is_header(line)) {
            continue;
        }
        let wrong = |why: String| EditError::Line { line: at + 1, why };
        if let Some(number) = line.strip_prefix("fps").map(str::trim_start)
            && let Some(number) = number.strip_prefix('=')
        {
            let found: Option<f32> = number.trim().parse().ok();
            fps = found.filter(|fps| *fps > 0.0 && fps.is_finite()).ok_or_else(|| {
                wrong(format!("expected frames a second above zero, found {:?}", number.trim()))
            })?;
            continue;
        }
        let plain = unquoted(line);
        let choice = match columns(&plain) {
            Some((name, from, to)) => ClipChoice::parse(&format!("{name}={from}..{to}"), fps),
            None => ClipChoice::parse(&plain, fps),
        };
        choices.push(choice.map_err(|error| wrong(error.to_string()))?);
    }
    if choices.is_empty() {
        return Err(EditError::Line {
            line: 1,
            why: "expected a clip on a line, found none".into(),
        });
    }
    Ok(choices)
}

/// Names may be in quotes, as in TOML.
fn unquoted(line: &str) -> String {
    line.replace(['"', '\''], "")
}

fn columns(line: &str) -> Option<(&str, &str, &str)> {
    if line.contains('=') {
        return None;
    }
    let mut columns = line.split([',', ';', '\t']).map(str::trim);
    let found = (columns.next()?, columns.next()?, columns.next()?);
    columns.next().is_none().then_some(found)
}

/// The names of columns, where a table has them.
fn is_header(line: &str) -> bool {
    columns(line).is_some_and(|(_, from, to)| {
        [from, to]
            .iter()
            .all(|text| !text.is_empty() && !text.contains(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> ClipChoice {
        ClipChoice::parse(text, 30.0).expect("a choice")
    }

    #[test]
    fn a_name_alone_is_the_whole_clip() {
        let walk = parsed("Armature|walk");
        assert_eq!(
            (&walk.clip[..], walk.name, walk.from, walk.to),
            ("Armature|walk", None, None, None)
        );
        assert!(!walk.or_only);
    }

    #[test]
    fn a_name_with_a_range_is_that_part_under_that_name() {
        let walk = parsed("walk=0..1.2s");
        assert_eq!((&walk.clip[..], walk.name.as_deref()), ("walk", Some("walk")));
        assert_eq!((walk.from, walk.to, walk.or_only), (Some(0.0), Some(1.2), true));
        assert_eq!((parsed("a=..500ms").from, parsed("a=..500ms").to), (None, Some(0.5)));
        assert_eq!((parsed("a=2s..").from, parsed("a=2s..").to), (Some(2.0), None));
    }

    #[test]
    fn a_clip_can_have_another_name_and_an_at_sign() {
        let run = parsed("run = me@home");
        assert_eq!((&run.clip[..], run.name.as_deref(), run.from), ("me@home", Some("run"), None));
        let part = parsed("run = me@home @ 15..30f");
        assert_eq!((&part.clip[..], part.from, part.to), ("me@home", Some(0.5), Some(1.0)));
        assert_eq!((&parsed("walk@1..2").clip[..], parsed("walk@1..2").name), ("walk", None));
    }

    #[test]
    fn what_is_no_choice_says_what_is() {
        for bad in ["", "=", "walk=", "=0..1", "walk=..", "walk=1..-", "a=-..-"] {
            let found = ClipChoice::parse(bad, 30.0);
            assert!(found.is_err(), "{bad}: {found:?}");
        }
        // Dots and letters may be a clip's name.
        assert_eq!(parsed("walk=1...x").clip, "1...x");
    }

    #[test]
    fn a_split_file_may_be_a_table_with_a_header() {
        let clips = read_split("name,from,to\nidle,0,2\n\"walk\",2,3.5 # steps\n", 30.0);
        let clips = clips.expect("two lines");
        assert_eq!((clips.len(), clips[1].name.as_deref()), (2, Some("walk")));
        assert_eq!((clips[1].from, clips[1].to), (Some(2.0), Some(3.5)));
    }

    #[test]
    fn a_split_file_that_cannot_be_read_names_the_line() {
        for (text, line) in [("idle = 0..1\nwalk =\n", 2), ("fps = none\n", 1), ("# nothing\n", 1)]
        {
            let error = read_split(text, 30.0).expect_err("not a split file");
            assert!(error.to_string().starts_with(&format!("line {line}: ")), "{error}");
        }
    }
}
